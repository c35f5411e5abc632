"""The file of a match by mail: letters of both players, each a list of moves with a signature."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from grognard.files.plain_data import Limits, check_plain
from grognard.files.struct_types import prepare
from grognard.files.toml_file import converted
from grognard.matches.storage.seals import digest
from grognard.words.message import say
from grognard.words.refusal import Refusal

VERSION = 1
PRINTED = Limits(printed=True)
Digits = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
PlayerName = Annotated[str, Meta(min_length=1, max_length=80)]


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="move"):
    """A step of a match by mail."""


class Join(Move, frozen=True, tag="join"):
    """A player takes his side: his name, his key, the anchor of his dice."""

    name: PlayerName
    key: Digits
    anchor: Digits
    salt: Digits  # makes his dice those of this match alone


class Answered(Move, frozen=True, tag="answer"):
    """An answer to what the side is asked."""

    answer: Any


class Sealed(Move, frozen=True, tag="seal"):
    """A half of a secret commitment, sealed."""

    seal: Digits


class Half(Move, frozen=True, tag="half"):
    """A half of a secret commitment, open: the other one is sealed, or there is no other."""

    option: Any


class Opened(Move, frozen=True, tag="open"):
    """A sealed half, opened."""

    option: Any
    nonce: Digits


class Revealed(Move, frozen=True, tag="reveal"):
    """A side's link for the dice that are asked for."""

    link: Digits


AnyMove = Join | Answered | Sealed | Half | Opened | Revealed


class Letter(Struct, frozen=True, forbid_unknown_fields=True):
    """Moves of one side, signed together with all that came before."""

    by: str
    moves: tuple[AnyMove, ...]
    signature: str


class MailFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A match by mail as its file has it."""

    mail: int
    id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    scenario: str
    options: dict[str, str]
    created: str
    letters: tuple[Letter, ...]


prepare(MailFile)


def read_file(data: object) -> MailFile:
    """Read the data of a file; refuse damaged data, other versions, and what would steer the
    terminal of its reader."""
    check_plain(data, PRINTED)
    found = data.get("mail", "-") if isinstance(data, dict) else "-"
    if found != VERSION:
        problem = say(
            "a match by mail of version {found} can't be read here; expected {known}",
            found=found,
            known=VERSION,
        )
        raise Refusal(problem, place="mail")
    return converted(data, MailFile)


def written_file(file: MailFile) -> bytes:
    """Write the text of a file."""
    return msgspec.json.format(msgspec.json.encode(file)) + b"\n"


def text_of(data: object) -> str:
    """Write data as JSON without blanks, as checksums take it."""
    return msgspec.json.encode(data).decode()


def first_head(file: MailFile) -> str:
    """Give the beginning of the chain of moves."""
    options = text_of(file.options)
    return digest("grognard mail 1", file.id, file.scenario, options, file.created)


def next_head(head: str, by: str, move: AnyMove) -> str:
    """Give the head of the chain after a move."""
    return digest(head, by, text_of(move))


def letter_text(number: int, by: str, head: str) -> str:
    """Give the text that the signature of a letter signs."""
    return "\n".join(("grognard letter 1", str(number), by, head))


def sealed(id_: str, question: str, side: str, option: object, nonce: str) -> str:
    """Seal a half of a commitment; the nonce keeps others from trying all options."""
    return digest("grognard half 1", id_, question, side, text_of(option), nonce)


def agreed(heads: Sequence[str], seen: Sequence[str]) -> None:
    """Refuse letters that are older than those seen, or another branch."""
    for number, (head, known) in enumerate(zip(heads, seen, strict=False), 1):
        if head != known:
            problem = say(
                "letter {n} is not the one that you have seen: the match has two branches",
                n=number,
            )
            raise Refusal(problem, place=f"letters[{number - 1}]")
    if len(heads) < len(seen):
        problem = say(
            "this file is older than the one you have seen: it has {n} {n:letter|letters}, you "
            "have seen {seen}",
            n=len(heads),
            seen=len(seen),
        )
        raise Refusal(problem, place="letters")

"""The proof of the dice in a match file, and the check of it.

`examples/check_dice.py` does the same without Grognard.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from grognard.card.dice import MOST_DICE, MOST_FACES, Dice
from grognard.matches.fair_dice import Asked, Chain, fair_dice, link_problem
from grognard.matches.storage.kept_rows import text_of
from grognard.matches.storage.rows import Source
from grognard.matches.storage.seals import first_link, next_link
from grognard.words.message import say
from grognard.words.refusal import Refusal


class ProvenRoll(Struct, frozen=True, forbid_unknown_fields=True):
    """A fair roll: its dice, and the link of each side."""

    faces: int
    lowest: int
    links: dict[str, str]


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """What a checker needs beside the answers of a match."""

    id: str
    created: str
    sources: tuple[Source, ...]  # of the answers
    nonces: tuple[str, ...]  # of their links
    heads: tuple[str, ...]  # their links
    chains: tuple[Chain, ...]
    rolls: tuple[ProvenRoll, ...]  # in the order of the answers whose source is `fair`


def check_proof(
    proof: Proof, scenario: str, options: Mapping[str, str], answers: Sequence[object]
) -> int:
    """Check the chain of answers and every fair roll; give their number, or refuse the first that
    does not hold."""
    if not len(proof.sources) == len(proof.nonces) == len(proof.heads) == len(answers):
        raise Refusal(say("the proof does not have a line for each answer"), place="proof")
    head = first_link(proof.id, scenario, text_of(options), proof.created)
    made: dict[str, str] = {}
    fair = 0
    for n, answer in enumerate(answers):
        if proof.sources[n] == "fair":
            fair += 1
            made = _check_roll(proof, fair, head, answer, made)
        elif proof.sources[n] in ("typed", "rolled"):
            problem = say("the dice of answer {n} were not made by both sides", n=n + 1)
            raise Refusal(problem, place=f"answers[{n}]")
        head = next_link(head, proof.nonces[n], proof.sources[n], text_of(answer))
        if head != proof.heads[n]:
            problem = say("the answer {n} is not the one that was given", n=n + 1)
            raise Refusal(problem, place=f"answers[{n}]")
    if fair != len(proof.rolls):
        raise Refusal(say("the proof has rolls that no answer shows"), place="proof.rolls")
    return fair


def _check_roll(
    proof: Proof, roll: int, question: str, answer: object, before: Mapping[str, str]
) -> dict[str, str]:
    """Check a roll, and give its links."""
    place = f"proof.rolls[{roll - 1}]"
    if roll > len(proof.rolls):
        raise Refusal(say("the proof of roll {roll} is missing", roll=roll), place="proof.rolls")
    proven = proof.rolls[roll - 1]
    if len(proven.links) != 2:
        raise Refusal(say("a roll needs a link of both sides"), place=place)
    for side, link in proven.links.items():
        problem = link_problem(proof.chains, side, roll, link, before.get(side))
        if problem:
            raise Refusal(problem, place=place)
    shown = answer if isinstance(answer, list | tuple) else ()
    if not (1 <= len(shown) <= MOST_DICE and 2 <= proven.faces <= MOST_FACES):
        raise Refusal(say("this is not a roll of dice"), place=place)
    dice = Dice(len(shown), proven.faces, "sum", proven.lowest)
    made = fair_dice(Asked(proof.id, roll, question, dice), proven.links)
    if made != tuple(shown):
        problem = say(
            "roll {roll} shows {shown}; both sides made {made}",
            roll=roll,
            shown=", ".join(map(str, shown)),
            made=", ".join(map(str, made)),
        )
        raise Refusal(problem, place=place)
    return proven.links

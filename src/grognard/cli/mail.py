"""The command `grognard mail`: a match as a signed file that goes to and fro."""

from pathlib import Path
from typing import NamedTuple

import click

from grognard.cli.mail_terminal import MailTerminal, play_by_itself
from grognard.cli.options import answer_options, lang_option, refusing, rules_option
from grognard.cli.output import print_json, print_lines
from grognard.draw.text.match import verdict_words
from grognard.files import atomic_file
from grognard.files.folders import data_folder
from grognard.files.source import read_source
from grognard.matches.mail.keys import Identity, KeyFolder, Seen, fingerprint
from grognard.matches.mail.letters import read_file, written_file
from grognard.matches.mail.mail_match import MailMatch, invited, joining, opens_stacks
from grognard.matches.match import save
from grognard.players.levels import automatic_player
from grognard.players.levels import level as level_named
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon

_keys_option = click.option(
    "--keys",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of your key and of what you have seen (default: in the user's data).",
)
_name_option = click.option(
    "--name", metavar="NAME", required=True, help="Your name, as the other player reads it."
)
_file_argument = click.argument("path", metavar="FILE")


class Opened(NamedTuple):
    """A match by mail that was read and checked."""

    path: str
    keys: KeyFolder
    mail: MailMatch

    def sign(self, me: Identity, side: str) -> None:
        """Sign what was written, and replace the file; then note that it was seen."""
        file = self.mail.signed(me, side)
        atomic_file.write(Path(self.path), written_file(file))
        self.keys.keep_seen(file.id, Seen((*self.mail.heads, self.mail.head)))


def opened(path: str, keys: Path | None) -> Opened:
    """Read a match by mail: check every letter, and compare it with what was seen before."""
    source, folder = read_source(path), _key_folder(keys)
    try:
        mail = MailMatch(read_file(source.data()))
    except Refusal as refusal:
        raise Refusal(refusal.problem, source=source.name, place=refusal.place) from None
    seen = folder.seen(mail.file.id)
    try:
        mail.check_seen(seen)
    except Refusal as refusal:
        raise Refusal(refusal.problem, source=source.name, place=refusal.place) from None
    if mail.heads:
        folder.keep_seen(mail.file.id, Seen(tuple(mail.heads)))
    return Opened(path, folder, mail)


def _key_folder(keys: Path | None) -> KeyFolder:
    return KeyFolder(keys or data_folder() / "mail")


@click.group("mail")
@lang_option
def command(lang: Lang) -> None:  # its help is in this language
    """Play a match by mail: a signed file that goes to and fro.

    One player begins (new), the other takes the second side (accept), then both play in turn and
    send the file to each other. A file that was changed, or that is older than the one you have
    seen, is refused. Dice are made by both players; docs/mail.md tells how.
    """


@command.command("key")
@_keys_option
@lang_option
@refusing
def _key(keys: Path | None, lang: Lang) -> None:
    """Show your public key, to compare it by telephone."""
    public = _key_folder(keys).identity().public
    words = say("your key: {key}", key=fingerprint(public))
    print_lines([words.in_(lang), public])


@command.command("new")
@click.argument("scenario", metavar="SCENARIO")
@click.argument("path", metavar="FILE")
@click.option("--side", metavar="SIDE", required=True, help="Your side.")
@_name_option
@_keys_option
@rules_option
@lang_option
@refusing
def _new(
    scenario: str,
    path: str,
    side: str,
    name: str,
    keys: Path | None,
    options: dict[str, str],
    lang: Lang,
) -> None:
    """Begin a match by mail in FILE; send it to the other player.

    Stacks that the rules hide are open by mail.
    """
    if Path(path).exists():
        problem = say("this file exists already; a match by mail begins in a new one")
        raise Refusal(problem, source=path)
    atomic_file.check(Path(path))
    folder = _key_folder(keys)
    me = folder.identity()
    mail = invited(me, scenario, side, name, options)
    Opened(path, folder, mail).sign(me, side)
    begun = say("begun: send {file} to the other player", file=path)
    print_lines([*_opened_stacks(mail, lang), begun.in_(lang)])


@command.command("accept")
@_file_argument
@_name_option
@_keys_option
@lang_option
@refusing
def _accept(path: str, name: str, keys: Path | None, lang: Lang) -> None:
    """Take the free side of a match that the other player has begun."""
    found = opened(path, keys)
    mail, me = found.mail, found.keys.identity()
    if len(mail.players) != 1:
        raise Refusal(say("no side of this match is free"), source=path)
    (first,) = mail.players.values()
    if first.key == me.public:
        raise Refusal(say("you have begun this match yourself; send it on"), source=path)
    side = mail.turn or ""
    mail.move(side, joining(me, mail.file.id, name))
    found.sign(me, side)
    print_lines([*_opened_stacks(mail, lang), *_handed_over(mail, side, path, lang)])


@command.command("play")
@_file_argument
@click.option("--auto", metavar="LEVEL", help="Let the program play your side at this level.")
@click.option("--seed", metavar="N", type=int, default=0, help="Seed of the program's choices.")
@_keys_option
@lang_option
@refusing
def _play(path: str, auto: str | None, seed: int, keys: Path | None, lang: Lang) -> None:
    """Play your part of a match by mail, and sign it.

    Orders are those of grognard play. What you leave with quit is signed as far as it goes, and
    stands; undo takes back what is not signed yet.
    """
    found = opened(path, keys)
    mail, me = found.mail, found.keys.identity()
    side = mail.side_of(me)
    if mail.turn is None:
        raise Refusal(say("the match is over; nothing is asked any more"), source=path)
    if mail.turn != side:
        problem = say("it is the turn of {turn}: send the file", turn=_name(mail, mail.turn))
        raise Refusal(problem, source=path)
    atomic_file.check(Path(path))
    if auto is None:
        MailTerminal(mail, me, side, lang).play()
    else:
        play_by_itself(mail, me, side, automatic_player(seed, level_named(auto)))
    if mail.written:
        found.sign(me, side)
        print_lines(_handed_over(mail, side, path, lang))


@command.command("show")
@_file_argument
@_keys_option
@answer_options
def _show(path: str, keys: Path | None, lang: Lang, as_json: bool) -> None:
    """Check a match by mail, and say how it stands: players, letters, dice, whose turn it is."""
    mail = opened(path, keys).mail
    if as_json:
        print_json(_summary(mail))
        return
    lines = [
        f"{side}{colon(lang)}{player.name}, {fingerprint(player.key)}"
        for side, player in mail.players.items()
    ]
    lines.append(
        say(
            "{n} {n:letter|letters} and {rolls} {rolls:roll|rolls} hold",
            n=len(mail.heads),
            rolls=mail.rolls,
        ).in_(lang)
    )
    print_lines([*lines, *_opened_stacks(mail, lang), *_handed_over(mail, None, path, lang)])


@command.command("export")
@_file_argument
@click.argument("target", metavar="MATCH", type=click.Path(path_type=Path))
@_keys_option
@lang_option
@refusing
def _export(path: str, target: Path, keys: Path | None, lang: Lang) -> None:
    """Write a match by mail as a match file, for grognard story and the web application."""
    mail = opened(path, keys).mail
    save(mail.match, target)
    print_lines([say("saved: {file}", file=target).in_(lang)])


def _summary(mail: MailMatch) -> dict[str, object]:
    return {
        "id": mail.file.id,
        "scenario": mail.file.scenario,
        "players": {
            side: {"name": player.name, "key": player.key, "anchor": player.anchor}
            for side, player in mail.players.items()
        },
        "letters": len(mail.heads),
        "rolls": mail.rolls,
        "turn": mail.turn,
        "head": mail.head,
    }


def _name(mail: MailMatch, side: str) -> str:
    player = mail.players.get(side)
    return f"{player.name} ({side})" if player else side


def _opened_stacks(mail: MailMatch, lang: Lang) -> list[str]:
    """Tell the players of a scenario that hides stacks that they lie open."""
    if not opens_stacks(mail.file.scenario):
        return []
    told = say(
        "the rules of this scenario hide what lies under the top counter of a stack; by mail all "
        "stacks lie open, and both players see every counter. To hide them, play apart on a server"
    )
    return [told.in_(lang)]


def _handed_over(mail: MailMatch, side: str | None, path: str, lang: Lang) -> list[str]:
    """Say who must move now."""
    if mail.turn is None:
        won = verdict_words(mail.match.field, mail.match.verdict())
        return [say("The match is over.").in_(lang), won.in_(lang)]
    if mail.turn == side:
        return [say("signed; it is still your turn").in_(lang)]
    turn = _name(mail, mail.turn)
    if side is None:
        return [say("it is the turn of {turn}", turn=turn).in_(lang)]
    return [say("signed: send {file} to {turn}", file=path, turn=turn).in_(lang)]

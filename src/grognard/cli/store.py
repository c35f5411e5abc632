"""The command `grognard store`: check, backup, salvage and copy stored matches."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grognard.cli.options import answer_options, lang_option, refusing
from grognard.cli.output import print_json, print_lines
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

if TYPE_CHECKING:
    from grognard.matches.storage.rows import Damaged, Kept, Standing, StoredMatch

_path = click.Path(path_type=Path)


@click.group("store")
@lang_option
def command(lang: Lang) -> None:  # of the help; each command has its own
    """Look after stored matches: check, back up, copy, save what is left of a damaged file.

    STORE, FROM and TO are files, or addresses that begin with postgresql://. The exit status is 1
    if a match is damaged or lost.
    """


@command.command("check")
@click.argument("store", metavar="STORE")
@answer_options
def check(store: str, lang: Lang, as_json: bool) -> None:
    """Check every match, and name those that are damaged.

    A server may be running. An index that does not fit its rows is made again.
    """
    from grognard.matches.storage import checking  # noqa: PLC0415  # help stays quick

    found = checking.check(store)
    if as_json:
        damaged = [{"id": one.id, "problem": one.reason.in_(lang)} for one in found.damaged]
        problems = [problem.in_(lang) for problem in found.problems]
        print_json({"sound": found.matches, "damaged": damaged, "problems": problems})
    else:
        print_lines(problem.in_(lang) for problem in found.problems)
        print_lines(one.in_(lang) for one in found.damaged)
        sound = say("{n} {n:match is|matches are} sound", n=found.matches)
        click.echo(sound.in_(lang))
    if found.damaged or found.problems:
        sys.exit(1)


@command.command("backup")
@click.argument("store", metavar="STORE")
@click.argument("target", metavar="FILE", type=_path)
@click.option("--replace", is_flag=True, help="Replace a file that is there already.")
@lang_option
@refusing
def backup(store: str, target: Path, *, replace: bool, lang: Lang) -> None:
    """Write all matches into a new file, also while a server runs."""
    from grognard.matches.storage import copying  # noqa: PLC0415  # help stays quick

    if target.exists() and not replace:
        problem = say("there is such a file already; replace it with --replace")
        raise Refusal(problem, source=str(target))
    _name_damaged(copying.backup(store, target), lang)


@command.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@lang_option
@refusing
def copy(source: str, target: str, lang: Lang) -> None:
    """Copy all matches into an empty store, such as from a file to PostgreSQL.

    Damaged matches are left out and named.
    """
    from grognard.matches.storage import copying  # noqa: PLC0415  # help stays quick

    number, damaged = copying.copy(source, target)
    click.echo(say("{n} {n:match|matches} copied", n=number).in_(lang))
    _name_damaged(damaged, lang)


@command.command("salvage")
@click.argument("source", metavar="FROM", type=_path)
@click.argument("target", metavar="TO", type=_path)
@lang_option
@refusing
def salvage(source: Path, target: Path, lang: Lang) -> None:
    """Read what is left of a damaged file into a new one.

    A match whose last answers are lost is kept up to the last good one, and named so. The damaged
    file is not changed.
    """
    from grognard.matches.storage import salvage as salvaging  # noqa: PLC0415  # help stays quick

    def name(before: str, answers: int) -> str:
        return say("{name} (salvaged: {n} {n:answer|answers})", name=before, n=answers).in_(lang)

    found = salvaging.salvage(source, target, salvaging.Faces(name, _standing))
    for table in found.unread:
        click.echo(say("some rows of the table {table} can't be read", table=table).in_(lang))
    for cut in found.cut:
        kept_up = say(
            "the match '{id}' is kept up to its answer {n}: {name}",
            id=cut.former,
            n=cut.answers,
            name=cut.kept.name,
        )
        click.echo(kept_up.in_(lang))
        if cut.kept.id != cut.former:
            _tell_renewed(cut.former, cut.kept, lang)
    print_lines(one.in_(lang) for one in found.lost)
    click.echo(
        say(
            "{n} {n:match is|matches are} whole, {cut} cut short, {lost} lost",
            n=found.whole,
            cut=len(found.cut),
            lost=len(found.lost),
        ).in_(lang)
    )
    if found.cut or found.lost or found.unread:
        sys.exit(1)


@command.command("renew")
@click.argument("store", metavar="STORE")
@click.argument("matches", metavar="[MATCH]...", nargs=-1)
@lang_option
@refusing
def renew(store: str, matches: tuple[str, ...], lang: Lang) -> None:
    """Begin the dice of matches anew, after you went back to a backup.

    Pages that have made rolls since the backup refuse to make them again. A match that is renewed
    goes on under another address with new chains of dice; secret links lead to it. If you name no
    match, all matches under way are renewed in which both sides make the dice.
    """
    from grognard.matches.storage import renewal  # noqa: PLC0415  # help stays quick
    from grognard.matches.storage.store import Store  # noqa: PLC0415

    with Store(store) as opened:
        for former in matches or renewal.with_dice(opened):
            _tell_renewed(former, renewal.renew(opened, former), lang)


def _tell_renewed(former: str, kept: "Kept", lang: Lang) -> None:
    renewed = say(
        "the dice of the match '{id}' begin anew: it is now '{new}'", id=former, new=kept.id
    )
    click.echo(renewed.in_(lang))


def _standing(whole: "StoredMatch") -> "Standing":
    """Replay a match that lost answers; one that can't be replayed is listed at its beginning."""
    from grognard.matches.match import from_saved  # noqa: PLC0415  # help stays quick
    from grognard.matches.storage.rows import Standing  # noqa: PLC0415
    from grognard.web.matches.match_cache import saved  # noqa: PLC0415
    from grognard.web.matches.seen_match import standing  # noqa: PLC0415

    try:
        return standing(from_saved(saved(whole)))
    except Refusal:
        return Standing()


def _name_damaged(damaged: "list[Damaged]", lang: Lang) -> None:
    """Name damaged matches on standard error, and exit with status 1 if there are any."""
    for one in damaged:
        click.echo(one.in_(lang), err=True)
    if damaged:
        sys.exit(1)

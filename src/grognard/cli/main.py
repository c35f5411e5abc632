"""The command `grognard`."""

import shutil
import sys
from collections.abc import Iterable
from contextlib import nullcontext, redirect_stdout
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

import click

from grognard.cli.options import (
    attacker_option,
    defender_option,
    json_option,
    json_text,
    lang_option,
    print_json,
    refusing,
)
from grognard.draw.json.card import card_json
from grognard.draw.text import card as card_text
from grognard.files import atomic_file
from grognard.rules import game
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

if TYPE_CHECKING:
    from grognard.fights.fight_file import Source
    from grognard.fights.play import Play
    from grognard.rules.fight import Fight


class Commands(click.Group):
    """The commands; those that need the map or the web are imported when they are called."""

    later: ClassVar[dict[str, str]] = {
        "map": "grognard.cli.map",
        "play": "grognard.cli.play",
        "report": "grognard.cli.report",
        "scenarios": "grognard.cli.play",
        "series": "grognard.cli.series",
        "serve": "grognard.cli.serve",
        "sweep": "grognard.cli.sweep",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.later])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.later:
            return super().get_command(ctx, cmd_name)
        commands: dict[str, click.Command] = import_module(self.later[cmd_name]).COMMANDS
        return commands[cmd_name]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="grognard")
def main() -> None:
    """Run the combat rules of hex-and-counter wargames from their printed cards."""


@main.command()
@lang_option
@json_option
@refusing
def games(lang: Lang, as_json: bool) -> None:
    """List the games."""
    headings = [game.heading(id_) for id_ in game.ids()]
    if as_json:
        print_json(headings)
        return
    left = max(len(heading.id) for heading in headings)
    for heading in headings:
        name = click.style(heading.id.ljust(left), bold=True)
        click.echo(f"{name}  {heading.name.in_(lang)}")
        click.echo(f"{' ' * left}  {heading.about.in_(lang)}")
    click.echo()
    click.echo(say("Show a card: grognard card GAME").in_(lang))


@main.command()
@click.argument("game_id", metavar="GAME")
@click.argument("table_id", metavar="[TABLE]", required=False)
@lang_option
@json_option
@refusing
def card(game_id: str, table_id: str | None, lang: Lang, as_json: bool) -> None:
    """Show a card as printed.

    Doubtful readings are marked, with the reason below. TABLE is one table of the card, or
    modifiers, terrain, numbers, options.
    """
    shown = game.card(game_id)
    if as_json:
        print_json(card_json(shown, table_id))
        return
    width = shutil.get_terminal_size((100, 24)).columns
    _print(card_text.part(shown, table_id, lang, width))


# ------------------------------------------------------------------ fights

_fight_file = click.argument("path", metavar="FIGHT")


def _read(path: str) -> "Source":
    from grognard.fights.fight_file import read_source  # noqa: PLC0415  # only fights need the rules

    return read_source(path)


def _fight(path: str) -> "Fight":
    from grognard.fights.fight_file import read_fight  # noqa: PLC0415  # only fights need the rules

    return read_fight(_read(path))


@main.command()
@_fight_file
@lang_option
@json_option
@refusing
def explain(path: str, lang: Lang, as_json: bool) -> None:
    """Explain how a fight is reckoned.

    Totals, modifiers, column and die modifier, each with its rule. FIGHT is a TOML or JSON
    file, - for standard input.
    """
    from grognard.draw.json import fight as fight_json  # noqa: PLC0415  # only fights need the rules
    from grognard.draw.text import fight as fight_text  # noqa: PLC0415  # only fights need the rules

    fight = _fight(path)
    if as_json:
        print_json(fight_json.explain_answer(fight, lang))
        return
    _print(fight_text.explanation(fight.explain(), fight, lang))


@main.command()
@_fight_file
@attacker_option
@defender_option
@lang_option
@json_option
@refusing
def odds(path: str, attacker: str, defender: str, lang: Lang, as_json: bool) -> None:
    """Give the exact odds of a fight.

    What will have happened, per result and in sum. FIGHT is a TOML or JSON file, - for standard
    input.
    """
    from grognard.draw.json import fight as fight_json  # noqa: PLC0415  # only fights need the rules
    from grognard.draw.text import fight as fight_text  # noqa: PLC0415  # only fights need the rules

    fight = _fight(path)
    found = fight.odds(attacker, defender)
    if as_json:
        print_json(fight_json.odds_answer(fight, found, lang))
        return
    _print(fight_text.explanation(fight.explain(), fight, lang))
    _print(fight_text.chances(found, fight, lang))


@main.command()
@_fight_file
@click.option("--dice", default="", help="Dice rolled on the table, in order, such as 5,3.")
@click.option("--seed", type=int, help="Roll with this seed.")
@click.option("--auto", is_flag=True, help="Let the doctrines choose, and roll what is not typed.")
@click.option("--record", "record_path", type=click.Path(dir_okay=False), help="Write a record.")
@attacker_option
@defender_option
@lang_option
@json_option
@refusing
def resolve(  # each option of the command is one
    path: str,
    dice: str,
    seed: int | None,
    auto: bool,
    record_path: str | None,
    attacker: str,
    defender: str,
    lang: Lang,
    as_json: bool,
) -> None:
    """Resolve a fight.

    It asks one question at a time, or the doctrines choose (--auto). FIGHT is a TOML or JSON
    file, - for standard input.
    """
    from grognard.cli import fight_terminal  # noqa: PLC0415  # only fights need the rules
    from grognard.fights.automatic import resolve as resolve_alone  # noqa: PLC0415  # only here

    fight = _fight(path)
    typed = list(fight_terminal.typed_dice(dice))
    if auto:
        dice_left = iter(typed)
        play = resolve_alone(fight, dice_left, seed, attacker, defender)
        typed = list(dice_left)
    else:
        play = fight.play()
        try:
            with redirect_stdout(sys.stderr) if as_json else nullcontext():
                fight_terminal.lead(play, typed, Random(seed), lang)
        except fight_terminal.Stopped as stopped:
            raise Refusal(stopped.problem) from None
    if typed:
        unused = say("dice that were not needed: {dice}", dice=", ".join(map(str, typed)))
        click.echo(unused.in_(lang), err=True)
    if record_path:
        _write_record(play, record_path)
    _print_play(play, lang, as_json, told=auto)


@main.command()
@click.argument("path", metavar="RECORD")
@lang_option
@json_option
@refusing
def replay(path: str, lang: Lang, as_json: bool) -> None:
    """Play a record again.

    It is said whether the record holds, or where it stops holding.
    """
    from grognard.fights import record  # noqa: PLC0415  # only fights need the rules

    source = _read(path)
    data = source.data()
    with source.placing():
        play = record.replay(record.read_record(data))
    _print_play(play, lang, as_json, told=True)
    if not as_json:
        click.echo(say("the record holds: {n} answers", n=len(play.given)).in_(lang))


def _write_record(play: "Play", path: str) -> None:
    from grognard.fights.record import record  # noqa: PLC0415  # only fights need the rules

    atomic_file.write(Path(path), json_text(record(play)).encode())


def _print_play(play: "Play", lang: Lang, as_json: bool, *, told: bool) -> None:
    from grognard.draw.json import fight as fight_json  # noqa: PLC0415  # only fights need the rules
    from grognard.draw.text import fight as fight_text  # noqa: PLC0415  # only fights need the rules

    if as_json:
        print_json(fight_json.play_answer(play, lang))
        return
    if told:
        _print(fight_text.log(play, lang))
    if play.asking is None:
        click.echo(fight_text.outcome_words(play.outcome, play.start.case.card, lang))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)

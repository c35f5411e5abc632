"""The command `grognard report`."""

import re
from collections.abc import Mapping
from pathlib import Path

import click
from msgspec.structs import replace

from grognard.cli.options import (
    allow_budget,
    answer_options,
    budget_option,
    doctrine_options,
    output_option,
    rules_option,
)
from grognard.cli.output import json_text, write_text
from grognard.draw.json.report import report_json
from grognard.fights.fight_file import fight_parts
from grognard.files import atomic_file
from grognard.files.source import read_source
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.changed_card import own_game
from grognard.study.report import Baseline, ReportRequest, report
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang

OPTION = re.compile(r"([a-z0-9_]+)=([a-z0-9_]+)")


@click.command("report")
@click.argument("game_id", metavar="GAME")
@output_option("Write to this file (default: standard output).")
@click.option("--fight", "fight_path", metavar="FIGHT", help="Analyse the fight in this file.")
@rules_option
@click.option("--card", "card_path", metavar="FILE", help="Read the game's card from this file.")
@click.option(
    "--against",
    metavar="ID=CHOICE|FILE",
    multiple=True,
    help="Compare with this option or card (default with --card: the game's own card).",
)
@doctrine_options
@budget_option(1_000_000)
@answer_options
def command(  # noqa: PLR0913, PLR0917  # each option of the command is one
    game_id: str,
    target: Path | None,
    fight_path: str | None,
    options: dict[str, str],
    card_path: str | None,
    against: tuple[str, ...],
    attacker: str,
    defender: str,
    budget: int,
    lang: Lang,
    as_json: bool,
) -> None:
    """Report on the tables of a game, for designers.

    The report is one HTML page without scripts or other files: heat maps of a fight at every place
    of its table, the worth of a column, of a point on the die and of each modifier, uneven places,
    the spread of luck, and the doubtful readings behind the numbers. FIGHT is a TOML or JSON file,
    or - for standard input (default: the game's own example).
    """
    if target:
        atomic_file.check(target)
    allow_budget(budget)
    request = _request(game_id, fight_path, card_path, options, against)
    found = report(replace(request, attacker=attacker, defender=defender))
    if as_json:
        text = json_text(report_json(found, lang))
    else:
        from grognard.web.report.report_page import draw  # noqa: PLC0415  # JSON needs no page

        text = draw(found, lang)
    write_text(target, text)


def _request(
    game_id: str,
    fight_path: str | None,
    card_path: str | None,
    options: Mapping[str, str],
    against: tuple[str, ...],
) -> ReportRequest:
    shipped = game.load(game_id)
    rules = shipped if card_path is None else own_game(game_id, read_source(card_path))
    request = ReportRequest(game=rules, options=options)
    if fight_path is not None:
        request = _with_fight(request, fight_path)
    base = None if card_path is None else Baseline(shipped, request.options)
    return replace(request, against=_against(request, against) if against else base)


def _against(request: ReportRequest, words: tuple[str, ...]) -> Baseline:
    """Make the baseline; whatever is not named is as in the report itself."""
    cards = [word for word in words if not OPTION.fullmatch(word)]
    if len(cards) > 1:
        raise Refusal(say("--against takes one card, found {n}", n=len(cards)))
    rules = own_game(request.game.id, read_source(cards[0])) if cards else request.game
    options = dict(word.split("=", 1) for word in words if word not in cards)
    rules.card.chosen(options)
    return Baseline(rules, {**request.options, **options})


def _with_fight(request: ReportRequest, path: str) -> ReportRequest:
    """Take the fight from a file; options of the command override those of the file."""
    source = read_source(path)
    data = source.data()
    with source.placing():
        parts = fight_parts(data)
        id_ = request.game.id
        if parts.game != id_:
            problem = say("this is a fight of {other}, not of {game}", other=parts.game, game=id_)
            raise Refusal(problem, place="game")
        procedure = request.game.procedure(parts.procedure).id
        rolled = [sheet.procedure for sheet in player_sheet.rolled(id_)]
        if procedure not in rolled:
            problem = say(
                "no dice are rolled for '{id}'; {near}", id=procedure, near=near("", rolled)
            )
            raise Refusal(problem, place="procedure")
        options = {**parts.chosen(), **request.options}
        request.game.fight(parts.setup, procedure=procedure, options=options)
    return replace(request, options=options, own={procedure: parts.setup})

"""What is known of a fight, as the JSON that every face speaks. Its keys stay."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.fights.chances import Mixed, Odds
from grognard.fights.explain import Explanation
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.record import plain
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight, Unit, units_of
from grognard.rules.line import Line
from grognard.rules.wording import named, question
from grognard.words.text import Lang

Json = dict[str, object]


def number(value: int | Fraction | str | None) -> int | str | None:
    """Write whole numbers as such and fractions as `9/2`."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value


def heading(fight: Fight) -> Json:
    """Name the game and the procedure of a fight."""
    return {"game": fight.case.card.id, "procedure": fight.case.procedure.id}


def line_json(line: Line, lang: Lang) -> Json:
    """Give a line with what it counts and whom it concerns."""
    data: Json = {
        "kind": line.kind,
        "id": line.id,
        "text": line.in_(lang),
        "rule": line.rule,
        "value": number(line.value),
    }
    if line.side:
        data["side"] = line.side
    for key in ("unit", "changes", "of"):
        if told := getattr(line, key):
            data[key] = told
    return data


def modifier_json(line: Line, lang: Lang) -> Json:
    """Give a modifier that counts; its kind is what it changes."""
    return {**line_json(line, lang), "kind": line.changes}


def doubts_json(lines: Iterable[Line], lang: Lang) -> list[Json]:
    """Give each doubtful reading once, with its reason and the option that changes it."""
    doubts: dict[tuple[str, str], Json] = {}
    for line in lines:
        reading = line.reading
        if reading.reason is not None:
            reason = reading.reason.in_(lang)
            doubts[line.in_(lang), reason] = {
                "text": line.in_(lang),
                "status": reading.status,
                "confidence": reading.confidence,
                "reason": reason,
                "option": reading.option,
            }
    return list(doubts.values())


def explanation_json(explanation: Explanation, lang: Lang) -> Json:
    """Give totals, columns, modifiers and every line behind them."""
    return {
        "totals": {key: number(value) for key, value in explanation.totals().items()},
        "column": {key: number(value) for key, value in explanation.column().items()},
        "die_modifier": explanation.die_modifier,
        "modifiers": [modifier_json(line, lang) for line in explanation.modifiers],
        "lines": [line_json(line, lang) for line in explanation.lines],
        "doubts": doubts_json(explanation.lines, lang),
    }


def summary_json(odds: Odds) -> Json:
    """Give the chances and expectations of each side."""
    return {
        **{
            side: {
                "expected_steps_lost": str(odds.expected(f"{side}_steps_lost")),
                "no_loss": str(odds.spread(f"{side}_steps_lost").get(0, Fraction(0))),
                "eliminated": str(odds.chance(f"{side}_eliminated")),
            }
            for side in SIDES
        },
        "vacated": str(odds.chance("vacated")),
        "taken": str(odds.chance("taken")),
    }


def odds_json(odds: Odds, lang: Lang) -> Json:
    """Give the exact distribution; chances are fractions."""
    results = odds.by_result()
    return {
        "exact": True,
        "doctrines": {"attacker": odds.doctrines[0].id, "defender": odds.doctrines[1].id},
        "outcomes": [
            {"p": str(p), **msgspec.structs.asdict(outcome)} for outcome, p in odds.outcomes()
        ],
        "results": [
            {"result": result, "p": str(Fraction(part.total, odds.total)), **summary_json(part)}
            for result, part in results.items()
        ],
        "summary": summary_json(odds),
        "commitments": [mixed_json(mixed) for mixed in odds.commitments],
        "doubts": doubts_json(odds.doubts, lang),
    }


def mixed_json(mixed: Mixed) -> Json:
    """Give how each side commits, and what the simultaneous game is worth to the attacker."""
    return {
        "what": mixed.ask.what,
        "attacker": _strategy(mixed.ask.attacker, mixed.attacker),
        "defender": _strategy(mixed.ask.defender, mixed.defender),
        "value": str(mixed.solution.value) if mixed.solution else None,
    }


def _strategy(options: tuple[Answer, ...], chances: tuple[Fraction, ...]) -> list[Json]:
    pairs = zip(options, chances, strict=True)
    return [{"option": plain(option), "p": str(p)} for option, p in pairs if p]


def play_json(play: Play, lang: Lang) -> Json:
    """Give what was rolled, what happened and how the units stand."""
    return {
        "rolls": rolls_json(play, lang),
        "result": play.fight.result,
        "events": [{**line_json(told.line, lang), "step": told.step} for told in play.events],
        "units": [*_units(play, "attacker"), *_units(play, "defender")],
        "outcome": None if play.asking else msgspec.structs.asdict(play.outcome),
        "asking": ask_json(play, lang),
    }


def rolls_json(play: Play, lang: Lang) -> list[Json]:
    """Give every roll: the dice, their sum, and what the modifiers made of it."""
    rolls: list[Json] = []
    for entry in play.log:
        if isinstance(entry, Given) and isinstance(entry.ask, Roll):
            faces = entry.answer if isinstance(entry.answer, tuple) else ()
            shown = sum(die for die in faces if isinstance(die, int))
            words = question(play.start.case.card, entry.ask, lang)
            rolls.append({"for": words, "dice": list(faces), "shown": shown, "modified": shown})
        elif isinstance(entry, Told) and entry.line.id == "modified-roll" and rolls:
            rolls[-1]["modified"] = entry.line.value
    return rolls


def _units(play: Play, side: Side) -> list[Json]:
    before: dict[str, Unit] = {unit.name: unit for unit in units_of(play.start, side)}
    return [
        {"name": unit.name, "side": side, "steps": unit.steps, "before": before[unit.name].steps}
        for unit in play.units(side)
    ]


def ask_json(play: Play, lang: Lang) -> Json | None:
    """Give the open question of a fight and its legal answers."""
    return asked_json(play.start.case.card, play.asking, lang) if play.asking else None


def asked_json(card: Card, ask: Ask, lang: Lang) -> Json:
    """Give a question and its legal answers."""
    data: Json = {"what": ask.what, "text": question(card, ask, lang), "rule": ask.rule}
    match ask:
        case Roll():
            return {**data, "ask": "roll", "dice": ask.dice}
        case Choose():
            options = options_json(card, ask, ask.options, lang)
            return {**data, "ask": "choose", "side": ask.side, "options": options}
        case Commit():
            menus = {"attacker": ask.attacker, "defender": ask.defender}
            return {
                **data,
                "ask": "commit",
                "options": {side: [plain(o) for o in menu] for side, menu in menus.items()},
            }


def options_json(
    card: Card, ask: Choose | Commit, options: Iterable[Answer], lang: Lang
) -> list[Json]:
    """Give options with their words."""
    return [{"answer": plain(option), "text": named(card, ask, option, lang)} for option in options]

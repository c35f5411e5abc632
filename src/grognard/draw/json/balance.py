"""The balance of a scenario under each reading, as JSON."""

from grognard.players.option_balance import Balance, ReadingBalance
from grognard.words.text import Lang


def balance_json(of: Balance, lang: Lang) -> dict[str, object]:
    """Describe the wins under the options as they are, and under each reading."""
    scenario = of.field.scenario
    return {
        "scenario": {"id": scenario.id, "name": scenario.name.in_(lang), "game": scenario.game},
        "options": of.field.options,
        "sides": [{"id": side.id, "name": side.name.in_(lang)} for side in scenario.sides],
        "summary": of.usual,
        "readings": [_reading(one, lang) for one in of.readings],
        "unplayable": [
            {"option": one.option.id, "choice": one.choice.id, "problem": one.problem.in_(lang)}
            for one in of.unplayable
        ],
    }


def _reading(one: ReadingBalance, lang: Lang) -> dict[str, object]:
    return {
        "option": one.option.id,
        "text": one.option.text.in_(lang),
        "choice": one.choice.id,
        "choice_text": one.choice.text.in_(lang),
        "doubtful": one.option.reading.doubtful,
        "otherwise": one.otherwise,
        "won": one.won,
        "draws": one.draws,
        "changes": one.changes,
        "favours": one.favours,
    }

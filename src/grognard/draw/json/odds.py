"""Odds as JSON: every outcome with its chance, and where the table may be read."""

from fractions import Fraction

from grognard.card.rows import Side
from grognard.draw.json.lines import DoubtJson, OfFightJson, doubts_json, heading
from grognard.draw.json.structs import AnswerJson, Exact, Joined, JsonStruct, joined
from grognard.fights.chances import Mixed, Odds
from grognard.fights.table_place import TablePlaces, odds_as_it_stands, table_places
from grognard.rules.ask import Answer
from grognard.rules.fight import Fight, Outcome
from grognard.words.text import Lang


class StepsChanceJson(JsonStruct):
    """The chances of a number of steps lost, and of at least so many."""

    steps: int
    p: Exact
    at_least: Exact


class SideOddsJson(JsonStruct):
    """The expected and possible losses of a side."""

    expected_steps_lost: Exact
    no_loss: Exact
    eliminated: Exact
    steps_lost: list[StepsChanceJson]


class FightSummaryJson(JsonStruct):
    """The chances that matter."""

    attacker: SideOddsJson
    defender: SideOddsJson
    vacated: Exact
    taken: Exact


class ResultChanceJson(JsonStruct):
    """A result of the table and its chance."""

    result: str
    p: Exact


class ResultOddsJson(ResultChanceJson, FightSummaryJson, metaclass=Joined):
    """A result of the table, its chance, and what follows from it."""


class ChanceJson(JsonStruct):
    """A chance."""

    p: Exact


class OutcomeJson(JsonStruct, Outcome, metaclass=Joined):
    """What has happened in a fight."""


class LikelyOutcomeJson(ChanceJson, Outcome, metaclass=Joined):
    """A possible outcome and its chance."""


class DoctrinesJson(JsonStruct):
    """The doctrines by which the sides decide."""

    attacker: str
    defender: str


class SecretOptionJson(JsonStruct):
    """What a side may commit in secret, and how often it should."""

    option: AnswerJson
    p: Exact


class CommitmentJson(JsonStruct):
    """How often each side commits what in secret."""

    what: str
    attacker: list[SecretOptionJson]
    defender: list[SecretOptionJson]
    value: Exact | None  # what the secret game is worth to the attacker


class TargetColumnJson(JsonStruct):
    """The column on which a target is fired at."""

    target: str
    column: str


class TablePlaceJson(JsonStruct):
    """A place where the table may be read, and its chance."""

    p: Exact
    column: str | None  # of the first target; None: the dice choose the column
    die_modifier: int | None  # None: no modifier of the die is told
    targets: list[TargetColumnJson]  # where targets have columns of their own


class OddsJson(JsonStruct):
    """The exact odds of a fight."""

    exact: bool
    doctrines: DoctrinesJson
    outcomes: list[LikelyOutcomeJson]
    results: list[ResultOddsJson]
    summary: FightSummaryJson
    commitments: list[CommitmentJson]
    doubts: list[DoubtJson]
    columns: list[TablePlaceJson]  # where the table may be read, as the doctrines have it
    as_it_stands: FightSummaryJson | None  # if nothing more moves the column


class OddsAnswer(OfFightJson, OddsJson, metaclass=Joined):
    """A fight and its exact odds."""


def columns_json(places: TablePlaces | None) -> list[TablePlaceJson]:
    """Give the places where the table may be read, the likeliest first."""
    return [
        TablePlaceJson(
            p=str(p),
            column=place.column,
            die_modifier=place.die,
            targets=[TargetColumnJson(target=t, column=c) for t, c in place.columns if t],
        )
        for place, p in (places.chances if places else ())
    ]


def odds_json(fight: Fight, odds: Odds, lang: Lang) -> OddsJson:
    """Give the exact distribution; chances are fractions."""
    attacker, defender = odds.doctrines
    play, ways = fight.play(), (attacker.id, defender.id)
    places = table_places(play, *ways)
    standing = odds_as_it_stands(play, places.lit, *ways) if places else odds
    return OddsJson(
        exact=True,
        doctrines=DoctrinesJson(attacker=attacker.id, defender=defender.id),
        outcomes=[joined(LikelyOutcomeJson, o, p=str(p)) for o, p in odds.outcomes()],
        results=[
            joined(
                ResultOddsJson,
                summary_json(part),
                result=result,
                p=str(Fraction(part.total, odds.total)),
            )
            for result, part in odds.by_result().items()
        ],
        summary=summary_json(odds),
        commitments=[_commitment(mixed) for mixed in odds.commitments],
        doubts=doubts_json(odds.doubts, lang),
        columns=columns_json(places),
        as_it_stands=summary_json(standing) if standing else None,
    )


def odds_answer(fight: Fight, odds: Odds, lang: Lang) -> OddsAnswer:
    """Give a fight and its odds."""
    return joined(OddsAnswer, heading(fight), odds_json(fight, odds, lang))


def summary_json(odds: Odds) -> FightSummaryJson:
    """Give the chances that matter."""
    return FightSummaryJson(
        attacker=_side_odds(odds, "attacker"),
        defender=_side_odds(odds, "defender"),
        vacated=str(odds.chance("vacated")),
        taken=str(odds.chance("taken")),
    )


def _side_odds(odds: Odds, side: Side) -> SideOddsJson:
    spread = odds.spread(f"{side}_steps_lost")
    return SideOddsJson(
        expected_steps_lost=str(odds.expected(f"{side}_steps_lost")),
        no_loss=str(spread.get(0, Fraction(0))),
        eliminated=str(odds.chance(f"{side}_eliminated")),
        steps_lost=[
            StepsChanceJson(
                steps=n, p=str(p), at_least=str(sum(q for m, q in spread.items() if m >= n))
            )
            for n, p in spread.items()
        ],
    )


def _commitment(mixed: Mixed) -> CommitmentJson:
    return CommitmentJson(
        what=mixed.ask.what,
        attacker=_strategy(mixed.ask.attacker, mixed.attacker),
        defender=_strategy(mixed.ask.defender, mixed.defender),
        value=str(mixed.solution.value) if mixed.solution else None,
    )


def _strategy(options: tuple[Answer, ...], chances: tuple[Fraction, ...]) -> list[SecretOptionJson]:
    pairs = zip(options, chances, strict=True)
    return [SecretOptionJson(option=option, p=str(p)) for option, p in pairs if p]

"""Odds found by the kind of a fight are those worked out for the fight itself."""

from collections.abc import Callable, Mapping
from contextvars import copy_context
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, get_type_hints

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from msgspec import Struct, defstruct
from msgspec.structs import replace

from grognard import Refusal, load
from grognard.fights import fight_analysis, odds
from grognard.fights.chances import Found, Mixed, Odds
from grognard.fights.doctrine import BEST, DOCTRINES, doctrine
from grognard.fights.fight_analysis import Analysis
from grognard.fights.kind import Kind, kind_of
from grognard.fights.memory import shared_memory
from grognard.fights.odds import forget
from grognard.fights.opening import opening
from grognard.fights.table_cells import Lit, cells, walked
from grognard.fights.table_shift import shifted
from grognard.fights.tree import Node, grow
from grognard.fights.work_budget import allow
from grognard.rules.ask import Asking, Later, commit, roll
from grognard.rules.fight import Case, Fight, Outcome, Setup, Unit
from grognard.rules.line import Line, doubtful
from grognard.rules.procedure import Game, Procedure, Trim
from grognard.study import player_sheet
from tests.random_setups import SETUPS, each_procedure, fewer

PAIRS = list(product(DOCTRINES, DOCTRINES))
# Not in the order of the alphabet, one within another, and one like a word that outcomes use.
NAMES = ["z 9", "a", "a eliminated", "É", "clear", "b", "attacker", "0", "a, b", "2r", "-", "y"]


class Drawn(NamedTuple):
    """What is stated of a random fight, and how the sides decide."""

    setup: Setup
    options: dict[str, str]
    pair: tuple[str, str]

    def fight(self, game: Game, procedure: str) -> Fight | None:
        """Set the fight up; None where the rules refuse it."""
        try:
            return game.fight(self.setup, procedure=procedure, options=self.options)
        except Refusal:
            return None


@st.composite
def drawn(draw: st.DrawFn, game: str, procedure: str) -> Drawn:
    """Draw a fight under any options, its units named in any way."""
    setup = draw(SETUPS[game, procedure])
    every = load(game).card.options
    options = {o.id: draw(st.sampled_from([c.id for c in o.choices])) for o in every}
    names = iter(draw(st.permutations(NAMES)))
    named = {
        side: tuple(replace(unit, name=next(names)) for unit in getattr(setup, side))
        for side in ("attackers", "defenders")
    }
    return Drawn(replace(setup, **named), options, draw(st.sampled_from(PAIRS)))


class Answered(NamedTuple):
    """All that can be read out of odds."""

    weights: list[tuple[Outcome, int]]
    total: int
    numbers: dict[str, object]
    results: dict[str, list[tuple[Outcome, int]]]
    commitments: tuple[Mixed, ...]
    doubts: tuple[object, ...]


def read(found: Odds) -> Answered:
    return Answered(
        [*found.weights.items()],
        found.total,
        {
            "taken": found.chance("taken"),
            "lost": found.expected("defender_steps_lost"),
            "spread": found.spread("attacker_steps_lost"),
        },
        {result: [*part.weights.items()] for result, part in found.by_result().items()},
        found.commitments,
        found.doubts,
    )


def answer(ask: Callable[[], Odds]) -> Answered | str:
    """Give what is answered, or why the question is refused."""
    try:
        return read(ask())
    except Refusal as refusal:
        return str(refusal)


def both_ways(fight: Fight, pair: tuple[str, str]) -> tuple[Answered | str, Answered | str]:
    ours, theirs = map(doctrine, pair)
    direct = Analysis(fight, ours, theirs, by_kind=False)
    return answer(direct.odds), answer(lambda: fight.odds(*pair))


@each_procedure
def test_odds_by_kind_are_those_of_the_fight(game: str, procedure: str) -> None:
    @fewer(100, game)
    @given(drawn(game, procedure))
    def check(stated: Drawn) -> None:
        fight = stated.fight(load(game), procedure)
        if fight is not None:
            direct, by_kind = both_ways(fight, stated.pair)
            assert by_kind == direct

    check()


@each_procedure
def test_lines_that_odds_do_not_make_are_not_doubtful(
    game: str, procedure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checked(said: Later) -> tuple[Line, ...]:
        lines = tuple(said.make())
        assert not (said.certain and doubtful(lines))
        return lines

    monkeypatch.setattr(Later, "doubtful", checked)

    @fewer(50, game)
    @given(drawn(game, procedure))
    def check(stated: Drawn) -> None:
        fight = stated.fight(load(game), procedure)
        if fight is not None:
            answer(Analysis(fight, BEST, BEST, by_kind=False).odds)

    check()


# ------------------------------------------------------------------ what fights of a case share

SHIFTS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def all_shifts(fight: Fight, pair: tuple[str, str]) -> list[Answered | str | None]:
    """Give the odds on the neighbouring places of the table; None where there is none."""

    def there(columns: int, die: int) -> Answered | str | None:
        found = shifted(fight, columns, die, *pair)
        return None if found is None else read(found.odds)

    found: list[Answered | str | None] = []
    for columns, die in SHIFTS:
        try:
            found.append(there(columns, die))
        except Refusal as refusal:
            found.append(str(refusal))
    return found


@each_procedure
def test_odds_are_the_same_whatever_was_asked_on_other_columns_before(
    game: str, procedure: str
) -> None:
    @fewer(50, game)
    @given(drawn(game, procedure))
    def check(stated: Drawn) -> None:
        fight = stated.fight(load(game), procedure)
        if fight is None:
            return
        forget()
        first = answer(lambda: fight.odds(*stated.pair))
        neighbours = all_shifts(fight, stated.pair)
        forget()
        assert all_shifts(fight, stated.pair) == neighbours
        assert answer(lambda: fight.odds(*stated.pair)) == first

    check()


def test_what_follows_from_the_table_is_looked_at_once_for_all_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grown: list[object] = []

    def counted(*given: Any, **more: Any) -> Node:  # noqa: ANN401  # whatever it is given
        grown.append(given)
        return grow(*given, **more)

    monkeypatch.setattr(fight_analysis, "grow", counted)
    fight = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 12}, {"name": "B", "attack": 2}],
        defenders=[{"name": "D", "defence": 4}],
    )
    forget()
    fight.odds()
    alone = len(grown)
    assert all(shifted(fight, columns, 0) for columns in (1, -1))
    assert alone < len(grown) < 2 * alone


def test_a_fight_in_which_much_can_happen_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 12}], defenders=[{"name": "D", "defence": 4}]
    )
    forget()
    monkeypatch.setattr(fight_analysis, "LARGEST", 3)
    fight.odds()
    kind = opening(fight).kind
    assert kind is not None
    memory = shared_memory(kind.fight.case.bare, doctrine("best"), doctrine("best"))
    assert not len(memory)


def test_what_is_too_much_is_refused_again_when_it_is_asked_again() -> None:
    fight = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 12}], defenders=[{"name": "D", "defence": 4}]
    )

    def asked_with(most: int) -> Answered | str:
        def ask() -> Answered | str:
            allow(most)
            return answer(fight.odds)

        return copy_context().run(ask)

    forget()
    least = next(most for most in range(1000) if not isinstance(asked_with(most), str))
    forget()
    assert isinstance(asked_with(least - 1), str)
    assert isinstance(asked_with(least - 1), str)
    assert not isinstance(asked_with(least), str)


# ------------------------------------------------------------------ cells that can be hit


@each_procedure
def test_cells_by_kind_are_those_of_the_fight(game: str, procedure: str) -> None:
    table = player_sheet.load(game).sheet(procedure).table

    def either(ask: Callable[[], Mapping[Lit, Fraction]]) -> dict[Lit, Fraction] | str:
        try:
            return dict(ask())
        except Refusal as refusal:
            return str(refusal)

    @fewer(100, game)
    @given(drawn(game, procedure))
    def check(stated: Drawn) -> None:
        fight = stated.fight(load(game), procedure)
        if fight is not None:
            found = either(lambda: cells(fight, table))
            assert found == either(lambda: walked(fight, 0, table))

    check()


# ------------------------------------------------------------------ what trimming keeps

# Every field that a trimmed fight keeps of units and set-up, and a value that hides it.
KEPT: list[tuple[str, str, str, object]] = [
    ("bautzen", "attack", "defenders.kind", "fighting"),
    ("bautzen", "attack", "attackers.kind", "fighting"),
    ("bautzen", "attack", "defenders.at_distance", False),
    ("bautzen", "attack", "attackers.at_distance", False),
    ("bautzen", "attack", "attackers.points", 99),
    ("bautzen", "attack", "room", 0),
    ("bautzen", "attack", "can_retreat", True),
    ("bautzen", "attack", "retreat_room", None),
    ("bautzen", "attack", "retreat_unsupplied", False),
    ("bautzen", "attack", "defenders.retreated", False),
    ("normandy", "attack", "attackers.main_force", False),
    ("normandy", "attack", "attackers.advance", "open"),
    ("normandy", "attack", "defenders.quality", 0),
    ("normandy", "attack", "defenders.armour", 0),
    ("normandy", "attack", "defenders.lead_uses_armour", False),
    ("normandy", "attack", "terrain", ("clear",)),
    ("normandy", "attack", "fortification", "none"),
    ("normandy", "attack", "attacker_camp", "allied"),
    ("normandy", "attack", "weather", "other"),
    ("normandy", "attack", "flak_present", False),
    ("normandy", "attack", "defensive_support", 0),
    ("normandy", "attack", "can_retreat", True),
    ("normandy", "attack", "retreat_path", ()),
    ("panzer-grenadier", "direct-fire", "defenders.kind", "infantry"),
    ("panzer-grenadier", "direct-fire", "defenders.morale", 7),
    ("panzer-grenadier", "direct-fire", "defenders.state", "good-order"),
    ("panzer-grenadier", "direct-fire", "defenders.armoured", False),
    ("panzer-grenadier", "direct-fire", "defenders.beside", False),
    ("panzer-grenadier", "anti-tank", "defenders.kind", "infantry"),
    ("panzer-grenadier", "anti-tank", "defenders.morale", 7),
    ("panzer-grenadier", "anti-tank", "defenders.state", "good-order"),
    ("white-october", "attack", "defenders.routed", False),
    ("white-october", "attack", "defenders.disorganised", False),
    ("white-october", "attack", "attacker_can_retreat", True),
    ("white-october", "attack", "defender_can_retreat", True),
]
# What every unit has can be hidden, but not dropped.
HIDDEN: list[tuple[str, str, str, object]] = [
    *KEPT,
    ("bautzen", "attack", "defenders.steps", 2),
    ("normandy", "attack", "attackers.steps", 3),
    ("panzer-grenadier", "direct-fire", "defenders.steps", 2),
    ("white-october", "attack", "attackers.steps", 3),
]
quick = settings(max_examples=3000, derandomize=True, database=None, phases=[Phase.generate])


def with_trim(game: Game, procedure: str, then: Callable[[Fight], Fight]) -> Game:
    """Give a game that does something more to every trimmed fight."""
    rules = game.procedure(procedure)
    trim = rules.trim
    assert trim is not None
    more = Trim(lambda fight: then(trim.of(fight)), trim.moved)
    steps = tuple(more if step is trim else step for step in rules.steps)
    return Game(game.card, (replace(rules, steps=steps),))


def changed(fight: Fight, what: str, change: Callable[[Any, str], Any]) -> Fight:
    """Change a field of the set-up, or of every unit of a side, in a trimmed fight."""
    setup, (side, _, field) = fight.case.setup, what.partition(".")
    if not field:
        return replace(fight, case=fight.case.restated(change(setup, what)))
    units = tuple(change(unit, field) for unit in getattr(setup, side))
    stated = replace(setup, **{side: units})
    return replace(fight, case=fight.case.restated(stated), **{side: units})


def without(value: Struct, field: str) -> Struct:
    """Give a value as a type that does not have the field."""
    base = Unit if isinstance(value, Unit) else Setup
    types, own = get_type_hints(type(value)), base.__struct_fields__
    left = [name for name in value.__struct_fields__ if name != field]
    fields = [(name, types[name]) for name in left if name not in own]
    lacking = defstruct("Lacking", fields, bases=(base,), frozen=True, kw_only=True)
    return lacking(**{name: getattr(value, name) for name in left})


# How far an advance goes is worth nothing to any doctrine.
ONLY_READ = ("white-october", "attack", "second_hex_allowed", False)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "procedure", "what", "_"), [*KEPT, ONLY_READ])
def test_a_rule_that_reads_a_dropped_field_fails(
    game: str, procedure: str, what: str, _: object
) -> None:
    """A fight that is trimmed too much has no odds and can't be played, instead of wrong ones."""
    lacking = with_trim(load(game), procedure, lambda fight: changed(fight, what, without))
    field = what.rpartition(".")[2]

    def fails(stated: Drawn) -> bool:
        fight = stated.fight(lacking, procedure)
        if fight is None:
            return False
        ours, theirs = map(doctrine, stated.pair)
        return all(
            lacks(ask)
            for ask in (
                Analysis(fight, ours, theirs, by_kind=False).odds,
                lambda: fight.odds(*stated.pair),
            )
        )

    def lacks(ask: Callable[[], Odds]) -> bool:
        try:
            answer(ask)
        except (AttributeError, TypeError) as error:
            return f"'{field}'" in str(error)
        return False

    # Odds of a kind may do without a field where what is left of the fight makes it irrelevant.
    find(drawn(game, procedure), fails, settings=quick)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "procedure", "what", "instead"), HIDDEN)
def test_every_field_that_is_kept_counts(
    game: str, procedure: str, what: str, instead: object
) -> None:
    def hide(value: Struct, field: str) -> Struct:
        return replace(value, **{field: instead})

    hiding = with_trim(load(game), procedure, lambda fight: changed(fight, what, hide))

    def differs(stated: Drawn) -> bool:
        true, false = stated.fight(load(game), procedure), stated.fight(hiding, procedure)
        if true is None or false is None:
            return False
        return answer(lambda: true.odds(*stated.pair)) != answer(lambda: false.odds(*stated.pair))

    find(drawn(game, procedure), differs, settings=quick)


# ------------------------------------------------------------------ fights of one kind

Stated = dict[str, object]


def bautzen(names: str, **stated: object) -> Stated:
    """State an attack at 2/1, with at most one shift."""
    return {
        "attackers": [{"name": names[0], "attack": 8}, {"name": names[1], "attack": 4}],
        "defenders": [{"name": names[2], "defence": 6}],
        **stated,
    }


def white_october(names: str, strength: int, **stated: object) -> Stated:
    common = {"pe": 3, "quality": 3, "morale": 3}
    return {
        "attackers": [{"name": names[0], "strength": strength, **common}],
        "defenders": [{"name": n, "strength": strength // 2, **common} for n in names[1:]],
        **stated,
    }


def normandy(names: str, factors: tuple[int, int], **stated: object) -> Stated:
    """State an attack with two units in the main force."""
    ours, theirs = factors
    return {
        "attackers": [
            {"name": name, "factor": ours, "steps": 2, "main_force": True} for name in names[:2]
        ],
        "defenders": [{"name": names[2], "factor": theirs, "steps": 2, "quality": 1}],
        "terrain": ["bocage"],
        **stated,
    }


def direct_fire(firer: str, fire: int, targets: str, **stated: object) -> Stated:
    return {
        "attackers": [{"name": firer, "fire": fire}],
        "defenders": [{"name": name, "morale": 7} for name in targets],
        **stated,
    }


def anti_tank(names: str, value: int, armour: int) -> Stated:
    return {
        "attackers": [{"name": names[0], "anti_tank": value}],
        "defenders": [{"name": names[1], "kind": "afv-closed", "morale": 8, "armour": armour}],
        "range": 3,
    }


ALIKE: list[tuple[str, str, Stated, Stated]] = [
    # A village for a formation that is complete.
    (
        "bautzen",
        "attack",
        bautzen("abd"),
        bautzen("yxa", terrain=["village"], formation_complete=True),
    ),
    ("white-october", "attack", white_october("ade", 8), white_october("zyx", 20)),
    ("normandy", "attack", normandy("abd", (9, 3)), normandy("zya", (10, 3))),
    # A column more by the HQ, a column less by quality.
    (
        "normandy",
        "attack",
        normandy("abd", (9, 3)),
        normandy("dab", (9, 3), hq_support=1, quality_advantage=-1),
    ),
    # From 11 to less than 16 there is one column.
    (
        "panzer-grenadier",
        "direct-fire",
        direct_fire("f", 11, "abc", range=2),
        direct_fire("a", 12, "zxy", range=2),
    ),
    ("panzer-grenadier", "anti-tank", anti_tank("at", 5, 3), anti_tank("xy", 8, 6)),
]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Fight]:
    """Forget everything, and note the fight of every analysis."""
    forget()
    seen: list[Fight] = []

    class Noted(Analysis):
        def found(self) -> Found:
            seen.append(self.start)
            return super().found()

    for module in (fight_analysis, odds):
        monkeypatch.setattr(module, "Analysis", Noted)
    return seen


def kind(fight: Fight) -> Kind:
    known = opening(fight).kind
    assert known is not None
    return known


@pytest.mark.parametrize(("game", "procedure", "first", "second"), ALIKE)
def test_fights_of_one_kind_are_worked_out_once(
    game: str, procedure: str, first: Stated, second: Stated, runs: list[Fight]
) -> None:
    fights = [load(game).fight(stated, procedure=procedure) for stated in (first, second)]
    assert kind(fights[0]).fight == kind(fights[1]).fight
    assert kind(fights[0]).fight.case is kind(fights[1]).fight.case
    for fight in fights:
        direct, by_kind = both_ways(fight, ("best", "best"))
        assert by_kind == direct
    assert len(runs) == 1
    fights[1].odds("take", "hold")
    assert len(runs) == 2


def test_another_option_is_another_kind(runs: list[Fight]) -> None:
    stated = bautzen("abd")
    load("bautzen").fight(stated).odds()
    load("bautzen").fight(stated, options={"support_losses": "supports_too"}).odds()
    assert len(runs) == 2


def test_a_secret_commitment_leads_to_known_kinds(runs: list[Fight]) -> None:
    """Each pair of commitments is a kind of its own; a like fight is answered at once."""
    at_hand = {"attacker_cl_at_hand": 1, "defender_cl_at_hand": 1}
    load("bautzen").fight(bautzen("abd", **at_hand)).odds()
    assert len(runs) == 1 + 4
    load("bautzen").fight(bautzen("xyz", **at_hand)).odds()
    assert len(runs) == 1 + 4


def test_attacks_with_the_same_ratio_are_worked_out_once(runs: list[Fight]) -> None:
    """8.2: the ratio is rounded down; 12 to 6 and 17 to 6 are two to one, whatever is committed."""
    first = bautzen("abd", attacker_cl_at_hand=1, defender_cl_at_hand=1)
    second = first | {"attackers": [{"name": "x", "attack": 9}, {"name": "y", "attack": 8}]}
    for stated in (first, second):
        direct, shared = both_ways(load("bautzen").fight(stated), ("best", "best"))
        assert shared == direct
    assert len(runs) == 1 + 4


def test_fires_at_units_of_the_same_use_are_worked_out_once(runs: list[Fight]) -> None:
    """7.61, 14.1: losses and checks tell leaders, transport and AFVs apart, and no other kinds."""
    first = direct_fire("f", 11, "abc", range=2)
    targets: Any = first["defenders"]
    second = first | {"defenders": [unit | {"kind": "engineers"} for unit in targets]}
    for stated in (first, second):
        fight = load("panzer-grenadier").fight(stated, procedure="direct-fire")
        direct, shared = both_ways(fight, ("best", "best"))
        assert shared == direct
    assert len(runs) == 1


def test_what_is_forgotten_is_worked_out_anew(runs: list[Fight]) -> None:
    fight = load("normandy").fight(normandy("abd", (9, 3)))
    before = kind(fight)
    first = fight.odds()
    assert fight.odds() is first
    forget()
    assert fight.odds() is not first
    assert len(runs) == 2
    assert kind(fight).fight.case is not before.fight.case


def test_a_changed_card_is_another_game() -> None:
    printed = load("bautzen")
    numbers = [
        replace(row, value=Fraction(1)) if row.id == "overstacked" else row
        for row in printed.card.numbers
    ]
    changed = Game(replace(printed.card, numbers=tuple(numbers)), printed.procedures)
    stated = bautzen("abd")
    stated["attackers"] = [{"name": "a", "attack": 12, "overstacked": True}]
    games = (printed, changed)
    assert [g.fight(stated).explain().column()["final"] for g in games] == ["1/1", "2/1"]
    found = [read(g.fight(stated).odds()).weights for g in games]
    assert found[0] != found[1]


def test_the_first_steps_are_run_once_for_explanation_and_odds() -> None:
    game = load("normandy")
    rules, ran = game.procedure(), []

    def counted(fight: Fight) -> Asking[Fight]:
        ran.append(fight)
        after: Fight = yield from rules.steps[0](fight)
        return after

    watched = Game(game.card, (replace(rules, steps=(counted, *rules.steps[1:])),))
    fight = watched.fight(normandy("abd", (9, 3)))
    plain = game.fight(normandy("abd", (9, 3)))
    assert fight.explain().lines == plain.explain().lines
    assert read(fight.odds()) == read(plain.odds())
    assert len(ran) == 1


# ------------------------------------------------------------------ names in every place


class Duel(Setup, frozen=True, kw_only=True):
    """Champions of two sides."""

    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]


class DuelFight(Fight, frozen=True, kw_only=True):
    """A duel; the champions are committed in secret."""

    case: Case[Duel]
    champions: tuple[str, str] = ("", "")


def champions(fight: DuelFight) -> Asking[DuelFight]:
    ours, theirs = (tuple((u.name, 1) for u in side) for side in (fight.attackers, fight.defenders))
    (mine, _), (his, _) = yield from commit("commit-cl", ours, theirs)
    return replace(fight, champions=(mine, his))


def blows(fight: DuelFight) -> Asking[DuelFight]:
    """The better champion is the one whose unit has more steps; a doubtful rule."""
    case, reading = fight.case, load("normandy").card.table("combat").reading
    named = {unit.name: unit for unit in (*fight.attackers, *fight.defenders)}
    ours, theirs = (named[name] for name in fight.champions)
    for unit in (ours, theirs):
        yield case.tell("note", "unit-factor", unit=unit.name, value=unit.name, reading=reading)
    die = yield from roll("combat-roll", 1)
    won = die + ours.steps > 3 + theirs.steps
    return replace(fight, result="won" if won else "lost")


def duel_outcome(fight: DuelFight) -> Outcome:
    ours, theirs = fight.champions
    won = fight.result == "won"
    return Outcome(
        result=fight.result, vacated=won, attacker_left=not won, details=(f"{ours} met {theirs}",)
    )


DUEL = Procedure(
    id="duel",
    setup=Duel,
    start=lambda case: DuelFight(
        case=case, attackers=case.setup.attackers, defenders=case.setup.defenders
    ),
    steps=(champions, blows),
    outcome=duel_outcome,
    check=lambda *_: None,
)


@pytest.mark.parametrize("pair", PAIRS)
def test_names_come_back_in_commitments_doubts_and_details(
    pair: tuple[str, str], runs: list[Fight]
) -> None:
    game = Game(load("normandy").card, (DUEL,))
    for names in (("Ajax", "Teukros", "Hektor"), ("b", "a", "a met b")):
        units = [Unit(name=name, steps=place + 1) for place, name in enumerate(names)]
        fight = game.fight(Duel(attackers=tuple(units[:2]), defenders=tuple(units[2:])))
        direct, by_kind = both_ways(fight, pair)
        assert by_kind == direct
        assert names[2] in str(fight.odds(*pair).commitments)
        assert {line.unit for line in fight.odds(*pair).doubts} <= set(names)
    assert len(runs) == 1


def test_a_kind_names_nobody() -> None:
    fight = load("normandy").fight(normandy("abd", (9, 3)))
    reduced = kind_of(opening(fight).fight)
    assert [*reduced.names.values()] == ["a", "b", "d"]
    units = (*reduced.fight.attackers, *reduced.fight.defenders)
    assert len({unit.name for unit in units} - set("abd")) == 3

"""Odds of what remains: from the printed tables by hand, and against plain enumeration of plays."""

from contextvars import copy_context
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard import Refusal, load
from grognard.card.rows import Side
from grognard.fights.doctrine import DOCTRINES, doctrine
from grognard.fights.hindsight import hindsight
from grognard.fights.odds import forget
from grognard.fights.play import Play
from grognard.fights.prospects import advice, prospects
from grognard.fights.table_place import TablePlace, odds_as_it_stands, table_places
from grognard.fights.unit_fates import unit_fates
from grognard.fights.work_budget import allow
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import Fight, Outcome
from tests.random_setups import SETUPS, each_procedure, fewer

Spread = dict[Outcome, Fraction]
BAUTZEN, NORMANDY, FIRE = load("bautzen"), load("normandy"), load("panzer-grenadier")
MOST_ENDS = 300
ONE = Fraction(1)


def bautzen(**more: object) -> Fight:
    """14 against 4: 3/1; every modifier is stated in `more`."""
    stated = {
        "attackers": [{"name": "21/20Pz", "attack": 14, "steps": 2}],
        "defenders": [{"name": "861/294", "defence": 4, "steps": 2}],
    }
    return BAUTZEN.fight(stated | more)


def normandy(**more: object) -> Fight:
    """6 against 2 in clear terrain: 3-1."""
    stated = {
        "terrain": ["clear"],
        "attacker_camp": "allied",
        "weather": "overcast",
        "attackers": [{"name": "A", "factor": 6, "steps": 2, "main_force": True}],
        "defenders": [{"name": "D", "factor": 2, "steps": 2}],
    }
    return NORMANDY.fight(stated | more)


# ------------------------------------------------------------------ plain enumeration


class TooMany(Exception):
    """The plays of a fight are too many to try them all."""


class Enumeration:
    """Every play of a fight, one after the other: no trees, no kinds, nothing merged."""

    def __init__(self, fight: Fight, attacker: str, defender: str) -> None:
        self.fight, self.ways = fight, (doctrine(attacker), doctrine(defender))
        self.ends = 0

    def after(self, answers: tuple[Answer, ...]) -> Spread:
        play = Play(self.fight, answers)
        match play.asking:
            case None:
                self.ends += 1
                if self.ends > MOST_ENDS:
                    raise TooMany
                return {play.outcome: Fraction(1)}
            case Roll() as ask:
                rolls = [*product(ask.dice.sides, repeat=ask.dice.count)]
                return mixed([(Fraction(1, len(rolls)), (*answers, roll)) for roll in rolls], self)
            case Choose() as ask:
                spreads = [self.after((*answers, option)) for option in ask.options]
                worths = [self.worth(spread, ask.side) for spread in spreads]
                return spreads[worths.index(max(worths))]
            case Commit() as ask:  # by these doctrines all or nothing
                place = [{"all": -1, "none": 0}[way.commits] for way in self.ways]
                both = ask.attacker[place[0]], ask.defender[place[1]]
                return self.after((*answers, both))

    def worth(self, spread: Spread, side: Side) -> Fraction:
        way = self.ways[0 if side == "attacker" else 1]
        return sum((p * way.value(o, side) for o, p in spread.items()), Fraction(0))


def mixed(parts: list[tuple[Fraction, tuple[Answer, ...]]], every: Enumeration) -> Spread:
    spread: Spread = {}
    for share, answers in parts:
        for outcome, p in every.after(answers).items():
            spread[outcome] = spread.get(outcome, Fraction(0)) + share * p
    return spread


FIXED = st.sampled_from([id_ for id_, way in DOCTRINES.items() if way.commits != "best"])


@each_procedure
def test_prospects_are_those_of_every_single_play(game: str, procedure: str) -> None:
    @fewer(8, game)
    @given(SETUPS[game, procedure], FIXED, FIXED, st.integers(0, 10**6))
    def check(setup: object, attacker: str, defender: str, seed: int) -> None:
        try:
            fight = load(game).fight(setup, procedure=procedure)  # type: ignore[arg-type]  # a set-up
            every = Enumeration(fight, attacker, defender)
            every.after(())
        except (Refusal, TooMany):
            return
        play = fight.resolve(seed=seed, attacker=attacker, defender=defender)
        answers = tuple(given.answer for given in play.given)
        for count in range(len(answers) + 1):
            every.ends = 0
            now = Play(fight, answers[:count])
            ahead = prospects(now, attacker, defender)
            assert dict(ahead.odds.outcomes()) == every.after(answers[:count])
            if isinstance(now.asking, Choose):
                for option in ahead.options[now.asking.side]:
                    behind = every.after((*answers[:count], option.answer))
                    assert dict(option.odds.outcomes()) == behind

    check()


# ------------------------------------------------------------------ by hand, from the print


def test_after_the_die_only_what_it_has_left_open_is_possible() -> None:
    play = bautzen().play()
    assert prospects(play).odds.chance("vacated") == fight_chance(play, "vacated")
    play.answer((3,))  # 1/1 on column 3/1
    ahead = prospects(play, "take", "hold")
    assert ahead.odds.spread("attacker_steps_lost") == {1: 1}
    hold, retreat = ahead.options["defender"]
    assert (hold.answer, retreat.answer) == (0, 1)
    assert hold.odds.spread("defender_steps_lost") == {1: 1}
    assert hold.odds.chance("vacated") == 0
    assert retreat.odds.spread("defender_steps_lost") == {0: 1}
    assert retreat.odds.chance("taken") == 1
    assert [hold.best, retreat.best] == [True, False]
    assert [hold.share, retreat.share] == [1, 0]


def fight_chance(play: Play, flag: str) -> Fraction:
    return play.start.odds().chance(flag)


def test_a_determined_defence_holds_as_often_as_its_table_says() -> None:
    """In the open a stand without modifiers holds on a 6; a 5 costs a step and does not hold."""
    play = normandy().play()
    play.answer((4,))
    assert isinstance(play.asking, Choose)
    assert play.asking.what == "retreat-or-stand"
    retreat, stand = prospects(play).options["defender"]
    assert retreat.odds.chance("vacated") == 1
    assert stand.odds.chance("vacated") == Fraction(5, 6)
    assert stand.odds.spread("defender_steps_lost") == {0: Fraction(4, 6), 1: Fraction(2, 6)}


def test_a_fight_that_is_over_has_one_outcome() -> None:
    play = bautzen().resolve(seed=5)
    ahead = prospects(play)
    assert dict(ahead.odds.outcomes()) == {play.outcome: 1}
    assert not ahead.options


def test_each_side_sees_its_own_commitments_against_the_other_sides_doctrine() -> None:
    play = bautzen(attacker_cl_at_hand=1, defender_cl_at_hand=2).play()
    ahead = prospects(play, "take", "hold")  # both commit all they have
    none, one = ahead.options["attacker"]
    assert [none.share, one.share] == [0, 1]
    assert [option.answer for option in ahead.options["defender"]] == [(0, 0), (1, 0), (2, 0)]
    there = Play(play.start, [((0, 0), (2, 0))])
    assert dict(none.odds.outcomes()) == dict(prospects(there, "take", "hold").odds.outcomes())
    there = Play(play.start, [((1, 0), (2, 0))])
    assert dict(one.odds.outcomes()) == dict(ahead.odds.outcomes())
    assert dict(one.odds.outcomes()) == dict(prospects(there, "take", "hold").odds.outcomes())


def test_in_the_secret_game_no_answer_beats_the_strategy() -> None:
    play = bautzen(attacker_cl_at_hand=2, defender_cl_at_hand=2).play()
    ahead = prospects(play)
    (secret,) = ahead.odds.commitments
    assert secret.solution is not None
    for option in ahead.options["attacker"]:
        worth = option.odds.found.worth
        payoff = worth.of("attacker") - worth.of("defender")
        assert payoff == secret.solution.value if option.share else payoff <= secret.solution.value


def test_what_a_request_may_not_work_out_is_refused_with_the_reason() -> None:
    forget()
    play = normandy().play()

    def advised() -> object:
        allow(2)
        return advice(play)

    refusal = copy_context().run(advised)
    assert isinstance(refusal, Refusal)
    assert "situations" in refusal.in_("en")


# ------------------------------------------------------------------ looking back


def test_a_result_was_as_likely_as_its_cells_on_the_column() -> None:
    """3/1: 1/1 stands on a 3 alone, 1/2 on 4, 5 and 6."""
    play = bautzen().resolve([3])
    back = hindsight(play)
    assert back is not None
    assert (back.result, back.chance) == ("1/1", Fraction(1, 6))
    assert dict(back.before.outcomes()) == dict(play.start.odds().outcomes())
    back = hindsight(bautzen().resolve([5]))
    assert back is not None
    assert back.chance == Fraction(3, 6)


def test_looking_back_the_column_is_the_one_that_was_read() -> None:
    """Two defending columns make 1/1 of 3/1, where 2/1 stands on a 5 alone."""
    play = bautzen(defender_cl_at_hand=2).play()
    play.answer(((0, 0), (2, 0)))
    play.answer((5,))
    while play.asking is not None:
        assert isinstance(play.asking, Choose)
        play.answer(play.asking.options[0])
    back = hindsight(play)
    assert back is not None
    assert (back.result, back.chance) == ("2/1", Fraction(1, 6))


# ------------------------------------------------------------------ the column


def at(column: str, die: int | None = 0) -> TablePlace:
    return TablePlace((("", column),), die)


def test_a_column_that_nothing_moves_is_the_lit_one() -> None:
    play = bautzen().play()
    places = table_places(play)
    assert places is not None
    assert not places.open
    assert places.chances == ((at("3/1"), ONE),)
    play.answer((3,))
    assert table_places(play) is None


def test_columns_by_doctrine_and_odds_as_it_stands() -> None:
    fight = bautzen(defender_cl_at_hand=2)
    places = table_places(fight.play(), "best", "hold")  # the defender commits both
    assert places is not None
    assert places.open
    assert places.lit == at("3/1")
    assert places.chances == ((at("1/1"), ONE),)
    standing = odds_as_it_stands(fight.play(), places.lit, "best", "hold")
    assert standing is not None
    plain = bautzen().odds("best", "hold")
    for number in ("attacker_steps_lost", "defender_steps_lost"):
        assert standing.spread(number) == plain.spread(number)


def columns(commitment: Answer) -> int:
    """The logistic columns of a commitment of columns and aircraft."""
    return int(str(commitment[0])) if isinstance(commitment, tuple) else 0


def test_columns_of_a_mixed_strategy_have_the_chances_of_the_strategy() -> None:
    fight = bautzen(attacker_cl_at_hand=2, defender_cl_at_hand=2)
    places = table_places(fight.play())
    (secret,) = fight.odds().commitments
    assert places is not None
    shifts: dict[int, Fraction] = {}
    for ours, p in zip(secret.ask.attacker, secret.attacker, strict=True):
        for theirs, q in zip(secret.ask.defender, secret.defender, strict=True):
            shift = columns(ours) - columns(theirs)
            shifts[shift] = shifts.get(shift, Fraction(0)) + p * q
    found = {int(str(place.column)[0]) - 3: p for place, p in places.chances}
    assert found == {shift: p for shift, p in shifts.items() if p}
    assert sum(p for _, p in places.chances) == 1


def test_a_jabo_roll_moves_the_column_by_its_chances() -> None:
    """19.1.3: nothing on 1 to 3, then one, two, three columns to the left of 3-1."""
    fight = normandy(attacker_camp="german", weather="clear")
    places = table_places(fight.play())
    assert places is not None
    assert places.lit == at("3-1", None)
    sixth = Fraction(1, 6)
    left = {at("2-1", None): sixth, at("1-1", None): sixth, at("1-2", None): sixth}
    assert dict(places.chances) == {at("3-1", None): 3 * sixth, **left}
    standing = odds_as_it_stands(fight.play(), places.lit)
    assert standing is not None
    overcast = normandy(attacker_camp="german").odds()
    assert dict(standing.outcomes()) == dict(overcast.outcomes())


# ------------------------------------------------------------------ unit by unit


def test_what_becomes_of_each_unit_adds_up_over_the_outcomes() -> None:
    fight = FIRE.fight(
        range=2,
        attackers=[{"name": "HMG", "fire": 16}],
        defenders=[
            {"name": "Rifles 1", "kind": "infantry", "steps": 2, "morale": 8},
            {"name": "Rifles 2", "kind": "infantry", "steps": 1, "morale": 7},
        ],
    )
    odds = fight.odds()
    fates = unit_fates(fight.play())
    assert [fate.unit for fate in fates] == ["Rifles 1", "Rifles 2"]
    mean = sum((n * p for fate in fates for n, p in fate.lost.items()), Fraction(0))
    assert mean == odds.expected("defender_steps_lost")
    for fate in fates:
        for word, p in fate.became.items():
            said = sum(q for o, q in odds.outcomes() if f"{fate.unit} {word}" in o.details)
            assert p == said
    assert {"disrupted", "demoralised"} <= set(fates[0].became)


def test_a_side_that_nothing_can_happen_to_has_no_fates() -> None:
    assert {fate.side for fate in unit_fates(bautzen().play())} == {"attacker", "defender"}


@pytest.mark.parametrize("count", [1, 2])
def test_fates_after_the_dice_are_those_that_remain(count: int) -> None:
    play = bautzen(
        defenders=[{"name": str(n), "defence": 4 // count, "steps": 2} for n in range(count)]
    ).play()
    play.answer((1,))  # 1/0
    lost = {fate.unit: fate.lost for fate in unit_fates(play)}
    assert lost["21/20Pz"] == {1: 1}
    assert all(lost[str(n)] == {0: 1} for n in range(count))

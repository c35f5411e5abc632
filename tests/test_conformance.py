"""The conformance test finds what breaks its promises."""

import pytest
from msgspec.structs import replace

from grognard import load
from grognard.ask import Asking, Choose, Roll
from grognard.conformance import NotConforming, check_game
from grognard.fight import Case, Fight, with_unit
from grognard.games.bautzen.rules import BautzenFight
from grognard.procedure import Procedure, Step

BAUTZEN = load("bautzen")


def fight_with(*steps: Step) -> Fight:
    """Set up a fight of Bautzen whose procedure runs other steps."""
    good = BAUTZEN.procedure()
    bad = Procedure("bad", good.setup, good.start, steps, good.outcome, good.check)
    setup = BAUTZEN.fight(
        attackers=[{"name": "A", "attack": 4}], defenders=[{"name": "D", "defence": 2}]
    ).case.setup
    return good.start(Case(BAUTZEN.card, BAUTZEN.card.chosen({}), setup, bad))


def lose_in_silence(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("note", "unit-factor", unit="D", value=2)
    return with_unit(fight, "defender", replace(fight.defenders[0], steps=1))


def tell_without_losing(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("loss", "loses-step", side="defender", unit="D", value=1)
    return fight


def create_a_unit(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("note", "unit-factor", unit="D", value=2)
    extra = replace(fight.defenders[0], name="E")
    return replace(fight, defenders=(*fight.defenders, extra))


def ask_without_answers(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Choose("attacker", "which-loses", ())
    return fight


def offer_one_answer_twice(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Choose("attacker", "which-loses", ("A", "A"))
    return fight


def never_end(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Choose("attacker", "which-loses", ("A", "B"))
    return replace(fight, pending=("more",))


def roll_and_say_nothing(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Roll("combat-roll")
    return fight


def add_up_wrongly(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("die", "die-modifier", value=2)
    return fight


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (lose_in_silence, "D has 1 steps, but 2 were told"),
        (tell_without_losing, "D has 2 steps, but 1 were told"),
        (create_a_unit, "became"),
        (ask_without_answers, "too few"),
        (offer_one_answer_twice, "twice"),
        (never_end, "still asking"),
        (roll_and_say_nothing, "nothing is told after the roll"),
        (add_up_wrongly, "is not the sum"),
    ],
)
def test_a_broken_promise_is_found(step: Step, words: str) -> None:
    with pytest.raises(NotConforming, match=words):
        check_game(BAUTZEN, [fight_with(step)])


def test_a_fight_of_another_game_is_not_checked_here() -> None:
    with pytest.raises(NotConforming, match="bautzen"):
        check_game(load("normandy"), [fight_with()])

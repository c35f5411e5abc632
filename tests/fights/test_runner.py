"""The runner goes from question to question, and from run to run of a step."""

from msgspec.structs import replace

from grognard import load
from grognard.fights.runner import Runner
from grognard.rules.ask import Asking, Choose, Roll, choose, roll
from grognard.rules.fight import Case, Fight, Outcome, Setup
from grognard.rules.procedure import Procedure

CARD = load("normandy").card


class Nothing(Setup, frozen=True, kw_only=True):
    """A set-up of which nothing is stated."""


def two_rolls(fight: Fight) -> Asking[Fight]:
    """Ask for one roll a run: the step is run twice."""
    yield fight.case.tell("remark", "none-left-to-lose", side="attacker")
    die = yield from roll("combat-roll", 1)
    yield fight.case.tell("remark", "nobody-advances", side="attacker")
    return replace(fight, result=f"{fight.result}{die}", pending=() if fight.pending else ("more",))


def one_choice(fight: Fight) -> Asking[Fight]:
    side = yield from choose("attacker", "which-loses", ("a", "b"))
    die = yield from roll("combat-roll", 1)
    return replace(fight, result=f"{fight.result} {side}{die}")


def runner() -> Runner:
    procedure = Procedure(
        id="test",
        setup=Nothing,
        start=lambda case: Fight(case=case),
        steps=(two_rolls, one_choice),
        outcome=lambda fight: Outcome(result=fight.result),
        check=lambda *_: None,
    )
    return Runner(Fight(case=Case(CARD, {}, Nothing(), procedure)))


def test_a_run_ends_at_a_question_or_at_the_end_of_the_step() -> None:
    run = runner()
    assert [line.id for line in run.run()] == ["none-left-to-lose"]
    assert run.asking == Roll("combat-roll")
    assert (run.step, run.step_name, run.since) == (0, "two_rolls", ())
    assert [line.id for line in run.run((3,))] == ["nobody-advances"]
    asking: object = run.asking
    assert asking is None
    assert (run.fight.result, run.fight.pending) == ("3", ("more",))


def test_a_step_with_work_left_is_run_again() -> None:
    run = runner()
    for die in (3, 4):
        assert run.step == 0
        run.run()
        run.run((die,))
    assert (run.step, run.fight.result, run.over) == (1, "34", False)
    run.run()
    assert run.asking == Choose("attacker", "which-loses", ("a", "b"))
    run.run("b")
    assert run.since == ("b",)
    run.run((5,))
    assert (run.fight.result, run.over) == ("34 b5", True)


def test_another_runner_stands_at_the_same_question() -> None:
    run = runner()
    for die in (3, 4):
        run.run()
        run.run((die,))
    run.run()
    run.run("b")
    twins = [run.again() for _ in range(2)]
    for die, twin in enumerate(twins, start=1):
        assert (twin.asking, twin.step, twin.since) == (run.asking, run.step, run.since)
        twin.run((die,))
    run.run((6,))
    assert [each.fight.result for each in (*twins, run)] == ["34 b1", "34 b2", "34 b6"]

"""The conformance test finds what breaks its promises."""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from pathlib import Path

import pytest
from msgspec.structs import replace

from grognard import load, rules
from grognard.fights.fight_file import read_fight
from grognard.files.source import read_source
from grognard.games.bautzen.stated import BautzenFight
from grognard.rules import game
from grognard.rules.ask import Asking, Choose, Later, Roll, made, roll
from grognard.rules.fight import Case, Fight, with_unit
from grognard.rules.line import Line
from grognard.rules.procedure import Game, Procedure, Step
from grognard.testing.conformance import NotConforming, check_game

BAUTZEN = load("bautzen")


def fight_with(*steps: Step) -> Fight:
    """Set up a fight of Bautzen whose procedure runs other steps."""
    good = BAUTZEN.procedure()
    assert good.trim is not None
    bad = Procedure("bad", good.setup, good.start, (good.trim, *steps), good.outcome, good.check)
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


def lose_a_side(fight: BautzenFight) -> Asking[BautzenFight]:
    yield fight.case.tell("note", "unit-factor", unit="D", value=2)
    return replace(fight, attackers=())


def look_at_names(fight: BautzenFight) -> Asking[BautzenFight]:
    """Whoever is called A wins more often: fights of one kind have different odds."""
    die = yield from roll("combat-roll")
    yield fight.case.tell("lookup", "modified-roll", value=die, of="roll", rolled=die, added="0")
    least = 3 if fight.attackers[0].name == "A" else 5
    return replace(fight, result="won" if die >= least else "lost")


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


def roll_and_read_nothing(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Roll("combat-roll")
    yield fight.case.tell("remark", "nobody-advances")
    return fight


def offer_a_word_without_a_phrase(fight: BautzenFight) -> Asking[BautzenFight]:
    yield Choose("attacker", "which-loses", ("A", "boldly"))
    yield fight.case.tell("remark", "nobody-advances")
    return fight


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (offer_a_word_without_a_phrase, "no phrase 'which-loses.boldly' for an option"),
        (lose_in_silence, "D has 1 steps, but 2 were told"),
        (tell_without_losing, "D has 2 steps, but 1 were told"),
        (create_a_unit, "became"),
        (lose_a_side, "became"),
        (ask_without_answers, "too few"),
        (offer_one_answer_twice, "twice"),
        (never_end, "still asking"),
        (roll_and_say_nothing, "nothing is told after the roll"),
        (roll_and_read_nothing, "nothing is read after the roll"),
    ],
)
def test_a_broken_promise_is_found(step: Step, words: str) -> None:
    with pytest.raises(NotConforming, match=words):
        check_game(BAUTZEN, [fight_with(step)])


def test_odds_by_kind_that_are_not_those_of_the_fight_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fight = fight_with(look_at_names)
    game = Game(BAUTZEN.card, (fight.case.procedure,))
    monkeypatch.setattr(rules.game, "load", lambda _: game)
    with pytest.raises(NotConforming, match="weights by kind"):
        check_game(game, [fight])


def test_a_fight_of_another_game_is_not_checked_here() -> None:
    with pytest.raises(NotConforming, match="bautzen"):
        check_game(load("normandy"), [fight_with()])


# ------------------------------------------------------------------ lines that lie

Lie = Callable[[Line], Line | None]
EXAMPLES = Path(__file__).parents[2] / "examples"


def lying(fight: Fight, lie: Lie) -> Fight:
    """Give the same fight with rules that compute correctly, but change their lines."""
    case = fight.case
    true = case.procedure
    steps = tuple(telling(step, lie) for step in true.steps)
    false = Procedure(true.id, true.setup, true.start, steps, true.outcome, true.check)
    return true.start(Case(case.card, case.options, case.setup, false))


def telling(step: Step, lie: Lie) -> Step:
    @wraps(step)
    def told(fight: Fight) -> Asking[Fight]:
        running, answer = step(fight), None
        while True:
            try:
                said = running.send(answer)
            except StopIteration as end:
                after: Fight = end.value
                return after
            answer = None
            if isinstance(said, Line | tuple | Later):  # a line, or several at once
                lines = made(said if isinstance(said, tuple) else (said,))
                yield from [line for line in map(lie, lines) if line is not None]
            else:
                answer = yield said

    return told


def example(name: str) -> Fight:
    """Read an example; that of Bautzen with a town instead of its village, for a shift more."""
    source = read_source(str(EXAMPLES / f"{name}.toml"))
    return read_fight(replace(source, text=source.text.replace('"village"', '"town"')))


def check(fight: Fight) -> None:
    check_game(load(fight.case.card.id), [fight])


def no_line(id_: str) -> Lie:
    """Leave a line out."""
    return lambda line: None if line.id == id_ else line


def off(id_: str, by: int | Fraction = 1) -> Lie:
    """Tell a number that is not the one that was used."""

    def lie(line: Line) -> Line:
        if line.id != id_ or not isinstance(line.value, int | Fraction):
            return line
        return replace(line, value=line.value + by)

    return lie


def said(id_: str, value: str) -> Lie:
    """Tell another word."""
    return lambda line: replace(line, value=value) if line.id == id_ else line


def blank(id_: str, key: str, value: int | str) -> Lie:
    """Fill a blank otherwise."""

    def lie(line: Line) -> Line:
        if line.id != id_:
            return line
        blanks = tuple((name, value if name == key else old) for name, old in line.blanks)
        return replace(line, blanks=blanks)

    return lie


def nameless(id_: str) -> Lie:
    """Do not say which number or table it is about."""
    return lambda line: replace(line, of="") if line.id == id_ else line


def halve_in_silence(line: Line) -> Line | None:
    """Tell a halved factor as if it were printed so."""
    if line.kind == "modifier" and isinstance(line.value, Fraction):
        return None
    if line.id == "unit-multiplied":
        value = Fraction(str(line.value))
        return replace(line, blanks=(("printed", value), ("factor", 1), *line.blanks[2:]))
    return line


def halve_without_use(line: Line) -> Line:
    """Tell a halving, and count the whole factor."""
    if line.id != "unit-multiplied":
        return line
    printed = dict(line.blanks)["printed"]
    assert isinstance(printed, int)
    blanks = (("printed", printed), ("factor", 1), ("unit", line.unit), ("value", printed))
    return replace(line, value=printed, blanks=blanks)


def weak(
    attacker: dict[str, object] | None = None,
    defender: dict[str, object] | None = None,
    support: int = 0,
    defender_cl: int = 0,
) -> Fight:
    """Set up a small attack of Bautzen."""
    attackers: list[dict[str, object]] = [{"name": "A", "attack": 5, **(attacker or {})}]
    if support:
        attackers.append({"name": "HQ", "kind": "hq", "support": support})
    defenders = [{"name": "D", "defence": 4, **(defender or {})}]
    return BAUTZEN.fight(attackers=attackers, defenders=defenders, defender_cl=defender_cl)


def strong(clamp: str) -> Fight:
    """Set up an attack of Bautzen at 20 to 1."""
    return BAUTZEN.fight(
        attackers=[{"name": "A", "attack": 20}],
        defenders=[{"name": "D", "defence": 1}],
        terrain=["town"],
        options={"ratio_clamp": clamp},
    )


def rounded() -> Fight:
    """Set up an attack of White October whose total is rounded."""
    unit = {"pe": 3, "strength": 5, "quality": 4, "morale": 4}
    return load("white-october").fight(
        attackers=[{"name": "A", "disorganised": True, **unit}],
        defenders=[{"name": "D", **unit}],
        options={"rounding": "floor"},
    )


def checked() -> Fight:
    """Set up a fire after which morale is checked, whatever is rolled."""
    return load("panzer-grenadier").fight(
        attackers=[{"name": "F", "fire": 60}],
        defenders=[
            {"name": "T", "morale": 2, "steps": 9, "state": "demoralised"},
            {"name": "L", "kind": "leader", "morale": 9, "bonus": 1, "distance": 1},
        ],
        range=1,
        options={"leader_bonus": "best"},
    )


LIES: list[tuple[str, Lie, str]] = [
    # totals
    ("bautzen", off("attack-total"), "what was told comes to 26"),
    ("bautzen", off("defence-total", -1), "what was told comes to 6"),
    ("bautzen", off("support-total"), "what was told comes to 12"),
    ("bautzen", off("hq-support"), "was not stated with 7"),
    ("bautzen", off("unit-factor"), "was not stated with"),
    ("bautzen", no_line("unit-factor"), "what was told comes to"),
    ("bautzen", no_line("hq-support"), "what was told comes to"),
    ("bautzen", nameless("attack-total"), "does not say which number"),
    ("white-october", halve_in_silence, "Semionovski was not stated with 3"),
    ("white-october", halve_without_use, "multiplied by 1, but 1/2 was told"),
    ("white-october", off("unit-multiplied"), "6 × 1/2 is not 4"),
    ("white-october", blank("unit-multiplied", "printed", 8), "was not stated with 8"),
    ("white-october", off("out-of-ammunition", Fraction(1, 2)), "is not what the card"),
    ("normandy", off("bdc-bocage"), "is not what the card"),
    ("normandy", off("halving", Fraction(1, 4)), "multiplied by 1/2"),
    ("normandy", no_line("unit-multiplied"), "what was told comes to"),
    # columns
    ("bautzen", said("basic-column", "5/1"), "the table has column 4/1"),
    ("bautzen", blank("basic-column", "attack", 25), "attack has come to 26"),
    ("bautzen", no_line("town"), "the shifts told lead to 3/1"),
    ("bautzen", said("final-column", "3/1"), "the shifts told lead to 2/1"),
    ("bautzen", nameless("final-column"), "does not say of which table"),
    ("bautzen", no_line("final-column"), "it is read in column 4/1"),
    ("normandy", off("naval"), "is not what the card"),
    ("normandy", off("offensive-air"), "is not what the card or a line before says"),
    ("normandy", no_line("offensive-air"), "the shifts told lead to 4-1"),
    ("panzer-grenadier", said("basic-column", "16"), "the table has column 11"),
    ("panzer-grenadier", off("shift"), "what was told comes to"),
    # dice
    ("bautzen", off("die-modifier"), "what was told comes to 1"),
    ("bautzen", no_line("formation"), "what was told comes to 0"),
    ("bautzen", no_line("die-modifier"), "the roll and what was told come to"),
    ("bautzen", off("modified-roll"), "the roll and what was told come to"),
    ("bautzen", blank("modified-roll", "rolled", 9), "was rolled"),
    ("panzer-grenadier-anti-tank", off("armour"), "was not stated with 5"),
    ("panzer-grenadier-anti-tank", off("attack-total"), "what was told comes to 1"),
    # look-ups
    ("bautzen", said("look-up", "3/3"), "the cell says"),
    ("bautzen", blank("look-up", "row", "8+"), "it is read in row"),
    ("bautzen", blank("look-up", "column", "7/1+"), "it is read in column 2/1"),
    ("bautzen", blank("look-up", "row", "9"), "has no such cell"),
    ("bautzen", nameless("look-up"), "does not say of which table"),
    ("white-october", said("ratio-gives", "+3"), "the cell says \\+2"),
    ("white-october", off("ratio"), "is not what the card or a line before says"),
    ("white-october", said("attacker-row", "m4"), "the table has row m5"),
    ("white-october", no_line("trotsky"), "the table has row m2"),
    ("white-october", said("final-column", "1-"), "the table has column"),
    # what most have, parts of a sum
    ("white-october", off("attacker-quality", -1), "it is not the one that most have"),
    ("white-october", blank("quality-held", "weight", 9), "do not have 9 together"),
    ("white-october", off("quality-held", 2), "not every unit has"),
    ("white-october", off("quality-difference"), "what was told comes to 2"),
    ("white-october", off("quality"), "is not what the card or a line before says"),
    ("white-october", off("attacker-owes"), "what was told comes to"),
    ("white-october", no_line("mandatory"), "1 for mandatory was not told"),
]


SPECIAL: list[tuple[Fight, Lie, str]] = [
    # rounding
    (weak(attacker={"attack": 7, "overstacked": True}), off("unit-rounded", 2), "neither rounded"),
    (weak(attacker={"attack": 7, "overstacked": True}), no_line("unit-rounded"), "comes to 7/2"),
    (weak(attacker={"attack": 7, "overstacked": True}), off("unit-changed", 2), "7 × 1/2 is not"),
    (rounded(), blank("strength-rounded", "exact", 2), "strength has come to 5/2"),
    # limits: of a number, of a family of modifiers
    (weak(support=9), off("support-cap", -1), "is not held at 4"),
    (weak(support=9), no_line("support-cap"), "what was told comes to 9"),
    (weak(support=9), blank("support-cap", "support", 8), "support has come to 9"),
    (weak({"attack": 20}, defender_cl=4), off("cl"), "within this limit are not"),
    (weak({"attack": 20}, defender_cl=4), no_line("cl"), "the shifts told lead to 1/1"),
    (weak(defender_cl=2), off("defender-cl", -1), "is not what the card or a line before says"),
    # the ends of the table
    (weak(defender_cl=3), no_line("column-clamped"), "the shifts lead off the table"),
    (strong("after"), off("open-scale"), "lies 13 columns beyond the last"),
    (weak(defender={"defence": 0}), off("no-defence", 4), "follows from nothing"),
    # morale
    (checked(), off("must-check"), "what was told comes to"),
    (checked(), blank("must-check", "printed", 11), "was not stated with 11"),
    (checked(), off("leaders-help"), "is not what the card or a line before says"),
    (checked(), off("demoralised_morale"), "is not what the card or a line before says"),
    (checked(), off("result-adds", 9), "is not what the card or a line before says"),
    (checked(), no_line("result-adds"), "the roll and what was told come to"),
    (checked(), off("against-morale"), "excess has come to"),
    (checked(), blank("against-morale", "morale", 1), "morale has come to"),
    (checked(), blank("exceeded", "row", "0-"), "it is read in row"),
    (checked(), blank("exceeded", "column", "disrupted"), "was not stated to be disrupted"),
]


@pytest.mark.parametrize(("fight", "lie", "words"), SPECIAL)
def test_a_lie_in_a_special_case_is_found(fight: Fight, lie: Lie, words: str) -> None:
    check(fight)
    with pytest.raises(NotConforming, match=words):
        check(lying(fight, lie))


@pytest.mark.parametrize(("name", "lie", "words"), LIES)
def test_a_lie_is_found(name: str, lie: Lie, words: str) -> None:
    with pytest.raises(NotConforming, match=words):
        check(lying(example(name), lie))


@pytest.mark.slow
def test_who_tells_the_truth_in_the_same_way_conforms() -> None:
    for id_ in game.ids():
        check(lying(example(id_), lambda line: line))

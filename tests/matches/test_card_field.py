"""The map rules of a card: reach and zones against a plain search, fights, retreats, advances."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from grognard import Refusal
from grognard.fights.play import Play
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.matches.card_field import CardField
from grognard.matches.match import look_ahead, new_field
from grognard.matches.protocol import Order, Playing
from grognard.rules import game_places
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from tests.example_games import BATTLE, FOLDER, look_in
from tests.tiers import sized

POSITIONS = sized(40, quick=4, soak=4000)
CARD = (FOLDER / "river-line.toml").read_text(encoding="utf-8")
SCENARIO = (FOLDER / f"{BATTLE}.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


def field(tmp_path: Path, *changes: tuple[str, str]) -> CardField:
    """Give the rules of River Line and its battle, with changes of the card's text."""
    card = CARD
    for old, new in changes:
        assert card.count(old) == 1, old
        card = card.replace(old, new)
    (tmp_path / "river-line.toml").write_text(card, encoding="utf-8")
    (tmp_path / f"{BATTLE}.toml").write_text(SCENARIO, encoding="utf-8")
    game_places.refresh()
    made = new_field(scenario.own(BATTLE))
    assert isinstance(made, CardField)
    return made


def board(rules: CardField, places: Mapping[str, str], **states: str) -> Board:
    """Set up only the units that are named, each in its hex."""
    whole = rules.scenario.board()
    pieces = [
        replace(
            piece,
            at=whole.map.hex(places[piece.name]),
            arrives=0,
            states=frozenset(states.get(piece.name.replace(" ", "_"), "").split()),
        )
        if piece.name in places
        else replace(piece, at=None, steps=0)
        for piece in whole.pieces
    ]
    assert {piece.name for piece in pieces} >= set(places)
    return replace(whole, pieces=tuple(pieces))


# ------------------------------------------------------------------ a plain search

GROUND = {".": Fraction(1), "r": Fraction(2), "o": Fraction(3, 2), "T": Fraction(1)}
Cell = tuple[int, int]


def around(cell: Cell) -> list[Cell]:
    """Even columns stand half a hex lower."""
    column, row = cell
    down = 1 if column % 2 == 0 else 0
    return [
        *((column, row + step) for step in (-1, 1)),
        *((column + side, row + down + step) for side in (-1, 1) for step in (-1, 0)),
    ]


def cell(number: str) -> Cell:
    return int(number[:2]), int(number[2:])


class Plain:
    """The map of the scenario file read letter by letter, and every way tried on it."""

    def __init__(self, zoc: str) -> None:
        self.zoc = zoc
        grid = SCENARIO.split('grid = """')[1].split('"""')[0].split("\n")
        lines = [line.split() for line in grid if line.strip()]
        self.ground = {
            (column, row): letter
            for row, line in enumerate(lines, 1)
            for column, letter in enumerate(line, 1)
        }
        raw = scenario.own(BATTLE).map
        self.river = {
            frozenset(map(cell, pair.split())) for f in raw.hexsides for pair in f.between
        }
        self.roads = {
            frozenset(map(cell, pair))
            for way in raw.ways
            for pair in zip(way.through, way.through[1:], strict=False)
        }

    def cost(self, here: Cell, there: Cell) -> Fraction:
        side = frozenset((here, there))
        across = GROUND[self.ground[there]] + (2 if side in self.river else 0)
        return min(across, Fraction(1, 2)) if side in self.roads else across

    def zone(self, enemies: set[Cell]) -> set[Cell]:
        if self.zoc == "none":
            return set()
        return {near for enemy in enemies for near in around(enemy) if near in self.ground}

    def reach(self, start: Cell, points: Fraction, enemies: set[Cell]) -> dict[Cell, Fraction]:
        """Improve the cost of every hex until nothing changes any more."""
        zone = self.zone(enemies)
        passed, ended = {start: Fraction(0)}, dict[Cell, Fraction]()
        changed = True
        while changed:
            changed = False
            for here, spent in list(passed.items()):
                for there in around(here):
                    if there not in self.ground or there in enemies:
                        continue
                    stops = self.zoc == "rigid" and there in zone
                    if stops and here in zone:
                        continue
                    fee = 1 if self.zoc == "fluid" and here in zone else 0
                    cost, kept = spent + fee + self.cost(here, there), ended if stops else passed
                    if cost <= points and cost < kept.get(there, points + 1):
                        kept[there], changed = cost, True
        return {
            c: min(ways.get(c, points + 9) for ways in (passed, ended)) for c in {*passed, *ended}
        }


@pytest.mark.parametrize("zoc", ["rigid", "fluid", "none"])
def test_reach_and_zones_are_those_of_a_plain_search(zoc: str, tmp_path: Path) -> None:
    rules = field(tmp_path, ('zoc = "rigid" ', f'zoc = "{zoc}" '))
    plain, random, whole = Plain(zoc), Random(zoc), rules.scenario.board()
    numbers = [whole.map.number(hex_) for hex_ in whole.map.places]
    for _ in range(POSITIONS):
        names = random.sample([piece.name for piece in whole.pieces], 8)
        hexes = random.sample(numbers, 8)
        cut = {name.replace(" ", "_"): "unsupplied" for name in random.sample(names, 3)}
        on = board(rules, dict(zip(names, hexes, strict=True)), **cut)
        for side in ("blue", "red"):
            enemies = {cell(on.map.number(p.place)) for p in on.of(rules.enemy(side))}
            found = {cell(on.map.number(hex_)) for hex_ in rules.zoc(on, rules.enemy(side))}
            assert found == plain.zone(enemies)
            for piece in on.of(side):
                half = "unsupplied" in piece.states
                points = Fraction(piece.move // 2 if half else piece.move)
                expected = plain.reach(cell(on.map.number(piece.place)), points, enemies)
                reached = rules.reach(on, piece)
                assert {cell(on.map.number(h)): way.cost for h, way in reached.items()} == expected


# ------------------------------------------------------------------ orders carried out


class Run:
    """An order carried out, with the answers given to its questions in turn."""

    def __init__(self, playing: Playing, *answers: Answer) -> None:
        left, self.lines = list(answers), list[Line]()
        self.asked: list[tuple[str, Answer]] = []
        self.fight: Fight | None = None
        sent: Answer | Play | None = None
        try:
            while True:
                said = playing.send(sent)
                sent = None
                match said:
                    case Line():
                        self.lines.append(said)
                    case Fight():
                        self.fight, play = said, Play(said)
                        while play.asking is not None:
                            play.answer(self._answer(play.asking, left))
                        self.lines += [told.line for told in play.told]
                        sent = play
                    case Choose() | Roll() | Order():
                        sent = self._answer(said, left)
        except StopIteration as end:
            self.board: Board = end.value
        assert not left, left

    def _answer(self, ask: object, left: list[Answer]) -> Answer:
        answer = left.pop(0)
        if isinstance(ask, Choose):
            assert answer in ask.options, (answer, ask)
            self.asked.append((ask.side, ask.options))
        return answer

    def ids(self) -> list[str]:
        return [line.id for line in self.lines]


def attack(rules: CardField, on: Board, hex_: str, *names: str, answers: tuple[Answer, ...]) -> Run:
    side = on.piece(names[0]).side
    order = ("attack", hex_, *names)
    rules.attack_orders(on, side).check(order)
    return Run(rules.carry_out(on, side, order), *answers)


def at(run: Run, name: str) -> str:
    piece = run.board.piece(name)
    return run.board.map.number(piece.place) if piece.alive else "lost"


def one(die: int) -> Answer:
    return (die,)


def test_terrain_and_facts_of_a_fight_come_from_the_board(tmp_path: Path) -> None:
    rules = field(tmp_path)
    on = board(
        rules,
        {"1st Foot": "0306", "2nd Foot": "0406", "10th Line": "0305"},
        **{"10th_Line": "unsupplied"},
    )
    ahead = look_ahead(rules.carry_out(on, "blue", ("attack", "0305", "1st Foot")), "blue")
    assert ahead.fight is not None
    stated = ahead.fight.case.setup
    assert stated.across_river
    assert stated.terrain == ("clear", "river")  # what the hex has, and what all attackers cross
    assert [unit.cut_off for unit in (*stated.attackers, *stated.defenders)] == [False, True]
    assert [(unit.attack, unit.defence, unit.steps) for unit in stated.defenders] == [(4, 6, 2)]
    said = [line.in_("en") for line in ahead.log if isinstance(line, Line)]
    assert said == ["On the map: All attack across the river", "On the map: 10th Line, cut off"]


def test_an_attacker_on_the_near_bank_makes_it_no_attack_across_the_river(tmp_path: Path) -> None:
    rules = field(tmp_path)
    on = board(rules, {"1st Foot": "0306", "2nd Foot": "0304", "10th Line": "0305"})
    order = ("attack", "0305", "1st Foot", "2nd Foot")
    fight = look_ahead(rules.carry_out(on, "blue", order), "blue").fight
    assert fight is not None
    assert not fight.case.setup.across_river
    assert fight.case.setup.terrain == ("clear",)


def test_an_attack_below_the_table_is_refused_and_not_listed(tmp_path: Path) -> None:
    rules = field(tmp_path)
    on = board(rules, {"Militia": "0303", "Guard": "0403"})  # 1 to 6
    orders = rules.attack_orders(on, "red")
    with pytest.raises(Refusal, match="1/6 is below the first column"):
        orders.check(("attack", "0403", "Militia"))
    assert list(orders.deeds()) == []


def test_a_stack_retreats_hex_by_hex_as_its_owner_says_and_the_attacker_advances(
    tmp_path: Path,
) -> None:
    rules = field(tmp_path)
    on = board(rules, {"1st Foot": "0505", "Guard": "0505", "12th Line": "0504"})
    answers: tuple[Answer, ...] = (one(6), "advance", "0503", "0502", "Guard", "1st Foot")
    run = attack(rules, on, "0504", "1st Foot", "Guard", answers=answers)  # 11:6, 3:2, a 6 is DR
    assert (at(run, "12th Line"), at(run, "Guard"), at(run, "1st Foot")) == ("0502", "0504", "0504")
    assert [side for side, _ in run.asked] == [
        "attacker",
        "defender",
        "defender",
        "attacker",
        "attacker",
    ]
    assert run.board.holders[on.map.hex("0504")] == "blue"
    assert run.ids().count("retreats-to") == 2


def test_the_opponent_may_pick_the_hexes_and_one_unit_may_advance(tmp_path: Path) -> None:
    changes = ('retreat_zoc = "friends"', 'retreat_by = "opponent"\nadvance = "one"')
    rules = field(tmp_path, changes)
    on = board(rules, {"1st Foot": "0505", "Guard": "0505", "12th Line": "0504"})
    answers: tuple[Answer, ...] = (one(6), "advance", "0503", "0502", "Guard")
    run = attack(rules, on, "0504", "1st Foot", "Guard", answers=answers)
    assert {side for side, _ in run.asked} == {"attacker"}
    assert (at(run, "Guard"), at(run, "1st Foot")) == ("0504", "0505")


RING = {"1st Foot": "0505", "Guard": "0505", "12th Line": "0504"}
BEHIND = {"2nd Foot": "0402", "3rd Foot": "0602"}  # their zones close every way back


@pytest.mark.parametrize(
    ("blocked", "where", "steps"),
    [("lost", "lost", 0), ("stays", "0504", 2), ("step a hex", "lost", 0)],
)
def test_a_blocked_retreat_ends_as_the_card_says(
    blocked: str, where: str, steps: int, tmp_path: Path
) -> None:
    rules = field(tmp_path, ('below = "refused" ', f'blocked = "{blocked}"\nbelow = "refused" '))
    on = board(rules, {**RING, **BEHIND})
    answers: tuple[Answer, ...] = (
        one(6),
        *(("advance", "Guard", "nobody") if where == "lost" else ()),
    )
    run = attack(rules, on, "0504", "1st Foot", "Guard", answers=answers)
    assert at(run, "12th Line") == where
    assert run.board.piece("12th Line").steps == steps
    assert "retreat-blocked" in run.ids()


def test_only_the_attacking_stack_without_room_is_lost(tmp_path: Path) -> None:
    rules = field(tmp_path)
    on = board(rules, {"1st Foot": "0101", "2nd Foot": "0302", "12th Line": "0201"})
    # 10:6 is 3:2, and a 2 is AR; the corner 0101 has no way out of the defender's zone.
    run = attack(rules, on, "0201", "1st Foot", "2nd Foot", answers=(one(2), "0303"))
    assert (at(run, "1st Foot"), at(run, "2nd Foot")) == ("lost", "0303")
    assert [line.unit for line in run.lines if line.kind == "eliminated"] == ["1st Foot"]


def test_a_unit_attacks_once_and_is_attacked_once(tmp_path: Path) -> None:
    rules = field(tmp_path)
    places = {"1st Foot": "0505", "2nd Foot": "0503", "12th Line": "0504", "13th Line": "0603"}
    run = attack(rules, board(rules, places), "0504", "1st Foot", answers=(one(5),))  # 1:2, NE
    with pytest.raises(Refusal, match="0504 have been attacked already"):
        rules.attack_orders(run.board, "blue").check(("attack", "0504", "2nd Foot"))
    with pytest.raises(Refusal, match="1st Foot has attacked already"):
        rules.attack_orders(run.board, "blue").check(("attack", "0504", "1st Foot"))
    often = field(tmp_path, ("stacking = 2 ", 'attacked = "often"\nstacking = 2 '))
    often.attack_orders(run.board, "blue").check(("attack", "0504", "2nd Foot"))


@pytest.mark.parametrize(
    ("change", "names", "fits"),
    [
        ("stacking = 2", ("1st Foot", "2nd Foot"), True),
        ("stacking = 2", ("1st Foot", "2nd Foot", "Lancers"), False),
        ('stacking = 3\nstacking_counts = "steps"', ("1st Foot", "Lancers"), True),
        ('stacking = 3\nstacking_counts = "steps"', ("1st Foot", "2nd Foot"), False),
    ],
)
def test_stacking_is_counted_as_the_card_says(
    change: str, names: tuple[str, ...], fits: bool, tmp_path: Path
) -> None:
    rules = field(tmp_path, ("stacking = 2 ", f"{change} "))
    on = board(rules, dict.fromkeys(names, "0101"))
    hex_ = on.map.hex("0101")
    assert (rules.stacking_problem(on, hex_, on.stack(hex_)) is None) == fits


def test_terrain_may_have_a_stacking_limit_of_its_own(tmp_path: Path) -> None:
    rules = field(tmp_path, ('id = "orchard"', 'id = "orchard"\nstacking = 1'))
    on = board(rules, {"1st Foot": "0202", "2nd Foot": "0101"})
    assert on.map.hex("0202") not in rules.reach(on, on.piece("2nd Foot"))


def test_without_a_line_units_are_cut_off_and_move_half_or_not_at_all(tmp_path: Path) -> None:
    places = {"1st Foot": "0101", "10th Line": "0103", "11th Line": "0202"}
    for word, move in (("half", 2), ("none", 0), ("full", 4)):
        rules = field(tmp_path, ("stacking = 2 ", f'unsupplied_move = "{word}"\nstacking = 2 '))
        on = Run(rules.check_supply(board(rules, places), "blue")).board
        piece = on.piece("1st Foot")
        assert piece.states == {"unsupplied"}
        assert (rules.may_move(on, piece) is None) == bool(move)
        assert word == "none" or rules.allowance(on, piece) == 6 * move
    rules = field(tmp_path, ('supply = "lines" ', 'supply = "none" '))
    assert Run(rules.check_supply(board(rules, places), "blue")).lines == []


STATE = """
[[states]]
id = "shaken"
text = { en = "shaken", fr = "ébranlée" }
forbids = ["move", "attack", "zoc"]

[[procedures]]
"""


def test_a_state_forbids_what_the_card_says_and_lasts_for_the_next_turn_of_its_side(
    tmp_path: Path,
) -> None:
    rules = field(
        tmp_path,
        ("\n[[procedures]]\n", STATE),
        ('DR = "defender retreats 2"', 'DR = "defender is shaken"'),
    )
    on = board(rules, {"1st Foot": "0505", "Guard": "0505", "12th Line": "0504"})
    on = attack(rules, on, "0504", "1st Foot", "Guard", answers=(one(6),)).board
    shaken = on.piece("12th Line")
    assert shaken.states == {"shaken", "defended"}
    assert rules.zoc(on, "red") == frozenset()
    assert "may not move: shaken" in str(rules.may_move(on, shaken))
    assert "may not attack: shaken" in str(rules.unfit(shaken))
    after = Run(rules.side_turn(on, "red", 1), ("end",), ("end",))
    assert after.board.piece("12th Line").states == frozenset()
    assert "12th Line recovers: no longer shaken" in [line.in_("en") for line in after.lines]


def test_units_without_a_zone_of_control(tmp_path: Path) -> None:
    rules = field(tmp_path, ("stacking = 2 ", 'no_zoc = ["cavalry"]\nstacking = 2 '))
    assert rules.zoc(board(rules, {"Hussars": "0303"}), "red") == frozenset()
    assert len(rules.zoc(board(rules, {"Militia": "0303"}), "red")) == 6


def test_nobody_attacks_over_ground_that_he_can_not_enter(tmp_path: Path) -> None:
    river = 'text = { en = "River", fr = "Fleuve" }\ncost = '
    rules = field(tmp_path, (f"{river}2", f'{river}"no"'))
    on = board(rules, {"1st Foot": "0306", "10th Line": "0405"})
    with pytest.raises(Refusal, match="can't enter 0405"):
        rules.attack_orders(on, "blue").check(("attack", "0405", "1st Foot"))


def test_what_a_side_held_that_has_lost_everything_falls_to_the_other(tmp_path: Path) -> None:
    rules = field(tmp_path)
    now = rules.scenario.board()
    ours, theirs = (side.id for side in rules.scenario.sides)
    held = {now.map.hex(objective.hex): theirs for objective in rules.scenario.objectives}
    now = replace(now, holders=held)
    whole = sum(objective.points for objective in rules.scenario.objectives)
    assert rules.victory_points(now) == {ours: 0, theirs: whole}
    gone = (replace(piece, steps=0) if piece.side == theirs else piece for piece in now.pieces)
    assert rules.victory_points(replace(now, pieces=tuple(gone))) == {ours: whole, theirs: 0}

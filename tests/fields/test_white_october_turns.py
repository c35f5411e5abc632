"""White October on the map: the board after a fight, the turn, whole matches."""

import json
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from grognard.fights.record import from_plain, plain
from grognard.games.white_october.field import WhiteOctoberField
from grognard.maps.board import Piece
from grognard.maps.hexes import Hex
from grognard.matches.match import Match
from grognard.matches.orders import MoveOrders
from grognard.matches.protocol import Order
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.line import Line
from grognard.words.refusal import Refusal
from tests.fields.white_october_board import (
    FIELD,
    OPEN,
    START,
    Choices,
    at,
    attacked,
    cut_off,
    field,
    only,
    run,
    stated,
)
from tests.tiers import sized

# ------------------------------------------------------------------ the board after a fight


def test_the_loser_retreats_and_the_winner_advances() -> None:
    choices: Choices = {"own-result": ("1", "d", "a"), "retreat-where": "0705"}
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=8, choices=choices)
    assert at(board, "53 Rifles") == "0705"
    assert at(board, "Talabsk") == "0605"
    assert board.piece("Talabsk").steps == 2
    assert {"disorganised", "attacked"} <= board.piece("Talabsk").states
    assert board.holders[board.map.hex("0605")] == "ano"
    assert ran.line("advances-to").in_("en") == "Talabsk advances to 0605"


def test_others_may_follow_as_stacking_allows() -> None:
    start = only({**OPEN, "Brown Bear": "0606", "Semenov": "0706"})
    choices: Choices = {"own-result": ("1", "a"), "who-follows": ["Brown Bear", "nobody"]}
    board, ran = attacked(
        start, "0605", "Talabsk", "Brown Bear", "Semenov", column=12, choices=choices
    )
    asked = [ask.options for ask in ran.asked if ask.what == "who-follows"]  # type: ignore[union-attr]
    assert asked == [("nobody", "Brown Bear", "Semenov"), ("nobody", "Semenov")]
    assert (at(board, "Brown Bear"), at(board, "Semenov")) == ("0605", "0706")


def test_a_rout_leaves_its_mark_and_goes_two_hexes() -> None:
    board, _ = attacked(only(OPEN), "0605", "Talabsk", column=10)
    rifles = board.piece("53 Rifles")
    assert "routed" in rifles.states
    assert at(board, "53 Rifles") == "0603"


def test_who_surrenders_is_gone() -> None:
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=14)
    assert not board.piece("53 Rifles").alive
    assert board.piece("53 Rifles").at is None
    assert at(board, "Talabsk") == "0605", "the advance is mandatory"
    assert "is-captured" in ran.ids


@pytest.mark.parametrize(("how", "where"), [("captured", "-"), ("stay", "0605")])
def test_the_players_may_settle_a_surrender(how: str, where: str) -> None:
    rules = field(surrender="players")
    choices: Choices = {"surrender": how}
    board, ran = attacked(only(OPEN), "0605", "Talabsk", column=14, choices=choices, rules=rules)
    assert at(board, "53 Rifles") == where
    assert ("advance-blocked" in ran.ids) == (how == "stay")


def test_the_defender_may_advance_into_the_ground_of_a_beaten_attacker() -> None:
    start = only({"Talabsk": "0705", "Cadets": "0704"})
    choices: Choices = {"imposed-result": ("1", "r", "d"), "own-result": ("a1",)}
    board, _ = attacked(start, "0704", "Talabsk", column=1, choices=choices)
    assert board.piece("Talabsk").steps == 2
    assert at(board, "Talabsk") != "0705"
    assert at(board, "Cadets") == "0705"


def test_ground_that_others_hold_is_not_taken() -> None:
    start = only({"Talabsk": "0705", "1 Battery": "0705", "Cadets": "0704"})
    choices: Choices = {"imposed-result": ("2", "r"), "own-result": ("a1",)}
    board, ran = attacked(start, "0704", "Talabsk", column=1, choices=choices)
    assert "advance-blocked" in ran.ids
    assert at(board, "Cadets") == "0704"


def test_cavalry_goes_on_to_a_second_hex() -> None:
    start = only({"Bulak Horse": "0606", "Putilov Militia": "0605"})
    choices: Choices = {"how-far": 2, "advance-where": "0505"}
    board, ran = attacked(start, "0605", "Bulak Horse", column=13, choices=choices)
    assert at(board, "Bulak Horse") == "0505"
    assert [line.value for line in ran.lines if line.id == "advances-to"] == ["0605", "0505"]
    assert board.holders[board.map.hex("0605")] == "ano"
    choices = {"how-far": 1}
    assert (
        at(attacked(start, "0605", "Bulak Horse", column=13, choices=choices)[0], "Bulak Horse")
        == "0605"
    )


def test_there_may_be_no_second_hex() -> None:
    start = only(
        {
            "Bulak Horse": "0204",
            "Putilov Militia": "0203",
            "Cadets": "0303",
            "53 Rifles": "0304",
            "AB Lenin": "0104",
        }
    )
    choices: Choices = {"how-far": 2}
    board, ran = attacked(start, "0203", "Bulak Horse", column=13, choices=choices)
    assert at(board, "Bulak Horse") == "0203"
    assert "second-hex-blocked" in ran.ids


def test_only_the_stack_that_cannot_go_pays() -> None:
    start = only(
        {
            "Talabsk": "0203",  # by the sea, the only way back taken
            "Semenov": "0304",
            "Cadets": "0204",
            "Sailors": "0303",
        }
    )
    rules = field(retreat_zoc="never")
    both = ("0204", "Talabsk", "Semenov")
    assert stated(start, *both, rules=rules)[0].attacker_can_retreat, "one of them can"
    choices: Choices = {"own-result": ("r", "d")}
    board, ran = attacked(start, *both, column=5, choices=choices, rules=rules)
    assert (at(board, "Talabsk"), board.piece("Talabsk").steps) == ("0203", 2)
    assert at(board, "Semenov") != "0304"
    assert ran.line("no-way-on").in_("en") == "Hexes that can't be retreated: 1 (Talabsk)"


def test_losses_and_fires_are_marked() -> None:
    start = only({**OPEN, "1 Battery": "0607", "Pulkovo Guns": "0603"})
    choices: Choices = {"defensive-fires": ("Pulkovo Guns",)}
    board, _ = attacked(start, "0605", "Talabsk", "1 Battery", column=7, choices=choices)
    for name in ("1 Battery", "Pulkovo Guns"):
        assert "fired" in board.piece(name).states
    assert "fired" not in board.piece("Red Flight").states
    assert "defended" in board.piece("53 Rifles").states


def test_units_that_fight_without_supply_run_out_of_ammunition() -> None:
    start = only({**cut_off(), "Pulkovo Guns": "0106"})
    board, ran = attacked(start, "0206", "Sailors", "Pulkovo Guns", column=7)
    for name in ("Sailors", "Pulkovo Guns"):
        assert "out_of_ammunition" in board.piece(name).states
    assert "out_of_ammunition" not in board.piece("Talabsk").states
    assert ran.ids.count("runs-out") == 2
    guns, _ = attacked(
        start, "0206", "Sailors", "Pulkovo Guns", column=7, rules=field(ammunition="guns")
    )
    assert "out_of_ammunition" not in guns.piece("Sailors").states
    assert "out_of_ammunition" in guns.piece("Pulkovo Guns").states
    never = attacked(
        start, "0206", "Sailors", "Pulkovo Guns", column=7, rules=field(ammunition="never")
    )
    assert "runs-out" not in never[1].ids


def test_trotsky_joins_the_nearest_unit_when_his_stack_is_gone() -> None:
    start = only({**OPEN, "Trotsky": "0605", "Cadets": "0602"})
    board, ran = attacked(start, "0605", "Talabsk", column=14)
    assert at(board, "Trotsky") == at(board, "53 Rifles") != "0605"
    assert "joins" in ran.ids
    assert at(board, "Talabsk") == "0605"


def test_trotsky_is_caught_when_nobody_is_left() -> None:
    board = only({"Trotsky": "0605", "Talabsk": "0606"})
    ran = run(FIELD.gather(board, "ano"))
    assert ran.ids == ["is-captured"]
    assert not ran.value.piece("Trotsky").alive


# ------------------------------------------------------------------ the turn


def test_day_and_night_alternate_and_aircraft_are_ready_again() -> None:
    board = only({}, ANO_Flight="fired")
    first = run(FIELD.turn_begins(board, 1))
    assert first.ids == ["day-breaks"]
    assert not FIELD.night(first.value)
    assert not first.value.piece("ANO Flight").states
    second = run(FIELD.turn_begins(first.value, 2))
    assert second.ids == ["night-falls"]
    assert FIELD.night(second.value)
    assert not FIELD.night(run(FIELD.turn_begins(second.value, 3)).value)
    assert FIELD.night(run(field(night_turns="odd").turn_begins(board, 1)).value)
    assert not FIELD.night(run(field(night_turns="none").turn_begins(board, 2)).value)


def test_reinforcements_arrive_at_a_free_entry_or_wait() -> None:
    board = only({"Talabsk": "0508"})
    ran = run(FIELD.supply_phase(board, "ano", 2), {"arrives-where": "1109"})
    assert at(ran.value, "Reval") == "1109"
    blocked = only({"Talabsk": "0508", "Sailors": "0509", "Cadets": "1109"})
    ran = run(FIELD.supply_phase(blocked, "ano", 2))
    assert at(ran.value, "Reval") == "-"
    assert "arrival-blocked" in ran.ids
    assert ran.value.piece("Reval").arrives == 3


@pytest.mark.parametrize(
    ("option", "die", "before", "after"),
    [
        ("step", 6, "routed", {"disorganised"}),
        ("step", 6, "disorganised", set()),
        ("step", 6, "routed disorganised", {"disorganised"}),
        ("whole", 6, "routed disorganised", set()),
        ("roll", 6, "routed", {"routed"}),
        ("roll", 5, "routed", {"disorganised"}),
    ],
)
def test_recovery(option: str, die: int, before: str, after: set[str]) -> None:
    board = only({"Talabsk": "0507"}, Talabsk=before)
    ran = run(field(recovery=option).supply_phase(board, "ano", 1), die=die)
    assert ran.value.piece("Talabsk").states == after


def test_nobody_recovers_beside_the_enemy() -> None:
    board = only({"Talabsk": "0606", "Sailors": "0605"}, Talabsk="disorganised")
    ran = run(FIELD.supply_phase(board, "ano", 1))
    assert "disorganised" in ran.value.piece("Talabsk").states
    assert "too-near" in ran.ids


def test_ammunition_comes_with_a_supply_line() -> None:
    board = only({"Talabsk": "0507"}, Talabsk="out_of_ammunition isolated")
    ran = run(FIELD.supply_phase(board, "ano", 1))
    assert ran.value.piece("Talabsk").states == frozenset()
    assert ran.line("fills-up").value == "0509"


def test_isolated_units_are_told_with_what_cuts_them_and_may_suffer() -> None:
    board = only(cut_off())
    first = run(FIELD.supply_phase(board, "red", 1))
    assert "isolated" in first.value.piece("Sailors").states
    assert "0206" in first.line("is-isolated").in_("en")
    again = run(FIELD.supply_phase(first.value, "red", 1)).value
    assert again.piece("Sailors").steps == 3
    hungry = run(field(isolation="loss").supply_phase(first.value, "red", 1)).value
    assert hungry.piece("Sailors").steps == 2


def test_a_piece_moves_once_a_phase_and_its_marks_go() -> None:
    match = Match(FIELD)
    match.answer(("move", "Talabsk", "0306"))
    with pytest.raises(Refusal, match="has moved already"):
        match.answer(("move", "Talabsk", "0307"))
    with pytest.raises(Refusal, match="is not yours"):
        match.answer(("move", "Sailors", "0603"))
    with pytest.raises(Refusal, match="0101: Gulf of Finland is closed to it"):
        match.answer(("move", "Semenov", "0101"))
    with pytest.raises(Refusal, match="not an order here"):
        match.answer(("attack", "0305", "Talabsk"))
    match.answer(("end",))
    assert all("moved" not in piece.states for piece in match.board.pieces)
    assert isinstance(match.asking, Order)
    assert (match.asking.side, match.asking.phase) == ("ano", "phase-combat")


def test_the_phases_follow_each_other() -> None:
    match, seen = Match(FIELD), list[tuple[int, str, str]]()
    while isinstance(match.asking, Order) or match.asking is not None:
        if isinstance(match.asking, Order):
            seen.append((match.asking.turn, match.asking.side, match.asking.phase))
            match.answer(("end",))
        else:
            match.answer(_any(match.asking, Random(0)))
    phases = ("phase-movement", "phase-combat")
    assert seen == [(t, s, p) for t in range(1, 7) for s in ("ano", "red") for p in phases]
    assert match.verdict().winner == "red"
    assert match.verdict().points == {"ano": 2, "red": 11}


def test_it_ends_when_a_side_has_nothing_left() -> None:
    board = only({"Talabsk": "0606"})
    gone = [replace(p, steps=0) for p in board.pieces if p.side == "red" and p.kind != "aircraft"]
    board = board.changed(*gone)
    assert FIELD.beaten(board, "red")
    assert not FIELD.beaten(board, "ano")
    ran = run(FIELD.sequence(board))
    assert ran.ids[-1] == "all-gone"


# ------------------------------------------------------------------ whole matches


def _any(ask: Order | Ask, random: Random) -> Answer:
    match ask:
        case Order():
            return _ordered(ask, random)
        case Roll():
            return tuple(random.randint(1, 6) for _ in range(ask.dice.count))
        case Choose():
            return random.choice(ask.options)
        case Commit():
            return random.choice(ask.attacker), random.choice(ask.defender)


def _ordered(ask: Order, random: Random) -> Answer:
    """Most moves go to the enemy and most attacks are made, so that much happens."""
    if not isinstance(ask.orders, MoveOrders):
        end, *attacks = ask.orders.all()
        return random.choice(attacks) if attacks and random.random() < 0.85 else end
    pieces = list(ask.orders.pieces())
    if not pieces or random.random() < 0.12:
        return ("end",)
    piece = random.choice(pieces)
    way = _way(ask, piece, random)
    return ("move", piece.name, ask.board.map.number(way)) if way else ("end",)


def _way(ask: Order, piece: Piece, random: Random) -> Hex | None:
    assert isinstance(ask.orders, MoveOrders)
    reach = ask.orders.field.reach(ask.board, piece)
    found = [hex_ for hex_, way in reach.items() if len(way.path) > 1]
    foes = [foe.at for foe in ask.board.of(FIELD.enemy(piece.side)) if foe.at]
    if not found:
        return None
    if foes and random.random() < 0.6:
        near: Callable[[Hex], int] = lambda hex_: min(map(hex_.distance, foes))  # noqa: E731
        return min(found, key=near)
    return random.choice(found)


def _conserved(match: Match) -> None:
    """Every unit is on the map, on its way, in the air, or dead; none stands with enemies."""
    for piece, before in zip(match.board.pieces, START.pieces, strict=True):
        assert (piece.name, piece.side) == (before.name, before.side)
        assert 0 <= piece.steps <= before.steps
        if not piece.alive:
            assert piece.at is None
        elif piece.at is None:
            assert piece.kind == "aircraft" or piece.arrives
    for hex_, stack in match.board.stacks().items():
        assert len({piece.side for piece in stack}) == 1
        assert FIELD.stacking_problem(match.board, hex_, stack) is None
        led = any(piece.kind != "leader" for piece in stack)
        moving = isinstance(match.asking, Order) and match.asking.phase == "phase-movement"
        assert led or moving, "units may leave their leader; then he joins others"


def _told(match: Match) -> list[Line]:
    return [entry for entry in match.log if isinstance(entry, Line)]


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    """Play matches with random legal answers, watching every unit."""
    return [_played(Random(seed)) for seed in range(sized(40, quick=8, soak=400))]


def _played(random: Random, rules: WhiteOctoberField = FIELD) -> Match:
    match = Match(rules)
    while match.asking is not None:
        match.answer(_any(match.asking, random))
        if match.play is None and isinstance(match.asking, Order):
            _conserved(match)
    _conserved(match)
    return match


def test_random_matches_end_with_every_point_held(matches: list[Match]) -> None:
    for match in matches:
        assert sum(match.verdict().points.values()) == 13
    winners = {match.verdict().winner for match in matches}
    assert {"ano", "red"} <= winners, "either side can win"


def test_replayed_from_their_answers_they_give_the_same_board(matches: list[Match]) -> None:
    for match in matches[::4]:
        answers = json.loads(json.dumps([plain(answer) for answer in match.answers]))
        again = Match(FIELD, [from_plain(answer) for answer in answers])
        assert again.asking is None
        assert again.board.pieces == match.board.pieces
        assert again.board.holders == match.board.holders
        assert _told(again) == _told(match)


def test_every_line_speaks_both_languages(matches: list[Match]) -> None:
    for match in matches:
        for line in _told(match):
            assert line.in_("en")
            assert line.in_("fr")


REFUSED = {("damaged_cells", "refuse"), ("morale_clamp", "refuse")}  # the players decide


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, -1])
def test_matches_end_with_every_other_choice_of_the_options(place: int) -> None:
    others = {}
    for option in FIELD.card.options:
        known = [c.id for c in option.choices if (option.id, c.id) not in REFUSED]
        others[option.id] = known[min(place, len(known) - 1)]
    for seed in range(3):
        assert _played(Random(seed), field(**others)).asking is None

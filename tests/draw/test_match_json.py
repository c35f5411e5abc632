"""A match as JSON: how it stands, what is asked, what an order would lead to."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from grognard import Refusal
from grognard.card.card import encode_hook
from grognard.draw.json.fight import stated_json
from grognard.draw.json.match import match_json
from grognard.draw.json.match_log import log_json
from grognard.draw.json.match_preview import look_json, unit_json
from grognard.draw.json.match_question import OrderAskJson, VerbJson, asking_json
from grognard.draw.json.scenario import scenario_json
from grognard.draw.text.match import word_text
from grognard.fights.fight_file import stated_fight
from grognard.fights.record import from_plain
from grognard.maps import scenario
from grognard.matches.match import Match, begin
from grognard.matches.protocol import Order
from grognard.matches.seats import Seats, plays_itself
from grognard.matches.sight import shown_board, viewer
from grognard.rules import game
from grognard.rules.ask import Choose, Commit, Roll
from grognard.testing.random_matches import any_answer
from grognard.words.text import LANGS
from tests.matches.test_random_matches import SCENARIOS, SLOW_IF_LARGE
from tests.tiers import sized, soaked

Json = dict[str, object]
EVERY = sized(5, quick=5, soak=1)  # moments at which the whole log is read


def written(data: object) -> dict[str, object]:
    """Write as JSON and read again, as a page would."""
    read: dict[str, object] = msgspec.json.decode(msgspec.json.encode(data, enc_hook=encode_hook))
    return read


def moments(name: str, seed: int = 0) -> Iterator[Match]:
    """A random match at every question."""
    random, match = Random(seed), begin(name)
    while match.asking is not None:
        yield match
        match.answer(any_answer(match.asking, random, 0.3))
    yield match


def orders_of(match: Match) -> list[VerbJson]:
    asking = asking_json(match, "en")
    assert isinstance(asking, OrderAskJson)
    return asking.orders


def verb(match: Match, name: str) -> VerbJson:
    return next(order for order in orders_of(match) if order.verb == name)


def fighting() -> Match:
    """The printed example of Bautzen 8.2, about to be fought."""
    match = begin("weissenberg")
    match.answer(("end",))
    return match


# ------------------------------------------------------------------ how it stands


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_match_is_shown_at_every_moment_in_both_languages(name: str) -> None:
    for number, match in enumerate(moments(name)):
        for lang in LANGS:
            data = written(match_json(match, lang))
            if number % EVERY == 0:
                assert written(log_json(match, lang)) is not None
        pieces = {piece["name"]: piece for piece in msgspec.convert(data["pieces"], list[Json])}
        shown = shown_board(match, viewer(match)).pieces
        assert set(pieces) == {piece.name for piece in shown}
        assert len(pieces) == len(match.field.scenario.forces)
        assert (data["asking"] is None) == (data["verdict"] is not None)
        assert (data["fight"] is None) == (match.play is None)
        for piece in shown:
            at = None if piece.at is None else match.board.map.number(piece.at)
            assert (pieces[piece.name]["hex"], pieces[piece.name]["steps"]) == (at, piece.steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", soaked(SCENARIOS, "bautzen-1945"))
def test_what_is_offered_is_legal(name: str) -> None:
    for match in moments(name):
        asking, ask = written(asking_json(match, "en")), match.asking
        match ask:
            case None:
                assert asking is None
            case Order():
                for order in orders_of(match):
                    check_order(match, ask, order)
            case Roll():
                assert (asking["ask"], asking["dice"]) == ("roll", ask.dice.count)
            case Choose():
                assert asking["side"] == match.asked
                options = msgspec.convert(asking["options"], list[Json])
                assert [from_plain(o["answer"]) for o in options] == list(ask.options)
                if asking["hexes"]:
                    assert all(match.board.map.has(str(o["answer"])) for o in options)
            case Commit():
                ours, theirs = msgspec.convert(asking["sides"], list[Json])
                assert (ours["id"], theirs["id"]) == match.roles
                assert len(msgspec.convert(ours["options"], list[Json])) == len(ask.attacker)


def check_order(match: Match, ask: Order, order: VerbJson) -> None:
    """Each unit that is named as able has an order, and so has each pair."""
    units, pairs = order.units or [], order.pairs or {}
    names = {piece.name for piece in match.board.pieces}
    legal = [words[1:] for words in ask.orders.all() if words[0] == order.verb]
    assert set(units) <= names
    assert set(units) <= {word for words in legal for word in words}
    assert set(pairs) <= {words[0] for words in legal if words}
    together = {(words[0], word) for words in legal if words for word in words[1:]}
    assert {(first, word) for first, rest in pairs.items() for word in rest} <= together


def test_what_a_phase_allows_is_said_with_who_may_do_it() -> None:
    match = fighting()
    assert [order.verb for order in orders_of(match)] == ["end", "attack"]
    attack = verb(match, "attack")
    assert attack.takes == ["hex", "units"]
    pairs = attack.pairs or {}
    # 8.1: those adjacent to Weissenberg, and the HQ and guns in range of them
    assert {"21/20Pz", "59/20Pz", "112/20Pz"} <= set(pairs["1910"])
    assert "861/294" not in pairs["1910"]


def test_a_unit_that_has_moved_is_not_offered_again() -> None:
    match = begin("weissenberg")
    assert "21/20Pz" in (verb(match, "move").units or [])
    match.answer(("move", "21/20Pz", "1811"))
    assert "21/20Pz" not in (verb(match, "move").units or [])


@pytest.mark.slow
def test_every_verb_has_its_words_in_both_languages() -> None:
    seen = {}
    for name in SCENARIOS:
        for match in moments(name):
            if isinstance(match.asking, Order):
                for lang in LANGS:
                    asking = written(asking_json(match, lang))
                    for order in msgspec.convert(asking["orders"], list[Json]):
                        seen[name, order["verb"], lang] = order["text"]
    assert all(seen.values())
    assert seen["weissenberg", "attack", "fr"] == "attaquer"
    assert seen["steppe", "fire", "en"] == "direct fire"


def test_the_objectives_are_shown_with_their_holders_and_points() -> None:
    data = written(match_json(begin("weissenberg"), "en"))
    objectives = msgspec.convert(data["objectives"], list[Json])
    assert objectives[0] == {
        "hex": "1910",
        "points": 5,
        "text": "Weissenberg",
        "holder": "allied",
    }
    sides = msgspec.convert(data["sides"], list[Json])
    assert [(side["mark"], side["points"]) for side in sides] == [("■", 0), ("○", 9)]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_listed_with_its_sides_and_options(name: str) -> None:
    found = scenario.load(name)
    for lang in LANGS:
        data = written(scenario_json(found, game.card(found.game), lang))
        assert data["name"] == found.name.in_(lang)
        assert [side["mark"] for side in msgspec.convert(data["sides"], list[Json])] == ["■", "○"]
        for option in msgspec.convert(data["options"], list[Json]):
            choices = [choice["id"] for choice in msgspec.convert(option["choices"], list[Json])]
            assert option["chosen"] in choices


# ------------------------------------------------------------------ what happened


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_IF_LARGE)
def test_the_log_since_an_entry_is_the_end_of_the_whole_log(name: str) -> None:
    match = [*moments(name, 3)][-1]
    whole = log_json(match, "en")
    numbers = [entry.n for entry in whole]
    assert numbers == sorted(set(numbers))
    for since in (0, 1, len(match.log) // 2, len(match.log)):
        assert log_json(match, "en", since) == [e for e in whole if e.n >= since]


def test_the_log_names_sides_of_the_match_not_roles() -> None:
    match = fighting()
    match.answer(("attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"))
    match.answer(("QG 294 RD",))
    match.answer(((0, 0), (0, 0)))
    match.answer((4,))
    log = [written(entry) for entry in log_json(match, "en")]
    asked = {str(entry["entry"]): entry for entry in log}
    assert asked["order"]["answer"] == ["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"]
    assert (asked["choose"]["side"], asked["choose"]["answer"]) == ("allied", ["QG 294 RD"])
    assert set(msgspec.convert(asked["commit"]["answers"], dict[str, str])) == {"german", "allied"}
    assert asked["roll"]["dice"] == [4]
    sides = {(entry["role"], entry["side"]) for entry in log if "role" in entry}
    assert sides == {("attacker", "german"), ("defender", "allied")}


# ------------------------------------------------------------------ looking


def test_a_unit_is_shown_with_its_ways_supply_and_zone() -> None:
    match = begin("weissenberg")
    data = written(unit_json(match, "687/615", "en"))
    ways = {way["hex"]: way for way in msgspec.convert(data["reach"], list[Json])}
    assert ways["1811"]["cost"] == "2"  # 1812, then by road
    assert data["hex"] not in ways
    assert data["moves"] == {"possible": True, "reason": None}
    supply = msgspec.convert(data["supply"], dict[str, object])
    path = msgspec.convert(supply["path"], list[str])
    assert supply["traced"]
    assert path[0] == data["hex"]
    assert path[-1] in ("1713", "1812", "1913")  # the sources of the Germans
    around = match.board.map.around[match.board.map.hex(str(data["hex"]))]
    assert sorted(msgspec.convert(data["zoc"], list[str])) == sorted(
        map(match.board.map.number, around)
    )


def test_every_way_that_is_shown_can_be_ordered() -> None:
    match = begin("weissenberg")
    ask = match.asking
    assert isinstance(ask, Order)
    for unit in verb(match, "move").units or []:
        for way in unit_json(match, unit, "en").reach:
            ask.orders.check(("move", unit, way.hex))
            ask.orders.check(("move", unit, *way.path[1:]))


@pytest.mark.parametrize(
    ("before", "unit", "reason"),
    [
        ([("move", "21/20Pz", "1811")], "21/20Pz", "has moved already"),
        ([], "861/294", "not yours"),
        ([("end",)], "21/20Pz", "do not move in this phase"),
    ],
)
def test_a_unit_that_may_not_move_says_why(
    before: list[tuple[str, ...]], unit: str, reason: str
) -> None:
    match = begin("weissenberg")
    for order in before:
        match.answer(order)
    moves = unit_json(match, unit, "en").moves
    assert not moves.possible
    assert reason in str(moves.reason)


def test_a_unit_cut_off_shows_what_cuts_it() -> None:
    match = begin("weissenberg")
    field, board = match.field, match.board
    corner = board.map.hex("1808")
    alone = board.moved(["21/20Pz"], corner)
    cut = field.supply(alone, alone.piece("21/20Pz"))
    match.board = alone
    supply = unit_json(match, "21/20Pz", "en").supply
    assert supply.traced == cut.traced
    assert supply.cut_by == [board.map.number(hex_) for hex_ in cut.cut_by]


def test_an_attack_is_looked_at_as_it_will_be_fought() -> None:
    """The conditions are those of the example printed with 8.2: the whole formation attacks."""
    match = fighting()
    before = (match.board, list(match.log), match.asking)
    units = ("21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK", "777")
    look = written(look_json(match, None, "1910", units, "en"))
    assert (match.board, match.log, match.asking) == before
    assert look["by"] == "german"
    told = {str(line["id"]) for line in msgspec.convert(look["lines"], list[Json])}
    assert "formation-attacks" in told
    fight = msgspec.convert(look["fight"], dict[str, object])
    match.answer(("attack", "1910", *units))
    for assumed in msgspec.convert(look["assumed"], list[Json]):
        match.answer(from_plain(assumed["answer"]))
    assert match.play is not None
    assert fight["stated"] == written(stated_json(match.play.start))
    again = stated_fight(msgspec.convert(fight["stated"], dict[str, object]))
    assert again.case.setup == match.play.start.case.setup
    assert again.case.options == match.play.start.case.options


@pytest.mark.parametrize("name", SLOW_IF_LARGE)
def test_looking_at_any_attack_foretells_its_fight(name: str) -> None:
    looked = 0
    for match in moments(name, 1):
        ask = match.asking
        if not isinstance(ask, Order) or looked > 20:
            continue
        aimed = [o for o in ask.orders.all() if len(o) > 2 and match.board.map.has(o[1])]
        for order in aimed[:2]:
            look = look_json(match, order[0], order[1], order[2:], "fr")
            stated = written(look.fight.stated)
            assert stated_fight(stated).case.card.id == match.field.card.id
            assert look.by in {side.id for side in match.field.scenario.sides}
            looked += 1
    assert looked


@pytest.mark.parametrize(
    ("target", "units", "words"),
    [
        ("1910", ("QG 20 Pz",), "no unit attacks"),
        ("1811", ("21/20Pz",), "no enemy in 1811"),
        ("1910", ("687/615",), "not adjacent"),
        ("1910", ("861/294",), "not yours"),
        ("9999", ("21/20Pz",), "no hex 9999"),
        ("1910", (), "not an order here"),
    ],
)
def test_an_attack_that_is_not_legal_is_refused_with_the_reason(
    target: str, units: tuple[str, ...], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        look_json(fighting(), None, target, units, "en")


def test_nothing_is_looked_at_where_nothing_is_attacked() -> None:
    match = begin("weissenberg")
    with pytest.raises(Refusal, match="nothing is attacked"):
        look_json(match, None, "1910", ("21/20Pz",), "en")
    match.answer(("end",))
    match.answer(("attack", "1910", "21/20Pz"))
    with pytest.raises(Refusal, match="no order is asked"):
        look_json(match, None, "1910", ("21/20Pz",), "en")


# ------------------------------------------------------------------ who answers


def test_a_side_that_plays_itself_answers_its_own_questions_and_rolls() -> None:
    match = fighting()
    assert plays_itself(match, Seats(("german",)))
    assert not plays_itself(match, Seats(("allied",)))
    match.answer(("attack", "1910", "112/20Pz"))  # the defender is asked for his support
    assert plays_itself(match, Seats(("allied",)))
    match.answer(("QG 294 RD",))
    assert isinstance(match.asking, Commit)
    assert plays_itself(match, Seats(("german", "allied")))
    assert not plays_itself(match, Seats(("allied",)))
    assert plays_itself(match, Seats(("allied",), given=("german",)))
    match.answer(((0, 0), (0, 0)))
    assert isinstance(match.asking, Roll)  # the attacker's
    assert plays_itself(match, Seats(("german",)))
    assert not plays_itself(match, Seats(("allied",)))


def test_what_lies_beside_the_map_has_a_name_where_a_player_may_use_it() -> None:
    """Normandy: what aircraft and ships may do this turn; the weather has its own line."""
    match = begin("carrefour")
    stores = {one.id: written(one) for one in match_json(match, "fr").stores}
    assert stores["naval"] == {
        "id": "naval",
        "text": "soutiens navals",
        "left": 1,
    }
    assert "weather" not in stores


def test_words_of_orders_have_names_and_hexes_and_units_keep_theirs() -> None:
    card = game.card("normandy")
    assert word_text(card, "supply-point", "fr") == "point de ravitaillement"
    assert word_text(card, "us", "en") == "for the US army"
    assert word_text(card, "0503", "fr") == "0503"
    assert word_text(card, "8/4", "fr") == "8/4"

"""Hidden stacks: what a side sees, in every face, and what it is not told."""

import re
from pathlib import Path

import pytest

from grognard import Refusal
from grognard.cli.match_story import recap_lines
from grognard.draw.json.frames import frames_json
from grognard.draw.json.match import match_json
from grognard.draw.json.match_log import log_json
from grognard.draw.json.match_preview import look_json, unit_json
from grognard.draw.json.steps import recap_json
from grognard.draw.svg import map as svg_map
from grognard.draw.text import map as text_map
from grognard.maps.board import FACE_DOWN
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.matches.recap import Reader, recap_events, seen_boards
from grognard.matches.sight import hidden_from, shown_board, viewer
from grognard.rules.ask import Choose
from grognard.rules.fight import units_of
from tests.command import run
from tests.web.serving import client

NAME = "bautzen-1945"


def deployed(**options: str) -> Match:
    """Begin a match; 861/294 lies on top of the stack of Weissenberg (1910), its HQ under it."""
    match = begin(NAME, options)
    for name in ("861/294", "QG 294 RD"):
        match.answer(("place", name, "1910"))
    match.answer(END)
    match.answer(END)
    return match


def test_the_viewer_is_the_only_person_or_whose_turn_it_is() -> None:
    match = deployed()
    assert match.asked == "german"
    assert viewer(match) == "german"
    assert viewer(match, ["german"]) == "allied"
    assert viewer(match, ["allied"]) == "german"
    assert viewer(match, ["german", "allied"]) is None


def test_the_enemy_sees_the_top_counter_and_how_many_lie_under_it() -> None:
    match = deployed()
    hex_ = match.board.map.hex("1910")
    assert [piece.name for piece in match.board.stack(hex_)] == ["861/294", "QG 294 RD"]
    seen = shown_board(match, "german").stack(hex_)
    assert [(p.name, p.kind) for p in seen] == [("861/294", "infantry"), ("1910.1", FACE_DOWN)]
    assert shown_board(match, "allied").stack(hex_) == match.board.stack(hex_)
    assert shown_board(match, None) is match.board


def test_stacks_beside_an_occupied_dominant_position_are_open() -> None:
    match = deployed()
    board = match.board.moved(["21/20Pz"], match.board.map.hex("1811"))  # 1810 and 1911 beside it
    board = board.moved(["861/294", "QG 294 RD"], board.map.hex("1810"))
    assert "QG 294 RD" not in match.field.hidden(board, "german")
    gone = board.moved(["21/20Pz"], board.map.hex("1913"))
    assert "QG 294 RD" in match.field.hidden(gone, "german")


def test_open_stacks_by_option() -> None:
    match = deployed(hidden_stacks="open")
    assert hidden_from(match, "german") == frozenset()
    with pytest.raises(Refusal, match="not yours to use here"):
        match.answer(("top", "112/20Pz"))


def test_the_owner_chooses_the_top() -> None:
    match = begin(NAME)
    for name in ("861/294", "QG 294 RD"):
        match.answer(("place", name, "1910"))
    match.answer(("top", "QG 294 RD"))
    assert match.board.stack(match.board.map.hex("1910"))[0].name == "QG 294 RD"
    with pytest.raises(Refusal, match="lies under no other counter"):
        match.answer(("top", "QG 294 RD"))
    match.answer(END)
    with pytest.raises(Refusal, match="not yours to use here"):
        match.answer(("top", "861/294"))
    match.answer(END)
    assert "861/294" in hidden_from(match, "german")
    again = Match(match.field, match.answers)
    assert again.board == match.board


# ------------------------------------------------------------------ nothing tells


def test_no_face_names_a_hidden_counter() -> None:
    match = deployed()
    hidden = hidden_from(match, "german")
    assert "QG 294 RD" in hidden
    scenario, board = match.field.scenario, shown_board(match, "german")
    faces = {
        "pieces": str([p.name for p in match_json(match, "en").pieces]),
        "log": str(log_json(match, "en")),
        "svg": svg_map.pieces(board, scenario, "en"),
        "text": "\n".join(text_map.draw(board, scenario, "en")),
    }
    for face, told in faces.items():
        assert "861/294" in told, face
        assert not [name for name in hidden if f"{name}'" in told or f"{name}<" in told], face
    assert "face-down" in faces["svg"]
    with pytest.raises(Refusal, match="hidden"):
        unit_json(match, "QG 294 RD", "en")
    with pytest.raises(Refusal, match="hidden"):
        unit_json(match, "1910.1", "en")
    assert unit_json(match, "QG 294 RD", "en", ["german"]).name == "QG 294 RD"


def test_odds_use_what_the_attacker_sees_and_say_so() -> None:
    match = begin(NAME)
    for name in ("776/214", "QG 214 RD"):
        match.answer(("place", name, "2108"))
    match.answer(END)
    match.answer(("place", "KG 72", "2109"))
    match.answer(END)
    match.answer(END)  # movement
    assert isinstance(match.asking, Order)
    assert match.asking.phase == "phase-combat"
    seen = look_json(match, "attack", "2108", ("KG 72",), "en")
    assert "QG 214 RD" not in str(seen.fight)
    assert seen.left_out == "hidden counters are left out, 1 of them in 2108"
    match.answer(("attack", "2108", "KG 72"))
    while match.play is None:
        assert isinstance(match.asking, Choose)
        match.answer(match.asking.options[0])
    told = [unit.name for unit in units_of(match.play.start, "defender")]
    assert {"776/214", "QG 214 RD"} <= set(told)  # an attacked stack is open


def test_the_page_and_the_interface_show_a_person_his_side(tmp_path: Path) -> None:
    with client(tmp_path / "matches.db") as browser:
        made = browser.post("/api/matches", json={"scenario": NAME, "autos": []}).json()
        address = f"/api/matches/{made['id']}"
        for order in (["place", "861/294", "1910"], ["place", "QG 294 RD", "1910"], ["end"]):
            body = {"version": made["version"], "answer": order}
            made = browser.post(f"{address}/answers", json=body).json()
        # Now the Germans are asked: what the Allies have placed is seen from above.
        names = {piece["name"] for piece in browser.get(address).json()["pieces"]}
        assert "861/294" in names
        assert "QG 294 RD" not in names
        page = browser.get(f"/matches/{made['id']}").text
        assert 'data-unit="861/294"' in page
        assert 'data-unit="QG 294 RD"' not in page
        answer = browser.get(f"{address}/unit", params={"name": "QG 294 RD"})
        assert answer.status_code == 422
        assert "hidden" in answer.json()["refusal"]


def test_the_terminal_shows_a_person_his_side() -> None:
    result = run("play", NAME, "--auto", "allied", "--seed", "1", stdin="quit\n")
    assert result.exit_code == 0, result.output
    assert "○?" in result.output or ", ?" in result.output
    assert "place QG 294 RD" not in result.output


def test_a_recap_and_its_frames_do_not_name_a_hidden_counter() -> None:
    match = deployed()
    match.answer(END)
    match.answer(END)
    while not isinstance(match.asking, Order) or match.asked != "allied":
        assert isinstance(match.asking, Choose)
        match.answer(match.asking.options[0])
    unit = next(
        piece.name
        for piece in match.asking.orders.pieces()
        if piece.name in match.field.hidden(match.board, "german")
        and any(match.asking.orders.moves(piece))
    )
    match.answer(next(iter(match.asking.orders.moves(match.board.piece(unit)))))
    for _ in range(60):
        if isinstance(match.asking, Order):
            if match.asked == "german":
                break
            match.answer(END)
        else:
            assert isinstance(match.asking, Choose)
            match.answer(match.asking.options[0])
    hidden = hidden_from(match, "german")
    told = recap_json(match, Reader(["allied"]), "en")
    assert any(move.unit == "?" for step in told.steps for move in step.moves)
    boards = seen_boards(match, recap_events(match, ["allied"]), "german")
    frames = frames_json(boards, match.field.scenario, "en")
    lines = list(recap_lines(told, match.field.scenario, "en"))
    for face in (str(told), str(lines), str(frames)):
        assert not [name for name in hidden if re.search(rf"(?<!\w){re.escape(name)}['<:, ]", face)]
    # Who plays both sides, or the automatic player alone, is shown everything.
    everything = frames_json([match.board], match.field.scenario, "en")
    assert hidden <= {drawing.unit for drawing in everything.drawings}

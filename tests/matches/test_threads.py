"""Matches of one scenario played at once, each in a thread of its own: none disturbs another."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from grognard.fights.record import from_plain
from grognard.maps import scenario
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import Match, begin, new_field, saved
from grognard.matches.protocol import END, Order
from grognard.testing.random_matches import any_answer
from tests.matches.test_random_matches import SCENARIOS

THREADS = 4
SWITCH = 1e-5  # seconds after which Python lets another thread run; 5 ms unless set
HURRY = 0.3  # how often a phase is ended


@pytest.fixture(autouse=True)
def _switching_often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Switch threads often, and also in the middle of every look-up: each reads the stacks."""
    stacks = Board.stacks

    def give_way(board: Board) -> Mapping[Hex, tuple[Piece, ...]]:
        time.sleep(SWITCH)
        return stacks(board)

    monkeypatch.setattr(Board, "stacks", give_way)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    yield
    sys.setswitchinterval(usual)


def check_answers(match: Match, random: Random) -> None:
    """Compare what the match's field answers with a field that nobody else has used."""
    board, used, fresh = match.board, match.field, new_field(match.field.scenario)
    sides = [side.id for side in used.scenario.sides]
    questions = [(what, side) for what in (Field.zoc, Field.occupied, Field.shut) for side in sides]
    for what, side in random.sample(questions, len(questions)):
        assert what(used, board, side) == what(fresh, board, side), (what.__name__, side)
        time.sleep(SWITCH)
    piece = random.choice([piece for piece in board.pieces if piece.at is not None])
    assert used.reach(board, piece) == fresh.reach(board, piece)


def play(name: str, seed: int, most: int) -> Match:
    """Begin a match and answer at random; check the field before each order."""
    random, match = Random(seed), begin(name)
    for _ in match.field.scenario.deploys:
        match.answer(END)  # the usual set-up
    for _ in range(most):
        if match.asking is None:
            break
        if isinstance(match.asking, Order):
            check_answers(match, random)
        match.answer(any_answer(match.asking, random, HURRY))
    return match


def play_at_once(name: str, seeds: range, most: int) -> None:
    """Play matches at once; each must replay on a fresh field to the same board."""
    with ThreadPoolExecutor(THREADS) as threads:
        playing = [threads.submit(play, name, seed, most) for seed in seeds]
        matches = [match.result() for match in playing]
    for match in matches:
        again = Match(new_field(scenario.own(name)), map(from_plain, saved(match).answers))
        assert again.answers == match.answers
        assert again.board.pieces == match.board.pieces
        assert again.board.holders == match.board.holders


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_matches_of_a_scenario_do_not_disturb_each_other(name: str) -> None:
    play_at_once(name, range(THREADS), most=60)


@pytest.mark.soak
@pytest.mark.parametrize("name", SCENARIOS)
def test_many_whole_matches_of_a_scenario_do_not_disturb_each_other(name: str) -> None:
    play_at_once(name, range(40), most=5000)


_FIRST_USE = """
import sys
from threading import Barrier, Thread
together, done = Barrier(4), []
def use(name):
    together.wait()
    from grognard.matches.match import begin, read_match, saved, written_match
    import msgspec
    read_match(msgspec.json.decode(written_match(saved(begin(name)))))
    done.append(name)
sys.setswitchinterval(1e-6)
threads = [Thread(target=use, args=(name,)) for name in sys.argv[1:]]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(len(done) != len(threads))
"""


@pytest.mark.slow
@pytest.mark.parametrize("run", range(4))
def test_the_first_use_may_be_in_several_threads(run: int) -> None:
    """A fresh process imports, loads and saves in four threads at once (a third of such
    processes crashed)."""
    names = (SCENARIOS[run:] + SCENARIOS[:run])[:4]
    subprocess.run([sys.executable, "-c", _FIRST_USE, *names], check=True, timeout=120)

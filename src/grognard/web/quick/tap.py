"""Taps on the quick-combat page: its state, and rolls, answers, corrections and undo."""

from random import SystemRandom

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grognard.draw.json.structs import PostedAnswer
from grognard.fights.opening import opening
from grognard.fights.play import Play
from grognard.fights.record import from_plain, plain
from grognard.rules.ask import Roll
from grognard.study import player_sheet
from grognard.web.quick.shown_units import StatedJson, fight_on
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Tap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The state of the page, and what was tapped in the fight."""

    fight: StatedJson = msgspec.field(default_factory=dict)
    open: tuple[str, ...] = ()  # ids of the open folds; closed ones are not filled in
    answers: tuple[PostedAnswer, ...] = ()
    beside: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)  # list -> supporters
    typed: tuple[int, ...] = ()  # the answers that are dice typed in: they can be corrected
    attacker: str = "best"  # doctrines for the odds
    defender: str = "best"
    roll: bool = False
    undo: bool = False
    answer: PostedAnswer = None
    at: int | None = None  # the typed dice that the answer replaces, with all that followed


def play_of(game_id: str, procedure: str, tap: Tap) -> Play:
    """Set up the stated fight, and give the answers so far."""
    fight = fight_on(game_id, player_sheet.load(game_id).sheet(procedure), tap.fight)
    return Play(fight, [from_plain(answer) for answer in tap.answers], opening(fight))


def tapped(game_id: str, procedure: str, tap: Tap) -> Tap:
    """Do what was tapped in the fight: roll, answer, correct typed dice or undo."""
    if not (tap.roll or tap.undo or tap.answer is not None):
        return replace(tap, at=None)
    play = play_of(game_id, procedure, _before_correction(tap))
    typed = tuple(place for place in tap.typed if place < len(play.given))
    if tap.undo:
        play.undo()
    elif tap.answer is not None:
        if isinstance(play.asking, Roll):
            typed = (*typed, len(play.given))
        play.answer(from_plain(tap.answer))
    elif isinstance(play.asking, Roll):
        play.answer(play.asking.dice.draw(SystemRandom()))
    else:
        raise Refusal(say("no dice are asked for here"))
    answers = tuple(plain(given.answer) for given in play.given)
    return replace(tap, answers=answers, typed=typed, roll=False, undo=False, answer=None, at=None)


def _before_correction(tap: Tap) -> Tap:
    """Take typed dice back that are to be corrected, with everything after them."""
    if tap.at is None:
        return tap
    if tap.answer is None or tap.at not in tap.typed:
        raise Refusal(say("only dice that were typed in can be corrected"))
    return replace(tap, answers=tap.answers[: tap.at])

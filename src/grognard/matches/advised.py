"""What is known of the answers to the open question of a match: odds, and units eliminated."""

from functools import partial

from grognard.fights.advised import Advised, eliminations, with_places
from grognard.fights.play import Play
from grognard.maps.board import Board
from grognard.matches.before_fight import match_advice
from grognard.matches.match import Match, run_on
from grognard.matches.protocol import END, Order, Roles
from grognard.rules.ask import Answer
from grognard.rules.fight import Fight
from grognard.rules.line import Line


def match_advised(match: Match, attacker: str = "best", defender: str = "best") -> Advised:
    """Find out what the answers to the open question lead to."""
    ask, ahead = match.asking, match_advice(match, attacker, defender)
    if ask is None or isinstance(ask, Order):
        return Advised(ahead)
    if match.play is not None:
        placed = None if ahead is None else with_places(match.play, ahead)
        return Advised(placed, eliminations(ask, match.play.told_by))
    if match.fought is None or match.ordered is None or match.ordered[1] == END:
        return Advised(ahead)  # before a fight, or at the end of a phase
    return Advised(ahead, eliminations(ask, partial(_told_by, match)))


def _told_by(match: Match, answer: Answer) -> list[Line]:
    """Carry the present order out again, through its fights, and give the lines that an answer to
    its open question brings."""
    lines: list[Line] = []
    if match.ordered is None:
        return lines
    ask, order, given = match.ordered
    answers = [*given, answer]

    def note(told: Line | Board | Roles) -> None:
        if isinstance(told, Line):
            lines.append(told)

    playing, sent = match.field.carry_out(ask.board, ask.side, order), None
    while (said := run_on(playing, sent, note)) is not None and answers:
        sent = _fought(said, answers) if isinstance(said, Fight) else answers.pop(0)
        lines.clear()
    playing.close()
    return lines


def _fought(fight: Fight, answers: list[Answer]) -> Play:
    """Resolve a fight with the answers that were given in it."""
    play = Play(fight)
    while play.asking is not None:
        play.answer(answers.pop(0))
    return play

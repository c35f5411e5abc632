"""What is known of the answers to the open question of a match: odds, and units eliminated."""

from functools import partial
from itertools import takewhile

from grognard.fights.advised import Advised, eliminations, with_places, with_risks
from grognard.fights.play import Play
from grognard.fights.question_count import QuestionNumber
from grognard.maps.board import Board
from grognard.matches.before_fight import match_advice
from grognard.matches.match import Match, Reply, run_on
from grognard.matches.protocol import END, Order, Roles
from grognard.rules.ask import Answer, Choose, Commit
from grognard.rules.fight import Fight
from grognard.rules.line import Line


def match_advised(match: Match, attacker: str = "best", defender: str = "best") -> Advised:
    """Find out what the answers to the open question lead to."""
    ask, ahead = match.asking, match_advice(match, attacker, defender)
    if ask is None or isinstance(ask, Order):
        return Advised(ahead)
    number = _number(match)
    if match.play is not None:
        if ahead is not None:
            placed = with_places(match.play, ahead)
            ahead = with_risks(match.play, placed, (attacker, defender))
        return Advised(ahead, eliminations(ask, match.play.told_by), number)
    if match.fought is None or match.ordered is None or match.ordered[1] == END:
        return Advised(ahead, number=number)  # before a fight, or at the end of a phase
    return Advised(ahead, eliminations(ask, partial(_told_by, match)), number)


def _number(match: Match) -> QuestionNumber:
    """Number the open decision since the last order; more may come, on the map too."""
    replies = (entry for entry in reversed(match.log) if isinstance(entry, Reply))
    since = takewhile(lambda reply: not isinstance(reply.ask, Order), replies)
    return QuestionNumber(1 + sum(isinstance(reply.ask, Choose | Commit) for reply in since))


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

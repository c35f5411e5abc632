"""Fights of White October for tests."""

from collections.abc import Mapping

from grognard.fights.play import Play
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight, Outcome
from grognard.rules.game import load

GAME = load("white-october")
Stated = dict[str, object]
Options = Mapping[str, str]


def unit(name: str, **changes: object) -> Stated:
    return {"name": name, "pe": 3, "strength": 4, "quality": 4, "morale": 4, **changes}


def fight(options: Options | None = None, /, **stated: object) -> Fight:
    """One unit against its equal, unless stated otherwise: 1/1, no modifier."""
    stated = {"attackers": [unit("a")], "defenders": [unit("d")], **stated}
    return GAME.fight(stated, options=options or {})


def at(
    column: int, ours: int, theirs: int, options: Options | None = None, /, **stated: object
) -> Play:
    """Roll so that the modified dice are `column`, with these dominant morales."""
    stated = {"attacker_morale": ours, "defender_morale": theirs, **stated}
    others = fight(options, **stated).explain().die_modifier
    play = fight(options, **stated, hq_bonus=column - 7 - others).play()
    play.answer((3, 4))
    return play


def asked(play: Play) -> tuple[str, str, tuple[Answer, ...]]:
    assert isinstance(play.asking, Choose)
    return play.asking.side, play.asking.what, play.asking.options


def end(play: Play, *answers: Answer) -> Outcome:
    for answer in answers:
        play.answer(answer)
    return play.outcome


def told(play: Play) -> list[str]:
    return [entry.line.id for entry in play.told]


MIXED = [
    unit("a", pe=3, quality=6, morale=5),
    unit("b", pe=2, quality=4, morale=3),
    unit("c", pe=2, quality=4, morale=3),
]

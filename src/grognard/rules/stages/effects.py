"""What a result does, one thing a run; equal fights merge in between."""

from fractions import Fraction

from msgspec.structs import replace

from grognard.card.effects import Effect, parse_does
from grognard.card.rows import SIDES, Side
from grognard.rules.ask import Asking, choose
from grognard.rules.rolls import look_up
from grognard.rules.stages.losses import eliminate, exchange, lose, pay, take
from grognard.rules.stages.retreat import go, retreat
from grognard.rules.stages.state import CardFight, before_all, row_of, sides_of
from grognard.rules.stages.table import rolled_on
from grognard.rules.stages.unit_checks import all_check, check, into_state


def consequences(fight: CardFight) -> Asking[CardFight]:
    """Do the next thing that is to be done, and leave the others for the next run."""
    if not fight.todo:
        return fight
    words, fight = fight.todo[0], replace(fight, todo=fight.todo[1:])
    fight = yield from (_work(fight, words[1:].split()) if words[0] == "!" else _way(fight, words))
    if not fight.todo:
        return replace(fight, column=0, called=(), pending=())
    return replace(fight, pending=("effects",))


def _work(fight: CardFight, words: list[str]) -> Asking[CardFight]:
    """Go on with something that was begun: a check, an exchange, a retreat."""
    side: Side = "attacker" if words[1] == "attacker" else "defender"
    match words[0]:
        case "check":
            return (yield from check(fight, side, int(words[2]), words[3], int(words[4])))
        case "pay":
            return (yield from pay(fight, side, Fraction(words[2]), words[3], int(words[4])))
        case "take":
            by: Side = "attacker" if words[3] == "attacker" else "defender"
            return (yield from take(fight, side, int(words[2]), by, int(words[4])))
    return (yield from go(fight, side, int(words[2])))


def _way(fight: CardFight, words: str) -> Asking[CardFight]:
    """Begin the first effect of a result; where it offers ways, the side chooses first."""
    does = parse_does(words)
    if len(does.ways) > 1:
        options = tuple(" and ".join(map(str, way)) for way in does.ways)
        rule = row_of(fight.case).rule
        chosen = yield from choose(does.decider(), "which-way", options, rule)
        return before_all(fight, chosen)
    first, *others = does.ways[0]
    if others:
        return before_all(fight, str(first), *map(str, others))
    return (yield from _effect(fight, first))


def _effect(fight: CardFight, effect: Effect) -> Asking[CardFight]:
    match effect.kind:
        case "nothing":
            return fight
        case "exchange":
            return (yield from exchange(fight, effect))
        case "read":
            return (yield from _read(fight, effect.word))
        case "advance":
            return _advance(fight, effect)
    sides = sides_of(effect)
    if len(sides) > 1:
        return before_all(fight, *(str(replace(effect, side=side)) for side in sides))
    return (yield from _of_side(fight, effect, sides[0]))


def _of_side(fight: CardFight, effect: Effect, side: Side) -> Asking[CardFight]:
    match effect.kind:
        case "lose":
            return (yield from lose(fight, effect, side))
        case "eliminate":
            return (yield from eliminate(fight, side))
        case "retreat":
            return (yield from retreat(fight, effect, side))
        case "state":
            return (yield from into_state(fight, effect, side))
    return all_check(fight, effect, side)


def _advance(fight: CardFight, effect: Effect) -> CardFight:
    sides = sides_of(effect)
    ours, theirs = (
        effect.word if side in sides else now
        for side, now in zip(SIDES, fight.advance, strict=True)
    )
    return replace(fight, advance=(ours, theirs))


def _read(fight: CardFight, id_: str) -> Asking[CardFight]:
    """Roll on another table, in the same column where it has several, with its own modifiers."""
    table = fight.case.card.table(id_)
    _, shift, added = next(called for called in fight.called if called.table == id_)
    yield from (*shift.lines, *added.lines)
    rolled = yield from rolled_on(table, "table-roll", added.value, table=table.text)
    column = table.within(fight.column + shift.value)
    codes = yield from look_up(fight.case, id_, rolled, added.value, column)
    does = (str(parse_does(table.legend[code].does)) for code in codes)
    return before_all(fight, *(words for words in does if words != "nothing"))

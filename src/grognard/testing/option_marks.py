"""Check that every option which decides a fight or a match marks a line of it with its reading."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Reading
from grognard.fights.odds import direct_odds
from grognard.fights.play import Play
from grognard.matches.marks import match_marks
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import Order, Roles
from grognard.rules.ask import Answer, Ask, Choose
from grognard.rules.fight import Case, Fight
from grognard.rules.line import Line
from grognard.rules.watched_options import WatchedOptions
from grognard.words.refusal import Refusal

# What a player sees of a fight, as a value that can be compared.
View = Callable[[Fight], object]


def unmarked(fight: Fight, plays: Sequence[Play]) -> Iterator[str]:
    """Describe the options that decide a fight, while no line carries their reading.

    An option decides if another choice of it gives another explanation, other odds, or another
    course of a play with the same answers. What it changes must show its mark.
    """
    lines, odds = fight.explain().lines, fight.odds()
    views: list[tuple[str, View, set[str]]] = [
        ("the explanation", _explained, _marks(lines)),
        ("the odds", _chances, _marks((*lines, *odds.doubts))),
    ]
    for play in plays:
        views.append(("a play", partial(_played, play=play), _marks(t.line for t in play.told)))
    others = [*_other_choices(fight)]
    for name, view, marks in views:
        ours = view(fight)
        for option, choice, other in others:
            if option not in marks and _seen(other, view) != ours:
                yield f"option {option} = {choice} changes {name}, but no line has its reading"


def _other_choices(fight: Fight) -> Iterator[tuple[str, str, Fight | None]]:
    """Set the fight up under every other choice of each option that its rules look at."""
    options, looked_at = fight.case.options, _looked_at(fight)
    for option in fight.case.card.options:
        if option.id in looked_at:
            for choice in option.choices:
                if choice.id != options[option.id]:
                    yield option.id, choice.id, _again(fight, {**options, option.id: choice.id})


def _again(fight: Fight, options: Mapping[str, str]) -> Fight | None:
    """Set up the same fight under other options; None where they refuse it."""
    case, procedure = fight.case, fight.case.procedure
    try:
        procedure.check(case.setup, case.card, options)
        return procedure.start(Case(case.card, options, case.setup, procedure))
    except Refusal:
        return None


def _looked_at(fight: Fight) -> set[str]:
    """Name the options that the rules look at anywhere in a fight, whatever the answers."""
    options = WatchedOptions(fight.case.options)
    watched = _again(fight, options)
    if watched is not None:
        direct_odds(watched)
    return options.looked_at


def _seen(fight: Fight | None, view: View) -> object:
    """Look at a fight; None where its options refuse it."""
    try:
        return None if fight is None else view(fight)
    except Refusal:
        return None


def _explained(fight: Fight) -> object:
    return _plain(fight.explain().lines)


def _chances(fight: Fight) -> object:
    return fight.odds().weights


def _played(fight: Fight, play: Play) -> object:
    """Play with the answers of another play, as far as the same questions are asked."""
    again = Play(fight)
    for given in play.given:
        if _question(again.asking) != _question(given.ask):
            break
        again.answer(given.answer)
    asked = [_question(given.ask) for given in again.given]
    return _plain(told.line for told in again.told), asked, _question(again.asking)


def _question(ask: Ask | None) -> Ask | None:
    """Give a question without what only serves to find its odds faster."""
    return replace(ask, alike=()) if isinstance(ask, Choose) else ask


def _plain(lines: Iterable[Line]) -> list[Line]:
    """Give lines without their readings, which may differ where the rules do not."""
    return [replace(line, reading=CERTAIN) for line in lines]


def _marks(lines: Iterable[Line]) -> set[str]:
    return {line.reading.option for line in lines if line.reading.option}


# ------------------------------------------------------------------ matches


def unmarked_in_match(match: Match) -> Iterator[str]:
    """Describe the options that decide a match, while no entry of its log carries their reading.

    An option decides if the same answers lead to another log under another choice of it. The mark
    must stand no later than in the part of the log, from order to order, in which the two differ.
    """
    marked = {
        option: min(n for n, readings in found if option in _options(readings))
        for found in (sorted(match_marks(match).items()),)
        for option in {id_ for _, readings in found for id_ in _options(readings)}
    }
    scenario, ours = match.field.scenario, [*map(_entry, match.log)]
    orders = [n for n, entry in enumerate(match.log) if _is_order(entry)]
    for option in match.field.card.options:
        for choice in option.choices:
            if choice.id == match.field.options[option.id]:
                continue
            changed = scenario.with_options({**scenario.options, option.id: choice.id})
            theirs = _answered(Match(type(match.field)(changed)), match.answers)
            pairs = zip(ours, theirs, strict=False)
            parted = next((n for n, (one, other) in enumerate(pairs) if one != other), len(theirs))
            ends = next((n for n in orders if n > parted), len(ours))
            if parted < len(ours) and marked.get(option.id, ends) >= ends:
                yield (
                    f"option {option.id} = {choice.id} changes entry {parted} of {scenario.id}, "
                    f"but no entry has its reading: {match.log[parted]}"
                )


def _options(readings: Iterable[Reading]) -> set[str]:
    return {id_ for reading in readings for id_ in (reading.option or "").split(", ")}


def _is_order(entry: object) -> bool:
    return isinstance(entry, Reply) and isinstance(entry.ask, Order)


def _answered(match: Match, answers: Iterable[Answer]) -> list[object]:
    """Give the log with the same answers, up to the first that is not legal."""
    try:
        for answer in answers:
            match.answer(answer)
    except Refusal:
        pass  # what was told until then is compared
    return [*map(_entry, match.log)]


def _entry(entry: Line | Reply | Roles) -> object:
    """Give an entry of a log as a value that can be compared."""
    if isinstance(entry, Line):
        return replace(entry, reading=CERTAIN)
    if not isinstance(entry, Reply):
        return entry
    asked = entry.ask
    if isinstance(asked, Order):
        return asked.side, asked.phase, asked.turn, entry.answer
    return _question(asked), entry.answer

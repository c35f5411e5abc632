"""Checks of a game: call `check_game` in the tests of a game that you add."""

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import get_type_hints

from grognard.card.rows import SIDES, Side
from grognard.fights.automatic import sample
from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import BEST, DOCTRINES
from grognard.fights.fight_analysis import Analysis
from grognard.fights.odds import averaged, direct_odds
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.prospects import Prospects, prospects
from grognard.fights.record import record, replay
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.procedure import Game
from grognard.rules.wording import answered, named, question
from grognard.testing import option_marks, proof
from grognard.words.text import LANGS

MOST_QUESTIONS = 1000


class NotConforming(AssertionError):
    """A game failed a check; the message says which and how."""


def check_game(game: Game, fights: Iterable[Fight], seed: int = 0) -> None:
    """Check fights of a game: they end, ask sensibly, conserve units, explain themselves, have
    the same odds by kind as worked out directly, at every question odds that fit together, and
    a mark for every option that decides them."""
    random = Random(seed)
    for fight in fights:
        if fight.case.card is not game.card:
            raise NotConforming(f"a fight of {fight.case.card.id} among those of {game.id}")
        plays = [_played(fight, random) for _ in range(3)]
        for play in plays:
            _conserved(play)
            _explained(play)
            _said(play)
            _replayed(play)
        _among_the_odds(fight, seed)
        _the_same_by_kind(fight)
        _foreseen(play)
        for problem in option_marks.unmarked(fight, plays):
            raise NotConforming(problem)


def _played(fight: Fight, random: Random) -> Play:
    """Play with random legal answers; it must end, and never ask without an answer."""
    play = Play(fight)
    for _ in range(MOST_QUESTIONS):
        if play.asking is None:
            return play
        play.answer(_any_answer(play.asking, random))
    raise NotConforming(f"still asking {play.asking} after {MOST_QUESTIONS} questions")


def _any_answer(ask: Ask, random: Random) -> Answer:
    match ask:
        case Roll():
            return ask.dice.draw(random)
        case Choose():
            return random.choice(_several(ask, ask.options, 2))
        case Commit():
            ours, theirs = _several(ask, ask.attacker, 1), _several(ask, ask.defender, 1)
            return random.choice(ours), random.choice(theirs)


def _several(ask: Ask, options: tuple[Answer, ...], least: int) -> tuple[Answer, ...]:
    if len(options) < least or len(set(options)) != len(options):
        raise NotConforming(f"{ask.what} offers {options}: too few, or one of them twice")
    return options


def _conserved(play: Play) -> None:
    """No unit appears or vanishes, no step is lost or won without a line that tells it."""
    for side in SIDES:
        before = {unit.name: unit.steps for unit in units_of(play.start, side)}
        dropped = get_type_hints(type(play.fight))[f"{side}s"] == tuple[()]  # no use for them
        units = play.units(side) if dropped else units_of(play.fight, side)
        after = {unit.name: unit.steps for unit in units}
        if list(before) != list(after):
            raise NotConforming(f"{side}: {list(before)} became {list(after)}")
        for name, had in before.items():
            told = had - _steps_told(play, side, name, had)
            if after[name] != told:
                raise NotConforming(f"{name} has {after[name]} steps, but {told} were told")


def _steps_told(play: Play, side: Side, name: str, had: int) -> int:
    lost = 0
    for entry in play.told:
        line = entry.line
        if line.unit != name or line.side not in (side, None):
            continue
        if line.kind == "loss":
            lost = had - int(str(line.value))
        elif line.kind in ("eliminated", "captured"):
            lost = had
    return lost


def _explained(play: Play) -> None:
    """Every roll leads to a line, and every number told follows from the lines before it."""
    for place, entry in enumerate(play.log):
        if isinstance(entry, Given) and isinstance(entry.ask, Roll):
            following = play.log[place + 1 : place + 2]
            if not following or not isinstance(following[0], Told):
                raise NotConforming(f"nothing is told after the roll {entry.ask.what}")
    for problem in proof.doubts(play):
        raise NotConforming(problem)


def _said(play: Play) -> None:
    """Every question, option and line has its words in both languages."""
    for lang in LANGS:
        for entry in play.log:
            if isinstance(entry, Told):
                entry.line.in_(lang)
                continue
            question(play.start.case.card, entry.ask, lang)
            if not isinstance(entry.ask, Roll):
                answered(play.start.case.card, entry.ask, entry.answer, lang)
            if isinstance(entry.ask, Choose):
                _options_said(play, entry.ask)


def _options_said(play: Play, ask: Choose) -> None:
    """An option is the name of a unit, or a word that the card has in both languages."""
    card = play.start.case.card
    names = {unit.name for side in SIDES for unit in units_of(play.start, side)}
    for option in ask.options:
        if not isinstance(option, str) or option in names:
            continue
        key = f"{ask.what}.{option}"
        if named(card, ask, option, "en") == option and card.find_phrase(key) is None:
            raise NotConforming(f"the card has no phrase '{key}' for an option of {ask.what}")


def _replayed(play: Play) -> None:
    again = replay(record(play))
    before = (play.fight.attackers, play.fight.defenders, play.outcome)
    if before != (again.fight.attackers, again.fight.defenders, again.outcome):
        raise NotConforming("a record replayed gives another end")


def _foreseen(play: Play) -> None:
    """At each question the odds of what remains follow from those behind the answers."""
    direct = Analysis(play.start, BEST, BEST, by_kind=False)
    answers = [given.answer for given in play.given]
    for count in range(len(answers) + 1):
        now = Play(play.start, answers[:count])
        ahead = prospects(now)
        if now.asking is None:
            _same_odds(ahead.odds, Odds(Found((BEST, BEST), {now.outcome: 1})), "the end")
            return
        node = direct.node_at(now.step, now.fight, now.since)
        there = Odds(direct.found_after(now.step, [(1, node)]))
        _same_odds(ahead.odds, there, now.asking.what)
        _follows(now, ahead)


def _follows(play: Play, ahead: Prospects) -> None:
    """The odds of a question are the average over the rolls, or over the answers by doctrine."""
    if isinstance(play.asking, Roll):
        answers, ways = [given.answer for given in play.given], play.asking.dice.ways()
        whole = sum(weight for _, weight in ways)
        parts = [
            (Fraction(weight, whole), prospects(Play(play.start, [*answers, faces])).odds)
            for faces, weight in ways
        ]
        _same_odds(ahead.odds, averaged(parts), play.asking.what)
    for side, options in ahead.options.items():
        taken = [(option.share, option.odds) for option in options if option.share]
        _same_odds(ahead.odds, averaged(taken), f"the {side}'s answers")
        worths = [option.odds.found.worth.of(side) for option in options]
        for option, worth in zip(options, worths, strict=True):
            if isinstance(play.asking, Choose) and option.best != (worth == max(worths)):
                raise NotConforming(f"{option.answer} is not valued as its odds are")


def _same_odds(found: Odds, true: Odds, what: str) -> None:
    if dict(found.outcomes()) != dict(true.outcomes()):
        raise NotConforming(f"the odds at {what} do not follow from what comes after it")


def _among_the_odds(fight: Fight, seed: int) -> None:
    """Ends that can be sampled are among the exact outcomes, whose weights add up."""
    odds = fight.odds()
    if sum(odds.weights.values()) != odds.total or min(odds.weights.values()) <= 0:
        raise NotConforming("the weights of the odds do not add up to their total")
    for play in sample(fight, 5, seed):
        if play.outcome not in odds.weights:
            raise NotConforming(f"{play.outcome} was played but is not among the odds")


def _the_same_by_kind(fight: Fight) -> None:
    """Odds by kind equal the odds worked out directly."""
    for id_ in DOCTRINES:
        by_kind, direct = fight.odds(id_, id_), direct_odds(fight, id_, id_)
        for what in ("weights", "commitments", "doubts"):
            if (found := getattr(by_kind, what)) != (true := getattr(direct, what)):
                raise NotConforming(f"{what} by kind are {found}, worked out directly {true}")

"""Random fights under any options explain every number; and what is told otherwise is found."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard import Refusal, load
from grognard.fights.automatic import resolve
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.rules.fight import Setup
from grognard.rules.line import Line
from grognard.testing import proof
from tests.random_setups import SETUPS, each_procedure, fewer

SUMS = ("total", "die", "dominant", "lookup")
PLACES = ("column", "lookup", "result")


def on_random_plays(
    game: str, procedure: str, check: Callable[[Play, int], None], count: int
) -> None:
    """Play random fights under random options; what the rules refuse is left out."""
    options = st.fixed_dictionaries(
        {row.id: st.sampled_from([c.id for c in row.choices]) for row in load(game).card.options}
    )

    @fewer(count, game)
    @given(SETUPS[game, procedure], options, st.integers(0, 10**6))
    def run(setup: Setup, chosen: dict[str, str], seed: int) -> None:
        try:
            fight = load(game).fight(setup, procedure=procedure, options=chosen)
            play = resolve(fight, (), seed, "take", "hold")
        except Refusal:
            return
        check(play, seed)

    run()


@each_procedure
def test_every_number_follows_from_what_was_told(game: str, procedure: str) -> None:
    def check(play: Play, _seed: int) -> None:
        assert list(proof.doubts(play)) == []

    on_random_plays(game, procedure, check, 60)


@each_procedure
def test_a_sum_or_a_place_told_otherwise_is_found(game: str, procedure: str) -> None:
    """Whichever of them it is, and whatever led to it."""

    def check(play: Play, seed: int) -> None:
        random = Random(seed)
        for place, entry in enumerate(play.log):
            if isinstance(entry, Told):
                for lie in lies(play, entry.line, random):
                    told = Told(entry.step, lie)
                    assert doubted([*play.log[:place], told, *play.log[place + 1 :]], play), lie

    on_random_plays(game, procedure, check, 20)


def lies(play: Play, line: Line, random: Random) -> Iterator[Line]:
    """Tell a sum that is off by one, and another label or code."""
    if line.kind in SUMS and isinstance(line.value, int | Fraction):
        yield replace(line, value=line.value + random.choice((-1, 1)))
    if line.kind in PLACES and line.of and isinstance(line.value, str):
        table = play.start.case.card.table(line.of)
        words = table.column_labels if line.kind == "column" else tuple(table.legend)
        yield replace(line, value=random.choice([word for word in words if word != line.value]))


def doubted(log: list[Told | Given], play: Play) -> bool:
    false = Play(play.start)
    false.log = log
    return next(proof.doubts(false), None) is not None

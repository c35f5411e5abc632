"""Fights in arrays: no difference from the same fights one by one."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from grognard import Refusal, load
from grognard.arrays.batch import Batch
from grognard.arrays.row_results import MISSING
from grognard.games.bautzen.stated import BautzenPreparation
from grognard.rules import game
from grognard.rules.ask import Asking
from grognard.rules.procedure import Game
from grognard.testing.array_conformance import check_arrays, differences
from grognard.testing.conformance import NotConforming
from grognard.testing.random_setups import random_setup
from tests.arrays.test_sampling import chi_square_limit
from tests.tiers import sized

# Random fights in parts that can run side by side; `make soak` draws a million of every game.
ROWS, FORMS = sized(500, quick=150, soak=500), sized(2)
PARTS = [
    (id_, procedure.id, part)
    for id_ in game.ids()
    for procedure in load(id_).procedures
    for part in range(sized(2, quick=1, soak=10))
]


@pytest.mark.parametrize(
    ("id_", "procedure", "part"),
    [pytest.param(*part, marks=[pytest.mark.slow] if part[2] else []) for part in PARTS],
)
def test_arrays_say_what_single_fights_say(id_: str, procedure: str, part: int) -> None:
    """Compare random fights, under random options and doctrines, in arrays and one by one."""
    random = Random(f"{id_} {procedure} {part}")
    useful = 0  # set-ups with enough fights that the rules allow
    while useful < FORMS:
        stated, columns, options = random_setup(load(id_), procedure, random, ROWS)
        batch = Batch(
            load(id_),
            stated,
            columns,
            procedure=procedure,
            options=options,
            attacker=random.choice(["best", "hold", "spare"]),
            defender=random.choice(["best", "take", "spare"]),
            folder=None,
        )
        coded = batch.coded(columns)
        assert not [*differences(batch, coded)], (stated, options)
        useful += int((~batch.coded_fights(coded).refused).sum()) > ROWS / 10


def test_a_difference_would_be_found() -> None:
    """Rules that test the type of a number give arrays another result than a single fight."""
    printed = load("bautzen")
    rules = printed.procedure()

    def uneven(fight: BautzenPreparation) -> Asking[BautzenPreparation]:
        after: BautzenPreparation = yield from rules.steps[1](fight)
        return replace(after, attack=after.attack * (1 + isinstance(after.attack, int)))

    steps = (rules.steps[0], uneven, *rules.steps[2:])
    game = Game(printed.card, (replace(rules, steps=steps),))
    stated = {"attackers": [{"name": "A", "attack": 4}], "defenders": [{"name": "D", "defence": 2}]}
    with pytest.raises(NotConforming, match="alone"):
        check_arrays([game.fight(stated)])


# ------------------------------------------------------------------ a batch by hand

STATED = {
    "attackers": [{"name": "A"}, {"name": "B", "attack": 4}],
    "defenders": [{"name": "D"}],
}
NAMES = ("attackers[0].attack", "defenders[0].defence", "terrain", "concentric", "attackers")


def bautzen(**settings: str) -> Batch:
    return Batch(load("bautzen"), STATED, NAMES, folder=None, **settings)  # type: ignore[arg-type]  # doctrines


def stated_columns(**changed: object) -> dict[str, NDArray[np.generic]]:
    columns: dict[str, object] = {
        "attackers[0].attack": [4, 9, 9, 20],
        "defenders[0].defence": [4, 3, 3, 2],
        "terrain": ["clear", "town", "wood", "clear"],
        "concentric": [False, True, False, True],
        "attackers": [1, 1, 2, 2],
    }
    named = {
        name.replace("_0_", "[0].") if "_0_" in name else name: value
        for name, value in changed.items()
    }
    return {name: np.array(value) for name, value in (columns | named).items()}


def test_columns_by_hand_from_the_printed_card() -> None:
    """4:4 is 1/1; 9:3 and concentric, less a town, 3/1; 13:3 less a wood, 3/1; 24:2 is 7/1+."""
    batch = bautzen()
    fights = batch.fights(stated_columns())
    assert [batch.labels[place] for place in fights.basic] == ["1/1", "3/1", "4/1", "7/1+"]
    assert fights.attack.tolist() == [4, 9, 13, 24]
    assert fights.defence.tolist() == [4, 3, 3, 2]
    single = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 9}, {"name": "B", "attack": 4}],
        defenders=[{"name": "D", "defence": 3}],
        terrain=["wood"],
    )
    assert batch.labels[fights.final[2]] == single.explain().column()["final"]
    assert fights.exactly("defender_steps_lost")[2] == single.odds().expected("defender_steps_lost")
    assert fights.expected("taken")[2] == float(single.odds().chance("taken"))
    assert isinstance(fights.exactly("taken")[0], Fraction)


def test_chunks_and_ranges_do_not_matter() -> None:
    """Growing ranges, and ranges too wide for the cache, give the same results."""
    random = np.random.default_rng(3)
    names = ("attackers[0].attack", "defenders[0].defence")
    columns = {
        "attackers[0].attack": random.integers(1, 3000, 5000),
        "defenders[0].defence": random.integers(1, 2000, 5000),
    }
    stated = {"attackers": [{"name": "A"}], "defenders": [{"name": "D"}]}
    whole = Batch(load("bautzen"), stated, names, folder=None)
    wide = whole.fights(columns)
    chunked = Batch(load("bautzen"), stated, names, folder=None)
    found = [
        chunked.fights({name: column[a : a + 700] for name, column in columns.items()})
        for a in range(0, 5000, 700)
    ]
    lost = np.concatenate([part.expected("defender_steps_lost") for part in found])
    assert lost.tolist() == wide.expected("defender_steps_lost").tolist()
    drawn_in_parts = [part.sample(9, first=700 * n) for n, part in enumerate(found)]
    ours = [whole.outcomes[place] for place in wide.sample(9)]
    assert [chunked.outcomes[place] for part in drawn_in_parts for place in part] == ours


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_any_whole_numbers_will_do(dtype: str) -> None:
    """Narrow types do not overflow: 100 ranges of 100 exceed a byte."""
    names = ("attackers[0].attack", "defenders[0].defence")
    a, b = (column.reshape(-1) for column in np.meshgrid(range(100), range(1, 101)))
    stated = {"attackers": [{"name": "A"}], "defenders": [{"name": "D"}]}
    batch = Batch(load("bautzen"), stated, names, folder=None)
    fights = batch.fights(dict(zip(names, (a.astype(dtype), b.astype(dtype)), strict=True)))
    assert fights.attack.tolist() == a.tolist()
    assert fights.defence.tolist() == b.tolist()


def test_sampled_frequencies_agree_with_exact_weights() -> None:
    """Chi-square over all outcomes of a Normandy attack with determined defence."""
    count = 300_000
    batch = Batch(
        load("normandy"),
        {
            "attackers": [{"name": "A", "steps": 3, "main_force": True}],
            "defenders": [{"name": "D", "steps": 3}],
            "terrain": ["town"],
        },
        ["attackers[0].factor", "defenders[0].factor"],
        attacker="take",
        defender="hold",
        folder=None,
    )
    factors = {
        "attackers[0].factor": np.full(count, 16),
        "defenders[0].factor": np.full(count, 1),
    }
    fights = batch.fights(factors)
    each = fights.distributions[fights.weighted[0]]
    assert len(each.weights) > 6
    found = fights.sample(11)
    expected = {o: count * w / each.total for o, w in zip(each.outcomes, each.weights, strict=True)}
    chi_square = sum((int((found == o).sum()) - e) ** 2 / e for o, e in expected.items())
    assert chi_square < chi_square_limit(len(expected) - 1)


def test_secret_commitments_are_decided_as_in_single_fights() -> None:
    columns = {
        "attacker_cl_at_hand": np.array([0, 1, 2]),
        "defender_cl_at_hand": np.array([1, 1, 2]),
    }
    stated = {
        "attackers": [{"name": "A", "attack": 9}],
        "defenders": [{"name": "D", "defence": 3}],
    }
    batch = Batch(load("bautzen"), stated, columns, folder=None)
    fights = batch.fights(columns)
    for place in range(3):
        at_hand = {name: int(column[place]) for name, column in columns.items()}
        single = load("bautzen").fight({**stated, **at_hand}).odds()
        assert fights.exactly("defender_steps_lost")[place] == single.expected(
            "defender_steps_lost"
        )


# ------------------------------------------------------------------ refusals


def test_a_row_that_the_rules_refuse_is_named() -> None:
    with pytest.raises(Refusal, match="row 2: there is no terrain 'lake'"):
        bautzen().fights(stated_columns(terrain=["clear", "town", "lake", "lake"]))


def test_a_number_out_of_bounds_is_named_with_its_row() -> None:
    with pytest.raises(Refusal, match="row 3: ") as refused:
        bautzen().fights(stated_columns(attackers_0_attack=[4, 9, 9, -1]))
    assert refused.value.place == "attackers[0].attack"


def test_refused_rows_may_be_marked() -> None:
    columns = stated_columns(terrain=["clear", "town", "lake", "clear"])
    batch = bautzen()
    fights = batch.fights(columns, refused="mark")
    assert fights.refused.tolist() == [False, False, True, False]
    assert np.isnan(fights.expected("taken")[2])
    assert fights.exactly("taken")[2] is None
    assert (fights.sample(1) == MISSING).tolist() == [False, False, True, False]
    assert np.isnan(fights.attack[2])


def test_only_rows_beyond_a_bound_are_refused() -> None:
    columns = {"retreat_room": np.array([2, -1, 0]), "defenders[0].steps": np.array([1, 1, 3])}
    stated = {"attackers": [{"name": "A", "attack": 4}], "defenders": [{"name": "D", "defence": 2}]}
    fights = Batch(load("bautzen"), stated, columns, folder=None).fights(columns, refused="mark")
    assert fights.refused.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"attackers": [1, 1, 1, 3]}, "row 3: 3 units take part, but 2 are named"),
        ({"attackers_0_attack": [1.5, 2, 3, 4]}, "whole numbers"),
        ({"attackers_0_attack": ["a", "b", "c", "d"]}, "whole numbers"),
        ({"attackers_0_attack": [[1, 2], [3, 4]]}, "whole numbers"),
        ({"attackers_0_attack": [1, 2, 3]}, "same length"),
        ({"concentric": [0, 1, 2, 0]}, "true or false"),
        ({"terrain": [1, 2, 3, 4]}, "words"),
        ({"attackers": [1, 1, 1, -1]}, "row 3"),
        ({"more": [1, 2, 3, 4]}, "columns must be"),
    ],
)
def test_columns_of_the_wrong_sort_are_refused(columns: dict[str, object], problem: str) -> None:
    with pytest.raises(Refusal, match=problem):
        bautzen().fights(stated_columns(**columns))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("attackers[5].attack", "names no unit"),
        ("attackers[0].atack", "attack"),
        ("attackers[0].name", "no single value"),
        ("terrain[0]", "column can't state|no list|names no unit"),
        ("concentric.more", "no single value"),
        ("weather", "unknown key 'weather'"),
    ],
)
def test_a_place_that_cant_be_a_column_is_refused(name: str, problem: str) -> None:
    with pytest.raises(Refusal, match=problem):
        Batch(load("bautzen"), STATED, [name], folder=None)


def test_a_form_needs_a_column() -> None:
    with pytest.raises(Refusal, match="at least one column"):
        Batch(load("bautzen"), STATED, [], folder=None)


def test_no_fights_are_no_fights() -> None:
    fights = bautzen().fights({name: column[:0] for name, column in stated_columns().items()})
    assert len(fights) == 0
    assert fights.sample(1).tolist() == fights.expected("taken").tolist() == []


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_bounds_is_refused(seed: int) -> None:
    with pytest.raises(Refusal, match="seed"):
        bautzen().fights(stated_columns()).sample(seed)


def test_single_fights_are_none_the_wiser() -> None:
    """Tracing leaves no traced number in the caches of single fights."""
    bautzen().fights(stated_columns())
    fight = load("bautzen").fight(
        attackers=[{"name": "A", "attack": 9}], defenders=[{"name": "D", "defence": 3}]
    )
    for line in fight.explain().lines:
        assert isinstance(line.value, int | str | Fraction | None)
    assert all(isinstance(weight, int) for weight in fight.odds().weights.values())

"""Dice: how they are written and read, and the exact weight of every value."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from grognard.card.dice import D6, Dice, parse_dice
from grognard.words.refusal import Refusal

WRITTEN = {
    "1d6": Dice(1, 6),
    "d6": Dice(1, 6),
    "2d6": Dice(2, 6),
    "3d6": Dice(3, 6),
    "d8": Dice(1, 8),
    "d10": Dice(1, 10),
    "d10 from 0": Dice(1, 10, "sum", 0),
    "d12": Dice(1, 12),
    "d20": Dice(1, 20),
    "d66": Dice(2, 6, "digits"),
    "d100": Dice(1, 100),
    "2D6": Dice(2, 6),
    "highest of 2d6": Dice(2, 6, "highest"),
    "lowest of 3d6": Dice(3, 6, "lowest"),
    "1d6 - 1d6": Dice(2, 6, "difference"),
    "2d6 - 2d6": Dice(4, 6, "difference"),
}


def test_dice_are_read_as_they_are_written() -> None:
    for words, dice in WRITTEN.items():
        assert parse_dice(words) == dice, words
        assert parse_dice(str(dice)) == dice, words


@pytest.mark.parametrize(
    "words", ["", "6", "0d6", "d1", "2d", "d101", "21d6", "best of 2d6", "1d6 - 2d6"]
)
def test_other_words_are_refused_with_what_would_be_right(words: str) -> None:
    with pytest.raises(Refusal, match=r"expected for instance 1d6, 2d6, d10, d66"):
        parse_dice(words)


def _read(words: str, faces: tuple[int, ...]) -> int:
    """Read a roll as the hobby does."""
    if words == "d66":
        return 10 * faces[0] + faces[1]
    if " - " in words:
        return sum(faces[: len(faces) // 2]) - sum(faces[len(faces) // 2 :])
    if words.startswith("highest"):
        return max(faces)
    return min(faces) if words.startswith("lowest") else sum(faces)


@pytest.mark.parametrize("words", WRITTEN)
def test_weights_are_those_of_all_rolls(words: str) -> None:
    dice = parse_dice(words)
    rolls = [*product(range(dice.first, dice.first + dice.faces), repeat=dice.count)]
    counted = Counter(_read(words, faces) for faces in rolls)
    assert dice.weights() == dict(sorted(counted.items()))
    assert [*dice.weights()] == sorted(counted)
    for faces, weight in dice.ways():
        assert dice.check(faces)
        assert counted[_read(words, faces)] == weight
    first = {_read(words, faces): faces for faces in reversed(rolls)}
    assert all(dice.showing(value) == faces for value, faces in first.items())


def test_bands_gather_the_weights_of_their_values() -> None:
    assert Dice(2).ways((2, 5, 11)) == (((1, 1), 6), ((1, 4), 27), ((5, 6), 3))
    assert parse_dice("d66").ways((11, 31)) == (((1, 1), 12), ((3, 1), 24))


def test_many_dice_are_added_up_without_trying_every_roll() -> None:
    weights = Dice(20, 100).weights()
    assert sum(weights.values()) == 100**20
    assert weights[20] == weights[2000] == 1


def test_only_rolls_of_the_dice_are_answers() -> None:
    assert D6.check((6,))
    for answer in ((0,), (7,), (1, 1), (), 3, ("3",), (True,)):
        assert not D6.check(answer), answer
    assert Dice(1, 10, "sum", 0).check((0,))
    assert not Dice(1, 10, "sum", 0).check((10,))


@pytest.mark.parametrize("words", WRITTEN)
def test_drawn_rolls_are_rolls(words: str) -> None:
    dice, random = parse_dice(words), Random(1)
    assert all(dice.check(dice.draw(random)) for _ in range(50))
    assert dice.check(dice.middling())

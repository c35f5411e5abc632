"""Tables as people paste them: the grid, the family of the columns, the dice, the meanings."""

import pytest

from grognard.study.workshop.pasted_table import read_grid
from grognard.study.workshop.table_draft import guessed_dice, guessed_family, pasted
from grognard.words.refusal import Refusal

ODDS = [["die", "1-2", "1-1", "2-1"], ["1", "AE", "AR", "-"], ["2", "-", "DR", "DE"]]


@pytest.mark.parametrize(
    "text",
    [
        "die\t1-2\t1-1\t2-1\n1\tAE\tAR\t-\n2\t-\tDR\tDE\n",
        "die 1-2 1-1 2-1\n1 AE AR -\n2 - DR DE",
        "  die   1-2   1-1   2-1\n\n  1     AE    AR    —\n  2     –     DR    DE\n",
        "| die | 1-2 | 1-1 | 2-1 |\n|-----|:---:|---|---|\n| 1 | AE | AR | - |\n|2| - | DR | DE |",
        "die,1-2,1-1,2-1\r\n1,AE,AR,-\r\n2,-,DR,DE\r\n",
        'die;"1-2";1-1;2-1\n1;AE;AR;-\n2;-;DR;DE',
        "Combat Results Table\ndie 1 - 2 1 - 1 2 - 1\n1 AE AR -\n2 - DR DE",
        "die l-2 1—1 2−1\n1 AE AR —\n2 — DR DE",
        "die\t１-２\t１-１\t２-１\n１\tAE\tAR\t-\n２\t-\tDR\tDE",
    ],
    ids=["sheet", "blanks", "aligned", "bars", "commas", "quotes", "title", "scanned", "wide"],
)
def test_one_table_pasted_in_many_ways(text: str) -> None:
    assert read_grid(text) == ODDS


def test_a_line_of_labels_without_a_corner() -> None:
    assert read_grid("1-2 1-1 2-1\n1 AE AR -\n2 - DR DE") == [["", *ODDS[0][1:]], *ODDS[1:]]


def test_a_table_with_the_dice_above_is_turned() -> None:
    turned = "\t1\t2\n1-2\tAE\t-\n1-1\tAR\tDR\n2-1\t-\tDE"
    assert read_grid(turned) == [["", *ODDS[0][1:]], *ODDS[1:]]


def test_missing_cells_are_empty_and_not_guessed() -> None:
    assert read_grid("die\t1-1\t2-1\n1\tAR\n2\tDR\tDE")[1] == ["1", "AR", ""]


def test_bands_in_words() -> None:
    grid = read_grid("2d6\t1 to 3\t4 à 6\t7 or more\n2 or less\t-\tM\t1\n3-12\t-\t-\t1")
    assert grid[0] == ["2d6", "1-3", "4-6", "7+"]
    assert [line[0] for line in grid[1:]] == ["≤2", "3-12"]
    assert read_grid("d10 | -6/-5 | 0 | +6 to +8\n1-10|A1|-|D1")[0][1:] == ["-6/-5", "0", "+6/+8"]


@pytest.mark.parametrize(
    ("labels", "family"),
    [
        ("1-2 1-1 3:2 2-1", "ratio"),
        ("1/4 1/3 1/2 1/1 2/1", "ratio"),
        ("1.5:1 2:1 6-1+", "ratio"),
        ("-6/-5 -4/-1 0 +1/+2 +6/+8", "difference"),
        ("1-3 4-6 7+", "attack"),
        ("1-2 3-4 5-6", "attack"),
        ("1 3 6 10 15 21+", "attack"),
    ],
)
def test_the_family_of_the_columns(labels: str, family: str) -> None:
    assert guessed_family(labels.split()) == family


@pytest.mark.parametrize(
    ("rows", "dice"),
    [
        ("1 2 3 4 5 6", "1d6"),
        ("2 3-4 5-9 10-12", "2d6"),
        ("1-5 6-10", "d10"),
        ("0 1-8 9", "d10 from 0"),
        ("11-16 21-66", "d66"),
        ("≤0 1 2 3 4 5 6 7+", "1d6"),
        ("3-8 9-18", "3d6"),
    ],
)
def test_the_dice_of_the_rows(rows: str, dice: str) -> None:
    assert guessed_dice([["", "1-1"], *([label, "-"] for label in rows.split())]) == dice


def test_the_corner_names_the_dice() -> None:
    assert guessed_dice([["D20", "1-1"], ["1-6", "-"]]) == "d20"


def test_usual_codes_have_their_usual_meaning() -> None:
    table = pasted("die 1-1 2-1 3-1\n1 AE A1 EX\n2 AR2 NE DE\n3 D1r BR Q", {})
    assert table["results"] == {
        "AE": "attacker is eliminated",
        "A1": "attacker loses 1 step",
        "EX": "exchange",
        "AR2": "attacker retreats 2",
        "NE": "nothing",
        "DE": "defender is eliminated",
        "D1r": "defender loses 1 step and retreats 1",
        "BR": "both retreat 1",
        "Q": "",
    }


def test_halves_of_cells_are_of_their_side() -> None:
    table = pasted("2d6;1:1;2:1\n2-7;0/1;1R/2\n8-12;1/E;-/E", {})
    assert (table["cells"], table["dice"]) == ("pair", "2d6")
    assert table["results"]["1R"] == "loses 1 step and retreats 1"
    assert table["results"]["E"] == "is eliminated"


def test_meanings_that_are_known_already_stay() -> None:
    known = {"results": {"AR": "attacker retreats 3", "ZZ": "exchange"}}
    assert pasted("die 1-1 2-1\n1 AR DR\n2 AR DE", known)["results"] == {
        "AR": "attacker retreats 3",
        "DR": "defender retreats 1",
        "DE": "defender is eliminated",
    }


@pytest.mark.parametrize("text", ["", "hello", "one two three", "\n\n---\n", "1\n2\n3"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="no table yet"):
        read_grid(text)


def test_a_table_has_an_end() -> None:
    with pytest.raises(Refusal, match="lines are too many"):
        read_grid("1 2\n" * 100)
    with pytest.raises(Refusal, match="columns are too many"):
        read_grid(("1 " * 100 + "\n") * 2)

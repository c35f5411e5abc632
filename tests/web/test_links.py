"""Links: a fight and its answers in an address, short, readable for ever, and never a bomb."""

import json
import re
import zlib
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.fights.record import plain
from grognard.maps import scenario
from grognard.rules import game
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Setup
from grognard.study import player_sheet
from grognard.web.quick import link_notation, links
from grognard.web.quick.tap import Tap, play_of
from grognard.web.responses import HttpRefusal
from grognard.words.refusal import Refusal
from tests.random_setups import SETUPS, each_procedure, fewer

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.load(id_).sheets]
LONGEST = 200  # letters of an address

# Resolved examples in format 1: compressed JSON.
OLD = {
    "bautzen/attack": (
        "13QQ7CQMwc4R8Xiyxe4Uj2KG4wM9Y0MlGCeQpQlMG-b1erA1ZoaoKhFLYSg6k2Q1BsaGpGmIdBdwchAI"
        "aAKoQVc3EACHq00gseWGaoBpuZAA7yxm4AowRC6sSQsnBFmYQYMLUsTJaQEgu58sCzxjjfCan0tSkowB"
        "joHFpQGsUgpJrYWAA"
    ),
    "normandy/attack": (
        "1_WjZQ7DoAgEESvYqhJyEIALQ3n2MpzcHcRFUZAY0fDY3c-1BPG7uoJY7TuLo0D1kek9SlX7m0NcopE3"
        "d8XAUyj-tnwVrkoCymEddJDlP6F6n0HOM2PMe0n-9WaJW1rLA5pEFTCSvCy1055cnBHZ4fBVMNFdCETJ"
        "xu0Hf9Vf2LIBscd"
    ),
    "normandy/strafing": "1ivQ7CwGeKpb2ikEBysBLfUqFYHLmlkiiGL7Ni0xJziVLArkCw2jo1FclVsLQA",
    "normandy/attrition": (
        "1ToQ7BgdsPdhGGkpaGlvrmBpRLcAUZIrtI1xHQ0UB0iBGp14AaZKbh5YTfFCOxsJJcax-oAcSyKV2JrAQ"
    ),
    "normandy/reinforcements": "18RQ7AQNhugWw10IVY7MAOqVgcuie5NqKuNkJSghRfEfyDbgI6vBQA",
    "panzer-grenadier/direct-fire": (
        "19IQ7CQ4gxHeCNFJTjucbnJHRiXCoZKMM-Y1uqgShlhlfJ1VzA2gcuY4_RYUGZaTmox2HxYKJsjGQOVN"
        "sIh7ZOZWlqSmgcMcyVY3CBSNkyDBTwRGIKDESnkjHWMY3UwyFjUoDYCCtUCAA"
    ),
    "panzer-grenadier/anti-tank": (
        "1o_Q7BgEWGCPYyx2h5QpeAZpoTiBVOcLgrRNTZRggUIWuKChqAJIuQswB5AcrOxjnFsLJKXYmsB"
    ),
    "white-october/attack": (
        "1I3Q7Cw5C9jbPnLiLi8hJaKjXG4Pzg1Fxiy-WXF2ZlKEL-bIAeHGVIwmSICz7RWB26Cb2JRtkIYVLMhs"
        "mYjJM0mSJoRUZKWmFOMEls4g9MsVSElsyyzGJQMsLjTFMkqY4RVJkju9AYmkuLEvJLUYqgBRsgGGONwK"
        "zgakWLOWMc4VidaqQhoRooSiIXsMBDfECiTCGahBi0yLxaDC08osbUA"
    ),
}


def example(id_: str, procedure: str) -> dict[str, Any]:
    stated: dict[str, Any] = msgspec.to_builtins(
        dict(player_sheet.load(id_).sheet(procedure).example)
    )
    return stated


def address(id_: str, procedure: str, tap: Tap) -> str:
    """Give the whole address of a page, as the browser shows it."""
    link = links.encode(id_, procedure, tap)
    assert quote(link) == link
    read = links.decode(id_, procedure, link)
    assert (read.answers, read.typed) == (tap.answers, tap.typed)
    return f"http://localhost:8000/games/{id_}/{procedure}?f={link}"


def resolved(id_: str, procedure: str, face: int) -> Tap:
    """Resolve the example: each die shows a face, each answer is the longest to write."""
    tap = Tap(fight=example(id_, procedure))
    play, typed = play_of(id_, procedure, tap), []
    while (ask := play.asking) is not None:
        if isinstance(ask, Roll):
            typed.append(len(play.given))
            play.answer((max(ask.dice.first, min(face, ask.dice.last)),) * ask.dice.count)
        elif isinstance(ask, Choose):
            play.answer(longest(ask.options))
        else:
            play.answer((longest(ask.attacker), longest(ask.defender)))
    answers = tuple(plain(given.answer) for given in play.given)
    return msgspec.structs.replace(tap, answers=answers, typed=tuple(typed))


def longest(answers: tuple[Answer, ...]) -> Answer:
    return max(answers, key=lambda answer: len(json.dumps(plain(answer))))


@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_an_address_has_at_most_200_letters(id_: str, procedure: str) -> None:
    """The sample fights, fresh and resolved with the longest answers, each die on each face."""
    assert len(address(id_, procedure, Tap(fight=example(id_, procedure)))) <= LONGEST
    for face in range(1, 7):
        assert len(address(id_, procedure, resolved(id_, procedure, face))) <= LONGEST, face


def test_the_sample_of_bautzen_has_whole_names_of_counters() -> None:
    """A counter is drawn with its size and formation if its name is that of the map."""
    known = {unit.name for unit in scenario.own("bautzen-1945").units}
    assert example_names("bautzen", "attack") <= known


@each_procedure
def test_a_link_states_the_same_fight(game: str, procedure: str) -> None:
    @fewer(25, game)
    @given(SETUPS[game, procedure], st.sampled_from(["best", "hold"]))
    def check(setup: Setup, way: str) -> None:
        stated = json.loads(msgspec.json.encode(setup))
        tap = Tap(fight=stated, attacker=way, beside={"attackers": ("A",)}, open=("options",))
        read = links.decode(game, procedure, links.encode(game, procedure, tap))
        assert msgspec.convert(read.fight, type(setup)) == setup
        assert (read.attacker, read.beside, read.open) == (way, tap.beside, ())

    check()


def test_a_link_cut_off_or_changed_is_refused() -> None:
    link = links.encode("bautzen", "attack", Tap(fight=example("bautzen", "attack")))
    for broken in (
        link[:-1],
        link[:40],
        link[:3],
        "",
        "9" + link[1:],
        link + "A",
        link + "~",
        "1é",
        "2é",
    ):
        with pytest.raises(Refusal):
            links.decode("bautzen", "attack", broken)
    with pytest.raises(Refusal):
        links.decode("normandy", "attack", link)


def test_a_link_is_no_bomb() -> None:
    """A few letters that unpack to a hundred megabytes are refused at the limit."""
    press = zlib.compressobj(9, wbits=-15)
    packed = b"".join(press.compress(b" " * 1_000_000) for _ in range(100)) + press.flush()
    deflated = OLD["bautzen/attack"][:3] + urlsafe_b64encode(packed).decode().rstrip("=")
    for bomb in (deflated, forged("Y_.aaaaaaaaaa." + "X0" * 30_000), forged("Y_" + "_" * 60_000)):
        with pytest.raises(Refusal):
            links.decode("bautzen", "attack", bomb)


def forged(notation: str) -> str:
    """Write a link that no page would write, with letters that fit."""
    return links.FORMAT + links._check("bautzen", "attack", notation) + notation


@pytest.mark.parametrize(
    "notation", ["~~", "Y~", "9Z1", "Y_X0", "YZ.a_110000_.1", "YY9", "YY--_", "Y", "YZ-a.~~~~~"]
)
def test_a_forged_link_is_refused(notation: str) -> None:
    with pytest.raises((Refusal, HttpRefusal)):
        links.decode("bautzen", "attack", forged(notation))


TEXTS = st.text(max_size=6) | st.sampled_from(["name", "steps", "true", "us", "_", "~ .", "é/-_"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(-1e30, 1e30) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


@fewer(100, "links")
@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_the_notation_writes_any_json(fields: dict[str, Any]) -> None:
    assert json.loads(link_notation.read(link_notation.write(fields), 10**6)) == fields


def test_known_words_have_a_code_each() -> None:
    for words, codes in ((link_notation.KEYS, 52 * 11), (link_notation.WORDS, 26 + 23 * 62)):
        assert len(set(words)) == len(words) <= codes


def test_what_a_link_says_is_checked_like_any_body() -> None:
    deep: object = 1
    for _ in range(40):
        deep = [deep]
    for fight in ({"attackers": deep}, {"defender_cl": 10**12}, {"x" * 2000: 1}):
        with pytest.raises(Refusal):
            links.decode("bautzen", "attack", links.encode("bautzen", "attack", Tap(fight=fight)))


# What counters of the samples were called when the links were written.
FORMER = {
    "21/20Pz": "21/20",
    "59/20Pz": "50/20",
    "112/20Pz": "112/20",
    "QG 294 RD": "QG 294",
}


@pytest.mark.parametrize("sheet", OLD)
def test_links_of_format_1_still_open(sheet: str) -> None:
    id_, procedure = sheet.split("/")
    tap = links.decode(id_, procedure, OLD[sheet])
    play = play_of(id_, procedure, tap)
    assert play.asking is None
    names = {FORMER.get(name, name) for name in example_names(id_, procedure)}
    assert names <= set(re.findall(r"[^\"]+", json.dumps(tap.fight)))


def example_names(id_: str, procedure: str) -> set[str]:
    lists = [units for units in example(id_, procedure).values() if isinstance(units, list)]
    return {unit["name"] for units in lists for unit in units if "name" in unit}


# Two samples as format 2 first wrote them: its letters keep their meaning.
FORMAT_2 = {
    "bautzen": (
        "2ABYZR_u~0ka0n1S_-21/20.cAce6-50/20.cAbe4-112/20.cAbe4-QG~20~Pz.cwdAgg6-QG~"
        "57~PzK.cwdAhg6la~~T_-861/294.f4-QG~294.cwdAgg2la~~~U__3~X20~V_0"
    ),
    "white-october": (
        "2DTYZ1c31d2Xa1ea1l3S_-Semionovski.I4J6v5D5-Mark~V.I1J2v4D5KbLa~~T_-6e~divis"
        "ion.I4J5v3D4-Koursantes.I2J3v4D5~~~U__33~_po~_X2~_qn~_X0X0~X0~V_0"
    ),
}


@pytest.mark.parametrize("id_", FORMAT_2)
def test_links_of_format_2_still_open(id_: str) -> None:
    tap = links.decode(id_, "attack", FORMAT_2[id_])
    assert play_of(id_, "attack", tap).asking is None


def test_links_before_the_formats_still_open(site: httpx.Client) -> None:
    stated = json.dumps({"fight": example("bautzen", "attack"), "answers": [[5]], "open": []})
    answer = site.get("/games/bautzen/attack", params={"s": stated})
    assert answer.status_code == 200
    assert "861/294" in answer.text
    assert 'class="resolution"' in answer.text

"""Links: a fight and its answers in an address, short, readable for ever, and never a bomb."""

import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.rules import game
from grognard.rules.fight import Setup
from grognard.study import player_sheet
from grognard.web.quick import links
from grognard.web.quick.tap import Tap
from grognard.words.refusal import Refusal
from tests.random_setups import SETUPS, each_procedure, fewer

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.load(id_).sheets]
LONGEST = 200  # letters of a link with the example and three answers


def example(id_: str, procedure: str) -> dict[str, Any]:
    stated: dict[str, Any] = msgspec.to_builtins(
        dict(player_sheet.load(id_).sheet(procedure).example)
    )
    return stated


@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_a_link_is_short(id_: str, procedure: str) -> None:
    tap = Tap(fight=example(id_, procedure), answers=([4], "stand", [3, 5]), typed=(0, 2))
    link = links.encode(id_, procedure, tap)
    assert len(link) <= LONGEST
    assert quote(link) == link
    assert links.decode(id_, procedure, link).answers == ([4], "stand", [3, 5])


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
    for broken in (link[:-1], link[:40], link[:3], "", "9" + link[1:], link + "AAAA", "1é"):
        with pytest.raises(Refusal):
            links.decode("bautzen", "attack", broken)
    with pytest.raises(Refusal):
        links.decode("normandy", "attack", link)


def test_a_link_is_no_bomb() -> None:
    """A few letters that unpack to a hundred megabytes are refused at the limit."""
    head = links.encode("bautzen", "attack", Tap())[:3]
    press = zlib.compressobj(9, wbits=-15)
    packed = b"".join(press.compress(b" " * 1_000_000) for _ in range(100)) + press.flush()
    bomb = head + urlsafe_b64encode(packed).decode().rstrip("=")
    with pytest.raises(Refusal):
        links.decode("bautzen", "attack", bomb)


def test_what_a_link_says_is_checked_like_any_body() -> None:
    deep: object = 1
    for _ in range(40):
        deep = [deep]
    for fight in ({"attackers": deep}, {"defender_cl": 10**12}, {"x" * 2000: 1}):
        with pytest.raises(Refusal):
            links.decode("bautzen", "attack", links.encode("bautzen", "attack", Tap(fight=fight)))


def test_old_links_still_open(site: httpx.Client) -> None:
    stated = json.dumps({"fight": example("bautzen", "attack"), "answers": [[5]], "open": []})
    answer = site.get("/games/bautzen/attack", params={"s": stated})
    assert answer.status_code == 200
    assert "861/294" in answer.text
    assert 'class="resolution"' in answer.text

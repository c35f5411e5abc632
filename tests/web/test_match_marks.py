"""The page of a match shows the marks of its log, with their reasons."""

from typing import Any

import httpx

from grognard.words.typography import spaced
from tests.matches.test_marks import ORDERS, REASON


def test_the_page_shows_mark_and_reason(site: httpx.Client) -> None:
    view: dict[str, Any] = site.post("/api/matches", json={"scenario": "pulkovo"}).json()
    for order in ORDERS:
        body = {"version": view["version"], "answer": list(order)}
        view = site.post(f"/api/matches/{view['id']}/answers", json=body).json()
    page = site.get(f"/matches/{view['id']}?lang=fr").text
    log = page.split("Cavalerie Boulak va en ")[1].split("</li>")[0]
    assert "⁂" in log
    assert spaced(REASON["fr"]) in log.replace("&#39;", "'")

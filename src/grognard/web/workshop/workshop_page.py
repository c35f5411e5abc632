"""The workshop: paste a table, say what its results mean, and keep it as a game.

The page holds the draft, sends it with every change, and gets the new page. Nothing is kept on the
server before the reader says so.
"""

from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grognard.draw.json.structs import JsonStruct
from grognard.rules import game
from grognard.study.workshop.card_text import CardData, read_data
from grognard.study.workshop.changes import Change, changed
from grognard.study.workshop.draft import checked
from grognard.study.workshop.kept_games import Exists, keep
from grognard.study.workshop.sample import Sample
from grognard.study.workshop.table_draft import pasted
from grognard.web.api.endpoint import Call, Endpoint, routes
from grognard.web.known_pages import known_game
from grognard.web.language import language
from grognard.web.responses import HttpRefusal
from grognard.web.templating import fill, page, page_route
from grognard.web.workshop.shown_draft import shown_draft
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

LONGEST = 64 * 1024  # characters of a pasted table or of a card
# The first sight: an invented table, as somebody would type it.
STARTER = """\
die  1-2  1-1  3-2  2-1  3-1  4-1
1    AE   AR   AR   EX   DR   DR
2    AE   AR   -    EX   DR   DR
3    AR   -    -    DR   DR   DE
4    AR   -    DR   DR   DE   DE
5    -    DR   DR   DE   DE   DE
6    EX   EX   DR   DE   DE   DE
"""


class Posted(Struct, frozen=True, forbid_unknown_fields=True):
    """The draft on the page, its sample fight, and what was changed."""

    card: dict[str, Any]
    sample: Sample = Sample()
    changes: tuple[Change, ...] = ()


class PostedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A draft to keep, and whether it may replace a game of the same name."""

    card: dict[str, Any]
    replace: bool = False


class DraftAnswer(JsonStruct):
    """The page as HTML, and the draft after the changes."""

    html: str
    card: dict[str, Any]


class KeptAnswer(JsonStruct):
    """The id of the game that was kept, and the address of its quick combat."""

    id: str
    link: str


@Endpoint(
    "POST",
    "/workshop/draft",
    say("The draft of a card after changes, for the workshop"),
    word=LONGEST,
)
def _draft(call: Call, body: Posted) -> DraftAnswer:
    card = checked(body.card)
    for change in body.changes:
        card = changed(card, change, call.lang)
    return DraftAnswer(html=_drawn(card, body.sample, call.lang), card=card)


@Endpoint(
    "POST",
    "/workshop/keep",
    say("Keep a draft as a game of one's own"),
    word=LONGEST,
    refuses={409: say("there is a game of that name, and the draft may not replace it")},
)
def _keep(call: Call, body: PostedGame) -> KeptAnswer:
    try:
        id_ = keep(checked(body.card), replace=body.replace)
    except Exists as refusal:
        raise HttpRefusal(409, Refusal(refusal.problem)) from None
    return KeptAnswer(id=id_, link=f"/games/{id_}?lang={call.lang}")


def _drawn(card: CardData, sample: Sample, lang: Lang) -> str:
    return fill("workshop_card.html", lang, view=shown_draft(card, sample, lang))


def _page(request: Request) -> Response:
    """Show the card of a game that is one file, or the starter."""
    lang = language(request)
    card = _begun(request.query_params.get("game"), lang)
    sample = Sample()
    # This goes into a script element, which a name must not be able to close.
    state = msgspec.json.encode({"card": card, "sample": sample}).decode().replace("<", "\\u003c")
    return page(request, "workshop.html", view=shown_draft(card, sample, lang), state=state)


def _begun(named: str | None, lang: Lang) -> CardData:
    if named is None:
        table = pasted(STARTER, {"grid": []})
        return checked({"name": say("My game").in_(lang), "tables": [table]})
    place = game.place(known_game(named))
    card = read_data(place.text(), place.source)
    if "procedures" not in card:
        problem = say(
            "the rules of {game} are in Python: the workshop can't change them", game=named
        )
        raise HttpRefusal(422, Refusal(problem))
    return checked(card)


def _off(_: Request) -> Response:
    problem = say(
        "the workshop is off here, because others can reach this server; --workshop switches it on"
    )
    raise HttpRefusal(403, Refusal(problem))


def pages(*, on: bool) -> list[Route]:
    """Make the routes of the workshop; where it is off, its page says so."""
    if not on:
        return [page_route("/workshop", _off)]
    return [page_route("/workshop", _page), *routes([_draft, _keep])]

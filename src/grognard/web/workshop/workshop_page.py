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

from grognard.card.defaults import DIE
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
{die}  1-2  1-1  3-2  2-1  3-1  4-1
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
    text: str = ""  # the file that the card was taken up from


class PostedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A draft to keep, and whether it may replace a game of the same name."""

    card: dict[str, Any]
    replace: bool = False
    text: str = ""


class DraftAnswer(JsonStruct):
    """The page as HTML, the draft after the changes, and the file that it was taken up from."""

    html: str
    card: dict[str, Any]
    text: str


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
    card, text = checked(body.card), body.text
    for change in body.changes:
        card = changed(card, change, call.lang)
        text = change.value if change.do == "take-up" else text
    html = fill(
        "workshop_card.html", call.lang, view=shown_draft(card, body.sample, call.lang, text)
    )
    return DraftAnswer(html=html, card=card, text=text)


@Endpoint(
    "POST",
    "/workshop/keep",
    say("Keep a draft as a game of one's own"),
    word=LONGEST,
    refuses={409: say("there is a game of that name, and the draft may not replace it")},
)
def _keep(call: Call, body: PostedGame) -> KeptAnswer:
    try:
        id_ = keep(checked(body.card), replace=body.replace, before=body.text)
    except Exists as refusal:
        raise HttpRefusal(409, Refusal(refusal.problem)) from None
    return KeptAnswer(id=id_, link=f"/games/{id_}?lang={call.lang}")


def _page(request: Request) -> Response:
    """Show the card of a game that is one file, or the starter."""
    lang = language(request)
    card, text = _begun(request.query_params.get("game"), lang)
    begun = Posted(card, text=text)
    # This goes into a script element, which a name must not be able to close.
    state = msgspec.json.encode(begun).decode().replace("<", "\\u003c")
    view = shown_draft(card, begun.sample, lang, text)
    return page(request, "workshop.html", view=view, state=state)


def _begun(named: str | None, lang: Lang) -> tuple[CardData, str]:
    """Give the card to begin with, and the text of its file."""
    if named is None:
        table = pasted(STARTER.format(die=DIE.in_(lang)), {"grid": []})
        return checked({"name": say("My game").in_(lang), "tables": [table]}), ""
    place = game.place(known_game(named))
    text = place.text()
    card = read_data(text, place.source)
    if "procedures" not in card:
        problem = say(
            "the rules of {game} are in Python: the workshop can't change them", game=named
        )
        raise HttpRefusal(422, Refusal(problem))
    return checked(card), text


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

"""Pages from templates, in the reader's language."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache, lru_cache, partial

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grognard.card.wording import MARKS
from grognard.draw.text.chances import plain_percent
from grognard.draw.text.dice_sources import DICE_SOURCES, ORIGINS, dice_words
from grognard.fights.doctrine import DOCTRINES
from grognard.fights.odds import CACHES
from grognard.maps.labels import Labels, labelled_html
from grognard.players.levels import ABOUT, LEVELS, NAMES, USUAL
from grognard.web.lanes.answering import LIGHT_FIRST, Kind, answered
from grognard.web.language import COOKIE, language
from grognard.web.responses import HttpRefusal, with_status
from grognard.web.static_files import static
from grognard.words import numbers
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang, Text, colon, semicolon


@cache
def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("grognard.web"),
        auto_reload=False,
        cache_size=-1,  # keep all templates, without a lock
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["percent"] = percent
    env.filters["decimal"] = decimal
    env.filters["percentage"] = percentage
    env.globals["static"] = static
    env.globals["colon"] = colon
    env.globals["semicolon"] = semicolon
    env.globals["piece"] = piece
    env.globals["pieces"] = pieces
    env.globals["marks"] = MARKS
    env.globals["levels"] = {of: (NAMES[of], ABOUT[of]) for of in LEVELS}
    env.globals["usual_level"] = USUAL
    env.globals["dice_sources"] = DICE_SOURCES
    env.globals["dice_words"] = dice_words
    env.globals["origins"] = ORIGINS
    env.globals["doctrines"] = tuple(DOCTRINES.values())
    return env


@pass_context
def percent(context: Context, chance: Fraction) -> str:
    """Write a chance as `16.7 %`; 0 and 100 only for what is certain."""
    return plain_percent(chance, context["lang"])


@pass_context
def percentage(context: Context, number: int) -> str:
    """Write a number with its percent sign."""
    return numbers.percentage(number, context["lang"])


@pass_context
def decimal(context: Context, value: Fraction) -> str:
    """Write a mean with two decimals, in the reader's language."""
    lang: Lang = context["lang"]
    return numbers.decimal(float(value), 2, lang)


def fill(name: str, lang: Lang, **context: object) -> str:
    """Fill in a template. `t` translates a card's text, `say` the program's own messages."""

    def words(text: Text | Message) -> str:
        return text.in_(lang)

    def spoken(template: str, **blanks: object) -> str:
        return say(template, **blanks).in_(lang)

    template = _environment().get_template(name)
    return template.render(lang=lang, langs=LANGS, t=words, say=spoken, **context)


@pass_context
def piece(context: Context, name: str, **given: Hashable) -> Markup:
    """Fill in a part of a page; for equal arguments the cached text is used again."""
    return _piece(name, context["lang"], tuple(given.items()))


@pass_context
def pieces(context: Context, name: str, **given: Iterable[Hashable]) -> Markup:
    """Fill in a part of a page once for each of several arguments."""
    ((key, things),), lang = given.items(), context["lang"]
    return Markup("".join([_piece(name, lang, ((key, thing),)) for thing in things]))


@lru_cache(maxsize=8192)
def _piece(name: str, lang: Lang, given: tuple[tuple[str, Hashable], ...]) -> Markup:
    return Markup(fill(name, lang, **dict(given)))


CACHES.append(_piece)


def page(
    request: Request,
    name: str,
    /,
    *,
    status: int = 200,
    labels: Labels = (),
    **context: object,
) -> HTMLResponse:
    """Answer with a whole page."""
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    workshop = request.app.state.workshop
    text = fill(name, language(request), here=here, workshop=workshop, **context)
    return HTMLResponse(labelled_html(text, labels), status)


def page_route(path: str, show: Callable[[Request], Response], work: Kind = LIGHT_FIRST) -> Route:
    """Make the route of a page; a refusal is answered with an error page."""

    async def answer(request: Request) -> Response:
        try:
            return await answered(request, partial(show, request), kind=work)
        except (HttpRefusal, Refusal) as problem:
            return error_page(request, problem)

    return Route(path, answer, methods=["GET"])


def error_page(request: Request, problem: HttpRefusal | Refusal) -> Response:
    """Say what is wrong, on a page with links to go on."""
    found = with_status(problem)
    message = found.refusal.in_(language(request))
    answer = page(request, "refused.html", status=found.status, message=message)
    answer.headers.update(found.headers)
    return answer


def switch_language(request: Request) -> Response:
    """Remember the chosen language, and go back to the page that asked."""
    to = request.query_params.get("to", "/")
    if not to.startswith("/") or to.startswith(("//", "/\\")):
        to = "/"
    answer = RedirectResponse(to, 303)
    chosen = request.path_params["lang"]
    if chosen in LANGS:
        answer.set_cookie(COOKIE, chosen, max_age=365 * 24 * 3600, samesite="lax", httponly=True)
    return answer

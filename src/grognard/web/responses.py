"""JSON responses, and refusals with their HTTP status."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec
from starlette.responses import Response

from grognard.card.card import encode_hook
from grognard.draw.json.structs import JsonStruct
from grognard.matches.storage.rows import Damaged, Full, NotYours, Stale, Unknown, Unusable
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

_STATUS: Mapping[type[Refusal], int] = MappingProxyType(
    {Unknown: 404, NotYours: 403, Stale: 409, Unusable: 503, Full: 507, Damaged: 503}
)


class HttpRefusal(Exception):
    """A refusal with the status that tells a program what kind it is."""

    def __init__(self, status: int, refusal: Refusal, retry: int | None = None) -> None:
        self.status = status
        self.refusal = refusal
        self.retry = retry  # seconds after which the client may ask again
        super().__init__(status, refusal, retry)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        return {} if self.retry is None else {"retry-after": str(self.retry)}


class RefusalAnswer(JsonStruct):
    """What is refused, in the reader's language, and the place in the body that it concerns."""

    refusal: str
    place: str


def json_response(data: object, status: int = 200) -> Response:
    """Write data as JSON: fractions as `1/2`, whole numbers as such."""
    body = msgspec.json.encode(data, enc_hook=encode_hook)
    return Response(body, status, media_type="application/json")


def with_status(problem: HttpRefusal | Refusal) -> HttpRefusal:
    """Give a refusal its status: 422, if no other is known."""
    if isinstance(problem, HttpRefusal):
        return problem
    return HttpRefusal(_STATUS.get(type(problem), 422), problem)


def refusal_response(problem: HttpRefusal | Refusal, lang: Lang) -> Response:
    """Answer with the message in the reader's language, and the place of the mistake."""
    found = with_status(problem)
    refusal = found.refusal
    answer = RefusalAnswer(refusal=refusal.in_(lang), place=refusal.place)
    response = json_response(answer, found.status)
    response.headers.update(found.headers)
    return response

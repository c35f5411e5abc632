"""How a refusal is answered over HTTP: a status and one clear message."""

from starlette.responses import Response

from grognard.web.json_response import json_response
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class Refused(Exception):
    """A refusal with the status that tells a program what kind it is."""

    def __init__(self, status: int, refusal: Refusal) -> None:
        self.status = status
        self.refusal = refusal
        super().__init__(status, refusal)


def refused(problem: Refused, lang: Lang) -> Response:
    """Answer with the message in the reader's language, and the place that it concerns."""
    refusal = problem.refusal
    return json_response({"refusal": refusal.in_(lang), "place": refusal.place}, problem.status)

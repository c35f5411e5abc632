"""JSON answers."""

import msgspec
from starlette.responses import Response

from grognard.card.card import encode_hook


def json_response(data: object, status: int = 200) -> Response:
    """Write data as JSON: fractions as `1/2`, whole numbers as such."""
    body = msgspec.json.encode(data, enc_hook=encode_hook)
    return Response(body, status, media_type="application/json")

"""Logs with one JSON object a line, without secrets.

A request is told by its method, the pattern of its path, its status, its time and a code for its
visitor that is another one after each start. Addresses, paths, queries, headers and bodies are
never told; of an exception only its type and the places in the program.
"""

import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from secrets import token_bytes

import msgspec

ACCESS = logging.getLogger("grognard.access")
_KEY = token_bytes(16)


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        fields = getattr(record, "fields", None)
        told |= fields if isinstance(fields, Mapping) else {"message": record.getMessage()}
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            told["error"] = kind.__name__
            frames = traceback.extract_tb(trace)
            told["where"] = [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in frames]
            told.setdefault("message", "")
        return msgspec.json.encode(told).decode()


def visitor_code(visitor: str) -> str:
    """Give a code by which requests of one visitor can be put together, but not he be found."""
    return blake2b(visitor.encode(), key=_KEY, digest_size=6).hexdigest()


def log_as_json() -> None:
    """Write the logs of the server to standard error as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    ACCESS.setLevel(logging.INFO)
    logging.getLogger("grognard.server").setLevel(logging.INFO)

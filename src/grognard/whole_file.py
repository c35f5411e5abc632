"""Writing a file that is whole at every moment, whatever happens."""

from pathlib import Path

from grognard.message import say
from grognard.refusal import Refusal


def write(path: Path, data: bytes) -> None:
    """Write beside the file, then put that in its place."""
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        problem = say("can't be written: {problem}", problem=error.strerror)
        raise Refusal(problem, source=str(path)) from None

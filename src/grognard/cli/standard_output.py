"""Standard output that is full, closed, or a pipe that nobody reads any more."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO, TextIOWrapper

import click

from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.text import Lang


@contextmanager
def checked_output(lang: Lang) -> Iterator[None]:
    """Exit with one message where standard output is full or closed.

    A reader that has seen enough (`| head`) is told nothing. Characters that standard output can't
    write are written as escapes.
    """
    try:
        if sys.stdout is None:  # closed by the shell: >&-
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        if error.errno != errno.EPIPE:
            problem = say("standard output can't be written: {problem}", problem=foreign(error))
            click.echo(f"grognard: {problem.in_(lang)}", err=True)
        # What is left in the buffer would fail again when the interpreter exits.
        sys.stdout = StringIO()
        sys.exit(2)


_UNWRITABLE = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)

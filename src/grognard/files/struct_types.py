"""Types that msgspec reads data into, made ready before threads share them."""

from collections.abc import Callable

import msgspec


def prepare(type_: type, dec_hook: Callable[[type, object], object] | None = None) -> None:
    """Let msgspec analyse a type now, while the module that defines it is imported.

    Otherwise it does so when it first reads data of the type, and a second thread that reads the
    same type meanwhile crashes the process.
    """
    msgspec.json.Decoder(type_, dec_hook=dec_hook)

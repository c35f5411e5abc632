"""Refusals that tests meet: each is made of messages, so that its French holds no English."""

from collections.abc import Iterator
from contextlib import contextmanager

from grognard.words.message import LateMessage, Message
from grognard.words.refusal import Refusal


@contextmanager
def refusals_in_french() -> Iterator[None]:
    """Refuse refusals that hold the words of the system or of a library."""
    make = Refusal.__init__

    def check(self: Refusal, *args: object, **settings: object) -> None:
        make(self, *args, **settings)  # type: ignore[arg-type]  # whatever the caller gave
        _check(self.problem)

    Refusal.__init__ = check  # type: ignore[method-assign]
    try:
        yield
    finally:
        Refusal.__init__ = make  # type: ignore[method-assign]


def _check(message: Message) -> None:
    if isinstance(message, LateMessage):
        return  # made of messages when it is read
    for blank, value in message.blanks.items():
        assert blank != "problem" or isinstance(value, Message), (
            f"the words of '{message.template}' have no French: give it `foreign(error)` of "
            "grognard.words.foreign, which knows the messages of the system and of libraries"
        )
        if isinstance(value, Message):
            _check(value)

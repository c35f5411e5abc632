"""Output of the commands."""

import sys
from io import StringIO

import pytest

from grognard.cli.output import progress_bar


class Terminal(StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_bar_tells_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bar(1000) as bar:
        bar(250)
        bar(1000)
    shown = terminal.getvalue()
    assert "250/1000" in shown
    assert "1000/1000" in shown
    assert "/s" in shown


def test_elsewhere_no_bar_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    said = StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with progress_bar(1000) as bar:
        bar(250)
    assert said.getvalue() == ""

"""The group of commands: one module a command, imported when it is called."""

import subprocess
import sys
from pathlib import Path

import pytest

from grognard.cli.main import COMMANDS
from tests.command import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "bautzen.toml"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_module_and_its_help(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: main {name} " in result.output


def test_the_help_lists_every_command() -> None:
    result = run("--help")
    assert [line.split()[0] for line in result.output.splitlines()[-len(COMMANDS) :]] == [*COMMANDS]


def test_an_unknown_command_is_refused() -> None:
    result = run("gmaes")
    assert result.exit_code == 2
    assert "No such command" in result.output


def test_a_quick_command_imports_little() -> None:
    code = (
        "import sys; from grognard.cli.main import main; main(['games'], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert "bautzen" in done.stdout
    assert not loaded & {"numpy", "starlette", "uvicorn", "jinja2", "multiprocessing"}
    ours = {name for name in loaded if name.startswith("grognard.")}
    packages = ("arrays", "draw", "fights", "games", "maps", "matches", "study", "web")
    assert not [name for name in ours if name.startswith(tuple(f"grognard.{p}" for p in packages))]


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "--budget"),
        ("resolve", "--auto", "--seed"),
        ("serve", "--port"),
        ("resolve", "--dice"),
    ],
)
def test_a_long_word_is_not_said_whole(words: tuple[str, ...]) -> None:
    """5,000 digits: the message shows the ends of them, and what would be right."""
    fight = () if words[0] == "serve" else (EXAMPLE,)
    result = run(words[0], *fight, *words[1:], "9" * 5000)
    assert result.exit_code == 2
    message = result.stderr.splitlines()[-1]
    assert "999…999" in message
    assert len(message) < 250

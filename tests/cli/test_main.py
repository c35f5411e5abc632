"""The group of commands: one module a command, imported when it is called."""

import subprocess
import sys

import pytest

from grognard.cli.main import COMMANDS
from tests.command import run


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

"""The README's examples are run."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import grognard
from tests.command import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.removeprefix("$ grognard ")
    for line in re.findall(r"```console\n(.*?)```", README, re.DOTALL)[0].splitlines()
]


@pytest.mark.parametrize("page", ["README.md", "docs/arrays.md", "docs/sweeps.md", "docs/many.md"])
def test_the_python_examples_run_as_shown(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", "")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    example = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(example, {}, page, page, 0)
    assert len(test.examples) >= 5
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0


def test_the_package_example_runs() -> None:
    assert doctest.testmod(grognard).failed == 0
    assert doctest.testmod(grognard).attempted == 2


@pytest.mark.slow
def test_the_terminal_examples_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(COMMANDS) == 13
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        words = shlex.split(command)
        if "|" in words:
            words = words[: words.index("|")]
        result = run(*words)
        assert result.exit_code == 0, f"{command}: {result.output}"
        assert result.output

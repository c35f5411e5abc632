"""Documents whose examples are run: commands and Python, with the output that they really give.

`make tutorials` runs every example and writes its output into the document. A test runs them too
and fails where the document shows anything else. All examples of a document run one after the
other, in a folder that holds only `examples` and `src`. Two comments above a block are orders:

    <!-- file: my-fight.toml -->   the block is the content of this file
    <!-- typed: 5 | 1 -->          what the reader types where the command of the block asks

After what is typed, ` || grep Turn` names a filter that leaves out a part of a long output.
"""

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from click import unstyle
from click.testing import CliRunner

from grognard.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "docs/arrays.md",
    "docs/tutorial-designers.md",
    "docs/tutorial-players.md",
    "docs/tutorial-programmers.md",
]
SETTINGS = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "100", "GROGNARD_CACHE": ""}
_BLOCK = re.compile(
    r"(?P<head>(?:<!-- (?P<order>file|typed): (?P<words>[^\n]*) -->\n)?"
    r"```(?P<language>\w+)\n)(?P<body>.*?)(?P<tail>^```$)",
    re.DOTALL | re.MULTILINE,
)


def rendered(text: str, folder: Path) -> str:
    """Run all examples of a document in this folder; give it with their real output."""
    for name in ("examples", "src"):
        (folder / name).symlink_to(ROOT / name)
    names: dict[str, object] = {"__name__": "__main__"}

    def run(block: re.Match[str]) -> str:
        body, words = block["body"], block["words"] or ""
        if block["order"] == "file":
            Path(words).write_text(body, encoding="utf-8")
        elif block["language"] == "console":
            body = "".join(_console(body, words))
        elif block["language"] == "python":
            body = "".join(_python(body, names))
        return block["head"] + body + block["tail"]

    with chdir(folder), patch.dict(os.environ, SETTINGS):
        return _BLOCK.sub(run, text)


def _console(body: str, words: str) -> Iterator[str]:
    typed, _, filter_ = words.partition(" || ")
    for line in body.splitlines():
        if line.startswith("$ "):
            output = _output(line.removeprefix("$ "), typed.replace(" | ", "\n") + "\n")
            yield f"{line}\n{_shell(filter_, output) if filter_ else output}"


def _output(command: str, typed: str) -> str:
    """Run one command line: `grognard` in this process, everything else in a shell."""
    first, _, rest = command.partition(" | ")
    program, *words = shlex.split(first, comments=True)
    if program != "grognard":
        return _shell(command, "")
    result = CliRunner().invoke(main, words, input=typed)
    if result.exit_code:
        raise AssertionError(f"{command}: {result.output}") from result.exception
    output = unstyle(result.output)
    return _shell(rest, output) if rest else output


def _shell(command: str, given: str) -> str:
    done = subprocess.run(
        ["bash", "-c", command], input=given, capture_output=True, text=True, check=True
    )
    return done.stdout


def _python(body: str, names: dict[str, object]) -> Iterator[str]:
    for part in doctest.DocTestParser().parse(body):
        if isinstance(part, str):
            yield part
        else:
            first, *others = part.source.splitlines()
            yield "\n".join([f">>> {first}", *(f"... {line}" for line in others)]) + "\n"
            yield _answer(part.source, names)


def _answer(source: str, names: dict[str, object]) -> str:
    """Run one statement; give what it prints, or how it fails, as doctest shows it."""
    printed = io.StringIO()
    with redirect_stdout(printed), patch.object(sys, "displayhook", sys.__displayhook__):
        try:
            exec(compile(source, "<example>", "single"), names)
        except Exception as error:  # shown to the reader, and compared by the test
            last = "".join(traceback.format_exception_only(error))
            return f"{printed.getvalue()}Traceback (most recent call last):\n    ...\n{last}"
    return printed.getvalue()


def fresh(page: str) -> str:
    """Run a page in a folder of its own; give it as it should be on disk."""
    with TemporaryDirectory() as folder:
        return rendered((ROOT / page).read_text(encoding="utf-8"), Path(folder))


if __name__ == "__main__":
    for name in PAGES:
        (ROOT / name).write_text(fresh(name), encoding="utf-8")

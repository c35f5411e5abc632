"""Call the `grognard` command in this process."""

from pathlib import Path

from click.testing import CliRunner, Result

from grognard.cli.main import main


def run(*words: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), input=stdin)


def refused(*words: str | Path, stdin: str | bytes | None = None) -> str:
    """Give the one-line message of a refused call, and check that nothing else is printed."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    return result.stderr

"""The command `grognard`: a group of commands, each in the module of its name."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from grognard.cli.language import click_speaking, in_language, language_in, language_of
from grognard.cli.standard_output import checked_output
from grognard.words.refusal import shortened

COMMANDS = (
    "card",
    "check",
    "explain",
    "games",
    "mail",
    "map",
    "new",
    "odds",
    "plan",
    "play",
    "replay",
    "report",
    "resolve",
    "scenarios",
    "series",
    "serve",
    "store",
    "story",
    "sweep",
)


class LazyGroup(click.Group):
    """Imports the module of a command when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"grognard.cli.{cmd_name}").command
        return in_language(command, language_in(ctx))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:  # noqa: ANN401  # click's signature
        lang = language_of(sys.argv[1:] if args is None else args)
        with click_speaking(lang), checked_output(lang):  # of help texts too
            return super(LazyGroup, in_language(self, lang)).main(args, *rest, obj=lang, **settings)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's signature
        with checked_output(language_in(ctx)):  # before click takes any closed output for a pipe
            try:
                return super().invoke(ctx)
            except click.UsageError as error:
                said = error.format_message()
                if shortened(said) == said:
                    raise
                raise click.UsageError(shortened(said), error.ctx) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="grognard", message="%(prog)s %(version)s", help="Show the version and exit."
)
def main() -> None:
    """Run the combat rules of hex-and-counter wargames from their printed cards."""

"""The command `grognard`: a group of commands, each in the module of its name."""

from importlib import import_module

import click

COMMANDS = (
    "card",
    "explain",
    "games",
    "map",
    "odds",
    "play",
    "replay",
    "report",
    "resolve",
    "scenarios",
    "series",
    "serve",
    "sweep",
)


class LazyGroup(click.Group):
    """Imports the module of a command when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"grognard.cli.{cmd_name}").command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="grognard")
def main() -> None:
    """Run the combat rules of hex-and-counter wargames from their printed cards."""

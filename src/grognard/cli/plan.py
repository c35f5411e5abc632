"""The command `grognard plan`."""

import click
from msgspec.structs import replace

from grognard.cli.options import WholeNumber, allow_budget, answer_options, budget_option
from grognard.cli.output import print_json, print_lines
from grognard.draw.json.plan import plan_json
from grognard.draw.text.plan import plan_text
from grognard.fights.work_budget import SITUATIONS
from grognard.files.source import read_source
from grognard.study.planner.plan_file import GOALS, Goal, read_plan
from grognard.study.planner.planner import WORK, best_plan
from grognard.words.text import Lang


@click.command("plan")
@click.argument("path", metavar="FILE")
@click.option(
    "--goal", type=click.Choice(GOALS), help="What to plan for (default: as in the file)."
)
@click.option(
    "--work",
    metavar="N",
    type=WholeNumber(1),
    default=WORK,
    show_default=True,
    help="Value at most this many attacks; then say that the search was cut off.",
)
@budget_option(20 * SITUATIONS)
@answer_options
def command(
    path: str, goal: Goal | None, work: int, budget: int, lang: Lang, as_json: bool
) -> None:
    """Divide units over targets, without a map.

    Shows the best way to divide them, each attack with its column and chance, the chance of all
    targets and of at least one, and alternatives. FILE is a TOML or JSON file, or - for standard
    input.
    """
    allow_budget(budget)
    source = read_source(path)
    plan = read_plan(source)
    with source.placing():
        answer = best_plan(replace(plan, goal=goal or plan.goal), work)
    if as_json:
        print_json(plan_json(answer))
        return
    print_lines(plan_text(answer, lang))

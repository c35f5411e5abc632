"""The JSON interface of the planner."""

from grognard.draw.json.plan import PlanJson, plan_json
from grognard.files.plain_data import Limits, check_plain
from grognard.study.planner.plan_file import PlanBody
from grognard.study.planner.planner import PlanAnswer, best_plan
from grognard.web.api.endpoint import Call, Endpoint
from grognard.web.api.fights import MISSING, known
from grognard.web.lanes.answering import STEADY_HEAVY
from grognard.web.limits import UNITS, allow_request
from grognard.words.message import say

WORK = 600  # work budget of a request: attacks that are valued

_EXAMPLE = {
    "game": "bautzen",
    "units": [{"name": "21/20Pz", "attack": 6}, {"name": "59/20Pz", "attack": 4}],
    "targets": [
        {
            "name": "Weissenberg",
            "terrain": ["village"],
            "defenders": [{"name": "861/294", "defence": 2}],
        },
        {
            "name": "Nostitz",
            "reaches": ["59/20Pz"],
            "defenders": [{"name": "857/294", "defence": 2}],
        },
    ],
}


def limited_plan(body: PlanBody) -> PlanAnswer:
    """Answer a plan within the limits and the work budget of a request."""
    check_plain([body.units, body.targets], Limits(entries=UNITS))
    allow_request()
    return best_plan(body.plan(), WORK)


@Endpoint(
    "POST",
    "/api/plan",
    say("The best way to divide units over targets, with exact chances, and alternatives"),
    work=STEADY_HEAVY,
    example=_EXAMPLE,
    refuses=MISSING,
)
def _plan(call: Call, body: PlanBody) -> PlanJson:  # noqa: ARG001  # every endpoint is given its call
    known(body.game, body.procedure)
    return plan_json(limited_plan(body))


ENDPOINTS = (_plan,)

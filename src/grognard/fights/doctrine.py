"""Doctrines: named ways in which a side decides when no person is asked.

A doctrine is a set of weights on the parts of an outcome. A side takes the answer with the best
expectation by its doctrine, looking ahead through all later rolls and through the choices of both
sides, each by its own doctrine; among equals it takes the first.
"""

from msgspec import Struct

from grognard.card.rows import Side
from grognard.rules.fight import Outcome
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text


class Doctrine(Struct, frozen=True, cache_hash=True):
    """The values of a side in points, and its policy for secret commitments."""

    id: str
    name: Text
    text: Text
    own_step: int
    enemy_step: int
    own_ground: int  # leaving its hex
    enemy_ground: int  # the enemy leaving his hex, and once more for standing in it
    shaken: int  # a unit shaken, its own or, with the other sign, the enemy's
    spent: int  # each commitment used up
    commits: str  # all, none, or best

    def value(self, outcome: Outcome, side: Side) -> int:
        if side == "attacker":
            own, enemy = outcome.attacker_steps_lost, outcome.defender_steps_lost
            left, won = int(outcome.attacker_left), outcome.vacated + outcome.taken
            shaken = outcome.attacker_shaken - outcome.defender_shaken
            spent = outcome.attacker_spent
        else:
            own, enemy = outcome.defender_steps_lost, outcome.attacker_steps_lost
            left = outcome.vacated + outcome.taken
            won = outcome.attacker_left + outcome.defender_advanced
            shaken = outcome.defender_shaken - outcome.attacker_shaken
            spent = outcome.defender_spent
        return (
            self.enemy_step * enemy
            - self.own_step * own
            - self.own_ground * left
            + self.enemy_ground * won
            - self.shaken * shaken
            - self.spent * spent
        )


BEST = Doctrine(
    "best",
    Text("best", "au mieux"),
    Text(
        "best by expectation: a loss 4 points, a hex left 3, a hex taken 3 more, a shaken unit 2, "
        "a commitment 2",
        "au mieux en espérance : perte 4 points, hex quitté 3, hex pris 3 de plus, "
        "unité ébranlée 2, moyen engagé 2",
    ),
    own_step=4,
    enemy_step=4,
    own_ground=3,
    enemy_ground=3,
    shaken=2,
    spent=2,
    commits="best",
)
DOCTRINES = {
    doctrine.id: doctrine
    for doctrine in (
        BEST,
        Doctrine(
            "hold",
            Text("hold", "tenir"),
            Text(
                "hold the ground, then spare the units", "tenir le terrain, puis ménager les unités"
            ),
            own_step=20,
            enemy_step=1,
            own_ground=1000,
            enemy_ground=1,
            shaken=2,
            spent=0,
            commits="all",
        ),
        Doctrine(
            "take",
            Text("take", "prendre"),
            Text(
                "take the ground, then spare the units",
                "prendre le terrain, puis ménager les unités",
            ),
            own_step=20,
            enemy_step=1,
            own_ground=1,
            enemy_ground=1000,
            shaken=2,
            spent=0,
            commits="all",
        ),
        Doctrine(
            "spare",
            Text("spare", "ménager"),
            Text("spare the units, then the ground", "ménager les unités, puis le terrain"),
            own_step=1000,
            enemy_step=2,
            own_ground=3,
            enemy_ground=1,
            shaken=20,
            spent=1,
            commits="none",
        ),
    )
}


def doctrine(id_: str) -> Doctrine:
    """Find a doctrine by its name."""
    if id_ not in DOCTRINES:
        raise Refusal(say("there is no doctrine '{id}'; {near}", id=id_, near=near(id_, DOCTRINES)))
    return DOCTRINES[id_]

"""What tables tell of a fight: its reckoning, and the chance or expectation of each outcome."""

from msgspec.structs import fields

from grognard.arrays.batch import Fights
from grognard.arrays.row_results import Floats, Places
from grognard.rules.fight import Outcome

LABELS = ("basic", "final")
RECKONED = ("attack", "defence", "basic", "final", "die_modifier")
# Of what holds or not the chance, of a number the expectation.
EXPECTED = tuple(field.name for field in fields(Outcome) if field.type in (bool, int))
MEASURES = (*RECKONED, *EXPECTED)
REFUSED = "refused"  # names the column that tells what the rules do not allow


def numbers(fights: Fights, measure: str) -> Floats:
    """Give a measure that is a number; it is not a number where the fight has none."""
    match measure:
        case "attack":
            return fights.attack
        case "defence":
            return fights.defence
        case "die_modifier":
            return fights.die_modifier
    return fights.expected(measure)


def label_places(fights: Fights, measure: str) -> Places:
    """Give a measure that is a label, as places among the labels of the batch."""
    return fights.basic if measure == "basic" else fights.final

"""Whether the dice of a match file can be checked."""

from msgspec import Struct

from grognard.matches.dice_proof import check_proof
from grognard.matches.match import Match, Reply, Saved, stored_file
from grognard.rules.ask import Roll
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal


class DiceCheck(Struct, frozen=True):
    """The rolls of a match, and how many of them are proven fair."""

    rolls: int
    fair: int

    @property
    def checked(self) -> bool:
        """Whether every roll is proven."""
        return 0 < self.rolls == self.fair

    @property
    def words(self) -> Message:
        if self.checked:
            return say("Dice: made by both sides; {n} {n:roll|rolls} checked.", n=self.rolls)
        if self.fair:
            return say(
                "Dice: {fair} of {n} {n:roll|rolls} made by both sides and checked; the others "
                "can't be checked.",
                fair=self.fair,
                n=self.rolls,
            )
        return say("Dice: {n} {n:roll|rolls}; they can't be checked.", n=self.rolls)


def dice_check(match: Match, kept: Saved) -> DiceCheck:
    """Check the dice of a match that was read from a file; refuse a proof that does not hold."""
    replies = [entry for entry in match.log if isinstance(entry, Reply)]
    rolls = {n: reply.ask for n, reply in enumerate(replies) if isinstance(reply.ask, Roll)}
    if kept.proof is None:
        return DiceCheck(len(rolls), 0)
    check_proof(kept.proof, kept.scenario, kept.options, kept.answers)
    fair = [n for n, source in enumerate(kept.proof.sources) if source == "fair"]
    for proven, n in zip(kept.proof.rolls, fair, strict=True):
        ask = rolls.get(n)
        if ask is None or (ask.dice.faces, ask.dice.first) != (proven.faces, proven.lowest):
            problem = say("the proof is of other dice than those that were asked for")
            raise Refusal(problem, place=f"answers[{n}]")
    return DiceCheck(len(rolls), len(fair))


def stored_and_checked(name: str) -> tuple[Match, DiceCheck] | None:
    """Read a match from a file and check its dice; None if it holds no match."""
    found = stored_file(name)
    if found is None:
        return None
    try:
        return found[0], dice_check(*found)
    except Refusal as refusal:
        raise Refusal(refusal.problem, source=name, place=refusal.place) from None

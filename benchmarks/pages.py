"""Simulated pages of quick combat: each has its own fight, and every tap changes one value."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.aid import UnitList
from grognard.study.player_sheet import Control
from grognard.words.refusal import Refusal

Stated = dict[str, Any]

SHEETS = (
    ("bautzen", "attack"),
    ("white-october", "attack"),
    ("normandy", "attack"),
    ("panzer-grenadier", "direct-fire"),
)
MOST = {
    "attacker": 4,
    "defender": 3,
}  # units of a side; three is the stacking limit
LARGEST = 8  # factor of a unit


class Page:
    """A page of quick combat with random taps."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.game, self.procedure = SHEETS[seed % len(SHEETS)]
        self.rules = game.load(self.game)
        self.sheet = player_sheet.load(self.game).sheet(self.procedure)
        self.known = player_sheet.controls(self.game, self.procedure)
        self.address = f"/games/{self.game}/{self.procedure}"

    def fights(self) -> Iterator[Stated]:
        """Yield a fight of ordinary size, then the fight after each tap; the rules accept all."""
        stated = self._drawn(dict(self.sheet.start), self._fill)
        while True:
            yield stated
            stated = self._drawn(stated, self._tap)

    def _drawn(self, before: Stated, change: Callable[[Stated], None]) -> Stated:
        """Change the fight at random until the rules accept it."""
        while True:
            after = deepcopy(before)
            change(after)
            try:
                self.rules.fight(after, procedure=self.procedure)
            except Refusal:
                continue
            if after != before:
                return after

    def _fill(self, fight: Stated) -> None:
        for units in self.sheet.units:
            fight[units.list] = []
            for _ in range(self.random.randint(1, 3)):
                self._add(fight, units)

    def _tap(self, fight: Stated) -> None:
        """Type a factor, add or remove a unit, or tap a row of the card."""
        units = self.random.choice(self.sheet.units)
        listed = fight[units.list]
        tapped = self.random.choices(("factor", "add", "remove", "row"), (3, 2, 1, 4))[0]
        if tapped == "factor" and units.factor:
            self.random.choice(listed)[units.factor] = self.random.randint(1, LARGEST)
        elif tapped == "add" and len(listed) < MOST[units.side or "attacker"]:
            self._add(fight, units)
        elif tapped == "remove" and len(listed) > 1:
            listed.pop(self.random.randrange(len(listed)))
        elif tapped == "row":
            self._row(fight)

    def _add(self, fight: Stated, units: UnitList) -> None:
        unit: Stated = {**units.new, "name": f"{units.list} {self.random.randrange(10**6)}"}
        if units.factor:
            unit[units.factor] = self.random.randint(2, LARGEST)
        for field in units.shows:
            if isinstance(usual := units.new.get(field), int):
                unit[field] = max(1, usual + self.random.randint(-1, 1))
        fight[units.list].append(unit)

    def _row(self, fight: Stated) -> None:
        control = self.random.choice(list(self.known.values()))
        if control.kind == "name" or control.field == "steps":
            return
        holder = self.random.choice(fight[control.list]) if control.list else fight
        value = self._value(control, holder.get(control.field, control.default))
        holder[control.field] = value

    def _value(self, control: Control, now: object) -> object:
        """Tap a control: tick, step by one, choose another word."""
        match control.kind:
            case "flag":
                return not now
            case "number":
                step = self.random.choice((1, -1))
                return (now if isinstance(now, int) else 0) + step
            case "set":
                return [self.random.choice(control.values)[0]]
        return self.random.choice(control.values)[0]

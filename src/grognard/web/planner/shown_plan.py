"""What the planner's page shows: units, targets, who reaches whom, and the best division."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from grognard.card.card import Card
from grognard.draw.text.chances import plain_percent
from grognard.draw.text.plan import (
    CUT_OFF,
    GOAL_WORDS,
    SUCCESS_WORDS,
    best_for_words,
    losses_words,
    place_words,
    reserve_words,
    summary_rows,
    trade,
)
from grognard.files.toml_file import converted
from grognard.files.value_path import parsed
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet, UnitList
from grognard.study.planner.plan_file import GOALS, PlanBody
from grognard.study.planner.planner import PlanAnswer, Planned, PlannedAttack, PlannedTarget
from grognard.study.player_sheet import Control
from grognard.study.tray import attacking_army
from grognard.web.api.plans import limited_plan
from grognard.web.planner.plan_state import (
    ATTACKERS,
    DEFENDERS,
    REDUCED,
    THEN,
    TOGETHER,
    PlanTap,
    as_plan,
    reaching,
)
from grognard.web.quick import links
from grognard.web.quick.drawn_counters import ListedUnit, drawn_unit, key_of
from grognard.web.quick.shown_units import OfferedCounter, StatedJson, offered_counters
from grognard.web.quick.tap import Tap
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon

Fact = tuple[Control, object]  # a control and its value
Choice = tuple[str, Message, bool]  # its id, its words, whether it is chosen


class ShownUnit(NamedTuple):
    """A unit or a defender."""

    at: str
    name: str
    drawing: Markup
    values: tuple[object, ...] | None  # of every control; None unless it is being edited
    reduced: tuple[Fact, ...] = ()  # of a defender that is edited, once it has lost a step


class UnitRow(NamedTuple):
    """A list of units: what is in it, and the tray."""

    at: str
    units: UnitList
    shown: tuple[ShownUnit, ...]
    controls: tuple[Control, ...]
    counters: tuple[OfferedCounter, ...]


class ShownGroup(NamedTuple):
    """Units with the facts that hold if all of them attack."""

    at: str
    members: tuple[tuple[ShownUnit, bool], ...]
    facts: tuple[Fact, ...]
    stated: tuple[Control, ...]  # those of the facts that are stated for this group


class ShownTarget(NamedTuple):
    """A target: its defenders, its facts, and who reaches it."""

    at: str
    name: str
    value: int
    defenders: UnitRow
    reaching: tuple[tuple[ShownUnit, bool], ...]
    first: tuple[Fact, ...]
    others: tuple[Fact, ...]
    stated: tuple[str, ...]  # those of the others that are not as usual, in words
    together: tuple[ShownGroup, ...]
    then: tuple[Fact, ...]  # from the second attack on


class ShownAttack(NamedTuple):
    """An attack of a division."""

    units: tuple[tuple[str, Markup], ...]
    needed: str  # the chance that it is made; empty for the first
    place: str
    chance: str
    losses: str
    link: str  # to quick combat


class ShownResult(NamedTuple):
    """A target of a division, and the attacks on it."""

    name: str
    chance: str
    percent: float
    attacks: tuple[ShownAttack, ...]


class ShownDivision(NamedTuple):
    """A division with its figures."""

    results: tuple[ShownResult, ...]
    summary: tuple[tuple[str, str], ...]
    reserve: str
    heading: str  # what an alternative trades
    best_for: str


class PlanView(NamedTuple):
    """Everything that the planner's page shows."""

    card: Card
    sheet: PlayerSheet
    tap: PlanTap
    units: UnitRow
    targets: tuple[ShownTarget, ...]
    goals: tuple[Choice, ...]
    successes: tuple[Choice, ...]
    best: ShownDivision | None
    alternatives: tuple[ShownDivision, ...]
    note: str  # that the search was cut off
    problem: str
    link: str


def plan_view(game_id: str, procedure: str, tap: PlanTap, lang: Lang) -> PlanView:
    """Lay out the page; a plan that is refused is shown with the reason."""
    shown = _Shown(game_id, procedure, tap, lang)
    answer, problem = _answer(game_id, procedure, tap, lang)
    return PlanView(
        shown.card,
        shown.sheet,
        tap,
        shown.row("units", ATTACKERS, shown.units),
        tuple(shown.target(number, target) for number, target in enumerate(tap.targets)),
        tuple((goal, GOAL_WORDS[goal], goal == tap.goal) for goal in GOALS),
        tuple((id_, words, id_ == tap.success) for id_, words in SUCCESS_WORDS.items()),
        shown.division(answer.best, None) if answer else None,
        tuple(shown.division(other, answer.best) for other in answer.alternatives)
        if answer
        else (),
        "" if answer is None or answer.complete else CUT_OFF.in_(lang),
        problem,
        links.sealed(game_id, procedure, msgspec.to_builtins(tap)),
    )


def _answer(
    game_id: str, procedure: str, tap: PlanTap, lang: Lang
) -> tuple[PlanAnswer | None, str]:
    if not tap.units:
        return None, say("Tap the units that you can attack with.").in_(lang)
    if not tap.targets or not all(target.get(DEFENDERS) for target in tap.targets):
        return None, say("Tap the defenders of each target.").in_(lang)
    try:
        body = converted(dict(as_plan(game_id, procedure, tap)), PlanBody)
        return limited_plan(body), ""
    except Refusal as refusal:
        return None, _told(refusal, tap, player_sheet.controls(game_id, procedure), lang)


def _told(refusal: Refusal, tap: PlanTap, known: Mapping[str, Control], lang: Lang) -> str:
    """Word a refusal for the page: its place by the names and the label that stand there."""
    names = list[str]()
    thing: object = {"units": tap.units, "targets": tap.targets}
    path = parsed(refusal.place)
    for step in path:
        thing = _inside(thing, step)
        if isinstance(thing, dict) and "name" in thing:
            names.append(str(thing["name"]))
    if not names:
        return refusal.in_(lang)
    field = str(path[-1])
    lists = {"units": ATTACKERS, "targets": DEFENDERS}
    labels = [known.get(f"{lists[str(path[0])]}.{field}"), known.get(field)]
    names += [label.text.in_(lang) for label in labels if label][:1]
    return Refusal(refusal.problem, place=" · ".join(names)).in_(lang)


def _inside(thing: object, step: str | int) -> object:
    if isinstance(thing, dict):
        return thing.get(step)
    return thing[step] if isinstance(thing, list) and isinstance(step, int) else None


class _Shown:
    """Draws the parts of a page."""

    def __init__(self, game_id: str, procedure: str, tap: PlanTap, lang: Lang) -> None:
        self.place, self.tap, self.lang = game.place(game_id), tap, lang
        self.card = game.card(game_id)
        self.sheet = player_sheet.load(game_id).sheet(procedure)
        self.known = player_sheet.controls(game_id, procedure)
        stated: Mapping[str, object] = {ATTACKERS: tap.units}
        usual = attacking_army(self.place, self.sheet, self.sheet.example) or 0
        found = attacking_army(self.place, self.sheet, stated)
        self.usual, self.army = usual, usual if found is None else found
        self.drawn: dict[str, Markup] = {}
        self.units = _listed(player_sheet.readable(stated, self.known), ATTACKERS)

    def row(
        self, at: str, list_: str, entries: Iterable[StatedJson], reduced: Sequence[StatedJson] = ()
    ) -> UnitRow:
        units = self.sheet.unit_list(list_)
        controls = tuple(c for c in self.known.values() if c.list == list_)
        shown = tuple(
            self._unit(f"{'u' if at == 'units' else at + 'd'}{number}", list_, entry, controls)
            for number, entry in enumerate(entries)
        )
        if reduced:
            fields = tuple(c for c in controls if c.field not in ("name", "steps"))
            shown = tuple(_with_reduced(*pair, fields) for pair in zip(shown, reduced, strict=True))
        taken = {list_: {unit.name for unit in shown}, "": self._elsewhere(at)}
        first = self.usual if list_ == ATTACKERS else 1 - self.usual
        counters = offered_counters(self.place, self.sheet, units, taken, first)
        return UnitRow(at, units, shown, controls, tuple(c for c in counters if not c.supports))

    def _elsewhere(self, at: str) -> set[str]:
        lists = {"units": self.tap.units}
        lists |= {f"t{n}": t.get(DEFENDERS, []) for n, t in enumerate(self.tap.targets)}
        return {str(u.get("name")) for key, units in lists.items() if key != at for u in units}

    def _unit(
        self, at: str, list_: str, entry: StatedJson, controls: tuple[Control, ...]
    ) -> ShownUnit:
        army = self.army if list_ == ATTACKERS else 1 - self.army
        listed = ListedUnit(self.sheet.procedure, list_, key_of(entry), army)
        drawing = drawn_unit(self.place, listed, self.lang)
        name = str(entry.get("name", ""))
        if list_ == ATTACKERS:
            self.drawn[name] = drawing
        if at not in self.tap.open:
            return ShownUnit(at, name, drawing, None)
        values = tuple(_value(entry, control) for control in controls)
        return ShownUnit(at, name, drawing, values)

    def target(self, number: int, stated: StatedJson) -> ShownTarget:
        at = f"t{number}"
        readable = player_sheet.readable(stated, self.known)
        facts = self._facts(stated)
        sets = [control.place for control, _ in facts if control.kind == "set"]
        first = {*self.sheet.first, *sets[:1]}  # the terrain besides
        shown = self.row("units", ATTACKERS, self.units).shown
        listed = stated.get("reaches")
        reaches = None if listed is None else {reaching(entry) for entry in listed}
        value = stated.get("value", 1)
        return ShownTarget(
            at,
            str(stated.get("name", "")),
            value if isinstance(value, int) else 1,
            self.row(at, DEFENDERS, _listed(readable, DEFENDERS), self._reduced(stated)),
            tuple((unit, reaches is None or unit.name in reaches) for unit in shown),
            tuple(fact for fact in facts if fact[0].place in first),
            others := tuple(fact for fact in facts if fact[0].place not in first),
            tuple(self._stated(others)),
            tuple(self._groups(at, stated, shown)),
            self._facts({**stated, **_part(stated, THEN)}),
        )

    def _reduced(self, stated: StatedJson) -> list[StatedJson]:
        """Give the defenders with the fields of their reduced sides."""
        faces = [{**unit, **_part(unit, REDUCED)} for unit in _listed(stated, DEFENDERS)]
        return _listed(player_sheet.readable({DEFENDERS: faces}, self.known), DEFENDERS)

    def _facts(self, stated: StatedJson) -> tuple[Fact, ...]:
        readable = player_sheet.readable(stated, self.known)
        return tuple((c, _value(readable, c)) for c in self.known.values() if not c.list)

    def _stated(self, facts: Iterable[Fact]) -> Iterator[str]:
        """Name the facts that are not as usual."""
        for control, value in facts:
            if value != control.default and value not in (None, ()):
                words = control.text.in_(self.lang)
                told = value is True or not isinstance(value, int)
                yield words if told else f"{words}{colon(self.lang)}{value}"

    def _groups(
        self, at: str, stated: StatedJson, units: Iterable[ShownUnit]
    ) -> Iterator[ShownGroup]:
        for number, group in enumerate(_listed(stated, TOGETHER)):
            members = tuple((unit, unit.name in group["units"]) for unit in units)
            facts = self._facts({**stated, **group})
            own = tuple(control for control, _ in facts if control.field in group)
            yield ShownGroup(f"{at}g{number}", members, facts, own)

    def division(self, planned: Planned, best: Planned | None) -> ShownDivision:
        return ShownDivision(
            tuple(map(self._result, planned.targets)),
            tuple(summary_rows(planned, self.card, self.lang)),
            reserve_words(planned, self.lang) if planned.unused else "",
            "" if best is None else trade(best, planned, self.lang),
            best_for_words(planned, self.lang) if planned.best_for else "",
        )

    def _result(self, planned: PlannedTarget) -> ShownResult:
        attacks = tuple(self._attacks(planned))
        chance = plain_percent(planned.chance, self.lang)
        return ShownResult(planned.target.name, chance, float(100 * planned.chance), attacks)

    def _attacks(self, planned: PlannedTarget) -> Iterator[ShownAttack]:
        for number, attack in enumerate(planned.attacks):
            figures = attack.figures
            yield ShownAttack(
                tuple((name, self.drawn[name]) for name in attack.units),
                plain_percent(figures.needed, self.lang) if number else "",
                place_words(attack, self.lang),
                plain_percent(figures.chance, self.lang),
                losses_words(figures.own, figures.enemy, self.card, self.lang),
                self._link(attack),
            )

    def _link(self, attack: PlannedAttack) -> str:
        """Link to the attack in quick combat, with the names of its units."""
        fight: StatedJson = msgspec.to_builtins(attack.figures.fight.case.setup)
        for unit, name in zip(fight[ATTACKERS], attack.units, strict=True):
            unit["name"] = name
        tap = Tap(fight=fight, attacker=self.tap.attacker, defender=self.tap.defender)
        link = links.encode(self.card.id, self.sheet.procedure, tap)
        return f"/games/{self.card.id}/{self.sheet.procedure}?f={link}"


def _listed(stated: Mapping[str, object], list_: str) -> list[StatedJson]:
    found = stated.get(list_)
    return found if isinstance(found, list) else []


def _with_reduced(unit: ShownUnit, face: StatedJson, fields: tuple[Control, ...]) -> ShownUnit:
    """Add the reduced side of a defender that is edited."""
    if unit.values is None:
        return unit
    return unit._replace(reduced=tuple((field, _value(face, field)) for field in fields))


def _part(stated: Mapping[str, object], key: str) -> StatedJson:
    found = stated.get(key)
    return found if isinstance(found, dict) else {}


def _value(entry: StatedJson, control: Control) -> object:
    value = entry.get(control.field, control.default)
    return tuple(value) if isinstance(value, list) else value

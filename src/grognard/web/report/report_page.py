"""The page of a report: one file that needs no server and no network."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from grognard.card.card import Card, Choice, Option
from grognard.card.tables import Table
from grognard.card.wording import MARKS, in_words
from grognard.draw.text.chances import die_words
from grognard.fights.doctrine import Doctrine, doctrine
from grognard.maps.labels import labelled_html, labels_of
from grognard.study import changed_card
from grognard.study.changed_card import Changed
from grognard.study.figures import WORTH, Measure
from grognard.study.grid import HERE, Grid, GridPlace, ShiftAxis
from grognard.study.report import Doubted, LargestChange, OptionSwitch, Report, Section
from grognard.study.tray import battles
from grognard.web.quick.panel import Headline, headline, shown_lines
from grognard.web.report.heat_maps import HeatCell, HeatMap, Maps, change, changed
from grognard.web.report.luck_tables import Lots, LuckTable
from grognard.web.report.shown_analysis import ShownAnalysis, shown_analysis
from grognard.web.report.uneven_places import PrintedMap, ShownDips, shown_dips
from grognard.web.static_files import STATIC
from grognard.web.templating import fill
from grognard.words.message import Message, say
from grognard.words.text import Lang, Text

STYLES = ("base.css", "quick.css", "analysis.css", "report.css")


def draw(report: Report, lang: Lang) -> str:
    """Draw the whole page."""
    style = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    html = fill("report.html", lang, view=_view(report, lang), style=Markup(style))
    return labelled_html(html, labels_of(battles(report.request.game.card.id), lang))


class ShownOption(NamedTuple):
    """An option that is not played in the usual way, and its choice."""

    option: Option
    choice: Choice


class ShownStep(NamedTuple):
    """What a step along an axis brings at each place."""

    axis: ShiftAxis
    name: Message
    maps: tuple[HeatMap, ...]


class ShownSwitch(NamedTuple):
    """Another choice of an option, and its effect."""

    option: Option
    choice: Choice
    effect: str


class ShownSection(NamedTuple):
    """A procedure as the page shows it."""

    id: str
    name: Text
    analysis: ShownAnalysis
    headline: Headline
    table: Table
    codes: tuple[tuple[str, Text], ...]  # the legend
    printed: HeatMap
    maps: tuple[HeatMap, ...]
    brings: tuple[ShownStep, ...]
    dips: tuple[ShownDips, ...]
    luck: tuple[LuckTable, ...]
    doubts: tuple[tuple[Doubted, bool], ...]  # with whether its option changes anything
    switches: tuple[ShownSwitch, ...]
    idle: int  # switches that change nothing
    difference: tuple[HeatMap, ...] | None


class ReportView(NamedTuple):
    """Everything that the page shows."""

    card: Card
    options: tuple[ShownOption, ...]
    doctrines: tuple[Doctrine, Doctrine]
    against: tuple[ShownOption, ...] | None
    changed: tuple[Changed, ...]
    sections: tuple[ShownSection, ...]


def _view(report: Report, lang: Lang) -> ReportView:
    asked = report.request
    card, base = asked.game.card, asked.against
    against = None
    if base is not None:
        played = base.game.card.chosen(base.options)
        against = _differing(base.game.card, played, report.options)
    return ReportView(
        card=card,
        options=_differing(card, report.options, card.chosen({})),
        doctrines=(doctrine(asked.attacker), doctrine(asked.defender)),
        against=against,
        changed=() if base is None else tuple(changed_card.changes(card, base.game.card)),
        sections=tuple(_Drawing(section, card, lang).section() for section in report.sections),
    )


def _differing(
    card: Card, options: Mapping[str, str], usual: Mapping[str, str]
) -> tuple[ShownOption, ...]:
    return tuple(
        ShownOption(option, choice)
        for option in card.options
        for choice in option.choices
        if choice.id == options[option.id] != usual[option.id]
    )


# ------------------------------------------------------------------ a procedure

_ONE_MORE: Mapping[ShiftAxis, Message] = {
    "column": say("One column more"),
    "die": say("One more on the die"),
}


class _Drawing:
    """Lays out the report on a procedure."""

    def __init__(self, section: Section, card: Card, lang: Lang) -> None:
        self.of = section
        self.card = card
        self.lang = lang
        self.grid: Grid = section.found.grid
        self.maps = Maps(self.grid, card, lang)
        self.measures = (*self.maps.measures, WORTH)

    def section(self) -> ShownSection:
        of, found = self.of, self.of.found
        explained = found.fight.explain()
        table = self.card.table(of.sheet.table)
        lines = shown_lines(explained.lines, self.lang)
        return ShownSection(
            id=of.sheet.procedure,
            name=of.sheet.text,
            analysis=shown_analysis(found, of.sheet, dict(of.stated), lines, self.maps, own=of.own),
            headline=headline(explained, explained.die_modifier, self.card, self.lang),
            table=table,
            codes=tuple((in_words(r.code, self.card, self.lang), r.text) for r in table.results),
            printed=PrintedMap(of, self.card, self.lang).map(),
            maps=self.maps.of(self.measures, self._cell),
            brings=tuple(
                ShownStep(axis, _ONE_MORE[axis], self.maps.changes(self.measures, cells))
                for axis, cells in of.brings.items()
            ),
            dips=tuple(shown_dips(of, self.maps)),
            luck=tuple(Lots(of, self.maps).tables()),
            doubts=tuple((doubt, self._tells(doubt)) for doubt in of.doubts),
            switches=tuple(self._effective(of.switches)),
            idle=sum(not (switch.changed or switch.refused) for switch in of.switches),
            difference=None
            if of.difference is None
            else self.maps.changes(self.measures, of.difference),
        )

    def _cell(self, measure: Measure, place: GridPlace) -> HeatCell:
        """Lay out a number; the total worth has a sign, below 0 for the defender."""
        if measure is not WORTH:
            return self.maps.cell(measure, place)
        worths = [abs(WORTH.of(found)) for found in self.grid.cells.values()]
        laid_out = change(measure, measure.of(self.grid.cells[place]), max(worths), self.lang)
        return laid_out._replace(here=place == HERE, signs=self.maps.signs(measure, place))

    def _tells(self, doubt: Doubted) -> bool:
        option = doubt.reading.option
        return any(self._effective(s for s in self.of.switches if s.option.id == option))

    def _effective(self, switches: Iterable[OptionSwitch]) -> Iterator[ShownSwitch]:
        """Give the switches that change something, in words."""
        for switch in switches:
            if switch.refused is not None:
                effect = say("can't be fought so: {why}", why=switch.refused).in_(self.lang)
            elif switch.most is not None:
                effect = self._effect(switch, switch.most)
            else:
                continue
            yield ShownSwitch(switch.option, switch.choice, effect)

    def _effect(self, switch: OptionSwitch, most: LargestChange) -> str:
        place = [most.column] if len(self.grid.columns) > 1 else []
        if len(self.grid.dice) > 1:
            place.append(die_words(most.die, self.card, self.lang))
        measure = f"{MARKS[most.measure.side]} {self.maps.name(most.measure)}"
        amount = changed(most.measure, most.change, self.lang)
        if not place:
            return f"{measure} {amount}"
        words = say(
            "{n} of {of} places change; most: {measure} {amount} at {place}",
            n=switch.changed,
            of=switch.of,
            measure=measure,
            amount=amount,
            place=", ".join(place),
        )
        return words.in_(self.lang)

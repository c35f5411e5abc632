"""The log of a match on a page: headings, folded fights, and buttons that show hexes."""

import re
from typing import NamedTuple

from markupsafe import Markup, escape

from grognard.draw.json.log_sections import FoldJson, HeadingJson
from grognard.draw.json.match_log import ChooseEntryJson, EntryJson, LineEntryJson
from grognard.draw.text.match import verb_text, word_text
from grognard.maps.board import Map
from grognard.matches.match import Match
from grognard.rules.line import EXPLAINS
from grognard.web.matches.match_answer import LogJson
from grognard.words.text import Lang

_WORD = re.compile(r"\w+")
_HEX = '<button type="button" class="plain at" data-show="{0}">{0}</button>'


class LogPlaces(NamedTuple):
    """What stands around an entry: a heading, the beginning of a fight, its fight, its end."""

    heading: HeadingJson | None
    begins: FoldJson | None
    inside: FoldJson | None
    ended: FoldJson | None


class ShownLog:
    """A log for its template."""

    def __init__(self, match: Match, log: LogJson, lang: Lang) -> None:
        self.entries = log.entries
        self._match, self._lang = match, lang
        self._headings = {heading.n: heading for heading in log.headings}
        self._fights = {n: fight for fight in log.fights for n in range(fight.first, fight.until)}

    def places(self, n: int) -> LogPlaces:
        """Give what stands around an entry."""
        fight = self._fights.get(n)
        begins = fight if fight and fight.first == n else None
        ended = fight if fight and fight.over and fight.until == n + 1 else None
        return LogPlaces(self._headings.get(n), begins, fight, ended)

    def linked(self, text: str) -> Markup:
        """Make the numbers of hexes in a text buttons that show them on the map."""
        return linked(self._match.board.map, text)

    def beside(self, entry: EntryJson) -> list[str]:
        """Give the hexes of units that an entry is about and does not name itself."""
        match entry:
            case LineEntryJson() if entry.kind not in EXPLAINS:
                said = _WORD.findall(entry.text)
            case ChooseEntryJson():
                said = _WORD.findall(entry.text + entry.answer_text)
            case _:
                return []
        return [hex_ for hex_ in entry.hexes or () if hex_ not in said]

    def verb(self, verb: str) -> str:
        """Name an order."""
        return verb_text(self._match.field.card, verb, self._lang)

    def word(self, word: str) -> str:
        """Name a word of an order."""
        return word_text(self._match.field.card, word, self._lang)


def linked(sheet: Map, text: str) -> Markup:
    """Make the numbers of hexes in a text buttons that show them on the map."""

    def button(word: re.Match[str]) -> str:
        return _HEX.format(word[0]) if sheet.has(word[0]) else word[0]

    return Markup(_WORD.sub(button, str(escape(text))))

"""Labels: what counters are called in the reader's language, where their scenario says so.

A counter has one name, by which files, orders and records know it. Faces put its label in the
place of the name, in what a person reads.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

from grognard.maps.scenario import Scenario
from grognard.words.text import Lang

Labels = tuple[tuple[str, str], ...]  # names and labels that differ from them
_PARTS = re.compile(r"(<script\b.*?</script>|<style\b.*?</style>)|(<[^>]*>)|([^<]+)", re.DOTALL)
_SPOKEN = re.compile(r'(?<=[\s])((?:alt|aria-label|title)=")([^"]*)(?=")')


def labels_of(battles: Iterable[Scenario], lang: Lang) -> Labels:
    """Give the labels of the counters of some scenarios."""
    return tuple(
        (unit.name, label)
        for battle in battles
        for unit in battle.units
        if unit.label is not None and (label := unit.label.in_(lang)) != unit.name
    )


def labelled(text: str, labels: Labels) -> str:
    """Put labels in the place of names."""
    if not labels:
        return text
    pattern, known = _known(labels)
    return pattern.sub(lambda found: known[found[0]], text)


def labelled_html(html: str, labels: Labels) -> str:
    """Put labels in the place of names where a person reads them; other attributes and scripts keep
    the names."""
    if not labels:
        return html
    pattern, known = _known(labels)

    def label(found: re.Match[str]) -> str:
        return escape(known[found[0]], quote=True)

    def part(found: re.Match[str]) -> str:
        script, tag, text = found.groups()
        if text is not None:
            return pattern.sub(label, text)
        if tag is not None:
            return _SPOKEN.sub(lambda spoken: spoken[1] + pattern.sub(label, spoken[2]), tag)
        return str(script)

    return _PARTS.sub(part, html)


@lru_cache(maxsize=64)
def _known(labels: Labels) -> tuple[re.Pattern[str], Mapping[str, str]]:
    names = sorted((name for name, _ in labels), key=len, reverse=True)
    pattern = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![\w/])(?:{pattern})(?![\w/])"), dict(labels)

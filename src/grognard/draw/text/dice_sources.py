"""Where dice come from, as marks and words: typed, rolled, fair, imported."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from grognard.matches.match import Reply
from grognard.matches.storage.rows import Origin, Source
from grognard.rules.ask import Roll
from grognard.words.message import Message, say
from grognard.words.text import Lang


class SourceWords(NamedTuple):
    """The mark and the words of a source."""

    mark: str
    text: Message


DICE_SOURCES: Mapping[Source, SourceWords] = MappingProxyType(
    {
        "typed": SourceWords("✎", say("typed")),
        "rolled": SourceWords("⚄", say("rolled here")),
        "fair": SourceWords("⚖", say("fair dice")),
        "imported": SourceWords("⇥", say("imported")),
        "unknown": SourceWords("", say("source unknown")),
    }
)
ORIGINS: Mapping[Origin, Message | None] = MappingProxyType(
    {
        "begun": None,
        "imported": say("Imported from a file; its dice can't be checked."),
        "checked": say("Imported from a file; its dice were checked."),
    }
)


def dice_source(source: Source, lang: Lang) -> str:
    """Say where dice come from, with a mark; nothing where it is not known."""
    if source not in DICE_SOURCES or source == "unknown":
        return ""
    mark, text = DICE_SOURCES[source]
    return f"{mark} {text.in_(lang)}"


def dice_words(counts: Mapping[str, int], lang: Lang) -> str:
    """Say how many rolls came from where: `⚄ 12 rolled here, ✎ 3 typed`."""
    parts = (
        f"{words.mark} {_counted(source, counts[source]).in_(lang)}".strip()
        for source, words in DICE_SOURCES.items()
        if counts.get(source)
    )
    return ", ".join(parts)


def _counted(source: Source, n: int) -> Message:
    match source:
        case "typed":
            return say("{n} typed", n=n)
        case "rolled":
            return say("{n} rolled here", n=n)
        case "fair":
            return say("{n} fair", n=n)
        case "imported":
            return say("{n} imported", n=n)
        case _:
            return say("{n} of unknown source", n=n)


def counted_sources(log: Iterable[object]) -> dict[str, int]:
    """Count the rolls of a log by their sources."""
    rolls = (entry for entry in log if isinstance(entry, Reply) and isinstance(entry.ask, Roll))
    found = Counter(roll.source for roll in rolls)
    return {source: found[source] for source in DICE_SOURCES if found[source]}

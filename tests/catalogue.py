"""Write the message catalogue and its French (`make words`).

It extracts every template given to `say` from the sources, keeps the French translations that
exist, and compiles them. The headers name no date and no machine, so that a run which changes
nothing writes the same bytes.
"""

import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCES = Path(__file__).parent.parent / "src" / "grognard"
LOCALE = SOURCES / "words" / "locale"
FRENCH = LOCALE / "fr" / "LC_MESSAGES" / "grognard.po"
COMPILED = FRENCH.with_suffix(".mo")
JINJA = {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}


class Words(Catalog):
    """A catalogue with the headers needed to read it, and no others."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        language = [("Language", str(self.locale))] if self.locale else []
        return [
            *language,
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


@cache
def templates() -> list[str]:
    """Extract the templates of all messages from the sources."""
    return sorted(set(_extracted()))


def _extracted() -> Iterator[str]:
    for method, ending in (("python", "*.py"), ("jinja2.ext:babel_extract", "*.html")):
        for file in sorted(SOURCES.rglob(ending)):
            found = extract_from_file(method, file, keywords={"say": None}, options=JINJA)
            for _, words, _, _ in found:
                yield words if isinstance(words, str) else words[0]


def french() -> dict[str, str]:
    """Read the existing translations, without fuzzy ones."""
    if not FRENCH.exists():
        return {}
    with FRENCH.open("rb") as file:
        catalogue = read_po(file, locale="fr")
    return {
        str(message.id): str(message.string)
        for message in catalogue
        if message.id and message.string and not message.fuzzy
    }


def written() -> dict[Path, bytes]:
    """Give the two files as they should be on disk: French, and compiled French."""
    known = french()
    translated = Words("fr", header_comment="# What Grognard itself says, in French.", fuzzy=False)
    for words in templates():
        translated.add(words, known.get(words, ""))
    po, mo = BytesIO(), BytesIO()
    write_po(po, translated, width=100, no_location=True, sort_output=True)
    write_mo(mo, translated)
    return {FRENCH: po.getvalue(), COMPILED: mo.getvalue()}


def main() -> None:
    """Write both files, and print the messages that still need a French translation."""
    for file, content in written().items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    known = french()
    for words in templates():
        if words not in known:
            sys.stdout.write(f"{FRENCH.name}: no French yet for: {words}\n")


if __name__ == "__main__":
    main()

"""Write the two catalogues and their French (`make words`).

`grognard.po` holds every template given to `say` in the sources and every text of the commands'
help; `click.po` holds click's own messages. French that exists is kept, and compiled with French
spaces. The headers name no date and no machine, so that a run which changes nothing writes the same
bytes.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path

import click
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from grognard.cli.language import help_texts
from grognard.cli.main import COMMANDS
from grognard.cli.main import main as group
from grognard.words.message import LOCALE
from grognard.words.typography import spaced

SOURCES = Path(__file__).parent.parent / "src" / "grognard"
FRENCH = LOCALE / "fr" / "LC_MESSAGES" / "grognard.po"
CLICK = FRENCH.with_name("click.po")
JINJA = {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
Words = str | tuple[str, ...]  # a message, or its singular and plural


class _Headed(Catalog):
    """A catalogue with the headers needed to read it, and no others."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


# ------------------------------------------------------------------ what has to be in them


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


@cache
def helping() -> list[str]:
    """List the texts of the commands' help."""
    commands = [import_module(f"grognard.cli.{name}").command for name in COMMANDS]
    return sorted({text for command in (group, *commands) for text in help_texts(command) if text})


@cache
def of_click() -> list[Words]:
    """Extract click's own messages."""
    keywords = {"_": None, "ngettext": (1, 2)}
    found: set[Words] = set()
    for file in sorted(Path(click.__file__).parent.glob("*.py")):
        found |= {words for _, words, _, _ in extract_from_file("python", file, keywords=keywords)}
    return sorted(found, key=str)


def wanted() -> dict[Path, list[Words]]:
    """List the messages of each catalogue."""
    return {FRENCH: sorted({*templates(), *helping()}), CLICK: of_click()}


# ------------------------------------------------------------------ the files


def french() -> dict[str, str]:
    """Read the French of our own messages."""
    return {str(words): str(translation) for words, translation in translations(FRENCH).items()}


def translations(file: Path) -> dict[Words, Words]:
    """Read the existing translations of a catalogue, without fuzzy and incomplete ones."""
    if not file.exists():
        return {}
    with file.open("rb") as opened:
        catalogue = read_po(opened, locale="fr")
    return {
        _words(message.id): _words(message.string)
        for message in catalogue
        if message.id and not message.fuzzy and message.string and all(message.string)
    }


def _words(found: str | Iterable[str] | None) -> Words:
    return found if isinstance(found, str) else tuple(found or ())


def written() -> dict[Path, bytes]:
    """Give the files as they should be on disk: French, and compiled French."""
    files: dict[Path, bytes] = {}
    for file, messages in wanted().items():
        known = translations(file)
        listed = _catalogue((words, known.get(words, "")) for words in messages)
        compiled = _catalogue((words, _spaced(known.get(words, ""))) for words in messages)
        po, mo = BytesIO(), BytesIO()
        write_po(po, listed, width=100, no_location=True, sort_output=True)
        write_mo(mo, compiled)
        files |= {file: po.getvalue(), file.with_suffix(".mo"): mo.getvalue()}
    return files


def _spaced(words: Words) -> Words:
    return spaced(words) if isinstance(words, str) else tuple(map(spaced, words))


def _catalogue(messages: Iterable[tuple[Words, Words]]) -> Catalog:
    catalogue = _Headed("fr", header_comment="# What Grognard says, in French.", fuzzy=False)
    for words, translation in messages:
        catalogue[words] = Message(words, translation)
    return catalogue


def main() -> None:
    """Write the files, and print the messages that still need a French translation."""
    for file, content in written().items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for file, messages in wanted().items():
        for words in sorted(set(messages) - set(translations(file)), key=str):
            sys.stdout.write(f"{file.name}: no French yet for: {words}\n")


if __name__ == "__main__":
    main()

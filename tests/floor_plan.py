"""Where things are: the picture of the packages and the index of rules, made from the source.

`make floor-plan` writes the picture into docs/design.md and the index to docs/rules.md. The order
of the packages is that of the import-linter contract in pyproject.toml. Imports are found by grimp,
the library that import-linter uses, so picture and contract see the same graph.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "grognard"
FILE = ROOT / "docs" / "design.md"
BEGIN = "<!-- floor plan: written by `make floor-plan`, do not edit -->"
END = "<!-- end of the floor plan -->"

INDEX = ROOT / "docs" / "rules.md"
INDEX_HEAD = """# Where each rule is

For everybody who looks for a rule in the code. Search this page for the number of the rule or for
a word. Files "on the map" or "on the ground" hold what happens on the board; the others hold the
fight itself. Written by `make floor-plan`, do not edit.
"""

Imports = dict[str, set[str]]


def contract() -> dict[str, list[str]]:
    """Read the import-linter contract."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = settings["tool"]["importlinter"]["contracts"][0]
    return found


def layers() -> list[list[str]]:
    """List the packages from top to bottom; those of one layer together."""
    return [layer.split(" | ") for layer in contract()["layers"]]


def imports() -> Imports:
    """Find which packages each package imports, without the exceptions of the contract."""
    graph = grimp.build_graph("grognard", exclude_type_checking_imports=True, cache_dir=None)
    exceptions = {tuple(line.split(" -> ")) for line in contract()["ignore_imports"]}
    found: Imports = {package: set() for layer in layers() for package in layer}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            inside, other = _package(module), _package(imported)
            if inside != other and inside in found and (module, imported) not in exceptions:
                found[inside].add(other)
    return found


def _package(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def necessary(found: Imports) -> Iterator[tuple[str, str]]:
    """List the imports that do not already follow from a chain of others."""
    for package, others in found.items():
        for other in sorted(others):
            if not any(other in _reach(found, between) for between in others - {other}):
                yield package, other


def _reach(found: Imports, package: str) -> set[str]:
    further = found[package]
    return further.union(*(_reach(found, other) for other in further))


def drawn() -> str:
    """Draw the picture and the table of the packages as Markdown."""
    arrows = "".join(f"    {above} --> {below}\n" for above, below in necessary(imports()))
    rows = "".join(_row(package) for layer in layers() for package in layer)
    return (
        f"{BEGIN}\n```mermaid\nflowchart TD\n{arrows}```\n\n"
        f"| package | holds | modules |\n|---|---|---|\n{rows}{END}"
    )


def _row(package: str) -> str:
    folder = SOURCES / package
    holds = _docstring(folder / "__init__.py").partition("\n")[0]
    return f"| `{package}` | {holds} | {', '.join(_contents(folder))} |\n"


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def _contents(folder: Path) -> Iterable[str]:
    """Name the modules and sub-packages of a package."""
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    packages = {f"{file.parent.name}/" for file in folder.glob("*/__init__.py")}
    return (f"`{name}`" for name in sorted(modules | packages))


def written() -> str:
    """Give docs/design.md with the picture as it should be."""
    before, begin, rest = FILE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{FILE} has lost the marks between which the floor plan stands")
    return before + drawn() + after


def index() -> str:
    """List the files of each game, with the rules that they name."""
    games = sorted(file.parent for file in (SOURCES / "games").glob("*/card.toml"))
    return INDEX_HEAD + "".join("".join(_game(folder)) for folder in games)


def _game(folder: Path) -> Iterator[str]:
    card = tomllib.loads((folder / "card.toml").read_text(encoding="utf-8"))
    yield f"\n## {card['name']['en']}\n\n| file | holds | rules |\n|---|---|---|\n"
    for file in sorted(folder.glob("*.py")):
        if file.stem != "__init__":
            link = f"[`{file.name}`](../{file.relative_to(ROOT)})"
            holds = " ".join(_docstring(file).partition("\n\n")[0].split())
            yield f"| {link} | {holds} | {', '.join(sorted(_rules(file), key=_by_number))} |\n"


def _rules(file: Path) -> set[str]:
    """Find the rule numbers that stand alone in a text of the file, or begin its docstrings."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    heads = [text.partition(":")[0] for text in texts if isinstance(text, str)]
    number = r"\d+\.\d+(?:\.\d+)*[a-z]?"
    part = rf"{number}(?: \(\d+\))?"  # such as 8.2 (7): the seventh step of a rule
    numbers = re.compile(rf"{part}(?:, {part}|, \(\d+\))*")
    return {rule for head in heads if numbers.fullmatch(head) for rule in re.findall(number, head)}


def _by_number(rule: str) -> list[tuple[int, str]]:
    return [(int(part), letter) for part, letter in re.findall(r"(\d+)([a-z]?)", rule)]


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")

"""Where games live: the package, folders of the user, and those that a command names.

A game is a file `NAME.toml`, or a folder with `card.toml`. Only its place is found here.
"""

import os
from functools import cache
from importlib import import_module, util
from pathlib import Path
from sys import modules
from types import ModuleType

from msgspec import Struct

from grognard.files.folders import data_folder
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal

PACKAGE = Path(__file__).parents[1] / "games"
FOLDERS, ALLOWED = "GROGNARD_GAMES", "GROGNARD_ALLOW_PYTHON"  # variables of the environment
CARD = "card.toml"


class GamePlace(Struct, frozen=True, cache_hash=True):
    """The file of a game's card, as it was when it was found."""

    file: Path
    changed: int  # so that a file that was edited is another place

    @property
    def shipped(self) -> bool:
        """Whether the game comes with Grognard."""
        return PACKAGE in self.file.parents

    @property
    def id(self) -> str:
        return self.folder.name.replace("_", "-")

    @property
    def folder(self) -> Path:
        """The folder of the game; beside a single file it may be missing."""
        return self.file.parent if self.file.name == CARD else self.file.with_suffix("")

    @property
    def scenarios(self) -> tuple[Path, ...]:
        """The files of its scenarios: in `scenarios`, or `NAME.SCENARIO.toml` beside one file."""
        if self.file.name == CARD:
            return tuple(sorted((self.folder / "scenarios").glob("*.toml")))
        beside = sorted(self.file.parent.glob("*.toml"))
        begins = f"{self.file.stem}."
        named = (file for file in beside if file.stem.startswith(begins))
        return tuple(file for file in named if not _is_card(file))

    def has_module(self, name: str) -> bool:
        """Tell whether the game has a module of its own in Python."""
        return (self.folder / f"{name}.py").is_file()

    @property
    def source(self) -> str:
        """The name of the file in messages."""
        return f"games/{self.folder.name}/{CARD}" if self.shipped else str(self.file)

    def text(self) -> str:
        """Read the card; refuse a file that can't be read."""
        try:
            return self.file.read_text(encoding="utf-8")
        except OSError as error:
            problem = say("can't be read: {problem}", problem=foreign(error))
            raise Refusal(problem, source=self.source) from None
        except UnicodeDecodeError as error:
            problem = say("this is not a text file: byte {n} is not UTF-8", n=error.start + 1)
            raise Refusal(problem, source=self.source) from None

    def module(self, name: str) -> ModuleType:
        """Import a module of the game; other people's only if its owner has allowed that."""
        if self.shipped:
            return import_module(f"grognard.games.{self.folder.name}.{name}")
        if self.id not in allowed():
            problem = say(
                "the game has Python in it, which may do anything; if you trust it, write {id} "
                "into {file}, or use --allow-python {id}",
                id=self.id,
                file=data_folder() / "allowed",
            )
            raise Refusal(problem, source=self.source)
        return _outside(self.folder, name)


def allowed() -> set[str]:
    """Give the ids of the games whose Python may run."""
    file = data_folder() / "allowed"
    words = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {*words.split(), *os.environ.get(ALLOWED, "").split(",")}


def _outside(folder: Path, name: str) -> ModuleType:
    """Import a module from a folder, as a part of a package of its own."""
    package = f"grognard_game_{folder.name.replace('-', '_')}"
    if package not in modules:
        _import(package, folder / "__init__.py", [str(folder)])
    full = f"{package}.{name}"
    return modules.get(full) or _import(full, folder / f"{name}.py", None)


def _import(name: str, file: Path, inside: list[str] | None) -> ModuleType:
    spec = util.spec_from_file_location(name, file, submodule_search_locations=inside)
    if spec is None or spec.loader is None or not file.is_file():
        problem = say("the game needs the file {file}", file=file.name)
        raise Refusal(problem, source=str(file))
    module = modules[name] = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del modules[name]
        raise
    return module


# ------------------------------------------------------------------ finding


def folders() -> tuple[Path, ...]:
    """Give the folders in which games are looked for, besides the package."""
    named = os.environ.get(FOLDERS, "").split(os.pathsep)
    return (*(Path(name) for name in named if name), data_folder() / "games")


def add_folder(folder: str) -> None:
    """Look for games in one more folder, in this process and in those that it starts."""
    os.environ[FOLDERS] = os.pathsep.join(filter(None, (folder, os.environ.get(FOLDERS))))
    refresh()


def allow(game: str) -> None:
    """Let the Python of a game run, in this process and in those that it starts."""
    os.environ[ALLOWED] = ",".join(filter(None, (game, os.environ.get(ALLOWED))))


@cache
def places() -> tuple[GamePlace, ...]:
    """Find every game, once until `refresh`; those of the package come first."""
    shipped = (GamePlace(file, 0) for file in sorted(PACKAGE.glob(f"*/{CARD}")))
    return (*shipped, *(place for folder in folders() for place in inside(folder)))


def refresh() -> None:
    """Look for games again: files were written, changed or deleted."""
    places.cache_clear()


def inside(folder: Path) -> tuple[GamePlace, ...]:
    """Give the games of a folder; the folder may itself be a game, or a single file."""
    if (folder / CARD).is_file():
        files = [folder / CARD]
    elif folder.is_file():
        files = [folder]
    else:
        files = sorted((*folder.glob("*.toml"), *folder.glob(f"*/{CARD}")))
    return tuple(place_of(file) for file in files if file.name == CARD or _is_card(file))


def place_of(file: Path) -> GamePlace:
    """Give the place of a card's file."""
    return GamePlace(file.absolute(), file.stat().st_mtime_ns)


def _is_card(file: Path) -> bool:
    """Tell cards from other files beside them, such as fights and sweeps."""
    with file.open("rb") as opened:
        text = opened.read(100_000)
    return b"[[tables]]" in text or b"[[procedures]]" in text

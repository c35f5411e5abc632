"""Where a user's machine keeps what programs leave there."""

import os
import sys
from pathlib import Path

OURS = "grognard"


def cache_folder() -> Path | None:
    """Give our folder for what can be made anew; None where GROGNARD_CACHE is set to nothing."""
    if (named := os.environ.get("GROGNARD_CACHE")) is not None:
        return Path(named) if named else None
    return _folder("Caches", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Give our folder for what is to be kept."""
    return _folder("Application Support", "XDG_DATA_HOME", ".local/share")


def _folder(on_a_mac: str, variable: str, else_: str) -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / OURS
    if sys.platform == "darwin":
        return home / "Library" / on_a_mac / OURS
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else home / else_) / OURS

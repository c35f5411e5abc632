"""Where the user's machine keeps what can be made anew."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """Give Grognard's folder in the user's cache; None where GROGNARD_CACHE is set to nothing."""
    if (named := os.environ.get("GROGNARD_CACHE")) is not None:
        return Path(named) if named else None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "grognard"

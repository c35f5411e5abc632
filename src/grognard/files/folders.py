"""The user's folders, as the system names them; environment variables override them."""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

APP = "grognard"


def cache_folder() -> Path | None:
    """Give the cache folder, which may be deleted at any time; None if GROGNARD_CACHE is empty."""
    if (named := os.environ.get("GROGNARD_CACHE")) is not None:
        return Path(named) if named else None
    return user_cache_path(APP, appauthor=False, opinion=False)


def data_folder() -> Path:
    """Give the folder of the user's data, such as stored matches."""
    return user_data_path(APP, appauthor=False)

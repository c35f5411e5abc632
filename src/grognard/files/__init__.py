"""Files: TOML with line numbers, atomic writes, the cache file, the user's folders."""

"""The printed card of a game: rows, tables, modifiers, and checks."""

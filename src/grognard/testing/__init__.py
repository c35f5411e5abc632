"""Checks that every game must pass; for authors of games too."""

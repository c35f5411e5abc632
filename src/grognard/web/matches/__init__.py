"""Matches on the web: matches in memory, the map page, events."""

"""Matches on the web: live copies, the map page, events."""

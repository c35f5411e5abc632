"""Hexes, boards, scenarios and movement."""

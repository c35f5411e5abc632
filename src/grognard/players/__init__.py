"""Automatic players, and series of their matches."""

"""Matches on the map: the turn as questions, orders, seats, the store."""

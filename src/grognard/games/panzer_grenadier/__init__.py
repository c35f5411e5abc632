"""Panzer Grenadier: the card, the rules and their readings."""

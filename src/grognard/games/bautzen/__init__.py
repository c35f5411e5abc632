"""Bautzen 1945: the card, the rules and their readings."""

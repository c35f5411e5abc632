"""Normandy '44: the card, the rules and their readings."""

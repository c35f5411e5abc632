"""Panzer Grenadier: the card and the rules of its fire."""

"""Texts in two languages, messages, refusals, and the catalogue of translations."""

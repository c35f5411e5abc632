"""The workshop: a printed table becomes a card, step by step."""

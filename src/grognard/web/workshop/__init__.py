"""The workshop page: a card is made where it stands, beside the odds of a sample fight."""

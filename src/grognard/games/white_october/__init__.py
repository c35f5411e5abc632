"""White October: the card, the rules and their readings."""

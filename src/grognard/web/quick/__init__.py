"""Quick combat: the card as a page."""

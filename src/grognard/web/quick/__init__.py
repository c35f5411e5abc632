"""Quick combat: a page for one fight, laid out like the card."""

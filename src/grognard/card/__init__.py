"""What is printed: rows, tables, modifiers, and the checks of a card."""

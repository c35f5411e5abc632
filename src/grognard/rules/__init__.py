"""What rules are made of: asks, lines, fights, procedures, modifiers, games."""

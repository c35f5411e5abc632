"""Building blocks of rules: questions, lines, fights, procedures, modifiers, games."""

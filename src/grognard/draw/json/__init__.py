"""Cards, fights, matches and reports as JSON."""

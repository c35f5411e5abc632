"""Cards, fights and maps as text for the terminal."""

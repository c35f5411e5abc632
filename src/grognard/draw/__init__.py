"""One thing shown three ways: text, SVG, JSON."""

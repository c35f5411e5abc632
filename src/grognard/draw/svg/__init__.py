"""Maps and counters as SVG."""

"""Pages of analysis and reports."""

"""The JSON interface over HTTP, and its description."""

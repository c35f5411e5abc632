"""The web application: pages, the JSON interface, static files."""

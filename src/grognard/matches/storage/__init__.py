"""The store of matches: what is kept of each, its checksums, and the database below."""

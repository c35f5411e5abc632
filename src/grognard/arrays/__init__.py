"""The same rules on arrays: a million fights at once, sampling, Arrow tables."""

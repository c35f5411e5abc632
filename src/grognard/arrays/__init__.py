"""The same rules on arrays: a million fights, sampling, sweeps, Arrow tables."""

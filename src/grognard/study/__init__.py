"""Analyses for designers: figures, grids, reports and sweeps; the sheets that state a fight."""

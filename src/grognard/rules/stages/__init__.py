"""Stages of a fight that runs as its card says: one module a stage."""

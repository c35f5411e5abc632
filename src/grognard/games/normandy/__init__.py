"""Normandy '44."""

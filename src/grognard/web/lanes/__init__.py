"""Lanes: light work in the threads that answer taps, expensive work in processes of its own."""

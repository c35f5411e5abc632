"""Running one fight: play, record, explanation, exact odds, doctrines."""

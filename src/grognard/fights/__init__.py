"""One fight answered: play, record, explanation, exact odds, doctrines."""

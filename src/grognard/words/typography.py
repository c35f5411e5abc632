"""French typography: narrow no-break spaces beside punctuation."""

import re

NARROW = "\N{NARROW NO-BREAK SPACE}"
_SPACE = re.compile(r"(?<=«)[ \N{NO-BREAK SPACE}]|[ \N{NO-BREAK SPACE}](?=[;:!?%»](?![\w/=]))")


def spaced(french: str) -> str:
    """Make the spaces before `; : ! ? % »` and after `«` narrow, so that no line breaks there."""
    return _SPACE.sub(NARROW, french)

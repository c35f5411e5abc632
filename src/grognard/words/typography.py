"""Typography: true minus signs; in French narrow no-break spaces beside punctuation."""

import re

NARROW = "\N{NARROW NO-BREAK SPACE}"
_SPACE = re.compile(r"(?<=«)[ \N{NO-BREAK SPACE}]|[ \N{NO-BREAK SPACE}](?=[;:!?%»](?![\w/=]))")

_MINUS = re.compile(r"(?<![^\s(«:/])-(?=\d)|(?<=\()-(?=\))")


def with_minus(text: str) -> str:
    """Write a true minus before a number; the hyphen of a range or a name stays."""
    return _MINUS.sub("−", text)


def spaced(french: str) -> str:
    """Make the spaces before `; : ! ? % »` and after `«` narrow, so that no line breaks there."""
    return _SPACE.sub(NARROW, french)

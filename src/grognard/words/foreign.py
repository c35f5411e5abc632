"""Messages of the system and of libraries, as messages of ours that have their French."""

import re

from grognard.words.message import Message, say


def foreign(error: Exception | str) -> Message:
    """Find our message for one of the system or of a library; an unknown one is quoted."""
    text = getattr(error, "strerror", None) or str(error)
    for pattern, template in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            return Message(template, _counted(found.groupdict()))
    return say("{words}", words=text)


def _counted(blanks: dict[str, str]) -> dict[str, object]:
    """Make a number of the blank `n`, which chooses its noun."""
    return {key: int(value) if key == "n" else value for key, value in blanks.items()}


_KNOWN = (
    # The operating system
    say("No such file or directory"),
    say("Not a directory"),
    say("Is a directory"),
    say("Permission denied"),
    say("Operation not permitted"),
    say("No space left on device"),
    say("Disk quota exceeded"),
    say("File too large"),
    say("File name too long"),
    say("Read-only file system"),
    say("Input/output error"),
    say("Bad file descriptor"),
    say("Broken pipe"),
    say("Too many open files"),
    say("Too many levels of symbolic links"),
    say("Address already in use"),
    say("Cannot assign requested address"),
    say("Connection refused"),
    say("Name or service not known"),
    say("Temporary failure in name resolution"),
    say("No address associated with hostname"),
    # SQLite
    say("database disk image is malformed"),
    say("file is not a database"),
    say("database or disk is full"),
    say("disk full"),
    say("disk I/O error"),
    say("database is locked"),
    say("unable to open database file"),
    say("attempt to write a readonly database"),
    say("malformed database schema"),
    # PostgreSQL
    say('password authentication failed for user "{name}"'),
    say('role "{name}" does not exist'),
    say('database "{name}" does not exist'),
    say("the database system is starting up"),
    say("the database system is shutting down"),
    say("sorry, too many clients already"),
    say("the connection is lost"),
    say("the connection is closed"),
    say("connection timeout expired"),
    say("fe_sendauth: no password supplied"),
    # TOML
    say("Cannot overwrite a value"),
    say("Cannot declare {key} twice"),
    say("Cannot redefine namespace {key}"),
    say("Cannot mutate immutable namespace {key}"),
    say("Duplicate inline table key {key}"),
    say("Escaped character is not a Unicode scalar value"),
    say("Expected '=' after a key in a key/value pair"),
    say("Expected ']' at the end of a table declaration"),
    say("Expected ']]' at the end of an array declaration"),
    say("Expected newline or end of document after a statement"),
    say("Expected {words}"),
    say("Found invalid character {words}"),
    say("Illegal character {words}"),
    say("Invalid date or datetime"),
    say("Invalid hex value"),
    say("Invalid initial character for a key part"),
    say("Invalid statement"),
    say("Invalid value"),
    say("Unclosed array"),
    say("Unclosed inline table"),
    say("Unescaped '\\' in a string"),
    say("Unterminated string"),
    # JSON
    say("Expecting ',' delimiter"),
    say("Expecting ':' delimiter"),
    say("Expecting property name enclosed in double quotes"),
    say("Expecting value"),
    say("Extra data"),
    say("Unterminated string starting at"),
    say("Input data was truncated"),
)
HALF_CHARACTER = say("the text has half of a character (a lone surrogate); write the whole one")
# Messages of the validator that need other words, and the types that it names.
_OTHER_WORDS = {
    "JSON is malformed: {words} surrogate pair (byte {n})": HALF_CHARACTER,
    "JSON is malformed: {words} (byte {n})": say("wrong from byte {n} on"),
    "`int`": say("a whole number"),
    "`int` >= {n}": say("a whole number of at least {n}"),
    "`int` <= {n}": say("a whole number of at most {n}"),
    "`str`": say("a text"),
    "`str` of length >= {n}": say("a text of at least {n} {n:character|characters}"),
    "`str` of length <= {n}": say("a text of at most {n} {n:character|characters}"),
    "`bool`": say("true or false"),
    "`array`": say("a list"),
    "`array` of length {n}": say("a list of {n} {n:entry|entries}"),
    "`array` of length >= {n}": say("a list of at least {n} {n:entry|entries}"),
    "`array` of length <= {n}": say("a list of at most {n} {n:entry|entries}"),
    "`object`": say("a table of keys and values"),
    "`float`": say("a number"),
}


def _pattern(template: str) -> re.Pattern[str]:
    """Read the template of a library: a blank is any text, the blank `n` a number."""
    whole = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(template))
    return re.compile(whole.replace("(?P<n>.*)", r"(?P<n>\d+)"), re.DOTALL)


_PATTERNS = {
    **{_pattern(known.template): known.template for known in _KNOWN},
    **{_pattern(theirs): words.template for theirs, words in _OTHER_WORDS.items()},
}

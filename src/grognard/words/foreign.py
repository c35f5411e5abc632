"""Messages of the system and of libraries, as messages of ours that have their French."""

import re

from grognard.words.message import Message, say


def foreign(error: Exception | str) -> Message:
    """Find our message for one of the system or of a library; an unknown one is quoted."""
    text = getattr(error, "strerror", None) or str(error)
    for pattern, template in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            return Message(template, found.groupdict())
    return say("{words}", words=text)


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
    say("JSON is malformed: {words}"),
    # Types that a value must have
    say("`int`"),
    say("`int` >= {n}"),
    say("`int` <= {n}"),
    say("`str`"),
    say("`str` of length >= {n}"),
    say("`str` of length <= {n}"),
    say("`bool`"),
    say("`array`"),
    say("`array` of length {n}"),
    say("`array` of length >= {n}"),
    say("`array` of length <= {n}"),
    say("`object`"),
    say("`float`"),
)
_PATTERNS = {
    re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(known.template)), re.DOTALL): (
        known.template
    )
    for known in _KNOWN
}

"""Seats of matches in the store: secret links, their holders, last looks, and the chat.

A secret is never stored, only its hash: who reads the file can't open a seat with it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Literal, NamedTuple

from grognard.matches.seats import WATCH
from grognard.matches.storage.database import Database, Value
from grognard.matches.storage.seals import digest

SECRET = 16  # bytes: 128 bits
Kind = Literal["seat", "feed"]


def new_secret() -> str:
    """Draw the secret of a link or of a cookie."""
    return token_urlsafe(SECRET)


def hashed(secret: str) -> str:
    """Give the hash under which a secret is stored."""
    return sha256(secret.encode()).hexdigest()


class Holder(NamedTuple):
    """Who may hold seats: the hashes of a browser's cookie and of a link that a program sends."""

    cookie: str | None = None
    link: str | None = None


class Place(NamedTuple):
    """A seat of a match."""

    match: str
    seat: str


class ChatLine(NamedTuple):
    """A line of the chat."""

    n: int
    seat: str
    at: str
    text: str  # empty if the row is damaged


class SeatTables:
    """The tables of a store about who may do what in which match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -------------------------------------------------------------- links

    def new_link(self, place: Place, kind: Kind = "seat") -> str:
        """Make a link to a seat and give its secret, for this once; the former one ends."""
        secret = new_secret()
        with self._database.transaction(write=True):
            self._end_links(place, kind)
            self._database.run(
                "INSERT INTO links (hash, match, seat, kind) VALUES (?, ?, ?, ?)",
                hashed(secret),
                *place,
                kind,
            )
        return secret

    def place_of(self, secret: str, kind: Kind = "seat") -> Place | None:
        """Give the seat to which a link leads; None for a link that is unknown or has ended."""
        return self._place_of(hashed(secret), kind)

    def _place_of(self, hash_: str, kind: Kind) -> Place | None:
        rows = self._database.rows(
            "SELECT match, seat FROM links WHERE hash = ? AND kind = ?", hash_, kind
        )
        return Place(str(rows[0]["match"]), str(rows[0]["seat"])) if rows else None

    def exchange(self, place: Place, holder: Holder) -> str:
        """Give a seat a new link: all others who hold it lose it."""
        with self._database.transaction(write=True):
            self.revoke(place, holder)
            return self.new_link(place)

    def revoke(self, place: Place, but: Holder = Holder()) -> None:  # noqa: B008  # immutable
        """End all links of a seat, and take it from all who hold it but one."""
        with self._database.transaction(write=True):
            self._end_links(place, "seat")
            self._end_links(place, "feed")
            self._database.run(
                "DELETE FROM holders WHERE match = ? AND seat = ? AND visitor <> ?",
                *place,
                but.cookie or "",
            )

    def _end_links(self, place: Place, kind: Kind) -> None:
        self._database.run(
            "DELETE FROM links WHERE match = ? AND seat = ? AND kind = ?", *place, kind
        )

    # -------------------------------------------------------------- holders

    def hold(self, cookie: str, place: Place) -> None:
        """Let a browser hold a seat. It holds one of a match: the last one, but a side before the
        right to watch."""
        with self._database.transaction(write=True):
            held = self.held_by(Holder(cookie), place.match)
            if held == place.seat or (held is not None and place.seat == WATCH):
                return
            self._database.run(
                "DELETE FROM holders WHERE visitor = ? AND match = ?", cookie, place.match
            )
            self._database.run(
                "INSERT INTO holders (visitor, match, seat) VALUES (?, ?, ?)", cookie, *place
            )

    def held_by(self, holder: Holder, match: str) -> str | None:
        """Give the seat that somebody holds in a match."""
        if holder.link is not None:
            place = self._place_of(holder.link, "seat")
            return place.seat if place and place.match == match else None
        if holder.cookie is None:
            return None
        rows = self._database.rows(
            "SELECT seat FROM holders WHERE visitor = ? AND match = ?", holder.cookie, match
        )
        return str(rows[0]["seat"]) if rows else None

    def all_held_by(self, holder: Holder) -> list[str]:
        """Give the matches in which somebody holds a seat."""
        if holder.link is not None:
            place = self._place_of(holder.link, "seat")
            return [place.match] if place else []
        rows = self._database.rows(
            "SELECT match FROM holders WHERE visitor = ?", holder.cookie or ""
        )
        return [str(row["match"]) for row in rows]

    def held(self, match: str) -> set[str]:
        """Give the seats of a match that somebody holds: whose links were opened."""
        rows = self._database.rows("SELECT DISTINCT seat FROM holders WHERE match = ?", match)
        return {str(row["seat"]) for row in rows}

    def linked(self, match: str) -> set[str]:
        """Give the seats of a match that have a link."""
        rows = self._database.rows(
            "SELECT seat FROM links WHERE match = ? AND kind = 'seat'", match
        )
        return {str(row["seat"]) for row in rows}

    # -------------------------------------------------------------- last looks

    def looked(self, place: Place, answers: int) -> None:
        """Note how many answers a match had when a seat last looked at it."""
        with self._database.transaction(write=True):
            self._database.run(
                "INSERT INTO looks (match, seat, answers) VALUES (?, ?, ?) "
                "ON CONFLICT (match, seat) DO UPDATE SET answers = excluded.answers",
                *place,
                answers,
            )

    def last_look(self, place: Place) -> int:
        """Give how many answers a match had when a seat last looked at it."""
        rows = self._database.rows("SELECT answers FROM looks WHERE match = ? AND seat = ?", *place)
        return max(0, _number(rows[0]["answers"]) or 0) if rows else 0

    # -------------------------------------------------------------- chat

    def write(self, place: Place, text: str) -> ChatLine:
        """Add a line to the chat of a match."""
        with self._database.transaction(write=True):
            (row,) = self._database.rows(
                "SELECT coalesce(max(n) + 1, 0) AS n FROM chat WHERE match = ?", place.match
            )
            line = ChatLine(int(row["n"] or 0), place.seat, _stamp(datetime.now(UTC)), text)
            self._database.run(
                "INSERT INTO chat (match, n, seat, at, text, seal) VALUES (?, ?, ?, ?, ?, ?)",
                place.match,
                *line,
                digest(place.match, *line),
            )
        return line

    def chat(self, match: str, first: int = 0) -> Sequence[ChatLine]:
        """Give the chat of a match from a line on."""
        rows = self._database.rows(
            "SELECT n, seat, at, text, seal FROM chat WHERE match = ? AND n >= ? ORDER BY n",
            match,
            first,
        )
        lines: list[ChatLine] = []
        for row in rows:
            n = _number(row["n"])
            if n is None and first:  # where it belongs is not known: with the whole chat
                continue
            sound = digest(match, *(row[name] for name in ChatLine._fields)) == row["seal"]
            text = str(row["text"]) if sound else ""
            number = n if n is not None else len(lines)
            lines.append(ChatLine(number, str(row["seat"]), str(row["at"]), text))
        return lines

    def written(self, place: Place, within: timedelta) -> tuple[int, int]:
        """Count the lines of a match, and those that a seat has written lately."""
        since = _stamp(datetime.now(UTC) - within)
        (row,) = self._database.rows(
            "SELECT count(*) AS whole, "
            "coalesce(sum(CASE WHEN seat = ? AND at > ? THEN 1 ELSE 0 END), 0) AS lately "
            "FROM chat WHERE match = ?",
            place.seat,
            since,
            place.match,
        )
        return int(row["whole"] or 0), int(row["lately"] or 0)


def _number(value: Value) -> int | None:
    """Give a number of a row; None if it is damaged."""
    return value if isinstance(value, int) else None


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

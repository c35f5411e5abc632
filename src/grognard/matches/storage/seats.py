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
from grognard.matches.storage.rows import Unknown
from grognard.matches.storage.seals import digest
from grognard.words.message import say
from grognard.words.refusal import Refusal

SECRET = 16  # bytes: 128 bits
# A link of the beginning, which is sent to a player, and the same when it has ended; the own link
# of a seat, for as many devices as its holder likes, or to watch; that of a feed, which only reads.
Kind = Literal["sent", "ended", "seat", "feed"]
OPENS: tuple[Kind, ...] = ("sent", "seat")
MOST = 100  # browsers and programs that hold a seat


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


def own_place(place: Place, holder: Holder) -> Place:
    """Give under which seat a last look or a feed is kept: the players of a side share theirs, of
    those who watch each has his own."""
    if place.seat != WATCH:
        return place
    return place._replace(seat=f"{WATCH} {holder.cookie or holder.link}")


def _program(link: str) -> str:
    """Give under which name a program holds a seat by its link: no cookie has that hash."""
    return f"program {link}"


class ChatLine(NamedTuple):
    """A line of the chat."""

    n: int
    seat: str
    at: str
    text: str  # empty if the row is damaged


class Taken(NamedTuple):
    """A seat that a browser has taken by a link."""

    place: Place
    news: bool  # whether the other seats should learn of it


class SeatTables:
    """The tables of a store about who may do what in which match.

    A change of links or holders locks the row of the match, and looks again at what it rests on:
    a link that is being exchanged gives no seat any more.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    # -------------------------------------------------------------- links

    def new_link(self, place: Place, kind: Kind = "seat") -> str:
        """Make a link to a seat and give its secret, for this once; the former one ends."""
        secret = new_secret()
        with self._database.transaction(write=True):
            self._database.run(
                "DELETE FROM links WHERE match = ? AND seat = ? AND kind = ?", *place, kind
            )
            self._database.run(
                "INSERT INTO links (hash, match, seat, kind) VALUES (?, ?, ?, ?)",
                hashed(secret),
                *place,
                kind,
            )
        return secret

    def place_of(self, secret: str, *kinds: Kind) -> Place | None:
        """Give the seat to which a link leads, usually one that opens it; None for a link that is
        unknown or of another kind."""
        return self._place_of(hashed(secret), kinds or OPENS)

    def _place_of(self, hash_: str, kinds: Sequence[Kind] = OPENS) -> Place | None:
        rows = self._database.rows("SELECT match, seat, kind FROM links WHERE hash = ?", hash_)
        if not rows or rows[0]["kind"] not in kinds:
            return None
        seat = str(rows[0]["seat"]).partition(" ")[0]  # behind it may stand who made the link
        return Place(str(rows[0]["match"]), seat)

    def is_sent(self, place: Place) -> bool:
        """Tell whether the link of a seat that was sent still opens it."""
        found = "SELECT 1 FROM links WHERE match = ? AND seat = ? AND kind = 'sent'"
        return bool(self._database.rows(found, *place))

    def _locked_place(self, hash_: str) -> Place | None:
        """Give the seat of a link, and keep all others from the links and holders of its match."""
        found = self._place_of(hash_)
        if found is None:
            return None
        self._lock(found.match)
        return self._place_of(hash_)

    def _lock(self, match: str) -> None:
        lock = self._database.lock_row
        self._database.rows(f"SELECT id FROM matches WHERE id = ?{lock}", match)

    def take(self, secret: str, cookie: str) -> Taken | None:
        """Let a browser hold the seat of a link; None for a link that is unknown or has ended."""
        with self._database.transaction(write=True):
            place = self._locked_place(hashed(secret))
            return place and Taken(place, self.hold(cookie, place))

    def come(self, link: str) -> Place | None:
        """Let a program that sends a link hold its seat, as a browser does; give the seat if the
        others should learn of it."""
        with self._database.transaction(write=True):
            place = self._locked_place(link)
            return place if place and self.hold(_program(link), place) else None

    def new_feed(self, own: Place, holder: Holder) -> str:
        """Make a link to the feed of one's own seat; the former one ends."""
        with self._database.transaction(write=True):
            self._check_held(own, holder)
            return self.new_link(own_place(own, holder), "feed")

    def exchange(self, own: Place, seat: str, holder: Holder) -> str:
        """Give a new link to a seat, one's own or another that one rules: all others who hold it
        lose it."""
        place = own._replace(seat=seat)
        with self._database.transaction(write=True):
            self._check_held(own, holder)
            self._end(place, but=holder)
            secret = self.new_link(place)
            if holder.link is not None and place == own:
                self.hold(_program(hashed(secret)), place)
        return secret

    def revoke(self, own: Place, seat: str, holder: Holder) -> None:
        """End all links of a seat, one's own or another that one rules, and take it from all who
        hold it."""
        with self._database.transaction(write=True):
            self._check_held(own, holder)
            self._end(own._replace(seat=seat))

    def _check_held(self, own: Place, holder: Holder) -> None:
        """Refuse who has just lost his seat."""
        self._lock(own.match)
        if self.held_by(holder, own.match) != own.seat:
            raise Unknown(own.match)

    def _end(self, place: Place, but: Holder = Holder()) -> None:  # noqa: B008  # immutable
        """End all links of a seat, and take it from all who hold it but one browser."""
        # Whoever holds the seat may still come back by the link that he was sent.
        self._database.run(
            "UPDATE links SET kind = 'ended' WHERE match = ? AND seat = ? AND kind = 'sent'", *place
        )
        self._database.run(
            "DELETE FROM links WHERE match = ? AND seat = ? AND kind <> 'ended'", *place
        )
        if place.seat == WATCH:  # what those who watch have of their own
            for table in ("links", "looks"):
                self._database.run(
                    f"DELETE FROM {table} WHERE match = ? AND seat LIKE ?",
                    place.match,
                    f"{WATCH} %",
                )
        self._database.run(
            "DELETE FROM holders WHERE match = ? AND seat = ? AND visitor <> ?",
            *place,
            but.cookie or "",
        )

    # -------------------------------------------------------------- holders

    def hold(self, visitor: str, place: Place) -> bool:
        """Let a browser or a program hold a seat; tell whether the other seats should learn of it.

        It holds one of a match: the last one, but a side before the right to watch.
        """
        with self._database.transaction(write=True):
            held = self.held_by(Holder(visitor), place.match)
            if held == place.seat or (held is not None and place.seat == WATCH):
                return False
            others = self.holders(place)
            if others >= MOST:
                raise Refusal(say("{n} browsers and programs hold this seat already", n=MOST))
            self._database.run(
                "DELETE FROM holders WHERE visitor = ? AND match = ?", visitor, place.match
            )
            self._database.run(
                "INSERT INTO holders (visitor, match, seat) VALUES (?, ?, ?)", visitor, *place
            )
            return not others or place.seat != WATCH

    def held_by(self, holder: Holder, match: str) -> str | None:
        """Give the seat that somebody holds in a match."""
        if holder.link is not None:
            place = self._place_of(holder.link)
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
            place = self._place_of(holder.link)
            return [place.match] if place else []
        rows = self._database.rows(
            "SELECT match FROM holders WHERE visitor = ?", holder.cookie or ""
        )
        return [str(row["match"]) for row in rows]

    def held(self, match: str) -> set[str]:
        """Give the seats of a match that somebody holds: whose links were used."""
        rows = self._database.rows("SELECT DISTINCT seat FROM holders WHERE match = ?", match)
        return {str(row["seat"]) for row in rows}

    def holders(self, place: Place) -> int:
        """Count the browsers and programs that hold a seat."""
        (row,) = self._database.rows(
            "SELECT count(*) AS n FROM holders WHERE match = ? AND seat = ?", *place
        )
        return int(row["n"] or 0)

    def linked(self, match: str) -> set[str]:
        """Give the seats of a match that have a link."""
        rows = self._database.rows(
            "SELECT seat FROM links WHERE match = ? AND kind <> 'feed'", match
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

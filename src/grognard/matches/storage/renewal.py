"""Renewal: a match apart goes on under another id, and its dice begin anew.

Pages know for which rolls they have revealed links. A match that has lost some of them, because it
was salvaged or an older backup was put back, can't make these rolls again: that would be the second
try for which pages watch. Under another id it is another match, for pages and for whoever checks
its file.
"""

from secrets import token_urlsafe

from msgspec.structs import replace

from grognard.matches.storage.kept_rows import (
    Answered,
    add_answers,
    add_half,
    answers_of,
    first_head,
    halves_of,
    insert,
    read,
    update,
)
from grognard.matches.storage.rows import Kept
from grognard.matches.storage.seals import digest
from grognard.matches.storage.seats import SeatTables
from grognard.matches.storage.store import Store
from grognard.words.message import say
from grognard.words.refusal import Refusal

_MOVED = ("links", "holders", "looks", "chat")  # tables whose rows go with the match


def with_dice(store: Store) -> list[str]:
    """Name the matches under way in which a side has begun a chain."""
    rows = store.database.rows("SELECT DISTINCT match FROM chains")
    begun = {str(row["match"]) for row in rows}
    return [kept.id for kept in store.matches() if kept.id in begun and not kept.standing.over]


def renew(store: Store, id_: str) -> Kept:
    """Give a match another id and no chains; dice that both sides have made count as imported."""
    database = store.database
    with database.transaction(write=True):
        kept = store.lock(id_)
        if not kept.apart:
            raise Refusal(say("this match is played at one table; its dice are not checked"))
        answers, halves = answers_of(database, kept), halves_of(database, id_)
        chat = SeatTables(database).chat(id_)
        (row,) = database.rows("SELECT latest FROM matches WHERE id = ?", id_)
        new = replace(
            kept,
            id=token_urlsafe(6),
            origin="imported",
            version=kept.version + 1,
            news=kept.news + 1,
            undo_asked=None,
        )
        insert(database, new)
        given = [
            Answered(
                read(id_, one.answer, object),
                "imported" if one.source == "fair" else one.source,
                one.at,
            )
            for one in answers
        ]
        new = replace(new, head=add_answers(database, new.id, first_head(new), given))
        update(database, new)
        database.run("UPDATE matches SET latest = ? WHERE id = ?", row["latest"], new.id)
        for side, option in halves.items():
            add_half(database, new.id, side, option)
        for table in _MOVED:
            database.run(f"UPDATE {table} SET match = ? WHERE match = ?", new.id, id_)
        for line in chat:
            database.run(
                "UPDATE chat SET seal = ? WHERE match = ? AND n = ? AND text = ?",
                digest(new.id, *line),
                new.id,
                line.n,
                line.text,
            )
        store.delete(id_)
    return new

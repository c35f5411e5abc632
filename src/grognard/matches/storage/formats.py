"""How a store of an older format is brought up to date."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from grognard.matches.storage.database import Database, insert_row
from grognard.matches.storage.kept_rows import reseal, sealed_dice

FORMAT = 6

# Statements that turn a file of an older format into the next format.
_STATEMENTS = {
    1: (
        "ALTER TABLE matches ADD COLUMN latest INTEGER NOT NULL DEFAULT 0",
        "UPDATE matches SET latest = (SELECT count(*) FROM matches AS other WHERE "
        "(other.changed, other.rowid) <= (matches.changed, matches.rowid))",
    ),
    2: ("ALTER TABLE matches ADD COLUMN level TEXT NOT NULL DEFAULT 'sergeant'",),
    3: (
        "ALTER TABLE matches RENAME TO old_matches",
        "ALTER TABLE answers RENAME TO old_answers",
        "ALTER TABLE halves RENAME TO old_halves",
    ),
    4: ("ALTER TABLE answers ADD COLUMN at TEXT NOT NULL DEFAULT ''",),
    5: (
        "ALTER TABLE chains RENAME TO old_chains",
        "ALTER TABLE reveals RENAME TO old_reveals",
    ),
}
_COPIES = (
    "INSERT INTO matches (id, name, scenario, options, autos, level, created, changed, version, "
    "undone, turn, over, winner, latest) SELECT id, name, scenario, options, autos, level, "
    "created, changed, version, undone, turn, over, winner, latest FROM old_matches",
    "INSERT INTO answers (match, n, answer) SELECT match, n, answer FROM old_answers",
    "INSERT INTO halves (match, side, option) SELECT match, side, option FROM old_halves",
    "DROP TABLE old_answers",
    "DROP TABLE old_halves",
    "DROP TABLE old_matches",
)


def steps(database: Callable[[], Database], tables: str) -> Mapping[int, Callable[[], int]]:
    """Give what turns each older format into a later one; it gives the number of that."""
    return {older: partial(_step, database, older, tables) for older in _STATEMENTS}


def _step(database: Callable[[], Database], older: int, tables: str) -> int:
    found, made = database(), tables.split(";")
    for statement in _STATEMENTS[older]:
        found.run(statement)
    if older == 5:
        _seal_dice(found, made)
    if older != 3:
        return older + 1
    for statement in (*made, *_COPIES):
        found.run(statement)
    for row in found.rows("SELECT id FROM matches"):
        reseal(found, str(row["id"]))
    return FORMAT  # the tables are those of today


def _seal_dice(database: Database, made: Sequence[str]) -> None:
    """Give chains and reveals their checksums; older stores kept no chain that was withdrawn."""
    for table in ("chains", "reveals"):
        for statement in made:
            if f"CREATE TABLE {table} " in statement:
                database.run(statement)
        for row in database.rows(f"SELECT * FROM old_{table}"):
            insert_row(database, table, sealed_dice(table, row))
        database.run(f"DROP TABLE old_{table}")

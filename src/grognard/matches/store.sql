CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    scenario TEXT NOT NULL,
    options TEXT NOT NULL,
    autos TEXT NOT NULL,
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    version INTEGER NOT NULL,
    undone INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    over INTEGER NOT NULL,
    winner TEXT,
    latest INTEGER NOT NULL DEFAULT 0,
    level TEXT NOT NULL DEFAULT 'sergeant'
);
CREATE TABLE answers (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    n INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (match, n)
) WITHOUT ROWID;
CREATE TABLE halves (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    side TEXT NOT NULL,
    option TEXT NOT NULL,
    PRIMARY KEY (match, side)
) WITHOUT ROWID;

-- Tables of the store, for SQLite and PostgreSQL. A text that says JSON is written without blanks.
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    scenario TEXT NOT NULL,
    options TEXT NOT NULL, -- JSON
    autos TEXT NOT NULL, -- JSON: the automatic sides
    level TEXT NOT NULL,
    apart INTEGER NOT NULL DEFAULT 0, -- 1: each side plays by its secret link
    origin TEXT NOT NULL DEFAULT 'begun',
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    version INTEGER NOT NULL,
    news INTEGER NOT NULL DEFAULT 0, -- raised by all that a page must learn of
    undone INTEGER NOT NULL,
    undo_asked TEXT, -- the side that asks the other for its consent
    turn INTEGER NOT NULL,
    over INTEGER NOT NULL,
    winner TEXT,
    head TEXT NOT NULL DEFAULT '', -- the last link of the chain of answers
    seal TEXT NOT NULL DEFAULT '', -- the checksum of this row
    latest INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX matches_latest ON matches (latest);
CREATE TABLE answers (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    n INTEGER NOT NULL,
    answer TEXT NOT NULL, -- JSON
    source TEXT NOT NULL DEFAULT 'unknown',
    nonce TEXT NOT NULL DEFAULT '',
    seal TEXT NOT NULL DEFAULT '', -- a link of the chain
    at TEXT NOT NULL DEFAULT '', -- when it was given, empty if that was not noted
    PRIMARY KEY (match, n)
);
CREATE TABLE halves (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    side TEXT NOT NULL,
    option TEXT NOT NULL, -- JSON
    seal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match, side)
);
CREATE TABLE links (
    hash TEXT PRIMARY KEY, -- of the secret in the link
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    seat TEXT NOT NULL, -- a side, or 'watch' (of a feed to watch, also the hash of who made it)
    kind TEXT NOT NULL -- 'sent' works once, 'seat' until it is exchanged, 'feed' reads news
);
CREATE INDEX links_match ON links (match);
CREATE TABLE holders (
    visitor TEXT NOT NULL, -- the hash of a browser's cookie, or 'program' and that of a link
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    seat TEXT NOT NULL, -- a side, 'watch', or 'table' for a match at one table
    PRIMARY KEY (visitor, match, seat)
);
CREATE INDEX holders_match ON holders (match);
CREATE TABLE looks (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    seat TEXT NOT NULL, -- a side, or 'watch' and the hash of who watches
    answers INTEGER NOT NULL, -- that the match had when the seat last looked
    PRIMARY KEY (match, seat)
);
CREATE TABLE chat (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    n INTEGER NOT NULL,
    seat TEXT NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (match, n)
);
CREATE TABLE chains (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    side TEXT NOT NULL,
    first INTEGER NOT NULL, -- the number of the first roll that it serves
    anchor TEXT NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0, -- 1: another chain took its place before it served
    secret TEXT, -- if the side lets the server answer for it
    seal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match, anchor)
);
CREATE TABLE reveals (
    match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    roll INTEGER NOT NULL,
    side TEXT NOT NULL,
    value TEXT NOT NULL,
    question TEXT NOT NULL, -- the last link of the chain of answers when it was given
    dice TEXT NOT NULL, -- JSON: number of dice, faces, lowest face
    seal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match, roll, side)
);

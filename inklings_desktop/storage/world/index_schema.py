"""Tables of ``world.db``; a file of another version is dropped, never migrated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.schema.marks import TOKENIZE

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x496E6B57
"""``InkW``: no search for stores of ours takes the index for one."""
VERSION = 2
KIND = "world"
PLACE_BITS = 20
"""A block's key is its page's sequence and, in these bits, its place: a page lies in one piece."""

_SCHEMA = """
CREATE TABLE meta (kind TEXT NOT NULL, workspace_id TEXT NOT NULL,
    change_seq INTEGER NOT NULL, reload_seq INTEGER NOT NULL, page_read TEXT NOT NULL);
CREATE TABLE folder_looks (folder_id TEXT PRIMARY KEY, state TEXT NOT NULL,
    n_other INTEGER NOT NULL, n_left_out INTEGER NOT NULL, looked_at INTEGER,
    is_watched INTEGER NOT NULL, every_seconds REAL NOT NULL);
CREATE TABLE pages (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    folder_id TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, aliases TEXT NOT NULL,
    front TEXT NOT NULL, front_lines TEXT NOT NULL, front_problem INTEGER, tags TEXT NOT NULL,
    state TEXT NOT NULL, encoding TEXT NOT NULL, newline TEXT NOT NULL, digest BLOB NOT NULL,
    size INTEGER NOT NULL, place INTEGER, mtime_ns INTEGER NOT NULL, noticed_at INTEGER NOT NULL,
    gone_at INTEGER, is_copy INTEGER NOT NULL, inode INTEGER NOT NULL, UNIQUE (folder_id, path));
CREATE INDEX pages_gone ON pages (folder_id, gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX pages_by_path ON pages (path);
CREATE TABLE page_names (name TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (name, page))
    WITHOUT ROWID;
CREATE INDEX page_names_by_page ON page_names (page);
CREATE TABLE blocks (key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, kind TEXT NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL, digest BLOB NOT NULL, own_id TEXT NOT NULL,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL);
CREATE TABLE passages (sequence INTEGER PRIMARY KEY AUTOINCREMENT, page INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT NULL,
    heading TEXT NOT NULL, said BLOB NOT NULL, indexed BLOB NOT NULL);
CREATE INDEX passages_by_page ON passages (page);
CREATE VIRTUAL TABLE passage_fts USING fts5(body, subject, context, content='',
    contentless_delete=1, $TOKENIZE);
CREATE TABLE passage_vectors (passage INTEGER PRIMARY KEY, model_id TEXT NOT NULL,
    dimension INTEGER NOT NULL, vector BLOB NOT NULL, changed_seq INTEGER NOT NULL,
    CHECK (typeof(vector) = 'blob' AND length(vector) = 4 * dimension));
CREATE INDEX passage_vectors_by_change ON passage_vectors (model_id, changed_seq);
CREATE TABLE links (sequence INTEGER PRIMARY KEY, page INTEGER NOT NULL, block INTEGER NOT NULL,
    target TEXT NOT NULL, target_name TEXT NOT NULL, kind TEXT NOT NULL);
CREATE INDEX links_by_page ON links (page);
CREATE INDEX links_by_target ON links (target_name);
CREATE TABLE page_changes (number INTEGER PRIMARY KEY AUTOINCREMENT, page_id TEXT NOT NULL,
    folder_id TEXT NOT NULL, path TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL,
    counts TEXT NOT NULL);
""".replace("$TOKENIZE", TOKENIZE)
_TABLES = [one.strip() for one in _SCHEMA.split(";\n") if one.strip()]


def create_index(connection: sqlite3.Connection, workspace_id: str, at_ms: int) -> None:
    """Make the tables of an empty file.

    Args:
        connection: To the file, in autocommit mode.
        workspace_id: Whose it is.
        at_ms: Now: changes are numbered from here on, so that whoever asks for those after a
            number misses none when the file was made anew.
    """
    connection.execute("BEGIN IMMEDIATE")
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO passage_fts (passage_fts, rank) VALUES ('rank', 'bm25(1.0, 0.5, 0.4)')"
    )
    # What another process keeps of the file before this one holds no more.
    connection.execute("INSERT INTO meta VALUES (?, ?, 0, ?, '')", (KIND, workspace_id, at_ms))
    connection.execute("INSERT INTO sqlite_sequence VALUES ('page_changes', ?)", (at_ms,))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def is_index_of(connection: sqlite3.Connection, workspace_id: str) -> bool:
    """Whether a file is this workspace's index, of this version and with these tables."""
    marks = [connection.execute(f"PRAGMA {one}").fetchone() for one in _MARKS]
    if marks != [(APPLICATION_ID,), (VERSION,)]:
        return False
    found = connection.execute("SELECT kind, workspace_id FROM meta").fetchone()
    written = {sql for (sql,) in connection.execute(_WRITTEN)}
    return bool(found == (KIND, workspace_id) and written == set(_TABLES))


_MARKS = ("application_id", "user_version")
_WRITTEN = (
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND name NOT LIKE 'passage\\_fts\\_%' ESCAPE '\\'"
)

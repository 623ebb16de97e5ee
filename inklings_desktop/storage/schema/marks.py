"""What marks a file as ours and as one of this version; read before anything else is."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x496E6B6C
"""``Inkl``: marks a SQLite file as ours before anything else is read from it."""

SCHEMA_VERSION = 5

TOKENIZE = """tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co So'\""""
"""How the full-text index cuts texts into words."""

SEARCH_TEXT, SEARCH_TEXT_VERSION = "search_text", 2
NOTE_SEARCH_TEXT = (
    "INSERT OR REPLACE INTO task_states (kind, tier, scope_key, first_seen_at, seen_sequence,"
    " compared_seq, model_id) VALUES (?, '', '', ?, 0, ?, '')"
)
"""Kind of the row of ``task_states`` that says by which rules the rows of the index were made, and
the version of those of this program. Whoever changes what ``indexed_text`` makes counts it up: the
rows of older files are then made again when they are opened."""


class FileKind(StrEnum):
    """The two kinds of database file."""

    ACCOUNT = "account"
    WORKSPACE = "workspace"


FINGERPRINTS = {
    FileKind.ACCOUNT: "0fc7bc1b9aff5f1109cd3a7bb0c3502f3d85073bde1596a4c59ad7eae40053bc",
    FileKind.WORKSPACE: "fd9746618196076ec70639bb8d41f69041505f58e881707d7c8869d913627de9",
}
"""What ``expected_fingerprint`` comes to. Noted, because writing out the statements of a schema
costs a start more than all else that is asked of a file; a test keeps it true."""


def fingerprint(connection: sqlite3.Connection) -> str:
    """Digest of every table, index and trigger; an extra trigger changes it.

    The shadow tables of the full-text index and SQLite's own are left out: they follow from the
    rest, and their text depends on the SQLite build.
    """
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " AND name NOT LIKE 'memory\\_fts\\_%' ESCAPE '\\' ORDER BY type, name"
    ).fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()

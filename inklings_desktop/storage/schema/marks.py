"""What marks a file as ours and as one of this version; read before anything else is."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x496E6B6C
"""``Inkl``: marks a SQLite file as ours before anything else is read from it."""

SCHEMA_VERSION = 2

TOKENIZE = """tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co So'\""""
"""How the full-text index cuts texts into words."""


class FileKind(StrEnum):
    """The two kinds of database file."""

    ACCOUNT = "account"
    WORKSPACE = "workspace"


FINGERPRINTS = {
    FileKind.ACCOUNT: "8d0ed078295fce5d107760a5664aa32096660324ce8a89a4ab470c78817894ec",
    FileKind.WORKSPACE: "1652b563dd1c33a543975fbea573424146c64213d2e2404ba92c2565f7e66237",
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

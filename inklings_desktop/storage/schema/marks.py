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
    FileKind.ACCOUNT: "002b0ee365b6f028cc1ed4124cb214a2b254ab6ac8de381330588524f5833a5e",
    FileKind.WORKSPACE: "3222e39f25609d87511e6ee74a39a5c2445dc179301b1f62f990f3b56a6f40fa",
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

"""Tells whether damage sits only in what follows from the rest of a file: indexes, full text.

A file whose indexes are damaged still holds everything that was written, and a repair loses
nothing. That has to be shown, not hoped: SQLite's own check names nothing of a table itself, every
row of it is read, and every index that is whole says of the rows what the table says. Where one
of them says otherwise nobody knows which of both is right. Nor may a row be missing: what another
row points to, or the last event that was noted. In doubt the answer is no.
"""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.lossy_text import read_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from inklings_desktop.storage.log.event_chain import Head

DERIVED_TABLES = frozenset(
    {
        *("memory_search", "memory_vectors", "coming_vectors", "memory_tokens", "tag_tokens"),
        "scope_counts",
    }
)
"""Tables that are made again from the memories; vectors by the model that made them."""

_FULL_TEXT = "memory_fts"
_NO_COMPLAINT = re.compile(r"ok|\*\*\* in database .*")
_OF_A_TREE = re.compile(r"Tree (\d+) ")
_OF_A_PAGE = re.compile(r"(Fragmentation of|Multiple uses for byte) ")
_COUNTED = re.compile(r"wrong # of entries in index (.+)")
_SHARED = "reference to page"
_WHERE = " WHERE "


class _Index(NamedTuple):
    """An index of a table.

    Attributes:
        root: Number of its first page, by which SQLite names its tree.
        terms: What it holds of each row, as it stands in a statement.
        condition: Of which rows it holds it; empty for all.
    """

    name: str
    root: int
    terms: str
    condition: str


def is_only_derived_damaged(path: Path, noted: Head) -> bool:
    """Whether everything that was written can be read, though the file is damaged.

    Args:
        path: A database of ours whose identity has been checked; it is only read.
        noted: How far its log had come at least.
    """
    try:
        with closing(connect_raw(path, read_only=True)) as connection:
            connection.text_factory = read_text
            connection.execute("BEGIN")
            return holds_all_that_was_written(connection, noted)
    except sqlite_module().Error:
        return False


def holds_all_that_was_written(connection: sqlite3.Connection, noted: Head) -> bool:
    """The same, of a file that a transaction of this connection sees."""
    try:
        tables = written_tables(connection)
        return (
            all(_is_whole(connection, one) for one in tables)
            and not any(_points_nowhere(connection, one) for one in tables)
            and _holds(connection, noted)
        )
    except (sqlite_module().Error, UnicodeDecodeError):
        return False


def written_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every table that cannot be made again from the others, by name."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ).fetchall()
    return tuple(
        name for (name,) in names if name not in DERIVED_TABLES and not name.startswith(_FULL_TEXT)
    )


def _is_whole(connection: sqlite3.Connection, table: str) -> bool:
    """Whether all rows of a table are there, and nothing casts doubt on one of them."""
    indexes = tuple(_indexes(connection, table))
    complaints = _complaints(connection, table)
    if any(_SHARED in one for one in complaints):
        return False
    named = {int(found[1]) for one in complaints if (found := _OF_A_TREE.match(one))}
    broken = {one.name for one in indexes if one.root in named}
    unnamed = [one for one in complaints if not _is_of(one, broken)]
    if not named <= {one.root for one in indexes} or not all(map(_OF_A_PAGE.match, unnamed)):
        return False
    is_attested = False
    for index in indexes:
        if index.root in named:
            continue
        verdict = _agrees(connection, table, index)
        if verdict is False:
            return False
        is_attested = is_attested or (verdict is True and not index.condition)
    # A complaint that names but a page may mean the table, unless an index speaks for every row.
    return _rows_can_be_read(connection, table) and (not unnamed or is_attested)


def _is_of(complaint: str, broken: AbstractSet[str]) -> bool:
    """Whether a complaint names a tree, or the length of an index whose tree is named."""
    counted = _COUNTED.fullmatch(complaint)
    return bool(_OF_A_TREE.match(complaint)) or (counted is not None and counted[1] in broken)


def _complaints(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """What SQLite's quick check says of a table and its indexes.

    It stops at a hundred. Those of the table come first, and an index that it did not come to is
    read and compared like one that is whole.
    """
    found = connection.execute(f'PRAGMA quick_check("{table}")').fetchall()
    lines = [line for (said,) in found for line in str(said).splitlines()]
    return tuple(one for one in lines if not _NO_COMPLAINT.fullmatch(one))


def _indexes(connection: sqlite3.Connection, table: str) -> Iterator[_Index]:
    found = connection.execute(
        "SELECT name, rootpage, ifnull(sql, '') FROM sqlite_schema"
        " WHERE type = 'index' AND tbl_name = ?",
        (table,),
    ).fetchall()
    for name, root, sql in found:
        head, _, condition = sql.partition(_WHERE)
        yield _Index(name, root, _terms(connection, name, head), condition)


def _terms(connection: sqlite3.Connection, name: str, head: str) -> str:
    """What an index is over; one that a table makes by itself has no statement that says it."""
    if head:
        return head[head.index("(") + 1 : head.rindex(")")]
    columns = connection.execute(f'PRAGMA index_info("{name}")').fetchall()
    return ", ".join(f'"{column}"' for _, _, column in columns)


def _agrees(connection: sqlite3.Connection, table: str, index: _Index) -> bool | None:
    """Whether an index says the same as the rows; None where it cannot be read."""
    condition = f"{_WHERE}{index.condition}" if index.condition else ""
    ask = f'SELECT rowid, {index.terms} FROM "{table}"'  # noqa: S608 - names of ours
    held = set(connection.execute(f"{ask} NOT INDEXED{condition}"))
    try:
        said = connection.execute(f'{ask} INDEXED BY "{index.name}"{condition}').fetchall()
    except (sqlite_module().Error, UnicodeDecodeError):
        return None
    return len(said) == len(held) and set(said) == held


def _rows_can_be_read(connection: sqlite3.Connection, table: str) -> bool:
    for _ in connection.execute(f'SELECT * FROM "{table}" NOT INDEXED'):  # noqa: S608 - as above
        pass
    return True


def _points_nowhere(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a row of it points to a row that is not there, whatever the indexes say."""
    for _, _, other, column, key, *_ in connection.execute(f'PRAGMA foreign_key_list("{table}")'):
        # Of the bare key SQLite would look into its index, which may be what is damaged.
        there = f'SELECT +"{key}" FROM "{other}" NOT INDEXED'  # noqa: S608 - as above
        stray = f'"{column}" IS NOT NULL AND "{column}" NOT IN ({there})'
        ask = f'SELECT 1 FROM "{table}" NOT INDEXED WHERE {stray} LIMIT 1'  # noqa: S608 - as above
        if connection.execute(ask).fetchone():
            return True
    return False


def _holds(connection: sqlite3.Connection, noted: Head) -> bool:
    """Whether the event that was noted last is there as it was."""
    if not noted.number:
        return True
    found = connection.execute("SELECT chain_hash FROM events WHERE seq = ?", (noted.number,))
    return bool(found.fetchone() == (noted.digest,))

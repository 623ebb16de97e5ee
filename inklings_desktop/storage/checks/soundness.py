"""Tells whether one database file is whole, and names the rows that are not; changes nothing."""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Lifetime, MemoryAction, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.maintenance import LossyText
from inklings_desktop.storage.schema.marks import SEARCH_TEXT
from inklings_desktop.storage.schema.tables import is_json, is_one_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# ruff: noqa: S608  the statements are put together from the schema and from words of ours


_CONSTRAINT = re.compile(r"^\s*CONSTRAINT \w+ CHECK \((.*)\),?\s*$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_OF_NUMBERS = "typeof("
_TEXT = "TEXT"
_TIERS = [tier.value for tier in Tier]
_MORE = {
    "client_calls": (f"tier IS NULL OR {is_one_of('tier', _TIERS)}",),
    "duplicate_pairs": (is_one_of("tier", _TIERS),),
    "golden_questions": (is_one_of("tier", _TIERS),),
    "memory_versions": (
        is_one_of("lifetime", [one.value for one in Lifetime]),
        is_one_of("action", [one.value for one in MemoryAction]),
        is_json("tags", "array"),
    ),
    "proposals": (is_one_of("tier", _TIERS),),
    "saved_filters": (
        is_one_of("mode", [one.value for one in SearchMode]),
        is_one_of("sort", [one.value for one in MemorySort]),
    ),
    "task_runs": (is_one_of("tier", ["", *_TIERS]),),
    "task_states": (
        is_one_of("tier", ["", *_TIERS]),
        is_one_of("kind", [SEARCH_TEXT, *(one.value for one in TaskKind)]),
    ),
}
"""What the program never writes otherwise, and no constraint says."""
_PLACED = frozenset(
    {"memories", "memory_drafts", "duplicate_pairs", "golden_questions", "task_runs"}
)
"""Tables whose tier and scope key are read as one place."""
_PLACES = (
    "tier <> 'account' OR scope_key = 'account'",
    "tier <> 'workspace' OR scope_key = (SELECT workspace_id FROM meta)",
)


class RowRule(NamedTuple):
    """One rule of a table.

    Attributes:
        table: Its name.
        condition: What holds of every row; also where it is NULL.
        words: The columns of text that it speaks of; none where it is about numbers.
    """

    table: str
    condition: str
    words: tuple[str, ...]


def row_rules(connection: sqlite3.Connection) -> Iterator[RowRule]:
    """Every rule of this file."""
    tables = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\'"
    ).fetchall()
    for table, sql in tables:
        columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        texts = [name for _, name, kind, *_ in columns if kind == _TEXT]
        more = (*_MORE.get(table, ()), *(_PLACES if table in _PLACED else ()))
        for condition in (*_CONSTRAINT.findall(sql), *more):
            named = set(_WORD.findall(condition))
            is_of_numbers = _OF_NUMBERS in condition
            words = () if is_of_numbers else tuple(one for one in texts if one in named)
            yield RowRule(table, condition, words)


def n_breaking(connection: sqlite3.Connection, rules: Iterable[RowRule]) -> int:
    """How many rows break one of these rules, counted once for each table."""
    by_table: dict[str, list[str]] = {}
    for rule in rules:
        by_table.setdefault(rule.table, []).append(f"NOT ({rule.condition})")
    return sum(
        connection.execute(
            f'SELECT count(*) FROM "{table}" WHERE {" OR ".join(broken)}'
        ).fetchone()[0]
        for table, broken in by_table.items()
    )


_MOST_FAULTS = 20
_UNWRITABLE = frozenset({8, 10, 13, 14})
"""Primary codes of SQLite: read-only, input or output, full, cannot be opened."""
_DISAGREES = re.compile(r"(missing from|entries in|entry in|differ from) index ")
_TABLES = (
    "SELECT name FROM {schema}.sqlite_schema WHERE type = 'table'"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' ORDER BY name"
)


class FileState(NamedTuple):
    """How far a file has come, and how much it holds.

    Attributes:
        change_seq: Its last change number; equal numbers mean equal contents.
        n_events: Number of its last event.
        head: Chain hash of its last event; empty while there is none.
        n_rows: Rows by table.
    """

    change_seq: int
    n_events: int
    head: str
    n_rows: Mapping[str, int]


def page_faults(connection: sqlite3.Connection) -> int:
    """Faults that SQLite's own quick check names, at most twenty, and rows of no sense at all.

    A row of which only words or documents are none can be read: ``unreadable_rows`` names it.
    """
    with _rules_apart(connection):
        found = connection.execute(f"PRAGMA quick_check({_MOST_FAULTS})").fetchall()
    n_faults = sum(1 for (said,) in found if said != "ok")
    rules = [one for one in row_rules(connection) if not one.words]
    return n_faults or n_breaking(connection, rules)


@contextmanager
def _rules_apart(connection: sqlite3.Connection) -> Iterator[None]:
    """Let SQLite check pages without the constraints of rows: its word for both is one."""
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        yield
    finally:
        connection.execute("PRAGMA ignore_check_constraints = OFF")


def index_disagreements(connection: sqlite3.Connection) -> int:
    """Rows of which an index says something else than the table; nobody knows which is right.

    The quick check reads every page and compares none of them with another; at most twenty are
    counted.
    """
    with closing(connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})")) as cursor:
        return sum(1 for (said,) in cursor if _DISAGREES.search(str(said)))


def broken_references(connection: sqlite3.Connection) -> int:
    """Rows that point to a row that is not there."""
    return len(connection.execute("PRAGMA foreign_key_check").fetchall())


def is_full_text_sound(connection: sqlite3.Connection) -> bool:
    """Whether the full-text index says what its rows say, compared word by word.

    Takes the write lock for as long as it looks, and gives it back unused. SQLite compares only
    what it may write to: where the disk is full or cannot be written to, a copy in memory.

    Args:
        connection: Outside a transaction.
    """
    try:
        return _compared(connection)
    except sqlite_module().OperationalError as error:
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) not in _UNWRITABLE:
            raise
    with closing(sqlite_module().connect(":memory:", isolation_level=None)) as copy:
        connection.backup(copy)
        return _compared(copy)


def _compared(connection: sqlite3.Connection) -> bool:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)")
    except sqlite_module().DatabaseError as error:
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) != sqlite_module().SQLITE_CORRUPT:
            raise
        return False
    finally:
        if connection.in_transaction:  # a full disk may have rolled it back already
            connection.execute("ROLLBACK")
    return True


def state_of(connection: sqlite3.Connection, schema: str = "main") -> FileState:
    """The state that this connection sees, in its running transaction.

    Args:
        connection: Inside a transaction, so that all figures belong together.
        schema: ``main``, or the name under which another file is attached.
    """
    names = [row[0] for row in connection.execute(_TABLES.format(schema=schema)).fetchall()]
    n_rows = {
        name: connection.execute(f'SELECT count(*) FROM {schema}."{name}"').fetchone()[0]
        for name in names
    }
    last = connection.execute(
        f"SELECT seq, chain_hash FROM {schema}.events ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    number, head = last or (0, "")
    (change_seq,) = connection.execute(f"SELECT change_seq FROM {schema}.meta").fetchone()
    return FileState(change_seq, number, head, n_rows)


def tables_of(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every table of the file but SQLite's own and the index's shadow tables, by name."""
    return tuple(row[0] for row in connection.execute(_TABLES.format(schema="main")).fetchall())


# ruff: noqa: S608  the statements are put together from names of ours, never from values


_IDS = ("id", "memory_id", "entry_id", "conversation_id")


def unreadable_rows(connection: sqlite3.Connection) -> tuple[str, ...]:
    """One line for each such row: its table, its id and the columns that cannot be read.

    A row of a table without ids is told by its number in the table.

    Args:
        connection: For upkeep, so that such text is read with marks.
    """
    rules = [one for one in row_rules(connection) if one.words]
    found = []
    for table in tables_of(connection):
        broken = _of_texts(connection, table)
        for number, words in _of_words(connection, [one for one in rules if one.table == table]):
            broken.setdefault(number, set()).update(words)
        for number, columns in sorted(broken.items()):
            found.append(f"{table} {_name(connection, table, number)} {' '.join(sorted(columns))}")
    return tuple(found)


def _of_words(
    connection: sqlite3.Connection, rules: Sequence[RowRule]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Rows of one table that break a rule, by number, with the columns it speaks of."""
    if not rules:
        return
    broken = [f"NOT ({one.condition})" for one in rules]
    ask = f'SELECT rowid, {", ".join(broken)} FROM "{rules[0].table}" WHERE {" OR ".join(broken)}'
    for number, *breaks in connection.execute(ask):
        for rule, is_broken in zip(rules, breaks, strict=True):
            if is_broken:
                yield number, rule.words


def _of_texts(connection: sqlite3.Connection, table: str) -> dict[int, set[str]]:
    """Of every row with text that is none, by its number, the columns that hold it."""
    cursor = connection.execute(f'SELECT rowid, * FROM "{table}"')
    names = [one[0] for one in cursor.description]
    return {
        row[0]: {name for name, value in zip(names, row, strict=True) if type(value) is LossyText}
        for row in cursor
        if LossyText in map(type, row)
    }


def _name(connection: sqlite3.Connection, table: str, number: int) -> object:
    row = connection.execute(f'SELECT rowid, * FROM "{table}" WHERE rowid = ?', (number,))
    names = [one[0] for one in row.description]
    place = next((names.index(one) for one in _IDS if one in names), 0)
    return row.fetchone()[place]

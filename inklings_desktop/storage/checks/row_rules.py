"""What the columns of a row may hold, as the file itself says it in its CHECK constraints.

SQLite holds every write to them. Damage does not ask: a row that breaks one of them was changed
past all rules. Where it is a word or a document that is none, the row is set aside and the rest
is read; where it is a number or the kind of a value, nobody can say what an index makes of it, and
that is damage of the file.
"""

# ruff: noqa: S608  the statements are put together from the schema and from words of ours

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Lifetime, MemoryAction, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.schema.marks import SEARCH_TEXT
from inklings_desktop.storage.schema.schema_checks import is_json, is_one_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

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

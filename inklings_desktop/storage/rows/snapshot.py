"""One state of a file as finding sees it: a view of the driver's own, or a transaction."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

_BASE = "ifnull(accessed_at, created_at)"
TOUCHED = f"max({_BASE}, ifnull(confirmed_at, {_BASE}), ifnull(imported_at, {_BASE}))"
"""From when a memory's hours count, in milliseconds since 1970; a row of ``memories`` is asked."""

WALL = "ifnull(agent_id, '/' || domain_id)"
"""``MemoryEntry.wall`` of a row of ``memories``."""

COUNTERS = "SELECT change_seq, reload_seq FROM meta"


class Snapshot(Protocol):
    """What finding asks of whatever it stands on; ``Transaction`` is one as well."""

    @property
    def workspace_id(self) -> str | None:
        """Whose file it is; None for the account's."""
        ...

    @property
    def is_write(self) -> bool:
        """Whether it may write."""
        ...

    @property
    def has_written(self) -> bool:
        """Whether it has, so that it sees what nobody else does."""
        ...

    def counters(self) -> tuple[int, int]:
        """Change and reload number of the file in this state."""
        ...

    def rows(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Every row that a statement of the driver's finds."""
        ...

    def parts(
        self, text: str, values: Sequence[Any], n_rows: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """The same, some rows at a time."""
        ...


class View:
    """A state that is only looked at, without SQLAlchemy."""

    is_write = False
    has_written = False

    def __init__(self, connection: sqlite3.Connection, workspace_id: str | None) -> None:
        self._connection = connection
        self.workspace_id = workspace_id
        self._counters: tuple[int, int] | None = None

    def counters(self) -> tuple[int, int]:
        if self._counters is None:
            ((change_seq, reload_seq),) = self.rows(COUNTERS)
            self._counters = change_seq, reload_seq
        return self._counters

    def rows(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Every row that a statement finds."""
        return self._connection.execute(text, values).fetchall()

    def parts(
        self, text: str, values: Sequence[Any], n_rows: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        return iter(partial(self._connection.execute(text, values).fetchmany, n_rows), [])

"""One open transaction: its connection, its stamp, and what it has touched so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from inklings_desktop.domain.memories.changes import MAX_NAMED_CHANGES, MemoryChanges
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.storage.engine.prepared import Prepared, parts_of_text, rows_of_text
from inklings_desktop.storage.rows.memories import of_sensible_rows
from inklings_desktop.storage.rows.snapshot import COUNTERS
from inklings_desktop.storage.schema.tables import meta

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from inklings_desktop.domain.access.access import RequestMark

_ADDED, _UPDATED, _FORGOTTEN = range(3)

_NEXT_STAMP = Prepared(
    update(meta).values(change_seq=meta.c.change_seq + 1).returning(meta.c.change_seq)
)
_RELOAD = update(meta).values(reload_seq=meta.c.reload_seq + 1)


class Transaction:
    """The ground on which the repositories of one view or unit of work stand.

    A write transaction takes the next change number of the file with its first change and stamps
    every row it touches with it; other processes find the rows by that number.
    """

    def __init__(
        self, connection: Connection, workspace_id: str | None, *, initiator: str | None = None
    ) -> None:
        """Begin to keep account.

        Args:
            connection: Open, its transaction begun.
            workspace_id: Whose file it is; None for the account's.
            initiator: Name of the caller of a write; None for a read.
        """
        self.connection = connection
        self.workspace_id = workspace_id
        self.is_write = initiator is not None
        self._initiator = initiator or ""
        self._change_seq: int | None = None
        self._counters: tuple[int, int] | None = None
        self._scopes: set[ScopeKey] = set()
        self._memories: dict[str, int] = {}
        self._successors: set[str] = set()
        self._rooms = False
        self._note_conversations: set[str] = set()
        self._entries: set[str] = set()
        self._proposals = False
        self.reloads = False
        """Whether nothing that was held of this file before may be used any more."""
        self.appends = False
        """Whether the event log grew."""
        self._clients = False
        self._scrub_requests = False
        self.request: RequestMark | None = None
        """The repeatable request that this transaction carries out."""

    @property
    def change_seq(self) -> int:
        """The number that this write stamps on what it touches."""
        if self._change_seq is None:
            if not self.is_write:
                raise RuntimeError("a read view cannot write")
            number: int = _NEXT_STAMP.scalar(self.connection)
            self._change_seq = number
        return self._change_seq

    def take_number(self) -> int:
        """The same, for a write that leaves it on no row of its own."""
        return self.change_seq

    @property
    def has_written(self) -> bool:
        """Whether it has taken a change number."""
        return self._change_seq is not None

    def counters(self) -> tuple[int, int]:
        """Change and reload number of the file as this transaction sees it."""
        if self._counters is not None:
            return self._counters
        ((change_seq, reload_seq),) = self.rows(COUNTERS)
        counters = (change_seq, reload_seq)
        if not self.is_write:
            self._counters = counters  # a read sees one state from here to its end
        return counters

    def rows(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return rows_of_text(self.connection, text, values)

    def parts(
        self, text: str, values: Sequence[Any], n_rows: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        return parts_of_text(self.connection, text, values, n_rows)

    def require_reload(self) -> None:
        """Let every process drop what it holds of this file and ask again for everything."""
        self.take_number()
        self.connection.execute(_RELOAD)
        self.reloads = True

    @of_sensible_rows
    def scope(self, tier: str, key: str) -> ScopeKey:
        """The scope of a row of this file."""
        return ScopeKey(Tier(tier), self.workspace_id, key)

    def added(self, scope: ScopeKey, ids: Iterable[str]) -> None:
        """Note new memories."""
        self._scopes.add(scope)
        self._memories.update(dict.fromkeys(ids, _ADDED))

    def updated(self, scope: ScopeKey, ids: Iterable[str]) -> None:
        """Note changed memories."""
        self._scopes.add(scope)
        for one in ids:
            if self._memories.get(one) != _ADDED:
                self._memories[one] = _UPDATED

    def forgotten(self, scope: ScopeKey, id_: str, successor_id: str | None) -> None:
        """Note a memory that is now inactive, and the one that took its place."""
        self._scopes.add(scope)
        self._memories[id_] = _FORGOTTEN
        if successor_id is not None:
            self._successors.add(successor_id)

    def rooms_changed(self) -> None:
        """Note a change of channels, conversations or linked folders."""
        self._rooms = True

    def notes_changed(self, conversation_id: str) -> None:
        """Note a change of one conversation's working notes."""
        self._note_conversations.add(conversation_id)

    def entry_changed(self, entry_id: str) -> None:
        """Note a change of one named entry."""
        self._entries.add(entry_id)

    def proposals_changed(self) -> None:
        """Note that a proposal was made or decided."""
        self._proposals = True

    def clients_changed(self) -> None:
        """Note a change of clients: their rights, or a request of theirs."""
        self._clients = True

    def scrub_requests_changed(self) -> None:
        """Note that a scrub was asked for, or such a request answered."""
        self._scrub_requests = True

    def changes(self) -> MemoryChanges:
        """The change record of everything noted; a memory is named under its last change only."""
        too_many = len(self._memories) > MAX_NAMED_CHANGES
        named: tuple[list[str], list[str], list[str]] = [], [], []  # by what became of them
        for one, kind in () if too_many else self._memories.items():
            named[kind].append(one)
        added, updated, forgotten = map(tuple, named)
        return MemoryChanges(
            self.workspace_id,
            frozenset(self._scopes),
            added,
            updated,
            forgotten,
            self._rooms,
            frozenset(self._note_conversations),
            frozenset(self._entries),
            self._proposals,
            self._clients,
            self._scrub_requests,
            self.appends,
            reload=too_many or self.reloads,
            initiator=self._initiator,
            successors=frozenset(self._successors),
        )

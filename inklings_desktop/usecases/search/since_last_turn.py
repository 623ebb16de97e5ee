"""What others changed since an agent was last told of its memory in a conversation."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.news import News, change_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.rooms.news import ChangedMemory
    from inklings_desktop.usecases.ports.store import Store

LOOKED_AT = 200
"""Memories of a file whose latest changes are looked at; what lies further back goes untold."""


@dataclass(frozen=True, slots=True)
class SinceLastTurn:
    """The news of one client in one of its conversations."""

    store: Store

    def news(
        self,
        caller: Caller,
        workspace_id: str,
        conversation: str,
        scopes: Sequence[ScopeKey],
        entries: Sequence[NamedEntry],
    ) -> News | None:
        """What others changed; None in the first turn of a client that takes part, and for others.

        Args:
            caller: The agent.
            workspace_id: Whose conversation it is.
            conversation: Id or ref code of one that the agent may read.
            scopes: Scope keys that the agent may read, those of a file side by side.
            entries: The standing slice that it is told.
        """
        with self.store.read(workspace_id) as view:
            room = view.conversations.get(conversation)
            since = view.conversations.told_at(room.id, caller.name)
        return None if since is None else self.changes(caller, since, scopes, entries)

    def changes(
        self,
        caller: Caller,
        since: datetime,
        scopes: Sequence[ScopeKey],
        entries: Sequence[NamedEntry],
    ) -> News:
        """What others changed after an instant, in these scope keys and among these entries."""
        changed = [
            one
            for file, places in groupby(scopes, key=lambda scope: scope.workspace_id)
            for one in self._changed(caller, file, tuple(places), since)
        ]
        written = (
            one.name for one in entries if max(one.edited_at or since, one.created_at) > since
        )
        return News(since, tuple(changed), tuple(written))

    def tell(self, caller: Caller, workspace_id: str, conversation: str, at: datetime) -> None:
        """Note that the client was told until then; it is told again if that cannot be noted."""
        with (
            suppress(StorageError),
            self.store.write(workspace_id, initiator=caller.name, durable=False) as unit,
        ):
            room = unit.conversations.get(conversation)
            unit.conversations.note_told(room.id, caller.name, at)
            unit.commit()

    def _changed(
        self, caller: Caller, file: str | None, scopes: Sequence[ScopeKey], since: datetime
    ) -> Iterator[ChangedMemory]:
        own = EventFilter(
            kinds=frozenset({EventKind.MEMORY_CREATED}),
            actors=frozenset({caller.name}),
            since=since,
        )
        with self.store.read(file) as view:
            events = view.events.latest(LOOKED_AT, where=own)
            added = frozenset(id_ for event in events for id_ in event.ids)
            latest = view.memories.latest_changed(scopes, LOOKED_AT, caller.walls)
            for entry in latest:
                history = view.memories.history(entry.id) if entry.version > 1 else ()
                found = change_of(entry, history, since=since, name=caller.name, added=added)
                if found is not None:
                    yield found

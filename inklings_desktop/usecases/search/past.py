"""How things came to be, for who may read them: the versions of a memory, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.search.read_memories import only_one

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.log.events import Event
    from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion

MAX_PAST_EVENTS = 200
_LOOKED_AT = 1_000
_TOLD = ("memory.", "fact.", "consolidation.")
PAST_KINDS = frozenset(one for one in EventKind if one.value.startswith(_TOLD))
"""What an agent may hear of; who was let in, and what was scrubbed, is the author's alone."""


@dataclass(frozen=True, slots=True)
class PastMemory:
    """A memory as it is, and each state that it had before, the latest first."""

    entry: MemoryEntry
    versions: tuple[MemoryVersion, ...]


@dataclass(frozen=True, slots=True)
class PastEvent:
    """Something that happened, and the memories that it was about, as far as one may know."""

    event: Event
    ids: tuple[str, ...]


class Past(Asked):
    """What was, and when it changed; nothing here counts as a read."""

    def versions(self, workspace_id: str, id_: str) -> PastMemory:
        """The versions of a memory of a workspace; for the author, and their own agent.

        Args:
            workspace_id: Where it is kept.
            id_: Its id, or the first characters of it.

        Raises:
            NotFoundError: There is none that the caller may read.
            InvalidValueError: Several begin so, or it is shorter than 8 characters.
        """
        if self.caller.is_agent and not self.caller.is_own:
            raise NotFoundError("memory", id_)
        with self.store.read(workspace_id) as view:
            entry = only_one(view, self.caller, id_, self._may_read)
            if entry is None:
                raise NotFoundError("memory", id_)
            history = view.memories.history(entry.id)
        latest_first = sorted(history, key=lambda one: one.changed_at, reverse=True)
        return PastMemory(entry, tuple(latest_first))

    def events(
        self,
        workspace_id: str,
        *,
        since: datetime | None = None,
        text: str = "",
        limit: int = MAX_PAST_EVENTS,
        n_before: int = 0,
    ) -> tuple[PastEvent, ...]:
        """What happened to memories that the caller may read, the latest first.

        What happened to others leaves no gap: neither numbers nor counts of the log are told.

        Args:
            workspace_id: Whose log.
            since: Not older than this.
            text: Words of its kind, actor or ids.
            limit: Most events wanted.
            n_before: How many the pages before had.

        Raises:
            ScopeDeniedError: The workspace's own tier is closed to the caller.
            InvalidValueError: The limit is out of range.
        """
        authorize(self.caller, Action.READ, ScopeKey.workspace(workspace_id))
        if not 1 <= limit <= MAX_PAST_EVENTS:
            raise InvalidValueError("limit", "range", MAX_PAST_EVENTS)
        where = EventFilter(kinds=PAST_KINDS, since=since, text=text)
        with self.store.read(workspace_id) as view:
            found = view.events.latest(_LOOKED_AT, None, where)
            ids = {id_ for event in found for id_ in event.ids}
            entries = view.memories.get_many(sorted(ids))
        known = {id_ for id_, one in entries.items() if self._may_read(one)}
        told = (PastEvent(one, tuple(id_ for id_ in one.ids if id_ in known)) for one in found)
        heard = [one for one in told if one.ids]
        return tuple(heard[n_before : n_before + limit])

    def _may_read(self, entry: MemoryEntry) -> bool:
        return self.caller.may(Action.READ, entry.scope) and self.caller.may_know_of(entry)

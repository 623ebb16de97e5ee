"""Whether what an agent would keep is kept already, so that nothing derivable is stored."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_write
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.likeness.grounding import grounding_of, sentences_of
from inklings_desktop.domain.likeness.sameness import says_the_same
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.usecases.entries.named_entries import StandingSlice
from inklings_desktop.usecases.steps.changing_memories import save_confirmed
from inklings_desktop.usecases.steps.holding import seems_secret
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.remembering import known_as

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryDraft
    from inklings_desktop.usecases.ports.store import Clock, Store, StoreView

LATEST_SAID = 20
"""Messages of the conversation in which the person may have said it."""


@dataclass(frozen=True, slots=True)
class Known:
    """What says it already.

    Attributes:
        memory: A memory; None where a named entry says it.
        entry: A named entry, a sentence of which says it; None where a memory does.
    """

    memory: MemoryEntry | None = None
    entry: NamedEntry | None = None


@dataclass(frozen=True, slots=True)
class FindKnown:
    """Find what says the same as a draft, in its own scope, a wider one or a named entry.

    The same is what differs in nothing that says anything: never what is merely alike. What is
    found in a wider scope is confirmed as still true where the person said it again and the caller
    may write there.
    """

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, draft: MemoryDraft) -> Known | None:
        """What says it already, as far as this caller may read; None if nothing does.

        What its own scope holds is left to the put, which confirms it and unites the tags.

        Raises:
            ScopeDeniedError: The caller may not write there.
        """
        authorize_write(caller, draft.scope)
        if seems_secret(caller, draft.content):
            return None
        for scope in self._wider(draft):
            if (known := self._known_in(caller, scope, draft)) is not None:
                return Known(memory=known)
        entry = self._saying(caller, draft)
        return None if entry is None else Known(entry=entry)

    def _wider(self, draft: MemoryDraft) -> list[ScopeKey]:
        """The scopes above a draft's own, the nearest first."""
        workspace_id, tier = draft.scope.workspace_id, draft.scope.tier
        if tier is Tier.ACCOUNT or workspace_id is None:
            return []
        scopes = [ScopeKey.account()]
        if tier is not Tier.WORKSPACE:
            scopes.insert(0, ScopeKey.workspace(workspace_id))
        if tier is Tier.CONVERSATION:
            with self.store.read(workspace_id) as view:
                room = view.conversations.get(draft.scope.key)
            scopes.insert(0, ScopeKey.channel(workspace_id, room.channel_id))
        return scopes

    def _known_in(self, caller: Caller, scope: ScopeKey, draft: MemoryDraft) -> MemoryEntry | None:
        # Where it comes from is its own: the account's memories have no origin at all.
        wanted = replace(
            draft, scope=scope, lifetime=None, source_conversation=None, derived_from=()
        )
        with self.store.read(scope.workspace_id) as view:
            known = known_as(view, caller, wanted)
        if known is None or not caller.may(Action.WRITE, scope) or not self._is_said(draft):
            return known
        now = self.clock()
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            again = known_as(unit, caller, wanted)
            if again is None:
                return None
            confirmed = save_confirmed(unit, caller, again, now)
            record_memories(unit, caller, EventKind.MEMORY_CONFIRMED, [confirmed], now)
            unit.commit()
        return confirmed

    def _is_said(self, draft: MemoryDraft) -> bool:
        """Whether the person said it in the conversation that it comes from."""
        room, workspace_id = draft.source_conversation, draft.scope.workspace_id
        if room is None or workspace_id is None:
            return False
        with self.store.read(workspace_id) as view:
            said = _said_in(view, room)
        return grounding_of(draft.content, said).holds

    def _saying(self, caller: Caller, draft: MemoryDraft) -> NamedEntry | None:
        """The named entry that has a sentence which says it."""
        try:
            entries = StandingSlice(self.store)(caller, draft.scope.workspace_id)
        except (NotFoundError, ScopeDeniedError):
            return None
        for entry in entries:
            if draft.scope.tier is Tier.ACCOUNT and entry.tier is not Tier.ACCOUNT:
                continue
            if not caller.may(Action.READ, entry.ref.scope):
                continue
            if any(says_the_same(one, draft.content) for one in _sentences(entry.body)):
                return entry
        return None


def _said_in(view: StoreView, conversation_id: str) -> list[str]:
    return [
        str(part.get("text", ""))
        for one in view.messages.page(conversation_id, None, LATEST_SAID)
        if one.role is MessageRole.USER
        for part in json.loads(one.parts_json)
        if part.get("kind") == "text"
    ]


def _sentences(body: str) -> list[str]:
    """The sentences of a named entry, without the marks of lists and headings."""
    return [one.lstrip("-*+#> \t") for one in sentences_of(body)]

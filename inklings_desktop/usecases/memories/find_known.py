"""Whether what an agent would keep is kept already, so that nothing derivable is stored."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError, StorageError
from inklings_desktop.domain.likeness.grounding import grounding_of, sentences_of
from inklings_desktop.domain.likeness.sameness import says_the_same
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.usecases.entries.named_entries import standing_slice
from inklings_desktop.usecases.memories.values import Known
from inklings_desktop.usecases.steps.changing_memories import save_confirmed
from inklings_desktop.usecases.steps.holding import seems_secret
from inklings_desktop.usecases.steps.putting import known_as
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.repeats import is_sent_to_pages, repeat_of
from inklings_desktop.usecases.steps.sources import Sources, sources_of

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.errors import DerivableError
    from inklings_desktop.domain.memory import Derivation, MemoryDraft
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView


def sources_for(asked: Asked, file: str | None, named: tuple[Derivation, ...]) -> Sources:
    """What references mean in the pages; where these cannot be read, the next look tells."""
    if not named:
        return Sources()
    try:
        return sources_of(asked.caller, asked.pages_of(file), file, named)
    except StorageError:
        return Sources(references=named)


def repeat_for(asked: Asked, scope: ScopeKey, text: str | None) -> DerivableError | None:
    """Which page says a text already, where an agent would store it."""
    if text is None or not is_sent_to_pages(asked.caller, scope):
        return None
    if not asked.parts.settings().refuses_repeats:
        return None
    with suppress(StorageError):  # an index that cannot be read keeps nobody from writing
        index = asked.pages_of(scope.workspace_id)
        return None if index is None else repeat_of(index, text)
    return None


LATEST_SAID = 20
"""Messages of the conversation in which the person may have said it."""


def known_already(asked: Asked, draft: MemoryDraft) -> Known | None:
    """What says the same as a draft in a wider scope or a named entry, as far as one may read.

    The same is what differs in nothing that says anything: never what is merely alike. What is
    found in a wider scope is confirmed as still true where the person said it again and the caller
    may write there.
    """
    if seems_secret(asked.caller, draft.content):
        return None
    for scope in _wider(asked, draft):
        if (known := _known_in(asked, scope, draft)) is not None:
            return Known(memory=known)
    entry = _saying(asked, draft)
    return None if entry is None else Known(entry=entry)


def _wider(asked: Asked, draft: MemoryDraft) -> list[ScopeKey]:
    """The scopes above a draft's own, the nearest first."""
    workspace_id, tier = draft.scope.workspace_id, draft.scope.tier
    if tier is Tier.ACCOUNT or workspace_id is None:
        return []
    scopes = [ScopeKey.account()]
    if tier is not Tier.WORKSPACE:
        scopes.insert(0, ScopeKey.workspace(workspace_id))
    if tier is Tier.CONVERSATION:
        with asked.store.read(workspace_id) as view:
            room = view.conversations.get(draft.scope.key)
        scopes.insert(0, ScopeKey.channel(workspace_id, room.channel_id))
    return scopes


def _known_in(asked: Asked, scope: ScopeKey, draft: MemoryDraft) -> MemoryEntry | None:
    # Where it comes from is its own: the account's memories have no origin at all.
    wanted = replace(draft, scope=scope, lifetime=None, source_conversation=None, derived_from=())
    with asked.store.read(scope.workspace_id) as view:
        known = known_as(view, asked.caller, wanted)
    if known is None or not asked.caller.may(Action.WRITE, scope) or not _is_said(asked, draft):
        return known
    now = asked.clock()
    with asked.writing(scope.workspace_id) as unit:
        again = known_as(unit, asked.caller, wanted)
        if again is None:
            return None
        confirmed = save_confirmed(unit, asked.caller, again, now)
        record_memories(unit, asked.caller, EventKind.MEMORY_CONFIRMED, [confirmed], now)
        unit.commit()
    return confirmed


def _is_said(asked: Asked, draft: MemoryDraft) -> bool:
    """Whether the person said it in the conversation that it comes from."""
    room, workspace_id = draft.source_conversation, draft.scope.workspace_id
    if room is None or workspace_id is None:
        return False
    with asked.store.read(workspace_id) as view:
        said = _said_in(view, room)
    return grounding_of(draft.content, said).holds


def _saying(asked: Asked, draft: MemoryDraft) -> NamedEntry | None:
    """The named entry that has a sentence which says it."""
    try:
        entries = standing_slice(asked.store, asked.caller, draft.scope.workspace_id)
    except (NotFoundError, ScopeDeniedError):
        return None
    for entry in entries:
        if draft.scope.tier is Tier.ACCOUNT and entry.tier is not Tier.ACCOUNT:
            continue
        if not asked.caller.may(Action.READ, entry.ref.scope):
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

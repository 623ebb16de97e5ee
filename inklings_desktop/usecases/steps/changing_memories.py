"""How memories change inside a transaction, and what all begin with: rights, file, versions.

Editing at a door and accepting a proposal take the same ones.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_write
from inklings_desktop.domain.access.clients import NO_CLIENT
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memories.memory_history import (
    MemoryMark,
    current_state,
    has_mark,
    mark_action,
    with_mark,
)
from inklings_desktop.domain.memory import (
    OWN_SOURCE,
    Curator,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    MemoryPatch,
    Tier,
    change_action,
    checked_lifetime,
    own_lifetime,
)
from inklings_desktop.usecases.steps.walls import require_write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.memory_history import VersionState
    from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


def memory_of(
    draft: MemoryDraft, memory_id: str, curator: Curator, written_by: str, now: datetime
) -> MemoryEntry:
    """The memory that a draft becomes; the store gives it its sequence."""
    return MemoryEntry(
        id=memory_id,
        sequence=0,
        version=1,
        scope=draft.scope,
        content=draft.content,
        lifetime=draft.lifetime or own_lifetime(draft.scope.tier, curator),
        source=draft.source or OWN_SOURCE[curator],
        curator=curator,
        importance=draft.importance,
        tags=draft.tags,
        created_at=now,
        written_by=written_by,
        agent_id=draft.private_to,
        source_conversation=draft.source_conversation,
        derived_from=draft.derived_from,
        locked=curator is Curator.AUTHOR,
        kind=draft.kind,
        domain_id=draft.domain_id,
        topic=draft.topic,
    )


def refuse_imitation(caller: Caller, source: str) -> None:
    """Return unless an agent's memory would claim to come from the person or the program.

    Raises:
        InvalidValueError: Its source is one of these names, or looks like one.
    """
    if caller.is_agent and any(looks_like(source, name) for name in NO_CLIENT):
        raise InvalidValueError("source", "look_alike")


def require_room(unit: UnitOfWork, tier: Tier, key: str) -> None:
    """Return only if the conversation or channel exists in this file.

    Raises:
        NotFoundError: It does not.
    """
    if tier is Tier.CONVERSATION:
        found = unit.conversations.get(key).id
    elif tier is Tier.CHANNEL:
        found = unit.conversations.get_channel(key).id
    else:
        return
    if found != key:  # a ref code or name is not a scope key
        raise NotFoundError(tier.value, key)


def require_open(unit: UnitOfWork, scope: ScopeKey, now: datetime) -> None:
    """Return only if something new may be written in this scope; what fell silent awakes.

    Raises:
        NotFoundError: There is no such conversation or channel.
        InvalidValueError: The conversation is over: somebody ended it, or put it away.
    """
    require_room(unit, scope.tier, scope.key)
    if scope.tier is Tier.CONVERSATION:
        hear_new(unit, unit.conversations.get(scope.key), now)


def hear_new(unit: UnitOfWork, room: Conversation, now: datetime) -> None:
    """Return only if the conversation takes something new; one that fell silent awakes.

    Raises:
        InvalidValueError: It is over.
    """
    if room.is_over:
        raise InvalidValueError("conversation", "over")
    if room.is_abandoned:
        unit.conversations.save(room.heard(now))


def reachable(unit: StoreView, caller: Caller, ref: MemoryRef) -> MemoryEntry:
    """The memory, if this caller can know of it.

    What an agent cannot find any more, forgotten or paused, does not exist for it.

    Raises:
        NotFoundError: It is not in this scope, or not for this agent.
        ScopeDeniedError: An agent named a named entry instead of a memory.
        DomainDeniedError: It is a fact of a domain where the agent may only read.
    """
    try:
        entry = unit.memories.get(ref, caller.walls)
    except NotFoundError:
        if caller.is_agent and _is_named_entry(unit, ref.id):
            raise ScopeDeniedError(Action.WRITE.value, ref.scope.tier.value) from None
        raise
    if caller.is_agent and not entry.is_retrievable:
        raise NotFoundError("memory", ref.id)
    require_domain(unit, caller, entry)
    return entry


def require_domain(unit: StoreView, caller: Caller, entry: MemoryEntry) -> None:
    """Return only if the caller may write in the domain of a fact; other memories have none.

    Raises:
        NotFoundError: The domain is closed to this agent, as all are to one that may not read.
        DomainDeniedError: It may only be read.
    """
    if entry.kind is MemoryKind.FACT:
        if not caller.may(Action.READ, entry.scope):
            raise NotFoundError("memory", entry.id)
        require_write(unit, caller, unit.knowledge.domain(entry.domain_id or ""))


def save_patch(
    unit: UnitOfWork,
    caller: Caller,
    before: MemoryEntry,
    patch: MemoryPatch,
    now: datetime,
    *,
    written_by: str | None = None,
) -> MemoryEntry:
    """The memory with the patch saved; the same one if it changes nothing.

    A new text is ``written_by`` the caller when nobody else is named.

    Raises:
        InvalidValueError: It is a fact, whose text only superseding changes.
    """
    after = before.patched(patch)
    if after.content != before.content:
        if before.kind is MemoryKind.FACT:
            raise InvalidValueError("content", "use_supersede")
        after = replace(after, written_by=written_by or caller.signs_as)
    checked_lifetime(after.lifetime, after.scope.tier)
    action = change_action(before, after)
    if action is None:
        return before
    return _save(unit, caller, replace(after, edited_at=now), action, now)


def save_version(
    unit: UnitOfWork, caller: Caller, before: MemoryEntry, state: VersionState, now: datetime
) -> MemoryEntry:
    """The memory as it was in an earlier version; the same one if it reads so already."""
    if state.reads_as(current_state(before)):
        return before
    return _save(unit, caller, _in_state(before, state, now), MemoryAction.REVERTED, now)


def save_values(
    unit: UnitOfWork, caller: Caller, before: MemoryEntry, state: VersionState, now: datetime
) -> MemoryEntry:
    """The same for a step that is taken back: the history calls it after what changes."""
    after = _in_state(before, state, now)
    action = change_action(before, after)
    return before if action is None else _save(unit, caller, after, action, now)


def _in_state(before: MemoryEntry, state: VersionState, now: datetime) -> MemoryEntry:
    return replace(
        before,
        content=state.content,
        importance=state.importance,
        lifetime=checked_lifetime(state.lifetime, before.scope.tier),
        tags=state.tags,
        written_by=state.written_by,
        edited_at=now,
    )


def save_forgotten(
    unit: UnitOfWork,
    caller: Caller,
    before: MemoryEntry,
    reason: str | None,
    now: datetime,
    *,
    successor_id: str | None = None,
    extra: str = "{}",
) -> MemoryEntry:
    """The memory, inactive from now on; ``extra`` says what else a fact was, and why it went."""
    after = replace(before, forgotten_at=now, forgotten_reason=reason, successor_id=successor_id)
    return _save(unit, caller, after, MemoryAction.FORGOTTEN, now, extra)


def save_filed(
    unit: UnitOfWork,
    caller: Caller,
    before: MemoryEntry,
    after: MemoryEntry,
    now: datetime,
    extra: str,
) -> MemoryEntry:
    """A fact or rule with other values besides its text; ``extra`` says what they were."""
    action = change_action(before, after) or MemoryAction.RELABELLED
    return _save(unit, caller, replace(after, edited_at=now), action, now, extra)


def save_restored(
    unit: UnitOfWork, caller: Caller, before: MemoryEntry, now: datetime
) -> MemoryEntry:
    """The memory, active again."""
    after = replace(before, forgotten_at=None, forgotten_reason=None, successor_id=None)
    return _save(unit, caller, after, MemoryAction.RESTORED, now)


def save_confirmed(
    unit: UnitOfWork,
    caller: Caller,
    before: MemoryEntry,
    now: datetime,
    *,
    tags: tuple[str, ...] | None = None,
) -> MemoryEntry:
    """The memory, *still true* from now on; with other tags where they are given."""
    after = replace(before.patched(MemoryPatch(tags=tags)), confirmed_at=now)
    if after.tags != before.tags:
        after = replace(after, edited_at=now)
    return _save(unit, caller, after, MemoryAction.CONFIRMED, now)


def save_marked(
    unit: UnitOfWork,
    caller: Caller,
    before: MemoryEntry,
    mark: MemoryMark,
    now: datetime,
    *,
    on: bool,
) -> MemoryEntry:
    """The memory with a mark set or lifted; the same one if it is so already.

    Raises:
        InvalidValueError: It is to be resumed and cannot be read.
    """
    if has_mark(before, mark) is on:
        return before
    if before.is_unreadable and mark is MemoryMark.PAUSED and not on:
        raise InvalidValueError("content", "unreadable")
    after = with_mark(before, mark, on=on)
    return _save(unit, caller, after, mark_action(mark, on=on), now)


def _save(
    unit: UnitOfWork,
    caller: Caller,
    after: MemoryEntry,
    action: MemoryAction,
    now: datetime,
    extra: str = "{}",
) -> MemoryEntry:
    return unit.memories.save(
        after,
        expected_version=after.version,
        action=action,
        changed_by=caller.name,
        door=caller.door.value,
        changed_at=now,
        extra=extra,
    )


def _is_named_entry(unit: StoreView, id_: str) -> bool:
    try:
        unit.entries.get(id_)
    except NotFoundError:
        return False
    return True


_scope, _file = attrgetter("scope"), attrgetter("scope.workspace_id")


def authorize_all(caller: Caller, refs: Sequence[MemoryRef]) -> None:
    """Return only if the caller may write every one of them, or ask the author to.

    Raises:
        InvalidValueError: There are none.
        ScopeDeniedError: One of their scopes is closed to the caller.
    """
    if not refs:
        raise InvalidValueError("ids", "empty")
    authorize_write(caller, *set(map(_scope, refs)))


def one_file(refs: Sequence[MemoryRef]) -> str | None:
    """The workspace (None: the account) whose file holds all of them.

    Raises:
        InvalidValueError: They lie in different files.
    """
    files: set[str | None] = set(map(_file, refs))
    if len(files) != 1:
        raise InvalidValueError("ids", "several_files")
    return files.pop()


def reachable_all(
    view: StoreView,
    caller: Caller,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int] | None = None,
) -> list[MemoryEntry]:
    """The memories, each once, in the order given.

    Args:
        view: The file that holds them.
        caller: Who asks.
        refs: Scopes and ids.
        expected: By id, the version that the caller has seen; those not named may be any.

    Raises:
        NotFoundError: One of them is not in its scope, or not for this agent.
        ConflictError: Somebody saved a newer version of one of them first.
    """
    found = [reachable(view, caller, ref) for ref in dict.fromkeys(refs)]
    seen = expected or {}
    for entry in found:
        version = seen.get(entry.id, entry.version)
        if version != entry.version:
            raise ConflictError("memory", entry.id, version, entry.version)
    return found


def active_all(
    view: StoreView,
    caller: Caller,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int] | None = None,
) -> list[MemoryEntry]:
    """As ``reachable_all``, none of them forgotten.

    Raises:
        NotFoundError: One of them is not in its scope, not for this agent, or forgotten.
        ConflictError: Somebody saved a newer version of one of them first.
    """
    found = reachable_all(view, caller, refs, expected)
    for one in found:
        if one.is_forgotten:
            raise NotFoundError("memory", one.id)
    return found

"""The one road to being remembered: once, within the cap, and not what was put away.

A put at a door and the lines of a summary take it: what is said already is confirmed, what an
agent may not decide waits for the author.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Door
from inklings_desktop.domain.background.consolidation import MERGED_REASON, PRUNED_REASON
from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.knowledge.facts import SUPERSEDED, StoryInterval, payload_of, topic_key
from inklings_desktop.domain.likeness.sameness import key_of, says_the_same
from inklings_desktop.domain.log.backup_comparison import SET_BACK_REASON
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CAP_REASON, CLOSED_REASON, UNDONE_REASON
from inklings_desktop.domain.memory import AUTHOR, MemoryAction, MemoryKind, MemoryRef
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import WITHDRAWN_REASON
from inklings_desktop.usecases.steps.caps import make_room
from inklings_desktop.usecases.steps.changing_memories import (
    memory_of,
    reachable,
    save_confirmed,
    save_forgotten,
)
from inklings_desktop.usecases.steps.holding import Asking, seems_secret, why_held
from inklings_desktop.usecases.steps.recording import record_known, record_memories

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memory import Curator, MemoryDraft, MemoryEntry, ScopeKey
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.store import IdSource, StoreView, UnitOfWork

NOT_BY_CHOICE = frozenset(
    {
        CAP_REASON,
        CLOSED_REASON,
        UNDONE_REASON,
        MERGED_REASON,
        PRUNED_REASON,
        SET_BACK_REASON,
        WITHDRAWN_REASON,
    }
)
"""What a person started had this effect, but nobody chose to forget what these memories say."""
_OF_PERSONS = frozenset({Door.WINDOW.value, Door.CLI.value})


def put_away(
    view: StoreView, caller: Caller, scope: ScopeKey, texts: Sequence[str]
) -> Mapping[str, MemoryEntry]:
    """For each of these texts that the author forgot in this scope, the forgotten memory.

    What the program forgot (to make room, as a duplicate, with its conversation) does not count,
    nor what an agent forgot; where the same was forgotten several times, the last one decides.
    What an active memory says, of those that this caller may know of, is not put away.
    """
    by_key: dict[bytes, list[MemoryEntry]] = {}
    for one in view.memories.forgotten_like(scope, texts):
        if caller.may_know_of(one):
            by_key.setdefault(key_of(one.content), []).append(one)
    last = {
        text: next((one for one in by_key[key_of(text)] if says_the_same(one.content, text)), None)
        for text in texts
        if key_of(text) in by_key
    }
    return {text: one for text, one in last.items() if one is not None and _is_by_choice(view, one)}


def forgotten_before(
    view: StoreView, caller: Caller, scope: ScopeKey, text: str
) -> MemoryEntry | None:
    """What the author forgot that said the same, where an agent would say it again.

    Nothing that a person writes is ever held up for it.
    """
    return put_away(view, caller, scope, (text,)).get(text) if caller.is_agent else None


def _is_by_choice(view: StoreView, entry: MemoryEntry) -> bool:
    """Whether a person chose to forget it."""
    if entry.forgotten_reason in NOT_BY_CHOICE:
        return False
    how = (one for one in view.memories.history(entry.id) if one.action is MemoryAction.FORGOTTEN)
    last = next(how, None)
    return last is not None and last.door in _OF_PERSONS


REPLACED_REASON = "replaced"


def save_superseded(
    unit: UnitOfWork, caller: Caller, fact: MemoryEntry, by: str, why: str, now: datetime
) -> MemoryEntry:
    """A fact whose place another one takes; what it was and why it went is kept with it."""
    details = unit.knowledge.facts_of([fact.id]).get(fact.id)
    was = payload_of(details) if details is not None else {}
    extra = json.dumps({**was, "topic": fact.topic, "reason": why})
    return save_forgotten(unit, caller, fact, SUPERSEDED, now, successor_id=by, extra=extra)


def finish_superseding(
    unit: UnitOfWork, caller: Caller, old_id: str, new: MemoryEntry, now: datetime
) -> None:
    """The earlier fact ends where the later one, whose details are there, begins; it is logged."""
    details = unit.knowledge.facts_of([old_id, new.id])
    before, story = details[old_id], details[new.id].story
    old, first = before.story, story.first
    if first is not None and old != story and (old.first is None or old.first < first):
        ended = replace(before, story=StoryInterval(old.first, first))
        unit.knowledge.put_details(old_id, ended)
    record_known(unit, caller, EventKind.FACT_SUPERSEDED, new.scope, (old_id, new.id), now)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of something that was to be remembered.

    Attributes:
        memory: The memory that says it now.
        was_known: Whether it said so before: then nothing was added.
        replaced: The memory whose place it took, forgotten now; None if it took none.
    """

    memory: MemoryEntry
    was_known: bool = False
    replaced: MemoryEntry | None = None


@dataclass(frozen=True, slots=True)
class Remembering:
    """One caller that has something remembered, inside a transaction."""

    unit: UnitOfWork
    caller: Caller
    new_id: IdSource
    settings: Settings
    now: datetime

    def __call__(
        self,
        draft: MemoryDraft,
        curator: Curator,
        *,
        written_by: str,
        known: MemoryEntry | None,
        stale: MemoryEntry | None,
        why: str = "",
    ) -> Remembered:
        """What became of the draft.

        Args:
            draft: What is to be remembered.
            curator: Who vouches for it.
            written_by: Whose text it is.
            known: The memory that says it already; None if none does.
            stale: The memory whose place it takes; None if it takes none.
            why: Why it takes it; kept with a fact.

        Raises:
            CapReachedError: The scope is full of protected memories.
        """
        memory_id = self.new_id() if known is None else known.id
        replaced = None
        is_fact = stale is not None and stale.kind is MemoryKind.FACT
        if stale is not None and not (is_fact and known is None):
            replaced = self._replaced(stale, memory_id, why)
        if known is not None:
            if written_by == AUTHOR:  # what the author says as well is no agent's to change
                known = replace(known, written_by=AUTHOR)
            return Remembered(self._confirmed(known, draft), was_known=True, replaced=replaced)
        if draft.kind is MemoryKind.NOTE:
            make_room(self.unit, self.caller, draft.scope, 1, settings=self.settings, now=self.now)
        written = memory_of(draft, memory_id, curator, written_by, self.now)
        (stored,) = self.unit.memories.add([written])
        self._record(EventKind.MEMORY_CREATED, stored)
        if stale is not None and is_fact:  # a chain only goes forward: its next one comes first
            replaced = self._replaced(stale, memory_id, why)
        return Remembered(stored, replaced=replaced)

    def _replaced(self, stale: MemoryEntry, memory_id: str, why: str) -> MemoryEntry:
        if stale.kind is MemoryKind.FACT:
            replaced = save_superseded(self.unit, self.caller, stale, memory_id, why, self.now)
        else:
            replaced = save_forgotten(
                *(self.unit, self.caller, stale, REPLACED_REASON, self.now), successor_id=memory_id
            )
        self._record(EventKind.MEMORY_FORGOTTEN, replaced)
        return replaced

    def _confirmed(self, known: MemoryEntry, draft: MemoryDraft) -> MemoryEntry:
        """The known memory, whose hours count from now; with the new tags if the caller may."""
        if self.caller.has_to_ask_before_adding(known.scope):
            return known
        tags = known.tags
        if not self.caller.has_to_ask_before_changing(known):
            tags = tuple(dict.fromkeys((*tags, *draft.tags)))[:MAX_TAGS]
        confirmed = save_confirmed(self.unit, self.caller, known, self.now, tags=tags)
        self._record(EventKind.MEMORY_CONFIRMED, confirmed)
        return confirmed

    def _record(self, kind: EventKind, memory: MemoryEntry) -> None:
        record_memories(self.unit, self.caller, kind, [memory], self.now)


def known_as(view: StoreView, caller: Caller, draft: MemoryDraft) -> MemoryEntry | None:
    """The memory that says already what a draft says, if this caller can know of it.

    One that fewer agents may find than the draft does not say it to all of them.
    """
    if not caller.may(Action.READ, draft.scope):
        return None
    for one in view.memories.said_like(draft.scope, draft.content):
        is_found = one.is_retrievable or not caller.is_agent
        is_for_all = one.agent_id in {None, draft.private_to} and _is_of_topic(one, draft)
        if is_found and is_for_all and says_the_same(one.content, draft.content):
            return one
    return None


def _is_of_topic(one: MemoryEntry, draft: MemoryDraft) -> bool:
    """Whether it is the same kind of thing: a note says nothing for a fact, nor one elsewhere."""
    same_place = (one.kind, one.domain_id) == (draft.kind, draft.domain_id)
    return same_place and topic_key(one.topic) == topic_key(draft.topic)


def stale_memory(view: StoreView, caller: Caller, ref: MemoryRef) -> MemoryEntry:
    """The memory whose place another one is to take, if this caller can know of it.

    Raises:
        NotFoundError: It is not in this scope, not for this agent, or forgotten.
        ScopeDeniedError: An agent named a named entry instead of a memory.
    """
    stale = reachable(view, caller, ref)
    if stale.is_forgotten:
        raise NotFoundError("memory", ref.id)
    return stale


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for the author, and why."""

    proposal: Proposal
    why: HeldReason


@dataclass(frozen=True, slots=True)
class Putting:
    """One caller that puts something, inside a transaction."""

    unit: UnitOfWork
    caller: Caller
    new_id: IdSource
    settings: Settings
    now: datetime

    def __call__(
        self,
        draft: MemoryDraft,
        replaces: str | None = None,
        *,
        is_in_page: bool = False,
        world_names: Sequence[str] = (),
        also: Mapping[str, object] | None = None,
    ) -> Remembered | Waiting:
        """What became of a complete draft.

        Args:
            draft: What is to be remembered.
            replaces: Id of the memory of the scope whose place it takes; None if it takes none.
            is_in_page: Whether a page says it already and the agent insists.
            world_names: Names in it that only the pages of a world know.
            also: What else a fact or a rule has, for the author to see where it has to wait.

        Raises:
            NotFoundError: There is no memory that it could replace.
            CapReachedError: The scope is full of protected memories.
            InvalidValueError: The caller has too many proposals that are undecided, or a fact would
                be replaced by something else than a fact of its domain.
        """
        unit, caller = self.unit, self.caller
        is_secret = seems_secret(caller, *_texts_of(draft))
        known = None if is_secret else known_as(unit, caller, draft)
        stale = None
        if replaces is not None and (known is None or known.id != replaces):
            stale = stale_memory(unit, caller, MemoryRef(draft.scope, replaces))
            if stale.kind is MemoryKind.FACT and stale.domain_id != draft.domain_id:
                raise InvalidValueError("content", "use_supersede")
        gone = None if known else forgotten_before(unit, caller, draft.scope, draft.content)
        why = self._why_held(draft, known, stale, gone, is_secret=is_secret)
        if why is None and is_in_page:
            why = HeldReason.DERIVABLE
        if why is not None:
            asking = Asking(unit, caller, self.new_id, self.now)
            if stale is None:
                return Waiting(asking.for_memory(draft, gone, world_names, also), why)
            return Waiting(asking.for_replacing(stale, draft, gone, also), why)
        remember = Remembering(unit, caller, self.new_id, self.settings, self.now)
        reason = str((also or {}).get("reason", ""))
        return remember(
            draft,
            caller.curator,
            written_by=caller.signs_as,
            known=known,
            stale=stale,
            why=reason,
        )

    def _why_held(
        self,
        draft: MemoryDraft,
        known: MemoryEntry | None,
        stale: MemoryEntry | None,
        gone: MemoryEntry | None,
        *,
        is_secret: bool,
    ) -> HeldReason | None:
        """Why this waits for the author; None when it does not."""
        if is_secret:
            return HeldReason.SECRET
        if stale is not None and (why := why_held(self.caller, stale)):
            return why
        if gone is not None:
            return HeldReason.FORGOTTEN
        if draft.kind is MemoryKind.POLICY and known is None and self.caller.is_agent:
            return HeldReason.HOUSE_RULE
        if known is None and self.caller.has_to_ask_before_adding(draft.scope):
            return HeldReason.ACCOUNT
        return None


def _texts_of(draft: MemoryDraft) -> tuple[str, ...]:
    """Everything in a draft that an agent words itself."""
    derived = (text for one in draft.derived_from for text in (one.target, one.block) if text)
    return (draft.content, draft.source or "", *draft.tags, *derived)

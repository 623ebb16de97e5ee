"""What an agent may not do itself becomes a proposal to the author."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.entries.proposals import (
    FORGOTTEN_AT,
    MAX_PENDING_PER_CLIENT,
    UNDECIDED,
    WORLD_NAMES,
    HeldReason,
    Proposal,
    ProposalKind,
    ProposalState,
)
from inklings_desktop.domain.errors import HeldForReviewError, InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryKind, change_action
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.recording import record_proposal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, ScopeKey
    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.domain.world.page_proposal import PageWish
    from inklings_desktop.usecases.ports.store import IdSource, UnitOfWork


def seems_secret(caller: Caller, *texts: str | None) -> bool:
    """Whether an agent would write down what looks like a key or a password.

    Nothing that a person typed is ever held up for it.
    """
    return caller.is_agent and bool(secrets_in(*(text for text in texts if text is not None)))


def refuse_secret(caller: Caller, field: str, *texts: str) -> None:
    """Return unless an agent would write a secret where nothing can wait for the author.

    Raises:
        InvalidValueError: It would; nothing of it is kept.
    """
    if seems_secret(caller, *texts):
        raise InvalidValueError(field, "secret")


def why_held(caller: Caller, entry: MemoryEntry, *texts: str | None) -> HeldReason | None:
    """Why a change of this memory waits for the author; None when it does not."""
    if seems_secret(caller, *texts):
        return HeldReason.SECRET
    if not caller.has_to_ask_before_changing(entry):
        return None
    if entry.is_authors:
        return HeldReason.AUTHOR_MADE
    if entry.locked:
        return HeldReason.LOCKED
    return HeldReason.HOUSE_RULE if entry.kind is MemoryKind.POLICY else HeldReason.ACCOUNT


def hold(unit: UnitOfWork, asked: Sequence[tuple[Proposal | None, HeldReason]]) -> None:
    """Let the author decide, if anything was asked.

    Raises:
        HeldForReviewError: Something was.
    """
    held = [(one.id, why) for one, why in asked if one is not None]
    if held:
        unit.commit()
        raise HeldForReviewError(*(one for one, _ in held), reason=held[0][1].value)


@dataclass(frozen=True, slots=True)
class Asking:
    """One agent asking the author for something, inside a transaction.

    Every method hands out the proposal as it is stored; the earlier one if this agent asks for
    the same again. They raise ``InvalidValueError`` when it has too many that are undecided.
    """

    unit: UnitOfWork
    caller: Caller
    new_id: IdSource
    now: datetime

    def for_memory(
        self,
        draft: MemoryDraft,
        gone: MemoryEntry | None = None,
        world_names: Sequence[str] = (),
        also: Mapping[str, object] | None = None,
    ) -> Proposal:
        """Ask to remember something.

        Args:
            draft: What.
            gone: What the author forgot that said the same.
            world_names: Names in it that only the pages of a world know.
            also: What else a fact or a rule has.
        """
        values = {**_values_of(draft), **_forgotten(gone), **(also or {})}
        if world_names:
            values[WORLD_NAMES] = list(world_names)
        return self._propose(self._fresh(ProposalKind.MEMORY_NEW, draft.scope, values))

    def for_replacing(
        self,
        entry: MemoryEntry,
        draft: MemoryDraft,
        gone: MemoryEntry | None = None,
        also: Mapping[str, object] | None = None,
    ) -> Proposal:
        """Ask to remember something in the place of a memory."""
        values = {**_values_of(draft), **_forgotten(gone), **(also or {})}
        fresh = self._fresh(ProposalKind.MEMORY_REPLACE, entry.scope, values)
        return self._propose(replace(fresh, target_id=entry.id, base_version=entry.version))

    def for_edit(
        self, entry: MemoryEntry, patch: MemoryPatch, gone: MemoryEntry | None = None
    ) -> Proposal | None:
        """Ask to change a memory; None if the patch changes nothing."""
        if change_action(entry, entry.patched(patch)) is None:
            return None
        values = {
            "content": patch.content,
            "importance": patch.importance,
            "lifetime": None if patch.lifetime is None else patch.lifetime.value,
            "tags": None if patch.tags is None else list(patch.tags),
        }
        given = {name: value for name, value in values.items() if value is not None}
        given |= _forgotten(gone)
        fresh = self._fresh(ProposalKind.MEMORY_EDIT, entry.scope, given)
        return self._propose(replace(fresh, target_id=entry.id, base_version=entry.version))

    def for_forgetting(self, entry: MemoryEntry, reason: str | None) -> Proposal:
        """Ask to forget a memory."""
        values = {} if reason is None else {"reason": reason}
        fresh = self._fresh(ProposalKind.MEMORY_FORGET, entry.scope, values)
        return self._propose(replace(fresh, target_id=entry.id, base_version=entry.version))

    def for_body(self, entry: NamedEntry, body: str, reason: str) -> Proposal:
        """Ask to give a named entry another body."""
        fresh = self._fresh(ProposalKind.NAMED_BODY, entry.scope, {"body": body})
        return self._propose(
            replace(
                fresh,
                target_id=entry.id,
                target_name=entry.name,
                base_version=entry.version,
                reason=reason,
            )
        )

    def for_companion(self, scope: ScopeKey, name: str, body: str, reason: str) -> Proposal:
        """Ask for a named entry that is not there yet."""
        fresh = self._fresh(ProposalKind.NAMED_NEW, scope, {"body": body})
        return self._propose(replace(fresh, target_name=name, reason=reason))

    def for_page(
        self, kind: ProposalKind, scope: ScopeKey, wish: PageWish, reason: str
    ) -> Proposal:
        """Ask to change or to make a page of the world; its target is the path."""
        fresh = self._fresh(kind, scope, wish.payload)
        target = "" if kind is ProposalKind.PAGE_NEW else wish.path
        return self._propose(
            replace(fresh, target_id=target, target_name=wish.title or wish.path, reason=reason)
        )

    def for_activity(
        self, scope: ScopeKey, name: str, payload: Mapping[str, object], reason: str
    ) -> Proposal:
        """Ask for an activity that is not there yet."""
        fresh = self._fresh(ProposalKind.ACTIVITY, scope, payload)
        return self._propose(replace(fresh, target_name=name, reason=reason))

    def for_skill(
        self,
        scope: ScopeKey,
        name: str,
        before: Skill | None,
        body: str,
        reason: str,
    ) -> Proposal:
        """Ask to make a skill, or to change the one that is there; ``body`` holds its files."""
        fresh = self._fresh(ProposalKind.SKILL, scope, {"body": body})
        if before is not None:
            fresh = replace(fresh, target_id=before.id, base_version=before.version)
        return self._propose(replace(fresh, target_name=name, reason=reason))

    def _fresh(
        self, kind: ProposalKind, scope: ScopeKey, payload: Mapping[str, object]
    ) -> Proposal:
        return Proposal(
            id=self.new_id(),
            kind=kind,
            workspace_id=scope.workspace_id,
            tier=scope.tier,
            scope_key=scope.key,
            target_id="",
            target_name="",
            base_version=None,
            payload=payload,
            reason="",
            client=self.caller.name,
            state=ProposalState.PENDING,
            note="",
            created_at=self.now,
        )

    def _propose(self, proposal: Proposal) -> Proposal:
        waiting = self.unit.proposals.proposals(states=UNDECIDED, client=self.caller.name)
        for earlier in waiting:
            if _wish(earlier) == _wish(proposal) and earlier.state is ProposalState.PENDING:
                return earlier
        if len(waiting) >= MAX_PENDING_PER_CLIENT:
            raise InvalidValueError("proposals", "too_many", MAX_PENDING_PER_CLIENT)
        stored = self.unit.proposals.add(proposal)
        record_proposal(self.unit, self.caller, EventKind.PROPOSAL_MADE, stored, self.now)
        return stored


def _values_of(draft: MemoryDraft) -> Mapping[str, object]:
    """What is kept of a draft until the author decides."""
    values: dict[str, object] = {
        "content": draft.content,
        "importance": draft.importance,
        "lifetime": None if draft.lifetime is None else draft.lifetime.value,
        "source": draft.source,
        "tags": list(draft.tags),
        "private": draft.private_to is not None,
    }
    if draft.source_conversation is not None:
        values["conversation"] = draft.source_conversation
    if draft.derived_from:
        values["derived_from"] = [one.target for one in draft.derived_from]
    if draft.kind is not MemoryKind.NOTE:
        values |= {"kind": draft.kind.value, "domain_id": draft.domain_id, "topic": draft.topic}
    return values


def _forgotten(gone: MemoryEntry | None) -> Mapping[str, str]:
    """What a proposal says of the memory that the author forgot; nothing where they did not."""
    at = None if gone is None else gone.forgotten_at
    return {} if at is None else {FORGOTTEN_AT: at.isoformat()}


def _wish(proposal: Proposal) -> tuple[object, ...]:
    """What tells two proposals of one client apart."""
    target = (proposal.scope, proposal.target_id, proposal.target_name, proposal.base_version)
    return proposal.kind, *target, dict(proposal.payload)

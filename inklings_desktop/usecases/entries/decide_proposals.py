"""Decide proposals: what an agent asked for happens, or does not, by the author's hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    EntryAction,
    EntryRef,
    NamedEntry,
    checked_body,
)
from inklings_desktop.domain.entries.proposals import (
    Proposal,
    ProposalKind,
    ProposalRef,
    ProposalState,
    checked_note,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    DEFAULT_IMPORTANCE,
    Curator,
    Derivation,
    Lifetime,
    MemoryDraft,
    MemoryEntry,
    MemoryPatch,
    MemoryRef,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.entries.edit_entries import (
    add_companion,
    present,
    require_free_name,
    write_body,
)
from inklings_desktop.usecases.entries.proposals import tier_of
from inklings_desktop.usecases.steps.changing_memories import (
    require_open,
    save_forgotten,
    save_patch,
)
from inklings_desktop.usecases.steps.recording import record_proposal
from inklings_desktop.usecases.steps.refusals import Attempt, require_person
from inklings_desktop.usecases.steps.remembering import Remembering, known_as

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import (
        Clock,
        IdSource,
        SettingsSource,
        Store,
        UnitOfWork,
    )


@dataclass(frozen=True, slots=True)
class AcceptProposal:
    """Do what an agent asked for, as the author, by the same rules as by hand."""

    store: Store
    clock: Clock
    new_id: IdSource
    settings: SettingsSource

    def __call__(
        self,
        caller: Caller,
        ref: ProposalRef,
        *,
        body: str | None = None,
        expected_version: int | None = None,
        settles_draft: bool = False,
        note: str = "",
    ) -> Proposal:
        """The accepted proposal, naming as its target what it became; that is changed.

        If the target has moved on since it was proposed, the proposal becomes *overtaken* and
        nothing else happens; the author may accept it still, naming the version just seen.

        Args:
            caller: The person.
            ref: The proposal.
            body: The author's own wording instead of the proposed one.
            expected_version: Version of the target that the author has seen; None means the one
                that the proposal was made for.
            settles_draft: Whether ``body`` is what kept typing in the named entry has become:
                the draft goes in the same transaction.
            note: What the agent can read of it.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal, or its target is gone.
            ConflictError: It was decided before, or its target has moved on, or the name of the
                proposed entry was taken meanwhile.
            InvalidValueError: The wording or the note cannot be kept, or forgetting was proposed
                and has no wording.
            CapReachedError: The scope of a new memory is full.
        """
        _require_person(self.store, self.clock, caller, ref, "proposal.accept")
        answer = checked_note(note)
        now = self.clock()
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            proposal = _undecided(unit, ref)
            target = _target_of(unit, proposal)
            if target is not None:
                wanted = proposal.base_version if expected_version is None else expected_version
                if target.version != wanted:
                    _note_overtaken(unit, caller, proposal, now)
                    kind = "memory" if isinstance(target, MemoryEntry) else "named_entry"
                    raise ConflictError(kind, target.id, wanted, target.version)
            became = self._apply(unit, caller, proposal, target, body, now)
            if settles_draft and isinstance(target, NamedEntry):
                unit.drafts.drop(target.id)
            accepted = unit.proposals.decide(
                ref.id, ProposalState.ACCEPTED, note=answer, decided_at=now
            )
            record_proposal(unit, caller, EventKind.PROPOSAL_DECIDED, accepted, now)
            unit.commit()
        return replace(accepted, target_id=became)

    def _apply(
        self,
        unit: UnitOfWork,
        caller: Caller,
        proposal: Proposal,
        target: NamedEntry | MemoryEntry | None,
        body: str | None,
        now: datetime,
    ) -> str:
        text = proposal.text if body is None else body
        pen = proposal.client if body is None else caller.signs_as
        if isinstance(target, NamedEntry):
            write_body(unit, caller, target, checked_body(text), EntryAction.ACCEPTED, now)
        elif isinstance(target, MemoryEntry) and proposal.kind is ProposalKind.MEMORY_EDIT:
            patch = _patch_of(proposal, body)
            save_patch(unit, caller, target, patch, now, written_by=pen)
        elif proposal.kind is ProposalKind.NAMED_NEW:
            name = proposal.target_name
            ref = EntryRef(proposal.tier, proposal.workspace_id, self.new_id())
            require_free_name(unit, name)
            add_companion(unit, caller, ref, name, text, action=EntryAction.ACCEPTED, now=now)
            return ref.id
        elif isinstance(target, MemoryEntry) and proposal.kind is ProposalKind.MEMORY_FORGET:
            if body is not None:
                raise InvalidValueError("body", "not_wanted")
            reason = proposal.payload.get("reason")
            save_forgotten(unit, caller, target, None if reason is None else str(reason), now)
        else:
            draft = _draft_of(proposal, text)
            require_open(unit, draft.scope, now)
            known = known_as(unit, caller, draft)
            is_other = known is None or known.id != proposal.target_id
            remember = Remembering(unit, caller, self.new_id, self.settings(), now)
            stale = target if is_other else None
            return remember(
                draft, Curator.AGENT, written_by=pen, known=known, stale=stale
            ).memory.id
        return proposal.target_id


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Let a decided proposal wait once more, as when its acceptance was undone.

    A proposal is decided once: what waits is a new one that asks for the same.
    """

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(self, caller: Caller, ref: ProposalRef) -> Proposal:
        """The proposal that waits now.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal, or its target is gone.
        """
        _require_person(self.store, self.clock, caller, ref, "proposal.accept")
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            decided = unit.proposals.get(ref.id)
            target = _target_of(unit, decided)
            again = unit.proposals.add(
                replace(
                    decided,
                    id=self.new_id(),
                    base_version=target.version if target is not None else None,
                    state=ProposalState.PENDING,
                    note="",
                    decided_at=None,
                )
            )
            record_proposal(unit, caller, EventKind.PROPOSAL_MADE, again, self.clock())
            unit.commit()
        return again


@dataclass(frozen=True, slots=True)
class RejectProposal:
    """Decline what an agent asked for."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, ref: ProposalRef, note: str = "") -> Proposal:
        """The rejected proposal, with a note that the agent can read.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal.
            ConflictError: It was decided before.
            InvalidValueError: The note is too long or holds control characters.
        """
        _require_person(self.store, self.clock, caller, ref, "proposal.reject")
        answer = checked_note(note)
        now = self.clock()
        with self.store.write(ref.workspace_id, initiator=caller.name) as unit:
            _undecided(unit, ref)
            rejected = unit.proposals.decide(
                ref.id, ProposalState.REJECTED, note=answer, decided_at=now
            )
            record_proposal(unit, caller, EventKind.PROPOSAL_DECIDED, rejected, now)
            unit.commit()
        return rejected


def _require_person(
    store: Store, clock: Clock, caller: Caller, ref: ProposalRef, verb: str
) -> None:
    attempt = Attempt(verb, tier_of(ref), ref.workspace_id, (ref.id,))
    require_person(store, clock, caller, attempt)


def _undecided(unit: UnitOfWork, ref: ProposalRef) -> Proposal:
    proposal = unit.proposals.get(ref.id)
    if not proposal.is_undecided:
        raise ConflictError("proposal", ref.id)
    return proposal


def _target_of(unit: UnitOfWork, proposal: Proposal) -> NamedEntry | MemoryEntry | None:
    """What would change, if it is still there; None for what is new."""
    match proposal.kind:
        case ProposalKind.NAMED_BODY:
            ref = EntryRef(proposal.tier, proposal.workspace_id, proposal.target_id)
            return present(unit, ref)
        case ProposalKind.MEMORY_EDIT | ProposalKind.MEMORY_FORGET | ProposalKind.MEMORY_REPLACE:
            memory = unit.memories.get(MemoryRef(proposal.scope, proposal.target_id), None)
            if memory.is_forgotten:
                raise NotFoundError("memory", memory.id)
            return memory
        case ProposalKind.MEMORY_NEW | ProposalKind.NAMED_NEW:
            return None


def _note_overtaken(unit: UnitOfWork, caller: Caller, proposal: Proposal, now: datetime) -> None:
    if proposal.state is ProposalState.PENDING:
        overtaken = unit.proposals.decide(
            proposal.id, ProposalState.OVERTAKEN, note="", decided_at=None
        )
        record_proposal(unit, caller, EventKind.PROPOSAL_DECIDED, overtaken, now)
        unit.commit()


def _patch_of(proposal: Proposal, content: str | None) -> MemoryPatch:
    values = proposal.payload
    lifetime, tags = values.get("lifetime"), values.get("tags")
    importance = values.get("importance")
    text = values.get("content") if content is None else content
    return MemoryPatch(
        content=text if isinstance(text, str) else None,
        importance=importance if isinstance(importance, int | float) else None,
        lifetime=Lifetime(lifetime) if isinstance(lifetime, str) else None,
        tags=tuple(map(str, tags)) if isinstance(tags, list | tuple) else None,
    )


def _draft_of(proposal: Proposal, content: str) -> MemoryDraft:
    patch = _patch_of(proposal, content)
    values = proposal.payload
    conversation, sources = values.get("conversation"), values.get("derived_from")
    return MemoryDraft(
        proposal.scope,
        content,
        importance=DEFAULT_IMPORTANCE if patch.importance is None else patch.importance,
        lifetime=patch.lifetime,
        source=str(values.get("source")),
        tags=patch.tags or (),
        source_conversation=conversation if isinstance(conversation, str) else None,
        derived_from=tuple(Derivation(str(one)) for one in sources)
        if isinstance(sources, list | tuple)
        else (),
        private_to=proposal.client if values.get("private") is True else None,
    )

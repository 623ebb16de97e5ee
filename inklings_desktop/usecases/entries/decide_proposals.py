"""What an agent asked for happens, by the author's hand and the rules of a change by hand."""

from __future__ import annotations

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
)
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
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
from inklings_desktop.usecases.entries.named_entries import (
    add_companion,
    present,
    require_free_name,
    write_body,
)
from inklings_desktop.usecases.steps.changing_memories import (
    require_open,
    save_forgotten,
    save_patch,
)
from inklings_desktop.usecases.steps.recording import record_proposal
from inklings_desktop.usecases.steps.remembering import Remembering, known_as

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import UnitOfWork


def realized(
    asked: Asked,
    unit: UnitOfWork,
    proposal: Proposal,
    target: NamedEntry | MemoryEntry | None,
    body: str | None,
    now: datetime,
) -> str:
    """Does what was asked for; the id of what it became."""
    caller = asked.caller
    text = proposal.text if body is None else body
    pen = proposal.client if body is None else caller.signs_as
    if isinstance(target, NamedEntry):
        write_body(unit, caller, target, checked_body(text), EntryAction.ACCEPTED, now)
    elif isinstance(target, MemoryEntry) and proposal.kind is ProposalKind.MEMORY_EDIT:
        patch = _patch_of(proposal, body)
        save_patch(unit, caller, target, patch, now, written_by=pen)
    elif proposal.kind is ProposalKind.NAMED_NEW:
        name = proposal.target_name
        ref = EntryRef(proposal.tier, proposal.workspace_id, asked.new_id())
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
        remember = Remembering(unit, caller, asked.new_id, asked.parts.settings(), now)
        stale = target if is_other else None
        return remember(draft, Curator.AGENT, written_by=pen, known=known, stale=stale).memory.id
    return proposal.target_id


def undecided(unit: UnitOfWork, ref: ProposalRef) -> Proposal:
    """The proposal, which nobody decided yet."""
    proposal = unit.proposals.get(ref.id)
    if not proposal.is_undecided:
        raise ConflictError("proposal", ref.id)
    return proposal


def target_of(unit: UnitOfWork, proposal: Proposal) -> NamedEntry | MemoryEntry | None:
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


def note_overtaken(unit: UnitOfWork, caller: Caller, proposal: Proposal, now: datetime) -> None:
    """Says that its target has moved on since it was made."""
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

"""Proposals: agents ask, whoever may sees it, and it happens by the author's hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_agent
from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_NAMES,
    BUILT_IN_OF_TIER,
    EntryAction,
    EntryRef,
    NamedEntry,
    checked_body,
    entry_scope,
)
from inklings_desktop.domain.entries.proposals import (
    Proposal,
    ProposalKind,
    ProposalRef,
    ProposalState,
    checked_note,
    checked_proposal_reason,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.knowledge.facts import details_of
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import (
    DEFAULT_IMPORTANCE,
    Curator,
    Derivation,
    Lifetime,
    MemoryDraft,
    MemoryEntry,
    MemoryKind,
    MemoryPatch,
    MemoryRef,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.skills.skill import Skill
from inklings_desktop.domain.words.text_rules import says_nothing
from inklings_desktop.usecases.entries.named_entries import (
    add_companion,
    entries_of,
    present,
    require_free_name,
    write_body,
)
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.skills.proposed import made_of, proposed_target
from inklings_desktop.usecases.steps.activities import accepted
from inklings_desktop.usecases.steps.changing_memories import (
    require_open,
    save_forgotten,
    save_patch,
)
from inklings_desktop.usecases.steps.holding import Asking
from inklings_desktop.usecases.steps.putting import Remembering, finish_superseding, known_as
from inklings_desktop.usecases.steps.recording import record_proposal
from inklings_desktop.usecases.steps.sources import FROM_MEMORY

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import UnitOfWork


_KINDS = {MemoryEntry: "memory", Skill: "skill"}


def realized(
    asked: Asked,
    unit: UnitOfWork,
    proposal: Proposal,
    target: NamedEntry | MemoryEntry | Skill | None,
    body: str | None,
    now: datetime,
) -> str:
    """Does what was asked for; the id of what it became."""
    caller = asked.caller
    text = proposal.text if body is None else body
    pen = proposal.client if body is None else caller.signs_as
    if isinstance(target, NamedEntry):
        write_body(unit, caller, target, checked_body(text), EntryAction.ACCEPTED, now)
    elif proposal.kind is ProposalKind.SKILL:
        return made_of(asked, unit, proposal, body)
    elif isinstance(target, MemoryEntry) and proposal.kind is ProposalKind.MEMORY_EDIT:
        patch = _patch_of(proposal, body)
        save_patch(unit, caller, target, patch, now, written_by=pen)
    elif proposal.kind is ProposalKind.ACTIVITY:
        return accepted(unit, caller, asked.new_id, proposal, text, now)
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
        draft = _draft_of(unit, proposal, text)
        require_open(unit, draft.scope, now)
        known = known_as(unit, caller, draft)
        is_other = known is None or known.id != proposal.target_id
        remember = Remembering(unit, caller, asked.new_id, asked.parts.settings(), now)
        stale = target if is_other and isinstance(target, MemoryEntry) else None
        why = str(proposal.payload.get("reason", ""))
        done = remember(draft, Curator.AGENT, written_by=pen, known=known, stale=stale, why=why)
        if draft.kind is not MemoryKind.NOTE and not done.was_known:
            unit.knowledge.put_details(done.memory.id, details_of(draft.kind, proposal.payload))
        if draft.kind is MemoryKind.FACT and done.replaced is not None:
            finish_superseding(unit, caller, done.replaced.id, done.memory, now)
        return done.memory.id
    return proposal.target_id


def undecided(unit: UnitOfWork, ref: ProposalRef) -> Proposal:
    """The proposal, which nobody decided yet."""
    proposal = unit.proposals.get(ref.id)
    if not proposal.is_undecided:
        raise ConflictError("proposal", ref.id)
    return proposal


def target_of(unit: UnitOfWork, proposal: Proposal) -> NamedEntry | MemoryEntry | Skill | None:
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
        case ProposalKind.MEMORY_NEW | ProposalKind.NAMED_NEW | ProposalKind.ACTIVITY:
            return None
        case ProposalKind.SKILL:
            return proposed_target(unit, proposal)
        case ProposalKind.PAGE_NEW | ProposalKind.PAGE_EDIT | ProposalKind.PAGE_MOVE:
            raise InvalidValueError("proposal", "page")  # its file is written by PageProposals


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


def _draft_of(unit: UnitOfWork, proposal: Proposal, content: str) -> MemoryDraft:
    patch = _patch_of(proposal, content)
    values = proposal.payload
    conversation, named = values.get("conversation"), values.get("derived_from")
    sources = [str(one) for one in named] if isinstance(named, list | tuple) else []
    kind = MemoryKind(str(values.get("kind", MemoryKind.NOTE.value)))
    domain_id = values.get("domain_id")
    known = unit.memories.get_many(sources) if kind is not MemoryKind.NOTE else {}
    return MemoryDraft(
        proposal.scope,
        content,
        importance=DEFAULT_IMPORTANCE if patch.importance is None else patch.importance,
        lifetime=patch.lifetime,
        source=str(values.get("source")),
        tags=patch.tags or (),
        source_conversation=conversation if isinstance(conversation, str) else None,
        derived_from=tuple(Derivation(one, FROM_MEMORY if one in known else "") for one in sources),
        private_to=proposal.client if values.get("private") is True else None,
        kind=kind,
        domain_id=domain_id if isinstance(domain_id, str) else None,
        topic=str(values.get("topic", "")),
    )


class Proposals(Asked):
    """What agents propose to write into a named entry, or to keep in the account."""

    def propose(
        self,
        workspace_id: str | None,
        name: str,
        body: str,
        reason: str,
        tier: Tier | None = None,
        *,
        is_new: bool = False,
    ) -> Proposal:
        """Asks the author to give a named entry another body, or to add one; for agents.

        Args:
            workspace_id: None looks for the entry in the account alone.
            name: Exactly the name of an entry that is there; of one that is not for a new one.
            tier: Workspace or account; None looks wherever the agent may propose, and takes the
                workspace for a new one if the agent may propose there.
            is_new: Whether it is a companion that is not there yet.

        Raises:
            ScopeDeniedError: The caller is no agent, or may not propose there.
            NotFoundError: There is no such entry.
            ConflictError: The name of the new one is taken.
            InvalidValueError: The name imitates one that is there, the name, body or reason cannot
                be kept or changes nothing, or too many proposals of this agent are undecided.
        """
        place = tier or _tier_of(workspace_id)
        file = None if tier is Tier.ACCOUNT else workspace_id
        with self.attempt("named_entry.propose", place, file):
            authorize_agent(self.caller, Action.PROPOSE, place)
            scopes = _open_to(self.caller, workspace_id, tier)
            if is_new:
                return self._companion(scopes[0], name, body, reason)
            target = self._target(scopes, name)
        text, why = checked_body(body), checked_proposal_reason(reason)
        with self.writing(target.workspace_id) as unit:
            entry = present(unit, target)
            if entry.body == text:
                raise InvalidValueError("body", "unchanged")
            asking = Asking(unit, self.caller, self.new_id, self.clock())
            proposal = asking.for_body(entry, text, why)
            unit.commit()
        return proposal

    def list(
        self, workspace_id: str | None, *, states: Collection[ProposalState] | None = None
    ) -> tuple[Proposal, ...]:
        """The workspace's and the account's, the latest made first; an agent gets its own.

        Args:
            workspace_id: None asks for the account's alone.
            states: Only those in one of these states; None gives all.

        Raises:
            ScopeDeniedError: An agent without any right in either.
            NotFoundError: There is no such workspace.
        """
        caller = self.caller
        wanted = frozenset(ProposalState) if states is None else frozenset(states)
        client = caller.name if caller.is_agent else None
        found: list[Proposal] = []
        for file in _files(caller, workspace_id):
            with self.store.read(file) as view:
                found += view.proposals.proposals(states=wanted, client=client)
        return tuple(sorted(found, key=lambda one: one.created_at, reverse=True))

    def show(self, ref: ProposalRef) -> Proposal:
        """One proposal.

        Raises:
            ScopeDeniedError: An agent without any right in its workspace or account.
            NotFoundError: There is none, or it is another agent's.
        """
        caller = self.caller
        if ref.workspace_id not in _files(caller, ref.workspace_id):
            raise ScopeDeniedError(Action.READ.value, _tier_of(ref.workspace_id).value)
        with self.store.read(ref.workspace_id) as view:
            proposal = view.proposals.get(ref.id)
        if caller.is_agent and proposal.client != caller.name:
            raise NotFoundError("proposal", ref.id)
        return proposal

    def accept(
        self,
        ref: ProposalRef,
        *,
        body: str | None = None,
        expected_version: int | None = None,
        settles_draft: bool = False,
        note: str = "",
    ) -> Proposal:
        """Does what an agent asked for, as the author; its target is then what it became.

        If the target has moved on since it was proposed, the proposal becomes *overtaken* and
        nothing else happens; the author may accept it still, naming the version just seen.

        Args:
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
        caller = self.caller
        self._require_person("proposal.accept", ref)
        answer = checked_note(note)
        now = self.clock()
        with self.writing(ref.workspace_id) as unit:
            proposal = undecided(unit, ref)
            target = target_of(unit, proposal)
            if target is not None:
                wanted = proposal.base_version if expected_version is None else expected_version
                if target.version != wanted:
                    note_overtaken(unit, caller, proposal, now)
                    kind = _KINDS.get(type(target), "named_entry")
                    raise ConflictError(kind, target.id, wanted, target.version)
            became = realized(self, unit, proposal, target, body, now)
            if settles_draft and isinstance(target, NamedEntry):
                unit.drafts.drop(target.id)
            accepted = unit.proposals.decide(
                ref.id, ProposalState.ACCEPTED, note=answer, decided_at=now
            )
            record_proposal(unit, caller, EventKind.PROPOSAL_DECIDED, accepted, now)
            unit.commit()
        return replace(accepted, target_id=became)

    def ask_again(self, ref: ProposalRef) -> Proposal:
        """Lets a decided proposal wait once more, as when its acceptance was undone.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal, or its target is gone.
        """
        self._require_person("proposal.accept", ref)
        with self.writing(ref.workspace_id) as unit:
            decided = unit.proposals.get(ref.id)
            target = target_of(unit, decided)
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
            record_proposal(unit, self.caller, EventKind.PROPOSAL_MADE, again, self.clock())
            unit.commit()
        return again

    def reject(self, ref: ProposalRef, note: str = "") -> Proposal:
        """Declines what an agent asked for, with a note that it can read.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such proposal.
            ConflictError: It was decided before.
            InvalidValueError: The note is too long or holds control characters.
        """
        self._require_person("proposal.reject", ref)
        answer = checked_note(note)
        now = self.clock()
        with self.writing(ref.workspace_id) as unit:
            undecided(unit, ref)
            rejected = unit.proposals.decide(
                ref.id, ProposalState.REJECTED, note=answer, decided_at=now
            )
            record_proposal(unit, self.caller, EventKind.PROPOSAL_DECIDED, rejected, now)
            unit.commit()
        return rejected

    def _require_person(self, verb: str, ref: ProposalRef) -> None:
        self.require_person(verb, _tier_of(ref.workspace_id), ref.workspace_id, (ref.id,))

    def _companion(self, scope: ScopeKey, name: str, body: str, reason: str) -> Proposal:
        text, why = checked_body(body), checked_proposal_reason(reason)
        if says_nothing(text):
            raise InvalidValueError("body", "empty")
        with self.writing(scope.workspace_id) as unit:
            require_free_name(unit, name)
            asking = Asking(unit, self.caller, self.new_id, self.clock())
            proposal = asking.for_companion(scope, name, text, why)
            unit.commit()
        return proposal

    def _target(self, open_to_it: Sequence[ScopeKey], name: str) -> EntryRef:
        """The entry of this name in a tier where the agent may propose."""
        entries = [entry for scope in open_to_it for entry in entries_of(self.store, scope)]
        found = [entry for entry in entries if entry.name == name]
        if len(found) == 1:
            return found[0].ref
        if found:
            raise InvalidValueError("tier", "ambiguous")
        _refuse_imitation(name, entries)
        raise NotFoundError("named_entry", name, tuple(one.name for one in entries))


def _open_to(caller: Caller, workspace_id: str | None, tier: Tier | None) -> tuple[ScopeKey, ...]:
    """Where the agent may propose, the workspace first.

    Raises:
        ScopeDeniedError: Nowhere.
    """
    own = () if workspace_id is None else (entry_scope(Tier.WORKSPACE, workspace_id),)
    scopes = [one for one in (*own, ScopeKey.account()) if tier in {None, one.tier}]
    open_to_it = tuple(one for one in scopes if caller.may(Action.PROPOSE, one))
    if not open_to_it:
        wanted = tier or (scopes[0].tier if scopes else Tier.WORKSPACE)
        raise ScopeDeniedError(Action.PROPOSE.value, wanted.value)
    return open_to_it


def _tier_of(workspace_id: str | None) -> Tier:
    """The tier that stands for a file."""
    return Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE


def _files(caller: Caller, workspace_id: str | None) -> tuple[str | None, ...]:
    """The files whose proposals a caller may ask for: where it has any right at all."""
    files: tuple[str | None, ...] = (None,) if workspace_id is None else (workspace_id, None)
    if caller.is_agent:
        known = {grant.workspace_id for grant in caller.grants}
        files = tuple(file for file in files if file in known)
    if not files:
        raise ScopeDeniedError(Action.READ.value, _tier_of(workspace_id).value)
    return files


def _refuse_imitation(name: str, entries: Collection[NamedEntry]) -> None:
    """Say what is wrong with a name under which nothing is."""
    for tier, built_in in BUILT_IN_OF_TIER.items():
        if name == built_in:  # it is there, but not in a tier that is open here
            raise ScopeDeniedError(Action.PROPOSE.value, tier.value)
    known = {*BUILT_IN_NAMES, *(entry.name for entry in entries)}
    if any(looks_like(name, one) for one in known):
        raise InvalidValueError("name", "look_alike")

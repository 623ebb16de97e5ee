"""Proposals: agents ask, and everybody who may can see what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_agent
from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_NAMES,
    BUILT_IN_OF_TIER,
    EntryRef,
    NamedEntry,
    checked_body,
    entry_scope,
)
from inklings_desktop.domain.entries.proposals import (
    Proposal,
    ProposalRef,
    ProposalState,
    checked_proposal_reason,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memory import (
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import says_nothing
from inklings_desktop.usecases.entries.edit_entries import present, require_free_name
from inklings_desktop.usecases.entries.named_entries import entries_of
from inklings_desktop.usecases.steps.holding import Asking
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store


@dataclass(frozen=True, slots=True)
class ProposeEntry:
    """Ask the author to give a named entry another body, or to add one; for agents."""

    store: Store
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        name: str,
        body: str,
        reason: str,
        tier: Tier | None = None,
        *,
        is_new: bool = False,
    ) -> Proposal:
        """The proposal; nothing is changed before the author accepts it.

        Args:
            caller: The agent.
            workspace_id: None looks for the entry in the account alone.
            name: Exactly the name of an entry that is there; of one that is not for a new one.
            body: All of the new body.
            reason: Why, for the author to read.
            tier: Workspace or account; None looks wherever the agent may propose, and takes the
                workspace for a new one if the agent may propose there.
            is_new: Whether a companion is proposed that is not there yet.

        Raises:
            ScopeDeniedError: The caller is no agent, or may not propose there.
            NotFoundError: There is no such entry.
            ConflictError: The name of the new one is taken.
            InvalidValueError: The name imitates one that is there, the name, body or reason cannot
                be kept or changes nothing, or too many proposals of this agent are undecided.
        """
        attempt = Attempt(
            "named_entry.propose",
            tier or (Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE),
            None if tier is Tier.ACCOUNT else workspace_id,
        )
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_agent(caller, Action.PROPOSE, attempt.tier)
            scopes = _open_to(caller, workspace_id, tier)
            if is_new:
                return self._companion(caller, scopes[0], name, body, reason)
            target = self._target(scopes, name)
        text, why = checked_body(body), checked_proposal_reason(reason)
        with self.store.write(target.workspace_id, initiator=caller.name) as unit:
            entry = present(unit, target)
            if entry.body == text:
                raise InvalidValueError("body", "unchanged")
            asking = Asking(unit, caller, self.new_id, self.clock())
            proposal = asking.for_body(entry, text, why)
            unit.commit()
        return proposal

    def _companion(
        self, caller: Caller, scope: ScopeKey, name: str, body: str, reason: str
    ) -> Proposal:
        text, why = checked_body(body), checked_proposal_reason(reason)
        if says_nothing(text):
            raise InvalidValueError("body", "empty")
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            require_free_name(unit, name)
            asking = Asking(unit, caller, self.new_id, self.clock())
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


@dataclass(frozen=True, slots=True)
class ListProposals:
    """What agents asked for."""

    store: Store

    def __call__(
        self,
        caller: Caller,
        workspace_id: str | None,
        *,
        states: Collection[ProposalState] | None = None,
    ) -> tuple[Proposal, ...]:
        """The workspace's and the account's, the latest made first; an agent gets its own.

        Args:
            caller: Who asks.
            workspace_id: None asks for the account's alone.
            states: Only those in one of these states; None gives all.

        Raises:
            ScopeDeniedError: An agent without any right in either.
            NotFoundError: There is no such workspace.
        """
        wanted = frozenset(ProposalState) if states is None else frozenset(states)
        client = caller.name if caller.is_agent else None
        found: list[Proposal] = []
        for file in _files(caller, workspace_id):
            with self.store.read(file) as view:
                found += view.proposals.proposals(states=wanted, client=client)
        return tuple(sorted(found, key=lambda one: one.created_at, reverse=True))


@dataclass(frozen=True, slots=True)
class ShowProposal:
    """One proposal."""

    store: Store

    def __call__(self, caller: Caller, ref: ProposalRef) -> Proposal:
        """The proposal.

        Raises:
            ScopeDeniedError: An agent without any right in its workspace or account.
            NotFoundError: There is none, or it is another agent's.
        """
        if ref.workspace_id not in _files(caller, ref.workspace_id):
            raise ScopeDeniedError(Action.READ.value, tier_of(ref).value)
        with self.store.read(ref.workspace_id) as view:
            proposal = view.proposals.get(ref.id)
        if caller.is_agent and proposal.client != caller.name:
            raise NotFoundError("proposal", ref.id)
        return proposal


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


def tier_of(ref: ProposalRef) -> Tier:
    """The tier that stands for the file of a proposal."""
    return Tier.ACCOUNT if ref.workspace_id is None else Tier.WORKSPACE


def _files(caller: Caller, workspace_id: str | None) -> tuple[str | None, ...]:
    """The files whose proposals a caller may ask for: where it has any right at all."""
    files: tuple[str | None, ...] = (None,) if workspace_id is None else (workspace_id, None)
    if caller.is_agent:
        known = {grant.workspace_id for grant in caller.grants}
        files = tuple(file for file in files if file in known)
    if not files:
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        raise ScopeDeniedError(Action.READ.value, tier.value)
    return files


def _refuse_imitation(name: str, entries: Collection[NamedEntry]) -> None:
    """Say what is wrong with a name under which nothing is."""
    for tier, built_in in BUILT_IN_OF_TIER.items():
        if name == built_in:  # it is there, but not in a tier that is open here
            raise ScopeDeniedError(Action.PROPOSE.value, tier.value)
    known = {*BUILT_IN_NAMES, *(entry.name for entry in entries)}
    if any(looks_like(name, one) for one in known):
        raise InvalidValueError("name", "look_alike")

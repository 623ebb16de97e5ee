"""House rules: what agents have to do, or to leave; the author alone switches one on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_person,
)
from inklings_desktop.domain.entries.proposals import checked_proposal_reason
from inklings_desktop.domain.errors import (
    ConflictError,
    HeldForReviewError,
    NotFoundError,
)
from inklings_desktop.domain.knowledge.domains import checked_role
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    Policy,
    PolicyDetails,
    checked_rule,
    payload_of,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import (
    Derivation,
    MemoryDraft,
    MemoryEntry,
    MemoryKind,
    MemoryPatch,
    MemoryRef,
    ScopeKey,
    Tier,
)
from inklings_desktop.usecases.knowledge.reading import observations_of
from inklings_desktop.usecases.knowledge.values import PolicyView
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.changing_memories import save_filed, save_marked
from inklings_desktop.usecases.steps.putting import Putting, Waiting
from inklings_desktop.usecases.steps.recording import record_known
from inklings_desktop.usecases.steps.sources import FROM_MEMORY
from inklings_desktop.usecases.steps.walls import domain_in_use, readable_domain, require_role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.usecases.knowledge.values import PolicyDraft
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


class Policies(Asked):
    """House rules of a workspace; one that is off is a paused memory."""

    def put(self, workspace_id: str, draft: PolicyDraft) -> Policy:
        """Makes a rule, switched on; an agent only asks for one.

        Raises:
            ScopeDeniedError: The caller may not propose in the workspace tier.
            NotFoundError: There is no such domain for the caller, or no such source.
            HeldForReviewError: An agent asked; the author decides.
            InvalidValueError: The rule is too long, the role cannot be one, an agent gives no
                reason, or the domain is archived.
        """
        caller, scope, now = self.caller, ScopeKey.workspace(workspace_id), self.clock()
        with self.attempt("policy.put", Tier.WORKSPACE, workspace_id):
            authorize(caller, Action.PROPOSE if caller.is_agent else Action.WRITE, scope)
            rule = checked_rule(draft.rule)
            why = checked_proposal_reason(draft.reason) if caller.is_agent else ""
            details = PolicyDetails(_role(draft.required_role), draft.always)
            with self.writing(workspace_id) as unit:
                domain = domain_in_use(unit, caller, draft.domain)
                if details.required_role and not caller.is_agent:
                    require_role(unit, details.required_role)
                whole = MemoryDraft(
                    scope,
                    rule,
                    derived_from=self._sources(unit, draft.sources),
                    kind=MemoryKind.POLICY,
                    domain_id=domain.id,
                ).completed(caller.curator)
                put = Putting(unit, caller, self.new_id, self.parts.settings(), now)
                also = payload_of(details)
                done = put(whole, also=also | ({"reason": why} if why else {}))
                if isinstance(done, Waiting):
                    unit.commit()
                    raise HeldForReviewError(done.proposal.id, reason=done.why.value)
                if not done.was_known:
                    unit.knowledge.put_details(done.memory.id, details)
                    self._record(unit, done.memory, "made")
                [policy] = as_policies(unit, [done.memory])
                unit.commit()
        return policy

    def list(self, workspace_id: str, domain: str = "") -> tuple[PolicyView, ...]:
        """Rules in order of writing, on and off; an agent is told those that are on.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
            NotFoundError: There is no such domain for the caller.
        """
        caller = self.caller
        authorize(caller, Action.READ, ScopeKey.workspace(workspace_id))
        with self.store.read(workspace_id) as view:
            of = readable_domain(view, caller, domain).id if domain else None
            entries = [
                one
                for one in view.knowledge.policies()
                if caller.may_know_of(one)
                and (one.is_retrievable or not caller.is_agent)
                and of in {None, one.domain_id}
            ]
            policies = as_policies(view, entries)
        told = self.told_sources(workspace_id, entries)
        with self.store.read(workspace_id) as view:
            observed = observations_of(view, caller, entries, told)
        return tuple(
            PolicyView(
                one,
                observed[one.memory.id],
                any(
                    each.memory is not None and each.memory.forgotten_reason == SUPERSEDED
                    for each in observed[one.memory.id]
                ),
            )
            for one in policies
        )

    def show(self, ref: MemoryRef) -> PolicyView:
        """One rule.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
            NotFoundError: There is no such rule for the caller.
        """
        for one in self.list(ref.scope.workspace_id or ""):
            if one.policy.memory.id == ref.id:
                return one
        raise NotFoundError("memory", ref.id)

    def edit(
        self,
        ref: MemoryRef,
        *,
        expected_version: int,
        rule: str | None = None,
        sources: Sequence[str] | None = None,
        required_role: str | None = None,
        always: bool | None = None,
    ) -> Policy:
        """Changes a rule; what it was stays in its history.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is no such rule or role.
            ConflictError: Somebody saved a newer version first.
        """
        self._require_person("policy.edit", ref)
        if rule is not None:
            checked_rule(rule)
        now = self.clock()
        with self.writing(ref.scope.workspace_id) as unit:
            [before] = as_policies(unit, [self._known(unit, ref)])
            if before.memory.version != expected_version:
                found = before.memory.version
                raise ConflictError("memory", ref.id, expected_version, found)
            old = before.details
            details = PolicyDetails(
                old.required_role if required_role is None else _role(required_role),
                old.always if always is None else always,
            )
            if details.required_role not in {"", old.required_role}:
                require_role(unit, details.required_role)
            after = before.memory.patched(MemoryPatch(content=rule))
            if after.content != before.memory.content:
                after = replace(after, written_by=self.caller.signs_as)
            if sources is not None:
                after = replace(after, derived_from=self._sources(unit, sources))
            if after == before.memory and details == old:
                return before
            extra = json.dumps(payload_of(old))
            stored = save_filed(unit, self.caller, before.memory, after, now, extra)
            unit.knowledge.put_details(stored.id, details)
            self._record(unit, stored, "changed")
            unit.commit()
        return replace(before, memory=stored, details=details)

    def switch(self, ref: MemoryRef, *, on: bool) -> Policy:
        """Switches a rule on or off; one that is off is told no agent.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is no such rule.
        """
        self._require_person("policy.switch", ref)
        with self.writing(ref.scope.workspace_id) as unit:
            before = self._known(unit, ref)
            mark = MemoryMark.PAUSED
            stored = save_marked(unit, self.caller, before, mark, self.clock(), on=not on)
            [policy] = as_policies(unit, [stored])
            if stored is not before:
                self._record(unit, stored, "on" if on else "off")
                unit.commit()
        return policy

    def _sources(self, view: StoreView, named: Sequence[str]) -> tuple[Derivation, ...]:
        """What a rule rests on: memories that the caller may know of, any other as written.

        Raises:
            NotFoundError: An agent named something else.
        """
        known = view.memories.get_many(list(named))
        readable = {
            one.id
            for one in known.values()
            if self.caller.may(Action.READ, one.scope) and self.caller.may_know_of(one)
        }
        if self.caller.is_agent and not readable.issuperset(named):
            raise NotFoundError("source", "")
        return tuple(Derivation(one, FROM_MEMORY if one in readable else "") for one in named)

    def _known(self, view: StoreView, ref: MemoryRef) -> MemoryEntry:
        entry = view.memories.get(ref, self.caller.walls)
        if entry.kind is not MemoryKind.POLICY or entry.is_forgotten:
            raise NotFoundError("memory", ref.id)
        return entry

    def _require_person(self, verb: str, ref: MemoryRef) -> None:
        with self.attempt(verb, Tier.WORKSPACE, ref.scope.workspace_id, (ref.id,)):
            authorize_person(self.caller, Action.WRITE, Tier.WORKSPACE)

    def _record(self, unit: UnitOfWork, entry: MemoryEntry, did: str) -> None:
        now, kind = self.clock(), EventKind.POLICY_SWITCHED
        record_known(unit, self.caller, kind, entry.scope, [entry.id], now, did=did)


def as_policies(view: StoreView, entries: Sequence[MemoryEntry]) -> tuple[Policy, ...]:
    """Memories that are rules, with what else they have, in the same order."""
    details = view.knowledge.policies_of([one.id for one in entries])
    names = {one.id: one.name for one in view.knowledge.domains()}
    nothing = PolicyDetails()
    return tuple(
        Policy(one, details.get(one.id, nothing), names.get(one.domain_id or "", ""))
        for one in entries
    )


def _role(role: str) -> str:
    return checked_role(role) if role else ""

"""Domains, and which roles may do what in them; the person grants, an agent may open a domain."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.access.clients import own_role
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.knowledge.domains import (
    MAX_DESCRIPTION,
    MAX_DOMAINS,
    MAX_DOMAINS_OF_AGENT,
    MAX_ROLES,
    ClientRole,
    Domain,
    Permission,
    Role,
    checked_domain_name,
    checked_role,
    name_of_agents,
)
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryKind, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.words.text_rules import checked_label
from inklings_desktop.usecases.knowledge.values import DomainView, GrantCell, GrantMatrix
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.holding import refuse_secret
from inklings_desktop.usecases.steps.recording import record_known
from inklings_desktop.usecases.steps.walls import (
    permission_in,
    readable_domain,
    require_role,
    role_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.usecases.ports.store import UnitOfWork

REFUSED_WITHIN, MOST_REFUSED = timedelta(days=30), 500


class Domains(Asked):
    """Domains of a workspace, its roles and their grants; ``domain`` is the id or name of one.

    Verbs without a word about it are the person's: they raise ``ScopeDeniedError`` for an agent.
    Each is undone by calling it with the value before.
    """

    def list(self, workspace_id: str) -> tuple[DomainView, ...]:
        """Domains by name, archived ones too; for an agent those that its role may read.

        Raises:
            ScopeDeniedError: An agent that may not read the workspace.
        """
        caller = self.caller
        authorize(caller, Action.READ, ScopeKey.workspace(workspace_id))
        with self.store.read(workspace_id) as view:
            domains, counts = view.knowledge.domains(), view.knowledge.counts()
            rules = {
                domain_id: n for (domain_id, kind), n in counts.items() if kind is MemoryKind.POLICY
            }
            if caller.is_agent:  # a rule that is off is not there for it
                active = (one for one in view.knowledge.policies() if one.is_retrievable)
                rules = Counter(one.domain_id or "" for one in active)
        shown = ((one, permission_in(caller, workspace_id, one)) for one in domains)
        return tuple(
            DomainView(
                one, counts.get((one.id, MemoryKind.FACT), 0), rules.get(one.id, 0), permission
            )
            for one, permission in shown
            if permission is not Permission.NONE
        )

    def named(self, workspace_id: str, name: str) -> str:
        """Id of the domain of this name, regardless of case; made if there is none.

        Raises:
            InvalidValueError: It can be no name, or looks like another one.
        """
        for one in self.list(workspace_id):
            if one.domain.name.casefold() == name.casefold():
                return one.domain.id
        return self.create(workspace_id, name).id

    def create(
        self, workspace_id: str, name: str, description: str = "", *, closed: bool = False
    ) -> Domain:
        """Opens a domain; an agent that may write in the workspace too, and its role writes there.

        What an agent makes is called after it as well: see ``name_of_agents``.

        Args:
            closed: Whether roles that nobody granted anything may not read it; for the person.

        Raises:
            ScopeDeniedError: An agent that may not write there, or wants it closed.
            InvalidValueError: The name or description is no single line, looks like a key or a
                password, the name could be taken for another's, or there are 200, for an agent
                20 of its own.
            ConflictError: The name is taken.
        """
        caller, scope = self.caller, ScopeKey.workspace(workspace_id)
        with self.attempt("domain.create", Tier.WORKSPACE, workspace_id):
            authorize(caller, Action.WRITE, scope)
            if closed:
                authorize_management(caller)
            line = (
                checked_label(description, "description", MAX_DESCRIPTION)
                if description.strip()
                else ""
            )
            refuse_secret(caller, "domain", name, line)
            is_agent = caller.is_agent
            called = name_of_agents(name, caller.name) if is_agent else checked_domain_name(name)
            with self.writing(workspace_id) as unit:
                self._require_free(unit, called, "")
                domain = Domain(
                    self.new_id(),
                    called,
                    line,
                    closed,
                    caller.signs_as,
                    caller.kind.value,
                    self.clock(),
                )
                unit.knowledge.save_domain(domain)
                if is_agent:
                    unit.knowledge.put_grant(role_of(caller), domain.id, Permission.WRITE)
                self._record(unit, EventKind.DOMAIN_CHANGED, workspace_id, domain.id, "created")
        return domain

    def rename(self, workspace_id: str, domain: str, name: str) -> Domain:
        """Gives a domain another name.

        Raises:
            NotFoundError: There is no such domain.
            InvalidValueError: The name is no single line, or could be taken for another's.
            ConflictError: It is taken.
        """
        new = checked_domain_name(name)

        def renamed(unit: UnitOfWork, found: Domain) -> Domain:
            self._require_free(unit, new, found.id)
            return replace(found, name=new)

        return self._changed(workspace_id, domain, "renamed", renamed)

    def archive(self, workspace_id: str, domain: str, *, on: bool = True) -> Domain:
        """Lets agents write nothing more in a domain, or again; what is in it stays.

        Raises:
            NotFoundError: There is no such domain.
        """
        since = self.clock() if on else None
        verb = "archived" if on else "unarchived"
        return self._changed(
            workspace_id, domain, verb, lambda _, found: replace(found, archived_at=since)
        )

    def set_default(self, workspace_id: str, domain: str, permission: Permission) -> Domain:
        """Says whether roles that nobody granted anything may read a domain.

        Raises:
            NotFoundError: There is no such domain.
            InvalidValueError: The permission is neither ``read`` nor ``none``.
        """
        if permission is Permission.WRITE:
            raise InvalidValueError("permission", "range")
        is_closed = permission is Permission.NONE
        verb = "closed" if is_closed else "opened"
        return self._changed(
            workspace_id, domain, verb, lambda _, found: replace(found, is_closed=is_closed)
        )

    def unmake(self, workspace_id: str, domain: str) -> None:
        """Takes a domain away that was made just now; with anything in it, it is archived.

        Raises:
            NotFoundError: There is no such domain.
        """
        self.require_person("domain.change", Tier.WORKSPACE, workspace_id)
        with self.writing(workspace_id) as unit:
            found = unit.knowledge.domain(domain)
            did = "unmade"
            if not unit.knowledge.drop_domain(found.id):
                unit.knowledge.save_domain(replace(found, archived_at=self.clock()))
                did = "archived"
            self._record(unit, EventKind.DOMAIN_CHANGED, workspace_id, found.id, did)

    def roles(self, workspace_id: str) -> tuple[Role, ...]:
        """Roles of a workspace: the two that are built in, then the author's own."""
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return view.knowledge.roles()

    def create_role(self, workspace_id: str, name: str) -> Role:
        """Makes a role; one that is there stays as it is.

        Raises:
            InvalidValueError: The name is not 2 to 40 small letters, digits and hyphens, or there
                are 100 roles.
        """
        self.require_person("role.create", Tier.WORKSPACE, workspace_id)
        role = Role(checked_role(name), self.clock())
        with self.writing(workspace_id) as unit:
            known = {one.name: one for one in unit.knowledge.roles()}
            if role.name in known:
                return known[role.name]
            if len(known) >= MAX_ROLES:
                raise InvalidValueError("role", "too_many", MAX_ROLES)
            unit.knowledge.save_role(role)
            self._record(unit, EventKind.DOMAIN_CHANGED, workspace_id, workspace_id, "role")
        return role

    def unmake_role(self, workspace_id: str, name: str) -> None:
        """Takes a role away that was made just now, with what it was granted.

        Raises:
            ConflictError: It is not there, a client acts under it, or a rule names it.
        """
        self.require_person("role.create", Tier.WORKSPACE, workspace_id)
        is_held = name in self._clients(workspace_id)
        with self.writing(workspace_id) as unit:
            if is_held or not unit.knowledge.drop_role(name):
                raise ConflictError("role", name)
            self._record(unit, EventKind.DOMAIN_CHANGED, workspace_id, workspace_id, "role_unmade")

    def grant(
        self, workspace_id: str, role: str, domain: str, permission: Permission | None
    ) -> None:
        """Says what a role may do in a domain; None leaves it to the domain's default.

        Raises:
            NotFoundError: There is no such domain or role.
        """
        self.require_person("domain.grant", Tier.WORKSPACE, workspace_id)
        with self.writing(workspace_id) as unit:
            found = unit.knowledge.domain(domain)
            require_role(unit, role)
            unit.knowledge.put_grant(role, found.id, permission)
            word = "default" if permission is None else permission.value
            self._record(unit, EventKind.DOMAIN_GRANTED, workspace_id, found.id, word)

    def matrix(self, workspace_id: str) -> GrantMatrix:
        """What every role may do in every domain, and which clients act under it."""
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            roles, domains = view.knowledge.roles(), view.knowledge.domains()
            grants = view.knowledge.grants()
            gates = view.knowledge.gates([one.name for one in roles])
        clients, refused = self._clients(workspace_id), self._refused(workspace_id)
        cells: dict[tuple[str, str], GrantCell] = {}
        required: Mapping[str, frozenset[str]] = {}
        for role in roles:
            for domain in domains:
                required = gates[role.name].required
                wanted = required.get(domain.id, frozenset())
                cells[role.name, domain.id] = GrantCell(
                    grants.get((role.name, domain.id), domain.default),
                    (role.name, domain.id) in grants,
                    bool(wanted) and role.name not in wanted,
                    sum(refused[one, domain.id] for one in clients.get(role.name, ())),
                )
        return GrantMatrix(roles, domains, clients, cells, required)

    def assign(self, client: str, workspace_id: str, role: str, *, default: bool = False) -> None:
        """Lets a client act under a role, or makes it the one that it acts under unasked.

        Raises:
            NotFoundError: There is no such client, workspace or role.
        """

        def more(held: dict[str, bool]) -> dict[str, bool]:
            others = {one: was and not default for one, was in held.items()}
            return {**others, role: default}

        with self.store.read(workspace_id) as view:
            require_role(view, role)
        self._assigned(client, workspace_id, "assigned", more)

    def unassign(self, client: str, workspace_id: str, role: str) -> None:
        """Takes a role from a client; the last one leaves it the one that is built in.

        Raises:
            NotFoundError: There is no such client, or it does not hold the role.
        """

        def fewer(held: dict[str, bool]) -> dict[str, bool]:
            if role not in held:
                raise NotFoundError("role", role)
            return {one: is_default for one, is_default in held.items() if one != role}

        self._assigned(client, workspace_id, "unassigned", fewer)

    def _assigned(
        self,
        client: str,
        workspace_id: str,
        verb: str,
        change: Callable[[dict[str, bool]], dict[str, bool]],
    ) -> None:
        self.require_person("role.assign", Tier.ACCOUNT, None)
        with self.writing(None) as unit:
            unit.clients.get(client)
            rows = unit.knowledge.client_roles(workspace_id, client)
            held = change({one.role: one.is_default for one in rows})
            unit.knowledge.put_client_roles(
                client,
                workspace_id,
                [ClientRole(client, workspace_id, one, held[one]) for one in sorted(held)],
            )
            ids, account = [client, workspace_id], ScopeKey.account()
            kind = EventKind.ROLE_ASSIGNED
            record_known(unit, self.caller, kind, account, ids, self.clock(), did=verb)
            unit.commit()

    def _clients(self, workspace_id: str) -> Mapping[str, tuple[str, ...]]:
        """Clients that have any right in a workspace, by role."""
        found: dict[str, list[str]] = {}
        with self.store.read(None) as view:
            held = {one.client for one in view.knowledge.client_roles(workspace_id)}
            for one in view.knowledge.client_roles(workspace_id):
                found.setdefault(one.role, []).append(one.client)
            for client in view.clients.clients():
                if client.name not in held and client.rights_in(workspace_id):
                    found.setdefault(own_role(client), []).append(client.name)
        return {role: tuple(sorted(names)) for role, names in found.items()}

    def _refused(self, workspace_id: str) -> Counter[tuple[str, str]]:
        """By client and domain how many of its latest writes were refused in the last 30 days."""
        where = EventFilter(frozenset({EventKind.DENIED}), since=self.clock() - REFUSED_WITHIN)
        with self.store.read(None) as view:
            events = view.events.latest(MOST_REFUSED, None, where)
        return Counter(
            (one.actor, one.ids[0]) for one in events if one.ids and one.scope_key == workspace_id
        )

    def _changed(
        self,
        workspace_id: str,
        key: str,
        verb: str,
        change: Callable[[UnitOfWork, Domain], Domain],
    ) -> Domain:
        self.require_person("domain.change", Tier.WORKSPACE, workspace_id)
        with self.writing(workspace_id) as unit:
            before = readable_domain(unit, self.caller, key)
            after = change(unit, before)
            if after != before:
                unit.knowledge.save_domain(after)
                self._record(unit, EventKind.DOMAIN_CHANGED, workspace_id, after.id, verb)
        return after

    def _require_free(self, unit: UnitOfWork, name: str, own_id: str) -> None:
        """Return unless a reader could take the name for another domain's.

        For an agent nothing hangs on domains that are not its own and that it may not read.
        """
        caller = self.caller
        others = [one for one in unit.knowledge.domains() if one.id != own_id]
        limit, counted = MAX_DOMAINS, others
        if caller.is_agent:
            limit = MAX_DOMAINS_OF_AGENT
            counted = [one for one in others if one.created_by == caller.signs_as]
            others = [one for one in others if one in counted or one.id in caller.gate.readable]
        if len(counted) >= limit:
            raise InvalidValueError("domains", "too_many", limit)
        for one in others:  # the very same name is a conflict, which the store says
            if name_key(one.name) != name_key(name) and looks_like(one.name, name):
                raise InvalidValueError("domain", "look_alike")

    def _record(
        self, unit: UnitOfWork, kind: EventKind, workspace_id: str, id_: str, verb: str
    ) -> None:
        """Commits with an event; names of domains and roles are content, and not in the log."""
        scope = ScopeKey.workspace(workspace_id)
        record_known(unit, self.caller, kind, scope, [id_], self.clock(), did=verb)
        unit.commit()

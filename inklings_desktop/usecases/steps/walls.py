"""What a caller may read and write in a domain; whoever writes asks in the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import DomainDeniedError, InvalidValueError, NotFoundError
from inklings_desktop.domain.knowledge.domains import (
    NO_GATE,
    OTHER_ROLE,
    OWN_ROLE,
    Domain,
    Permission,
)
from inklings_desktop.domain.memory import ScopeKey

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import StoreView


def role_of(caller: Caller) -> str:
    """The role that an agent acts under; where there is no domain yet, the one that is built in."""
    return caller.gate.role or (OWN_ROLE if caller.is_own else OTHER_ROLE)


def permission_in(caller: Caller, workspace_id: str, domain: Domain) -> Permission:
    """What the caller may do in a domain: the smaller of its tier right and its role's."""
    if not caller.is_agent:
        return Permission.WRITE
    given = caller.gate.permission(domain.id)
    may_write = caller.may(Action.WRITE, ScopeKey.workspace(workspace_id))
    return given if given is not Permission.WRITE or may_write else Permission.READ


def readable_domain(view: StoreView, caller: Caller, key: str) -> Domain:
    """The domain with this id or name.

    Raises:
        NotFoundError: There is none, or it is closed to this agent: the answer is one.
    """
    domain = view.knowledge.domain(key)
    if caller.is_agent and caller.gate.permission(domain.id) is Permission.NONE:
        raise NotFoundError("domain", key)
    return domain


def domain_in_use(view: StoreView, caller: Caller, key: str) -> Domain:
    """The domain with this id or name, if something new may be written in it.

    Raises:
        NotFoundError: There is none for this caller.
        InvalidValueError: It was put away.
    """
    domain = readable_domain(view, caller, key)
    if domain.archived_at is not None:
        raise InvalidValueError("domain", "archived")
    return domain


def require_write(unit: StoreView, caller: Caller, domain: Domain) -> None:
    """Return only if the caller's role may write in a domain, as the file says it now.

    Raises:
        NotFoundError: It was closed to this agent meanwhile.
        DomainDeniedError: It may only be read.
    """
    if not caller.is_agent:
        return
    names = [one.name for one in unit.knowledge.roles()]
    role = role_of(caller)
    gates = unit.knowledge.gates({*names, role})
    given = gates.get(role, NO_GATE).permission(domain.id)
    if given is Permission.NONE:
        raise NotFoundError("domain", domain.id)
    if given is not Permission.WRITE:
        may = (one for one in names if gates[one].permission(domain.id) is Permission.WRITE)
        raise DomainDeniedError(domain.name, tuple(may), domain.id)


def require_role(view: StoreView, role: str) -> None:
    """Return only if the workspace has this role.

    Raises:
        NotFoundError: It has none of this name.
    """
    if role not in {one.name for one in view.knowledge.roles()}:
        raise NotFoundError("role", role)

"""What an agent's role may write in a domain, asked again in the transaction that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DomainDeniedError, NotFoundError
from inklings_desktop.domain.knowledge.domains import (
    NO_GATE,
    OTHER_ROLE,
    OWN_ROLE,
    Domain,
    Permission,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import StoreView


def role_of(caller: Caller) -> str:
    """The role that an agent acts under; where there is no domain yet, the one that is built in."""
    return caller.gate.role or (OWN_ROLE if caller.is_own else OTHER_ROLE)


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
        raise DomainDeniedError(domain.name, tuple(may))

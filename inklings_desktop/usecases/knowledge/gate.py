"""The one gate before a domain: what is closed is not there, what is readable may be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DomainDeniedError, NotFoundError
from inklings_desktop.domain.knowledge.domains import BUILT_IN_ROLES, Permission

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.knowledge.domains import Domain
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


def readable_domain(view: StoreView, caller: Caller, key: str) -> Domain:
    """The domain with this id or name, if the caller may read it.

    Raises:
        NotFoundError: There is none, or it is closed to the caller.
    """
    domain = view.knowledge.domain(key)
    if caller.is_agent and caller.gate.permission(domain.id) is Permission.NONE:
        raise NotFoundError("domain", key)
    return domain


def require_write(unit: UnitOfWork, caller: Caller, domain: Domain) -> None:
    """Return only if the caller may write there, as the file has it in this transaction.

    Raises:
        NotFoundError: It is closed to the caller by now.
        DomainDeniedError: The caller may only read there; it names the roles that could.
    """
    if not caller.is_agent:
        return
    role = caller.gate.role
    given = unit.knowledge.gates([role])[role].permission(domain.id)
    if given is Permission.WRITE:
        return
    if given is Permission.NONE:
        raise NotFoundError("domain", domain.name)
    roles = {*BUILT_IN_ROLES, *(one.name for one in unit.knowledge.roles())}
    could = (
        name
        for name, gate in unit.knowledge.gates(roles).items()
        if gate.permission(domain.id) is Permission.WRITE
    )
    raise DomainDeniedError(domain.name, tuple(sorted(could)))

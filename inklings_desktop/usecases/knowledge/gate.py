"""The one place where a domain is opened to a caller, or stays closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.knowledge.domains import (
    Domain,
    Permission,
)
from inklings_desktop.domain.memory import ScopeKey

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.store import StoreView


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


def require_role(view: StoreView, role: str) -> None:
    """Return only if the workspace has this role.

    Raises:
        NotFoundError: It has none of this name.
    """
    if role not in {one.name for one in view.knowledge.roles()}:
        raise NotFoundError("role", role)

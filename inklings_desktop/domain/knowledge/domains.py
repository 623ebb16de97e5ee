"""Domains and roles: which agents may read and write which part of what is settled.

The tier right of a client is the outer wall, the permission of its role in a domain the inner one;
the smaller counts. A closed domain answers like one that is not there.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import wall_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import checked_label

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_DOMAINS = 200
MAX_DOMAINS_OF_AGENT = 20
MAX_ROLES = 100
MAX_DOMAIN_NAME, MAX_ROLE_NAME = 80, 40
MAX_DESCRIPTION = 500

OWN_ROLE = "world-agent"
"""What the author's World Agent acts as unless it is said otherwise."""
OTHER_ROLE = "external"
"""What any other client acts as."""
BUILT_IN_ROLES = (OWN_ROLE, OTHER_ROLE)
_ROLE = re.compile(rf"[a-z0-9-]{{2,{MAX_ROLE_NAME}}}")


class Permission(StrEnum):
    """What a role may do in a domain; each has what stands before it."""

    NONE = "none"
    READ = "read"
    WRITE = "write"


_ORDER = tuple(Permission)


@dataclass(frozen=True, slots=True)
class Domain:
    """A named group of facts and house rules.

    Attributes:
        id: Random UUID.
        is_closed: Whether roles that nobody granted anything may not even read.
        created_by: Who made it, by name.
        created_kind: ``person``, ``agent`` or ``clock``.
        archived_at: Since when nothing new is written in it; None while it is in use.
    """

    id: str
    name: str
    description: str
    is_closed: bool
    created_by: str
    created_kind: str
    created_at: datetime
    archived_at: datetime | None = None

    @property
    def default(self) -> Permission:
        """What a role may do in it that nothing was said about."""
        return Permission.NONE if self.is_closed else Permission.READ


@dataclass(frozen=True, slots=True)
class Role:
    """A name that clients act under in one workspace."""

    name: str
    created_at: datetime | None = None
    """When the author made it; None for those that are built in."""


@dataclass(frozen=True, slots=True)
class ClientRole:
    """A client that acts under a role in one workspace."""

    client: str
    workspace_id: str
    role: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class Gate:
    """What one role may do in every domain of a workspace, as the file had it.

    Attributes:
        role: The role that asks.
        permissions: By id of the domain; one that is not here does not exist.
        required: By id of the domain, the roles of which active rules name one; nobody else
            writes there.
        archived: Domains in which nothing new is written.
        names: By id of the domain, what it is called.
    """

    role: str
    permissions: Mapping[str, Permission]
    required: Mapping[str, frozenset[str]]
    archived: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)

    def permission(self, domain_id: str) -> Permission:
        """What the role may do there, required roles included; nothing where it does not exist."""
        given = self.permissions.get(domain_id, Permission.NONE)
        if given is not Permission.WRITE:
            return given
        wanted = self.required.get(domain_id, frozenset())
        is_barred = bool(wanted) and self.role not in wanted
        return Permission.READ if is_barred or domain_id in self.archived else given

    @property
    def readable(self) -> frozenset[str]:
        """Ids of the domains that it may read."""
        return frozenset(
            one for one, given in self.permissions.items() if given is not Permission.NONE
        )

    @property
    def walls(self) -> frozenset[str]:
        """What it passes: see ``MemoryEntry.wall``."""
        return frozenset(map(wall_of, self.readable))


NO_GATE = Gate("", {}, {})
"""Where there are no domains, or none is open."""


def more(one: Permission, other: Permission) -> Permission:
    """The greater of two permissions."""
    return max(one, other, key=_ORDER.index)


def checked_domain_name(name: object) -> str:
    """The name without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, over 80 characters, or with line breaks.
    """
    if not isinstance(name, str):
        raise InvalidValueError("domain", "type")
    return checked_label(name, "domain", MAX_DOMAIN_NAME)


def name_of_agents(name: object, agent: str) -> str:
    """What a domain is called that an agent makes: its own name and the agent's.

    A domain of the author's has no such name. So an agent learns from no refusal what one that is
    closed to it is called, and none of its domains passes for one of the author's.

    Raises:
        InvalidValueError: It can be no name, or is over 80 characters with the agent's.
    """
    own, of = checked_domain_name(name), f" ({agent})"
    return own if own.endswith(of) else checked_domain_name(f"{own}{of}")


def checked_role(role: object) -> str:
    """The name of a role.

    Raises:
        InvalidValueError: Not 2 to 40 small letters, digits and hyphens.
    """
    if not isinstance(role, str) or _ROLE.fullmatch(role) is None:
        raise InvalidValueError("role", "format")
    return role

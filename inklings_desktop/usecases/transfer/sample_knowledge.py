"""What is settled in the sample world: facts in their chains, house rules, and who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.knowledge.domains import ClientRole, Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    FactDetails,
    PolicyDetails,
    StoryInterval,
)
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryEntry,
    MemoryKind,
    ScopeKey,
)
from inklings_desktop.usecases.steps.sources import FROM_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import UnitOfWork

    Told = Mapping[str, Any]
    InstantOf = Callable[[str], datetime]


class SampleKnowledge:
    """The part *knowledge* of the document as domain objects.

    Args:
        document: The parsed sample world.
        workspace_id: Where it is settled.
        instant_of: Shifts a time of the document.
    """

    def __init__(self, document: Told, workspace_id: str, instant_of: InstantOf) -> None:
        self._told, self._workspace_id = document["knowledge"], workspace_id
        self._instant = instant_of
        self.ids = [one["id"] for one in self._told["facts"] + self._told["policies"]]
        self._author = document["account"]["name"]
        self._domains = {one["name"]: one["id"] for one in self._told["domains"]}

    def write(self, unit: UnitOfWork) -> None:
        """Write it into the file of the workspace, which holds the memories it rests on."""
        known = unit.knowledge
        for one in self._told["domains"]:
            at = self._instant(one["created_at"])
            known.save_domain(
                Domain(
                    one["id"], one["name"], one["description"], False, self._author, "person", at
                )
            )
        for one in self._told["roles"]:
            known.save_role(Role(one["name"], self._instant(one["created_at"])))
        for role, granted in self._told["grants"].items():
            for domain, permission in granted.items():
                known.put_grant(role, self._domains[domain], Permission(permission))
        unit.memories.add(list(self._entries()))
        for one in self._told["facts"]:
            first, until = one.get("story_from"), one.get("story_until")
            story = StoryInterval(first, until)
            known.put_details(one["id"], FactDetails(one["confidence"], story))
        for one in self._told["policies"]:
            known.put_details(one["id"], PolicyDetails(one["required_role"], one["always"]))
        for one in self._told["working_memories"]:
            at = self._instant(one["updated_at"])
            known.save_working_memory(WorkingMemory(one["agent"], one["part"], one["body"], 1, at))

    def assign(self, unit: UnitOfWork) -> None:
        """Write into the account's file which client acts as what."""
        held: dict[str, list[ClientRole]] = {}
        for one in self._told["assigned"]:
            role = ClientRole(one["client"], self._workspace_id, one["role"], one["default"])
            held.setdefault(one["client"], []).append(role)
        for client, roles in held.items():
            unit.knowledge.put_client_roles(client, self._workspace_id, roles)

    def _entries(self) -> Iterator[MemoryEntry]:
        """Facts and rules, the earliest first: what replaces a fact is younger than it."""
        rows = [(one, MemoryKind.FACT) for one in self._told["facts"]]
        rows += [(one, MemoryKind.POLICY) for one in self._told["policies"]]
        later = {one["replaces"]: one for one, _ in rows if "replaces" in one}
        for one, kind in sorted(rows, key=lambda row: row[0]["created_at"]):
            curator, at = Curator(one["curator"]), self._instant(one["created_at"])
            successor = later.get(one["id"])
            yield MemoryEntry(
                id=one["id"],
                sequence=0,
                version=1,
                scope=ScopeKey.workspace(self._workspace_id),
                content=one["content"] if kind is MemoryKind.FACT else one["rule"],
                lifetime=Lifetime.LONG_TERM,
                source=one["source"],
                curator=curator,
                importance=0.7,
                tags=(),
                created_at=at,
                written_by=curator.value,
                derived_from=tuple(map(_reference, one["sources"])),
                accessed_at=at if one["access_count"] else None,
                access_count=one["access_count"],
                locked=curator is Curator.AUTHOR,
                paused=not one.get("active", True),
                forgotten_at=self._instant(successor["created_at"]) if successor else None,
                forgotten_reason=SUPERSEDED if successor else None,
                successor_id=successor["id"] if successor else None,
                kind=kind,
                domain_id=self._domains[one["domain"]],
                topic=one.get("topic", ""),
            )


def _reference(source: Told) -> Derivation:
    if "memory" in source:
        return Derivation(source["memory"], FROM_MEMORY)
    return Derivation(source["page"])

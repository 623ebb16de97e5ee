"""What is settled in the sample world: facts in their chains, house rules, and who may do what."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.knowledge.domains import ClientRole, Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    FactDetails,
    PolicyDetails,
    StoryInterval,
    payload_of,
)
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    MemoryVersion,
    ScopeKey,
)
from inklings_desktop.usecases.steps.sources import FROM_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import UnitOfWork

    Told = Mapping[str, Any]
    InstantOf = Callable[[str], datetime]

_IMPORTANCE = 0.7


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
        self._later = {one["replaces"]: one for one in self._told["facts"] if "replaces" in one}
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
        unit.memories.add_history(list(self._endings()))
        for one in self._told["facts"]:
            known.put_details(one["id"], _details(one))
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
        for one, kind in sorted(rows, key=lambda row: row[0]["created_at"]):
            curator, at = Curator(one["curator"]), self._instant(one["created_at"])
            successor = self._later.get(one["id"])
            yield MemoryEntry(
                id=one["id"],
                sequence=0,
                version=2 if successor else 1,
                scope=ScopeKey.workspace(self._workspace_id),
                content=one["content"] if kind is MemoryKind.FACT else one["rule"],
                lifetime=Lifetime.LONG_TERM,
                source=one["source"],
                curator=curator,
                importance=_IMPORTANCE,
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

    def _endings(self) -> Iterator[MemoryVersion]:
        """What superseded facts were, and why their place was taken."""
        for one in self._told["facts"]:
            if (later := self._later.get(one["id"])) is None:
                continue
            was = payload_of(_details(one)) | {"topic": one["topic"], "reason": later["reason"]}
            is_authors = later["curator"] == Curator.AUTHOR
            yield MemoryVersion(
                one["id"],
                1,
                None,
                _IMPORTANCE,
                Lifetime.LONG_TERM,
                (),
                MemoryAction.FORGOTTEN,
                self._instant(later["created_at"]),
                self._author if is_authors else later["source"],
                "window" if is_authors else "mcp",
                extra=json.dumps(was),
            )


def _details(fact: Told) -> FactDetails:
    story = StoryInterval(fact.get("story_from"), fact.get("story_until"))
    return FactDetails(fact["confidence"], story)


def _reference(source: Told) -> Derivation:
    if "memory" in source:
        return Derivation(source["memory"], FROM_MEMORY)
    return Derivation(source["page"])

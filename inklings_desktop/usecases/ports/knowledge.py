"""What the use cases need of what a workspace holds for settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inklings_desktop.domain.knowledge.domains import (
        ClientRole,
        Domain,
        Gate,
        Permission,
        Role,
    )
    from inklings_desktop.domain.knowledge.facts import Ending, FactDetails, PolicyDetails
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memory import MemoryEntry, MemoryKind


class KnowledgeRepository(Protocol):
    """Domains, roles, and what facts and rules have besides their memories; of one file.

    Only ``client_roles`` and ``put_client_roles`` are about the account's file.
    """

    def domains(self) -> tuple[Domain, ...]:
        """All of them by name, archived ones too."""
        ...

    def domain(self, key: str) -> Domain:
        """The domain with this id, or this name regardless of case.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def save_domain(self, domain: Domain) -> None:
        """Add or change one.

        Raises:
            ConflictError: Another one has its name.
        """
        ...

    def drop_domain(self, domain_id: str) -> bool:
        """Take one away with its grants; whether it was, for one with anything in it stays."""
        ...

    def roles(self) -> tuple[Role, ...]:
        """The two that are built in, then those that the author made, by name."""
        ...

    def save_role(self, role: Role) -> None:
        """Add one; one that is there stays as it is."""
        ...

    def drop_role(self, name: str) -> bool:
        """Take one away with its grants; whether it was, for one that a rule names stays."""
        ...

    def grants(self) -> Mapping[tuple[str, str], Permission]:
        """By role and id of the domain what was said; nothing of defaults."""
        ...

    def put_grant(self, role: str, domain_id: str, permission: Permission | None) -> None:
        """Say what a role may do in a domain; None leaves it to the domain's default."""
        ...

    def gates(self, roles: Collection[str]) -> Mapping[str, Gate]:
        """What each of these roles may do, in three statements; none while there is no domain."""
        ...

    def put_details(self, memory_id: str, details: FactDetails | PolicyDetails) -> None:
        """What a fact or a rule has besides its memory, in place of what was there.

        Raises:
            NotFoundError: There is no such memory.
        """
        ...

    def facts_of(self, memory_ids: Collection[str]) -> Mapping[str, FactDetails]:
        """What these facts have, by the id of their memory; others are left out."""
        ...

    def policies_of(self, memory_ids: Collection[str]) -> Mapping[str, PolicyDetails]:
        """The same of house rules."""
        ...

    def notes_of_conversations(self, limit: int, longest: int) -> tuple[MemoryEntry, ...]:
        """The latest retrievable notes that come from conversations, private ones left out.

        Args:
            limit: Most wanted.
            longest: Most characters of one.

        Returns:
            In order of writing.
        """
        ...

    def of_topic(self, domain_id: str, topic: str) -> tuple[MemoryEntry, ...]:
        """Retrievable facts of one topic, compared regardless of case, in order of writing."""
        ...

    def crowded_topics(
        self, memory_ids: Collection[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Domain and topic, as it is compared, of all that have several retrievable facts.

        Of all, or of the topics of these facts alone.
        """
        ...

    def policies(self, *, always: bool = False) -> tuple[MemoryEntry, ...]:
        """House rules that are not forgotten, on and off, in order of writing.

        Args:
            always: Only those that an agent is told at every turn.
        """
        ...

    def has_policies(self) -> bool:
        """Whether there ever was a house rule; quick to tell."""
        ...

    def counts(self) -> Mapping[tuple[str, MemoryKind], int]:
        """Active facts and rules by id of the domain and kind."""
        ...

    def replaced_by(self, memory_ids: Collection[str]) -> Mapping[str, int]:
        """For each of these facts how many stand behind it in its chain; without those of none."""
        ...

    def endings(self, memory_ids: Collection[str]) -> Mapping[str, Ending]:
        """For each of these facts how it was last forgotten; without those that never were.

        One that was superseded with a reason keeps it, if it was forgotten again by an undo.
        """
        ...

    def head(self, memory_id: str) -> str:
        """Id of the fact that stands in the place of this one now; its own where none does."""
        ...

    def chain(self, memory_id: str) -> tuple[MemoryEntry, ...]:
        """Every fact that this one took the place of or was replaced by, the oldest first.

        Raises:
            NotFoundError: There is no such fact.
        """
        ...

    def working_memory(self, agent: str, part: str) -> WorkingMemory | None:
        """What this agent keeps; None if it never kept anything."""
        ...

    def working_memories(self) -> tuple[WorkingMemory, ...]:
        """What every agent keeps, by agent and part."""
        ...

    def save_working_memory(self, kept: WorkingMemory) -> None:
        """Put a text in place of the last one, which is kept; the oldest of more than ten leaves.

        Raises:
            ConflictError: Its version does not follow the stored one.
        """
        ...

    def working_memory_versions(self, agent: str, part: str) -> tuple[WorkingMemory, ...]:
        """Earlier texts, the newest first."""
        ...

    def client_roles(
        self, workspace_id: str | None = None, client: str | None = None
    ) -> tuple[ClientRole, ...]:
        """Which clients act as what, of one workspace or client if it is named."""
        ...

    def put_client_roles(
        self, client: str, workspace_id: str, roles: Collection[ClientRole]
    ) -> None:
        """All roles of a client in a workspace, in place of what was there."""
        ...

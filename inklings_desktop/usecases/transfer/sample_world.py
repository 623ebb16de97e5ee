"""The sample world as its document tells it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    DEFAULT_CHANNEL,
    Channel,
    Conversation,
    ConversationState,
    WorkingNote,
    note_json,
)
from inklings_desktop.domain.rooms.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


_ACTIONS = {"edited": MemoryAction.EDITED, "re-confirmed": MemoryAction.CONFIRMED}


@dataclass(frozen=True, slots=True)
class SampleWorldLoaded:
    """What was written.

    Attributes:
        workspace: The workspace that holds the sample memories.
        n_memories: Memories in all tiers.
        n_embedded: Memories that have a vector.
    """

    workspace: Workspace
    n_memories: int
    n_embedded: int


class SampleWorld:
    """The document as domain objects."""

    def __init__(
        self, document: Mapping[str, Any], shift: timedelta, new_id: Callable[[], str]
    ) -> None:
        self._document = document
        self._shift = shift
        self.workspaces = {
            one["key"]: Workspace(new_id(), one["name"], self.instant(one["created"]))
            for one in document["workspaces"]
        }
        self._main_id = next(iter(self.workspaces.values())).id
        self.channels = {
            one["key"]: Channel(
                one["id"],
                DEFAULT_CHANNEL if one["is_default"] else one["key"],
                one["description"],
                self.instant(one["created_at"]),
            )
            for one in document["channels"]
        }
        self.conversations = {
            one["key"]: self._conversation(one) for one in document["conversations"]
        }

    def _conversation(self, one: Mapping[str, Any]) -> Conversation:
        """A conversation; one that holds something fell silent, and its author kept it all."""
        state = ConversationState(one["status"])
        ended_at = None if state is ConversationState.IDLE else one["ended_at"]
        return Conversation(
            one["id"],
            one["ref_code"],
            self.channels[one["channel"]].id,
            one["title"],
            state,
            self.instant(one["started_at"]),
            None if ended_at is None else self.instant(ended_at),
        )

    def memories(self) -> Iterator[MemoryEntry]:
        """The memories, the earliest first, so that their sequence follows their age."""
        for one in sorted(self._document["memories"], key=lambda memory: memory["created_at"]):
            curator = Curator(one["curator"])
            edits = [
                self.instant(step["at"]) for step in one["history"] if step["action"] == "edited"
            ]
            confirmed = [
                self.instant(step["at"])
                for step in one["history"]
                if step["action"] == "re-confirmed"
            ]
            is_account = one["tier"] == Tier.ACCOUNT
            conversation = one.get("source_conversation")
            yield MemoryEntry(
                id=one["id"],
                sequence=0,
                version=len(one["history"]),
                scope=self.scope(one),
                content=one["content"],
                lifetime=Lifetime(one["lifetime"]),
                source=one["source"],
                curator=curator,
                importance=float(one["importance"]),
                tags=tuple(one["tags"]),
                created_at=self.instant(one["created_at"]),
                written_by=curator.value,
                source_conversation=None
                if is_account or not conversation
                else self.conversations[conversation].id,
                derived_from=()
                if is_account
                else tuple(Derivation(of["page"], of["block"]) for of in one["derivations"]),
                edited_at=edits[-1] if edits else None,
                accessed_at=self.instant(one["accessed_at"]) if one["access_count"] else None,
                access_count=one["access_count"],
                confirmed_at=confirmed[-1] if confirmed else None,
                locked=curator is Curator.AUTHOR,
            )

    def history(self, workspace_id: str | None) -> Iterator[MemoryVersion]:
        """Earlier states of the memories of one file, as far as the document tells them."""
        for one in self._in_file(workspace_id):
            for version, step in enumerate(one["history"][1:], start=1):
                yield MemoryVersion(
                    one["id"],
                    version,
                    None,
                    float(one["importance"]),
                    Lifetime(one["lifetime"]),
                    tuple(one["tags"]),
                    _ACTIONS.get(step["action"], MemoryAction.REWEIGHTED),
                    self.instant(step["at"]),
                    step["by"],
                    "window" if step["by"] == Curator.AUTHOR else "mcp",
                )

    def notes(self) -> Iterator[WorkingNote]:
        """The working notes."""
        for one in self._document["scratchpad"]:
            yield WorkingNote(
                self.conversations[one["conversation"]].id,
                one["key"],
                note_json(one["value"]),
                self.instant(one["created_at"]),
                self.instant(one["updated_at"]),
            )

    def embedded_ids(self, workspace_id: str | None) -> list[str]:
        """Ids of the memories of one file that start with a vector."""
        return [one["id"] for one in self._in_file(workspace_id) if one["has_embedding"]]

    def _in_file(self, workspace_id: str | None) -> Iterator[Mapping[str, Any]]:
        for one in self._document["memories"]:
            if (one["tier"] == Tier.ACCOUNT) == (workspace_id is None):
                yield one

    def scope(self, one: Mapping[str, Any]) -> ScopeKey:
        """Where a memory or a question of the document belongs."""
        match Tier(one["tier"]):
            case Tier.CONVERSATION:
                return ScopeKey.conversation(self._main_id, self.conversations[one["scope"]].id)
            case Tier.CHANNEL:
                return ScopeKey.channel(self._main_id, self.channels[one["scope"]].id)
            case Tier.WORKSPACE:
                return ScopeKey.workspace(self._main_id)
            case Tier.ACCOUNT:
                return ScopeKey.account()

    def instant(self, text: str) -> datetime:
        """A time of the document, shifted so that it looks fresh."""
        return instant_of(text) + self._shift


def instant_of(text: str) -> datetime:
    """A time of the document."""
    return datetime.fromisoformat(text).astimezone(UTC)

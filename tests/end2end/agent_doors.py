"""The two ways an agent reaches memory: the use cases themselves, and the protocol over them."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from mcp import Client

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.usecases.rooms.orient import OrientationRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.bundle import Inklings


class RefusedError(Exception):
    """The door said no; what it said is the argument."""


class AgentsDoor(Protocol):
    """What a scenario does as an agent, bound to one workspace."""

    def put(
        self,
        tier: Tier,
        content: str,
        *,
        scope: str | None = None,
        lifetime: str | None = None,
        importance: float = 0.5,
        private: bool = False,
    ) -> str:
        """Id of the new memory; empty when the author has to decide."""

    def read(self, tier: Tier, query: str, *, scope: str | None = None) -> list[str]:
        """Texts of the hits, best first."""

    def orient(self, conversation: str | None, query: str) -> str:
        """The document of the turn."""

    def start(self, channel: str = "general") -> str:
        """Id of a new conversation."""

    def end(self, conversation: str, summary: str = "") -> None:
        """Let it rest."""

    def write_note(self, conversation: str, key: str, value: object) -> None:
        """Keep a working note."""

    def read_note(self, conversation: str, key: str) -> object:
        """Value of a working note."""

    def forget(self, tier: Tier, memory_id: str, scope: str | None = None) -> None:
        """Forget by id."""


@dataclass(frozen=True, slots=True)
class UseCaseDoor:
    """An agent as a caller of the use cases."""

    inklings: Inklings
    workspace_id: str
    client: str

    def caller(self) -> Caller:
        """Who it is now."""
        return self.inklings.clients.admit(self.client, self.workspace_id)

    def put(
        self,
        tier: Tier,
        content: str,
        *,
        scope: str | None = None,
        lifetime: str | None = None,
        importance: float = 0.5,
        private: bool = False,
    ) -> str:
        """Id of the new memory; empty when the author has to decide."""
        draft = MemoryDraft(
            self._scope(tier, scope),
            content,
            importance,
            None if lifetime is None else Lifetime(lifetime),
            "orchestrator",
            source_conversation=scope if tier is Tier.CONVERSATION else None,
            private_to=self.client if private else None,
        )
        from inklings_desktop.domain.errors import HeldForReviewError

        try:
            with refusals():
                return self.inklings.as_caller(self.caller()).memories.put(draft).id
        except HeldForReviewError:
            return ""

    def read(self, tier: Tier, query: str, *, scope: str | None = None) -> list[str]:
        """Texts of the hits, best first."""
        with refusals():
            found = self.inklings.as_caller(self.caller()).search.read(
                self._scope(tier, scope), query=query
            )
        return [one.entry.content for one in found.memories]

    def orient(self, conversation: str | None, query: str) -> str:
        """The document of the turn."""
        with refusals():
            request = OrientationRequest(self.workspace_id, conversation, query)
            return self.inklings.as_caller(self.caller()).orientation.orient(request).markdown

    def start(self, channel: str = "general") -> str:
        """Id of a new conversation."""
        with refusals():
            return (
                self.inklings.as_caller(self.caller())
                .conversations.start(self.workspace_id, channel=channel)
                .id
            )

    def end(self, conversation: str, summary: str = "") -> None:
        """Let it rest."""
        with refusals():
            self.inklings.as_caller(self.caller()).conversations.idle(
                self.workspace_id, conversation, summary=summary
            )

    def write_note(self, conversation: str, key: str, value: object) -> None:
        """Keep a working note."""
        with refusals():
            self.inklings.as_caller(self.caller()).notes.write(
                self.workspace_id, conversation, key, value
            )

    def read_note(self, conversation: str, key: str) -> object:
        """Value of a working note."""
        import json

        with refusals():
            note = self.inklings.as_caller(self.caller()).notes.read(
                self.workspace_id, conversation, key
            )
        return json.loads(note.value_json)

    def forget(self, tier: Tier, memory_id: str, scope: str | None = None) -> None:
        """Forget by id."""
        from inklings_desktop.domain.memory import MemoryRef

        with refusals():
            self.inklings.as_caller(self.caller()).memories.forget(
                [MemoryRef(self._scope(tier, scope), memory_id)]
            )

    def _scope(self, tier: Tier, scope: str | None) -> ScopeKey:
        if tier is Tier.ACCOUNT:
            return ScopeKey.account()
        return ScopeKey(tier, self.workspace_id, scope or self.workspace_id)


@dataclass(frozen=True, slots=True)
class ProtocolDoor:
    """An agent as a client of the protocol."""

    inklings: Inklings
    workspace_id: str
    client: str

    def put(
        self,
        tier: Tier,
        content: str,
        *,
        scope: str | None = None,
        lifetime: str | None = None,
        importance: float = 0.5,
        private: bool = False,
    ) -> str:
        """Id of the new memory; empty when the author has to decide."""
        answer = self.call(
            "memory_put",
            tier=tier.value,
            content=content,
            scope=scope,
            lifetime=lifetime,
            importance=importance,
            private=private,
            detail="full",
        )
        return str(answer["memory"]["id"]) if answer["status"] == "stored" else ""

    def read(self, tier: Tier, query: str, *, scope: str | None = None) -> list[str]:
        """Texts of the hits, best first."""
        answer = self.call("memory_read", tier=tier.value, query=query, scope=scope)
        return [hit["content"] for hit in answer["hits"]]

    def orient(self, conversation: str | None, query: str) -> str:
        """The document of the turn."""
        answer = self.call("memory_orient", conversation=conversation, query=query)
        return str(answer["markdown"])

    def start(self, channel: str = "general") -> str:
        """Id of a new conversation."""
        return str(self.call("conversation_start", channel=channel)["conversation"]["id"])

    def end(self, conversation: str, summary: str = "") -> None:
        """Let it rest."""
        self.call("conversation_end", conversation=conversation, summary=summary)

    def write_note(self, conversation: str, key: str, value: object) -> None:
        """Keep a working note."""
        self.call("note_write", conversation=conversation, key=key, value=value)

    def read_note(self, conversation: str, key: str) -> object:
        """Value of a working note."""
        return self.call("note_read", conversation=conversation, key=key)["note"]["value"]

    def forget(self, tier: Tier, memory_id: str, scope: str | None = None) -> None:
        """Forget by id."""
        self.call("memory_forget", tier=tier.value, id=memory_id, scope=scope)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers."""

        @contextmanager
        def opened() -> Iterator[Inklings]:
            yield self.inklings

        async def called() -> Any:
            async with Client(InklingsServer(ClientSession(self.client, opened))) as client:
                return await client.call_tool(tool, arguments)

        result = asyncio.run(called())
        if result.is_error:
            raise RefusedError(result.content[0].text.partition(": ")[2])
        structured: dict[str, Any] = result.structured_content
        return structured


@contextmanager
def refusals() -> Iterator[None]:
    """What a use case refuses, as the same error that the protocol's door raises."""
    from inklings_desktop.domain.errors import HeldForReviewError
    from inklings_desktop.mcp_server.words.answers import sentence_of

    try:
        yield
    except HeldForReviewError:
        raise
    except InklingsError as error:
        raise RefusedError(sentence_of(error)) from error

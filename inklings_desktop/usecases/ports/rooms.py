"""What the use cases need of a workspace's rooms: channels, conversations, working notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.clients import Participation
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation, WorkingNote


class ConversationRepository(Protocol):
    """Channels and conversations of one workspace."""

    def add_channel(self, channel: Channel) -> None:
        """Store a new channel.

        Raises:
            ConflictError: An open or archived channel has this name, regardless of case.
        """
        ...

    def get_channel(self, key: str) -> Channel:
        """The channel with this id, or this name regardless of case.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def channels(self, *, include_archived: bool) -> tuple[Channel, ...]:
        """Channels, ``general`` first, then in order of creation."""
        ...

    def save_channel(self, channel: Channel) -> None:
        """Replace a channel's name, description and archive date.

        Raises:
            NotFoundError: It is not there.
            ConflictError: Another channel has this name.
        """
        ...

    def add(self, conversation: Conversation, participants: Sequence[str]) -> None:
        """Store a new conversation with the agents that take part."""
        ...

    def add_participant(self, conversation_id: str, client: str, at: datetime) -> None:
        """Let an agent take part that does not yet."""
        ...

    def get(self, key: str) -> Conversation:
        """The conversation with this id or ref code.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def conversations(
        self, *, channel_id: str | None, include_archived: bool
    ) -> tuple[Conversation, ...]:
        """Conversations of one channel or all, latest start first."""
        ...

    def save(self, conversation: Conversation) -> None:
        """Replace a conversation's title, state and end; what it allows ends with it.

        Raises:
            NotFoundError: It is not there.
        """
        ...

    def participants(self, conversation_id: str) -> frozenset[str]:
        """Names of the agents that take part."""
        ...

    def told_at(self, conversation_id: str, client: str) -> datetime | None:
        """Until when an agent that takes part knows what changed; None before its first turn."""
        ...

    def note_told(self, conversation_id: str, client: str, at: datetime) -> None:
        """Note that an agent knows what changed until then; nothing if it takes no part."""
        ...

    def participation(self, client: str) -> Participation:
        """Where an agent takes part: its conversations, and the channels of open ones."""
        ...


class NoteRepository(Protocol):
    """Working notes of one workspace."""

    def write(self, note: WorkingNote) -> WorkingNote:
        """Store or replace a note; a replaced one keeps its time of creation."""
        ...

    def read(self, conversation_id: str, key: str) -> WorkingNote:
        """One note.

        Raises:
            NotFoundError: This conversation has no such key.
        """
        ...

    def notes(self, conversation_ids: Sequence[str]) -> tuple[WorkingNote, ...]:
        """Notes of these conversations, latest written first."""
        ...

    def clear(self, conversation_id: str) -> int:
        """Remove every note of one conversation; how many there were."""
        ...

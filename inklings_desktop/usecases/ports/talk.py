"""What the use cases need of talk: messages, and writes that may be sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import KeptRequest, RequestMark
    from inklings_desktop.domain.rooms.messages import Allowance, Message, TalkHead


class MessageRepository(Protocol):
    """Messages of one workspace."""

    def append(self, message: Message) -> Message:
        """Store a message behind the last one of its conversation; with its number."""
        ...

    def get(self, conversation_id: str, id_: str) -> Message:
        """One message of a conversation.

        Raises:
            NotFoundError: There is no such message in it.
        """
        ...

    def page(self, conversation_id: str, before: int | None, limit: int) -> tuple[Message, ...]:
        """The latest messages before a number, or of all; newest last."""
        ...

    def moments(self, conversation_id: str) -> tuple[tuple[int, datetime], ...]:
        """Number and time of every message of a conversation, the first one first."""
        ...

    def heads(self, now: datetime) -> tuple[TalkHead, ...]:
        """Of every conversation in which something was said: how much, and how it stands."""
        ...

    def mark_read(self, conversation_id: str, at: datetime) -> int:
        """Note that the person saw every answer of a conversation; how many were new."""
        ...

    def allowances(self, conversation_id: str) -> tuple[Allowance, ...]:
        """What a conversation allows without asking, by tool; it ends with the conversation."""
        ...

    def take_back(self, conversation_id: str, allowance: Allowance) -> bool:
        """Let it be asked about again; whether it was allowed."""
        ...


class RequestRepository(Protocol):
    """Writes of one file that their clients may send again."""

    def find(self, client: str, key: str) -> KeptRequest | None:
        """What a client's write under this key did; None if it was never done."""
        ...

    def keep(
        self, client: str, mark: RequestMark, word: str, ids: tuple[str, ...], at: datetime
    ) -> None:
        """Keep one more thing that a write did; those of a week ago go.

        Raises:
            ConflictError: It was carried out meanwhile, in another transaction.
        """
        ...


class TalkUpkeep(Protocol):
    """What agents leave behind in one file: how far they had come, and keys of their writes."""

    def thin(self, now: datetime) -> dict[str, int]:
        """Take away what is kept no longer; how much of what, without what there was none of.

        Words are ``checkpoints``, ``runs``, ``trace_details`` and ``request_keys``.
        """
        ...

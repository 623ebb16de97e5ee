"""Messages and repeatable requests in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import KeptRequest
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.rooms.messages import MessageRole, TalkHead
from inklings_desktop.domain.rooms.retention import REQUESTS_KEPT_FOR

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import RequestMark
    from inklings_desktop.domain.rooms.messages import Allowance, Message
    from tests.support.fake_file import FakeChanges, FakeFile


class FakeMessageRepository:
    """The ``MessageRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges) -> None:
        self._file = file
        self._changes = changes

    def append(self, message: Message) -> Message:
        """Store a message behind the last one of its conversation."""
        said = self._file.messages.get(message.conversation_id, ())
        stored = replace(message, number=len(said) + 1)
        self._file.messages[message.conversation_id] = (*said, stored)
        self._changes.rooms = True
        return stored

    def get(self, conversation_id: str, id_: str) -> Message:
        """One message of a conversation."""
        for message in self._file.messages.get(conversation_id, ()):
            if message.id == id_:
                return message
        raise NotFoundError("message", id_)

    def page(self, conversation_id: str, before: int | None, limit: int) -> tuple[Message, ...]:
        """The latest messages before a number; newest last."""
        said = self._file.messages.get(conversation_id, ())
        found = [one for one in said if before is None or one.number < before]
        return tuple(found[-limit:])

    def moments(self, conversation_id: str) -> tuple[tuple[int, datetime], ...]:
        """Number and time of every message of a conversation."""
        said = self._file.messages.get(conversation_id, ())
        return tuple((one.number, one.created_at) for one in said)

    def heads(self, _now: datetime) -> tuple[TalkHead, ...]:
        """Of every conversation in which something was said: how much, and until when."""
        return tuple(
            TalkHead(
                id_,
                len(said),
                sum(one.role is MessageRole.ASSISTANT and one.read_at is None for one in said),
                max(one.created_at for one in said),
                self._file.conversations[id_].state,
            )
            for id_, said in self._file.messages.items()
        )

    def mark_read(self, conversation_id: str, at: datetime) -> int:
        """Note that the person saw every answer of a conversation."""
        said = self._file.messages.get(conversation_id, ())
        is_new = [one.role is MessageRole.ASSISTANT and one.read_at is None for one in said]
        self._file.messages[conversation_id] = tuple(
            replace(one, read_at=at) if new else one for one, new in zip(said, is_new, strict=True)
        )
        self._changes.rooms = self._changes.rooms or any(is_new)
        return sum(is_new)

    def allowances(self, conversation_id: str) -> tuple[Allowance, ...]:
        """What a conversation allows without asking."""
        return self._file.allowances.get(conversation_id, ())

    def take_back(self, conversation_id: str, allowance: Allowance) -> bool:
        """Let it be asked about again."""
        allowed = self.allowances(conversation_id)
        left = tuple(one for one in allowed if one != allowance)
        self._file.allowances[conversation_id] = left
        self._changes.rooms = self._changes.rooms or left != allowed
        return left != allowed


class FakeRequestRepository:
    """The ``RequestRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def find(self, client: str, key: str) -> KeptRequest | None:
        """What a client's write under this key did."""
        kept = self._file.repeatable.get((client, key))
        return None if kept is None else kept[0]

    def keep(
        self, client: str, mark: RequestMark, word: str, ids: tuple[str, ...], at: datetime
    ) -> None:
        """Keep one more thing that a write did."""
        before, began = self._file.repeatable.get((client, mark.key), (KeptRequest(mark, ()), at))
        if began != at:
            raise ConflictError("request", mark.key)
        kept = KeptRequest(mark, (*before.outcome, (word, ids)))
        self._file.repeatable[client, mark.key] = (kept, at)


class FakeTalkUpkeep:
    """The ``TalkUpkeep`` over a ``FakeFile``, which has no runs."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def thin(self, now: datetime) -> dict[str, int]:
        """Take away what is kept no longer."""
        kept = self._file.repeatable
        gone = [one for one, (_, at) in kept.items() if at < now - REQUESTS_KEPT_FOR]
        for one in gone:
            del kept[one]
        return {"request_keys": len(gone)} if gone else {}

"""What is said in a conversation, kept for the person and for replay.

Messages are no tier of memory: no search, orientation, decay or consolidation reads them, and an
agent is handed only those of a conversation it takes part in. Source: design of the World Agent,
"Data model".
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.text_rules import is_own_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

MAX_PARTS_BYTES = 256 * 1024
MAX_TURN_CHARACTERS = 64
MAX_MODEL_CHARACTERS = 200
_WORDS = frozenset({"text", "attachment", "stopped", "scrubbed"})


class MessageRole(StrEnum):
    """Whose words they are; a notice is the program's own."""

    USER = "user"
    ASSISTANT = "assistant"
    NOTICE = "notice"


class MessageState(StrEnum):
    """How an answer ended; a person's message is always complete."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    FAILED = "failed"


class ProducedBy(StrEnum):
    """What made the words."""

    MECHANICAL = "mechanical"
    MODEL = "model"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        id: Random UUID.
        conversation_id: Where it was said.
        number: Counts within the conversation, from 1; 0 before it is stored.
        turn: The turn it belongs to, as the agent names it.
        role: Whose words they are.
        parts_json: What is shown, a JSON array of objects with ``kind``; at most 256 KiB.
        client: Through whom it came: a client's name, or the person's.
        produced_by: What made it.
        model: The model that made it; None for none.
        read_at: When the person saw it; None for not yet.
    """

    id: str
    conversation_id: str
    number: int
    turn: str
    role: MessageRole
    state: MessageState
    parts_json: str
    client: str
    produced_by: ProducedBy
    created_at: datetime
    model: str | None = None
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TalkDay:
    """A day on which something was said in a conversation.

    Attributes:
        day: On the wall of where the program runs.
        number: Of the first message of that day.
    """

    day: date
    number: int
    n_messages: int


class TalkRun(StrEnum):
    """How the latest turn of a conversation stands."""

    NONE = "none"
    """None is under way, or there never was one."""
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    """It began and has no end, and nobody is at work on it."""


def run_as_it_stands(state: str | None, *, is_held: bool) -> TalkRun:
    """How a conversation's latest turn stands.

    Args:
        state: The word that its run was stored with; None for no run.
        is_held: Whether somebody says at the moment that they are at work on it.
    """
    if state == "running" and is_held:
        return TalkRun.RUNNING
    return TalkRun.INTERRUPTED if state in {"running", "parked"} else TalkRun.NONE


@dataclass(frozen=True, slots=True)
class TalkHead:
    """What a list of conversations says of one.

    Attributes:
        n_unread: Answers that the person has not seen.
        last_at: When the latest was stored.
        state: Whether it goes on, rests or was put away.
        run: How its latest turn stands.
    """

    conversation_id: str
    n_messages: int
    n_unread: int
    last_at: datetime
    state: ConversationState = ConversationState.ACTIVE
    run: TalkRun = TalkRun.NONE


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message as a client hands it in.

    Attributes:
        role: Whose words they are.
        parts_json: As of ``Message``.
        turn: The turn it belongs to.
        produced_by: What made it.
        model: The model that made it; None for none.
    """

    role: MessageRole
    parts_json: str
    turn: str
    state: MessageState = MessageState.COMPLETE
    produced_by: ProducedBy = ProducedBy.MECHANICAL
    model: str | None = None

    def checked(self) -> MessageDraft:
        """This draft, its parts compact.

        Raises:
            InvalidValueError: Its parts, its turn or its model's name cannot be kept.
        """
        if not is_own_name(self.turn, MAX_TURN_CHARACTERS):
            raise InvalidValueError("turn", "format")
        if self.model is not None and len(self.model) > MAX_MODEL_CHARACTERS:
            raise InvalidValueError("model", "too_long", MAX_MODEL_CHARACTERS)
        parts = checked_parts(self.parts_json)
        return MessageDraft(self.role, parts, self.turn, self.state, self.produced_by, self.model)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the author allowed an agent without being asked again, until a conversation ends.

    Attributes:
        digest: Of the arguments that it is allowed with; empty for any.
    """

    tool: str
    digest: str = ""


def checked_parts(text: str) -> str:
    """The parts of a message as compact JSON.

    Raises:
        InvalidValueError: No array of objects that each say their ``kind``, or over 256 KiB.
    """
    try:
        parts: object = json.loads(text)
        compact = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        n_bytes = len(compact.encode())
    except (ValueError, RecursionError):
        raise InvalidValueError("parts", "json") from None
    is_listed = isinstance(parts, list) and all(
        isinstance(part, dict) and isinstance(part.get("kind"), str) for part in parts
    )
    if not is_listed:
        raise InvalidValueError("parts", "json")
    if n_bytes > MAX_PARTS_BYTES:
        raise InvalidValueError("parts", "too_long", MAX_PARTS_BYTES)
    return compact


def text_of(parts: Sequence[Mapping[str, object]]) -> str:
    """The words of a message's parts, as a person reads them."""
    return "\n\n".join(str(part.get("text", "")) for part in parts if part.get("kind") == "text")


def words_alone(parts_json: str) -> str:
    """Stored parts without what tells what an agent did: what was said, and how it ended."""
    parts = json.loads(parts_json)
    kept = [one for one in parts if isinstance(one, dict) and one.get("kind") in _WORDS]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))

"""Channels, conversations with their life cycle, and working notes."""

from __future__ import annotations

import json
import math
import unicodedata
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.errors import IllegalTransitionError, InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import checked_label, has_controls, hides_characters

if TYPE_CHECKING:
    from datetime import datetime

DEFAULT_CHANNEL = "general"
REF_CODE_LENGTH = 11
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MAX_NAME_CHARACTERS = 120
MAX_NOTE_KEY_CHARACTERS = 128
MAX_NOTE_BYTES = 64 * 1024
MAX_NOTE_DEPTH = 64
SUMMARY_NOTE = "summary"
"""Key of the working note that holds what the agent would keep of a conversation."""


class ConversationState(StrEnum):
    """Where a conversation stands."""

    ACTIVE = "active"
    IDLE = "idle"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Channel:
    """A room that conversations share.

    Attributes:
        id: Random UUID.
        name: As the author wrote it; unique in the workspace, regardless of case.
        description: One line, may be empty.
        archived_at: When it was archived; None while open.
    """

    id: str
    name: str
    description: str
    created_at: datetime
    archived_at: datetime | None = None

    @property
    def is_default(self) -> bool:
        """Whether it is the one that every workspace has."""
        return self.name.casefold() == DEFAULT_CHANNEL


@dataclass(frozen=True, slots=True)
class Conversation:
    """One exchange with the agent; it belongs to exactly one channel.

    Attributes:
        id: Random UUID.
        ref_code: 11 base62 characters, for people to quote.
        title: May be empty.
        state: Active, idle or archived.
        ended_at: When somebody ended or archived it; None also while it rests out of silence.
        heard_at: When something was last heard in it; None for not since it started, or once the
            author decided to keep what a silent one holds.
    """

    id: str
    ref_code: str
    channel_id: str
    title: str
    state: ConversationState
    started_at: datetime
    ended_at: datetime | None = None
    heard_at: datetime | None = None

    @property
    def silent_since(self) -> datetime:
        """Since when nothing was heard in it."""
        return self.heard_at or self.started_at

    @property
    def is_abandoned(self) -> bool:
        """Whether it rests because it fell silent: nobody ended it, and it holds what it held."""
        return self.state is ConversationState.IDLE and self.ended_at is None

    @property
    def waits_for_review(self) -> bool:
        """Whether the author has yet to say what becomes of what it holds."""
        return self.is_abandoned and self.heard_at is not None

    @property
    def is_over(self) -> bool:
        """Whether it was ended or put away: nothing new is written in it any more."""
        return self.state is not ConversationState.ACTIVE and not self.is_abandoned

    def fallen_silent(self) -> Self:
        """This conversation at rest, until something is heard in it or the author decides."""
        return replace(self, state=ConversationState.IDLE, heard_at=self.silent_since)

    def heard(self, at: datetime) -> Self:
        """This conversation after a sign of life: awake again if it only had fallen silent."""
        state = ConversationState.ACTIVE if self.is_abandoned else self.state
        return replace(self, state=state, heard_at=at)


@dataclass(frozen=True, slots=True)
class WorkingNote:
    """A scratchpad entry of one conversation, kept by the agent.

    Attributes:
        conversation_id: The only conversation that can read it.
        key: Its name.
        value_json: Its JSON value, compact.
        created_at: First written.
        updated_at: Last written.
    """

    conversation_id: str
    key: str
    value_json: str
    created_at: datetime
    updated_at: datetime


def new_ref_code() -> str:
    """A fresh 11-character base62 code (65 bits; collisions are refused by the store)."""
    from secrets import choice

    return "".join(choice(BASE62) for _ in range(REF_CODE_LENGTH))


def next_state(
    current: ConversationState, wanted: ConversationState, *, force: bool = False
) -> ConversationState:
    """The state after a legal step: Active → Idle → Archived, Active → Archived only by force.

    Raises:
        IllegalTransitionError: Any other step.
    """
    legal = {
        (ConversationState.ACTIVE, ConversationState.IDLE),
        (ConversationState.IDLE, ConversationState.ARCHIVED),
    }
    if force:
        legal.add((ConversationState.ACTIVE, ConversationState.ARCHIVED))
    if (current, wanted) not in legal:
        raise IllegalTransitionError(current.value, wanted.value)
    return wanted


def checked_name(name: object, field: str = "name") -> str:
    """A display name for a workspace or channel, composed, without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, over 120 characters, or with control characters.
    """
    if not isinstance(name, str):
        raise InvalidValueError(field, "type")
    return _checked_line(unicodedata.normalize("NFC", name), field, MAX_NAME_CHARACTERS)


def name_key(name: str) -> str:
    """A name as it is compared with others: without regard to case or composition."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def checked_title(title: object) -> str:
    """A conversation's title; may be empty.

    Raises:
        InvalidValueError: As for names.
    """
    return "" if isinstance(title, str) and not title.strip() else checked_name(title, "title")


def checked_note_key(key: object) -> str:
    """The key of a working note.

    Raises:
        InvalidValueError: Not text, empty, over 128 characters, or with control characters.
    """
    if not isinstance(key, str):
        raise InvalidValueError("key", "type")
    if len(key) > MAX_NOTE_KEY_CHARACTERS:
        raise InvalidValueError("key", "too_long", MAX_NOTE_KEY_CHARACTERS)
    if has_controls(key):
        raise InvalidValueError("key", "control_characters")
    _checked_line(key, "key", MAX_NOTE_KEY_CHARACTERS)
    return key


def note_json(value: object) -> str:
    """A working note's value as compact JSON.

    Raises:
        InvalidValueError: Not JSON (NaN and infinities count as none), over 64 KiB, or nested
            deeper than 64 levels.
    """
    _refuse_depth(value)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
        n_bytes = len(text.encode("utf-8"))
    except (TypeError, ValueError, RecursionError):
        raise InvalidValueError("value", "json") from None
    if n_bytes > MAX_NOTE_BYTES:
        raise InvalidValueError("value", "too_long", MAX_NOTE_BYTES)
    return text


def parse_note_value(text: str) -> object:
    """The JSON value a person or script typed.

    Raises:
        InvalidValueError: It is not JSON, nested too deeply, or holds a number that is not finite.
    """

    def finite(literal: str) -> float:
        number = float(literal)
        if not math.isfinite(number):
            raise InvalidValueError("value", "json")
        return number

    try:
        parsed: object = json.loads(text, parse_float=finite, parse_constant=finite)
    except (ValueError, RecursionError):
        raise InvalidValueError("value", "json") from None
    _refuse_depth(parsed)
    return parsed


def _refuse_depth(value: object) -> None:
    """Raise for a value that some reader's stack could not hold, circular ones included."""
    waiting = [(value, 1)]
    while waiting:
        one, depth = waiting.pop()
        if not isinstance(one, dict | list | tuple):
            continue
        if depth > MAX_NOTE_DEPTH:
            raise InvalidValueError("value", "too_deep", MAX_NOTE_DEPTH)
        inner = one.values() if isinstance(one, dict) else one
        waiting.extend((part, depth + 1) for part in inner)


def _checked_line(text: str, field: str, max_characters: int) -> str:
    line = checked_label(text, field, max_characters)
    if hides_characters(line):
        raise InvalidValueError(field, "control_characters")
    return line

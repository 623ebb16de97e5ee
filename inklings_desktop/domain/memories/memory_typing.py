"""Unsaved typing in a memory or a message, kept so that a killed program loses next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import stored_bytes

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import Lifetime, MemoryEntry, ScopeKey

NEW_MEMORY = ""
"""Stands for the id of a memory that was never stored."""
MESSAGE = "message"
"""Stands for the id of what is written in a conversation and not sent; its content is JSON."""


@dataclass(frozen=True, slots=True)
class MemoryTyping:
    """What stood in the fields of a memory and was not saved.

    Attributes:
        scope: Where the memory belongs, or would.
        memory_id: The memory; empty for one that was never stored, of which a scope has one.
        base_version: Version on which the typing began; 0 for a new memory.
        content: The text so far; it may be empty.
        lifetime: As chosen.
        tags: In order.
    """

    scope: ScopeKey
    memory_id: str
    base_version: int
    content: str
    importance: float
    lifetime: Lifetime
    tags: tuple[str, ...]
    kept_at: datetime

    @property
    def is_new(self) -> bool:
        """Whether the memory was never stored."""
        return self.memory_id == NEW_MEMORY

    @property
    def is_message(self) -> bool:
        """Whether it is what is written in a conversation, and no memory."""
        return self.memory_id == MESSAGE

    @property
    def mark(self) -> str:
        """What change records call it: the id, or the place of a new memory."""
        return self.memory_id or f"{self.scope.tier}/{self.scope.key}"

    @property
    def values(self) -> tuple[object, ...]:
        """Everything but the moment at which it was kept."""
        return (
            self.scope,
            self.memory_id,
            self.base_version,
            self.content,
            self.importance,
            self.lifetime,
            self.tags,
        )

    def says_as(self, entry: MemoryEntry) -> bool:
        """Whether nothing of it would be lost: the memory is stored with these values."""
        return (
            self.content == entry.content
            and self.importance == entry.importance
            and self.lifetime is entry.lifetime
            and self.tags == entry.tags
        )


def checked_typing(content: str) -> str:
    """The text, unchanged, if it can be kept; unlike a memory it may say nothing yet.

    Raises:
        InvalidValueError: It holds NUL or a lone surrogate, or is longer than 64 KiB in UTF-8.
    """
    if stored_bytes(content, "content") > MAX_CONTENT_BYTES:
        raise InvalidValueError("content", "too_long", MAX_CONTENT_BYTES)
    return content

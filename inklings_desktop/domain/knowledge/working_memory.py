"""Working memory: one text that an agent keeps between its runs; no tier, never ranked or found.

It is the agent's among agents, and in plain view of the author.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import is_own_name, stored_bytes

if TYPE_CHECKING:
    from datetime import datetime

MAX_KEPT_BYTES = 16 * 1024
MAX_VERSIONS = 10
"""Earlier texts that are kept of one."""
MAX_PART_CHARACTERS = 40
STALE_AFTER = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class WorkingMemory:
    """What one agent keeps.

    Attributes:
        agent: Name of the client.
        part: Which of its parts keeps it, ``researcher`` say; empty for the agent itself.
        body: The text, at most 16 KiB in UTF-8; empty once it was cleared.
        version: Counts saved texts from 1.
    """

    agent: str
    part: str
    body: str
    version: int
    updated_at: datetime

    def is_stale(self, now: datetime) -> bool:
        """Whether nobody touched it for so long that it may be of no use."""
        return now - self.updated_at > STALE_AFTER


def checked_kept(body: object) -> str:
    """The text, unchanged; empty is allowed.

    Raises:
        InvalidValueError: Not text, with NUL or a lone surrogate, or over 16 KiB in UTF-8.
    """
    if not isinstance(body, str):
        raise InvalidValueError("kept", "type")
    if stored_bytes(body, "kept") > MAX_KEPT_BYTES:
        raise InvalidValueError("kept", "too_long", MAX_KEPT_BYTES)
    return body


def checked_part(part: object) -> str:
    """The name of a part of an agent; empty for the agent itself.

    Raises:
        InvalidValueError: Over 40 characters, or others than letters, digits and ``._:-``.
    """
    if not isinstance(part, str) or (part and not is_own_name(part, MAX_PART_CHARACTERS)):
        raise InvalidValueError("part", "format")
    return part

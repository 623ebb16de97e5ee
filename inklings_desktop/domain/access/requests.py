"""Writes that a client may send again: by a name of its own, the second does nothing more.

A program that is killed between a write and its note of it does not know whether it was done.
Source: idempotency keys, as payment services and message queues have them.
"""

from __future__ import annotations

import re

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

MAX_REQUEST_KEY_CHARACTERS = 64
_NAME = re.compile(r"[A-Za-z0-9._:-]+")


@dataclass(frozen=True, slots=True)
class RequestMark:
    """Makes a write repeatable: sent again, it is answered with what it did the first time.

    Attributes:
        key: The client's own name for it, at most 64 of ``A-Za-z0-9._:-``.
        digest: SHA-256 of its arguments, hexadecimal.
    """

    key: str
    tool: str
    digest: str


@dataclass(frozen=True, slots=True)
class KeptRequest:
    """What a write did that a client sent with a key.

    Attributes:
        mark: The write.
        outcome: For each thing it did the word of the log and the ids it was about.
    """

    mark: RequestMark
    outcome: tuple[tuple[str, tuple[str, ...]], ...]

    def ids(self, kind: str) -> tuple[str, ...]:
        """Ids of what was done under this word."""
        return tuple(id_ for word, ids in self.outcome if word == kind for id_ in ids)


def checked_request_key(key: str) -> str:
    """The key of a repeatable write.

    Raises:
        InvalidValueError: It is empty, over 64 characters, or has others than allowed.
    """
    if not is_own_name(key, MAX_REQUEST_KEY_CHARACTERS):
        raise InvalidValueError("request_key", "format")
    return key


def is_own_name(text: str, most: int) -> bool:
    """Whether a client may call something of its own so: letters, digits and ``._:-``."""
    return len(text) <= most and _NAME.fullmatch(text) is not None

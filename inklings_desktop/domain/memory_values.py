"""What the values of a memory must be: each check hands the value back tidied, or says why not."""

from __future__ import annotations

import re
import unicodedata

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.words.text_rules import checked_label, says_nothing, stored_bytes

MAX_CONTENT_BYTES = 64 * 1024
MAX_TAGS = 32
MAX_TAG_CHARACTERS = 64
MAX_SOURCE_CHARACTERS = 64
MAX_REASON_CHARACTERS = 200

_LEADING_MARKS = re.compile(r"^[\s#]+")


def checked_content(content: object) -> str:
    """The text, unchanged, if it can be remembered.

    Raises:
        InvalidValueError: Not text, empty but for blanks and invisible characters, holds NUL or
            a lone surrogate, or is longer than 64 KiB in UTF-8.
    """
    if not isinstance(content, str):
        raise InvalidValueError("content", "type")
    if stored_bytes(content, "content") > MAX_CONTENT_BYTES:
        raise InvalidValueError("content", "too_long", MAX_CONTENT_BYTES)
    if says_nothing(content):
        raise InvalidValueError("content", "empty")
    return content


def checked_importance(importance: object) -> float:
    """The importance as a plain float.

    Raises:
        InvalidValueError: Not a number (bool counts as none), not finite, or outside 0 to 1.
    """
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        raise InvalidValueError("importance", "type")
    if not 0.0 <= importance <= 1.0:  # NaN fails this too
        raise InvalidValueError("importance", "range")
    return float(importance) + 0.0  # -0.0 becomes 0.0


def checked_source(source: object) -> str:
    """The source without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, longer than 64 characters, or with line breaks.
    """
    if not isinstance(source, str):
        raise InvalidValueError("source", "type")
    return checked_label(source, "source", MAX_SOURCE_CHARACTERS)


def checked_agent(agent: object) -> str:
    """The name of an agent without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, longer than 64 characters, or with line breaks.
    """
    if not isinstance(agent, str):
        raise InvalidValueError("agent", "type")
    return checked_label(agent, "agent", MAX_SOURCE_CHARACTERS)


def checked_reason(reason: object) -> str | None:
    """Why something is forgotten, without blanks at its ends; None when none was given.

    Raises:
        InvalidValueError: Not text, longer than 200 characters, or with line breaks.
    """
    if not isinstance(reason, str):
        raise InvalidValueError("reason", "type")
    return checked_label(reason, "reason", MAX_REASON_CHARACTERS) if reason.strip() else None


def checked_tags(tags: object) -> tuple[str, ...]:
    """The tags without leading ``#``, each once in whatever case, in the order given.

    Raises:
        InvalidValueError: More than 32, or one is empty, too long or broken over lines.
    """
    if not isinstance(tags, tuple | list):
        raise InvalidValueError("tags", "type")
    tidy: dict[str, str] = {}
    for tag in tags:
        if not isinstance(tag, str):
            raise InvalidValueError("tags", "type")
        name = _LEADING_MARKS.sub("", unicodedata.normalize("NFC", tag))
        label = checked_label(name, "tags", MAX_TAG_CHARACTERS)
        tidy.setdefault(label.casefold(), label)
    if len(tidy) > MAX_TAGS:
        raise InvalidValueError("tags", "too_many", MAX_TAGS)
    return tuple(tidy.values())

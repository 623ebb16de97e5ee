"""The end of a page as one word, by which scripts and agents ask for the next one."""

from __future__ import annotations

import base64
import json
import math
from datetime import datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import PageCursor

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.listing import MemorySort

MAX_SEQUENCE = 2**63 - 1


def token_of(cursor: PageCursor, sort: MemorySort) -> str:
    """The end of a page as one word that goes through any shell."""
    parts = [sort.value, cursor.value, cursor.sequence, cursor.as_of.isoformat()]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def cursor_of(token: str, sort: MemorySort) -> PageCursor:
    """The end of the page that gave this token.

    Raises:
        InvalidValueError: No page gave it, or one of another order.
    """
    try:
        padded = token + "=" * (-len(token) % 4)
        order, value, sequence, as_of = json.loads(base64.urlsafe_b64decode(padded))
        cursor = PageCursor(float(value), int(sequence), datetime.fromisoformat(as_of))
    except (ValueError, TypeError, OverflowError):
        raise InvalidValueError("page", "unknown") from None
    is_possible = not math.isnan(cursor.value) and 0 <= cursor.sequence <= MAX_SEQUENCE
    if not is_possible or cursor.as_of.tzinfo is None:
        raise InvalidValueError("page", "unknown")
    if order != sort.value:
        raise InvalidValueError("page", "other_order")
    return cursor

"""The token by which a script asks for the next page of a list."""

from __future__ import annotations

import base64
import json
import math
from datetime import datetime
from typing import TYPE_CHECKING

from inklings_desktop.cli.messages import CommandFailedError, wrong_usage
from inklings_desktop.domain.listing import PageCursor

if TYPE_CHECKING:
    from inklings_desktop.domain.listing import MemorySort

MAX_SEQUENCE = 2**63 - 1


def token_of(cursor: PageCursor, sort: MemorySort) -> str:
    """The end of a page as one word that goes through any shell."""
    parts = [sort.value, cursor.value, cursor.sequence, cursor.as_of.isoformat()]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def cursor_of(token: str, sort: MemorySort) -> PageCursor:
    """The end of the page that gave this token."""
    try:
        padded = token + "=" * (-len(token) % 4)
        order, value, sequence, as_of = json.loads(base64.urlsafe_b64decode(padded))
        cursor = PageCursor(float(value), int(sequence), datetime.fromisoformat(as_of))
    except (ValueError, TypeError, OverflowError):
        raise _no_token() from None
    if math.isnan(cursor.value) or not 0 <= cursor.sequence <= MAX_SEQUENCE:
        raise _no_token()
    if cursor.as_of.tzinfo is None:
        raise _no_token()
    if order != sort.value:
        raise wrong_usage("--after goes with the same --sort as the page before.")
    return cursor


def _no_token() -> CommandFailedError:
    return wrong_usage("--after takes the token that the page before gave.")

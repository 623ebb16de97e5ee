"""A machine that stands somewhere else: the time zone of this process for a while."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


# By their rules of today, as POSIX writes them: not every machine has a time zone database.
RULES = {
    "UTC": "UTC0",
    "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
    "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "America/St_Johns until 2011": "NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01",
    "Africa/Cairo": "EET-2EEST,M4.5.5/0,M10.5.4/24",
    "Pacific/Chatham": "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45",
}


@contextmanager
def standing_in(zone: str) -> Iterator[None]:
    """Make a time zone that of this machine.

    Args:
        zone: One of ``RULES``.
    """
    before = os.environ.get("TZ")
    os.environ["TZ"] = RULES[zone]
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()

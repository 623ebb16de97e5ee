"""A machine that stands somewhere else: the time zone of this process for a while."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def standing_in(zone: str) -> Iterator[None]:
    """Make a zone of the time zone database that of this machine.

    Args:
        zone: As ``Pacific/Auckland``.
    """
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()

"""Which of several things to say stands in the one banner above the pages; pure functions."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


class BannerCause(IntEnum):
    """What a banner is about, the worst first.

    While the disk cannot be written to no copy can be brought back, so that goes before damage.
    An agent that asks for a scrub, or to be let in, waits for an answer, and only an answer helps
    it: it goes before what a person cannot change at once.
    """

    READ_ONLY = 1
    DAMAGE = 2
    LOST_WRITES = 3
    SCRUB_REQUEST = 4
    KNOCK = 5
    LOW_DISK = 6
    PURGE = 7
    SILENCE = 8
    KEYWORD_ONLY = 9
    CATCH_UP = 10


def worst_of(
    causes: Collection[BannerCause], put_away: Collection[BannerCause] = ()
) -> BannerCause | None:
    """The one to be shown; None for no banner.

    Args:
        causes: Everything there is to say.
        put_away: What the person has read and dismissed in this session.
    """
    return min((one for one in causes if one not in put_away), default=None)

"""Writes that were stored and are no longer in their file: an older copy of it came back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class LostWrites:
    """What one file had stored and does not hold any more.

    Attributes:
        n_writes: How many; as many as the witness still remembers where it was trimmed.
        since: When the first of them was stored.
        until: When the last of them was.
        n_scrubs: Scrubs among them: what they removed may be back.
        backup: The managed backup that holds most of them; None when none holds any.
        n_in_backup: How many it holds.
    """

    n_writes: int
    since: datetime
    until: datetime
    n_scrubs: int = 0
    backup: str | None = None
    n_in_backup: int = 0

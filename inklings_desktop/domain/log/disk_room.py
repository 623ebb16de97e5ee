"""How much room the disk has left beside what Inklings may need of it; pure functions."""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass

LEAST_FREE_BYTES = 200_000_000
"""Below this a write-ahead log of one long import, and the system itself, may find no room."""

ROOM_FACTOR = 3
"""Rewriting a database takes its size twice more, in its log and beside it, and a copy of it."""

_SPARE_PART = 10
"""What was short counts as enough only a tenth above the line: room comes and goes all the time."""


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """What a look at the disk found.

    Attributes:
        free_bytes: Left for this person on the disk of the data root.
        largest_bytes: Size of the largest database on it, its log included.
    """

    free_bytes: int
    largest_bytes: int = 0

    @property
    def needed_bytes(self) -> int:
        """What has to be free so that every act finds room, scrubs and imports included."""
        return max(LEAST_FREE_BYTES, ROOM_FACTOR * self.largest_bytes)

    def is_low(self, *, was_low: bool = False) -> bool:
        """Whether a person should make room.

        Args:
            was_low: Whether the look before found it low; then more is asked of this one.
        """
        spare = self.needed_bytes // _SPARE_PART if was_low else 0
        return self.free_bytes < self.needed_bytes + spare

"""How far long work has come, and whether it should go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inklings_desktop.domain.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable

    Report: TypeAlias = Callable[[str, int, int], None]
    """Takes a stable word for the step, units done, and units in all (0: unknown)."""


def _unheard(_step: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Progress:
    """Handed to long work by the door that started it; called from the working thread.

    Attributes:
        report: Hears of every step; must return at once.
        is_cancelled: Whether the person wants it to stop; asked between steps.
    """

    report: Report = _unheard
    is_cancelled: Callable[[], bool] = _never

    def require_wanted(self) -> None:
        """Return only while the work is still wanted; call it between steps.

        Raises:
            StoppedError: The person stopped it.
        """
        if self.is_cancelled():
            raise StoppedError


UNHEARD = Progress()

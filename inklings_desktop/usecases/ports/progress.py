"""How far long work has come, and whether it should go on; and how far an upgrade has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Report: TypeAlias = Callable[[str, int, int], None]
    """Takes a stable word for the step, units done, and units in all (0: unknown)."""

    UpgradeReport: TypeAlias = Callable[["Upgrade | None"], None]
    """Hears of every step, and None at the end, however it ends; on any thread, must not wait."""

    OpeningReport: TypeAlias = Callable[["Upgrade | MakingSample | None"], None]
    """Hears of whatever else an opening takes its time for as well; the same holds."""


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
        is_put_off: Whether it is to rest instead, and goes on another time.
    """

    report: Report = _unheard
    is_cancelled: Callable[[], bool] = _never
    is_put_off: Callable[[], bool] = _never

    def require_wanted(self) -> None:
        """Return only while the work is still wanted; call it between steps.

        Raises:
            StoppedError: The person stopped it.
        """
        if self.is_cancelled():
            raise StoppedError


UNHEARD = Progress()


class Upgrade(NamedTuple):
    """How far a file of an earlier version has come on its way to the version in use.

    Attributes:
        name: Of the workspace; None for the account's file.
        step: Which one is taken, from 1; 0 while the safe copy is made.
        n_steps: Steps in all.
    """

    name: str | None
    step: int
    n_steps: int


class MakingSample(NamedTuple):
    """The sample world is being written.

    Attributes:
        root: Where to.
    """

    root: Path


def upgrade_unheard(_upgrade: Upgrade | MakingSample | None) -> None:
    """Nobody listens."""

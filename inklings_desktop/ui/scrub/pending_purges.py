"""Looks again and again whether a purge that had to wait is proved by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.scrub.manifest import ScrubOutcome
    from inklings_desktop.ui.kit.ops.background import Background

_AGAIN_MS = 1_000


class PendingPurges(QObject):
    """Scrubs that are done but for their proof; their dialog may be gone.

    Args:
        background: Runs what looks.
        follow_up: How one of them stands now.
        parent: Owns it.
    """

    def __init__(
        self,
        background: Background,
        follow_up: Callable[[ScrubOutcome], Awaitable[ScrubOutcome]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._follow_up = follow_up
        self._unfinished: dict[tuple[str | None, int], ScrubOutcome] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AGAIN_MS)
        self._later.timeout.connect(self._on_later_timeout)

    def note(self, outcome: ScrubOutcome) -> None:
        """Look after a scrub until it is proved, if it is not yet."""
        if not outcome.is_finished:
            # Numbers of events are counted per file.
            self._unfinished[outcome.manifest.scope.workspace_id, outcome.event_number] = outcome
            self._later.start()

    async def _look(self) -> None:
        for key, outcome in tuple(self._unfinished.items()):
            now = await self._follow_up(outcome)
            if now.is_finished:
                del self._unfinished[key]
            else:
                self._unfinished[key] = now
        if self._unfinished:
            self._later.start()

    @Slot()
    def _on_later_timeout(self) -> None:
        self._background.spawn(self._look())

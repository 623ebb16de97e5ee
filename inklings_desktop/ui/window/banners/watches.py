"""What is watched for the banner: room on the disk, the model, and runs that catch up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.ui.control.tasks_presenter import ClockInWindow
    from inklings_desktop.usecases.bundle import Inklings


LOOK_MS = 60_000

_log = topic("ui")


class DiskPresenter(QObject):
    """Looks at start, every minute, and when something could not be stored; off the UI thread.

    Signals:
        room_changed: A ``DiskRoom`` while it is low, None once there is enough.
        looked: A person asked, and this is still so: a ``DiskRoom``.
    """

    room_changed = Signal(object)
    looked = Signal(object)

    def __init__(self, background: Background, inklings: Inklings, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._low: DiskRoom | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def open(self) -> None:
        """Look now and from now on."""
        self._timer.start()
        self.look()

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._looking.cancel()

    @Slot()
    def look(self) -> None:
        """Look now."""
        self._looking.run(self._look(is_asked=False))

    def look_again(self) -> None:
        """Look now, because a person wants to know."""
        self._looking.run(self._look(is_asked=True))

    async def _look(self, *, is_asked: bool) -> None:
        try:
            room = await self._background.read(self._inklings.keeping.measure_disk)
        except InklingsError as error:
            # A disk that does not answer says so itself at the next read.
            _log.warning("room on the disk is not known: %s", type(error).__name__)
            return
        low = room if room.is_low(was_low=self._low is not None) else None
        if low != self._low:
            self._low = low
            self.room_changed.emit(low)
        if is_asked and low is not None:
            self.looked.emit(low)


MISSING = "missing"


class ModelPresenter(QObject):
    """A model is loaded when a text first needs it, so only then is it known to fail.

    Signals:
        failed: The model that was in use until now cannot be used.
    """

    failed = Signal()

    def __init__(self, inklings: Inklings, parent: QObject) -> None:
        super().__init__(parent)
        self._embedder = inklings.embedder
        self._is_usable = self._embedder.is_available

    @property
    def is_usable(self) -> bool:
        """Whether texts can be embedded, as far as is known."""
        return self._is_usable

    @property
    def has_failed(self) -> bool:
        """Whether a model is there that cannot be used."""
        # Only where no model answers does an embedder name its reason.
        return not self._is_usable and getattr(self._embedder.pinned(), "reason", "") != MISSING

    @Slot()
    def look(self) -> None:
        """Look whether it still can be used; cheap, nothing is loaded for it."""
        if self._is_usable and not self._embedder.is_available:
            self._is_usable = False
            self.failed.emit()


CATCH_UP = "start"
"""The stable word of a run that makes up for missed ones."""
UPDATE_MS = 100
YOUNG_SECONDS = 1.0
"""A run that is over sooner is not worth moving the page for."""
LINGER_SECONDS = 1.0
"""One run follows another, file by file; the banner stays between them."""


def catching_up(status: BackgroundStatus) -> TaskStatus | None:
    """The run under way that makes up for missed ones; None if there is none."""
    return next(
        (one for one in status.tasks if one.phase is TaskPhase.RUNNING and one.reason == CATCH_UP),
        None,
    )


class CatchUpPresenter(QObject):
    """Says which run catches up, once it lasts; knows no widgets.

    Signals:
        run_changed: The ``TaskStatus`` of the run; None when the last one is over.
    """

    run_changed = Signal(object)

    def __init__(self, clock: ClockInWindow, parent: QObject) -> None:
        super().__init__(parent)
        self._clock: ClockInWindow | None = clock
        self._shown: TaskStatus | None = None
        self._begun: float | None = None
        self._ended: float | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(UPDATE_MS)
        self._soon.timeout.connect(self._on_update_due)
        for signal in (
            clock.task_started,
            clock.task_progressed,
            clock.task_finished,
            clock.task_failed,
            clock.state_changed,
        ):
            signal.connect(self._on_news)

    def close(self) -> None:
        """Ask nothing more: the clock is about to stop."""
        self._soon.stop()
        self._clock = None

    @Slot(object)
    def _on_news(self, _news: object) -> None:
        if self._clock is not None and not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _on_update_due(self) -> None:
        if self._clock is None:
            return
        run, now = catching_up(self._clock.status()), time.monotonic()
        if run is not None:
            self._ended = None
            self._begun = now if self._begun is None else self._begun
            if self._shown is not None or now - self._begun >= YOUNG_SECONDS:
                self._show(run)
            else:
                self._soon.start()
            return
        self._begun = None
        if self._shown is None:
            return
        self._ended = now if self._ended is None else self._ended
        if now - self._ended >= LINGER_SECONDS:
            self._ended = None
            self._show(None)
        else:
            self._soon.start()

    def _show(self, run: TaskStatus | None) -> None:
        if run != self._shown:
            self._shown = run
            self.run_changed.emit(run)

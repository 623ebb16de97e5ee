"""Looks after an opened data root, and says in the banner above the pages what there is to say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.destinations import ToSettings, ToTask
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.task_words import group_of
from inklings_desktop.ui.settings.groups import SEARCH_MODEL
from inklings_desktop.ui.window.banners.bands import (
    KnockBand,
    LossBand,
    PurgeBand,
    SilenceBand,
)
from inklings_desktop.ui.window.banners.set_aside import SetAsideBand
from inklings_desktop.ui.window.banners.words import (
    CANCEL,
    EXPORT,
    FOLDER,
    LOOK_AGAIN,
    SET_UP,
    START_OWN,
    TASKS,
    TRY,
    catch_up_banner,
    keyword_only_banner,
    low_disk_banner,
    read_only_banner,
    sample_banner,
)
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.ui.control.tasks_presenter import ClockInWindow
    from inklings_desktop.ui.window.banners.reopening import WindowReopening
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.background.background_work import TaskStatus
    from inklings_desktop.usecases.bundle import Inklings


LOOK_MS = 60_000

_log = topic("ui")


class DiskPresenter(QObject):
    """Looks at start, every minute, and when something could not be stored; off the UI thread."""

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        changed: Callable[[DiskRoom | None], None],
        still_low: Callable[[DiskRoom], None],
        parent: QObject,
    ) -> None:
        """Look at nothing yet.

        Args:
            changed: Told the room while it is low, None once there is enough.
            still_low: Told it when a person asked, and this is still so.
        """
        super().__init__(parent)
        self._changed, self._still_low = changed, still_low
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._low: DiskRoom | None = None
        self._timer = timer(self, self.look, LOOK_MS, again=True)

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
            self._changed(low)
        if is_asked and low is not None:
            self._still_low(low)


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
        self._soon = timer(self, self._on_update_due, UPDATE_MS)
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


class Banners(QObject):
    """All but damage and scrubs that agents ask for, which say more than one thing.

    Attributes:
        disk: Watches the room that is left.
        catch_up: Follows runs that catch up; None where no clock runs.
        knocks: Clients that wait to be let in.
        losses: Files that have lost what they held.
        model: Knows whether texts can be embedded; ``look`` after whatever needed it.
    """

    def __init__(
        self,
        opened: OpenedRoot,
        slot: BannerSlot,
        reopening: WindowReopening,
        export: Callable[[], object],
    ) -> None:
        """Say what holds, and watch what may come.

        Args:
            opened: The opened data root; it owns this.
            slot: Above every page.
            reopening: Opens the data once more where that helps.
            export: Makes a copy somewhere else.
        """
        super().__init__(opened)
        context = self._context = opened.context
        background, inklings = context.background, context.inklings
        self._background = background
        self._slot, self._tasks = slot, opened.tasks
        self._reopening, self._export = reopening, export
        self._run: TaskStatus | None = None
        self.catch_up: CatchUpPresenter | None = None
        slot.acted.connect(self._on_acted)
        self.knocks = KnockBand(context, slot, self)
        silence = SilenceBand(context, slot, self)
        self.losses = LossBand(context, slot, self)
        set_aside = SetAsideBand(context, slot, self)
        purge = PurgeBand(context, slot, self)
        self._bands = (self.knocks, set_aside, silence, self.losses, purge)
        self.knocks.refresh()
        self.losses.refresh()
        shell = opened.memory.shell
        for changed in (shell.workspace_switched, shell.surroundings_changed):
            changed.connect(silence.show_workspace)
            changed.connect(set_aside.show_workspace)
        shell.workspace_switched.connect(self.losses.refresh)
        silence.show_workspace()
        set_aside.show_workspace()
        self.disk = DiskPresenter(
            background,
            inklings,
            changed=self._on_room_changed,
            still_low=self._on_looked,
            parent=self,
        )
        self.model = ModelPresenter(inklings, self)
        self.model.failed.connect(self._say_keyword_only)
        opened.memory.list.content_changed.connect(self.model.look)
        if not self.model.is_usable:
            self._say_keyword_only()
        if own_data_dir(inklings.data_dir) is not None:
            slot.say(BannerCause.SAMPLE, sample_banner())
        if inklings.is_read_only:  # nothing is stored: room on the disk is of no use
            slot.say(BannerCause.READ_ONLY, read_only_banner())
            return
        background.on_no_room = self.disk.look
        self.disk.open()
        clock = self._tasks.clock
        if clock is not None:
            self.catch_up = CatchUpPresenter(clock, self)
            self.catch_up.run_changed.connect(self._on_run_changed)
            for ended in (clock.task_finished, clock.task_failed):
                ended.connect(self._on_task_ended)
                ended.connect(set_aside.refresh)

    def close(self) -> None:
        """Say nothing any more."""
        self._background.on_no_room = None
        self.disk.close()
        if self.catch_up is not None:
            self.catch_up.close()
        for band in self._bands:
            band.close()
        self._slot.acted.disconnect(self._on_acted)
        for cause in BannerCause:
            self._slot.say(cause, None)

    @Slot()
    def _say_keyword_only(self) -> None:
        content = keyword_only_banner(has_failed=self.model.has_failed)
        self._slot.say(BannerCause.KEYWORD_ONLY, content)

    @Slot(object)
    def _on_task_ended(self, _status: TaskStatus) -> None:
        self.model.look()

    def _on_room_changed(self, room: DiskRoom | None) -> None:
        self._slot.say(BannerCause.LOW_DISK, None if room is None else low_disk_banner(room))

    def _on_looked(self, room: DiskRoom) -> None:
        """The figures may be the same as before; whoever asked hears so."""
        announce(self._slot.banner, low_disk_banner(room).text)

    @Slot(object)
    def _on_run_changed(self, run: TaskStatus | None) -> None:
        self._run = run
        self._slot.say(BannerCause.CATCH_UP, None if run is None else catch_up_banner(run))

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        match cause:
            case BannerCause.READ_ONLY if key == TRY:
                self._background.spawn(self._try_writing())
            case BannerCause.READ_ONLY if key == EXPORT:
                self._export()
            case BannerCause.LOW_DISK if key == LOOK_AGAIN:
                self.disk.look_again()
            case BannerCause.LOW_DISK if key == FOLDER:
                self._show_folder()
            case BannerCause.SAMPLE if key == START_OWN:
                self._reopening.leave_sample()
            case BannerCause.KEYWORD_ONLY if key == SET_UP:
                self._context.go(ToSettings(SEARCH_MODEL))
            case BannerCause.KEYWORD_ONLY:
                self._reopening.reopen()
            case BannerCause.CATCH_UP if self._run is not None and key == TASKS:
                self._context.go(ToTask(group_of(self._run.target).value))
            case BannerCause.CATCH_UP if self._run is not None and key == CANCEL:
                self._tasks.presenter.cancel_kind(self._run.target.kind.value)

    async def _try_writing(self) -> None:
        if await self._background.read(self._reopening.is_refused):
            announce(self._slot.banner, tr("The disk still cannot be written to."), urgent=True)
        else:
            self._reopening.reopen()

    def _show_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._context.inklings.data_dir))):
            self._context.say(
                Message(
                    tr("The folder could not be shown"),
                    tr("No file manager answered. The details say where the folder is."),
                    details=((tr("Folder"), str(self._context.inklings.data_dir)),),
                )
            )

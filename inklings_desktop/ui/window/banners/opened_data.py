"""Joins what there is to say about an opened data root to the banner above the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.task_words import group_of
from inklings_desktop.ui.window.banners.catch_up_presenter import CatchUpPresenter
from inklings_desktop.ui.window.banners.disk_presenter import DiskPresenter
from inklings_desktop.ui.window.banners.knocks import KnocksDesk
from inklings_desktop.ui.window.banners.loss import LossDesk
from inklings_desktop.ui.window.banners.model_presenter import ModelPresenter
from inklings_desktop.ui.window.banners.purge import PurgeDesk
from inklings_desktop.ui.window.banners.silence import SilenceDesk
from inklings_desktop.ui.window.banners.words import (
    CANCEL,
    EXPORT,
    FOLDER,
    LOOK_AGAIN,
    TASKS,
    TRY,
    catch_up_banner,
    keyword_only_banner,
    low_disk_banner,
    read_only_banner,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.window.joins.tasks import WindowTasks
    from inklings_desktop.usecases.background.background_work import TaskStatus
    from inklings_desktop.usecases.bundle import Inklings


class BannerDesk(QObject):
    """All but damage and scrubs that agents ask for, which have desks of their own.

    Attributes:
        disk: Watches the room that is left.
        catch_up: Follows runs that catch up; None where no clock runs.
        knocks: Clients that wait to be let in.
        silence: Conversations that fell silent.
        purge: Scrubs that are not finished.
        losses: Files that have lost what they held.
        model: Knows whether texts can be embedded; ``look`` after whatever needed it.

    Signals:
        reopen_wanted: The disk can be written to again.
        export_wanted: A copy is to be made somewhere else.
        model_wished: ``RETRY`` or ``SET_UP``: something is to be done about the model.
        model_failed: From now on, search is by words alone.
        task_wanted: Row of the table of background work that a person wants to see.
        message_raised: A ``Message`` for the person.
    """

    reopen_wanted = Signal()
    export_wanted = Signal()
    model_wished = Signal(str)
    model_failed = Signal()
    task_wanted = Signal(str)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        slot: BannerSlot,
        tasks: WindowTasks,
        *,
        is_refused: Callable[[], bool],
        parent: QObject,
    ) -> None:
        """Say what holds, and watch what may come.

        Args:
            background: Looks at the disk.
            inklings: The opened data root.
            slot: Above every page.
            tasks: Background work.
            is_refused: Whether the disk cannot be written to; called off the UI thread.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._data_dir = inklings.data_dir
        self._slot = slot
        self._tasks = tasks
        self._is_refused = is_refused
        self._run: TaskStatus | None = None
        self.catch_up: CatchUpPresenter | None = None
        slot.acted.connect(self._on_acted)
        self.knocks = KnocksDesk(background, inklings, slot, self)
        self.silence = SilenceDesk(background, inklings, slot, self)
        self.losses = LossDesk(background, inklings, slot, self)
        for one in (self.knocks, self.silence, self.losses):
            one.message_raised.connect(self.message_raised)
        self.purge = PurgeDesk(background, inklings, slot, self)
        self.disk = DiskPresenter(background, inklings, self)
        self.disk.room_changed.connect(self._on_room_changed)
        self.disk.looked.connect(self._on_looked)
        self.model = ModelPresenter(inklings, self)
        self.model.failed.connect(self._on_model_failed)
        if not self.model.is_usable:
            self._say_keyword_only()
        if inklings.is_read_only:  # nothing is stored: room on the disk is of no use
            slot.say(BannerCause.READ_ONLY, read_only_banner())
            return
        background.on_no_room = self._on_no_room
        self.disk.open()
        if tasks.clock is not None:
            self.catch_up = CatchUpPresenter(tasks.clock, self)
            self.catch_up.run_changed.connect(self._on_run_changed)
            for ended in (tasks.clock.task_finished, tasks.clock.task_failed):
                ended.connect(self._on_task_ended)

    def close(self) -> None:
        """Say nothing any more."""
        self._background.on_no_room = None
        self.disk.close()
        if self.catch_up is not None:
            self.catch_up.close()
        self.knocks.close()
        self.silence.close()
        self.purge.close()
        self.losses.close()
        self._slot.acted.disconnect(self._on_acted)
        for cause in BannerCause:
            self._slot.say(cause, None)

    def _say_keyword_only(self) -> None:
        content = keyword_only_banner(has_failed=self.model.has_failed)
        self._slot.say(BannerCause.KEYWORD_ONLY, content)

    @Slot(object)
    def _on_task_ended(self, _status: TaskStatus) -> None:
        self.model.look()

    @Slot()
    def _on_model_failed(self) -> None:
        self._say_keyword_only()
        self.model_failed.emit()

    def _on_no_room(self) -> None:
        self.disk.look()

    @Slot(object)
    def _on_room_changed(self, room: DiskRoom | None) -> None:
        self._slot.say(BannerCause.LOW_DISK, None if room is None else low_disk_banner(room))

    @Slot(object)
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
                self.export_wanted.emit()
            case BannerCause.LOW_DISK if key == LOOK_AGAIN:
                self.disk.look_again()
            case BannerCause.LOW_DISK if key == FOLDER:
                self._show_folder()
            case BannerCause.KEYWORD_ONLY:
                self.model_wished.emit(key)
            case BannerCause.CATCH_UP if self._run is not None and key == TASKS:
                self.task_wanted.emit(group_of(self._run.target).value)
            case BannerCause.CATCH_UP if self._run is not None and key == CANCEL:
                self._tasks.presenter.cancel_kind(self._run.target.kind.value)

    async def _try_writing(self) -> None:
        if await self._background.read(self._is_refused):
            announce(
                self._slot.banner, self.tr("The disk still cannot be written to."), urgent=True
            )
        else:
            self.reopen_wanted.emit()

    def _show_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._data_dir))):
            self.message_raised.emit(
                Message(
                    self.tr("The folder could not be shown"),
                    self.tr("No file manager answered. The details say where the folder is."),
                    details=((self.tr("Folder"), str(self._data_dir)),),
                )
            )

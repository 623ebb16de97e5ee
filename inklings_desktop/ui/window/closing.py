"""What closing the window means: the end of the program, or going on with an icon in the tray."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.settings import save_keep_running
from inklings_desktop.ui.window.tray import Tray

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent
    from PySide6.QtWidgets import QMainWindow

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.task_words import StripLine
    from inklings_desktop.ui.window.joins.opened import Desks
    from inklings_desktop.ui.window.menus import WindowMenus


class WindowClosing(QObject):
    """Decides about every wish to close, and keeps the choice of going on.

    Attributes:
        closed: Set once the program may end.

    Signals:
        message_raised: A ``Message`` when the choice could not be kept.
    """

    message_raised = Signal(object)

    def __init__(
        self,
        theme: Theme,
        window: QMainWindow,
        menus: WindowMenus,
        data_dir: Path,
        *,
        keeps_running: bool,
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._menus = menus
        self._data_dir = data_dir
        self._background: Background | None = None
        self._desks: Desks | None = None
        self._is_leaving = False
        self._is_settled = self._is_asking = False
        self.closed = asyncio.Event()
        self.tray: Tray | None = None
        menus["keep_running"].setChecked(keeps_running)
        menus["keep_running"].setVisible(False)
        menus["keep_running"].toggled.connect(self._on_keep_running_toggled)
        menus["quit"].triggered.connect(self.leave)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        # The session ends: nothing may stand in its way by staying in the tray.
        app.commitDataRequest.connect(
            self._on_commit_data_request, Qt.ConnectionType.DirectConnection
        )

    def attach(self, background: Background, desks: Desks) -> None:
        """From now on there is work that can go on out of sight."""
        self._background, self._desks = background, desks
        if not Tray.is_there() or not desks.tasks.presenter.has_clock:
            return
        tray = self.tray = Tray(self._theme, self._window)
        tray.open_requested.connect(self.come_back)
        tray.quit_requested.connect(self.leave)
        tray.pause_toggled.connect(desks.tasks.presenter.toggle_pause)
        desks.tasks.presenter.strip_changed.connect(self._on_strip_changed)
        desks.requests.arrived.connect(self._on_request_arrived)
        self._menus["keep_running"].setVisible(True)
        tray.icon.setVisible(self._menus["keep_running"].isChecked())

    @Slot(str, str)
    def _on_request_arrived(self, title: str, text: str) -> None:
        """An agent asks for something while the window is out of sight."""
        if self.tray is not None and not self._window.isVisible():
            self.tray.tell(title, text)

    def detach(self) -> None:
        """Nothing goes on any more."""
        if self.tray is not None:
            self.tray.icon.hide()
        self._background = self._desks = None

    @Slot()
    def leave(self) -> None:
        """Close for good, wherever the window is."""
        self._is_leaving = True
        is_hidden = not self._window.isVisible()
        if is_hidden and (self._desks is None or not self._desks.has_unsaved):
            self.closed.set()  # Qt tells a hidden window nothing of its closing
            return
        if is_hidden:
            self.come_back()  # what is unsaved is asked about where it can be seen
        self._window.close()

    @Slot()
    def come_back(self) -> None:
        """Bring the window into sight."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def decide(self, event: QCloseEvent) -> None:
        """Let the window go out of sight, let it close, or ask about unsaved text first."""
        if self._goes_on():
            assert self.tray is not None
            self.tray.explain()
            event.accept()  # hidden, with everything in it as it is
        elif self._desks is None or self._is_settled or not self._desks.has_unsaved:
            self.closed.set()
            event.accept()
        else:
            event.ignore()
            if self._background is not None and not self._is_asking:
                self._is_asking = True
                self._background.spawn(self._ask(self._desks))

    def _goes_on(self) -> bool:
        return (
            self._desks is not None
            and self.tray is not None
            and not self._is_leaving
            and self._menus["keep_running"].isChecked()
            # A tray that went away since would leave no way back.
            and Tray.is_there()
        )

    async def _ask(self, desks: Desks) -> None:
        try:
            if await desks.may_leave():
                self._is_settled = True
                self._window.close()
            else:
                self._is_leaving = False
        finally:
            self._is_asking = False

    async def _save(self, background: Background, *, keeps_running: bool) -> None:
        from inklings_desktop.ui.kit.words.messages import Message

        try:
            await background.write(save_keep_running, self._data_dir, keeps_running=keeps_running)
        except (OSError, InvalidValueError):
            self.message_raised.emit(
                Message(
                    self.tr("The settings could not be saved"),
                    self.tr(
                        "Your choice holds until the program ends. Check that settings.toml can "
                        "be written to and is valid."
                    ),
                )
            )

    @Slot(bool)
    def _on_keep_running_toggled(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        if self.tray is not None:
            self.tray.icon.setVisible(on)
        if self._background is not None:
            self._background.spawn(self._save(self._background, keeps_running=on))

    @Slot(object)
    def _on_strip_changed(self, lines: tuple[StripLine, ...]) -> None:
        if self.tray is not None and self._desks is not None:
            self.tray.show_tasks(lines, is_paused=self._desks.tasks.presenter.is_paused)

    @Slot()
    def _on_commit_data_request(self) -> None:
        self._is_leaving = True

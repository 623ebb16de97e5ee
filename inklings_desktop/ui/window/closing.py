"""What closing the window means, the icon in the tray meanwhile, and what opens its data anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMainWindow, QMenu, QSystemTrayIcon, QWidget

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.task_words import StripLine
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.menus import WindowMenus
    from inklings_desktop.ui.window.status import WindowStatusBar


_EDGES = (16, 22, 24, 32, 48, 64)
_GLYPH = 0.66
_ROUNDING = 0.22
_NOTE_MS = 6_000


class Tray(QObject):
    """Shows the icon while it is wanted."""

    def __init__(self, theme: Theme, window: QWidget, come_back: Callable[[], None]) -> None:
        """Show no icon yet.

        Args:
            window: Lies behind the icon; owner.
            come_back: Shows the window again.
        """
        super().__init__(window)
        self._theme, self._come_back = theme, come_back
        self._was_explained = False
        self.menu = QMenu(window)
        self.open = self.menu.addAction(tr("Open Inklings"))
        self.open.triggered.connect(come_back)
        self.pause = self.menu.addAction(tr("Pause all"))
        self.menu.addSeparator()
        self.quit = self.menu.addAction(tr("Quit"))
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        self.icon.messageClicked.connect(come_back)
        self.show_tasks((), is_paused=False)
        theme.dress(self._on_theme_changed)

    @staticmethod
    def is_there() -> bool:
        """Whether this system has a tray at the moment."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show_tasks(self, lines: Sequence[StripLine], *, is_paused: bool) -> None:
        """Tell in the tool tip what runs; offer to pause it, or to go on."""
        told = [f"{line.name} {line.words}" for line in lines]
        self.icon.setToolTip("\n".join(("Inklings", *told)))
        self.pause.setText(tr("Resume") if is_paused else tr("Pause all"))

    def explain(self) -> None:
        """Say once, when the window goes out of sight, where it is."""
        if not self._was_explained:
            self._was_explained = True
            self.icon.showMessage(
                tr("Inklings keeps running in the background"),
                tr("Use its tray icon to open the window or quit."),
                self.icon.icon(),
                _NOTE_MS,
            )

    def tell(self, title: str, text: str) -> None:
        """Say that something waits for an answer; a click on it opens the window."""
        self.icon.showMessage(title, text, self.icon.icon(), _NOTE_MS)

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.DoubleClick,
        }:
            self._come_back()

    @Slot()
    def _on_theme_changed(self) -> None:
        icon = QIcon()
        for edge in _EDGES:
            icon.addPixmap(_picture(self._theme, edge))
        self.icon.setIcon(icon)


def _picture(theme: Theme, edge: int) -> QPixmap:
    """The stack of memories on a ground of its own: nobody knows how a tray is coloured."""
    picture = QPixmap(edge, edge)
    picture.fill(Qt.GlobalColor.transparent)
    glyph = theme.pixmap("stack", "onAccent", 24, weight="fill", ratio=edge / 24)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    theme.draw_box(painter, QRectF(0, 0, edge, edge), "accent", edge * _ROUNDING)
    inner = edge * _GLYPH
    place = QRectF((edge - inner) / 2, (edge - inner) / 2, inner, inner)
    painter.drawPixmap(place, glyph, QRectF(glyph.rect()))
    painter.end()
    return picture


class WindowClosing(QObject):
    """Decides about every wish to close, and keeps the choice of going on.

    Attributes:
        closed: Set once the program may end.

    Signals:
        stayed: The person was asked and stays.
    """

    stayed = Signal()

    def __init__(
        self,
        theme: Theme,
        window: QMainWindow,
        menus: WindowMenus,
        *,
        keeps_running: bool,
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._menus = menus
        self._background: Background | None = None
        self._opened: OpenedRoot | None = None
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

    def attach(self, background: Background, opened_root: OpenedRoot) -> None:
        """From now on there is work that can go on out of sight."""
        self._background, self._opened = background, opened_root
        if not Tray.is_there() or not opened_root.tasks.presenter.has_clock:
            return
        tray = self.tray = Tray(self._theme, self._window, self.come_back)
        tray.quit.triggered.connect(self.leave)
        tray.pause.triggered.connect(opened_root.tasks.presenter.toggle_pause)
        opened_root.tasks.presenter.strip_changed.connect(self._on_strip_changed)
        opened_root.requests.arrived.connect(self._on_request_arrived)
        opened_root.asked.connect(self._on_request_arrived)
        self._menus["keep_running"].setVisible(True)
        tray.icon.setVisible(self._menus["keep_running"].isChecked())
        opened_root.context.hear(self._on_changes, About.SETTINGS)

    @Slot(str, str)
    def _on_request_arrived(self, title: str, text: str) -> None:
        """An agent asks for something while the window is out of sight."""
        if self.tray is not None and not self._window.isVisible():
            self.tray.tell(title, text)

    def detach(self) -> None:
        """Nothing goes on any more."""
        if self.tray is not None:
            self.tray.icon.hide()
        self._background = self._opened = None

    @Slot()
    def leave(self) -> None:
        """Close for good, wherever the window is."""
        self._is_leaving = True
        is_hidden = not self._window.isVisible()
        if is_hidden and (self._opened is None or not self._opened.asks_before_closing):
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
        elif self._opened is None or self._is_settled or not self._opened.asks_before_closing:
            self.closed.set()
            event.accept()
        else:
            event.ignore()
            if self._background is not None and not self._is_asking:
                self._is_asking = True
                self._background.spawn(self._ask(self._opened))

    def _goes_on(self) -> bool:
        return (
            self._opened is not None
            and self.tray is not None
            and not self._is_leaving
            and self._menus["keep_running"].isChecked()
            # A tray that went away since would leave no way back.
            and Tray.is_there()
        )

    async def _ask(self, opened_root: OpenedRoot) -> None:
        try:
            if await opened_root.may_close():
                self._is_settled = True
                self._window.close()
            else:
                self._is_leaving = False
                self.stayed.emit()
        finally:
            self._is_asking = False

    @Slot(bool)
    def _on_keep_running_toggled(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        if self.tray is not None:
            self.tray.icon.setVisible(on)
        if self._background is not None and self._opened is not None:
            self._background.spawn(self._keep(self._background, on=on))

    async def _keep(self, background: Background, *, on: bool) -> None:
        assert self._opened is not None
        inklings = self._opened.context.inklings
        if on != inklings.settings.keep_running:
            values = {"background.keep_running": on}
            try:
                await background.write(inklings.preferences.save, values)
            finally:
                self._menus["keep_running"].setChecked(inklings.settings.keep_running)

    @Slot(object)
    def _on_changes(self, changes: MemoryChanges) -> None:
        if changes.settings and self._opened is not None:
            keeps_running = self._opened.context.inklings.settings.keep_running
            self._menus["keep_running"].setChecked(keeps_running)

    @Slot(object)
    def _on_strip_changed(self, lines: tuple[StripLine, ...]) -> None:
        if self.tray is not None and self._opened is not None:
            self.tray.show_tasks(lines, is_paused=self._opened.tasks.presenter.is_paused)

    @Slot()
    def _on_commit_data_request(self) -> None:
        self._is_leaving = True


class WindowReopening(QObject):
    """Remembers why the window is left, for whoever opens the next one.

    Attributes:
        is_read_only: Whether the disk cannot be written to.
        wants_reopening: Whether the same data root is to be opened again.
        wants_sample: Whether the sample world is to be opened instead.
        folder: Another data root that is to be opened instead.
    """

    def __init__(self, window: QWidget, data_dir: Path, leave: Callable[[], None]) -> None:
        """Leave nothing yet.

        Args:
            window: The window.
            data_dir: The data root that it shows.
            leave: Closes it.
        """
        super().__init__(window)
        self._leave = leave
        self._window = window
        self._data_dir = data_dir
        self.is_read_only = False
        self.wants_reopening = self.wants_sample = False
        self.folder: Path | None = None

    @Slot()
    def stay(self) -> None:
        """Leave for nothing any more: whoever closes the window later only closes it."""
        self.wants_reopening = self.wants_sample = False
        self.folder = None

    def withhold_editing(self, *, status: WindowStatusBar, rail: RailPane) -> None:
        """Offer only what still works while the disk cannot be written to, and say why."""
        from inklings_desktop.ui.kit.ops.storing import withhold_storing
        from inklings_desktop.ui.kit.words.task_words import read_only_line

        self.is_read_only = True
        withhold_storing(tr("Read-only: the disk cannot be written to."))
        status.show_read_only()
        rail.tasks.show_lines((read_only_line(),))

    @Slot()
    def reopen(self) -> None:
        """Leave, to open the same data root again."""
        self.wants_reopening = True
        self._leave()

    @Slot()
    def open_sample(self) -> None:
        """Leave, to open the sample world."""
        self.wants_sample = True
        self._leave()

    @Slot()
    def leave_sample(self) -> None:
        """Leave the sample world, to open the person's own data."""
        self.folder = own_data_dir(self._data_dir)
        self._leave()

    @Slot()
    def ask_folder(self) -> None:
        """Ask where the data lies, and leave to open that."""
        title = tr("Choose a data folder")
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, title, str(self._data_dir.parent))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.open_folder)
        dialog.open()

    @Slot(str)
    def open_folder(self, folder: str) -> None:
        """Leave, to open another data root."""
        self.folder = Path(folder)
        self._leave()

    def is_refused(self) -> bool:
        """Whether the disk still cannot be written to; not for the UI thread."""
        return not os.access(self._data_dir, os.W_OK | os.X_OK)

"""The icon in the system's tray: the way back to a window that went on out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.task_words import StripLine

_EDGES = (16, 22, 24, 32, 48, 64)
_GLYPH = 0.66
_ROUNDING = 0.22
_NOTE_MS = 6_000


class Tray(QObject):
    """Shows the icon while it is wanted.

    Signals:
        open_requested: The window is wanted again.
        pause_toggled: Background work is to pause, or to go on.
        quit_requested: The program is to end.
    """

    open_requested = Signal()
    pause_toggled = Signal()
    quit_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._was_explained = False
        self.menu = QMenu(window)
        self.open = self.menu.addAction(self.tr("Open Inklings"))
        self.open.triggered.connect(self.open_requested)
        self.pause = self.menu.addAction(self.tr("Pause all"))
        self.pause.triggered.connect(self.pause_toggled)
        self.menu.addSeparator()
        self.quit = self.menu.addAction(self.tr("Quit"))
        self.quit.triggered.connect(self.quit_requested)
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        self.icon.messageClicked.connect(self.open_requested)
        self.show_tasks((), is_paused=False)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @staticmethod
    def is_there() -> bool:
        """Whether this system has a tray at the moment."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show_tasks(self, lines: Sequence[StripLine], *, is_paused: bool) -> None:
        """Tell in the tool tip what runs; offer to pause it, or to go on."""
        told = [f"{line.name} {line.words}" for line in lines]
        self.icon.setToolTip("\n".join(("Inklings", *told)))
        self.pause.setText(self.tr("Resume") if is_paused else self.tr("Pause all"))

    def explain(self) -> None:
        """Say once, when the window goes out of sight, where it is."""
        if not self._was_explained:
            self._was_explained = True
            self.icon.showMessage(
                self.tr("Inklings goes on in the background"),
                self.tr("Its icon in the tray opens the window again, and quits."),
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
            self.open_requested.emit()

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
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(QRectF(0, 0, edge, edge), edge * _ROUNDING, edge * _ROUNDING)
    inner = edge * _GLYPH
    place = QRectF((edge - inner) / 2, (edge - inner) / 2, inner, inner)
    painter.drawPixmap(place, glyph, QRectF(glyph.rect()))
    painter.end()
    return picture

"""Notices that somebody uses keyboard or mouse, so that heavy work yields to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QGuiApplication, QWindow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

_BY_A_PERSON = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletPress,
        QEvent.Type.TabletMove,
        QEvent.Type.NativeGesture,
    }
)


class ActivityWatch(QObject):
    """Watches every window of the program that had the focus, and touches none of the events.

    A window gets each movement once. The application as a whole would see it again for every
    widget on its way, and everything else besides: thousands of calls while a page is built.
    """

    def __init__(self, note: Callable[[], None], window: QWidget, parent: QObject) -> None:
        """Watch from now on.

        Args:
            note: Told of every movement; must return at once.
            window: Watched at once, others when they get the focus.
            parent: Owner of the object.
        """
        super().__init__(parent)
        self._note = note
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        self._app = app
        app.focusWindowChanged.connect(self._on_focus_window_changed)
        self._on_focus_window_changed(window.windowHandle())

    def stop(self) -> None:
        """Notice nothing more."""
        self._app.focusWindowChanged.disconnect(self._on_focus_window_changed)
        self._note = _nobody

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notes the moment; every event goes on its way."""
        if event.type() in _BY_A_PERSON:
            self._note()
        return super().eventFilter(watched, event)

    @Slot(QWindow)
    def _on_focus_window_changed(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # again does no harm: Qt keeps it once
            self._note()


def _nobody() -> None:
    """Nobody listens any more."""

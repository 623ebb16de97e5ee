"""A field for words that have to be typed by hand: nothing can be pasted or dropped into it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget


class PhraseField(QLineEdit):
    """Takes keys one by one.

    Refused are the clipboard by key or middle button, drops, and keys that bring several
    characters. There is no context menu. Input methods may bring one word at a time, as
    on-screen keyboards and dictation do, but never a phrase.

    Signals:
        paste_refused: Something else than typing was tried.
    """

    paste_refused = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)  # so that a drop can be refused with a word

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Refuses to paste; everything else is typing."""
        if event.matches(QKeySequence.StandardKey.Paste) or len(event.text()) > 1:
            self._refuse(event)
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Refuses the middle button, which pastes the selection on some systems."""
        if event.button() is Qt.MouseButton.MiddleButton:
            self._refuse(event)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers none: the one thing it would be opened for is refused here."""
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt calls it so
        """Lets a drag in, to answer when it is dropped."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt calls it so
        """Refuses what is dropped."""
        event.setDropAction(Qt.DropAction.IgnoreAction)
        self._refuse(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt calls it so
        """Takes a word at a time."""
        if " " in event.commitString().strip():
            super().inputMethodEvent(QInputMethodEvent())
            self._refuse(event)
            return
        super().inputMethodEvent(event)

    def _refuse(self, event: QEvent) -> None:
        event.accept()
        self.paste_refused.emit()

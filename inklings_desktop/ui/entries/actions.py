"""What can be done on the Named entries page, with its keys, for the page and the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class EntryActions(QObject):
    """The page's actions; their keys are heard in the whole window, but only while it is shown.

    Other pages use some of the same keys: only one page's actions are enabled at a time. A new
    entry can be begun from everywhere.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self.new = self._made(self.tr("New named entry\u2026"), "Ctrl+Shift+N")
        self.save = self._made(self.tr("Save revision"), "Ctrl+S")
        self.write = self._made(self.tr("Write"), "Ctrl+1")
        self.split = self._made(self.tr("Split"), "Ctrl+2")
        self.history = self._made(self.tr("History"), "Ctrl+3")
        self.find = self._made(self.tr("Find\u2026"), "Ctrl+F")
        self.replace = self._made(self.tr("Find and replace\u2026"), "Ctrl+H")
        self.focus = self._made(self.tr("Focus mode"), "F11")
        self.focus.setCheckable(True)
        self.delete = self._made(self.tr("Delete entry\u2026"))
        self.restore_deleted = self._made(self.tr("Restore deleted\u2026"))
        for action in (self.new, self.save, self.replace, self.delete, self.restore_deleted):
            storing(action)
        self.set_enabled(enabled=False)

    def all(self) -> tuple[QAction, ...]:
        """Every action, in the order of a menu."""
        return (
            self.new,
            self.save,
            self.write,
            self.split,
            self.history,
            self.find,
            self.replace,
            self.focus,
            self.delete,
            self.restore_deleted,
        )

    def only_look(self) -> None:
        """Leave out what would change anything, or shows what only the author may see."""
        for action in (self.new, self.save, self.history, self.replace, self.delete):
            action.setVisible(False)
        self.restore_deleted.setVisible(False)

    def set_enabled(self, *, enabled: bool) -> None:
        """Listen to the keys, or leave them to another page."""
        for action in self.all():
            action.setEnabled(enabled or action is self.new)

    def _made(self, text: str, keys: str = "") -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
        self._page.addAction(action)
        return action

"""Joins the session's undo with the note that offers it and the actions of the Edit menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from shiboken6 import isValid

from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.marks.toast import Toast
    from inklings_desktop.ui.memory.acts.undo import Undoable, UndoPresenter


class UndoNote(QObject):
    """Undo and redo for one window, whatever page is on show."""

    def __init__(
        self,
        undo: UndoPresenter,
        *,
        toast: Toast,
        undo_action: QAction,
        redo_action: QAction,
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            undo: Knows the steps.
            toast: Offers the last of them for a while.
            undo_action: In the menu; it names what it takes back.
            redo_action: In the menu; it names what it does again.
        """
        super().__init__(parent)
        self._undo = undo
        self._toast = toast
        self._undo_action, self._redo_action = undo_action, redo_action
        undo_action.setProperty("bareText", tr("Undo"))  # whatever there is to undo just now
        redo_action.setProperty("bareText", tr("Redo"))
        undo.offered.connect(self._on_offered)
        undo.settled.connect(toast.close_note)
        undo.said.connect(partial(toast.show_message, icon="arrow-counter-clockwise"))
        toast.undo_requested.connect(self._on_undo_requested)
        toast.closed.connect(undo.rest)
        undo_action.triggered.connect(self._on_undo_requested)
        redo_action.triggered.connect(self._on_redo_requested)
        for signal in (undo.stack.undoTextChanged, undo.stack.redoTextChanged):
            signal.connect(self._tell)
        for signal in (undo.stack.canUndoChanged, undo.stack.canRedoChanged):
            signal.connect(self._tell)
        self._tell()

    def close(self) -> None:
        """Offer nothing any more; the data root is being closed."""
        for action, word in (
            (self._undo_action, tr("Undo")),
            (self._redo_action, tr("Redo")),
        ):
            action.setEnabled(False)
            action.setText(word)

    def hears(self, event: QKeyEvent) -> bool:
        """Whether a key that no action took takes back what is still being done.

        An action cannot be chosen before there is something for it; a key can be that quick.
        """
        if not self._undo.is_busy:
            return False
        keys = QKeySequence(event.keyCombination())
        for action, move in (
            (self._undo_action, self._on_undo_requested),
            (self._redo_action, self._on_redo_requested),
        ):
            if keys in action.shortcuts() and action.isVisible() and not action.isEnabled():
                move()
                return True
        return False

    @Slot(object)
    def _on_offered(self, step: Undoable) -> None:
        self._toast.show_message(
            step.text,
            icon=step.icon,
            undo_label=tr("Undo"),
            key_hint=tr("Ctrl Z"),
        )

    @Slot()
    def _on_undo_requested(self) -> None:
        self._undo.begin(self._undo.undo())

    @Slot()
    def _on_redo_requested(self) -> None:
        self._undo.begin(self._undo.redo())

    @Slot()
    def _tell(self) -> None:
        stack = self._undo.stack
        if not isValid(stack):  # one that is destroyed tells of it when it is half gone
            return
        for action, text, is_possible, bare, named in (
            (
                self._undo_action,
                stack.undoText(),
                stack.canUndo(),
                tr("Undo"),
                tr("Undo: {what}"),
            ),
            (
                self._redo_action,
                stack.redoText(),
                stack.canRedo(),
                tr("Redo"),
                tr("Redo: {what}"),
            ),
        ):
            action.setEnabled(is_possible)
            shown = text.replace("&", "&&")
            action.setText(named.format(what=shown) if is_possible else bare)

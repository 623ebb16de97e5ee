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
        self._undo, self._toast = undo, toast
        self._wishes = (
            (undo_action, self._on_undo_requested),
            (redo_action, self._on_redo_requested),
        )
        undo_action.setProperty("bareText", tr("Undo"))  # whatever there is to undo just now
        redo_action.setProperty("bareText", tr("Redo"))
        undo.offered.connect(self._on_offered)
        undo.settled.connect(toast.close_note)
        undo.said.connect(partial(toast.show_message, icon="arrow-counter-clockwise"))
        toast.undo_requested.connect(self._on_undo_requested)
        toast.closed.connect(undo.rest)
        for action, wish in self._wishes:
            action.triggered.connect(wish)
        stack = undo.stack
        changed = (stack.undoTextChanged, stack.redoTextChanged)
        for signal in (*changed, stack.canUndoChanged, stack.canRedoChanged):
            signal.connect(self._tell)
        self._tell()

    def close(self) -> None:
        """Offer nothing any more; the data root is being closed."""
        for action, _ in self._wishes:
            action.setEnabled(False)
            action.setText(action.property("bareText"))

    def hears(self, event: QKeyEvent) -> bool:
        """Whether a key that no action took takes back what is still being done.

        An action cannot be chosen before there is something for it; a key can be that quick.
        """
        if not self._undo.is_busy:
            return False
        keys = QKeySequence(event.keyCombination())
        for action, wish in self._wishes:
            if keys in action.shortcuts() and action.isVisible() and not action.isEnabled():
                wish()
                return True
        return False

    @Slot(object)
    def _on_offered(self, step: Undoable) -> None:
        key_hint = tr("Ctrl Z")
        self._toast.show_message(
            step.text, icon=step.icon, undo_label=tr("Undo"), key_hint=key_hint
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
        texts = (stack.undoText(), stack.redoText())
        named = (tr("Undo: {what}"), tr("Redo: {what}"))
        possible = (stack.canUndo(), stack.canRedo())
        for (action, _), text, name, can in zip(self._wishes, texts, named, possible, strict=True):
            action.setEnabled(can)
            shown = name.format(what=text.replace("&", "&&"))
            action.setText(shown if can else action.property("bareText"))

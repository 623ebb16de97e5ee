"""Keys that come before their place is there: held back, then given on in their order.

Whoever presses Ctrl+N and types on means the new memory, however long the disk takes until its
field is there; the list, which has the keyboard until then, would take the letters for its own.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QShortcut, QWindow
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from PySide6.QtWidgets import QDialog

_MODIFIERS = frozenset(
    {
        Qt.Key.Key_Shift,
        Qt.Key.Key_Control,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
    }
)
_OF_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease})
_WIDGET = Qt.ShortcutContext.WidgetShortcut
_WITH_CHILDREN = Qt.ShortcutContext.WidgetWithChildrenShortcut


def held_keys(widget: QWidget) -> HeldKeys:
    """What holds keys of the window that a widget stands in; made when it is first asked for."""
    window = widget.window()
    found = window.findChild(HeldKeys, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, HeldKeys) else HeldKeys(window)


class Hold:
    """One reason to hold keys; whoever has it can release it.

    Attributes:
        stands: Whether keys are held for it; not any more after a change of mind.
    """

    __slots__ = ("stands",)

    def __init__(self) -> None:
        self.stands = True


class HeldKeys(QObject):
    """Holds the keys of one window while it is on its way to where they belong.

    What a dialog or a menu over the window hears is never held. A press of the mouse is a change
    of mind: what was held by then is dropped, and nothing more is held before something else is
    asked for.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._keys: deque[QKeyEvent] = deque()
        self._holds: list[Hold] = []
        self._asking: dict[asyncio.Task[Any], Hold] = {}

    @property
    def is_holding(self) -> bool:
        """Whether keys are held just now."""
        return bool(self._holds)

    def until(self, way: asyncio.Task[Any]) -> None:
        """Hold keys from now on until a task has led to their place.

        Args:
            way: What it returns is False if the place was not reached: then the keys are dropped.
        """
        way.add_done_callback(partial(self._on_done, self.hold()))

    def until_asked(self, way: asyncio.Task[Any]) -> None:
        """Hold keys from now on until a task has opened its dialog; they are meant for that."""
        before = self._asking.get(way)
        if before is None or not before.stands:
            self._asking[way] = self.hold()
            way.add_done_callback(self._on_asked)

    def hold(self) -> Hold:
        """Hold keys until this is released."""
        if not self._holds:
            QCoreApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        hold = Hold()
        self._holds.append(hold)
        return hold

    def begin_with(self, event: QKeyEvent) -> Hold:
        """Hold a key that nothing can be done about yet, and what is pressed after it."""
        hold = self.hold()
        self._keys.append(_copied(event))
        return hold

    def release(self, hold: Hold, *, is_reached: bool = True) -> None:
        """Give on what was held, or drop it where its place was not reached."""
        if not hold.stands:
            return  # the person changed their mind
        hold.stands = False
        self._holds.remove(hold)
        if not is_reached:
            self._keys.clear()
        if not self._holds:
            QCoreApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        unasked = _above()  # a message that came meanwhile: nobody has read it yet
        while self._keys and not self._holds:  # a key may lead on to another place
            self._give(self._keys.popleft(), unasked)

    def note_dialog(self, dialog: QDialog) -> None:
        """A dialog was opened: one that begins with a field gets what was held so far.

        A question does not: nobody answers it before it was read.
        """
        first = _first_stop(dialog)
        if self._keys and isinstance(first, QLineEdit | QPlainTextEdit | QTextEdit):
            first.setFocus(Qt.FocusReason.OtherFocusReason)  # else only once it is active
            while self._keys and dialog.isVisible():
                self._give(self._keys.popleft())
        for way in list(self._asking):
            self._on_asked(way)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the keys of the window out of Qt's hands."""
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonPress:
            self._let_go()
        if not isinstance(event, QKeyEvent) or event.type() not in _OF_KEYS:
            return False
        if event.key() in _MODIFIERS or not self._is_of_window(watched):
            return False
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()  # so that no shortcut runs, and the key itself comes next
        elif not event.isAutoRepeat():
            self._keys.append(_copied(event))
        return True

    def _is_of_window(self, watched: QObject) -> bool:
        if _above() is not None:
            return False
        if isinstance(watched, QWindow):
            return watched is self._window.windowHandle()
        return isinstance(watched, QWidget) and watched.window() is self._window

    def _let_go(self) -> None:
        self._keys.clear()
        for hold in self._holds:
            hold.stands = False
        self._holds.clear()
        QCoreApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]

    def _on_done(self, hold: Hold, way: asyncio.Task[Any]) -> None:
        if not isValid(self):
            return
        if way.cancelled():  # another way may have been taken in its place
            is_reached = any(one is not hold for one in self._holds)
        else:
            is_reached = way.exception() is None and way.result() is not False
        self.release(hold, is_reached=is_reached)

    def _on_asked(self, way: asyncio.Task[Any]) -> None:
        hold = self._asking.pop(way, None)
        if hold is not None and isValid(self):
            self.release(hold, is_reached=False)

    def _give(self, event: QKeyEvent, unasked: QWidget | None = None) -> None:
        """Do what Qt does with a key: offer it to the control, to shortcuts, to the control."""
        above = _above()
        window = self._window if above is None or above is unasked else above
        focus: QWidget | None = window.focusWidget()
        target = window if focus is None else focus
        if event.type() is QEvent.Type.KeyPress:
            asked = _copied(event, QEvent.Type.ShortcutOverride)
            asked.ignore()
            QCoreApplication.sendEvent(target, asked)
            if not asked.isAccepted() and _runs_shortcut(event, target):
                return
        QCoreApplication.sendEvent(target, event)


def _above() -> QWidget | None:
    """What lies over the window and hears its keys."""
    above: QWidget | None = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return above


def _first_stop(dialog: QDialog) -> QWidget | None:
    """What has the keyboard in a dialog, or will have it once the dialog is active."""
    focus: QWidget | None = dialog.focusWidget()
    if focus is not None:
        return focus
    stop = dialog.nextInFocusChain()
    while stop is not None and stop is not dialog:
        takes_tab = stop.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes_tab and stop.isEnabled() and stop.isVisibleTo(dialog):
            return stop
        stop = stop.nextInFocusChain()
    return None


def _copied(event: QKeyEvent, kind: QEvent.Type | None = None) -> QKeyEvent:
    return QKeyEvent(kind or event.type(), event.key(), event.modifiers(), event.text())


def _runs_shortcut(event: QKeyEvent, target: QWidget) -> bool:
    """Do what these keys stand for where the keyboard is; whether they stand for anything."""
    keys, window = QKeySequence(event.keyCombination()), target.window()
    for action in window.findChildren(QAction):
        if keys in action.shortcuts() and action.isEnabled() and action.isVisible():
            owners = action.associatedObjects()
            if _is_heard(owners, action.shortcutContext(), target):
                action.trigger()
                return True
    for shortcut in window.findChildren(QShortcut):
        is_meant = shortcut.isEnabled() and shortcut.key() == keys
        if is_meant and _is_heard([shortcut.parent()], shortcut.context(), target):
            shortcut.activated.emit()
            return True
    return False


def _is_heard(
    owners: Iterable[QObject | None], context: Qt.ShortcutContext, target: QWidget
) -> bool:
    """Whether one of these owners lets its shortcut be heard while a control has the keyboard."""
    for owner in owners:
        if isinstance(owner, QMenu):
            menu = owner.menuAction()
            is_offered = menu.isVisible() and menu.isEnabled()
            if is_offered and _is_heard(menu.associatedObjects(), context, target):
                return True
        elif isinstance(owner, QWidget) and owner.isVisible() and owner.isEnabled():
            is_here = owner is target or (context is _WITH_CHILDREN and owner.isAncestorOf(target))
            is_wide = context not in {_WIDGET, _WITH_CHILDREN} and owner.window() is target.window()
            if is_here or is_wide:
                return True
    return False

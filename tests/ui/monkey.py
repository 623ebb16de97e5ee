"""Random actions on the real window, as a hasty person would do them."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from PySide6.QtGui import QAction

    from inklings_desktop.ui.window.main_window import MainWindow

LAST_KEPT = 40
MOST_CLOSINGS = 40
CLOSING_SECONDS = 0.02
SIZES = ((960, 640), (1024, 700), (1280, 800), (1440, 900), (1920, 1080))
WORDS = (
    "harbour",
    "lamp",
    "tag:tide",
    '"whale oil"',
    "curator:agent",
    "importance:>0.5",
    "\u00df\u202e",
)
PLAIN = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
KEYS = (
    *((key, PLAIN) for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown)),
    *((key, PLAIN) for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp)),
    *((key, PLAIN) for key in (Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_Space, Qt.Key.Key_Delete)),
    *((key, PLAIN) for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)),
    *((key, PLAIN) for key in (Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_F8, Qt.Key.Key_F9)),
    *((key, SHIFT) for key in (Qt.Key.Key_Backtab, Qt.Key.Key_Down, Qt.Key.Key_F6)),
    *((key, CONTROL) for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)),
    *((key, CONTROL) for key in (Qt.Key.Key_N, Qt.Key.Key_S, Qt.Key.Key_Z, Qt.Key.Key_F)),
    *((key, CONTROL) for key in (Qt.Key.Key_A, Qt.Key.Key_K, Qt.Key.Key_P)),
    *((key, ALT) for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)),
    *((key, ALT) for key in (Qt.Key.Key_Up, Qt.Key.Key_Down)),
)
# These end the window, and with it the test; everything else is fair.
LEAVES = ("Quit", "Keep running in the background", "Open the sample world")


class _Elsewhere(QObject):
    """Takes the place of other programs, which a test must not start."""

    @Slot(QUrl)
    def swallow(self, _url: QUrl) -> None:
        """Open nothing."""


class Monkey:
    """Acts on whatever is on show.

    Attributes:
        done: How often each kind of action was done.
        last: The last actions, oldest first, for whoever reads a failure.
    """

    def __init__(self, window: MainWindow, chance: random.Random) -> None:
        self._window = window
        self._chance = chance
        self.done: Counter[str] = Counter()
        self.last: deque[str] = deque(maxlen=LAST_KEPT)
        self._elsewhere = _Elsewhere(window)
        for scheme in ("file", "https", "http", "mailto"):
            # The stub asks for bytes, which Qt refuses.
            QDesktopServices.setUrlHandler(scheme, self._elsewhere, "swallow")  # type: ignore[arg-type]

    async def act(self) -> None:
        """Do one random thing, then let the window answer now and then."""
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            self._choose(popup)
        elif popup is not None:
            self._note("close popup", popup)
            popup.close()
        else:
            kinds: tuple[tuple[Callable[[QWidget], None], int], ...] = (
                (self._press_key, 30),
                (self._click_button, 20),
                (self._click_row, 20),
                (self._type, 10),
                (self._click_tab, 6),
                (self._wheel, 6),
                (self._open_context_menu, 3),
                (self._trigger, 4),
                (self._resize, 1),
            )
            act = self._chance.choices([one for one, _ in kinds], [often for _, often in kinds])[0]
            act(self._front())
        await asyncio.sleep(0.02 if self._chance.random() < 0.05 else 0)

    def _front(self) -> QWidget:
        """The window that takes input; file dialogs are closed, as their files are not ours."""
        modal = QApplication.activeModalWidget()
        if isinstance(modal, QFileDialog):
            modal.reject()
            modal = None
        return modal or self._window

    def _press_key(self, front: QWidget) -> None:
        key, modifier = self._chance.choice(KEYS)
        target = QApplication.focusWidget() or front
        self._note(f"key {modifier.name} {key.name}", target)
        QTest.keyClick(target, key, modifier)

    def _click_button(self, front: QWidget) -> None:
        button = self._one_of(front, QAbstractButton)
        if isinstance(button, QAbstractButton) and button.text() not in LEAVES:
            self._note(f"click {button.text() or button.accessibleName()}", button)
            button.click()

    def _click_row(self, front: QWidget) -> None:
        view = self._one_of(front, QAbstractItemView)
        if isinstance(view, QAbstractItemView):
            modifier = self._chance.choice((PLAIN, PLAIN, PLAIN, CONTROL, SHIFT))
            self._note("row", view)
            QTest.mouseClick(
                view.viewport(), Qt.MouseButton.LeftButton, modifier, self._place_in(view)
            )

    def _click_tab(self, front: QWidget) -> None:
        tabs = self._one_of(front, QTabBar)
        if isinstance(tabs, QTabBar) and tabs.count():
            self._note("tab", tabs)
            tabs.setCurrentIndex(self._chance.randrange(tabs.count()))

    def _type(self, front: QWidget) -> None:
        field = self._one_of(front, QLineEdit, QPlainTextEdit)
        if isinstance(field, QLineEdit | QPlainTextEdit):
            self._note("type", field)
            field.setFocus()
            if self._chance.random() < 0.3:
                field.clear()
            for letter in self._chance.choice(WORDS):
                # QTest's own keys are ASCII; a person's are not.
                QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, 0, PLAIN, letter))

    def _wheel(self, front: QWidget) -> None:
        view = self._one_of(front, QAbstractItemView)
        if isinstance(view, QAbstractItemView):
            self._note("wheel", view)
            place = QPointF(self._place_in(view))
            turn = QPoint(0, self._chance.choice((-1200, -120, 120, 1200)))
            QApplication.sendEvent(
                view.viewport(),
                QWheelEvent(
                    place,
                    place,
                    QPoint(),
                    turn,
                    Qt.MouseButton.NoButton,
                    PLAIN,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                ),
            )

    def _open_context_menu(self, front: QWidget) -> None:
        view = self._one_of(front, QAbstractItemView, QLineEdit, QPlainTextEdit)
        if view is not None:
            self._note("context menu", view)
            inside = view.viewport() if isinstance(view, QAbstractItemView) else view
            place = self._place_in(view)
            QApplication.sendEvent(
                inside,
                QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, inside.mapToGlobal(place)),
            )

    def _choose(self, menu: QMenu) -> None:
        actions = [
            one
            for one in menu.actions()
            if one.isEnabled() and not one.isSeparator() and _plain(one) not in LEAVES
        ]
        if not actions or self._chance.random() < 0.3:
            self._note("close menu", menu)
            menu.close()
            return
        action = self._chance.choice(actions)
        self._note(f"choose {_plain(action)}", menu)
        if action.menu() is None:
            menu.close()
        action.trigger()

    def _trigger(self, front: QWidget) -> None:
        """An action of the menu bar; only where no dialog holds the window."""
        if front is not self._window:
            return
        actions = [
            action
            for menu in self._window.menuBar().findChildren(QMenu)
            for action in menu.actions()
            if action.isEnabled() and action.menu() is None and _plain(action) not in LEAVES
        ]
        action = self._chance.choice(actions)
        self._note(f"menu {_plain(action)}", self._window)
        action.trigger()

    def _resize(self, _front: QWidget) -> None:
        self._note("resize", self._window)
        self._window.resize(*self._chance.choice(SIZES))

    def _one_of(self, front: QWidget, *kinds: type[QWidget]) -> QWidget | None:
        found = [
            one
            for kind in kinds
            for one in front.findChildren(kind)
            if one.isVisible() and one.isEnabled() and one.window() is front
        ]
        return self._chance.choice(found) if found else None

    def _place_in(self, view: QWidget) -> QPoint:
        return QPoint(
            self._chance.randrange(max(1, view.width())),
            self._chance.randrange(max(1, view.height())),
        )

    def _note(self, what: str, where: QWidget) -> None:
        self.done[what.partition(" ")[0]] += 1
        self.last.append(f"{what} on {type(where).__name__} {where.objectName()}".rstrip())


def _plain(action: QAction) -> str:
    return action.text().replace("&", "")


async def settle_popups() -> None:
    """Close what is open over the window; what will not be closed stays (it holds unsaved text)."""
    for _ in range(MOST_CLOSINGS):
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if front is None:
            return
        front.close()
        # A dialog asked to close may think it over in a task: it never ends without a turn.
        await asyncio.sleep(CLOSING_SECONDS)

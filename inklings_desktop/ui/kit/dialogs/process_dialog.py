"""Sheets of paper over the window for what takes a while: a body over a foot, or a bar alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QLayout, QPushButton, QStackedWidget, QWidget
from shiboken6 import isValid

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Headline
from inklings_desktop.ui.kit.look.accessibility import FocusRing, focus_first, named, order_tabs
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.look.veil import shows_through, veil_behind
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.marks.meters import ShareBar

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QShowEvent

    from inklings_desktop.ui.kit.look.theme import Theme

HEAD_HEIGHT = 76
_AIR = 16
_SIDE_SHARE = 0.36
_HEAD_SHARE = 0.1


class PaperDialog(Grounded, QDialog):
    """Modal paper with round corners, as large as wanted where the window has room.

    Escape and closing ask to leave: whoever owns the dialog answers by hiding it, or by silence.
    Enter does nothing by itself.

    Signals:
        leave_requested: The person wants to close the dialog.
    """

    leave_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        *,
        title: str,
        size: QSize,
        head_height: int = HEAD_HEIGHT,
        has_cross: bool = True,
    ) -> None:
        """Build an empty sheet; fill ``body`` and ``foot``.

        Args:
            title: What it is about, in its head.
            size: Width and height at text scale 1, in pixels.
            head_height: Least height of the head, in pixels.
            has_cross: Whether the head has a cross to close it; the foot has a button otherwise.
        """
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self._window = window
        self._wanted = size
        self._head_height = head_height
        self.setProperty("paper", "true")
        is_round = shows_through()
        self.stands_on = Ground("raised", "dialog" if is_round else 0, "lineStrong")
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, is_round)
        self.setWindowModality(Qt.WindowModality.ApplicationModal)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title = Headline(theme, px=None, parent=self)
        self._title.setWordWrap(False)
        self._title.setText(title)
        self._under = elided_label("", "meta", self)
        self.close_button = IconButton(theme, "x", tr("Close (Esc)"), size=18, parent=self)
        self.close_button.setObjectName("paperClose")
        self.close_button.clicked.connect(self.leave_requested)
        self.close_button.setVisible(has_cross)
        self.body = vbox(None, spacing=0)
        self._lay_out()
        self._ring = FocusRing(theme, self)
        window.installEventFilter(self)
        theme.changed.connect(self.fit)

    def show_head(self, title: str, under: str) -> None:
        """Say what it is about, and a line below."""
        self._title.setText(title)
        self._under.setText(under)

    def add_to_head(self, widget: QWidget) -> None:
        """One more control at the right of the head, before the cross."""
        self._head_row.insertWidget(self._head_row.count() - 1, widget)

    def want(self, size: QSize) -> None:
        """Be of another size from now on."""
        if size != self._wanted:
            self._wanted = size
            self.fit()

    def height_at(self, _width: int) -> int:
        """Height that is wanted at a width, both in pixels as they are drawn."""
        return self._theme.scaled(self._wanted.height())

    def show_over_window(self) -> None:
        """Show it over the veiled window."""
        veil_behind(self)
        self.show()

    def let_go(self) -> None:
        """Hide it for good."""
        self.hide()
        self.deleteLater()

    def side_width(self, wanted: int) -> int:
        """Width of a list at the side, in pixels as it is drawn.

        Args:
            wanted: Width at text scale 1; large type takes no more than its share of the paper.
        """
        return min(self._theme.scaled(wanted), round(_SIDE_SHARE * self.width()))

    def fit(self) -> None:
        """Centre on the window; smaller than wanted only where the window is."""
        room = self._window.size()
        width = min(self._theme.scaled(self._wanted.width()), room.width() - 2 * _AIR)
        # Larger text gets a higher head where the window is not low.
        head = min(self._theme.scaled(self._head_height), round(_HEAD_SHARE * room.height()))
        self._head.setMinimumHeight(max(self._head_height, head))
        height = min(self.height_at(width), room.height() - 2 * _AIR)
        rect = QRect(0, 0, width, height)
        rect.moveCenter(self._window.mapToGlobal(self._window.rect().center()))
        self.setFixedSize(rect.size())
        self.move(rect.topLeft())

    # -- Qt -------------------------------------------------------------------------------

    def reject(self) -> None:
        """Escape asks to leave."""
        self.leave_requested.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Lets Tab go as one reads, and begin below the head."""
        super().showEvent(event)
        order_tabs(self)
        inside: QWidget | None = self.focusWidget()
        if inside is None or inside is self.close_button:
            focus_first(self, Qt.FocusReason.OtherFocusReason, besides=self.close_button)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.isVisible():
            event.ignore()
            self.leave_requested.emit()
            return
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.accept()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The head moves the dialog, as a title bar would."""
        handle = self.windowHandle()
        is_head = event.position().y() < self._head.height()
        if event.button() is Qt.MouseButton.LeftButton and is_head and handle is not None:
            handle.startSystemMove()
        super().mousePressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fits itself to the window when that is resized."""
        if watched is self._window and event.type() is QEvent.Type.Resize and self.isVisible():
            self.fit()
        return super().eventFilter(watched, event)

    # -- inside ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        words = vbox(None, STRETCH, self._title, self._under, STRETCH, spacing=0)
        self._head = QWidget(self)
        self._head.setMinimumHeight(self._head_height)
        parts = ((words, 1), self.close_button)
        self._head_row = hbox(self._head, *parts, margins=(MARGIN, 0, 22, 0), spacing=12)
        vbox(self, self._head, rule(self), (self.body, 1), margins=1, spacing=0)


StateT = TypeVar("StateT")


class Part(Protocol):
    """Body or foot of one step: a widget that shows states."""

    def show_state(self, state: Any) -> None:
        """Show another state."""


class ProcessDialog(PaperDialog, Generic[StateT]):
    """Shows the states of a ``Process``, which listens to its buttons; decides nothing.

    Enter does nothing by itself. Escape and closing ask to leave.
    """

    def show_state(self, state: StateT) -> None:
        """Show another state."""
        raise NotImplementedError

    def fill(self, *parts: QWidget | QLayout) -> None:
        """Put the parts below the head, a rule between each two; the last but one gives way."""
        for number, part in enumerate(parts, start=1):
            if number > 1:
                self.body.addWidget(rule(self))
            stretch = int(number == len(parts) - 1)
            if isinstance(part, QLayout):
                self.body.addLayout(part, stretch)
            else:
                self.body.addWidget(part, stretch)


class SteppedDialog(ProcessDialog[StateT]):
    """A process of several steps, told apart by the ``step`` of its states.

    Attributes:
        step: What is on show; None before the first state.
    """

    step: Hashable = None

    def set_steps(self, steps: Mapping[Any, tuple[Part, Part]]) -> None:
        """Say what each step consists of, its body and its foot; two may share theirs."""
        self._steps = dict(steps)
        self._bodies, self.feet = QStackedWidget(self), QStackedWidget(self)
        for stack, number in ((self._bodies, 0), (self.feet, 1)):
            for part in dict.fromkeys(pair[number] for pair in self._steps.values()):
                assert isinstance(part, QWidget)
                stack.addWidget(part)
        self.fill(self._bodies, self.feet)

    def show_state(self, state: Any) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        body, foot = self._steps[state.step]
        is_new, self.step = state.step is not self.step, state.step
        body.show_state(state)
        foot.show_state(state)
        self.show_title(state)
        if not is_new:
            return
        self._bodies.setCurrentWidget(body)
        self.feet.setCurrentWidget(foot)
        self.fit()
        self.begin_step()

    def show_title(self, state: Any) -> None:
        """Say in the head what it is about now."""

    def begin_step(self) -> None:
        """Take the keyboard to where the step begins."""


_WIDTH = 440
_MARGIN = 28


class ProgressDialog(QDialog):
    """Counts up to a number; the button, Escape and the cross of the frame ask to stop."""

    def __init__(self, theme: Theme, title: str, total: int, window: QWidget) -> None:
        """Build the dialog, which shows itself at the first step.

        Args:
            title: What is being done, in a short sentence.
            total: Steps in all, at least 1.
        """
        super().__init__(window)
        self.setObjectName("progressDialog")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._total = total
        self._is_stopped = False
        heading = wrapped_label(title, "title", self)
        heading.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.bar = ShareBar(theme, parent=self)
        self.bar.setAccessibleName(tr("Progress"))
        self._step = plain_label("", "meta", self)
        self.stop = named(QPushButton(tr("Stop"), self), "progressStop")
        self.stop.clicked.connect(self.reject)
        foot = hbox(None, self._step, STRETCH, self.stop)
        vbox(self, heading, self.bar, foot, margins=(_MARGIN, 24, _MARGIN, 24), spacing=12)

    def goes_on(self, n_done: int) -> bool:
        """Show how far it has come; whether nobody has asked to stop."""
        if not isValid(self):  # it went with its window
            return False
        text = tr("{n} of {total}").format(n=grouped(n_done), total=grouped(self._total))
        self.bar.set_share(n_done / self._total)
        self.bar.setAccessibleDescription(text)
        self._step.setText(text)
        if not (self._is_stopped or self.isVisible()):
            veil_behind(self)
            self.open()
        return not self._is_stopped

    def finish(self) -> None:
        """Go, for it is done or stopped."""
        if isValid(self):
            self.accept()
            self.deleteLater()

    def reject(self) -> None:
        """Asks to stop; it goes once what is under way has been finished."""
        self._is_stopped = True
        self.stop.setEnabled(False)
        self.stop.setText(tr("Stopping\u2026"))

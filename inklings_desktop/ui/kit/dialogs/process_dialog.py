"""Dialogs of what takes a while: paper with a body over a foot, or several in turn; a bar alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtWidgets import QDialog, QLayout, QPushButton, QStackedWidget, QWidget
from shiboken6 import isValid

from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.marks.meters import ShareBar

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from inklings_desktop.ui.kit.look.theme import Theme


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

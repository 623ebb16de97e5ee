"""The dialog of a process: paper with a body over a foot of buttons, or several in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtWidgets import QLayout, QStackedWidget, QWidget

from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.marks.labels import rule

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

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

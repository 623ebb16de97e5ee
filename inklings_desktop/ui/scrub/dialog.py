"""The one door to destruction: three steps and a result, each of which can be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot

from inklings_desktop.domain.scrub.manifest import COPIES
from inklings_desktop.ui.kit.dialogs.process_dialog import SteppedDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.steps import StepMarks
from inklings_desktop.ui.scrub.confirm_step import ConfirmBody, ConfirmFoot
from inklings_desktop.ui.scrub.manifest_step import ManifestBody, ManifestFoot
from inklings_desktop.ui.scrub.result_step import ResultBody, ResultFoot, RunningBody, RunningFoot
from inklings_desktop.ui.scrub.scope_step import ScopeBody, ScopeFoot
from inklings_desktop.ui.scrub.state import ScrubState, ScrubStep

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

WIDTH, HEIGHT = 900, 736
RESULT_HEIGHT = 570
_HEAD_HEIGHT = 83


class ScrubDialog(SteppedDialog[ScrubState]):
    """Shows a ``ScrubState`` and decides nothing.

    Enter does nothing anywhere in it. Escape and closing ask to leave: whoever owns the dialog
    answers with ``accept`` or by staying silent while something is being removed.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(
            theme,
            window,
            title=tr("Scrub memory"),
            size=QSize(WIDTH, HEIGHT),
            head_height=_HEAD_HEIGHT,
            has_cross=False,
        )
        self.setObjectName("scrubDialog")
        self.marks = StepMarks(theme, (tr("Scope"), tr("Dry run"), tr("Confirm")), self)
        self.scope, self.scope_foot = ScopeBody(theme, self), ScopeFoot(theme, self)
        self.manifest, self.manifest_foot = ManifestBody(theme, self), ManifestFoot(theme, self)
        self.confirm, self.confirm_foot = ConfirmBody(theme, self), ConfirmFoot(theme, self)
        self.running, self.running_foot = RunningBody(theme, self), RunningFoot(self)
        self.outcome, self.outcome_foot = ResultBody(theme, self), ResultFoot(theme, self)
        self.add_to_head(self.marks)
        self.set_steps(
            {
                ScrubStep.SCOPE: (self.scope, self.scope_foot),
                ScrubStep.DRY_RUN: (self.manifest, self.manifest_foot),
                ScrubStep.CONFIRM: (self.confirm, self.confirm_foot),
                ScrubStep.RUNNING: (self.running, self.running_foot),
                ScrubStep.RESULT: (self.outcome, self.outcome_foot),
            }
        )
        for button in (
            self.scope_foot.cancel,
            self.manifest_foot.close_it,
            self.confirm_foot.keep,
            self.outcome_foot.done,
        ):
            button.clicked.connect(self.leave_requested)
        self.outcome.verticalScrollBar().rangeChanged.connect(self._on_result_range_changed)

    def show_state(self, state: ScrubState) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        super().show_state(state)
        if state.step is ScrubStep.RESULT:
            self.fit()

    def show_title(self, state: ScrubState) -> None:
        """Say what it is about, or how it ended."""
        title, under = tr("Scrub memory"), state.workspace_name
        if state.step is ScrubStep.RESULT and state.outcome is not None:
            is_finished = state.outcome.is_finished
            title = tr("Scrub finished") if is_finished else tr("Removed, purge pending")
            if state.outcome.pending == COPIES:
                title = tr("Removed, not verified")
            under = tr("Recorded in the event log")
        self.show_head(title, under)
        present = {ScrubStep.RUNNING: 2, ScrubStep.RESULT: 3}.get(state.step, int(state.step))
        self.marks.show_step(present)

    def begin_step(self) -> None:
        """The keyboard stands on what is asked first, never on what removes."""
        match self.step:
            case ScrubStep.SCOPE:
                self.scope.focus_first()
            case ScrubStep.DRY_RUN:
                self.manifest.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.CONFIRM:
                self.confirm.focus_first()
            case ScrubStep.RUNNING:
                self.running.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.RESULT:
                self.outcome_foot.done.setFocus(Qt.FocusReason.OtherFocusReason)

    def height_at(self, width: int) -> int:
        """The steps are of one height, so that nothing jumps; the result as high as its words."""
        wanted = super().height_at(width)
        if self.step is not ScrubStep.RESULT:
            return wanted
        around = self.height() - self.outcome.height()  # head, rules and foot as they are
        content = self.outcome.height_at(width - 2) + around
        return max(self._theme.scaled(RESULT_HEIGHT), min(content, wanted))

    @Slot()
    def _on_result_range_changed(self) -> None:
        if self.step is ScrubStep.RESULT and self.outcome.verticalScrollBar().maximum() > 0:
            self.fit()

"""The one door to destruction: three steps and a result, each of which can be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QStackedWidget,
    QWidget,
)

from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.kit.marks.steps import StepMarks
from inklings_desktop.ui.scrub.confirm_step import ConfirmBody, ConfirmFoot
from inklings_desktop.ui.scrub.manifest_step import ManifestBody, ManifestFoot
from inklings_desktop.ui.scrub.result_step import ResultBody, ResultFoot
from inklings_desktop.ui.scrub.running_step import RunningBody, RunningFoot
from inklings_desktop.ui.scrub.scope_step import ScopeBody, ScopeFoot
from inklings_desktop.ui.scrub.state import ScrubStep

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import ScrubState

WIDTH, HEIGHT = 900, 736
RESULT_HEIGHT = 570
_HEAD_HEIGHT = 83
_AIR = 16
_RULES = 4


class ScrubDialog(PaperDialog):
    """Shows a ``ScrubState`` and says what the person wants; decides nothing.

    Enter does nothing anywhere in it. Escape and closing ask to leave: whoever owns the dialog
    answers with ``accept`` or by staying silent while something is being removed.

    Signals:
        back_requested: One step back.
        count_requested: Make the dry run.
        confirm_requested: On to the confirmation.
        execute_requested: Remove what was confirmed.
        event_requested: Show the record in the event log.
        copy_requested: Save a copy of what would go, before anything else.
        decline_requested: Turn the request down that this is about.
    """

    decline_requested = Signal()
    back_requested = Signal()
    count_requested = Signal()
    confirm_requested = Signal()
    execute_requested = Signal()
    event_requested = Signal()
    copy_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(
            theme,
            window,
            title=self.tr("Scrub memory"),
            size=QSize(WIDTH, HEIGHT),
            head_height=_HEAD_HEIGHT,
            has_cross=False,
        )
        self._step: ScrubStep | None = None
        self.setObjectName("scrubDialog")
        self.marks = StepMarks(
            theme, (self.tr("Scope"), self.tr("Dry run"), self.tr("Confirm")), self
        )
        self.scope = ScopeBody(theme, self)
        self.scope_foot = ScopeFoot(theme, self)
        self.manifest = ManifestBody(theme, self)
        self.manifest_foot = ManifestFoot(theme, self)
        self.confirm = ConfirmBody(theme, self)
        self.confirm_foot = ConfirmFoot(theme, self)
        self.running = RunningBody(theme, self)
        self.running_foot = RunningFoot(self)
        self.outcome = ResultBody(theme, self)
        self.outcome_foot = ResultFoot(theme, self)
        self._bodies = QStackedWidget(self)
        self._feet = QStackedWidget(self)
        self._fill()
        self._connect()

    def show_state(self, state: ScrubState) -> None:
        """Show another state; a new step takes the keyboard to its first control."""
        body, foot = self._pages[state.step]
        is_new = state.step is not self._step
        self._step = state.step
        body.show_state(state)
        foot.show_state(state)
        self._show_head(state)
        if not is_new:
            if state.step is ScrubStep.RESULT:
                self.fit()
            return
        self._bodies.setCurrentWidget(body)
        self._feet.setCurrentWidget(foot)
        self.fit()
        self._focus_first(state.step)

    # -- inside ---------------------------------------------------------------------------

    def _fill(self) -> None:
        self._pages: dict[ScrubStep, tuple[_Body, _Foot]] = {
            ScrubStep.SCOPE: (self.scope, self.scope_foot),
            ScrubStep.DRY_RUN: (self.manifest, self.manifest_foot),
            ScrubStep.CONFIRM: (self.confirm, self.confirm_foot),
            ScrubStep.RUNNING: (self.running, self.running_foot),
            ScrubStep.RESULT: (self.outcome, self.outcome_foot),
        }
        for body, foot in self._pages.values():
            self._bodies.addWidget(body)
            self._feet.addWidget(foot)
        self.add_to_head(self.marks)
        self.body.addWidget(self._bodies, 1)
        self.body.addWidget(rule(self))
        self.body.addWidget(self._feet)

    def _connect(self) -> None:
        self.scope_foot.cancel_requested.connect(self.leave_requested)
        self.scope_foot.count_requested.connect(self.count_requested)
        self.manifest_foot.copy_requested.connect(self.copy_requested)
        self.manifest_foot.decline_requested.connect(self.decline_requested)
        self.manifest_foot.back_requested.connect(self.back_requested)
        self.manifest_foot.close_requested.connect(self.leave_requested)
        self.manifest_foot.confirm_requested.connect(self.confirm_requested)
        self.confirm_foot.back_requested.connect(self.back_requested)
        self.confirm_foot.close_requested.connect(self.leave_requested)
        self.confirm_foot.execute_requested.connect(self.execute_requested)
        self.outcome_foot.event_requested.connect(self.event_requested)
        self.outcome_foot.done_requested.connect(self.leave_requested)
        self.outcome.verticalScrollBar().rangeChanged.connect(self._on_result_range_changed)

    def _show_head(self, state: ScrubState) -> None:
        title, under = self.tr("Scrub memory"), state.workspace_name
        if state.step is ScrubStep.RESULT and state.outcome is not None:
            is_finished = state.outcome.is_finished
            title = self.tr("Scrub finished") if is_finished else self.tr("Removed, purge pending")
            under = self.tr("Recorded in the event log")
        self.show_head(title, under)
        present = {ScrubStep.RUNNING: 2, ScrubStep.RESULT: 3}.get(state.step, int(state.step))
        self.marks.show_step(present)

    def _focus_first(self, step: ScrubStep) -> None:
        match step:
            case ScrubStep.SCOPE:
                self.scope.focus_first()
            case ScrubStep.DRY_RUN:
                self.manifest.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.CONFIRM:
                self.confirm.focus_first()
            case ScrubStep.RUNNING:
                self.running.setFocus(Qt.FocusReason.OtherFocusReason)
            case ScrubStep.RESULT:
                self.outcome_foot.focus_first()

    def height_at(self, width: int) -> int:
        """The steps are of one height, so that nothing jumps; the result as high as its words."""
        wanted = super().height_at(width)
        if self._step is not ScrubStep.RESULT:
            return wanted
        frame = self.head_height + self._feet.sizeHint().height() + _RULES
        content = self.outcome.height_at(width - 2) + frame
        return max(self._theme.scaled(RESULT_HEIGHT), min(content, wanted))

    @Slot()
    def _on_result_range_changed(self) -> None:
        if self._step is ScrubStep.RESULT and self.outcome.verticalScrollBar().maximum() > 0:
            self.fit()


_Body = ScopeBody | ManifestBody | ConfirmBody | RunningBody | ResultBody
_Foot = ScopeFoot | ManifestFoot | ConfirmFoot | RunningFoot | ResultFoot

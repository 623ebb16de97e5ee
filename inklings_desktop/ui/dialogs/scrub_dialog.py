"""The one door to destruction: three steps and a result, each of which can be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.ui.dialogs.scrub_confirm_step import ConfirmBody, ConfirmFoot
from inklings_desktop.ui.dialogs.scrub_manifest_step import ManifestBody, ManifestFoot
from inklings_desktop.ui.dialogs.scrub_pieces import MARGIN, Headline
from inklings_desktop.ui.dialogs.scrub_result_step import ResultBody, ResultFoot
from inklings_desktop.ui.dialogs.scrub_running_step import RunningBody, RunningFoot
from inklings_desktop.ui.dialogs.scrub_scope_step import ScopeBody, ScopeFoot
from inklings_desktop.ui.presenters.scrub_state import ScrubStep
from inklings_desktop.ui.views.inspector_labels import elided_label, rule
from inklings_desktop.ui.widgets.focus_ring import FocusRing
from inklings_desktop.ui.widgets.step_marks import StepMarks

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from inklings_desktop.ui.presenters.scrub_state import ScrubState
    from inklings_desktop.ui.theme import Theme

WIDTH, HEIGHT = 900, 736
RESULT_HEIGHT = 570
_HEAD_HEIGHT = 83
_AIR = 16
_RULES = 4


class ScrubDialog(QDialog):
    """Shows a ``ScrubState`` and says what the person wants; decides nothing.

    Enter does nothing anywhere in it. Escape and closing ask to leave: whoever owns the dialog
    answers with ``accept`` or by staying silent while something is being removed.

    Signals:
        leave_requested: The person wants to close the dialog.
        back_requested: One step back.
        count_requested: Make the dry run.
        confirm_requested: On to the confirmation.
        execute_requested: Remove what was confirmed.
        event_requested: Show the record in the event log.
        copy_requested: Save a copy of what would go, before anything else.
        decline_requested: Turn the request down that this is about.
    """

    decline_requested = Signal()

    leave_requested = Signal()
    back_requested = Signal()
    count_requested = Signal()
    confirm_requested = Signal()
    execute_requested = Signal()
    event_requested = Signal()
    copy_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self._window = window
        self._step: ScrubStep | None = None
        self.setObjectName("scrubDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowModality(Qt.WindowModality.ApplicationModal)
        self.setWindowTitle(self.tr("Scrub memory"))
        self.setAccessibleName(self.tr("Scrub memory"))
        self._title = Headline(theme, px=None, parent=self)
        self._title.setWordWrap(False)
        self._under = elided_label("", "meta", self)
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
        self._lay_out()
        self._connect()
        self._ring = FocusRing(theme, self)
        window.installEventFilter(self)

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
                self._fit()
            return
        self._bodies.setCurrentWidget(body)
        self._feet.setCurrentWidget(foot)
        self._fit()
        self._focus_first(state.step)

    # -- Qt -------------------------------------------------------------------------------

    def reject(self) -> None:
        """Escape asks to leave."""
        self.leave_requested.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing asks to leave."""
        if self.isVisible():
            event.ignore()
            self.leave_requested.emit()
            return
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Swallows Enter, so that nothing can happen by it."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.accept()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the paper; its corners are round, so the window itself is see-through."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("lineStrong"), 1))
        painter.setBrush(self._theme.color("raised"))
        radius = self._theme.radius("dialog")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The head moves the dialog, as a title bar would."""
        handle = self.windowHandle()
        is_head = event.position().y() < _HEAD_HEIGHT
        if event.button() is Qt.MouseButton.LeftButton and is_head and handle is not None:
            handle.startSystemMove()
        super().mousePressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fits itself to the window when that is resized."""
        if watched is self._window and event.type() is QEvent.Type.Resize and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    # -- inside ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
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
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._under)
        words.addStretch(1)
        self._head = QWidget(self)
        self._head.setMinimumHeight(_HEAD_HEIGHT)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(MARGIN, 0, 24, 0)
        row.addLayout(words, 1)
        row.addWidget(self.marks)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(rule(self))
        column.addWidget(self._bodies, 1)
        column.addWidget(rule(self))
        column.addWidget(self._feet)

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
        self._theme.changed.connect(self._on_theme_changed)

    def _show_head(self, state: ScrubState) -> None:
        title, under = self.tr("Scrub memory"), state.workspace_name
        if state.step is ScrubStep.RESULT and state.outcome is not None:
            is_finished = state.outcome.is_finished
            title = self.tr("Scrub finished") if is_finished else self.tr("Removed, purge pending")
            under = self.tr("Recorded in the event log")
        self._title.setText(title)
        self._under.setText(under)
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

    def _fit(self) -> None:
        """Centre on the window; lower than the design only where the window is."""
        room = self._window.size()
        width = min(self._theme.scaled(WIDTH), room.width() - 2 * _AIR)
        wanted = self._theme.scaled(HEIGHT)
        if self._step is ScrubStep.RESULT:
            frame = self._head.sizeHint().height() + self._feet.sizeHint().height() + _RULES
            content = self.outcome.height_at(width - 2) + frame
            wanted = max(self._theme.scaled(RESULT_HEIGHT), min(content, wanted))
        height = min(wanted, room.height() - 2 * _AIR)
        rect = QRect(0, 0, width, height)
        rect.moveCenter(self._window.mapToGlobal(self._window.rect().center()))
        self.setFixedSize(rect.size())
        self.move(rect.topLeft())

    @Slot()
    def _on_result_range_changed(self) -> None:
        if self._step is ScrubStep.RESULT and self.outcome.verticalScrollBar().maximum() > 0:
            self._fit()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._fit()


_Body = ScopeBody | ManifestBody | ConfirmBody | RunningBody | ResultBody
_Foot = ScopeFoot | ManifestFoot | ConfirmFoot | RunningFoot | ResultFoot

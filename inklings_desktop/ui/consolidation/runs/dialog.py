"""The history of consolidations: a list of runs, one of them in full, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.consolidation.runs.pane import RunPane
from inklings_desktop.ui.consolidation.runs.words import nothing_words, run_rows
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.dialogs.pieces import Headline, StepFoot
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, show_parts
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.ui.consolidation.runs.state import RunsState
    from inklings_desktop.ui.kit.look.theme import Theme

SIZE = QSize(1000, 700)
_LIST_WIDTH = 372
_ALL = "all"
_TIERS = (Tier.CHANNEL, Tier.WORKSPACE, Tier.ACCOUNT)


class RunsDialog(PaperDialog):
    """Shows a ``RunsState`` and says what the person wants.

    Signals:
        tier_chosen: A ``Tier``, or None for all of them.
        looked_at: Id of the run that became current.
        undo_requested: Take the current run back.
    """

    tier_chosen = Signal(object)
    looked_at = Signal(str)
    undo_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=SIZE)
        self.setObjectName("runsDialog")
        self.setWindowTitle(self.tr("Run history"))
        self.setAccessibleName(self.tr("Run history"))
        self.show_head(
            self.tr("Run history"), self.tr("What consolidation did, and the way back from it")
        )
        segments = [
            Segment(_ALL, self.tr("All")),
            *(Segment(one.value, tier_title(one)) for one in _TIERS),
        ]
        self.tiers = SegmentedSwitch(theme, segments, self.tr("Tier"), parent=self)
        self.tiers.setObjectName("runsTier")
        self.tiers.choice_changed.connect(self._on_choice_changed)
        self.add_to_head(self.tiers)
        self.list = BadgeList(theme, self.tr("Runs"), parent=self)
        self.list.setObjectName("runsList")
        self.list.row_chosen.connect(self.looked_at)
        self.pane = RunPane(theme, self)
        self._panes = QWidget(self)
        self._nothing = QWidget(self)
        self._nothing_title = Headline(theme, style="tab", px=None, parent=self._nothing)
        self._nothing_text = plain_label("", "body", self._nothing)
        self.undo = PushButton(
            theme, self.tr("Undo this run\u2026"), icon="arrow-counter-clockwise", parent=self
        )
        self.undo.setObjectName("runsUndo")
        self.undo.clicked.connect(self.undo_requested)
        storing(self.undo)
        self.finish = PushButton(theme, self.tr("Done"), kind="primary", parent=self)
        self.finish.setObjectName("runsDone")
        self.finish.clicked.connect(self.leave_requested)
        self._fill()
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is chosen has more room than the list."""
        super().fit()
        self.list.setFixedWidth(self.side_width(_LIST_WIDTH))

    def show_state(self, state: RunsState, now: datetime) -> None:
        """Show the history; ages as of ``now``."""
        rows = run_rows(state, now)
        had_any = bool(self.list.rows)
        self.tiers.blockSignals(True)
        self.tiers.choose(_ALL if state.tier is None else state.tier.value)
        self.tiers.blockSignals(False)
        self.list.show_rows(rows, state.current)
        self.pane.show_state(state)
        title, text = nothing_words(state)
        self._nothing_title.setText(title)
        self._nothing_text.setText(text)
        has_pane = bool(rows) or state.notice is not None
        show_parts({self._panes: has_pane, self._nothing: not has_pane})
        self.undo.setVisible(bool(rows))
        self.undo.setEnabled(state.can_undo)
        self.undo.setText(
            self.tr("Taking it back\u2026") if state.is_undoing else self.tr("Undo this run\u2026")
        )
        if rows and not had_any:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        row = QHBoxLayout(self._panes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(upright)
        row.addWidget(self.pane, 1)
        nothing = QVBoxLayout(self._nothing)
        nothing.addStretch(1)
        for label in (self._nothing_title, self._nothing_text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            nothing.addWidget(label)
        nothing.addStretch(1)
        foot = StepFoot(self)
        foot.row.addWidget(self.undo)
        foot.row.addStretch(1)
        foot.row.addWidget(self.finish)
        self.body.addWidget(self._panes, 1)
        self.body.addWidget(self._nothing, 1)
        self.body.addWidget(rule(self))
        self.body.addWidget(foot)

    @Slot(str)
    def _on_choice_changed(self, choice: str) -> None:
        self.tier_chosen.emit(None if choice == _ALL else Tier(choice))

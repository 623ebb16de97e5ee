"""Golden questions: a list of them, and one in its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.consolidation.golden.form import GoldenForm
from inklings_desktop.ui.consolidation.golden.state import NEW
from inklings_desktop.ui.consolidation.golden.words import golden_rows, summary
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.dialogs.pieces import Headline, StepFoot
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, show_parts
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from inklings_desktop.ui.consolidation.golden.state import GoldenState
    from inklings_desktop.ui.kit.look.theme import Theme

SIZE = QSize(1060, 720)
_LIST_WIDTH = 348


class GoldenDialog(PaperDialog):
    """Shows a ``GoldenState`` and says what the person wants.

    Signals:
        looked_at: Id of the question that became current.
        new_requested: An empty question.
        ask_requested: Ask all of them now.
        save_requested: Keep the question in the fields.
        delete_requested: Remove it.
    """

    looked_at = Signal(str)
    new_requested = Signal()
    ask_requested = Signal()
    save_requested = Signal()
    delete_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title="", size=SIZE)
        self._key = ""
        self._said = ""
        self._can_begin = False
        self.setObjectName("goldenDialog")
        self.setWindowTitle(self.tr("Golden questions"))
        self.setAccessibleName(self.tr("Golden questions"))
        self.ask = PushButton(theme, self.tr("Ask all now"), icon="arrows-clockwise", parent=self)
        self.ask.setObjectName("goldenAsk")
        self.ask.clicked.connect(self.ask_requested)
        storing(self.ask)  # what is found is kept, to be compared with
        self.new = PushButton(theme, self.tr("New question"), icon="plus", parent=self)
        self.new.setObjectName("goldenNew")
        self.new.clicked.connect(self.new_requested)
        storing(self.new)
        self.add_to_head(self.ask)
        self.add_to_head(self.new)
        self.list = BadgeList(theme, self.tr("Golden questions"), parent=self)
        self.list.setObjectName("goldenList")
        self.list.row_chosen.connect(self.looked_at)
        self.form = GoldenForm(theme, self)
        self._panes = QWidget(self)
        self._nothing = QWidget(self)
        self.delete = PushButton(
            theme, self.tr("Delete\u2026"), kind="quietDanger", icon="eraser", parent=self
        )
        self.delete.setObjectName("goldenDelete")
        self.delete.clicked.connect(self.delete_requested)
        storing(self.delete)
        self.save = PushButton(theme, self.tr("Keep question"), kind="primary", parent=self)
        self.save.setObjectName("goldenSave")
        self.save.clicked.connect(self.save_requested)
        storing(self.save)
        self.finish = PushButton(theme, self.tr("Done"), parent=self)
        self.finish.setObjectName("goldenDone")
        self.finish.clicked.connect(self.leave_requested)
        self._fill(theme)
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is chosen has more room than the list."""
        super().fit()
        self.list.setFixedWidth(self.side_width(_LIST_WIDTH))

    def show_state(self, state: GoldenState) -> None:
        """Show the questions and the one in the fields."""
        said = summary(state)
        self.show_head(self.tr("Golden questions"), said)
        if said != self._said and state.records and not state.is_asking:
            self._said = said
            announce(self, said)
        draft = state.draft
        self.list.show_rows(golden_rows(state), "" if draft is None else draft.key)
        self.form.show_state(state)
        is_empty = draft is None and not state.questions
        show_parts({self._panes: not is_empty, self._nothing: is_empty and state.is_read})
        self.form.setVisible(draft is not None)
        self.ask.setEnabled(bool(state.questions) and not state.is_asking)
        self.ask.setText(self.tr("Asking\u2026") if state.is_asking else self.tr("Ask all now"))
        self.new.setEnabled(bool(state.places))
        self.delete.setVisible(draft is not None)
        self.delete.setText(
            self.tr("Discard")
            if draft is not None and draft.key == NEW
            else self.tr("Delete\u2026")
        )
        self.save.setVisible(draft is not None)
        self.save.setEnabled(state.can_save)
        key = "" if draft is None else draft.key
        if key == NEW and self._key != NEW:
            self.form.focus_question()
        elif key and not self._key:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif is_empty and self.new.isEnabled() and not self._can_begin:
            self.new.setFocus(Qt.FocusReason.OtherFocusReason)
        self._can_begin = self.new.isEnabled()
        self._key = key

    def _fill(self, theme: Theme) -> None:
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        row = QHBoxLayout(self._panes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(upright)
        row.addWidget(self.form, 1)
        row.addStretch(0)
        nothing = QVBoxLayout(self._nothing)
        nothing.setContentsMargins(180, 0, 180, 40)
        nothing.setSpacing(8)
        title = Headline(theme, style="tab", px=None, parent=self._nothing)
        title.setText(self.tr("No golden question yet"))
        text = plain_label(
            self.tr(
                "Save a question with memories that must, or must not, be found. All of them are "
                "asked before and after whatever may change their answers, a plan shows which "
                "would break, and one that broke stands in the overview."
            ),
            "body",
            self._nothing,
        )
        nothing.addStretch(1)
        for label in (title, text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            nothing.addWidget(label)
        nothing.addStretch(1)
        foot = StepFoot(self)
        foot.row.addWidget(self.delete)
        foot.row.addStretch(1)
        foot.row.addWidget(self.finish)
        foot.row.addWidget(self.save)
        self.body.addWidget(self._panes, 1)
        self.body.addWidget(self._nothing, 1)
        self.body.addWidget(rule(self))
        self.body.addWidget(foot)

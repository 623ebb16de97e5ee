"""Golden questions: a list of them, and one in its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.consolidation.golden_form import GoldenForm
from inklings_desktop.ui.consolidation.golden_state import NEW, GoldenState
from inklings_desktop.ui.consolidation.golden_words import golden_rows, summary
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.pieces import Headline, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.marks.labels import plain_label, show_parts
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme


SIZE = QSize(1060, 720)
_LIST_WIDTH = 348


class GoldenDialog(ProcessDialog[GoldenState]):
    """Shows a ``GoldenState``."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=self.tr("Golden questions"), size=SIZE)
        self._key = ""
        self._said = ""
        self._can_begin = False
        self.setObjectName("goldenDialog")
        self.ask = PushButton(theme, self.tr("Ask all now"), icon="arrows-clockwise", parent=self)
        self.ask.setObjectName("goldenAsk")
        storing(self.ask)  # what is found is kept, to be compared with
        self.new = PushButton(theme, self.tr("New question"), icon="plus", parent=self)
        self.new.setObjectName("goldenNew")
        storing(self.new)
        self.add_to_head(self.ask)
        self.add_to_head(self.new)
        self.list = BadgeList(theme, self.tr("Golden questions"), parent=self)
        self.list.setObjectName("goldenList")
        self.form = GoldenForm(theme, self)
        self._panes = QWidget(self)
        self._nothing = QWidget(self)
        self.delete = PushButton(
            theme, self.tr("Delete\u2026"), kind="quietDanger", icon="eraser", parent=self
        )
        self.delete.setObjectName("goldenDelete")
        storing(self.delete)
        self.save = PushButton(theme, self.tr("Keep question"), kind="primary", parent=self)
        self.save.setObjectName("goldenSave")
        storing(self.save)
        self.finish = PushButton(theme, self.tr("Done"), parent=self)
        self.finish.setObjectName("goldenDone")
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
        hbox(self._panes, self.list, upright, (self.form, 1), margins=0, spacing=0).addStretch(0)
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
        for label in (title, text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        middle = (STRETCH, title, text, STRETCH)
        vbox(self._nothing, *middle, margins=(180, 0, 180, 40), spacing=8)
        foot = StepFoot(self)
        fill(foot.row, self.delete, STRETCH, self.finish, self.save)
        self.fill(vbox(None, (self._panes, 1), (self._nothing, 1), spacing=0), foot)

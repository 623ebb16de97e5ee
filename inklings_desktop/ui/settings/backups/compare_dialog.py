"""A backup beside today: what differs at the left, one difference in full at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.pieces import (
    MARGIN,
    Headline,
    StepFoot,
    card,
    column_of,
)
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    IconMark,
    elided_label,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.markdown.comparison_pane import LineCount
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.settings.backups.compare_words import (
    MANY,
    changed_facts,
    compare_rows,
    effect_words,
    head_words,
    headline,
    restore_words,
    scrub_words,
    side_words,
    sides_of,
    title_of,
)
from inklings_desktop.ui.settings.backups.words import made_words

if TYPE_CHECKING:
    from inklings_desktop.domain.log.backup_comparison import Difference
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.backups.compare_words import CompareState

SIZE = QSize(1060, 748)
ALL, SET_BACK, LEAVE = "all", "set_back", "leave"
_LIST_WIDTH = 372
_SIDE = 24


class DifferencePane(QWidget):
    """Shows the difference that is looked at, and whether it is set back."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown: tuple[str, str] | None = None
        on_ground(self, "canvas")
        self._name = elided_label("", "tab", self)
        self._then = plain_label("", "meta", self)
        self._arrow = IconMark(theme, "arrow-right", "inkSoft", 14, self)
        self._now = plain_label(tr("now"), "metaStrong", self)
        self._added = LineCount(theme, "diffAdd", self)
        self._removed = LineCount(theme, "diffDel", self)
        self._counts = (0, 0)
        self._facts = wrapped_label("", "metaInk", self)
        self._frame = card(self, margins=(1, 1, 1, 1))
        self.diff = named(DiffView(theme, self._frame), "compareDiff")
        column_of(self._frame).addWidget(self.diff, 1)
        self.choice = SegmentedSwitch(
            theme,
            (
                Segment(SET_BACK, tr("Restore")),
                Segment(LEAVE, tr("Keep today\u2019s")),
            ),
            tr("What becomes of it"),
            parent=self,
        )
        self.choice.setObjectName("compareChoice")
        self._effect = wrapped_label("", "meta", self)
        self._scrub = wrapped_label("", "body", self)
        self._rest = QWidget(self)  # what the difference leaves free while there is none
        head = hbox(
            None,
            (self._name, 1),
            self._then,
            self._arrow,
            self._now,
            self._added,
            self._removed,
            spacing=10,
        )
        foot = hbox(None, self.choice, (self._effect, 1), spacing=12)
        margins = (_SIDE, 18, _SIDE, 18)
        vbox(
            self,
            head,
            self._facts,
            (self._frame, 1),
            foot,
            self._scrub,
            (self._rest, 1),
            margins=margins,
            spacing=12,
        )

    def show_state(self, state: CompareState) -> None:
        """Show the row that is looked at."""
        one, scrub = state.looked_at, state.scrub
        if one is not None:
            self._show_difference(one, state)
        elif scrub is not None:
            title, text = scrub_words(scrub, state.now)
            self._name.setText(title)
            self._scrub.setText(text)
        is_there = one is not None
        show_parts(
            {
                self._name: is_there or scrub is not None,
                self._then: is_there,
                self._arrow: is_there,
                self._now: is_there,
                self._added: is_there and bool(self._counts[0]),
                self._removed: is_there and bool(self._counts[1]),
                self._facts: is_there and bool(self._facts.text()),
                self._frame: is_there,
                self._rest: not is_there,
                self.choice: is_there,
                self._effect: is_there,
                self._scrub: scrub is not None,
            }
        )

    def _show_difference(self, one: Difference, state: CompareState) -> None:
        stays = one.id in state.left
        about = tr("Memory, {side}").format(side=side_words(one.side))
        self._name.setText(title_of(one) if one.is_entry else about)
        self._then.setText(made_words(state.backup.created_at, state.now))
        self._facts.setText("\n".join(changed_facts(one)))
        self.choice.show_choice(LEAVE if stays else SET_BACK)
        self.choice.setEnabled(not state.is_restoring)
        self._effect.setText(effect_words(one, stays=stays))
        self.choice.setAccessibleDescription(self._effect.text())
        texts = sides_of(one)
        if texts != self._shown:
            self._shown = texts
            diff = diff_lines(*texts)
            self.diff.show_diff(diff)
            self._counts = (diff.n_added, diff.n_removed)
            self._added.show_count(diff.n_added)
            self._removed.show_count(diff.n_removed)


class CompareDialog(ProcessDialog["CompareState"]):
    """Shows a ``CompareState``."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Compare a backup"), size=SIZE)
        self.setObjectName("compareDialog")
        self._top = QWidget(self)
        self._headline = named(Headline(theme, parent=self._top), "compareHeadline")
        self._text = wrapped_label("", "meta", self._top)
        self.sides = SegmentedSwitch(
            theme,
            (
                Segment(ALL, tr("All")),
                *(Segment(one.value, side_words(one)) for one in Side),
            ),
            tr("Which differences"),
            parent=self._top,
        )
        self.sides.setObjectName("compareSides")
        vbox(
            self._top,
            self._headline,
            self._text,
            self.sides,
            margins=(MARGIN, 16, MARGIN, 16),
            spacing=6,
        )
        self.list = named(BadgeList(theme, tr("Differences"), parent=self), "compareList")
        self.pane = DifferencePane(theme, self)
        self._panes = QWidget(self)
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        hbox(self._panes, self.list, upright, (self.pane, 1), margins=0, spacing=0)
        self._rest = QWidget(self)
        foot = StepFoot(self)
        self._promise = wrapped_label(
            tr("Today is backed up first, so you can undo this."),
            "meta",
            foot,
        )
        self._disk = IconMark(theme, "floppy-disk", "inkSoft", 16, foot)
        self.leave = PushButton(theme, tr("Close, change nothing"), parent=foot)
        self.leave.setObjectName("compareLeave")
        self.leave.clicked.connect(self.leave_requested)
        self.restore = PushButton(theme, restore_words(0), kind="primary", parent=foot)
        self.restore.setObjectName("compareRestore")
        storing(self.restore)
        fill(foot.row, self._disk, (self._promise, 1), self.leave, self.restore)
        middle = vbox(None, self._top, rule(self), (self._panes, 1), (self._rest, 1), spacing=0)
        self.fill(middle, foot)
        self.fit()

    def fit(self) -> None:
        """Centre on the window; the difference has more room than the list."""
        super().fit()
        self.list.setFixedWidth(self.side_width(_LIST_WIDTH))

    def show_state(self, state: CompareState) -> None:
        """Show the comparison, as far as it has come."""
        self.show_head(*head_words(state))
        title, text = headline(state)
        self._headline.setText(title)
        self._text.setText(text)
        rows = compare_rows(state)
        had_any = bool(self.list.rows)
        self.list.show_rows(rows, state.current)
        self.pane.show_state(state)
        found = state.comparison
        has_rows = bool(rows) or state.side is not None
        n_chosen = len(state.chosen)
        show_parts(
            {
                self._panes: has_rows,
                self._rest: not has_rows,
                self.sides: found is not None and len(found.differences) > MANY,
                self._promise: bool(state.chosen),
                self._disk: bool(state.chosen),
                self.restore: found is not None and bool(found.differences),
            }
        )
        self.sides.show_choice(ALL if state.side is None else state.side.value)
        self.restore.setEnabled(bool(n_chosen) and not state.is_restoring)
        self.restore.setText(
            tr("Restoring\u2026") if state.is_restoring else restore_words(n_chosen)
        )
        if rows and not had_any:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

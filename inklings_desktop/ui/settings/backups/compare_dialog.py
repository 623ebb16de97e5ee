"""A backup beside today: what differs at the left, one difference in full at the right."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Headline, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark, rule, show_parts, wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.parts import across, choice, plate, words
from inklings_desktop.ui.markdown.comparison_pane import LineCount
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.settings.backups.words import (
    MANY,
    changed_facts,
    compare_rows,
    effect_words,
    head_words,
    headline,
    made_words,
    restore_words,
    scrub_words,
    side_words,
    sides_of,
    title_of,
)

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside
    from inklings_desktop.ui.settings.backups.words import CompareState

SIZE = QSize(1060, 748)
ALL, SET_BACK, LEAVE = "all", "set_back", "leave"
_LIST_WIDTH = 372
_SIDE = 24


class DifferencePane(QWidget):
    """Shows the difference that is looked at, and whether it is set back.

    Signals:
        choice_changed: What becomes of it.
    """

    choice_changed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        on_ground(self, "canvas")
        box = vbox(self, margins=(_SIDE, 18, _SIDE, 18), spacing=12)
        self._place = Place(theme, self, box)
        self._place.show(*self._said(None))  # so that the keyboard comes here before the foot

    def show_state(self, state: CompareState) -> None:
        """Show the row that is looked at."""
        self._place.show(*self._said(state))

    def _said(self, state: CompareState | None) -> tuple[Inside, ...]:
        title = made = facts = effect = text = ""
        one, stays, diff = None, False, _diff("", "")
        if state is not None and (one := state.looked_at) is not None:
            stays = one.id in state.left
            about = tr("Memory, {side}").format(side=side_words(one.side))
            title = title_of(one) if one.is_entry else about
            made = made_words(state.backup.created_at, state.now)
            facts, effect = "\n".join(changed_facts(one)), effect_words(one, stays=stays)
            diff = _diff(*sides_of(one))
        elif state is not None and state.scrub is not None:
            title, text = scrub_words(state.scrub, state.now)
        is_there = one is not None
        counts = (
            part(LineCount, LOOK, role, count=n, visible=is_there and bool(n))
            for role, n in (("diffAdd", diff.n_added), ("diffDel", diff.n_removed))
        )
        return (
            across(
                words(title, "tab", way="elided", place=(1,)),
                words(made, way="plain", visible=is_there),
                part(IconMark, LOOK, "arrow-right", "inkSoft", 14, visible=is_there),
                words(tr("now"), "metaStrong", way="plain", visible=is_there),
                *counts,
                spacing=10,
            ),
            words(facts, "metaInk", visible=bool(facts)),
            plate(
                part(DiffView, LOOK, name="compareDiff", diff=diff, place=(1,)),
                box=vbox,
                kind="card",
                margins=1,
                place=(1,),
                visible=is_there,
            ),
            across(
                choice(
                    tr("What becomes of it"),
                    Segment(SET_BACK, tr("Restore")),
                    Segment(LEAVE, tr("Keep today\u2019s")),
                    name="compareChoice",
                    now=LEAVE if stays else SET_BACK,
                    wanted=self.choice_changed.emit,
                    visible=is_there,
                    enabled=state is not None and not state.is_restoring,
                    accessibleDescription=effect,
                ),
                words(effect, place=(1,), visible=is_there),
                spacing=12,
            ),
            words(text, "body", visible=bool(text)),
            *(() if is_there else (STRETCH,)),
        )


_diff = lru_cache(maxsize=1)(diff_lines)  # a choice changes nothing in it


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
            (Segment(ALL, tr("All")), *(Segment(one.value, side_words(one)) for one in Side)),
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
            tr("Today is backed up first, so you can undo this."), "meta", foot
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

"""A backup beside today: what differs at the left, one difference in full at the right."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal

from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Headline, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.parts import across, button, choice, hairline, plate, words
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
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside
    from inklings_desktop.ui.settings.backups.words import CompareState

SIZE = QSize(1060, 748)
ALL, SET_BACK, LEAVE = "all", "set_back", "leave"
_LIST_WIDTH = 372
_SIDE = 24


_diff = lru_cache(maxsize=1)(diff_lines)  # a choice changes nothing in it


class CompareDialog(ProcessDialog["CompareState"]):
    """Shows a ``CompareState``.

    Signals:
        row_chosen: Id of the difference to look at.
        side_chosen: Which differences are listed.
        choice_changed: What becomes of the one that is looked at.
        restore_wanted: Set back what is chosen.
    """

    row_chosen = Signal(str)
    side_chosen = Signal(str)
    choice_changed = Signal(str)
    restore_wanted = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Compare a backup"), size=SIZE)
        self.setObjectName("compareDialog")
        self._state: CompareState | None = None
        middle, foot = vbox(None, spacing=0), StepFoot(self)
        self.fill(middle, foot)
        self._middle, self._foot = Place(theme, self, middle), Place(theme, self, foot.row)
        self.fit()

    def fit(self) -> None:
        """Centre on the window; the difference has more room than the list."""
        super().fit()
        if self._state is not None:
            self.show_state(self._state)

    def show_state(self, state: CompareState) -> None:
        """Show the comparison, as far as it has come."""
        had_any = self._state is not None and bool(compare_rows(self._state))
        self._state = state
        self.show_head(*head_words(state))
        self._middle.show(*self._said(state))
        self._foot.show(*self._feet(state))
        if compare_rows(state) and not had_any:
            rows = self.findChild(BadgeList)
            assert isinstance(rows, BadgeList)
            rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _said(self, state: CompareState) -> tuple[Inside, ...]:
        title, text = headline(state)
        rows, found = compare_rows(state), state.comparison
        has_rows = bool(rows) or state.side is not None
        return (
            plate(
                part(Headline, LOOK, name="compareHeadline", text=title),
                words(text),
                choice(
                    tr("Which differences"),
                    Segment(ALL, tr("All")),
                    *(Segment(one.value, side_words(one)) for one in Side),
                    name="compareSides",
                    now=ALL if state.side is None else state.side.value,
                    wanted=self.side_chosen.emit,
                    visible=found is not None and len(found.differences) > MANY,
                ),
                box=vbox,
                margins=(MARGIN, 16, MARGIN, 16),
                spacing=6,
            ),
            hairline(),
            plate(
                part(
                    BadgeList,
                    LOOK,
                    tr("Differences"),
                    name="compareList",
                    said=(rows, state.current),
                    row_chosen=self.row_chosen.emit,
                    dress=lambda made, _theme: made.setFixedWidth(self.side_width(_LIST_WIDTH)),
                ),
                plate(kind="upright"),
                plate(
                    *self._difference(state),
                    box=vbox,
                    ground="canvas",
                    margins=(_SIDE, 18, _SIDE, 18),
                    spacing=12,
                    place=(1,),
                ),
                spacing=0,
                visible=has_rows,
                place=(1,),
            ),
            plate(visible=not has_rows, place=(1,)),
        )

    def _difference(self, state: CompareState) -> tuple[Inside, ...]:
        """The one that is looked at, and whether it is set back."""
        title = made = facts = effect = text = ""
        one, stays, diff = None, False, _diff("", "")
        if (one := state.looked_at) is not None:
            stays = one.id in state.left
            about = tr("Memory, {side}").format(side=side_words(one.side))
            title = title_of(one) if one.is_entry else about
            made = made_words(state.backup.created_at, state.now)
            facts, effect = "\n".join(changed_facts(one)), effect_words(one, stays=stays)
            diff = _diff(*sides_of(one))
        elif state.scrub is not None:
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
                    enabled=not state.is_restoring,
                    accessibleDescription=effect,
                ),
                words(effect, place=(1,), visible=is_there),
                spacing=12,
            ),
            words(text, "body", visible=bool(text)),
            *(() if is_there else (STRETCH,)),
        )

    def _feet(self, state: CompareState) -> tuple[Inside, ...]:
        found, n = state.comparison, len(state.chosen)
        promise = tr("Today is backed up first, so you can undo this.")
        return (
            part(IconMark, LOOK, "floppy-disk", "inkSoft", 16, visible=bool(n)),
            words(promise, visible=bool(n), place=(1,)),
            button(tr("Close, change nothing"), self.leave_requested.emit, name="compareLeave"),
            button(
                tr("Restoring\u2026") if state.is_restoring else restore_words(n),
                self.restore_wanted.emit,
                kind="primary",
                name="compareRestore",
                stores=True,
                visible=found is not None and bool(found.differences),
                enabled=bool(n) and not state.is_restoring,
            ),
        )

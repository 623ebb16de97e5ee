"""The history of consolidations: a list of runs, one of them in full, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inklings_desktop.domain.memory import MemoryEntry, Tier
from inklings_desktop.ui.consolidation.runs_words import (
    RunsState,
    nothing_words,
    now_label,
    run_place,
    run_rows,
    run_title,
    state_words,
    trigger_words,
)
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.pieces import (
    Headline,
    Note,
    StepFoot,
    card,
    cleared,
    column_of,
)
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import (
    SectionTitle,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import MergedByRun, RunDetails
    from inklings_desktop.ui.kit.look.theme import Theme


_SIDE = 24
_MOST = 40


class RunPane(QScrollArea):
    """Shows the run that is looked at."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._details: RunDetails | None = None
        self._said = ""
        self.setObjectName("runPane")
        self.setAccessibleName(tr("What the run did"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        page = self._column = QWidget()
        for ground in (self.viewport(), page):
            ground.setProperty("ground", "canvas")
        self.setWidget(page)
        self.headline = Headline(theme, style="tab", px=None, parent=page)
        self._line = wrapped_label("", "meta", page)
        self._ended = wrapped_label("", "metaInk", page)
        self.notice = named(Note(theme, page), "runNotice")
        self._sections = vbox(None, spacing=6)
        head = (self.headline, self._line, self._ended, 4, self.notice)
        margins = (_SIDE, 18, _SIDE, 18)
        vbox(page, *head, self._sections, STRETCH, margins=margins, spacing=4)

    def show_state(self, state: RunsState) -> None:
        """Show the run that is looked at."""
        run, notice = state.run, state.notice
        if run is not None:
            self.headline.setText(run_title(run))
            self._line.setText(
                ", ".join(
                    (
                        run_place(run, state),
                        exact_time(run.ended_at or run.started_at),
                        trigger_words(run.trigger),
                        tr("run {id}").format(id=run.id[:8]),
                    )
                )
            )
            self._ended.setText(state_words(run))
        if notice is not None:
            icon = "warning-circle" if notice.role == "madder" else "info"
            self.notice.say(notice.role, icon, notice.title, notice.text)
            said = f"{notice.title} {notice.text}".strip()
            if said != self._said:
                announce(self, said, urgent=notice.role == "madder")
        self._said = "" if notice is None else f"{notice.title} {notice.text}".strip()
        show_parts(
            {
                self.headline: run is not None,
                self._line: run is not None,
                self._ended: run is not None and bool(state_words(run)),
                self.notice: notice is not None,
            }
        )
        if state.details is not self._details:
            self._details = state.details
            self._show_details(state.details)

    def _show_details(self, details: RunDetails | None) -> None:
        cleared(self._sections)
        if details is None:
            return
        if details.merged:
            self._add_title(tr("Merged"), len(details.merged))
            for one in details.merged[:_MOST]:
                self._sections.addWidget(self._family(one))
            self._add_rest(len(details.merged))
        for title, entries in (
            (tr("Forgotten, faded almost to nothing"), details.pruned),
            (tr("Kept for longer"), details.promoted),
            (tr("Forgotten, above the cap"), details.capped),
        ):
            if entries:
                self._add_title(title, len(entries))
                self._sections.addWidget(self._lines(entries[:_MOST]))
                self._add_rest(len(entries))
        if details.n_more:
            more = counted(details.n_more, "and 1 more step", "and {n} more steps")
            self._sections.addWidget(plain_label(more, "meta", self._column))
        self.verticalScrollBar().setValue(0)

    def _add_title(self, title: str, count: int) -> None:
        heading = SectionTitle(title, grouped(count), parent=self._column)
        heading.setContentsMargins(0, 12, 0, 0)
        self._sections.addWidget(heading)

    def _add_rest(self, count: int) -> None:
        if count > _MOST:
            rest = counted(count - _MOST, "and 1 more", "and {n} more")
            self._sections.addWidget(plain_label(rest, "meta", self._column))

    def _family(self, one: MergedByRun) -> QWidget:
        """The merged memory on a card, what it was made from below a rule."""
        frame = self._card()
        merged = wrapped_label(excerpt(one.merged.content), "begins", frame)
        state = plain_label(
            tr("from {sources}, now {state}").format(
                sources=counted(len(one.sources), "1 memory", "{n} memories"),
                state=now_label(one.merged),
            ),
            "caption",
            frame,
        )
        fill(column_of(frame), merged, state)
        for source in one.sources:
            fill(column_of(frame), rule(frame), self._line_of(source, frame))
        return frame

    def _lines(self, entries: Sequence[MemoryEntry]) -> QWidget:
        frame = self._card()
        for number, entry in enumerate(entries):
            if number:
                column_of(frame).addWidget(rule(frame))
            column_of(frame).addWidget(self._line_of(entry, frame))
        return frame

    def _card(self) -> QFrame:
        return card(self._column, margins=(14, 10, 14, 10))

    def _line_of(self, entry: MemoryEntry, parent: QWidget) -> QWidget:
        line = QWidget(parent)
        text = excerpt(entry.content)
        words = wrapped_label(text, "begins", line)
        state = plain_label(now_label(entry), "caption", line)
        vbox(line, words, state, margins=(0, 2, 0, 2), spacing=0)
        line.setAccessibleName(text)
        line.setAccessibleDescription(now_label(entry))
        return line


ALL = "all"
"""Choice of the switch that stands for every tier."""
SIZE = QSize(1000, 700)
_LIST_WIDTH = 372
_TIERS = (Tier.CHANNEL, Tier.WORKSPACE, Tier.ACCOUNT)


class RunsDialog(ProcessDialog[RunsState]):
    """Shows a ``RunsState``, ages as of the moment that a clock tells."""

    def __init__(self, theme: Theme, window: QWidget, clock: Callable[[], datetime]) -> None:
        super().__init__(theme, window, title=tr("Run history"), size=SIZE)
        self._clock = clock
        self.setObjectName("runsDialog")
        self.show_head(tr("Run history"), tr("What consolidation did, and how to undo it"))
        segments = [
            Segment(ALL, tr("All")),
            *(Segment(one.value, tier_title(one)) for one in _TIERS),
        ]
        self.tiers = named(SegmentedSwitch(theme, segments, tr("Tier"), parent=self), "runsTier")
        self.add_to_head(self.tiers)
        self.list = named(BadgeList(theme, tr("Runs"), parent=self), "runsList")
        self.pane = RunPane(theme, self)
        self._panes = QWidget(self)
        self._nothing = QWidget(self)
        self._nothing_title = Headline(theme, style="tab", px=None, parent=self._nothing)
        self._nothing_text = plain_label("", "body", self._nothing)
        self.undo = PushButton(
            theme, tr("Undo this run\u2026"), icon="arrow-counter-clockwise", parent=self
        )
        self.undo.setObjectName("runsUndo")
        storing(self.undo)
        self.finish = named(PushButton(theme, tr("Done"), kind="primary", parent=self), "runsDone")
        self._fill()
        self.fit()

    def fit(self) -> None:
        """Centre on the window; what is chosen has more room than the list."""
        super().fit()
        self.list.setFixedWidth(self.side_width(_LIST_WIDTH))

    def show_state(self, state: RunsState) -> None:
        rows = run_rows(state, self._clock())
        had_any = bool(self.list.rows)
        with QSignalBlocker(self.tiers):
            self.tiers.choose(ALL if state.tier is None else state.tier.value)
        self.list.show_rows(rows, state.current)
        self.pane.show_state(state)
        title, text = nothing_words(state)
        self._nothing_title.setText(title)
        self._nothing_text.setText(text)
        has_pane = bool(rows) or state.notice is not None
        show_parts({self._panes: has_pane, self._nothing: not has_pane})
        self.undo.setVisible(bool(rows))
        self.undo.setEnabled(state.can_undo)
        self.undo.setText(tr("Undoing\u2026") if state.is_undoing else tr("Undo this run\u2026"))
        if rows and not had_any:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        upright = QFrame(self._panes)
        upright.setProperty("upright", "true")
        hbox(self._panes, self.list, upright, (self.pane, 1), margins=0, spacing=0)
        for label in (self._nothing_title, self._nothing_text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        vbox(self._nothing, STRETCH, self._nothing_title, self._nothing_text, STRETCH)
        foot = StepFoot(self)
        fill(foot.row, self.undo, STRETCH, self.finish)
        self.fill(vbox(None, (self._panes, 1), (self._nothing, 1), spacing=0), foot)

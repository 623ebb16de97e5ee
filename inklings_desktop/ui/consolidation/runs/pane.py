"""One past run in full: when, why, and what it did memory by memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inklings_desktop.ui.consolidation.runs.words import (
    now_label,
    run_place,
    run_title,
    state_words,
    trigger_words,
)
from inklings_desktop.ui.kit.dialogs.pieces import Headline, Note, card, column_of
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.marks.labels import (
    SectionTitle,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.words.entry_facts import counted, grouped
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.background.run_details import MergedByRun, RunDetails
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.consolidation.runs.state import RunsState
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
        self.setAccessibleName(self.tr("What the run did"))
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = QWidget()
        for ground in (self.viewport(), column):
            ground.setProperty("ground", "canvas")
        self._column = column
        self.setWidget(column)
        self.headline = Headline(theme, style="tab", px=None, parent=column)
        self._line = wrapped_label("", "meta", column)
        self._ended = wrapped_label("", "metaInk", column)
        self.notice = Note(theme, column)
        self.notice.setObjectName("runNotice")
        self._sections = QVBoxLayout()
        self._sections.setSpacing(6)
        stack = QVBoxLayout(column)
        stack.setContentsMargins(_SIDE, 18, _SIDE, 18)
        stack.setSpacing(4)
        stack.addWidget(self.headline)
        stack.addWidget(self._line)
        stack.addWidget(self._ended)
        stack.addSpacing(4)
        stack.addWidget(self.notice)
        stack.addLayout(self._sections)
        stack.addStretch(1)

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
                        self.tr("run {id}").format(id=run.id[:8]),
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
        while (item := self._sections.takeAt(0)) is not None:
            if (part := item.widget()) is not None:
                part.hide()
                part.deleteLater()
        if details is None:
            return
        if details.merged:
            self._add_title(self.tr("Merged"), len(details.merged))
            for one in details.merged[:_MOST]:
                self._sections.addWidget(self._family(one))
            self._add_rest(len(details.merged))
        for title, entries in (
            (self.tr("Forgotten, faded below 0.01"), details.pruned),
            (self.tr("Kept for longer"), details.promoted),
            (self.tr("Forgotten, above the cap"), details.capped),
        ):
            if entries:
                self._add_title(title, len(entries))
                self._sections.addWidget(self._lines(entries[:_MOST]))
                self._add_rest(len(entries))
        if details.n_more:
            more = self.tr("and {n} more steps").format(n=grouped(details.n_more))
            self._sections.addWidget(plain_label(more, "meta", self._column))
        self.verticalScrollBar().setValue(0)

    def _add_title(self, title: str, count: int) -> None:
        heading = SectionTitle(title, grouped(count), parent=self._column)
        heading.setContentsMargins(0, 12, 0, 0)
        self._sections.addWidget(heading)

    def _add_rest(self, count: int) -> None:
        if count > _MOST:
            rest = self.tr("and {n} more").format(n=grouped(count - _MOST))
            self._sections.addWidget(plain_label(rest, "meta", self._column))

    def _family(self, one: MergedByRun) -> QWidget:
        """The merged memory on a card, what it was made from below a rule."""
        frame, column = self._card()
        merged = wrapped_label(excerpt(one.merged.content), "begins", frame)
        state = plain_label(
            self.tr("from {sources}, now {state}").format(
                sources=counted(len(one.sources), self.tr("1 memory"), self.tr("{n} memories")),
                state=now_label(one.merged),
            ),
            "caption",
            frame,
        )
        column.addWidget(merged)
        column.addWidget(state)
        for source in one.sources:
            column.addWidget(rule(frame))
            column.addWidget(self._line_of(source, frame))
        return frame

    def _lines(self, entries: Sequence[MemoryEntry]) -> QWidget:
        frame, column = self._card()
        for number, entry in enumerate(entries):
            if number:
                column.addWidget(rule(frame))
            column.addWidget(self._line_of(entry, frame))
        return frame

    def _card(self) -> tuple[QWidget, QVBoxLayout]:
        frame = card(self._column, margins=(14, 10, 14, 10))
        return frame, column_of(frame)

    def _line_of(self, entry: MemoryEntry, parent: QWidget) -> QWidget:
        line = QWidget(parent)
        column = QVBoxLayout(line)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(0)
        text = excerpt(entry.content)
        column.addWidget(wrapped_label(text, "begins", line))
        column.addWidget(plain_label(now_label(entry), "caption", line))
        line.setAccessibleName(text)
        line.setAccessibleDescription(now_label(entry))
        return line

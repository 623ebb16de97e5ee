"""The right side of a review: one item in full, and the word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from inklings_desktop.ui.consolidation.review_rows import GOLDEN, GroupPane, entry_line
from inklings_desktop.ui.consolidation.review_state import (
    CHOICES,
    Choice,
    ItemKind,
    ReviewItem,
    ReviewState,
)
from inklings_desktop.ui.consolidation.review_words import (
    choice_label,
    choice_sentence,
    group_remark,
    item_sentence,
    item_title,
)
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.pieces import Headline, Note, cleared
from inklings_desktop.ui.kit.look.accessibility import named, order_tabs
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    elided_label,
    plain_label,
    rule,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.memory_card import MemoryCard
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.golden import GoldenAnswer
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.word_marks import GroupMarks


_COLUMN = 96


class QuestionPane(QWidget):
    """A table of what is expected, with how it is now and how it would be."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._about = wrapped_label(
            tr(
                "A golden question breaks when an expected memory drops out of its first "
                "ten results. A merged memory counts for each of its sources."
            ),
            "meta",
            self,
        )
        self._rows = vbox(None, spacing=0)
        vbox(self, self._about, self._rows, margins=0, spacing=14)

    def show_question(
        self, before: GoldenAnswer, after: GoldenAnswer, texts: Mapping[str, str]
    ) -> None:
        """Show one question.

        Args:
            before: How it fares now.
            after: How it would fare.
            texts: What the expected memories say, by id.
        """
        cleared(self._rows)
        question = before.question
        self._rows.addWidget(self._head())
        for id_ in question.must:
            states = [
                (id_ not in answer.missing, tr("found"), tr("not found"))
                for answer in (before, after)
            ]
            self._rows.addWidget(self._row(tr("Must"), texts.get(id_, id_[:8]), states))
        for id_ in question.must_not:
            states = [
                (id_ not in answer.unwanted, tr("not found"), tr("found"))
                for answer in (before, after)
            ]
            self._rows.addWidget(self._row(tr("Must not"), texts.get(id_, id_[:8]), states))

    def _head(self) -> QWidget:
        row = QWidget(self)
        line = hbox(row, (plain_label(tr("Expected"), "label", row), 1))
        line.setContentsMargins(0, 0, 0, 6)
        for title in (tr("Now"), tr("After")):
            label = plain_label(title, "label", row)
            label.setFixedWidth(self._theme.scaled(_COLUMN))
            line.addWidget(label)
        return row

    def _row(self, verb: str, text: str, states: list[tuple[bool, str, str]]) -> QWidget:
        row = QWidget(self)
        caption, shown = (
            plain_label(verb, "caption", row),
            wrapped_label(excerpt(text), "begins", row),
        )
        line = hbox(row, (vbox(None, caption, shown, spacing=1), 1), margins=(0, 6, 0, 6))
        spoken = []
        for is_right, good, bad in states:
            mark = IconLabel(self._theme, "metaInk", row)
            said = good if is_right else bad
            icon, role = ("check-circle", "accent") if is_right else ("warning", "ochre")
            mark.show_mark(icon, role, said, inked=not is_right)
            mark.setFixedWidth(self._theme.scaled(_COLUMN))
            line.addWidget(mark)
            spoken.append(said)
        row.setAccessibleName(f"{verb}: {text}")
        row.setAccessibleDescription(tr("now {0}, after {1}").format(*spoken))
        return row


_SIDE = 24
_BAR_HEIGHT = 56
_KEYS = {Choice.ACCEPT: "A", Choice.SKIP: "S", Choice.LATER: "N"}


class ReviewPane(QWidget):
    """Shows the current item, or the current golden question.

    Signals:
        choice_made: Key of the item and the ``Choice``.
    """

    choice_made = Signal(str, object)

    def __init__(self, theme: Theme, decay: DecayConfig, cap: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._decay, self._cap = theme, decay, cap
        self._item: ReviewItem | None = None
        self.setAccessibleName(tr("What is looked at"))
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QWidget()
        for ground in (self._scroll.viewport(), column):
            ground.setProperty("ground", "canvas")
        self._scroll.setWidget(column)
        self._title = Headline(theme, style="tab", px=None, parent=column)
        self._remark = plain_label("", "meta", column)
        self._sentence = wrapped_label("", "meta", column)
        self._why = named(Note(theme, column), "reviewWhy")
        self.group = GroupPane(theme, column)
        self.card = MemoryCard(theme, column)
        self.question = QuestionPane(theme, column)
        self.group.edit.clicked.connect(self._begin_edit)
        self._bar = named(QWidget(self), "reviewDecision")
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._switches: dict[ItemKind, SegmentedSwitch] = {}
        self._meaning = elided_label("", "meta", self._bar)
        self._lay_out(column)

    def show_state(self, state: ReviewState) -> None:
        """Show what the state looks at."""
        item = state.item(state.current)
        is_other = item is None or self._item is None or item.key != self._item.key
        self._item = item
        plan = state.plan
        if item is not None and plan is not None:
            self._show_item(item, state.marks, plan.planned_at)
        elif state.current.startswith(GOLDEN) and state.golden is not None:
            self._show_question(state)
        show_parts({self._bar: item is not None})
        if is_other:
            self._scroll.verticalScrollBar().setValue(0)

    def switch(self) -> SegmentedSwitch | None:
        """The switch of the item on show."""
        return None if self._item is None else self._switches.get(self._item.kind)

    def choose(self, letter: str) -> None:
        """Say the word that a letter stands for; E edits the merged text."""
        item = self._item
        if item is None:
            return
        if letter == "E" and item.is_group:
            self._begin_edit()
        for choice in CHOICES[item.kind]:
            if _KEYS[choice] == letter:
                self.choice_made.emit(item.key, choice)

    def _lay_out(self, column: QWidget) -> None:
        self._why_box = QWidget(column)
        vbox(self._why_box, self._why, margins=(0, 8, 0, 0))
        vbox(
            column,
            hbox(None, (self._title, 1), self._remark, spacing=0),
            *(2, self._sentence, self._why_box, 13),
            *(self.group, self.card, self.question, STRETCH),
            margins=(_SIDE, 18, _SIDE, 18),
            spacing=0,
        )
        self._bar.setFixedHeight(self._theme.scaled(_BAR_HEIGHT))
        margins = (_SIDE, 0, _SIDE, 0)
        self._switch_row = hbox(self._bar, (self._meaning, 1), margins=margins, spacing=12)
        vbox(self, (self._scroll, 1), rule(self), self._bar, margins=0, spacing=0)

    def _show_item(self, item: ReviewItem, marks: GroupMarks | None, now: datetime) -> None:
        self._title.setText(item_title(item))
        self._remark.setText(group_remark(item))
        sentence = item_sentence(item, self._cap)
        asks = item.kind in {ItemKind.ROLL_UP, ItemKind.WAITING, ItemKind.WAITING_FADED}
        self._sentence.setText(sentence)
        if asks:
            self._why.say("ochre", "warning", tr("Look before you decide."), sentence)
        if item.is_group:
            self.group.show_item(item, marks, self._decay, now)
        else:
            (entry,) = item.members
            self.card.show_memory(entry, entry_line(entry, self._decay, now))
        show_parts(
            {
                self._sentence: not asks,
                self._why_box: asks,
                self.group: item.is_group,
                self.card: not item.is_group,
                self.question: False,
            }
        )
        self._show_switch(item)
        self._meaning.setText(choice_sentence(item))

    def _show_question(self, state: ReviewState) -> None:
        golden = state.golden
        if golden is None:
            return
        key = state.current.removeprefix(GOLDEN)
        for before, after in zip(golden.before, golden.after, strict=True):
            if before.question.id == key:
                self._title.setText(before.question.question)
                self._remark.setText("")
                self.question.show_question(before, after, state.texts)
        show_parts(
            {
                self._sentence: False,
                self._why_box: False,
                self.group: False,
                self.card: False,
                self.question: True,
            }
        )

    def _show_switch(self, item: ReviewItem) -> None:
        wanted = CHOICES[item.kind]
        if wanted and item.kind not in self._switches:
            segments = [
                Segment(
                    choice.value,
                    choice_label(item, choice),
                    tooltip=f"{choice_label(item, choice)} ({_KEYS[choice]})",
                )
                for choice in wanted
            ]
            switch = SegmentedSwitch(self._theme, segments, tr("Decision"), parent=self._bar)
            switch.setObjectName(f"reviewChoice-{item.kind.value}")
            switch.choice_changed.connect(self._on_choice_changed)
            self._switches[item.kind] = switch
            self._switch_row.insertWidget(0, switch)
            order_tabs(self.window())
        for kind, switch in self._switches.items():
            if kind is item.kind:
                with QSignalBlocker(switch):
                    switch.choose(item.choice.value)
        show_parts({switch: kind is item.kind for kind, switch in self._switches.items()})

    @Slot(str)
    def _on_choice_changed(self, choice: str) -> None:
        if self._item is not None:
            self.choice_made.emit(self._item.key, Choice(choice))

    @Slot()
    def _begin_edit(self) -> None:
        if self._item is None or not self._item.is_group:
            return
        self.group.begin_edit()
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self._scroll.ensureWidgetVisible(self.group.field, 0, _SIDE)

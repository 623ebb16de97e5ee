"""The rows of a review, and the group of memories that would become one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from inklings_desktop.domain.memories.decay import DecayConfig, relevance_of
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.ui.consolidation.review_state import ItemKind, ReviewItem, ReviewState
from inklings_desktop.ui.consolidation.review_words import (
    alike_label,
    becomes_label,
    choice_badge,
    inherited_line,
    member_remark,
    reasons_label,
    section_title,
)
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow, BadgeHeading, BadgeRow
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import editor_text
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import plain_label, show_parts, wrapped_label
from inklings_desktop.ui.kit.panes.memory_card import MarkedText, MemoryCard
from inklings_desktop.ui.kit.words.memory_facts import reads_label, relative_age, relevance_figure
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.messages import message_of, too_much_pasted
from inklings_desktop.ui.kit.words.word_marks import GroupMarks, Spans, marked_words
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.golden import GoldenAnswer, GoldenComparison
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.look.theme import Theme

GOLDEN = "golden "
"""Beginning of the key of a row that stands for a golden question."""


def review_rows(state: ReviewState, decay: DecayConfig) -> tuple[AnyBadgeRow, ...]:
    """Every row of the list, headings included."""
    rows: list[AnyBadgeRow] = []
    if state.plan is None:
        return ()
    for title, several in groupby(state.items, lambda one: section_title(one.kind)):
        items = tuple(several)
        rows.append(BadgeHeading(f"heading {title}", title, grouped(len(items))))
        rows += [_row(one, decay, state.plan.planned_at) for one in items]
    if state.golden is not None and state.golden.before:
        rows += _golden_rows(state.golden)
    return tuple(rows)


def entry_line(entry: MemoryEntry, decay: DecayConfig, now: datetime) -> str:
    """Relevance, reads and age of one memory: ``relevance 0.31, 2 reads, 25 d old``."""
    figure = relevance_figure(relevance_of(entry, decay, now))
    return ", ".join(
        (
            tr("relevance {figure}").format(figure=figure),
            reads_label(entry.access_count) if entry.access_count else tr("never read"),
            tr("{age} old").format(age=relative_age(now - entry.created_at)),
        )
    )


def golden_badge(before: GoldenAnswer, after: GoldenAnswer) -> tuple[str, str]:
    """How one question would fare: its word and the role of its colour."""
    if before.is_right:
        return (tr("still right"), "accent") if after.is_right else (tr("would break"), "ochre")
    return (tr("now right"), "accent") if after.is_right else (tr("not answered"), "graphite")


def _row(item: ReviewItem, decay: DecayConfig, now: datetime) -> BadgeRow:
    badge, role = choice_badge(item)
    best = item.members[0]
    meta_role = "inkSoft"
    if item.is_group:
        parts = [
            tr("{n} into 1").format(n=grouped(len(item.members))),
            alike_label(item.cosine),
        ]
        if item.kind is ItemKind.WAITING:
            parts = [reasons_label(item.reasons), alike_label(item.cosine)]
            meta_role = "ochre"
        if item.text is not None:
            parts.append(tr("edited"))
        meta = ", ".join(parts)
    elif item.kind is ItemKind.WAITING_FADED:
        meta, meta_role = reasons_label(item.reasons), "ochre"
    else:
        meta = entry_line(best, decay, now)
    return BadgeRow(item.key, excerpt(best.content), meta, badge, role, meta_role)


def _golden_rows(golden: GoldenComparison) -> list[AnyBadgeRow]:
    pairs = sorted(
        zip(golden.before, golden.after, strict=True),
        key=lambda pair: not (pair[0].is_right and not pair[1].is_right),
    )
    title = tr("Golden questions")
    rows: list[AnyBadgeRow] = [BadgeHeading("heading golden", title, grouped(len(pairs)))]
    for before, after in pairs:
        badge, role = golden_badge(before, after)
        question = before.question
        rows.append(
            BadgeRow(
                f"{GOLDEN}{question.id}",
                question.question,
                expected_line(len(question.must), len(question.must_not)),
                badge,
                role,
                is_remembered=False,
            )
        )
    return rows


def expected_line(n_must: int, n_must_not: int) -> str:
    """What a question expects: ``2 must be found, 1 must not``."""
    parts = []
    if n_must:
        parts.append(counted(n_must, "1 must be found", "{n} must be found"))
    if n_must_not:
        parts.append(counted(n_must_not, "1 must not", "{n} must not"))
    return ", ".join(parts)


_GAP = 12
_EDITOR_ROOM = 560
_PAIR = 2


class GroupPane(QWidget):
    """Shows one group and lets its merged text be edited.

    Signals:
        text_written: Key of the group and its merged text as it stands in the field, None for
            the proposed one.
    """

    text_written = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._item: ReviewItem | None = None
        self._is_editing = False
        self._marks: tuple[Spans, ...] | None = None
        self._cards: list[MemoryCard] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP)
        for column in range(_PAIR):
            self._grid.setColumnStretch(column, 1)
        self.edit = PushButton(
            theme, tr("Edit text"), kind="quiet", icon="pencil-simple", small=True, parent=self
        )
        self.edit.setObjectName("reviewEditText")
        self.revert = PushButton(
            theme, tr("Use the proposed text"), kind="quiet", small=True, parent=self
        )
        self.revert.setObjectName("reviewProposedText")
        self.revert.clicked.connect(self._on_revert_clicked)
        self._becomes = plain_label("", "label", self)
        self._paper = QFrame(self)
        self._paper.setProperty("card", "true")
        self.merged = MarkedText(theme, self._paper)
        self.field = named(GrowingTextEdit(theme, self), "reviewMergedText", tr("Merged text"))
        self.field.set_room(_EDITOR_ROOM)
        self.field.textChanged.connect(self._on_field_changed)
        self.field.paste_refused.connect(self._on_paste_refused)
        self._error = plain_label("", "error", self, wraps=True)
        self._inherits = wrapped_label("", "caption", self)
        self._lay_out()

    def show_item(
        self, item: ReviewItem, marks: GroupMarks | None, decay: DecayConfig, now: datetime
    ) -> None:
        """Show a group; a text that is being edited is not touched.

        Args:
            item: The group.
            marks: The words that differ; None or another group's while they are not known.
            decay: How relevance falls.
            now: Ages count from it.
        """
        before, self._item = self._item, item
        known = marks.members if marks is not None and marks.key == item.key else None
        is_other = before is None or before.key != item.key
        if is_other:
            self._is_editing = False
        if is_other or before is None or before.members != item.members or known != self._marks:
            self._marks = known
            self._show_members(item, decay, now)
        if self._is_editing and item.merged_text != self._typed():
            self.field.set_plain_text(item.merged_text)
        self._becomes.setText(becomes_label(item))
        added = marks.added if marks is not None and marks.fits(item.key, item.merged_text) else ()
        n_beside = len(item.members) + 1
        self.merged.show_text(item.merged_text, added, "added", n_beside=n_beside)
        words = ", ".join(marked_words(item.merged_text, added))
        self._paper.setAccessibleName(tr("Merged text"))
        self._paper.setAccessibleDescription(
            tr("{text} Added: {words}").format(text=item.merged_text, words=words)
            if words
            else item.merged_text
        )
        self._inherits.setText(inherited_line(item, now))
        self._show_error(item)
        self._show_parts()

    def begin_edit(self) -> None:
        """Turn the merged text into a field, the keyboard in it."""
        if self._item is None:
            return
        self._is_editing = True
        self.field.set_plain_text(self._item.merged_text)
        self._show_parts()
        self.field.caret_to_end()
        self.field.setFocus()

    def leave_edit(self) -> bool:
        """Show the text as it was typed; whether it was being edited."""
        was_editing, self._is_editing = self._is_editing, False
        self._show_parts()
        return was_editing

    def _lay_out(self) -> None:
        head = (self._becomes, STRETCH, self.revert, self.edit)
        vbox(self._paper, self.merged, margins=(14, 11, 14, 12))
        vbox(
            self,
            *(self._grid, 12, hbox(None, *head, spacing=4), 4),
            *(self._paper, self.field, self._error, 7, self._inherits),
            margins=0,
            spacing=0,
        )

    def _show_members(self, item: ReviewItem, decay: DecayConfig, now: datetime) -> None:
        n_members = len(item.members)
        for card in self._cards[n_members:]:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        del self._cards[n_members:]
        for number in range(len(self._cards), n_members):
            card = MemoryCard(self._theme, self)
            self._cards.append(card)
            self._grid.addWidget(card, number // _PAIR, number % _PAIR)
            card.show()
        marks = self._marks or ((),) * n_members
        for number, (entry, spans) in enumerate(zip(item.members, marks, strict=True)):
            remark = member_remark(item, number)
            line = entry_line(entry, decay, now)
            self._cards[number].show_memory(
                entry, line, remark=remark, spans=spans, n_beside=n_members + 1
            )

    def _show_error(self, item: ReviewItem) -> None:
        problem = item.text_problem
        self._say("" if problem is None else message_of(problem).title)

    def _say(self, said: str) -> None:
        if said and said != self._error.text():
            announce(self, said, urgent=True)
        self._error.setText(said)
        self.field.set_invalid(invalid=bool(said))
        self.field.setAccessibleDescription(said)

    def _show_parts(self) -> None:
        item = self._item
        has_text = item is not None and item.text is not None
        show_parts(
            {
                self._paper: not self._is_editing,
                self.edit: not self._is_editing,
                self.field: self._is_editing,
                self.revert: has_text,
                self._error: bool(self._error.text()),
            }
        )

    def _typed(self) -> str:
        return editor_text(self.field.text())

    @Slot()
    def _on_field_changed(self) -> None:
        if self._item is not None and self._is_editing:
            self.text_written.emit(self._item.key, self._typed())

    @Slot(int)
    def _on_paste_refused(self, n_bytes: int) -> None:
        message = too_much_pasted(n_bytes, MAX_CONTENT_BYTES)
        self._say(f"{message.title} {message.text}")
        self._show_parts()

    @Slot()
    def _on_revert_clicked(self) -> None:
        self._is_editing = False
        if self._item is not None:
            self.text_written.emit(self._item.key, None)

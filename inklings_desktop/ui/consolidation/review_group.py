"""Memories that would become one: side by side, what they become, and the words that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.ui.consolidation.review_rows import entry_line
from inklings_desktop.ui.consolidation.review_words import (
    becomes_label,
    inherited_line,
    member_remark,
)
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.plain_text import editor_text
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, show_parts, wrapped_label
from inklings_desktop.ui.kit.panes.memory_card import MarkedText, MemoryCard
from inklings_desktop.ui.kit.words.messages import message_of, too_much_pasted
from inklings_desktop.ui.kit.words.word_marks import GroupMarks, Spans, marked_words
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.ui.consolidation.review_state import ReviewItem
    from inklings_desktop.ui.kit.look.theme import Theme


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

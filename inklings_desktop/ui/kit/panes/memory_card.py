"""One remembered text on a card: who vouches for it, what it says, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import (
    Chip,
    IconLabel,
    plain_label,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.marked_text import MarkedText
from inklings_desktop.ui.kit.words.memory_facts import curator_label, exact_time, lifetime_label
from inklings_desktop.ui.kit.words.word_marks import marked_words

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.panes.marked_text import MarkKind
    from inklings_desktop.ui.kit.words.word_marks import Spans


class MemoryCard(QFrame):
    """A memory as reading matter; its words that matter here are marked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._curator = IconLabel(theme, "metaInk", self)
        self._source = Chip(theme, self)
        self._remark = plain_label("", "label", self)
        self.text = MarkedText(theme, self)
        self._line = wrapped_label("", "caption", self)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._curator)
        head.addWidget(self._source)
        head.addStretch(1)
        head.addWidget(self._remark)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(14, 10, 14, 11)
        stack.setSpacing(6)
        stack.addLayout(head)
        stack.addWidget(self.text, 1)
        stack.addWidget(self._line)

    def show_memory(
        self,
        entry: MemoryEntry,
        line: str,
        *,
        remark: str = "",
        spans: Spans = (),
        kind: MarkKind = "differs",
        n_beside: int = 1,
    ) -> None:
        """Show a memory.

        Args:
            entry: The memory.
            line: Its figures, below the text.
            remark: What it is here, at the upper right.
            spans: Words to mark.
            kind: What the marks say.
            n_beside: How many texts are shown at once.
        """
        mark = curator_mark(entry.curator.value, curator_label(entry.curator))
        self._curator.show_mark(mark.icon, mark.role, mark.text, inked=mark.role != "ink")
        self._source.setText(entry.source)
        held = [lifetime_label(entry.lifetime).lower()]
        held += [_tr("pinned")] if entry.pinned else []
        held += [_tr("locked")] if entry.locked else []
        self._line.setText(", ".join((line, *held)))
        self._line.setToolTip(plain_tool_tip(exact_time(entry.created_at)))
        self._remark.setText(remark)
        show_parts({self._source: bool(entry.source), self._remark: bool(remark)})
        self.text.show_text(entry.content, spans, kind, n_beside=n_beside)
        self.setAccessibleName(remark or _tr("Memory"))
        words = ", ".join(marked_words(entry.content, spans))
        self.setAccessibleDescription(
            _tr("{text} Marked: {words}").format(text=entry.content, words=words)
            if words
            else entry.content
        )


def _tr(text: str) -> str:
    return QCoreApplication.translate("memory_card", text)

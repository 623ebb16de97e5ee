"""A remembered text to read, some words of it marked: alone, or on a card with its figures."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import hidden_characters, spelled_out
from inklings_desktop.ui.kit.lists.memory_row_layout import curator_mark
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import layout_us, plain_tool_tip
from inklings_desktop.ui.kit.look.translation import lowered, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    Chip,
    IconLabel,
    plain_label,
    show_parts,
    wrapped_label,
)
from inklings_desktop.ui.kit.words.memory_facts import curator_label, exact_time, lifetime_label
from inklings_desktop.ui.kit.words.word_marks import Spans, marked_words

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.look.theme import Theme


MarkKind = Literal["differs", "added", "removed"]

_USUAL_WIDTH = 280
MOST_SHOWN = 6_000
"""Longest text that is laid out in full; a label wraps the whole of it at every resize."""

_MOST_US = 12_000
"""What all texts beside each other may take, by ``layout_us``; a label does it several times."""
_PIECE = 50
_SPELLED_US = 6.0  # of a character that is spelled out or breaks a line

_LOOKS: dict[MarkKind, tuple[str, str, str]] = {
    "differs": ("ochreSoft", "ink", "underline"),
    "added": ("diffAdd", "diffAddInk", "underline"),
    "removed": ("diffDel", "diffDelInk", "line-through"),
}


class MarkedText(QLabel):
    """Text in the reading face, letter by letter as it is; marked words have a ground and a line.

    Characters that do not show are spelled out.

    Two cues per mark: nothing is said by colour alone.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._spans: tuple[tuple[int, int], ...] = ()
        self._kind: MarkKind = "differs"
        self._most_us = float(_MOST_US)
        self._heights: dict[int, int] = {}
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.dress(self._on_theme_changed)

    def show_text(
        self,
        text: str,
        spans: tuple[tuple[int, int], ...] = (),
        kind: MarkKind = "differs",
        *,
        n_beside: int = 1,
    ) -> None:
        """Show a text.

        Args:
            text: As it is remembered; beyond 6,000 characters, or fewer that are slow to lay out,
                an ellipsis.
            spans: Start and length of the words to mark, in characters.
            kind: What the marks say of them.
            n_beside: How many such texts are shown at once; of each of many, less is.
        """
        self._most_us = _MOST_US / n_beside
        self._text, self._spans, self._kind = text, spans, kind
        self.setAccessibleName(text)
        self._on_theme_changed()

    def sizeHint(self) -> QSize:
        """A usual width and a line: its height comes from its width, and Qt would try out many."""
        return QSize(self._theme.scaled(_USUAL_WIDTH), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def heightForWidth(self, width: int) -> int:
        """As Qt says, but each width is measured once."""
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def _html(self) -> str:
        ground, ink, line = _LOOKS[self._kind]
        style = (
            f"background-color: {self._theme.color(ground).name()};"
            f" color: {self._theme.color(ink).name()}; font-weight: 600; text-decoration: {line}"
        )
        most = self._most_shown()
        shown = self._text[:most]
        parts, at = [], 0
        for start, length in self._spans:
            if start >= most:
                break
            parts.append(_plain(shown[at:start]))
            marked = _plain(shown[start : start + length])
            parts.append(f'<span style="{style}">{marked}</span>')
            at = start + length
        parts.append(_plain(shown[at:]))
        if len(self._text) > most:
            parts.append("\u2026")
        return f"<div style='white-space: pre-wrap'>{''.join(parts)}</div>"

    def _most_shown(self) -> int:
        left = self._most_us
        text = self._text[:MOST_SHOWN]
        for at in range(0, len(text), _PIECE):
            piece = text[at : at + _PIECE]
            n_spelled = len(hidden_characters(piece)) + sum(map(piece.count, "\r\n\u2028"))
            left -= layout_us(piece) + _SPELLED_US * n_spelled
            if left < 0 < at:
                return at
        return len(text)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._heights.clear()
        self.setFont(self._theme.font("reading"))
        self.setText(self._html())


def _plain(text: str) -> str:
    return escape(spelled_out(text)).replace("\r\n", "\n").replace("\r", "\n").replace("\n", "<br>")


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
        head = hbox(None, self._curator, self._source, STRETCH, self._remark, spacing=8)
        vbox(self, head, (self.text, 1), self._line, margins=(14, 10, 14, 11), spacing=6)

    def show_memory(
        self,
        entry: MemoryEntry,
        line: str,
        *,
        remark: str = "",
        spans: Spans = (),
        n_beside: int = 1,
    ) -> None:
        """Show a memory.

        Args:
            entry: The memory.
            line: Its figures, below the text.
            remark: What it is here, at the upper right.
            spans: Words to mark.
            n_beside: How many texts are shown at once.
        """
        mark = curator_mark(entry.curator.value, curator_label(entry.curator))
        self._curator.show_mark(mark.icon, mark.role, mark.text, inked=mark.role != "ink")
        self._source.setText(entry.source)
        held = [lowered(lifetime_label(entry.lifetime), is_noun=False)]
        held += [tr("pinned")] if entry.pinned else []
        held += [tr("locked")] if entry.locked else []
        self._line.setText(", ".join((line, *held)))
        self._line.setToolTip(plain_tool_tip(exact_time(entry.created_at)))
        self._remark.setText(remark)
        show_parts({self._source: bool(entry.source), self._remark: bool(remark)})
        self.text.show_text(entry.content, spans, n_beside=n_beside)
        self.setAccessibleName(remark or tr_as("a single one", "Memory"))
        words = ", ".join(marked_words(entry.content, spans))
        self.setAccessibleDescription(
            tr("{text} Marked: {words}").format(text=entry.content, words=words)
            if words
            else entry.content
        )

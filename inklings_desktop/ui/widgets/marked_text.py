"""A remembered text to read, in which some words are marked."""

from html import escape
from typing import Literal

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inklings_desktop.domain.hidden_text import hidden_characters, spelled_out
from inklings_desktop.ui.theme import Theme

MarkKind = Literal["differs", "added", "removed"]

MOST_SHOWN, MOST_DEAR = 6_000, 1_000
"""Longest text that is laid out in full; a label wraps the whole of it at every resize.
The second one counts where more than a few characters are spelled out or break a line."""

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
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_text(
        self, text: str, spans: tuple[tuple[int, int], ...] = (), kind: MarkKind = "differs"
    ) -> None:
        """Show a text.

        Args:
            text: As it is remembered; beyond 6,000 characters, or 1,000 dear ones, an ellipsis.
            spans: Start and length of the words to mark, in characters.
            kind: What the marks say of them.
        """
        self._text, self._spans, self._kind = text, spans, kind
        self.setAccessibleName(text)
        self._on_theme_changed()

    def _html(self) -> str:
        ground, ink, line = _LOOKS[self._kind]
        style = (
            f"background-color: {self._theme.color(ground).name()};"
            f" color: {self._theme.color(ink).name()}; font-weight: 600; text-decoration: {line}"
        )
        most = _most_shown(self._text[:MOST_SHOWN])
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

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("reading"))
        self.setText(self._html())


def _most_shown(text: str) -> int:
    """How much of a text is laid out: less where much of it is spelled out or breaks lines."""
    n_dear = len(hidden_characters(text)) + sum(map(text.count, "\r\n\u2028"))
    return MOST_DEAR if n_dear > MOST_DEAR // 2 else MOST_SHOWN


def _plain(text: str) -> str:
    return escape(spelled_out(text)).replace("\r\n", "\n").replace("\r", "\n").replace("\n", "<br>")

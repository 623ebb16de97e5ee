"""Two small fields for the chapters in which something holds: from one, until another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QLineEdit, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.facts import MAX_CHAPTER, StoryInterval
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, restyle, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

Chapters = tuple[str, str]
"""The first chapter in which something holds and the first in which it does not, as typed."""
ALWAYS_TYPED: Chapters = ("", "")
_FIELD = 64


def chapters_of(story: StoryInterval) -> Chapters:
    """An interval as it is typed; nothing stands for no bound."""
    first, until = ("" if one is None else str(one) for one in (story.first, story.until))
    return first, until


def story_of(chapters: Chapters) -> StoryInterval | None:
    """The interval that was typed; None where it holds no chapter."""
    try:
        return StoryInterval(*(int(one) if one else None for one in chapters))
    except (InvalidValueError, ValueError):
        return None


class ChaptersField(QWidget):
    """From and until; what holds no chapter is marked, and told all the same.

    Signals:
        typed: Both fields, as ``Chapters``, with each change of the person's.
    """

    typed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.first = named(QLineEdit(self), "chapterFrom", tr("From chapter"))
        self.until = named(QLineEdit(self), "chapterUntil", tr("Until chapter"))
        self.first.setPlaceholderText(tr("start"))
        self.until.setPlaceholderText(tr("end"))
        for edit in (self.first, self.until):
            edit.setProperty("small", "true")
            edit.setAlignment(Qt.AlignmentFlag.AlignCenter)
            edit.setValidator(QIntValidator(0, MAX_CHAPTER, edit))
            edit.setToolTip(tr("Until 8: to the end of chapter 7. An empty field sets no limit."))
            edit.textEdited.connect(self._on_typed)
        self._error = plain_label(tr("It has to begin before it ends."), "error", self)
        self._error.hide()
        row = hbox(
            *(None, plain_label(tr("from"), "meta", self), self.first),
            *(plain_label(tr("until"), "meta", self), self.until, STRETCH),
            spacing=8,
        )
        vbox(self, row, self._error, margins=0, spacing=2)
        self.setFocusProxy(self.first)
        theme.dress(self._fit)

    @property
    def chapters(self) -> Chapters:
        """What stands in both fields."""
        return self.first.text(), self.until.text()

    def show_said(self, chapters: Chapters) -> None:
        """Show other chapters, without a signal; the same ones leave the cursor alone."""
        for edit, text in zip((self.first, self.until), chapters, strict=True):
            if edit.text() != text:
                edit.setText(text)
        self._mark()

    def _mark(self) -> None:
        is_sound = story_of(self.chapters) is not None
        self._error.setVisible(not is_sound)
        for edit in (self.first, self.until):
            restyle(edit, "invalid", "false" if is_sound else "true")
            edit.setAccessibleDescription("" if is_sound else self._error.text())

    def _on_typed(self) -> None:
        self._mark()
        self.typed.emit(self.chapters)

    def _fit(self) -> None:
        for edit in (self.first, self.until):
            edit.setFont(self._theme.font("meta", tabular=True))
            edit.setFixedWidth(self._theme.scaled(_FIELD))

"""One question that is no proposal: what is asked, what it is about, and two answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from inklings_desktop.ui.inbox.rows import Question
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER = 28
_FOOTER_HEIGHT = 44
_HEADER_HEIGHT = 52


class QuestionPane(QWidget):
    """Shows a ``Question``; what its buttons decide is up to the page."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionPane")
        self._theme = theme
        self.question: Question | None = None
        self._head = QWidget(self)
        self.title = IconLabel(theme, "bodyStrong", self._head)
        self.title.setObjectName("questionTitle")
        hbox(self._head, (self.title, 1), margins=(_GUTTER, 0, 20, 0))
        self._text = wrapped_label("", "metaInk", self)
        self._label = plain_label(tr("What it holds"), "label", self)
        self._quotes = LongTextEdit(theme, self)
        self._quotes.setReadOnly(True)
        self._quotes.setObjectName("questionQuotes")
        self._quotes.setAccessibleName(tr("Memories that it holds"))
        self._foot = QWidget(self)
        self.no = PushButton(theme, "", kind="quiet", small=True, parent=self._foot)
        self.no.setObjectName("questionNo")
        self.yes = PushButton(theme, "", kind="primary", small=True, parent=self._foot)
        self.yes.setObjectName("questionYes")
        storing(self.no)
        storing(self.yes)
        foot = hbox(self._foot, margins=(_GUTTER, 0, 16, 0), spacing=10)
        fill(foot, STRETCH, self.no, self.yes)
        body = QWidget(self)
        body.setProperty("ground", "surface")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = vbox(body, margins=(_GUTTER, 20, _GUTTER, 20), spacing=12)
        fill(words, self._text, self._label, (self._quotes, 1))
        self._rest = QWidget(body)
        words.addWidget(self._rest, 1)
        column = vbox(self, margins=0, spacing=0)
        fill(column, self._head, rule(self), (body, 1), rule(self), self._foot)
        theme.dress(self._on_theme_changed)

    def show_question(self, question: Question) -> None:
        """Show another question, or the same one with other words."""
        self.question = question
        self.title.show_mark(question.icon, "ochre", question.title)
        self._text.setText(question.text)
        self._quotes.set_plain_text("\n\n".join(question.quotes))
        for part in (self._label, self._quotes):
            part.setVisible(bool(question.quotes))
        self._rest.setVisible(not question.quotes)
        self.yes.setText(question.yes)
        self.no.setText(question.no)
        self.no.setVisible(bool(question.no))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(_HEADER_HEIGHT))
        self._foot.setFixedHeight(self._theme.scaled(_FOOTER_HEIGHT))
        self._quotes.setFont(self._theme.font("reading"))

"""What the inspector shows beside memories: a working note to read, or what the tiers are for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QPaintEvent,
    QPen,
    QSyntaxHighlighter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import SectionTitle, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP, FactGrid, Notice, PaneScroll
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.state import NoteFacts


_KEY = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s*:)')
_MAX_LINES = 18
_LINE = 20
_PADDING = 12
_SURELY_HIGHER = 12_000  # to ask how high so much is would lay out what nobody sees yet
_DASHES = (3.0, 2.0)


class _KeyHighlighter(QSyntaxHighlighter):
    """Colours the keys of JSON."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        look = QTextCharFormat()
        look.setForeground(self._theme.color("lapis"))
        for key in _KEY.finditer(text):
            # Qt counts UTF-16 units, Python code points.
            start, length = _units(text[: key.start()]), _units(key.group())
            self.setFormat(start, length, look)


class _JsonField(LongTextEdit):
    """The rich editor is used for its line distance; it holds plain text only."""

    def _line_format(self) -> QTextBlockFormat:
        line = QTextBlockFormat()
        line.setLineHeight(
            float(self._theme.scaled(_LINE)), QTextBlockFormat.LineHeightTypes.FixedHeight.value
        )
        return line


class JsonWell(QFrame):
    """JSON in fixed type on a sunken ground, as high as it needs up to a limit."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = _JsonField(theme, self)
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.text.setTabChangesFocus(True)
        self.text.document().setDocumentMargin(0)
        self._highlighter = _KeyHighlighter(theme, self.text.document())
        vbox(self, self.text, margins=_PADDING)
        self.text.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme.dress(self._on_theme_changed)

    def show_json(self, text: str) -> None:
        """Show another value."""
        if text != self.text.text():
            self.text.set_plain_text(text)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the dashed frame of what only the agent writes."""
        painter = smooth_painter_on(self)
        pen = QPen(self._theme.color("lineStrong"), 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern(list(_DASHES))
        painter.setPen(pen)
        painter.setBrush(self._theme.color("sunken"))
        radius = self._theme.radius("control")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()

    @Slot()
    def _fit(self) -> None:
        height = self._theme.scaled(_LINE) * _MAX_LINES
        document = self.text.document()
        if not self.text.is_cut and document.characterCount() < _SURELY_HIGHER:
            height = min(height, round(document.size().height()))
        self.setFixedHeight(height + 2 * _PADDING)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.text.setFont(self._theme.font("mono", px=13))
        shown = self.text.text()
        self.text.set_plain_text(shown)  # its lines at the distance of the new scale
        self._fit()


class NotePane(PaneScroll):
    """Key, value and circumstances of one working note.

    Signals:
        write_from_note_requested: The text that a memory made from it would start with.
    """

    write_from_note_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._note: NoteFacts | None = None
        self.key = wrapped_label("", "mono", self.column)
        self.json = JsonWell(theme, self.column)
        self.json.text.setObjectName("noteValue")
        self.json.text.setAccessibleName(tr("Value of the working note"))
        self._facts = FactGrid(theme, self.column)
        self._conversation = self._facts.add_text(tr("Conversation"))
        self._reference = self._facts.add_text(tr("Reference"), "monoInk")
        self._written = self._facts.add_text(tr("Written"))
        self._started = self._facts.add_text(tr("Started"))
        self._facts.add_text(tr("On archive")).setText(tr("Kept with the conversation"))
        self._facts.add_text(tr("On clear")).setText(tr("Removed with the other notes"))
        self.write = PushButton(
            theme, tr("Write a memory from this"), icon="copy", small=True, parent=self.column
        )
        self.write.setObjectName("writeFromNote")
        self.write.clicked.connect(self._on_write_clicked)
        storing(self.write)
        self._lay_out()
        theme.dress(self._on_theme_changed)

    def show_note(self, note: NoteFacts) -> None:
        """Show another note, or another version of it."""
        self._note = note
        self.key.setText(note.key)
        self.json.show_json(note.json)
        for value, text in (
            (self._conversation, note.conversation),
            (self._reference, note.ref_code),
            (self._written, note.written),
            (self._started, note.started),
        ):
            value.setText(text)
            self._facts.show_row(value, shown=bool(text))

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.write.hide()

    @Slot()
    def copy_json(self) -> None:
        """Put the value on the clipboard."""
        if self._note is not None:
            QGuiApplication.clipboard().setText(self._note.json)

    def _lay_out(self) -> None:
        notice = Notice(
            self._theme, icon="info", role="lapis", ground="lapisSoft", parent=self.column
        )
        notice.say(
            "",
            tr(
                "The agent\u2019s own notepad. These are not memories: they don\u2019t "
                "fade and can\u2019t be searched."
            ),
        )
        button = hbox(None, self.write, STRETCH)
        stack = self.stack
        stack.addWidget(plain_label(tr("Key"), "label", self.column))
        stack.addSpacing(6)
        stack.addWidget(self.key)
        stack.addSpacing(14)
        stack.addWidget(SectionTitle(tr("Value"), tr("JSON"), parent=self.column))
        stack.addSpacing(7)
        stack.addWidget(self.json)
        stack.addSpacing(14)
        stack.addWidget(notice)
        stack.addSpacing(SECTION_GAP)
        stack.addWidget(SectionTitle(tr("Details"), parent=self.column))
        stack.addSpacing(5)
        stack.addWidget(self._facts)
        stack.addSpacing(SECTION_GAP - 6)
        stack.addWidget(SectionTitle(tr("Carry this forward"), parent=self.column))
        stack.addSpacing(7)
        stack.addWidget(
            wrapped_label(
                tr("Copy the note into a memory to keep it. The note stays."),
                "meta",
                self.column,
            )
        )
        stack.addSpacing(8)
        stack.addLayout(button)
        stack.addStretch(1)

    @Slot()
    def _on_write_clicked(self) -> None:
        if self._note is not None:
            self.write_from_note_requested.emit(self._note.memory_text)

    @Slot()
    def _on_theme_changed(self) -> None:
        # The style sheet names the face of every fixed text; the key is larger and stronger.
        ink = self._theme.color("ink").name()
        self.key.setStyleSheet(
            f"font-size: {self._theme.scaled(14)}px; font-weight: 600; color: {ink};"
        )


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_MARK = 26


class RingsPane(PaneScroll):
    """Four rings, each with what it holds, and what memory is not."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        meanings = {
            Tier.CONVERSATION: tr(
                "What this conversation is working on. Cleared or summed up when it ends."
            ),
            Tier.CHANNEL: tr("Shared by conversations that belong together. Fades fastest."),
            Tier.WORKSPACE: tr(
                "True in this world: conventions, people, preferences. Fades slowly."
            ),
            Tier.ACCOUNT: tr("About you, in every workspace. Fades slowest. No world content."),
        }
        for number, (tier, meaning) in enumerate(meanings.items()):
            if number:
                self.stack.addWidget(rule(self.column))
            self.stack.addWidget(self._ring(tier, meaning))
        notice = Notice(theme, icon="info", role="lapis", ground="lapisSoft", parent=self.column)
        notice.say(
            "",
            tr("Memory is not world content: your pages are."),
        )
        fill(self.stack, 14, notice, STRETCH)

    def _ring(self, tier: Tier, meaning: str) -> QWidget:
        inked, role = TIER_MARKS[tier]
        ring = QWidget(self.column)
        words = vbox(None, spacing=0)
        words.addWidget(plain_label(tier_title(tier), "tab", ring))
        words.addWidget(wrapped_label(meaning, "meta", ring))
        row = hbox(ring, margins=(0, 12, 0, 12), spacing=12)
        row.addWidget(
            TierMark(self._theme, inked=inked, role=role, edge=_MARK, parent=ring),
            0,
            Qt.AlignmentFlag.AlignTop,
        )
        row.addLayout(words, 1)
        return ring

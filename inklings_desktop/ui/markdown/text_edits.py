"""Fields for plain text of any length and shape that are never slow to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QLocale, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTextEdit, QToolTip, QWidget

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.ui.kit.controls.link_button import LinkButton
from inklings_desktop.ui.kit.look.hidden_marks import HiddenMarks, PlacedBlock
from inklings_desktop.ui.kit.look.layout_cost import head_length
from inklings_desktop.ui.kit.look.lazy_layout import block_at, go_on_laying_out, laid_out_when_seen
from inklings_desktop.ui.kit.look.plain_copy import plain_copy
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.text_positions import insert_exactly
from inklings_desktop.ui.kit.look.wrapping import wrap_mode
from inklings_desktop.ui.kit.marks.elided_label import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.look.theme import Theme

MOST_MARKUP = 2 * 1024 * 1024
"""Characters of HTML or RTF that are read for their text; a second's work at most."""

_RTF_NAMES = ("rtf", "rich text format")


class Pasted(NamedTuple):
    """A text on its way in.

    Attributes:
        text: What comes in; empty if it was too much to be read.
        n_bytes: How long the whole document would be with it, in UTF-8.
    """

    text: str
    n_bytes: int


def holds_text(source: QMimeData) -> bool:
    """Whether there is any text in it, plain or not."""
    return source.hasText() or source.hasHtml() or bool(_rtf_format(source))


def pasted(source: QMimeData, cursor: QTextCursor) -> Pasted:
    """The text that would stand in the place of the selection.

    That of HTML or RTF where nothing plain comes with it; nothing that they name is loaded.
    """
    # With what reads them: hardly ever needed, and not for the first paint.
    from inklings_desktop.ui.markdown.clipboard_markup import text_of_html, text_of_rtf

    text = source.text()
    if not text and source.hasHtml():
        html = source.html()
        if len(html) > MOST_MARKUP:
            return Pasted("", len(html))
        text = text_of_html(html)
    if not text and (name := _rtf_format(source)):
        rtf = bytes(source.data(name).data())
        if len(rtf) > MOST_MARKUP:
            return Pasted("", len(rtf))
        text = text_of_rtf(rtf)
    taken = cursor.selectedText() if cursor.hasSelection() else ""
    before = cursor.document().toRawText()
    return Pasted(text, _n_bytes(before) - _n_bytes(taken) + _n_bytes(text))


def _n_bytes(text: str) -> int:
    # Qt ends lines with a sign of three bytes.
    return len(text.replace("\u2029", "\n").encode("utf-8", "surrogatepass"))


def _rtf_format(source: QMimeData) -> str:
    return next(
        (one for one in source.formats() if any(name in one.lower() for name in _RTF_NAMES)), ""
    )


_BAR_HEIGHT = 28
_SIDE = 8
_BLOCK_BREAK = "\u2029"


class LongTextEdit(QTextEdit):
    """Shows the head of a text that would take long to lay out, and all of it when asked.

    Most texts are shown whole. Below a head a line says how much there is; its button, or Enter,
    shows all. Until then nothing can be edited, so that nobody writes at an end that is none, and
    ``text`` gives the whole text all the same.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._whole: str | None = None
        self._is_locked = False
        self.setAcceptRichText(False)
        self._rest_bar = QWidget(self)
        self._rest_told = ElidedLabel("", self._rest_bar)
        self._rest_told.setProperty("textStyle", "meta")
        self.show_rest = LinkButton(self.tr("Show all"), self._rest_bar)
        self.show_rest.setObjectName("showWholeText")
        self.show_rest.clicked.connect(self.show_all)
        row = QHBoxLayout(self._rest_bar)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.addWidget(self._rest_told, 1)
        row.addWidget(self.show_rest)
        self._rest_bar.hide()

    def set_plain_text(self, text: str) -> None:
        """Show another text; the way back begins here, and the text counts as unmodified."""
        head = text[: head_length(text)]
        self._whole = text if len(head) < len(text) else None
        self._fill(head)
        self._show_rest()

    def text(self) -> str:
        """The whole text, shown or not, with a line feed for every line end."""
        if self._whole is not None:
            return self._whole
        # The plain text of a Qt document turns no-break spaces into ordinary ones.
        return self.document().toRawText().replace(_BLOCK_BREAK, "\n")

    @property
    def is_cut(self) -> bool:
        """Whether only the head of the text is shown."""
        return self._whole is not None

    @Slot()
    def show_all(self) -> None:
        """Show the whole text, however long that takes, and let it be edited."""
        if self._whole is None:
            return
        whole, self._whole = self._whole, None
        place = self.verticalScrollBar().value()
        by_button = self.show_rest.hasFocus()
        self._fill(whole)
        self._show_rest()
        self.verticalScrollBar().setValue(place)
        if by_button:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- Qt's questions -----------------------------------------------------------------------

    def setReadOnly(self, read_only: bool) -> None:  # noqa: FBT001, N802 - Qt calls it so
        """A head stays locked, whoever unlocks the field."""
        self._is_locked = read_only
        wanted = read_only or self.is_cut
        if wanted != self.isReadOnly():
            super().setReadOnly(wanted)

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt calls it so
        """Gives the selection as plain text; no-break spaces stay what they are."""
        return plain_copy(self.textCursor().selectedText().replace(_BLOCK_BREAK, "\n"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the rest of a text that is cut."""
        if self.is_cut and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.show_all()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the line about the rest below the text."""
        super().resizeEvent(event)
        self._place_viewport()

    # -- inside -------------------------------------------------------------------------------

    def _fill(self, text: str) -> None:
        """Put a text into the document, laid out as far as it is seen."""
        document = self.document()
        self.blockSignals(True)
        document.setUndoRedoEnabled(False)
        self.clear()
        self.setWordWrapMode(wrap_mode(text))
        with laid_out_when_seen(document):
            # Into an empty line that has the distance already: the others inherit it.
            cursor = QTextCursor(document)
            cursor.setBlockFormat(self._line_format())
            insert_exactly(cursor, text)
            self.moveCursor(QTextCursor.MoveOperation.Start)
        document.setUndoRedoEnabled(True)
        document.setModified(False)
        self.blockSignals(False)

    def _line_format(self) -> QTextBlockFormat:
        """How every line is set."""
        return QTextBlockFormat()

    def _show_rest(self) -> None:
        self.setReadOnly(self._is_locked)
        if self._whole is not None:
            n_shown, n_all = self.document().characterCount() - 1, len(self._whole)
            figure = QLocale().toString
            told = self.tr("The first {shown} of {all} characters, as the rest is slow to show.")
            self._rest_told.setText(told.format(shown=figure(n_shown), all=figure(n_all)))
        self._rest_bar.setVisible(self.is_cut)
        self._place_viewport()

    def _place_viewport(self) -> None:
        """Leave room for the line about the rest."""
        self.setViewportMargins(0, 0, 0, self._rest_height())
        self._place_rest()

    def _place_rest(self) -> None:
        frame = self.viewport().geometry()
        top, height = frame.bottom() + 1, self._rest_height()
        self._rest_bar.setGeometry(frame.left(), top, frame.width(), height)

    def _rest_height(self) -> int:
        return self._theme.scaled(_BAR_HEIGHT) if self.is_cut else 0


LEAST_HEIGHT = 84
MOST_BYTES = 2 * MAX_CONTENT_BYTES
"""More is not pasted: Qt lays the line of the caret out anew with every key."""

_MOST_SHARE = 0.4
_FRAME = 14
_SURELY_HIGHER = 12_000
"""Characters that fill any pane: to ask how high they are would lay out what nobody sees yet."""


class GrowingTextEdit(LongTextEdit):
    """Plain text only, from 84 pixels high up to two fifths of the pane around it.

    The rich editor is used for its line distance; it neither takes nor gives anything but
    plain text. Characters that do not show get a mark and a tool tip; they stay in the text.

    Signals:
        focus_left: The keyboard went elsewhere.
        paste_refused: So much was pasted that every key would have become slow: how many bytes of
            UTF-8 there would have been. Nothing was taken.
    """

    focus_left = Signal()
    paste_refused = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._hidden_marks = HiddenMarks(theme)
        self._room = 2 * LEAST_HEIGHT / _MOST_SHARE
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(4)
        self.setCursorWidth(2)
        self.document().documentLayout().documentSizeChanged.connect(self._on_document_resized)
        self.textChanged.connect(self._on_text_changed)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_plain_text(self, text: str) -> None:
        """Show another text; the way back begins here, and the text counts as unmodified."""
        super().set_plain_text(text)
        self._fit()

    def caret_to_end(self) -> None:
        """Put the caret behind the last character, unless all would be laid out to find it."""
        if not self._is_surely_higher():
            self.moveCursor(QTextCursor.MoveOperation.End)

    def set_room(self, height: int) -> None:
        """Say how high the pane is that the field may fill two fifths of."""
        self._room = height
        self._fit()

    def set_invalid(self, *, invalid: bool) -> None:
        """Show the field as not acceptable, or acceptable again."""
        wanted = "true" if invalid else "false"
        if self.property("invalid") == wanted:
            return  # said with every key: a style put on anew lays the whole text out anew
        self.setProperty("invalid", wanted)
        self.style().unpolish(self)
        self.style().polish(self)
        self._set_face()  # a style sheet put on anew brings back the size of the first time

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Takes what was copied as plain text; nothing of what is far more than can be stored."""
        text, n_bytes = pasted(source, self.textCursor())
        if n_bytes > MOST_BYTES:
            self.paste_refused.emit(n_bytes)
            return
        if wrap_mode(text) is not self.wordWrapMode():
            self.setWordWrapMode(wrap_mode(self.toPlainText() + text))
        insert_exactly(self.textCursor(), text)
        self.ensureCursorVisible()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Takes anything that has a text."""
        return holds_text(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Grows when lines wrap earlier."""
        super().resizeEvent(event)
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Says that the keyboard went elsewhere."""
        super().focusOutEvent(event)
        self.focus_left.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Names a hidden character under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            names = self._hidden_marks.names_at(event.pos(), self._placed_blocks())
            QToolTip.showText(event.globalPos(), plain_tool_tip("\n".join(names)), self)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws marks for hidden characters above the text."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._hidden_marks.paint(painter, self._placed_blocks())
        painter.end()

    def _placed_blocks(self) -> Iterator[PlacedBlock]:
        """The lines of the text that may be on show, each with its upper edge."""
        layout, scrolled = self.document().documentLayout(), self.verticalScrollBar().value()
        block = block_at(self.document(), scrolled)
        while block.isValid():
            top = layout.blockBoundingRect(block).top() - scrolled
            if top > self.viewport().height():
                return
            yield block, top
            block = block.next()

    def _fit(self) -> None:
        least = self._theme.scaled(LEAST_HEIGHT)
        most = max(least, round(self._room * _MOST_SHARE))
        height = most
        if not self._is_surely_higher():
            wanted = round(self.document().size().height()) + _FRAME
            height = min(most, max(least, wanted))
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def _is_surely_higher(self) -> bool:
        return self.is_cut or self.document().characterCount() >= _SURELY_HIGHER

    def _set_lines(self) -> None:
        """Gives every line the distance of the type scale; new ones inherit it."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(self._line_format())

    def _line_format(self) -> QTextBlockFormat:
        line = QTextBlockFormat()
        line.setLineHeight(
            float(self._theme.line("editor")), QTextBlockFormat.LineHeightTypes.FixedHeight.value
        )
        return line

    def _set_face(self) -> None:
        font = self._theme.font("editor")
        self.setFont(font)
        self.document().setDefaultFont(font)

    @Slot()
    def _on_text_changed(self) -> None:
        go_on_laying_out(self.document())

    @Slot()
    def _on_document_resized(self) -> None:
        self._fit()

    @Slot()
    def _on_theme_changed(self) -> None:
        modified = self.document().isModified()
        self._set_face()
        self.blockSignals(True)
        self._set_lines()
        self.document().setModified(modified)
        self.blockSignals(False)
        self._fit()

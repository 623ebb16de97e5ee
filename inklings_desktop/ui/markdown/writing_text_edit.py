"""Fields in which plain text is written and nothing is lost or hidden, and what is pasted there."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QToolTip, QWidget

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.ui.kit.look.hidden_marks import HiddenMarks, PlacedBlock, insert_exactly
from inklings_desktop.ui.kit.look.layouts import restyle
from inklings_desktop.ui.kit.look.text_layout import (
    block_at,
    go_on_laying_out,
    plain_tool_tip,
    wrap_mode,
)
from inklings_desktop.ui.markdown.highlighter import fence_after
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtGui import QTextBlock

    from inklings_desktop.ui.kit.look.theme import Theme

MOST_MARKED = 500
"""So many of one layer are drawn: each is looked at with every repaint."""


class Layer(IntEnum):
    """What marks are about, from below."""

    SOUGHT = 0
    FOUND = 1
    MISSPELT = 2


class TextMarks:
    """The marks of one field; they move with the text that is typed around them."""

    def __init__(self, edit: QTextEdit) -> None:
        self._edit = edit
        self._layers: dict[Layer, list[QTextEdit.ExtraSelection]] = {}

    def show(
        self, layer: Layer, spans: Iterable[tuple[int, int]], look: QTextCharFormat | None = None
    ) -> None:
        """Mark these places of a layer and no others.

        Args:
            layer: The others stay as they are.
            spans: Start and end of each, as Qt counts them, from the left.
            look: How they are drawn; not needed for none.
        """
        marks = []
        for (start, stop), _ in zip(spans, range(MOST_MARKED), strict=False):
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self._edit.document())
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            # The stubs lack these attributes.
            mark.cursor, mark.format = cursor, look or QTextCharFormat()
            marks.append(mark)
        if marks or self._layers.get(layer):
            self._layers[layer] = marks
            every = (one for _, kept in sorted(self._layers.items()) for one in kept)
            self._edit.setExtraSelections(list(every))

    def cursors(self, layer: Layer) -> list[QTextCursor]:
        """Where the marks of a layer stand now, those that were deleted left out."""
        marks = self._layers.get(layer, [])
        return [one.cursor for one in marks if one.cursor.hasSelection()]

    def step(self, layer: Layer, way: int) -> bool:
        """Select the mark after the caret, or the one before; around the ends.

        Args:
            layer: Whose marks.
            way: 1 or -1.

        Returns:
            Whether there is any.
        """
        marks = self.cursors(layer)
        if not marks:
            return False
        caret = self._edit.textCursor()
        if way > 0:
            beyond = (one for one in marks if one.selectionStart() >= caret.selectionEnd())
            chosen = next(beyond, marks[0])
        else:
            before = [one for one in marks if one.selectionEnd() <= caret.selectionStart()]
            chosen = (before or marks)[-1]
        self._edit.setTextCursor(chosen)
        self._edit.ensureCursorVisible()
        return True


_ITEM = re.compile(
    r"(?P<before>(?:[ ]{0,3}>[ ]?)*[ \t]*)"
    r"(?:(?P<bullet>[-*+])|(?P<number>\d{1,9})(?P<stop>[.)]))"
    r"(?P<blanks>[ \t]+)(?P<box>\[[ xX]\][ \t]+)?"
)
_RULE = re.compile(r"[ ]{0,3}([-*])[ \t]*(?:\1[ \t]*){2,}")
_HIGHEST = 999_999_999


def go_on_with_list(cursor: QTextCursor) -> bool:
    """Begin the next item where the cursor stands in one, or end the list where that is empty.

    One step of the way back. Nothing happens elsewhere, nor where code is fenced.

    Args:
        cursor: Of the editor; it moves.

    Returns:
        Whether anything was done.
    """
    first = QTextCursor(cursor)
    first.setPosition(cursor.selectionStart())
    block = first.block()
    line = block.text()
    item = _ITEM.match(line)
    # A mark is of letters that Qt counts as Python does.
    if item is None or first.positionInBlock() < item.end() or _RULE.fullmatch(line):
        return False
    if _is_code(block):
        return False
    cursor.beginEditBlock()
    if line[item.end() :].strip() or cursor.hasSelection():
        cursor.removeSelectedText()
        cursor.insertBlock()
        cursor.insertText(_next_mark(item))
    else:
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    cursor.endEditBlock()
    return True


def _next_mark(item: re.Match[str]) -> str:
    mark = item["bullet"] or f"{min(int(item['number']) + 1, _HIGHEST)}{item['stop']}"
    box = item["box"]
    return item["before"] + mark + item["blanks"] + (f"[ ]{box[3:]}" if box else "")


def _is_code(block: QTextBlock) -> bool:
    """Whether a line stands in a fence that was opened above it."""
    fence, line = 0, block.document().firstBlock()
    while line != block:
        fence = fence_after(line.text(), fence)
        line = line.next()
    return fence != 0


_BLOCK_BREAK = "\u2029"
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


LEAST_HEIGHT = 84
MOST_BYTES = 2 * MAX_CONTENT_BYTES
_MOST_SHARE = 0.4
_FRAME = 14
_SURELY_HIGHER = 12_000
"""Characters that fill any pane: to ask how high they are would lay out what nobody sees yet."""


class WritingTextEdit(LongTextEdit):
    """Takes and gives plain text alone; every character that does not show gets a mark and a tip.

    Signals:
        paste_refused: So much was pasted that every key would have become slow: how many bytes of
            UTF-8 there would have been. Nothing was taken.

    Attributes:
        most_bytes: More is not pasted: Qt lays the line of the caret out anew with every key.
        marks: What is marked in the text.
    """

    paste_refused = Signal(int)
    most_bytes: ClassVar[int]

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._hidden_marks = HiddenMarks(theme)
        self.marks = TextMarks(self)
        self.setTabChangesFocus(True)
        self.setCursorWidth(2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def plain_lines(self) -> str:
        """The text with a line feed for every line end, so that places in it match the editor's."""
        return self.document().toRawText().replace(_BLOCK_BREAK, "\n")

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Takes what was copied as plain text; nothing of what is far more than can be stored."""
        text, n_bytes = pasted(source, self.textCursor())
        if n_bytes > self.most_bytes:
            self.paste_refused.emit(n_bytes)
            return
        self._insert(text)
        self.ensureCursorVisible()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return holds_text(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.matches(QKeySequence.StandardKey.InsertParagraphSeparator)
        if is_enter and not self.isReadOnly():
            cursor = self.textCursor()
            if go_on_with_list(cursor):
                self.setTextCursor(cursor)
                self.ensureCursorVisible()
                return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            names = self._hidden_marks.names_at(event.pos(), self._visible_blocks())
            QToolTip.showText(event.globalPos(), plain_tool_tip("\n".join(names)), self)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._hidden_marks.paint(painter, self._visible_blocks())
        painter.end()

    def _insert(self, text: str) -> None:
        """Put what was pasted in the place of the selection."""
        if wrap_mode(text) is not self.wordWrapMode():
            self.setWordWrapMode(wrap_mode(self.toPlainText() + text))
        insert_exactly(self.textCursor(), text)

    def _visible_blocks(self) -> Iterator[PlacedBlock]:
        """The lines of the text that may be on show, each with its upper edge."""
        layout, scrolled = self.document().documentLayout(), self.verticalScrollBar().value()
        block = block_at(self.document(), scrolled)
        while block.isValid():
            top = layout.blockBoundingRect(block).top() - scrolled
            if top > self.viewport().height():
                return
            yield block, top
            block = block.next()

    def _set_face(self) -> None:
        font = self._theme.font("editor")
        self.setFont(font)
        self.document().setDefaultFont(font)

    def _dress_lines(self) -> None:
        """Give every line face and distance of the type scale; new ones inherit them."""
        modified = self.document().isModified()
        self._set_face()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        with QSignalBlocker(self):
            cursor.mergeBlockFormat(self._line_format())
            self.document().setModified(modified)

    def _line_format(self) -> QTextBlockFormat:
        line = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        line.setLineHeight(float(self._theme.line("editor")), kind)
        return line


class GrowingTextEdit(WritingTextEdit):
    """From 84 pixels high up to two fifths of the pane around it.

    The rich editor is used for its line distance; it neither takes nor gives anything but
    plain text.
    """

    most_bytes = MOST_BYTES

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._room = 2 * LEAST_HEIGHT / _MOST_SHARE
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(4)
        self.document().documentLayout().documentSizeChanged.connect(self._on_document_resized)
        self.textChanged.connect(self._on_text_changed)
        theme.dress(self._on_theme_changed)

    def set_plain_text(self, text: str) -> None:
        """Show another text; the way back begins here, and the text counts as unmodified."""
        super().set_plain_text(text)
        self._fit()

    def caret_to_end(self) -> None:
        """Put the caret behind the last character, unless all would be laid out to find it."""
        if not self._is_surely_higher():
            self.moveCursor(QTextCursor.MoveOperation.End)

    def bring_into_view(self, cursor: QTextCursor) -> None:
        """Scroll to a place, if it is out of sight; the caret stays where it is."""
        place, seen = self.cursorRect(cursor), self.viewport().rect()
        if not seen.contains(place):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + place.center().y() - seen.center().y())

    def set_room(self, height: int) -> None:
        """Say how high the pane is that the field may fill two fifths of."""
        self._room = height
        self._fit()

    def set_invalid(self, *, invalid: bool) -> None:
        """Show the field as not acceptable, or acceptable again."""
        wanted = "true" if invalid else "false"
        if self.property("invalid") == wanted:
            return  # said with every key: a style put on anew lays the whole text out anew
        restyle(self, "invalid", wanted)
        self._set_face()  # a style sheet put on anew brings back the size of the first time

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

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

    @Slot()
    def _on_text_changed(self) -> None:
        go_on_laying_out(self.document())

    @Slot()
    def _on_document_resized(self) -> None:
        self._fit()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._dress_lines()
        self._fit()

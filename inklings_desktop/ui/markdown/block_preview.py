"""Markdown as it reads, block by block: numbers beside them, marks below, one is current."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextImageFormat

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.cells import Line, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.markdown.preview import BUDGET, MarkdownPreview, preview_source
from inklings_desktop.ui.markdown.reading_document import ReadingDocument, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

GUTTER, MEASURE = 34, 620
PART = BUDGET // 2
"""What the part of a text that is shown at once may cost."""
_AIR, _NUMBER_AIR, _BELOW_LAST = 6, 9, 24
_MARK_PX, _MARK_GAP = 13, "\u2003"
_END = "\ue000"
"""Stands alone after each block while the whole is rendered; none of it is left then."""
_CUT = "\u2026"
_STEPS = {Qt.Key.Key_J.value: 1, Qt.Key.Key_K.value: -1}


@dataclass(frozen=True, slots=True)
class PieceMark:
    """A small icon and words, in a role's colour."""

    icon: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a text, as it is shown.

    Attributes:
        key: Names it within the text.
        markdown: It.
        number: Stands at its side.
        marks: Stand below it; a block without any has no line for them.
        edge: Role of a line at its left edge; empty for none.
        spoken: What is read aloud before its text.
        is_plain: Whether its signs are shown as they stand.
    """

    key: str
    markdown: str
    number: str
    marks: tuple[PieceMark, ...] = ()
    edge: str = ""
    spoken: str = ""
    is_plain: bool = False


def parts_of(texts: Sequence[str], budget: int = PART) -> tuple[int, ...]:
    """Where a long text is parted so that each part can be rendered in a blink: first blocks."""
    starts, left = [0], budget
    for number, text in enumerate(texts):
        cost = preview_source(text, budget).cost
        if cost > left and number > starts[-1]:
            starts.append(number)
            left = budget
        left -= cost
    return tuple(starts)


class BlockPreview(MarkdownPreview):
    """Shows blocks, of which one is current; keys and mouse choose another.

    Signals:
        chosen: Key of the block that became current.
        entered: Enter was pressed on the current one.
        letter_pressed: A letter that it was told of, in upper case.
        beyond: J or K was pressed at an end: 1 at the lower one, -1 at the upper one.
    """

    chosen = Signal(str)
    entered = Signal()
    letter_pressed = Signal(str)
    beyond = Signal(int)

    def __init__(self, theme: Theme, letters: str = "", parent: QWidget | None = None) -> None:
        self._pieces: tuple[Piece, ...] = ()
        self._current = self._text_key = ""
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        self._letters = letters
        super().__init__(theme, parent)
        self.setViewportMargins(0, 0, 0, 0)

    def show_pieces(self, said: tuple[str, Sequence[Piece], str]) -> None:
        """Show the blocks of a text, by its key; the one with the last key is current."""
        text_key, pieces, current = said
        is_other, moved = text_key != self._text_key, current != self._current
        self._text_key, self._current = text_key, current
        if is_other or tuple(pieces) != self._pieces:
            self._pieces = tuple(pieces)
            self.lay_out()
        if is_other:
            self.verticalScrollBar().setValue(0)
        if moved or is_other:
            self._show_current()

    def lay_out(self) -> None:
        left, markdown = PART, ""
        for piece in self._pieces:
            text = piece.markdown.replace(_END, "")
            source = preview_source(_plain(piece) if piece.is_plain else text, left)
            left -= source.cost
            markdown += f"{source.markdown or _CUT}\n\n{_END}\n\n"
        document = self._made(markdown)
        if len(self._lasts) != len(self._pieces):  # a sign of one went on over the next
            document = self._made(f"\n\n{_END}\n\n".join(map(_plain, self._pieces)) + f"\n\n{_END}")
        self._add_marks(document)
        self.put_document(document, markdown)
        self._fit()

    def _made(self, markdown: str) -> ReadingDocument:
        gutter = self._theme.scaled(GUTTER)
        document = ReadingDocument(self._theme, markdown.rstrip(), margin=gutter)
        ends = [one.blockNumber() for one in blocks_of(document) if one.text() == _END]
        self._firsts = [0, *(one + 1 for one in ends[:-1])] if ends else []
        self._lasts = ends
        return document

    def _add_marks(self, document: ReadingDocument) -> None:
        """Put its marks where a block ended, or nothing at all."""
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for piece, number in zip(self._pieces, self._lasts, strict=False):
            block = document.findBlockByNumber(number)
            cursor.setPosition(block.position())
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.removeSelectedText()
            block.setVisible(bool(piece.marks))
            if piece.marks:
                _stand_close(document, QTextCursor(block.previous()), cursor)
                self._write_marks(cursor, piece.marks)
        cursor.endEditBlock()

    def _write_marks(self, cursor: QTextCursor, marks: Sequence[PieceMark]) -> None:
        theme, document = self._theme, cursor.document()
        ratio, edge = self.devicePixelRatioF(), theme.icon_px(_MARK_PX)
        for place, mark in enumerate(marks):
            name = f"mark:{mark.icon}:{mark.role}"
            picture = theme.pixmap(mark.icon, mark.role, _MARK_PX, ratio=ratio)
            document.addResource(
                QTextDocument.ResourceType.ImageResource.value, QUrl(name), picture
            )
            image = QTextImageFormat()
            image.setName(name)
            image.setWidth(edge)
            image.setHeight(edge)
            image.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
            face = QTextCharFormat()
            face.setFont(theme.font("meta", px=12))
            face.setForeground(theme.color(mark.role))
            cursor.insertText(_MARK_GAP if place else "", face)
            cursor.insertImage(image)
            cursor.insertText(f"\u2009{mark.text}", face)

    # -- where blocks stand -----------------------------------------------------------------

    def draw_below(self, painter: QPainter) -> None:
        theme, width = self._theme, self.viewport().width()
        for place, rect in self._on_show():
            piece = self._pieces[place]
            is_current = piece.key == self._current
            ground = Ground("selected" if is_current else "", bar=piece.edge)
            if is_current and not piece.edge:
                ground = Ground("selected", bar="accent")
            ground.paint_in(painter, QRectF(0, rect.top(), width, rect.height()), theme)
            first = self.document().findBlockByNumber(self._firsts[place])
            line = first.layout().lineAt(0)
            height = line.height() if line.isValid() else theme.line("editor")
            row = QRectF(0, rect.top() + _AIR, theme.scaled(GUTTER) - _NUMBER_AIR, height)
            Line((), (Text(piece.number, "inkFaint", px=12),)).draw(painter, theme, row)

    def _on_show(self) -> Iterator[tuple[int, QRectF]]:
        """Places of the blocks that are seen, and where they stand in the view."""
        scrolled, height = self.verticalScrollBar().value(), self.viewport().height()
        for place in range(len(self._pieces)):
            rect = self._rect(place).translated(0, -scrolled)
            if rect.top() > height:
                return
            if rect.bottom() >= 0:
                yield place, rect

    def _rect(self, place: int) -> QRectF:
        """Where a block stands in the document."""
        document, layout = self.document(), self.document().documentLayout()
        end = document.findBlockByNumber(self._lasts[place])
        last = end if end.isVisible() else end.previous()
        top = layout.blockBoundingRect(document.findBlockByNumber(self._firsts[place])).top()
        bottom = layout.blockBoundingRect(last).bottom()
        return QRectF(0, top - _AIR, self.viewport().width(), bottom - top + 2 * _AIR)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep lines to a length that reads well, beside the numbers."""
        theme, root = self._theme, self.document().rootFrame()
        wanted = root.frameFormat()
        left = theme.scaled(GUTTER)
        right = max(_BELOW_LAST, self.viewport().width() - left - theme.scaled(MEASURE))
        if (wanted.leftMargin(), wanted.rightMargin()) != (left, right):
            wanted.setLeftMargin(left)
            wanted.setRightMargin(right)
            wanted.setTopMargin(_BELOW_LAST)
            wanted.setBottomMargin(_BELOW_LAST)
            root.setFrameFormat(wanted)

    # -- which one is current ---------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by block with J and K, to the ends with Home and End; hears its letters."""
        key, letter = event.key(), event.text().upper()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._pieces:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self._step(_STEPS[key])
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            self._choose(0 if key == Qt.Key.Key_Home else len(self._pieces) - 1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit()
        elif letter and letter in self._letters:
            self.letter_pressed.emit(letter)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        y = event.position().y() + self.verticalScrollBar().value()
        tops = [self._rect(place).top() for place in range(len(self._pieces))]
        place = bisect_right(tops, y) - 1
        if place >= 0 and not self.anchorAt(event.position().toPoint()):
            self._choose(place, seen=True)

    def _step(self, step: int) -> None:
        keys = [one.key for one in self._pieces]
        place = keys.index(self._current) + step if self._current in keys else 0
        if 0 <= place < len(keys):
            self._choose(place)
        else:
            self.beyond.emit(step)

    def _choose(self, place: int, *, seen: bool = False) -> None:
        piece = self._pieces[place]
        if piece.key == self._current:
            return
        self._current = piece.key
        if seen:
            self.viewport().update()
        else:
            self._show_current()
        announce(self, f"{piece.spoken}: {piece.markdown}")
        self.chosen.emit(piece.key)

    @Slot()
    def _show_current(self) -> None:
        """Bring the current one into view."""
        self.viewport().update()
        place = next((n for n, one in enumerate(self._pieces) if one.key == self._current), None)
        if place is None:
            return
        rect, bar = self._rect(place), self.verticalScrollBar()
        height = self.viewport().height()
        if rect.top() < bar.value() or rect.height() > height:
            bar.setValue(round(rect.top()))
        elif rect.bottom() > bar.value() + height:
            bar.setValue(round(rect.bottom()) - height)


def _plain(piece: Piece) -> str:
    """Markdown that shows a block as it is written."""
    text = piece.markdown.replace(_END, "")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def _stand_close(document: ReadingDocument, above: QTextCursor, below: QTextCursor) -> None:
    """Give the room below a block to the marks that stand there now."""
    last, rows = above.blockFormat(), document.rows("meta", 0, 0)
    rows.setBottomMargin(last.bottomMargin())
    below.setBlockFormat(rows)
    last.setBottomMargin(1)
    above.setBlockFormat(last)

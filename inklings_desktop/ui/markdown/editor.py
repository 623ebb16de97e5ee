"""An editor for Markdown source that gives back exactly what was written, line ends too."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.entries.named_entry import MAX_BODY_BYTES
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions, insert_exactly
from inklings_desktop.ui.kit.look.text_layout import (
    block_at,
    go_on_laying_out,
    head_length,
    laid_out_when_seen,
    wrap_mode,
)
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.markdown.formatting import MarkdownFormat, format_edit
from inklings_desktop.ui.markdown.highlighter import MarkdownHighlighter, is_styled
from inklings_desktop.ui.markdown.writing_text_edit import WritingTextEdit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inklings_desktop.ui.kit.look.theme import Theme

# Qt begins a new block at each of these.
_BREAK = re.compile("\r\n|[\r\n\u2029\ufdd0\ufdd1]")
_USUAL = ("\n", "\r\n", "\r")
_BLOCK_BREAK = "\u2029"


class LineEnds(QObject):
    """Loads texts into one document and reads them out again, character for character."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._usual = _USUAL[0]
        self._breaks: list[str] | None = None
        self._n_blocks = 1
        self._n_steps = 0
        self._is_new_step = False
        self._by_step: dict[int, list[str]] = {}
        # Without a layout a document does not say what changed.
        document.documentLayout()
        document.contentsChange.connect(self._on_document_contents_change)
        document.undoCommandAdded.connect(self._on_document_undo_command_added)

    def load(self, text: str, block_format: QTextBlockFormat) -> None:
        """Show a text, every block of it in one format; the way back begins here."""
        document = self._document
        breaks = _BREAK.findall(text)
        self._usual = _usual_of(breaks)
        self._breaks = None
        document.setUndoRedoEnabled(False)
        document.clear()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        cursor.setBlockFormat(block_format)
        insert_exactly(cursor, _BREAK.sub("\n", text))
        cursor.endEditBlock()
        document.setUndoRedoEnabled(True)
        document.setModified(False)
        self._n_blocks = document.blockCount()
        self._n_steps = document.availableUndoSteps()
        self._by_step = {}
        if any(kind != self._usual for kind in breaks):
            self._breaks = breaks
            self._by_step[self._n_steps] = breaks

    def text(self) -> str:
        """The text with its own line ends; new lines end like the ones before them."""
        raw = self._document.toRawText()
        if self._breaks is None:
            return raw.replace(_BLOCK_BREAK, self._usual)
        lines = raw.split(_BLOCK_BREAK)
        return lines[0] + "".join(
            kind + line for kind, line in zip(self._breaks, lines[1:], strict=True)
        )

    @Slot()
    def _on_document_undo_command_added(self) -> None:
        self._is_new_step = True

    @Slot(int, int, int)
    def _on_document_contents_change(self, position: int, _removed: int, added: int) -> None:
        n_blocks, n_steps = self._document.blockCount(), self._document.availableUndoSteps()
        n_more, self._n_blocks = n_blocks - self._n_blocks, n_blocks
        went_back_or_on = n_steps != self._n_steps and not self._is_new_step
        self._n_steps, self._is_new_step = n_steps, False
        if self._breaks is None:
            return
        if went_back_or_on and len(self._by_step.get(n_steps, ())) == n_blocks - 1:
            self._breaks = self._by_step[n_steps]
            return
        if n_more:
            # Lists are exchanged, never changed: steps on the way back share them.
            self._breaks = self._after_edit(position, added, n_more)
        self._by_step[n_steps] = self._breaks

    def _after_edit(self, position: int, added: int, n_more: int) -> list[str]:
        """The breaks after an edit; those before and behind it stay what they are."""
        assert self._breaks is not None
        last = self._document.findBlock(position + added)
        start = self._document.findBlock(position).blockNumber()
        stop = last.blockNumber() if last.isValid() else self._n_blocks - 1
        kind = self._breaks[start - 1] if start else self._usual
        return [*self._breaks[:start], *[kind] * (stop - start), *self._breaks[stop - n_more :]]


def _usual_of(breaks: list[str]) -> str:
    counts = Counter(kind for kind in breaks if kind in _USUAL)
    return max(_USUAL, key=lambda kind: counts[kind])


GUTTER_WIDTH = 44


@dataclass(frozen=True, slots=True)
class GutterLine:
    """One number, where its row stands, and whether the caret is there; 0 is not written."""

    number: int
    top: float
    height: float
    is_current: bool


class LineGutter(QWidget):
    """Paints the numbers of the lines on show, which it asks for each time."""

    def __init__(
        self, theme: Theme, lines: Callable[[], Iterable[GutterLine]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = lines
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        """As wide as the design says, with the text size."""
        return QSize(self._theme.scaled(GUTTER_WIDTH), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws one number per line, at the height of the line's first row."""
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface"))
        painter.setFont(theme.font("meta", px=12, tabular=True))
        for line in self._lines():
            rect = QRectF(0, line.top, self.width(), line.height)
            if line.is_current:
                painter.fillRect(rect, theme.color("hover"))
            painter.setPen(theme.color("inkSoft" if line.is_current else "inkFaint"))
            painter.drawText(
                rect,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                str(line.number or ""),
            )
        painter.end()


LONGEST_WAIT_MS = 1500
"""From the first key after a rest to ``text_rested``, however fast the typing goes on."""

MOST_BYTES = 2 * MAX_BODY_BYTES

_FOCUS_MEASURE = 640
_DOCUMENT_MARGIN = 12
_TOP_AIR = 6

_ANY_BREAK = str.maketrans({"\r": "\n", "\u2029": "\n", "\ufdd0": "\n", "\ufdd1": "\n"})

_SHORTCUTS = {
    MarkdownFormat.STRONG: "Ctrl+B",
    MarkdownFormat.EMPHASIS: "Ctrl+I",
    MarkdownFormat.LINK: "Ctrl+Shift+K",
}


class MarkdownEditor(WritingTextEdit):
    """Markdown source in the reading face, styled in place, with line numbers.

    The rich editor is used for its line distance; it neither takes nor gives anything but
    plain text, and never renders Markdown.

    Signals:
        edited: Something was changed by hand.
        text_rested: Typing paused, or the first unreported key was 1.5 seconds ago.
        scrolled: Number of the uppermost line on show, from 0.
        leave_requested: The person wants out.
    """

    edited = Signal()
    text_rested = Signal()
    scrolled = Signal(int)
    leave_requested = Signal()
    most_bytes = MOST_BYTES

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._loading = False
        self._focus_mode = False
        self.setProperty("source", "true")
        self.setProperty("ring", "none")
        self._line_ends = LineEnds(self.document())
        self._highlighter = MarkdownHighlighter(theme, self.document())
        self._gutter = LineGutter(theme, self._gutter_lines, self)
        self._rest = QTimer(self)
        self._ceiling = QTimer(self)
        for timer in (self._rest, self._ceiling):
            timer.setSingleShot(True)
            timer.timeout.connect(self.report_rest)
        self._actions = {kind: self._made_action(kind) for kind in MarkdownFormat}
        self.document().contentsChanged.connect(self._on_document_contents_changed)
        self.cursorPositionChanged.connect(self._on_cursor_position_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)
        theme.changed.connect(self._on_theme_changed)
        self._dress()
        self.set_plain_text("")

    # -- text -----------------------------------------------------------------------------

    def text(self) -> str:
        """The text as it would be stored: every character and line end as it was written."""
        return self._line_ends.text() if self._whole is None else self._whole

    def replace_text(self, body: str) -> None:
        """Put another text in place as one step that can be undone; line ends become the usual.

        Where one of the two is too dear to be shown whole, it is set, and the way back begins here.
        """
        if self.is_cut or head_length(body) < len(body):
            self.set_plain_text(body)
            return
        self._replace_all(body.replace("\r\n", "\n").translate(_ANY_BREAK))

    @Slot()
    def report_rest(self) -> None:
        """Say now that the text rested, if anything was written since it last did."""
        waiting = self._ceiling.isActive() or self._rest.isActive()
        self._rest.stop()
        self._ceiling.stop()
        if waiting or self.sender() in {self._rest, self._ceiling}:
            self.text_rested.emit()

    # -- formatting -----------------------------------------------------------------------

    def format_actions(self) -> dict[MarkdownFormat, QAction]:
        """The formatting actions with names and keys, for a tool bar and the menu."""
        return dict(self._actions)

    def apply_format(self, kind: MarkdownFormat) -> None:
        """Format the selection, or the word or line at the caret; once more takes it back."""
        if self.isReadOnly():
            return
        text = self.plain_lines()
        positions = TextPositions(text)
        caret = self.textCursor()
        start, stop = caret.selectionStart(), caret.selectionEnd()
        edit = format_edit(text, positions.from_qt(start), positions.from_qt(stop), kind)
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for change in reversed(edit.changes):
            cursor.setPosition(positions.to_qt(change.start))
            cursor.setPosition(positions.to_qt(change.stop), QTextCursor.MoveMode.KeepAnchor)
            insert_exactly(cursor, change.text)
        cursor.endEditBlock()
        after = TextPositions(self.plain_lines())
        cursor.setPosition(after.to_qt(edit.select_from))
        cursor.setPosition(after.to_qt(edit.select_to), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    # -- places ---------------------------------------------------------------------------

    def first_visible_block(self) -> int:
        """Number of the uppermost line on show, from 0."""
        return block_at(self.document(), self.verticalScrollBar().value() + 1).blockNumber()

    def scroll_to_block(self, number: int) -> None:
        """Bring a line to the upper edge, as far as the text below it allows."""
        block = self.document().findBlockByNumber(number)
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _DOCUMENT_MARGIN)

    def set_focus_mode(self, *, on: bool) -> None:
        """Narrow the lines to a reading measure in the middle, or use the whole width."""
        self._focus_mode = on
        self._place_viewport()

    # -- Qt's questions -------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape asks to leave; a shifted Enter begins a line like any other."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
            return
        if event.matches(QKeySequence.StandardKey.InsertLineSeparator) and not self.isReadOnly():
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the line of the caret below the text and marks for hidden characters above it."""
        painter = QPainter(self.viewport())
        if not self.textCursor().hasSelection():
            line = self._caret_row()
            row = QRectF(0, line.top(), self.viewport().width(), line.height())
            painter.fillRect(row, self._theme.color("hover"))
        painter.end()
        super().paintEvent(event)

    # -- inside ---------------------------------------------------------------------------

    def _made_action(self, kind: MarkdownFormat) -> QAction:
        names = {
            MarkdownFormat.HEADING: tr("Heading"),
            MarkdownFormat.STRONG: tr("Bold"),
            MarkdownFormat.EMPHASIS: tr("Italic"),
            MarkdownFormat.QUOTE: tr("Quote"),
            MarkdownFormat.BULLETS: tr("Bullet list"),
            MarkdownFormat.NUMBERS: tr("Numbered list"),
            MarkdownFormat.LINK: tr("Link"),
            MarkdownFormat.CODE: tr("Code"),
        }
        action = QAction(names[kind], self)
        action.setObjectName(f"format_{kind.value}")
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        if kind in _SHORTCUTS:
            action.setShortcut(QKeySequence(_SHORTCUTS[kind]))
        action.triggered.connect(partial(self.apply_format, kind))
        self.addAction(action)
        return action

    def _insert(self, text: str) -> None:
        cursor = self.textCursor()
        insert_exactly(cursor, text.replace("\r\n", "\n").translate(_ANY_BREAK))
        self.setTextCursor(cursor)

    def _replace_all(self, text: str) -> None:
        """Exchanges what differs; the ends that both texts share stay as they are."""
        old = self.plain_lines()
        start, most = 0, min(len(old), len(text))
        while start < most and old[start] == text[start]:
            start += 1
        n_tail = 0
        while n_tail < most - start and old[-1 - n_tail] == text[-1 - n_tail]:
            n_tail += 1
        positions = TextPositions(old)
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.setPosition(positions.to_qt(start))
        cursor.setPosition(positions.to_qt(len(old) - n_tail), QTextCursor.MoveMode.KeepAnchor)
        insert_exactly(cursor, text[start : len(text) - n_tail])
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def _fill(self, text: str) -> None:
        self._loading = True
        self._rest.stop()
        self._ceiling.stop()
        self.clear()
        self.setWordWrapMode(wrap_mode(text))
        self._highlighter.setDocument(self.document() if is_styled(text) else None)
        with laid_out_when_seen(self.document()):
            self._line_ends.load(text, self._block_format())
            self.moveCursor(QTextCursor.MoveOperation.Start)
        self._loading = False
        self._gutter.update()

    def _block_format(self) -> QTextBlockFormat:
        """Lines as far apart as the type scale says, as a share: it grows with the face."""
        natural = QFontMetricsF(self._theme.font("editor")).height()
        share = 100 * self._theme.line("editor") / natural
        block_format = QTextBlockFormat()
        block_format.setLineHeight(share, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        return block_format

    def _dress(self) -> None:
        self._set_face()
        self.document().setDocumentMargin(_DOCUMENT_MARGIN)
        self._place_viewport()

    def _place_viewport(self) -> None:
        gutter = self._gutter.sizeHint().width()
        measure = self._theme.scaled(_FOCUS_MEASURE) + 2 * _DOCUMENT_MARGIN
        room = self.width() - gutter - measure
        side = max(0, room // 2) if self._focus_mode else 0
        self.setViewportMargins(side + gutter, _TOP_AIR, side, self._rest_height())
        frame = self.viewport().geometry()
        self._gutter.setGeometry(frame.left() - gutter, frame.top(), gutter, frame.height())
        self._place_rest()

    def _gutter_lines(self) -> Iterator[GutterLine]:
        caret = QRectF() if self.textCursor().hasSelection() else self._caret_row()
        yield GutterLine(0, caret.top(), caret.height(), is_current=True)
        for block, top in self._visible_blocks():
            row = self._row(block, block.layout().lineAt(0), top)
            is_current = abs(row.top() - caret.top()) < 1 and bool(caret.height())
            yield GutterLine(block.blockNumber() + 1, row.top(), row.height(), is_current)

    def _row(self, block: QTextBlock, line: QTextLine, top: float) -> QRectF:
        """Top and height of one row; the air between rows is shared out above and below."""
        height = line.height() * (block.blockFormat().lineHeight() or 100) / 100
        return QRectF(0, top + line.y() - (height - line.height()) / 2, 0, height)

    def _caret_row(self) -> QRectF:
        """The row of the caret, as the viewport sees it."""
        cursor = self.textCursor()
        block = cursor.block()
        line = block.layout().lineForTextPosition(cursor.positionInBlock())
        if not line.isValid():
            return QRectF(self.cursorRect())
        top = self.document().documentLayout().blockBoundingRect(block).top()
        return self._row(block, line, top - self.verticalScrollBar().value())

    @Slot()
    def _on_document_contents_changed(self) -> None:
        if self._loading:
            return
        go_on_laying_out(self.document())
        self._rest.start(self._theme.duration("debounceAutosave"))
        if not self._ceiling.isActive():
            self._ceiling.start(LONGEST_WAIT_MS)
        self._gutter.update()
        self.edited.emit()

    @Slot()
    def _on_cursor_position_changed(self) -> None:
        self.viewport().update()
        self._gutter.update()

    @Slot()
    def _on_scroll_bar_value_changed(self) -> None:
        self._gutter.update()
        self.scrolled.emit(self.first_visible_block())

    @Slot()
    def _on_theme_changed(self) -> None:
        self._loading = True
        self._dress()
        self._highlighter.restyle()
        self._loading = False

"""The lines of a text while it is edited: how each of them ends, and its number beside it.

Qt's documents know blocks and forget what stood between them. Most texts use one kind of line
end throughout: that kind is remembered once. Where kinds are mixed, a list of all breaks follows
every edit, and each step of the way back remembers the list that belongs to it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.hidden_marks import insert_exactly
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

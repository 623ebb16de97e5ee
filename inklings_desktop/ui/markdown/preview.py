"""Markdown as it reads, rendered from untrusted text: nothing is loaded, no link opens.

What of a text can be rendered in a blink, and which line becomes which block, is found first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import hidden_characters, spelled_out_at
from inklings_desktop.ui.kit.look.text_layout import block_at, plain_tool_tip, wrap_mode
from inklings_desktop.ui.kit.look.translation import counted
from inklings_desktop.ui.markdown.reading_document import PARAGRAPH_GAP, ReadingDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.look.theme import Theme

MOST_CHARACTERS = 40_000
LONGEST_WORD = 1_000

# Measured costs in the renderer, against each other: of a line, a list item, a cell of a table,
# a mark inside a line, and a character that is spelled out.
BUDGET = 15_000
_LINE, _ITEM, _CELL, _MARK, _HIDDEN = 7, 8, 12, 4, 6
_PIECE = 2_000
WIDEST_TABLE = 60
"""Columns of a table that is laid out as one; a wider one is shown as it is written."""
_WIDE_RULE = re.compile(
    rf"^ {{0,3}}\|?(?:[ \t]*+:?-++:?[ \t]*+\|){{{WIDEST_TABLE},}}+", re.MULTILINE
)

_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_ITEM_MARKS = re.compile(rf"(?:{_LIST_ITEM.pattern})+")
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
# Where one script stands beside another again and again, letters that are put together, and signs.
_SLOW_LETTERS = (
    r"[!-~][\u0e00-\u0eff]|[\u0e00-\u0eff\u1100-\u11ff]{4}|[\u0370-\u03ff][\u0400-\u04ff]"
    r"|[\u2e80-\u9fff\uac00-\ud7af]{10}"
    r"|[!-~]{1,3}[^\x00-\x7f]{1,3}[!-~]{1,3}[^\x00-\x7f]{1,3}|[^\w\s\x00-\x7f]{2}"
)
# Marks, addresses (dear: they count twice), joined emoji, and where the writing turns round.
_MARKS = re.compile(
    r"\*+|_+|`+|~+|#+|\[|<|!|&|@+|https?:|//|www|(?<=www)\.|\u200d"
    rf"|[{_RIGHT_TO_LEFT}][{_RIGHT_TO_LEFT}\s]*|{_SLOW_LETTERS}"
)
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD}}}(?=\S)")
_SOFT_BREAK = "\u200b"

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_OWN_BLOCK = re.compile(r"[ ]{0,3}(?:#{1,6}(?:[ \t]|$)|(?:[-*_][ \t]*){3,}$)")
_QUOTE_MARKS = re.compile(r"(?:[ ]{0,3}>[ \t]?)+")


@dataclass(frozen=True, slots=True)
class PreviewSource:
    """Markdown that is safe to lay out, and how many characters of the text are not in it.

    Attributes:
        markdown: It.
        n_left_out: As said.
        cost: What it takes of the budget.
    """

    markdown: str
    n_left_out: int
    cost: int = 0


def preview_source(text: str, budget: int = BUDGET) -> PreviewSource:
    """The head of a text as far as it can be rendered at once.

    Endless words may wrap anywhere, and characters that do not show are spelled out.

    Args:
        text: It.
        budget: What rendering it may cost; less where several are shown together.
    """
    head = _WIDE_RULE.sub(r"\\\g<0>", text[:MOST_CHARACTERS])
    n_added = len(head) - len(text[:MOST_CHARACTERS])
    hidden = [one.position for one in hidden_characters(head)]
    kept, left = _affordable(head, hidden, budget)
    shown = spelled_out_at(kept, hidden[: bisect_left(hidden, len(kept))])
    markdown = _LONG_WORD.sub(rf"\g<0>{_SOFT_BREAK}", shown)
    return PreviewSource(markdown, max(0, len(text) + n_added - len(kept)), budget - left)


def block_starts(text: str) -> tuple[int, ...]:
    """Numbers of the lines, from 0, with which a new block of the rendered text begins."""
    starts: list[int] = []
    fence = ""
    fresh = True
    for number, line in enumerate(text.splitlines()):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not line[mark.end() :].strip():
                fence, fresh = "", True
            else:
                starts.append(number)
            continue
        if mark:
            fence = mark.group(1)
            continue
        words = _QUOTE_MARKS.sub("", line, count=1)
        own = _OWN_BLOCK.match(words) is not None
        if words.strip() and (fresh or own or _LIST_ITEM.match(words)):
            starts.append(number)
        fresh = own or not words.strip()
    return tuple(starts)


def block_of_line(starts: tuple[int, ...], line: int, n_blocks: int) -> int:
    """Which rendered block shows a line of the source, from 0.

    Where the renderer made more or fewer blocks than the source lets expect, the place is the
    same share of the way down.
    """
    if not starts or n_blocks <= 0:
        return 0
    number = max(0, bisect_right(starts, line) - 1)
    if len(starts) != n_blocks:
        number = number * n_blocks // len(starts)
    return min(number, n_blocks - 1)


def _affordable(text: str, hidden: list[int], budget: int) -> tuple[str, int]:
    """What of a text can be rendered, and what is left of the budget then."""
    left = budget
    kept = 0
    widest = 0
    for line in text.splitlines(keepends=True):
        n_cells = min(line.count("|"), WIDEST_TABLE)
        widest = max(widest, n_cells) if n_cells else 0
        # A short row of a wide table is filled up with empty cells.
        left -= _LINE + _CELL * widest + _ITEM * _n_items(line)
        for start in range(0, len(line), _PIECE):
            piece = line[start : start + _PIECE]
            n_hidden = bisect_left(hidden, kept + len(piece)) - bisect_left(hidden, kept)
            left -= _MARK * len(_MARKS.findall(piece)) + _HIDDEN * n_hidden
            if left < 0:
                return text[:kept], 0
            kept += len(piece)
    return text, left


def _n_items(line: str) -> int:
    """How many list items begin on a line; each may hold the next."""
    head = _ITEM_MARKS.match(line)
    return len(_LIST_ITEM.findall(head.group())) if head else 0


_SIDE, _TOP = 18, 16
_DOCUMENT_MARGIN = 10


class MarkdownPreview(QTextBrowser):
    """Rendered Markdown in the reading face.

    Images show as their description, HTML as the source that it is, hidden characters by their
    code. A link under mouse or keyboard says where it points; nothing follows it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._shown: ReadingDocument | None = None
        self._starts: tuple[int, ...] = ()
        self.setProperty("preview", "true")
        self.setProperty("ring", "inside")
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(_SIDE, _TOP - _DOCUMENT_MARGIN, _SIDE, 0)
        self.highlighted.connect(self._on_highlighted)
        theme.changed.connect(self._on_theme_changed)
        self.show_markdown("")

    def show_markdown(self, text: str) -> None:
        """Render a text; where one is shown already, the place in it is kept.

        Of a text beyond 40,000 characters, or with more items and cells than can be laid out at
        once, the head is shown, and how much is left out.
        """
        self._text = text
        self.lay_out()

    def lay_out(self) -> None:
        """Make the document of what is shown, as after another look was chosen."""
        source = preview_source(self._text)
        document = ReadingDocument(self._theme, source.markdown, margin=_DOCUMENT_MARGIN)
        self._starts = block_starts(source.markdown)
        if source.n_left_out:
            self._add_notice(document, source.n_left_out)
        self.put_document(document, source.markdown)

    def put_document(self, document: ReadingDocument, markdown: str) -> None:
        """Show a document; the place in the one before is kept."""
        place = self.verticalScrollBar().value()
        document.setParent(self)
        former, self._shown = self._shown, document
        self.setWordWrapMode(wrap_mode(markdown))
        self.setDocument(document)
        if former is not None:
            former.deleteLater()
        self.verticalScrollBar().setValue(place)

    def show_block(self, number: int) -> None:
        """Bring what a line of the source became to the upper edge; lines count from 0."""
        document = self.document()
        target = block_of_line(self._starts, number, document.blockCount())
        block = document.findBlockByNumber(target)
        top = document.documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _DOCUMENT_MARGIN if number else 0)

    def loadResource(self, _kind: int, _name: QUrl | str) -> None:
        return

    def setSource(self, _name: QUrl | str, _kind: object = None) -> None:  # noqa: N802 - Qt calls it so
        """Stays where it is: a link is opened by whoever shows the preview."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws bars beside quotations and dots before items, then the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw_below(painter)
        if self._shown is not None:
            scrolled = self.verticalScrollBar().value()
            self._shown.paint_marks(painter, self._visible_blocks(), scrolled)
        painter.end()
        super().paintEvent(event)

    def draw_below(self, painter: QPainter) -> None:
        """Draw what stands below the text; here nothing."""

    # -- inside ---------------------------------------------------------------------------

    def _add_notice(self, document: ReadingDocument, n_left_out: int) -> None:
        cursor = QTextCursor(document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        face = QTextCharFormat()
        face.setForeground(self._theme.color("inkFaint"))
        cursor.insertBlock(document.rows("editor", PARAGRAPH_GAP, 0), face)
        notice = counted(
            n_left_out,
            "The preview ends here. 1 more character is in the text.",
            "The preview ends here. {n} more characters are in the text.",
        )
        cursor.insertText(notice, face)

    def _visible_blocks(self) -> Iterator[QTextBlock]:
        block = block_at(self.document(), self.verticalScrollBar().value())
        bottom = self.verticalScrollBar().value() + self.viewport().height()
        layout = self.document().documentLayout()
        while block.isValid() and layout.blockBoundingRect(block).top() <= bottom:
            yield block
            block = block.next()

    @Slot(QUrl)
    def _on_highlighted(self, target: QUrl) -> None:
        # Encoded, so that an address cannot show itself turned around or as another host.
        shown = bytes(target.toEncoded().data()).decode("ascii")
        self.setToolTip(plain_tool_tip(shown))
        self.setStatusTip(shown)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.lay_out()

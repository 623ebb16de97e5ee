"""How text is laid out and painted, and how text of memories stays plain where Qt takes markup."""

from __future__ import annotations

import re
import unicodedata
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, QStringListModel, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextBlock,
    QTextDocument,
    QTextOption,
)

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.mirror import draw_text

if TYPE_CHECKING:
    from collections.abc import Iterator


_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_STRONG = _RIGHT_TO_LEFT | {"L"}


def reads_right_to_left(text: str) -> bool:
    """Whether a text begins, weak characters aside, in a script written from the right."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in _STRONG:
            return direction in _RIGHT_TO_LEFT
    return False


_JOINERS = "\u200d\ufe0e\ufe0f"


def shortened(text: str, most: int) -> str:
    """A name of at most so many characters, a longer one with an ellipsis for its rest.

    What belongs to the character before it, as an accent or half an emoji, does not begin the rest.
    """
    if len(text) <= most:
        return text
    cut = most - 1
    while cut > 1 and (_belongs_before(text[cut]) or text[cut - 1] == _JOINERS[0]):
        cut -= 1
    return f"{text[:cut].rstrip()}\u2026"


def _belongs_before(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character).startswith("M")


def plain_tool_tip(text: str) -> str:
    """The text as a tool tip that shows it letter by letter, whatever it holds.

    Characters that do not show are spelled out.

    Qt takes a tool tip that looks like markup for rich text and would load what it names.
    """
    if not text:
        return ""
    lines = escape(spelled_out(text)).replace("\n", "<br>")
    return f"<div style='white-space: pre-wrap'>{lines}</div>"


def editor_text(content: str) -> str:
    """A text as an editor hands it back: every kind of line break is one newline."""
    for line_break in ("\r\n", "\r", "\u2028", "\u2029"):
        content = content.replace(line_break, "\n")
    return content


def plain_copy(text: str) -> QMimeData:
    """A text as what it is, to be handed to the clipboard.

    The clipboard outlives the interpreter, and an object made by Python ends the program with a
    crash when it goes then. So Qt makes this one, on the pretext of copying an item.
    """
    model = QStringListModel([""])
    copied = model.mimeData([model.index(0, 0)])
    copied.clear()
    copied.setText(text)
    return copied


_ENDLESS_CHARACTERS = 1000
_ENDLESS = (
    "(?:[^\\s\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]|[\u00a0\u2007\u202f])"
    f"{{{_ENDLESS_CHARACTERS}}}"
)
"""No word; where no blanks stand between words every sign may begin a line anyway. A blank that
does not break is none. Compiled where a text is long enough for one: that takes as long as ten
imports."""


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """The mode in which this text is laid out in no time."""
    if len(text) >= _ENDLESS_CHARACTERS and re.search(_ENDLESS, text):
        return QTextOption.WrapMode.WrapAnywhere
    return QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere


BLINK_US = 64_000
"""Microseconds that a window may take for a text; so that a slower machine stays near 0.1 s."""

_LINE_ENDS = "\r\n\u2029\ufdd0\ufdd1"
_LONG_LINE = re.compile(f"(?<![^{_LINE_ENDS}])[^{_LINE_ENDS}]{{2000,}}")
_PIECE = 500
_LATER = 0.3
"""What counts of lines that are not seen yet: Qt lays them out in steps, while nothing is up."""

_LINE_US, _CHARACTER_US = 2.0, 0.5
_MORE_US = (
    (bytes(range(0x20)), 1.0),
    (bytes(range(0xC2, 0xE0)), 0.5),
    (bytes(range(0xE0, 0xF0)), 2.0),
    (bytes(range(0xF0, 0xF5)), 4.0),
)
"""What a character takes beyond that, measured, by the byte of UTF-8 that begins it."""

_CHANGE_OF_SCRIPT = re.compile(
    "[\x00-\x1f!-\x7f] ?(?=[^\x00-\x7f])"
    "|[\u0370-\u03ff](?=[\u0400-\u07ff])|[\u0400-\u052f](?=[\u0530-\u07ff])"
)
_CHANGE_US = 6.0
"""Most takes it where one script stands beside another."""


def head_length(text: str) -> int:
    """How many characters of a text, from its beginning, a field shows in a blink.

    Its length if that is all of them.
    """
    length = _affordable_in_long_lines(text)
    left = float(BLINK_US)
    for at in range(0, length, _PIECE):
        piece = text[at : min(at + _PIECE, length)]
        left -= _LINE_US * sum(map(piece.count, _LINE_ENDS)) + _LATER * layout_us(piece)
        if left < 0:
            return at
    return length


def layout_us(line: str) -> float:
    """About how many microseconds it takes to lay out a line."""
    cost = _CHARACTER_US * len(line)
    if not (line.isascii() and line.isprintable()):
        data = line.encode(errors="surrogatepass")
        cost += sum(us * (len(data) - len(data.translate(None, lead))) for lead, us in _MORE_US)
        cost += _CHANGE_US * len(_CHANGE_OF_SCRIPT.findall(line))
    return cost


def _affordable_in_long_lines(text: str) -> int:
    left = float(BLINK_US)
    for line in _LONG_LINE.finditer(text):
        start, stop = line.span()
        for at in range(start, stop, _PIECE):
            left -= layout_us(text[at : min(at + _PIECE, stop)])
            if left < 0:
                return at
    return len(text)


@contextmanager
def laid_out_when_seen(document: QTextDocument) -> Iterator[None]:
    """Put a whole text into a document without its being laid out meanwhile."""
    document.setLayoutEnabled(False)
    yield
    document.setLayoutEnabled(True)


def go_on_laying_out(document: QTextDocument) -> None:
    """Begin anew with what is not on show yet, if a change just stopped that."""
    if not document.lastBlock().layout().lineCount():
        document.setDefaultTextOption(document.defaultTextOption())


def block_at(document: QTextDocument, y: float) -> QTextBlock:
    """The line at a height of the document; the last one beyond the end.

    Lays out no more than twice of what is above it.
    """
    most = document.blockCount() - 1
    first, stop = 0, min(1, most)
    while stop < most and _bottom(document, stop) <= y:
        first, stop = stop + 1, min(2 * stop, most)
    while first < stop:
        middle = (first + stop) // 2
        if _bottom(document, middle) <= y:
            first = middle + 1
        else:
            stop = middle
    return document.findBlockByNumber(first)


def _bottom(document: QTextDocument, number: int) -> float:
    block = document.findBlockByNumber(number)
    return document.documentLayout().blockBoundingRect(block).bottom()


def write(
    painter: QPainter,
    x: float,
    middle: float,
    text: str,
    font: QFont,
    colour: QColor,
    *,
    room: float | None = None,
) -> float:
    """Write a text whose letters are centred on a height; the answer is where it ends.

    Args:
        room: It is cut, with an ellipsis, where it is wider than this; None: it is never cut.
    """
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text)
    if room is not None and width > room:  # to ask what fits takes long
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0.0))
        width = metrics.horizontalAdvance(text)
    painter.setFont(font)
    painter.setPen(colour)
    baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
    draw_text(painter, QPointF(x, baseline), text)
    return x + width

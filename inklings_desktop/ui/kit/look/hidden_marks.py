"""Marks where characters stand that do not show: in editors, and in any text that is laid out."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QPainter, QTextBlock, QTextCursor, QTextLayout

from inklings_desktop.domain.words.hidden_text import HiddenCharacter, hidden_characters
from inklings_desktop.ui.kit.look.theme import Theme

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_ENCODING_MARKS = ("\ufeff", "\ufffe")
_SHIELD = "\u00b7"


class TextPositions:
    """Translates positions of one text; costs next to nothing where none counts double."""

    def __init__(self, text: str) -> None:
        self._wide = [match.start() for match in _WIDE.finditer(text)]
        self._wide_qt = [start + number for number, start in enumerate(self._wide)]

    def to_qt(self, position: int) -> int:
        """Qt's count for a position in characters."""
        return position + bisect_left(self._wide, position)

    def from_qt(self, position: int) -> int:
        """The position in characters for Qt's count."""
        return position - bisect_left(self._wide_qt, position)


def insert_exactly(cursor: QTextCursor, text: str) -> None:
    """Put a text in the place of the selection; not a character of it is lost.

    Line feeds become blocks that look like the block of the cursor.
    """
    if not text.startswith(_ENCODING_MARKS):
        cursor.insertText(text)
        return
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    start = cursor.position()
    cursor.insertText(_SHIELD + text)
    end = cursor.position()
    cursor.setPosition(start)
    cursor.deleteChar()
    cursor.setPosition(end - 1)
    cursor.endEditBlock()


_LONGEST_CHECKED = 20_000  # a longer line is read with every repaint
_WIDTH, _HEAD = 2, 5
_NEAR = 6

PlacedBlock = tuple[QTextBlock, float]
"""A line on show and the distance of its upper edge from the viewport's."""

Span = tuple[float, float]
"""Two heights, the upper first."""

_EVERYWHERE: Span = (0, float("inf"))


class HiddenMarks:
    """Paints and names hidden characters of the lines on show."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, blocks: Iterable[PlacedBlock]) -> None:
        """Draws an upright with a head at every hidden character, over the text."""
        height = painter.window().height()
        for block, top in blocks:
            places = (place for _, place in _places(block, (-top, height - top)))
            paint_places(painter, self._theme, places, QPointF(0, top))

    def names_at(self, point: QPoint, blocks: Iterable[PlacedBlock]) -> tuple[str, ...]:
        """What the hidden characters at a point of the viewport are called, each name once."""
        for block, top in blocks:
            names = [
                one.name
                for one, place in _places(block, (point.y() - top, point.y() - top))
                if abs(place.left() - point.x()) <= _NEAR
                and top + place.top() <= point.y() <= top + place.bottom()
            ]
            if names:
                return tuple(dict.fromkeys(names))
        return ()


def paint_hidden(
    painter: QPainter, theme: Theme, layout: QTextLayout, at: QPointF, seen: Span = _EVERYWHERE
) -> None:
    """Draws the mark at every hidden character of a text that was drawn just now.

    Args:
        layout: Laid out, with the text as it is stored.
        at: Where the layout was drawn.
        seen: Between which heights of the layout marks are wanted.
    """
    paint_places(painter, theme, (place for _, place in hidden_places(layout, seen=seen)), at)


def paint_places(painter: QPainter, theme: Theme, places: Iterable[QRectF], at: QPointF) -> None:
    """Draws the mark at places of a layout that were looked up before.

    Args:
        places: From the layout's own top left.
        at: Where the layout was drawn.
    """
    for place, _ in groupby(places):  # a run of thousands stands in one place
        _paint_mark(painter, theme, place.translated(at))


def hidden_places(
    layout: QTextLayout, text: str | None = None, seen: Span = _EVERYWHERE
) -> Iterator[tuple[HiddenCharacter, QRectF]]:
    """Hidden characters of a layout that stand on one of its lines, and where.

    Args:
        layout: Laid out.
        text: What it lays out, if it is a line of a document: such a layout does not know.
        seen: Between which heights of the layout; to ask for all of thousands takes long.
    """
    text = layout.text() if text is None else text
    if len(text) > _LONGEST_CHECKED:
        return
    found = hidden_characters(text)
    if not found:
        return
    positions = TextPositions(text)
    start, stop = map(positions.from_qt, _letters_between(layout, seen))
    place, last = QRectF(), -2
    for one in found:
        if not start <= one.position <= stop:
            continue
        if one.position > last + 1:  # those of a run stand in one place, which takes long to find
            at = positions.to_qt(one.position)
            line = layout.lineForTextPosition(at)
            place = QRectF()
            if line.isValid():
                place = QRectF(_x_of(line.cursorToX(at)), line.y(), 0, line.height())
        last = one.position
        if place.height():
            yield one, place


def _letters_between(layout: QTextLayout, seen: Span) -> tuple[int, int]:
    """Start and end, as Qt counts, of the lines that show between two heights."""
    lines = range(layout.lineCount())
    first = bisect_right(lines, seen[0], key=lambda number: layout.lineAt(number).y())
    stop = bisect_right(lines, seen[1], key=lambda number: layout.lineAt(number).y())
    if not stop:
        return 0, -1
    last = layout.lineAt(stop - 1)
    return layout.lineAt(max(0, first - 1)).textStart(), last.textStart() + last.textLength()


def _paint_mark(painter: QPainter, theme: Theme, place: QRectF) -> None:
    colour = theme.color("ochre")
    x, y = place.left(), place.top()
    painter.fillRect(QRectF(x - _WIDTH / 2, y, _WIDTH, place.height()), colour)
    painter.fillRect(QRectF(x - _HEAD / 2, y, _HEAD, _HEAD), colour)


def _places(block: QTextBlock, seen: Span) -> Iterator[tuple[HiddenCharacter, QRectF]]:
    if block.length() > _LONGEST_CHECKED:
        return
    shift = QPointF(block.layout().position().x(), 0)
    for one, place in hidden_places(block.layout(), block.text(), seen):
        yield one, place.translated(shift)


def _x_of(answer: object) -> float:
    """The place in what the binding answers: a pair of place and position."""
    assert isinstance(answer, tuple)
    return float(answer[0])

"""Marks in an editor where characters stand that do not show."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QPainter, QTextBlock

from inklings_desktop.domain.hidden_text import HiddenCharacter, hidden_characters
from inklings_desktop.ui.theme import Theme
from inklings_desktop.ui.widgets.text_positions import TextPositions

_LONGEST_CHECKED = 20_000  # a longer line is read with every repaint
_WIDTH, _HEAD = 2, 5
_NEAR = 6

PlacedBlock = tuple[QTextBlock, float]
"""A line on show and the distance of its upper edge from the viewport's."""


class HiddenMarks:
    """Paints and names hidden characters of the lines on show."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, blocks: Iterable[PlacedBlock]) -> None:
        """Draws an upright with a head at every hidden character, over the text."""
        colour = self._theme.color("ochre")
        for block, top in blocks:
            for _, place in _places(block):
                x, y = place.left(), top + place.top()
                painter.fillRect(QRectF(x - _WIDTH / 2, y, _WIDTH, place.height()), colour)
                painter.fillRect(QRectF(x - _HEAD / 2, y, _HEAD, _HEAD), colour)

    def names_at(self, point: QPoint, blocks: Iterable[PlacedBlock]) -> tuple[str, ...]:
        """What the hidden characters at a point of the viewport are called, each name once."""
        for block, top in blocks:
            names = [
                one.name
                for one, place in _places(block)
                if abs(place.left() - point.x()) <= _NEAR
                and top + place.top() <= point.y() <= top + place.bottom()
            ]
            if names:
                return tuple(dict.fromkeys(names))
        return ()


def _places(block: QTextBlock) -> Iterator[tuple[HiddenCharacter, QRectF]]:
    if block.length() > _LONGEST_CHECKED:
        return
    text = block.text()
    found = hidden_characters(text)
    if not found:
        return
    positions = TextPositions(text)
    for one in found:
        at = positions.to_qt(one.position)
        line = block.layout().lineForTextPosition(at)
        x = block.layout().position().x() + _x_of(line.cursorToX(at))
        yield one, QRectF(x, line.y(), 0, line.height())


def _x_of(answer: object) -> float:
    """The place in what the binding answers: a pair of place and position."""
    assert isinstance(answer, tuple)
    return float(answer[0])

"""Two texts compared: what each of them is called, and where the rows of their difference stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextOption

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import DiffRow, RowKind
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.text_layout import wrap_mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.words.text_diff import TextDiff


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts side by side, line by line.

    Attributes:
        older: Name of the text at the left of the arrow.
        newer: Name of the text at its right.
        diff: How one becomes the other.
    """

    older: str
    newer: str
    diff: TextDiff


_MOST_ON_A_ROW = 500
_PLAIN = range(0x20, 0x7F)
_SURELY = 0.8  # how much of a row letters may fill by their widths alone, shaped or not
_BREAKS = re.compile("[\x00-\x1f\x85\u2028\u2029]")


class DiffLayout:
    """Heights of all rows, and the layout of one at a time.

    A row that fits by the widths of its letters is one line high without being laid out,
    which is most of what makes long differences open fast.
    """

    def __init__(self, rows: Sequence[DiffRow], texts: Sequence[str], font: QFont) -> None:
        self._rows = rows
        self._texts = texts
        self._font = font
        self._metrics = QFontMetricsF(_bold(font))
        self._plain = {chr(code): self._metrics.horizontalAdvance(chr(code)) for code in _PLAIN}
        self._widths = dict(self._plain)
        self._width = 0.0
        self._line = 1
        self._tops: list[int] = [0]

    @property
    def height(self) -> int:
        """Height of all rows together."""
        return self._tops[-1]

    def fit(self, width: float, line: int) -> None:
        """Wrap every row to a width; ``line`` is the distance between two baselines."""
        self._width, self._line = width, line
        most = int(width / max(self._plain.values()))  # so many of any plain letter fit
        heights = [
            line
            if len(text) <= most and text.isascii() and text.isprintable()
            else line * self._n_lines(number)
            for number, text in enumerate(self._texts)
        ]
        self._tops = [0, *accumulate(heights)]

    def top(self, number: int) -> int:
        """Distance of a row's upper edge from the first one's."""
        return self._tops[number]

    def row_at(self, y: int) -> int:
        """Number of the row at a distance from the top; the nearest one beyond either end."""
        return max(0, min(len(self._rows) - 1, bisect_right(self._tops, y) - 1))

    def laid_out(self, number: int, marked: QTextCharFormat) -> QTextLayout:
        """The lines of a row, its changed words in ``marked``; ready to be drawn."""
        row, text = self._rows[number], self._texts[number]
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(wrap_mode(text))
        layout.setTextOption(option)
        layout.setFormats(_ranges(row, text, marked))
        layout.beginLayout()
        y = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._width)
            line.setPosition(QPointF(0, y + (self._line - line.height()) / 2))
            y += self._line
        layout.endLayout()
        return layout

    def _n_lines(self, number: int) -> int:
        text = self._texts[number]
        if len(text) <= _MOST_ON_A_ROW and not _BREAKS.search(text):
            for letter in set(text).difference(self._widths):
                self._widths[letter] = self._metrics.horizontalAdvance(letter)
            room = self._width if text.isascii() else _SURELY * self._width
            if sum(map(self._widths.__getitem__, text)) <= room:
                return 1
        row = self._rows[number]
        strong = QTextCharFormat()
        if row.kind is not RowKind.SAME:
            strong.setFontWeight(QFont.Weight.DemiBold)
        return max(1, self.laid_out(number, strong).lineCount())


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold


def _ranges(row: DiffRow, text: str, marked: QTextCharFormat) -> list[QTextLayout.FormatRange]:
    positions = TextPositions(text)
    ranges = []
    for start, length in row.changed:
        one = QTextLayout.FormatRange()
        # The stubs take these for read-only.
        one.start = positions.to_qt(start)
        one.length = positions.to_qt(start + length) - one.start
        one.format = marked
        ranges.append(one)
    return ranges

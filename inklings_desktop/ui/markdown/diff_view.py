"""Two versions of a text as one, what went struck, what came underlined; and their comparison."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import DiffRow, RowKind, TextDiff
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions, paint_hidden
from inklings_desktop.ui.kit.look.text_layout import layout_us, wrap_mode
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


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


_TEXT_PX = 15
_MOST_COMPACT = 300
_CURRENT_BAR = 3
_MOST_SAID = 400
_MOST_AT_ONCE, _MOST_DEAR = 20_000, 5_000
"""Characters of a row that are shown, and how many more each time they are asked for; fewer where
there are more than a few that take long to draw: unseen, joined, or breaking lines."""
_MOST_US = 110_000
"""About what the rows that are shown may take to lay out; the others are shown when asked for."""
_SHORT, _SHORT_US = 60, 1
_DEAR = re.compile("[\u200b-\u206f\U00010000-\U0010ffff]|[\u0590-\u08ff](?=\\s?[a-zA-Z])")

_SIGNS = {RowKind.SAME: "", RowKind.REMOVED: "\u2212", RowKind.ADDED: "+"}
_GROUNDS = {RowKind.REMOVED: "diffDel", RowKind.ADDED: "diffAdd"}
_INKS = {RowKind.SAME: "ink", RowKind.REMOVED: "diffDelInk", RowKind.ADDED: "diffAddInk"}
_ENDS = {"\r\n": "CR LF", "\r": "CR", "\n": "LF"}


class _Columns(NamedTuple):
    """Where what stands, in pixels from the left edge, and the air around it."""

    old_right: int
    new_right: int
    sign_middle: int
    text_left: int
    right: int
    top: int


_WIDE = _Columns(old_right=31, new_right=72, sign_middle=91, text_left=102, right=26, top=10)
_COMPACT = _Columns(old_right=0, new_right=0, sign_middle=9, text_left=20, right=6, top=4)


class DiffView(QAbstractScrollArea):
    """A difference to read and scroll; it cannot be edited.

    Signs in the margin, strokes and lines say what the colours say, and a mark stands at every
    character that does not show. Arrow, page, Home and End keys scroll; going to the next or
    previous change also reads it aloud. Of a very long line, and of very many lines, the head is
    shown; a click on where it ends, or Enter for all lines on show, shows more.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        compact: bool = False,
        face: str = "editor",
    ) -> None:
        """An empty view.

        Args:
            compact: Whether it stands in a narrow column: no line numbers, and as high as its
                lines up to about a dozen.
            face: Type style of its lines.
        """
        super().__init__(parent)
        self._theme = theme
        self._face = face
        self._columns = _COMPACT if compact else _WIDE
        self._is_compact = compact
        self._rows: tuple[DiffRow, ...] = ()
        self._changes: tuple[tuple[int, int], ...] = ()
        self._current = -1
        self._shown: tuple[DiffRow, ...] = ()
        self._n_shown = 0
        self._room: dict[int, int] = {}
        self._most: int | None = None
        self._layout = DiffLayout((), (), self._text_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("ring", "inside")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Changes"))
        theme.changed.connect(self._lay_out_anew)

    # -- what is shown ----------------------------------------------------------------------

    def show_diff(self, diff: TextDiff) -> None:
        """Show another difference from its beginning."""
        self._rows = diff.rows
        self._changes = diff.changes()
        self._current = -1
        self._room = {}
        self._n_shown = _affordable(self._rows, 0)
        self.setAccessibleDescription(
            ", ".join(
                (
                    counted(diff.n_added, "1 line added", "{n} lines added"),
                    counted(diff.n_removed, "1 line removed", "{n} lines removed"),
                    counted(len(self._changes), "1 change", "{n} changes"),
                )
            )
        )
        self._lay_out_anew()
        self.verticalScrollBar().setValue(0)

    def set_most_height(self, height: int) -> None:
        """Let a compact view grow no higher than this, in pixels as it is drawn."""
        self._most = height
        self._fit()

    def n_changes(self) -> int:
        """How many places differ; lines that changed together are one."""
        return len(self._changes)

    def current_change(self) -> int:
        """Number of the change that was gone to last, from 0; -1 before the first."""
        return self._current

    @Slot()
    def go_to_next_change(self) -> None:
        """Bring the change after the current one into view; after the last comes the first."""
        self._go_to(self._current + 1)

    @Slot()
    def go_to_previous_change(self) -> None:
        """Bring the change before the current one into view; before the first comes the last."""
        self._go_to(self._current - 1 if self._current >= 0 else -1)

    def change_text(self, number: int) -> str:
        """One change as it is read aloud: each line with its number and what became of it."""
        first, stop = self._changes[number]
        spoken = ". ".join(self._spoken(row) for row in self._rows[first:stop])
        return spoken if len(spoken) <= _MOST_SAID else spoken[:_MOST_SAID] + "\u2026"

    # -- Qt's questions ---------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the rows that the exposed part shows, no others."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(event.rect(), self._theme.color("surface"))
        for number, top in self._rows_between(event.rect().top(), event.rect().bottom()):
            self._paint_row(painter, number, top)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wraps the lines anew and keeps the uppermost one where it is."""
        super().resizeEvent(event)
        top = self.verticalScrollBar().value() - self._columns.top
        first = self._layout.row_at(top) if self._shown else 0
        at_start = top <= 0
        self._fit()
        if self._shown and not at_start:
            self.verticalScrollBar().setValue(self._layout.top(first) + self._columns.top)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scrolls to either end; the other keys are the scroll area's own."""
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif event.key() == Qt.Key.Key_Space:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            bar.setValue(bar.value() + (-bar.pageStep() if back else bar.pageStep()))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._show_more(
            number for number, _ in self._rows_between(0, self.viewport().height())
        ):
            event.accept()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        y = round(event.position().y())
        if event.button() is not Qt.MouseButton.LeftButton or not self._show_more(
            number for number, _ in self._rows_between(y, y)
        ):
            super().mouseReleaseEvent(event)

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        """Moves what is drawn already and draws the rest."""
        self.viewport().scroll(0, dy)

    # -- inside -----------------------------------------------------------------------------

    def _text_font(self) -> QFont:
        return self._theme.font(self._face, px=_TEXT_PX)

    def _line(self) -> int:
        return self._theme.line("editor")

    @Slot()
    def _lay_out_anew(self) -> None:
        self._shown = self._rows[: self._n_shown]
        if n_more := len(self._rows) - self._n_shown:
            told = counted(
                n_more,
                "\u2026 1 more line: click, or press Enter",
                "\u2026 {n} more lines: click, or press Enter",
            )
            self._shown += (DiffRow(RowKind.SAME, None, None, told, ""),)
        texts = [
            self._text_of(number) if row.end_changed or len(row.text) > _MOST_DEAR else row.text
            for number, row in enumerate(self._shown)
        ]
        self._layout = DiffLayout(self._shown, texts, self._text_font())
        self._fit()
        self.viewport().update()

    def _text_of(self, number: int) -> str:
        """The words of a row as far as they are shown; its line end where that changed."""
        row = self._shown[number]
        room = self._room.get(number, _step(row))
        text = row.text[:room]
        if n_more := len(row.text) - len(text):
            text += counted(
                n_more,
                "\u2026 1 more character: click, or press Enter",
                "\u2026 {n} more characters: click, or press Enter",
            )
        if not row.end_changed:
            return text
        end = _ENDS.get(row.end) or tr("no line end")
        return f"{text} \u27e8{end}\u27e9"

    def _show_more(self, numbers: Iterable[int]) -> bool:
        """Show more of those rows that are cut, and more rows; whether there are any."""
        before = self._n_shown
        cut = {}
        for number in numbers:
            row = self._shown[number]
            room = self._room.get(number, _step(row))
            if number == before:
                self._n_shown += _affordable(self._rows, before)
            elif len(row.text) > room:
                cut[number] = room + _step(row)
        self._room |= cut
        is_more = bool(cut) or self._n_shown > before
        if is_more:
            self._lay_out_anew()
        return is_more

    def _fit(self) -> None:
        scaled, columns = self._theme.scaled, self._columns
        width = self.viewport().width() - scaled(columns.text_left) - columns.right
        self._layout.fit(max(width, 4 * self._line()), self._line())
        bar = self.verticalScrollBar()
        height = self._layout.height + 2 * columns.top
        if self._is_compact:
            most = scaled(_MOST_COMPACT)
            self.setFixedHeight(min(height, most if self._most is None else min(most, self._most)))
        bar.setRange(0, max(0, height - self.viewport().height()))
        bar.setPageStep(max(self._line(), self.viewport().height() - self._line()))
        bar.setSingleStep(self._line())

    def _rows_between(self, top: int, bottom: int) -> Iterator[tuple[int, int]]:
        """Rows that show between two heights of the viewport, with their upper edges."""
        if not self._shown:
            return
        scrolled = self.verticalScrollBar().value() - self._columns.top
        for number in range(self._layout.row_at(top + scrolled), len(self._shown)):
            edge = self._layout.top(number) - scrolled
            if edge > bottom:
                return
            yield number, edge

    def _paint_row(self, painter: QPainter, number: int, top: int) -> None:
        theme = self._theme
        row = self._shown[number]
        width = self.viewport().width()
        height = self._layout.top(number + 1) - self._layout.top(number)
        if row.kind in _GROUNDS:
            painter.fillRect(0, top, width, height, theme.color(_GROUNDS[row.kind]))
        if self._current >= 0:
            first, stop = self._changes[self._current]
            if first <= number < stop:
                painter.fillRect(0, top, _CURRENT_BAR, height, theme.color("accent"))
        ink = theme.color(_INKS[row.kind])
        painter.setPen(ink if row.kind is not RowKind.SAME else theme.color("inkFaint"))
        painter.setFont(theme.font("meta", px=12, tabular=True))
        line = self._line()
        columns = self._columns
        for figure, right in (
            (row.old_number, columns.old_right),
            (row.new_number, columns.new_right),
        ):
            if not right:
                continue
            rect = QRectF(0, top, theme.scaled(right), line)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(rect, flags, "" if figure is None else str(figure))
        painter.setPen(ink)
        painter.setFont(theme.font("bodyStrong"))
        middle = theme.scaled(columns.sign_middle)
        sign_rect = QRectF(middle - line, top, 2 * line, line)
        painter.drawText(sign_rect, Qt.AlignmentFlag.AlignCenter, _SIGNS[row.kind])
        layout = self._layout.laid_out(number, self._marked(row.kind))
        place = QPointF(theme.scaled(columns.text_left), top)
        layout.draw(painter, place)
        paint_hidden(painter, theme, layout, place, (-top, self.viewport().height() - top))

    def _marked(self, kind: RowKind) -> QTextCharFormat:
        marked = QTextCharFormat()
        if kind is not RowKind.SAME:
            marked.setFontWeight(QFont.Weight.DemiBold)
            marked.setFontStrikeOut(kind is RowKind.REMOVED)
            marked.setFontUnderline(kind is RowKind.ADDED)
        return marked

    def _go_to(self, number: int) -> None:
        if not self._changes:
            return
        self._current = number % len(self._changes)
        first, stop = self._changes[self._current]
        if stop > self._n_shown:
            self._n_shown = stop
            self._lay_out_anew()
        top, bottom = self._layout.top(first), self._layout.top(stop)
        room = self.viewport().height()
        # In the upper third, so that what follows can be read on.
        air = max(self._line(), min(room // 3, room - (bottom - top)))
        self.verticalScrollBar().setValue(top + self._columns.top - air)
        self.viewport().update()
        announce(self, self.change_text(self._current))

    def _spoken(self, row: DiffRow) -> str:
        if row.kind is RowKind.REMOVED:
            return tr("Line {0} removed: {1}").format(row.old_number, row.text)
        return tr("Line {0} added: {1}").format(row.new_number, row.text)


def _affordable(rows: Sequence[DiffRow], start: int) -> int:
    """How many rows from this one on can be laid out at once; one at least, if there is one."""
    left = _MOST_US
    for number in range(start, len(rows)):
        text = rows[number].text
        is_short = len(text) < _SHORT and text.isascii()
        left -= _SHORT_US if is_short else round(layout_us(text[: _step(rows[number])]))
        if left < 0:
            return max(1, number - start)
    return len(rows) - start


def _step(row: DiffRow) -> int:
    """How many characters of a row are shown at a time."""
    if len(row.text) <= _MOST_DEAR:
        return _MOST_DEAR
    n_dear = len(_DEAR.findall(row.text, 0, _MOST_AT_ONCE))
    return _MOST_DEAR if n_dear > _MOST_DEAR // 10 else _MOST_AT_ONCE

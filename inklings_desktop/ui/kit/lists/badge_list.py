"""Lists of two lines with a badge, of which one row is current."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QRectF,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel, RowRole
from inklings_desktop.ui.kit.lists.row_table import WHOLE_ROW, RowDelegate, RowTable
from inklings_desktop.ui.kit.look.mirror import begin_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


@dataclass(frozen=True, slots=True)
class BadgeHeading:
    """A line above a group of rows, with how many there are."""

    id: str
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class BadgeRow:
    """One row; every text is final.

    Attributes:
        id: Names it within the list.
        text: First line.
        meta: Second line.
        badge: One or two words at the right; empty for none.
        role: Colour role of the badge; its ground is the soft one of the same name.
        meta_role: Colour role of the second line.
        is_remembered: Whether the first line is text of a memory, in the reading face.
        description: Read aloud after the first line.
    """

    id: str
    text: str
    meta: str
    badge: str = ""
    role: str = "graphite"
    meta_role: str = "inkSoft"
    is_remembered: bool = True
    description: str = ""


AnyBadgeRow = BadgeHeading | BadgeRow


class BadgeListModel(RowListModel[AnyBadgeRow]):
    """Headings and rows in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(attrgetter("id"), parent, text=_text, description=_description)

    def is_heading(self, row: AnyBadgeRow) -> bool:
        return isinstance(row, BadgeHeading)


def _text(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return f"{row.text}, {row.detail}" if row.detail else row.text
    return row.text


def _description(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return row.detail
    return row.description or ", ".join(part for part in (row.badge, row.meta) if part)


_RIGHT = 14
_FIRST, _SECOND = 19.0, 39.0
_BADGE_HEIGHT, _BADGE_PADDING, _BADGE_RADIUS = 19, 7, 4
_GAP = 10
_BAR = 3


class BadgeDelegate(RowDelegate):
    """Draws one row; the current one stands on the selected ground with a bar at its left."""

    row_px = 56
    heading_px = 30

    def __init__(self, theme: Theme, *, left: int, parent: QObject | None = None) -> None:
        """Build the delegate.

        Args:
            left: Where words begin, in pixels.
        """
        super().__init__(theme, parent)
        self._left = left

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws a row or a heading."""
        row = index.data(RowRole.ROW)
        begin_cell(painter, option.rect)
        if isinstance(row, BadgeHeading):
            self._paint_heading(painter, QRectF(option.rect), row)
        else:
            self._paint_row(painter, QRectF(option.rect), option.state, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRectF, row: BadgeHeading) -> None:
        theme = self._theme
        painter.fillRect(rect, theme.color("canvas"))
        self.paint_hairline(painter, rect)
        middle = rect.center().y()
        font = theme.font("label")
        x = rect.left() + self._left
        self.write(painter, x, middle, row.text, font, "inkSoft")
        x += QFontMetricsF(font).horizontalAdvance(row.text) + 8
        self.write(painter, x, middle, row.detail, theme.font("meta", px=12), "inkFaint")

    def _paint_row(
        self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, row: BadgeRow
    ) -> None:
        theme, scale = self._theme, self._theme.text_scale
        is_ringed = self._ring and bool(state & QStyle.StateFlag.State_HasFocus)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            if not is_ringed:  # the ring runs where the bar would be
                bar = QRectF(rect.left(), rect.top(), _BAR, rect.height())
                painter.fillRect(bar, self._accent())
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        left, right = rect.left() + self._left, rect.right() - _RIGHT
        first, second = rect.top() + _FIRST * scale, rect.top() + _SECOND * scale
        edge = right
        if row.badge:
            edge = self._paint_badge(painter, right, second, row) - _GAP
        style = "reading" if row.is_remembered else "body"
        font = theme.font(style, px=14)
        self.write_read(painter, QRectF(left, first, right - left, 0), row.text, font, "ink")
        meta = theme.font("meta", px=12)
        self.write_read(
            painter, QRectF(left, second, edge - left, 0), row.meta, meta, row.meta_role
        )
        self.paint_hairline(painter, rect)
        if is_ringed:
            self.paint_ring(painter, rect)

    def _paint_badge(self, painter: QPainter, right: float, middle: float, row: BadgeRow) -> float:
        theme = self._theme
        font = theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(row.badge) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(right - width, round(middle - height / 2), width, height)
        theme.draw_box(painter, box, f"{row.role}Soft", _BADGE_RADIUS)
        x = box.left() + _BADGE_PADDING
        self.write(painter, x, box.center().y(), row.badge, font, row.role)
        return box.left()

    def _accent(self) -> QColor:
        return self._theme.color("accent")


class BadgeList(RowTable):
    """Shows rows and says which one became current, and which letter was pressed on it.

    Signals:
        row_chosen: Id of the row that became current.
        letter_pressed: A single letter, in upper case, that was pressed on a row.
    """

    row_chosen = Signal(str)
    letter_pressed = Signal(str)

    def __init__(
        self, theme: Theme, name: str, *, left: int = 28, letters: str = "", parent: QWidget
    ) -> None:
        """Build the list.

        Args:
            name: Read aloud for it.
            left: Where words begin, in pixels.
            letters: Upper-case letters that act on the current row.
        """
        super().__init__(BadgeDelegate(theme, left=left), parent=parent)
        self._letters = letters
        self._list_model = BadgeListModel(self)
        self.setAccessibleName(name)
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(self._list_model)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self.refresh_heights)

    @property
    def rows(self) -> tuple[AnyBadgeRow, ...]:
        """What is on show, top to bottom."""
        return self._list_model.rows

    def show_rows(self, rows: Sequence[AnyBadgeRow], current: str) -> None:
        """Show other rows; the one with this id becomes current, without a word."""
        if tuple(rows) == self._list_model.rows and current == self.current_id():
            return
        with self.unmoved():
            self._list_model.replace_rows(rows)
            index = self._list_model.index_of(current)
            is_other = index != self.currentIndex()
            self.selectionModel().setCurrentIndex(index, WHOLE_ROW)
        if is_other and index.isValid():
            self.scrollTo(index)

    def show_said(self, said: tuple[Sequence[AnyBadgeRow], str]) -> None:
        """The same of both together, as a view says them."""
        self.show_rows(*said)

    def current_id(self) -> str:
        """Id of the current row; empty for none."""
        row = self._list_model.row_at(self.currentIndex())
        return "" if row is None or isinstance(row, BadgeHeading) else row.id

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hears its letters; everything else is the table's own."""
        letter = event.text().upper()
        if letter and letter in self._letters and not event.modifiers() and self.current_id():
            self.letter_pressed.emit(letter)
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self._list_model.row_at(current)
        if row is not None and not isinstance(row, BadgeHeading):
            self.row_chosen.emit(row.id)

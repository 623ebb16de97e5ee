"""A table of one column without headers, and what paints its rows, with headings between them."""

from __future__ import annotations

from bisect import bisect_left
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.look.layouts import own_viewport
from inklings_desktop.ui.kit.look.mirror import draw_text
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.kit.lists.memory_row_layout import Mark, RowMeasures
    from inklings_desktop.ui.kit.look.theme import Theme


# Qt would stop at headings: they are enabled, so that they are read aloud.
_STEPS: dict[int, int] = {
    Qt.Key.Key_Up.value: -1,
    Qt.Key.Key_K.value: -1,
    Qt.Key.Key_Down.value: 1,
    Qt.Key.Key_J.value: 1,
}
# Qt would go to the ends of the row.
_ENDS: dict[int, int] = {Qt.Key.Key_Home.value: 1, Qt.Key.Key_End.value: -1}
# Qt would stop at headings here, too.
_SCREENS: dict[int, int] = {Qt.Key.Key_PageUp.value: -1, Qt.Key.Key_PageDown.value: 1}
WHOLE_ROW = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)
_LETTERS = frozenset({Qt.Key.Key_J.value, Qt.Key.Key_K.value})
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier

KEYBOARD_REASONS = frozenset(
    {
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    }
)


@runtime_checkable
class KnowsHeadings(Protocol):
    """A model of many rows that need not be asked one by one which of them are headings."""

    def heading_places(self, first: int, last: int) -> Iterator[int]:
        """Places from first to last that hold headings, rising."""


class RowTable(QTableView):
    """Keeps every row at one height, which costs nothing per row, and headings at another.

    Only where its painter fits rows to their words each of them is measured, at every width.

    The ring around the current row follows the keyboard: it shows after a key, not after a click.
    """

    activated_by_key = Signal(QModelIndex)

    def __init__(self, painter: RowDelegate, *, parent: QWidget | None = None) -> None:
        """Show no rows yet; the painter goes with the table from now on."""
        super().__init__(parent)
        own_viewport(self)
        painter.setParent(self)
        self.setItemDelegate(painter)
        self._painter = painter
        self._sized: set[int] = set()
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(painter.row_height)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setProperty("ring", "none")

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802 - Qt calls it so
        """Show a model and keep its headings at their height."""
        super().setModel(model)
        if model is not None:
            model.modelReset.connect(self.refresh_heights)
            model.rowsInserted.connect(self._on_model_rows_inserted)
            self.refresh_heights()

    def refresh_heights(self) -> None:
        """Measure all rows anew, after a change of density or text size."""
        header = self.verticalHeader()
        header.setDefaultSectionSize(self._painter.row_height)
        model = self.model()
        if isinstance(model, KnowsHeadings):
            self._size_all(list(model.heading_places(0, model.rowCount() - 1)))
        elif model is not None:
            self._size_rows(0, model.rowCount() - 1)
        self.viewport().update()

    def places_on_show(self) -> range:
        """The places between the upper edge and the lower one."""
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        return range(first, (self.model().rowCount() if last < 0 else last + 1))

    @contextmanager
    def unmoved(self) -> Iterator[None]:
        """Other rows are shown within it: nothing is told of the current one, nothing scrolls."""
        scrolled = self.verticalScrollBar().value()
        with QSignalBlocker(self.selectionModel()):
            yield
        self.verticalScrollBar().setValue(scrolled)
        self.viewport().update()

    def step(self, step: int) -> None:
        """Make the next row in a direction current, past headings; from nowhere the first.

        Args:
            step: 1 goes down, -1 goes up.
        """
        self._go_from(self.currentIndex().row() + step, step)

    def go_to(self, index: QModelIndex, *, scroll: bool = True) -> bool:
        """Make a row current; whether it is one.

        Args:
            index: Stands in it; invalid where it is not on show.
            scroll: Whether it is brought into view.
        """
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, WHOLE_ROW)
            if scroll:
                self.scrollTo(index)
        return index.isValid()

    def go_to_end(self, step: int) -> None:
        """Make the first or the last row current that is no heading.

        Args:
            step: 1 goes to the first, -1 to the last.
        """
        self._go_from(0 if step > 0 else self.model().rowCount() - 1, step)

    def go_one_screen(self, step: int) -> None:
        """Make the row one screen further current: what stood at the one edge is at the other.

        Args:
            step: 1 goes down, -1 goes up.
        """
        start, n_rows = self.currentIndex().row(), self.model().rowCount()
        if start < 0:
            self.step(1)
            return
        height = self._painter.row_height
        away = max(self.viewport().height() - height, height)
        there = self.rowAt(self.rowViewportPosition(start) + height // 2 + step * away)
        if there < 0:
            there = n_rows - 1 if step > 0 else 0
        if not self._go_from(max(there, start + 1) if step > 0 else min(there, start - 1), step):
            self.go_to_end(-step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves past headings by row, by screen, to the ends; says when Enter asks for a row."""
        self._show_ring(shown=True)
        held = event.modifiers() & ~_KEYPAD
        # One row is selected at a time, so Control adds nothing; Qt would stop at headings.
        is_move = not held or (held == _CONTROL and event.key() not in _LETTERS)
        if is_move and self.moves_by(event.key()):
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            if self.currentIndex().isValid():
                self.activated_by_key.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def moves_by(self, key: int) -> bool:
        """Make another row current as a key asks; whether it is one that moves."""
        for keys, move in (
            (_STEPS, self.step),
            (_ENDS, self.go_to_end),
            (_SCREENS, self.go_one_screen),
        ):
            if key in keys:
                move(keys[key])
                return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._show_ring(shown=False)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drags nothing: what was pressed stays current, however the hand trembles."""
        if event.buttons():
            event.accept()
            return
        super().mouseMoveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._show_ring(shown=event.reason() in KEYBOARD_REASONS)
        super().focusInEvent(event)
        # Qt makes the first row current where none is, though it be a heading.
        if self.currentIndex().data(RowRole.IS_HEADING):
            self.selectionModel().clearCurrentIndex()
            if event.reason() in KEYBOARD_REASONS:
                self.step(1)
        if event.reason() in KEYBOARD_REASONS and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())  # whoever comes by key sees where it stands

    def _go_from(self, place: int, step: int) -> bool:
        """Make the first row current that is no heading, from a place on; whether there is one."""
        model = self.model()
        while 0 <= place < model.rowCount():
            index = model.index(place, 0)
            if not index.data(RowRole.IS_HEADING):
                self.selectionModel().setCurrentIndex(index, WHOLE_ROW)
                above = model.index(place - 1, 0)
                if above.data(RowRole.IS_HEADING):
                    self.scrollTo(above)  # what it stands under is seen with it
                self.scrollTo(index)
                return True
            place += step
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._painter.fits_rows and event.size().width() != event.oldSize().width():
            self.refresh_heights()

    def _show_ring(self, *, shown: bool) -> None:
        self._painter.set_ring(shown=shown)
        self.viewport().update()

    def _size_all(self, headings: list[int]) -> None:
        """Size every row of a list that may be too long to go through row by row."""
        header = self.verticalHeader()
        usual, heading = self._painter.row_height, self._painter.heading_height
        for row in self._sized.difference(headings):
            if row < header.count():
                header.resizeSection(row, usual)
        for row in headings:
            header.resizeSection(row, heading)
        self._sized = set(headings)
        # Any other row that got a height of its own, as by folding away, is found by where the
        # rows below it stand.
        while (wrong := self._wrongly_sized(headings)) is not None:
            header.resizeSection(wrong, usual)

    def _wrongly_sized(self, headings: list[int]) -> int | None:
        """The first row that puts those below it out of place."""
        header = self.verticalHeader()
        usual, heading = self._painter.row_height, self._painter.heading_height

        def is_in_place(row: int) -> bool:
            stands = header.length() if row == header.count() else header.sectionPosition(row)
            return stands == row * usual + bisect_left(headings, row) * (heading - usual)

        low, high = 0, header.count()
        if is_in_place(high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_in_place(middle) else (low, middle)
        is_odd = low not in self._sized and header.sectionSize(low) != usual
        return low if is_odd else None

    def _size_rows(self, first: int, last: int) -> None:
        """Headings get their own height; a row that took a heading's place gets the usual one."""
        model, header, width = self.model(), self.verticalHeader(), self.viewport().width()
        for row in range(first, last + 1):
            height = self._painter.height_at(model.index(row, 0), width)
            if header.sectionSize(row) != height:
                header.resizeSection(row, height)

    @Slot(QModelIndex, int, int)
    def _on_model_rows_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._size_rows(first, last)


class RowDelegate(QStyledItemDelegate):
    """Rows of one height, a hairline below each and a ring around the one with the keyboard.

    Attributes:
        row_px: Height of every row but headings, in pixels at the usual size of text; 0 for that of
            the rows of a table.
        heading_px: Height of headings, likewise; 0 for that of rows.
        fits_rows: Whether rows are as high as their words need.
    """

    row_px: int = 0
    heading_px: int = 0
    fits_rows: bool = False

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ring = False

    @property
    def row_height(self) -> int:
        """Height of every row but headings, in pixels."""
        return self._theme.scaled(self.row_px) if self.row_px else self._theme.px("tableRow")

    @property
    def heading_height(self) -> int:
        """Height of headings in pixels."""
        return self._theme.scaled(self.heading_px) if self.heading_px else self.row_height

    def height_at(self, index: AnyIndex, width: int) -> int:  # noqa: ARG002 - for rows that fit
        """Height of one row in pixels, in a list of this width."""
        is_heading = bool(index.data(RowRole.IS_HEADING))
        return self.heading_height if is_heading else self.row_height

    def set_ring(self, *, shown: bool) -> None:
        """Draw a ring around the current row, which is right after use of the keyboard."""
        self._ring = shown

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """The height of a row; the list gives it its width."""
        return QSize(0, self.height_at(index, 0))

    def paint_hairline(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the line below a row; filling is many times faster than an antialiased line."""
        hairline = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(hairline, self._theme.color("line"))

    def paint_ring(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the ring inside a row."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("focus"), 2))
        painter.drawRoundedRect(rect.adjusted(2, 1, -2, -2), 4, 4)

    def write(
        self,
        painter: QPainter,
        x: float,
        middle: float,
        text: str,
        font: QFont,
        role: str,
        *,
        room: float | None = None,
    ) -> float:
        """Write words as ``text_layout.write`` does, in a role's colour."""
        return write(painter, x, middle, text, font, self._theme.color(role), room=room)

    def write_read(
        self, painter: QPainter, line: QRectF, text: str, font: QFont, role: str
    ) -> None:
        """Write what is read, cut to a line, from the side where its reading begins."""
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        x = line.left()
        if reads_right_to_left(text):
            x = line.right() - metrics.horizontalAdvance(shown)
        self.write(painter, x, line.top(), shown, font, role)


class RowInk:
    """Writes with the measures of one density; ``centre`` is the middle of a line in pixels."""

    def __init__(self, theme: Theme, measures: RowMeasures) -> None:
        self._theme = theme
        self._measures = measures

    def text(
        self, painter: QPainter, x: float, centre: float, text: str, font: QFont, role: str
    ) -> None:
        """Text that begins at ``x``."""
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        draw_text(painter, QPointF(x, self._measures.baseline(font, centre)), text)

    def text_to(
        self,
        painter: QPainter,
        right: float,
        centre: float,
        text: str,
        font: QFont,
        role: str | None = "inkFaint",
    ) -> None:
        """Text that ends at ``right``; without a role the painter's own colour stays."""
        painter.setFont(font)
        if role is not None:
            painter.setPen(self._theme.color(role))
        x = right - self._measures.metrics(font).horizontalAdvance(text)
        draw_text(painter, QPointF(x, self._measures.baseline(font, centre)), text)

    def icon(self, painter: QPainter, x: float, centre: float, name: str, role: str) -> None:
        """A small icon in a colour of the theme."""
        self._theme.draw_icon(painter, (round(x), centre), name, role, 14)

    def mark(
        self, painter: QPainter, x: float, centre: float, mark: Mark, *, on_selected: bool
    ) -> None:
        """A mark of the meta line: an icon, a word, or both in a chip."""
        measures = self._measures
        if mark.chip:
            box = QRectF(x, centre - measures.chip_height / 2, mark.width, measures.chip_height)
            self._theme.draw_box(painter, box, "surface" if on_selected else "graphiteSoft", 4)
            x += 7
        if mark.icon:
            self.icon(painter, x, centre, mark.icon, mark.role)
            x += measures.icon_px + 4
        font = measures.chip if mark.chip else measures.meta
        text = mark.text
        if mark.is_tag:  # the sign of a tag stands back behind its word
            self.text(painter, x, centre, text[0], font, "inkFaint")
            x, text = x + measures.metrics(font).horizontalAdvance(text[0]), text[1:]
        self.text(painter, x, centre, text, font, mark.role)

"""Tables of several columns: one header, one way to show which row is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, Qt, Slot
from PySide6.QtWidgets import QHeaderView, QStyle, QWidget

from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.lists.row_table import RowDelegate, RowTable
from inklings_desktop.ui.kit.look.cells import Line, Text
from inklings_desktop.ui.kit.look.mirror import begin_cell, draw_text_in, upright

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex
    from inklings_desktop.ui.kit.look.theme import Theme


class ColumnHeader(QHeaderView):
    """Names of the columns over a strong rule."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setSectionsMovable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt calls it so
        theme = self._theme
        painter.save()
        painter.fillRect(rect, theme.color("surface"))
        rule = QRect(rect.left(), rect.bottom(), rect.width(), 1)
        painter.fillRect(rule, theme.color("lineStrong"))
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color("inkSoft"))
        model = self.model()
        assert isinstance(model, RowListModel)
        column = model.columns[section]
        side = Qt.AlignmentFlag.AlignRight if column.is_figure else Qt.AlignmentFlag.AlignLeft
        room = rect.adjusted(column.left, 0, -column.right, -1)
        draw_text_in(painter, room, int(side | Qt.AlignmentFlag.AlignVCenter), column.name)
        painter.restore()


class ColumnDelegate(RowDelegate):
    """Draws one cell; ground, ring and hairline belong to the whole row."""

    def __init__(
        self,
        theme: Theme,
        parent: QObject | None = None,
        *,
        row_px: int = 0,
        marks_current_alone: bool = False,
    ) -> None:
        """Build the delegate.

        Args:
            row_px: Height of a row at the usual size of text; 0 for that of its class.
            marks_current_alone: Whether a row is marked only while the keyboard is in it.
        """
        super().__init__(theme, parent)
        self.row_px = row_px or self.row_px
        self._marks_current_alone = marks_current_alone
        self._hovered = -1
        self._current = -1
        self._width = 0

    def set_rows(self, *, hovered: int, current: int, width: int) -> None:
        """Take note of which rows are under the mouse and current, and how wide rows are."""
        self._hovered, self._current, self._width = hovered, current, width

    def paint_cell(self, painter: QPainter, rect: QRectF, index: AnyIndex) -> None:
        """Draw what one cell holds, over its ground."""
        model = index.model()
        assert isinstance(model, RowListModel)
        column, row = model.columns[index.column()], model.row_at(index)  # not the long way by Qt
        cells = (Text(column.text(row), "inkSoft"),) if column.cells is None else column.cells(row)
        line = Line((), cells) if column.is_figure else Line(cells)
        line.draw(painter, self._theme, rect.adjusted(column.left, 0, -column.right, -1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one cell with its share of the row."""
        rect, theme = QRectF(option.rect), self._theme
        begin_cell(painter, option.rect)
        is_current = index.row() == self._current
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected and (is_current or not self._marks_current_alone):
            painter.fillRect(rect, theme.color("selected"))
        elif index.row() == self._hovered:
            painter.fillRect(rect, theme.color("hover"))
        self.paint_cell(painter, rect, index)
        self.paint_hairline(painter, rect)
        if self._ring and is_current:
            painter.setClipRect(rect)
            with upright(painter, rect.center().x()):
                self.paint_ring(painter, QRectF(0, rect.top(), self._width, rect.height()))
        painter.restore()


class ColumnTable(RowTable):
    """Rows of several cells; a row is one stop for the keyboard and one selection."""

    header_height = 28
    """Height of the names above the rows, in pixels at the usual size of text."""

    def __init__(
        self,
        theme: Theme,
        delegate: ColumnDelegate,
        header: ColumnHeader | None = None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        """Show no rows yet.

        Args:
            theme: Its look.
            delegate: Draws cells.
            header: Names columns; None: it has one column without a name.
            parent: Owner.
        """
        super().__init__(delegate, parent=parent)
        self._theme = theme
        self._delegate = delegate
        self._hovered = -1
        if header is not None:
            header.setParent(self)
            self.setHorizontalHeader(header)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setFixedHeight(theme.scaled(self.header_height))
            header.show()
        theme.changed.connect(self._on_look_changed)

    def fit(self) -> None:
        """Give every column its width; asked whenever there is more room or less."""

    def has_keyboard(self) -> bool:
        """Whether keys go to a row of the table."""
        return self.hasFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tells the delegate what belongs to whole rows, then draws them."""
        self._delegate.set_rows(
            hovered=self._hovered,
            current=self.currentIndex().row() if self.has_keyboard() else -1,
            width=self.viewport().width(),
        )
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    def _hover(self, index: QModelIndex) -> None:
        if index.row() != self._hovered:
            self._hovered = index.row()
            self.viewport().update()

    @Slot()
    def _on_look_changed(self) -> None:
        if not self.horizontalHeader().isHidden():
            self.horizontalHeader().setFixedHeight(self._theme.scaled(self.header_height))
        self.refresh_heights()
        self.updateGeometry()
        self.fit()

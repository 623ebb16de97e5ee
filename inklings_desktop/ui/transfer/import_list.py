"""The rows of an import preview under hands: click, Space, and arrows for the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.controls.toggles import box_edge, paint_check_box
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.transfer.import_delegate import ImportColumns, ImportDelegate
from inklings_desktop.ui.transfer.import_lines import ImportListModel, ImportRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.transfer.import_lines import ImportItem, ImportLine

_WHOLE_ROW = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)
_HEAD_HEIGHT = 34
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ImportList(RowTable):
    """Shows lines and says what a person wants of them.

    Signals:
        row_looked_at: Number of the row that became current.
        row_toggled: Number of the row whose box was hit.
        choice_made: Number of a row and the key of its new choice.
    """

    row_looked_at = Signal(int)
    row_toggled = Signal(int)
    choice_made = Signal(int, str)

    def __init__(
        self, theme: Theme, line: Callable[[ImportItem], ImportLine], parent: QWidget | None = None
    ) -> None:
        """Begin without rows; ``line`` puts one into words."""
        self._line = line
        self._lines_delegate = ImportDelegate(theme)
        super().__init__(self._lines_delegate, ImportRole.IS_HEADING, parent=parent)
        self._lines_delegate.setParent(self)
        self._lines = ImportListModel(line, self)
        self.setAccessibleName(self.tr("Rows of the file"))
        self.setItemDelegate(self._lines_delegate)
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(self._lines)
        self.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def lines(self) -> tuple[ImportLine, ...]:
        """What is on show, top to bottom."""
        return tuple(map(self._line, self._lines.rows))

    def show_items(self, items: Sequence[ImportItem], current: int) -> None:
        """Show other rows; the one of this number stays current, else the first is."""
        selection = self.selectionModel()
        selection.blockSignals(True)
        scrolled = self.verticalScrollBar().value()
        self._lines.replace_rows(items)
        if items:
            wanted = self._lines.index_of(current)
            index = wanted if wanted.isValid() else self._lines.index(0, 0)
            selection.setCurrentIndex(index, _WHOLE_ROW)
        selection.blockSignals(False)
        self.verticalScrollBar().setValue(scrolled)
        self.viewport().update()

    def current_line(self) -> ImportLine | None:
        """The line that keys act on."""
        index = self.currentIndex()
        return index.data(ImportRole.LINE) if index.isValid() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space ticks, left and right choose; the rest moves."""
        line = self.current_line()
        key = Qt.Key(event.key())
        if line is not None and not event.modifiers():
            if key is Qt.Key.Key_Space:
                if line.can_check:
                    self.row_toggled.emit(line.number)
                return
            if key in _STEPS and line.choices:
                keys = [one for one, _label in line.choices]
                place = keys.index(line.chosen) + _STEPS[key]
                if 0 <= place < len(keys):
                    self.choice_made.emit(line.number, keys[place])
                return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A hit on the box or on a choice acts at once."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        line: ImportLine = index.data(ImportRole.LINE)
        rect = QRectF(self.visualRect(index))
        hit = self._lines_delegate.hit(line, rect, QPointF(event.position()))
        if hit == "box":
            self.row_toggled.emit(line.number)
        elif hit and hit != line.chosen:
            self.choice_made.emit(line.number, hit)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two quick clicks is one more."""
        self.mousePressEvent(event)

    @Slot(QModelIndex)
    def _on_current_row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_looked_at.emit(index.data(ImportRole.LINE).number)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.refresh_heights()


class ImportHead(QWidget):
    """The names of the columns, and a box that ticks every row it is for or clears all.

    Signals:
        toggled: Whether every row is wanted now.
    """

    toggled = Signal(bool)

    def __init__(self, theme: Theme, rows: ImportList, parent: QWidget | None = None) -> None:
        """Stand over these rows."""
        super().__init__(parent)
        self._theme = theme
        self._rows = rows
        self._state = Qt.CheckState.Unchecked
        self._has_box = True
        rows.verticalScrollBar().rangeChanged.connect(self.update)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Every new row"))
        self.setFixedHeight(theme.scaled(_HEAD_HEIGHT))
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, state: Qt.CheckState, name: str) -> None:
        """Show how many rows are ticked: none, some, all.

        Args:
            state: Of the box.
            name: Which rows it ticks; there is no box where it would tick none.
        """
        self._state = state
        self._has_box = bool(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if name else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name or self.tr("Columns"))
        told = {
            Qt.CheckState.Checked: self.tr("all ticked"),
            Qt.CheckState.Unchecked: self.tr("none ticked"),
        }
        self.setAccessibleDescription(told.get(state, self.tr("some ticked")))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space ticks or clears."""
        if event.key() == Qt.Key.Key_Space and self._has_box:
            self.toggled.emit(self._state is not Qt.CheckState.Checked)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """So does a click on the box."""
        left = event.position().x()
        if self._has_box and left < ImportColumns.at(self.width(), 1.0).status:
            self.toggled.emit(self._state is not Qt.CheckState.Checked)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws box and words."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = ImportColumns.at(self._rows.viewport().width(), theme.text_scale)
        if self._has_box:
            edge = box_edge(theme)
            box = QRectF(columns.box, (self.height() - edge) // 2, edge, edge)
            paint_check_box(painter, box, theme, self._state)
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color("inkSoft"))
        middle = Qt.AlignmentFlag.AlignVCenter
        for x, words in (
            (columns.status, self.tr("Status")),
            (columns.tier, self.tr("Tier")),
            (columns.text, self.tr("Content")),
            (columns.what, self.tr("What happens")),
        ):
            painter.drawText(QRectF(x, 0, self.width(), self.height()), middle, words)
        painter.drawText(
            QRectF(0, 0, columns.importance_end, self.height()),
            middle | Qt.AlignmentFlag.AlignRight,
            self.tr("Importance"),
        )
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("lineStrong"))
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        self.update()

"""The grid of roles by domains: each cell is a stop of its own, and the roles stay in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QWidget,
)

from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Celled, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import own_viewport
from inklings_desktop.ui.kit.look.mirror import begin_cell
from inklings_desktop.ui.kit.look.rights import RightBadge, RightTone
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.knowledge.grants_state import GIVEN, Grid, permission_words

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.knowledge.grants_state import GridCell

_ROW, _HEAD, _ROLE = 44, 44, 150
_AIR, _RING = 8, 4
_WIDEST, _FIGURE = 150, 18
_KEYS = {Qt.Key.Key_N: "none", Qt.Key.Key_R: "read", Qt.Key.Key_W: "write"}
_RESETS = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}
_OPENS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
_ACROSS = Qt.Orientation.Horizontal


class _Model(QAbstractTableModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.grid = Grid()

    def show(self, grid: Grid) -> bool:
        """Hold another grid; whether it has other rows or columns."""
        before, is_other = self.grid, _names(self.grid) != _names(grid)
        if is_other:
            self.beginResetModel()
        self.grid = grid
        if is_other:
            self.endResetModel()
        elif before != grid:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        return is_other

    def cell(self, index: AnyIndex) -> GridCell | None:
        """What stands at a place."""
        return self.grid.rows[index.row()].cells[index.column()] if index.isValid() else None

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.grid.rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.grid.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if (cell := self.cell(index)) is None:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tool_tip(cell.told)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return cell.told
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not _ACROSS:
            row = self.grid.rows[section]
            tip = f"{row.role}: {row.clients}"
            return _of_head(role, row.role, tip)
        column = self.grid.columns[section]
        return _of_head(role, column.name, column.tip)


def _of_head(role: int, name: str, tip: str) -> str | None:
    if role == Qt.ItemDataRole.ToolTipRole:
        return plain_tool_tip(tip)
    is_name = role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}
    return name if is_name else None


def _names(grid: Grid) -> tuple[list[str], list[str], list[str]]:
    ids = [one.id for one in grid.columns]
    return [one.role for one in grid.rows], ids, [one.name for one in grid.columns]


class _Head(QHeaderView):
    """Names of the domains above the cells, or of the roles before them; both stay in sight."""

    def __init__(self, theme: Theme, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt calls it so
        model, theme = self.model(), self._theme
        assert isinstance(model, _Model)
        begin_cell(painter, rect)
        painter.fillRect(rect, theme.color("surface"))
        is_above = self.orientation() is _ACROSS
        if is_above:
            column = model.grid.columns[section]
            first, second, style = column.name, column.under, "label"
            inset = _RING
        else:
            row = model.grid.rows[section]
            first, second, style = row.role, row.clients, "bodyStrong"
            inset = 0
        room = QRectF(rect).adjusted(inset, 0, -_AIR / 2, 0)
        two = theme.scaled(9) if second else 0
        ink = "inkSoft" if is_above else "ink"
        Line((Text(first, ink, style),)).draw(painter, theme, room.translated(0, -two))
        Line((Text(second, "inkSoft", px=12),)).draw(painter, theme, room.translated(0, two))
        role = "lineStrong" if is_above else "line"
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color(role))
        painter.restore()


class _Corner(Celled, QWidget):
    """Says over the roles what they are."""

    stands_on = Ground("surface", below="lineStrong")

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def said(self) -> Said:
        return Said((Line((Text(tr("Role"), "inkSoft", "label"),)),))


class _CellDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model, theme, rect = index.model(), self._theme, QRectF(option.rect)
        assert isinstance(model, _Model)
        if (cell := model.cell(index)) is None:
            return
        begin_cell(painter, option.rect)
        room = rect.adjusted(_RING, 0, -_AIR / 2, 0)
        end = cell.badge.draw(
            painter, theme, QRectF(room.left(), room.center().y(), room.width(), 0)
        )
        if cell.n_refused:
            figure = Text(str(cell.n_refused), "ochre", weight=600, px=12)
            figure.draw(painter, theme, QRectF(end + _RING, room.center().y(), _FIGURE, 0))
        if option.state & QStyle.StateFlag.State_HasFocus:
            high = theme.scaled(13)
            ring = QRectF(
                rect.left() + 1, room.center().y() - high, end + 2 - rect.left(), 2 * high
            )
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, 5, 5)
        line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
        painter.fillRect(line, theme.color("line"))
        painter.restore()


class GrantGrid(QTableView):
    """Cells that arrows go through, a letter sets, and Enter opens.

    Where the domains have no room, they scroll sideways and the roles stay.

    Signals:
        given: A role, the id of a domain, and a permission, or ``GIVEN`` for the domain's default.
        opened: A role and the id of a domain, of which more is wanted.
        asked_of: Id of a domain whose name was clicked with the right button.
    """

    given = Signal(str, str, str)
    opened = Signal(str, str)
    asked_of = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        own_viewport(self)
        self._theme = theme
        self._model = _Model(self)
        self._spot = ("", "")
        named(self, "grantGrid", tr("Who may read and write which domain"))
        self.setHorizontalHeader(_Head(theme, _ACROSS, self))
        self.setVerticalHeader(_Head(theme, Qt.Orientation.Vertical, self))
        self.setItemDelegate(_CellDelegate(theme, self))
        self.setModel(self._model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("ring", "none")
        self._corner = _Corner(theme, self)
        self._anchor = QWidget(self.viewport())
        self._anchor.hide()
        self.horizontalHeader().setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().customContextMenuRequested.connect(self._on_head_menu_requested)
        self.doubleClicked.connect(self._open)
        theme.changed.connect(self.fit)

    def show_grid(self, grid: Grid) -> None:
        """Show other roles, domains or permissions; the current cell stays current."""
        if self._model.show(grid):
            self._go_to(*self._spot)
        self.fit()

    @property
    def grid(self) -> Grid:
        """What is on show."""
        return self._model.grid

    @property
    def spot(self) -> tuple[str, str]:
        """Role and id of the domain of the current cell; empty before there is one."""
        index, grid = self.currentIndex(), self._model.grid
        if not index.isValid():
            return "", ""
        return grid.rows[index.row()].role, grid.columns[index.column()].id

    def anchor(self) -> QWidget:
        """Stands where the current cell does; for what opens below it."""
        self.scrollTo(self.currentIndex())
        self._anchor.setGeometry(self.visualRect(self.currentIndex()))
        return self._anchor

    def head_of(self, domain_id: str) -> QWidget:
        """Stands where the name of a domain does; for what opens below it."""
        head = self.horizontalHeader()
        section = next(
            number for number, one in enumerate(self.grid.columns) if one.id == domain_id
        )
        at = head.sectionViewportPosition(section)
        self._anchor.setGeometry(at, -1, head.sectionSize(section), 1)
        return self._anchor

    @Slot()
    def fit(self) -> None:
        """Give columns the width that their words need, and more where there is room."""
        theme, grid = self._theme, self._model.grid
        above, before = self.horizontalHeader(), self.verticalHeader()
        label, small = QFontMetricsF(theme.font("label")), QFontMetricsF(theme.font("meta", px=12))
        longest = max(permission_words().values(), key=len)
        badge = RightBadge(longest, RightTone.WRITE).width(theme)
        most = theme.scaled(_WIDEST)
        needs = [
            round(
                max(
                    badge,
                    min(most, label.horizontalAdvance(one.name)),
                    min(most, small.horizontalAdvance(one.under)),
                )
            )
            + _RING
            + _AIR
            + (theme.scaled(_FIGURE) if any(row.cells[place].n_refused for row in grid.rows) else 0)
            for place, one in enumerate(grid.columns)
        ]
        before.setFixedWidth(theme.scaled(_ROLE))
        above.setFixedHeight(theme.scaled(_HEAD))
        spare = self.width() - before.width() - sum(needs)
        more = max(0, spare) // max(1, len(needs))
        for number, need in enumerate(needs):
            above.resizeSection(number, need + more)
        if needs and spare > 0:  # the last one has what was left of the division
            above.resizeSection(len(needs) - 1, needs[-1] + more + spare % len(needs))
        for number in range(len(grid.rows)):
            before.resizeSection(number, theme.scaled(_ROW))
        bar = self.horizontalScrollBar().sizeHint().height() if spare < 0 else 0
        self.setFixedHeight(above.height() + len(grid.rows) * theme.scaled(_ROW) + bar)
        self._corner.setGeometry(0, 0, before.width(), above.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Sets the current cell by a letter, or opens it; everything else moves."""
        role, domain = self.spot
        key = Qt.Key(event.key())
        if role and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            if key in _KEYS or key in _RESETS:
                self.given.emit(role, domain, _KEYS.get(key, GIVEN))
                return
            if key in _OPENS:
                self.opened.emit(role, domain)
                return
        super().keyPressEvent(event)
        self._bring_into_sight()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self._spot = self.spot
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def focusInEvent(self, event: Any) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self._go_to(*self._spot)
        self._bring_into_sight()

    def _go_to(self, role: str, domain_id: str) -> None:
        """Make a cell current, or the first where it is gone."""
        roles, ids, _ = _names(self._model.grid)
        row = roles.index(role) if role in roles else 0
        column = ids.index(domain_id) if domain_id in ids else 0
        self.setCurrentIndex(self._model.index(row, column))

    def _bring_into_sight(self) -> None:
        """Scroll what the grid stands in to the current cell."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if isinstance(above, QScrollArea) and (page := above.widget()) is not None:
            at = self.viewport().mapTo(page, self.visualRect(self.currentIndex()).center())
            above.ensureVisible(0, at.y(), 0, self._theme.scaled(_ROW))

    @Slot(QModelIndex)
    def _open(self, _index: QModelIndex) -> None:
        self.opened.emit(*self.spot)

    def _on_head_menu_requested(self, at: QPoint) -> None:
        section = self.horizontalHeader().logicalIndexAt(at)
        if section >= 0:
            self.asked_of.emit(self._model.grid.columns[section].id)

"""The table of background work: five rows, each with a button or the reason why there is none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from inklings_desktop.ui.control.task_delegate import GAP, MARK, MARK_GAP, TaskDelegate
from inklings_desktop.ui.control.task_list_model import TaskAct, TaskColumn, TaskListModel, TaskRole
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.column_table import ColumnHeader, ColumnTable
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import PADDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inklings_desktop.ui.control.task_list_model import TaskRow
    from inklings_desktop.ui.kit.look.theme import Theme

_HEADER = 28
_ACT_MARGIN = 10
_MOST_OF_REST = 45
"""So many hundredths of the room what the last run came to keeps where room is short."""
_LEAST = 96
_STRETCH = {TaskColumn.RUNS: 5, TaskColumn.LAST: 6, TaskColumn.NEXT: 5}


class TaskHeader(ColumnHeader):
    """Names above the table; the first stands where the cards begin."""

    def name_room(self, rect: QRect, section: int) -> tuple[QRect, Qt.AlignmentFlag]:
        """Where in its section a name stands, and at which side."""
        left = PADDING if section == TaskColumn.TASK else 0
        return rect.adjusted(left, 0, -GAP // 2, -1), Qt.AlignmentFlag.AlignLeft


class TaskActCell(QWidget):
    """The button of one row, or the reason why there is none.

    Signals:
        pressed: The button was.
    """

    pressed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = PushButton(theme, "", icon="play", small=True, parent=self)
        self.button.clicked.connect(self.pressed)
        storing(self.button)
        self.refusal = plain_label("", "meta", self)
        self._act: TaskAct | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _ACT_MARGIN, 1)
        row.addStretch(1)
        row.addWidget(self.refusal)
        row.addWidget(self.button)

    def show_row(self, task: TaskRow) -> None:
        """Show another state of the same row; the button keeps the keyboard while it is there."""
        self.refusal.setText(task.refusal)
        self.refusal.setVisible(task.act is TaskAct.NONE)
        if task.act is not self._act:
            self._act = task.act
            text, icon = {
                TaskAct.NONE: ("", "play"),
                TaskAct.RUN: (self.tr("Run now"), "play"),
                TaskAct.CANCEL: (self.tr("Cancel"), "stop"),
                TaskAct.REVIEW: (self.tr("Review the plan\u2026"), ""),
            }[task.act]
            self.button.set_face(text, icon)
            self.button.setVisible(task.act is not TaskAct.NONE)
        self.button.setAccessibleName(
            self.tr("{what}: {task}").format(what=self.button.text(), task=task.name)
        )
        self.setToolTip(plain_tool_tip(task.refusal))

    def wanted_width(self) -> int:
        """What the widest of its contents asks for."""
        shown = self.refusal if self._act is TaskAct.NONE else self.button
        return shown.sizeHint().width() + _ACT_MARGIN


class TaskTable(ColumnTable):
    """As high as its five rows; R runs or cancels the current one, or opens its plan.

    Signals:
        act_requested: Key of the row whose button was pressed, by mouse or by key.
    """

    act_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, TaskDelegate(theme), TaskHeader(theme), TaskRole.IS_HEADING, parent=parent
        )
        self._tasks = TaskListModel(self)
        self._cells: dict[str, TaskActCell] = {}
        self.setObjectName("taskTable")
        self.setAccessibleName(self.tr("Background work"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setModel(self._tasks)
        self.activated_by_key.connect(self._on_activated_by_key)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def rows(self) -> tuple[TaskRow, ...]:
        """The rows on show."""
        return self._tasks.rows

    def cell(self, key: str) -> TaskActCell:
        """Where the button of a row is."""
        return self._cells[key]

    def buttons(self) -> tuple[QWidget, ...]:
        """The buttons, top to bottom."""
        return tuple(cell.button for cell in self._cells.values())

    def show_rows(self, rows: Sequence[TaskRow]) -> None:
        """Show these; the rows are always the same ones."""
        self._tasks.replace_rows(rows)
        for place, row in enumerate(rows):
            cell = self._cells.get(row.key)
            if cell is None:
                cell = self._cells[row.key] = TaskActCell(self._theme)
                cell.pressed.connect(self._on_cell_pressed)
                self.setIndexWidget(self._tasks.index(place, TaskColumn.ACT), cell)
            cell.show_row(row)
        self.updateGeometry()
        self.fit()

    def select(self, key: str) -> None:
        """Make a row current."""
        index = self._tasks.index_of(key)
        if index.isValid():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def current_key(self) -> str:
        """Key of the current row; empty while there is none."""
        row = self._tasks.row_at(self.currentIndex())
        return "" if row is None else row.key

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Does on R what the current row's button says."""
        if event.key() == Qt.Key.Key_R and not event.modifiers():
            self._show_ring(shown=True)
            if self.currentIndex().isValid() and not event.isAutoRepeat():
                self.act_requested.emit(self.current_key())
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Header and rows."""
        height = self._theme.scaled(_HEADER) + len(self.rows) * self._delegate.row_height
        return QSize(self._theme.scaled(560), height)

    def minimumSizeHint(self) -> QSize:
        """As high, and as narrow as may be."""
        return QSize(self._theme.scaled(300), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares out the width."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give names and buttons what they need, and share the rest."""
        theme, header = self._theme, self.horizontalHeader()
        metrics = QFontMetricsF(theme.font("meta", weight=600))
        names = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=0.0)
        task = math.ceil(PADDING + theme.icon_px(MARK) + MARK_GAP + names + GAP + 2)
        act = max((cell.wanted_width() for cell in self._cells.values()), default=0)
        rest = max(0, self.viewport().width() - task - act)
        widths = {column: self._wanted(column) for column in _STRETCH}
        spare = rest - sum(widths.values())
        if spare >= 0:
            total = sum(_STRETCH.values())
            for column, share in _STRETCH.items():
                widths[column] += spare * share // total
        else:
            # What the last run came to is cut last, unless it alone would take half of the room.
            most = rest * _MOST_OF_REST // 100
            given = min(-spare, max(0, widths[TaskColumn.LAST] - most))
            widths[TaskColumn.LAST] -= given
            spare += given
            for column in (TaskColumn.RUNS, TaskColumn.NEXT, TaskColumn.LAST):
                given = min(-spare, max(0, widths[column] - theme.scaled(_LEAST)))
                widths[column] -= given
                spare += given
        header.resizeSection(TaskColumn.TASK, task)
        for column, width in widths.items():
            header.resizeSection(column, width)
        taken = task + sum(widths.values())
        header.resizeSection(TaskColumn.ACT, max(act, self.viewport().width() - taken))

    def has_keyboard(self) -> bool:
        """Whether keys go to a row, or to the button in it."""
        return self.hasFocus() or any(button.hasFocus() for button in self.buttons())

    def _wanted(self, column: TaskColumn) -> int:
        """How wide a column of words would like to be."""
        metrics = QFontMetricsF(self._theme.font("meta"))
        texts = (
            str(self._tasks.index(place, column).data() or "") for place in range(len(self.rows))
        )
        warning = self._theme.icon_px(MARK) + 6 if column is TaskColumn.LAST else 0
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        return math.ceil(max(float(_LEAST), widest + warning + GAP + 2))

    @Slot()
    def _on_cell_pressed(self) -> None:
        cell = self.sender()
        for key, one in self._cells.items():
            if one is cell:
                self.select(key)
                self.act_requested.emit(key)

    @Slot(QModelIndex)
    def _on_activated_by_key(self, _index: QModelIndex) -> None:
        self.act_requested.emit(self.current_key())

    @Slot()
    def _on_theme_changed(self) -> None:
        self.horizontalHeader().setFixedHeight(self._theme.scaled(_HEADER))
        self.refresh_heights()
        self.updateGeometry()
        self.fit()

"""Background work in the control plane: rows, cells, table, and a switch for all of it."""

from __future__ import annotations

import math
from enum import Enum, IntEnum
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnHeader, ColumnTable
from inklings_desktop.ui.kit.lists.row_list_model import Column, RowListModel
from inklings_desktop.ui.kit.look.cells import Bar, Icon, Rings, Stack, Text
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.kit.look.cells import Cell
    from inklings_desktop.ui.kit.look.theme import Theme


class TaskTone(Enum):
    """How a row is marked."""

    PLAIN = "plain"
    RUNNING = "running"
    WARNING = "warning"


class TaskAct(Enum):
    """What its button does; none where nothing can be done, and the cell says why."""

    NONE = "none"
    RUN = "run"
    CANCEL = "cancel"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One kind of background work as the table shows it; every text is final.

    Attributes:
        key: Names the row.
        name: What is done.
        tier: Whose rings stand before it; None for the mark of work as such.
        runs: When it runs.
        runs_tip: The same in full.
        last: What the last run did, or how far this one has come.
        last_tip: The same in full.
        next: When it runs next.
        next_tip: The same in full.
        act: What its button does.
        refusal: Why it has no button; empty where that needs no word.
        spoken: The whole row in one sentence.
        tone: How the row is marked.
        share: How far this run has come, 0 up to 1; None while nobody knows.
    """

    key: str
    name: str
    tier: Tier | None
    runs: str
    runs_tip: str
    last: str
    last_tip: str
    next: str
    next_tip: str
    act: TaskAct
    refusal: str
    spoken: str
    tone: TaskTone = TaskTone.PLAIN
    share: float | None = None


@dataclass(frozen=True, slots=True)
class WorkFacts:
    """What the card of background work shows.

    Attributes:
        rows: One per kind of work.
        is_paused: Whether a person paused all of it.
        can_pause: Whether that can be changed now.
        tiers: Values of the tiers that can be consolidated on request now.
    """

    rows: tuple[TaskRow, ...]
    is_paused: bool
    can_pause: bool
    tiers: frozenset[str]


class TaskColumn(IntEnum):
    """The columns, left to right."""

    TASK = 0
    RUNS = 1
    LAST = 2
    NEXT = 3
    ACT = 4


GAP = 14
MARK = 16
MARK_GAP = 9


class TaskListModel(RowListModel[TaskRow]):
    """Kinds of background work, always in the same order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(attrgetter("key"), parent, description=attrgetter("spoken"))
        name, refusal = attrgetter("name"), attrgetter("refusal")
        self.name_columns(  # in the order of the enumeration
            Column(tr("Task"), name, name, cells=_task, left=PADDING, right=GAP),
            Column(tr("Runs"), attrgetter("runs"), attrgetter("runs_tip"), right=GAP),
            Column(tr("Last run"), attrgetter("last"), attrgetter("last_tip"), None, _last, 0, GAP),
            Column(tr("Next"), attrgetter("next"), attrgetter("next_tip"), right=GAP),
            Column("", refusal, refusal, name, lambda _row: ()),  # a button of its own stands there
        )


_ROW = 41


def _task(row: TaskRow) -> tuple[Cell, ...]:
    is_running = row.tone is TaskTone.RUNNING
    mark: Cell = Icon("arrows-clockwise", "accent" if is_running else "inkSoft", MARK)
    if row.tier is not None:
        mark = Rings(*TIER_MARKS[row.tier], MARK)
    return (mark, Text(row.name, weight=600 if is_running else None, gap=MARK_GAP))


def _last(row: TaskRow) -> tuple[Cell, ...]:
    if row.tone is TaskTone.WARNING:
        return (Icon("warning", "ochre"), Text(row.last, "ochre", gap=6))
    words = Text(row.last, "inkSoft", tabular=row.tone is TaskTone.RUNNING)
    if row.share is None or row.tone is not TaskTone.RUNNING:
        return (words,)
    return (Stack(words, Bar(row.share), 6, 10),)


_ACT_MARGIN = 10
_MOST_OF_REST = 45
"""So many hundredths of the room what the last run came to keeps where room is short."""
_LEAST = 96
_STRETCH = {TaskColumn.RUNS: 5, TaskColumn.LAST: 6, TaskColumn.NEXT: 5}


class TaskActCell(QWidget):
    """The button of one row, or the reason why there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = PushButton(theme, "", icon="play", small=True, parent=self)
        storing(self.button)
        self.refusal = plain_label("", "meta", self)
        self._act: TaskAct | None = None
        hbox(self, STRETCH, self.refusal, self.button, margins=(0, 0, _ACT_MARGIN, 1))

    def show_row(self, task: TaskRow) -> None:
        """Show another state of the same row; the button keeps the keyboard while it is there."""
        self.refusal.setText(task.refusal)
        self.refusal.setVisible(task.act is TaskAct.NONE)
        if task.act is not self._act:
            self._act = task.act
            text, icon = {
                TaskAct.NONE: ("", "play"),
                TaskAct.RUN: (tr("Run now"), "play"),
                TaskAct.CANCEL: (tr("Cancel"), "stop"),
                TaskAct.REVIEW: (tr("Review the plan\u2026"), ""),
            }[task.act]
            self.button.set_face(text, icon)
            self.button.setVisible(task.act is not TaskAct.NONE)
        self.button.setAccessibleName(
            tr("{what}: {task}").format(what=self.button.text(), task=task.name)
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
        # Here a row is chosen for its button alone.
        delegate = ColumnDelegate(theme, row_px=_ROW, marks_current_alone=True)
        super().__init__(theme, delegate, ColumnHeader(theme), parent=parent)
        self._tasks = TaskListModel(self)
        self._cells: dict[str, TaskActCell] = {}
        self.setObjectName("taskTable")
        self.setAccessibleName(tr("Background work"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setModel(self._tasks)
        self.activated_by_key.connect(lambda: self.act_requested.emit(self.current_key()))

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
                cell.button.clicked.connect(partial(self._press, row.key))
                self.setIndexWidget(self._tasks.index(place, TaskColumn.ACT), cell)
            cell.show_row(row)
        self.updateGeometry()
        self.fit()

    def select(self, key: str) -> None:
        """Make a row current."""
        self.go_to(self._tasks.index_of(key), scroll=False)

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
        height = self._theme.scaled(self.header_height) + len(self.rows) * self._delegate.row_height
        return QSize(self._theme.scaled(560), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(300), self.sizeHint().height())

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
            # What went wrong is cut last, unless it alone would take half of the room; else the
            # short words of when it runs are.
            warns = any(row.tone is TaskTone.WARNING for row in self.rows)
            last = (
                (TaskColumn.RUNS, TaskColumn.LAST) if warns else (TaskColumn.LAST, TaskColumn.RUNS)
            )
            most = rest * _MOST_OF_REST // 100
            given = min(-spare, max(0, widths[TaskColumn.LAST] - most))
            widths[TaskColumn.LAST] -= given
            spare += given
            for column in (TaskColumn.NEXT, *last):
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

    def _press(self, key: str) -> None:
        self.select(key)
        self.act_requested.emit(key)


class TasksCard(QFrame):
    """Five kinds of work."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tasksCard")
        self.setProperty("card", "true")
        self.setAccessibleName(tr("Background work"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.pause = PushButton(
            theme, tr("Pause all"), kind="quiet", icon="pause", small=True, parent=self
        )
        self.pause.setObjectName("pauseAll")
        storing(self.pause)
        self.pause.hide()
        self._is_paused = False
        self.table = TaskTable(theme, self)
        head = CardHead(theme, tr("Background work"), self)
        head.add(self.pause)
        foot = wrapped_label(
            tr("Consolidation starts when enough is new, and at least this often."),
            "meta",
            self,
        )
        foot.setContentsMargins(PADDING, 9, PADDING, 10)
        vbox(self, head, self.table, foot, STRETCH, margins=(1, 4, 1, 1), spacing=0)

    def show_work(self, work: WorkFacts) -> None:
        """Show how the work stands."""
        self.table.show_rows(work.rows)
        if work.is_paused != self._is_paused:
            self._is_paused = work.is_paused
            face = (tr("Resume"), "play") if work.is_paused else (tr("Pause all"), "pause")
            self.pause.set_face(*face)
        self.pause.setVisible(work.can_pause)

    def stops(self) -> tuple[QWidget, ...]:
        """What the keyboard reaches, in order."""
        return (self.pause, self.table, *self.table.buttons())

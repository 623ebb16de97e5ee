"""Background work as Qt sees it: five columns over immutable rows."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.models.row_list_model import AnyIndex, RowListModel
from inklings_desktop.ui.plain_text import plain_tool_tip


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


class TaskColumn(IntEnum):
    """The columns, left to right."""

    TASK = 0
    RUNS = 1
    LAST = 2
    NEXT = 3
    ACT = 4


class TaskRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2


class TaskListModel(RowListModel[TaskRow]):
    """Kinds of background work, always in the same order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_key, _READERS, parent)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """As many as there are ``TaskColumn``; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(TaskColumn)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role, in this column."""
        row = self.row_at(index)
        if row is None:
            return None
        if role in _CELL_ROLES:
            text = _CELLS[TaskColumn(index.column())](row)
            # The cell of the button has no text of its own; a screen reader still needs a name.
            return text or (row.name if role == Qt.ItemDataRole.AccessibleTextRole else text)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = _TOOL_TIPS[TaskColumn(index.column())](row)
            return plain_tool_tip(tip) if tip else None
        return super().data(index, role)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """The name of a column; the one of the buttons has none."""
        if orientation is not Qt.Orientation.Horizontal or role not in _CELL_ROLES:
            return None
        return {
            TaskColumn.TASK: self.tr("Task"),
            TaskColumn.RUNS: self.tr("Runs"),
            TaskColumn.LAST: self.tr("Last run"),
            TaskColumn.NEXT: self.tr("Next"),
            TaskColumn.ACT: "",
        }[TaskColumn(section)]


def _itself(row: TaskRow) -> TaskRow:
    return row


def _key(row: TaskRow) -> str:
    return row.key


def _spoken(row: TaskRow) -> str:
    return row.spoken


def _never(_row: TaskRow) -> bool:
    return False


_CELL_ROLES = frozenset({int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)})
_CELLS: dict[TaskColumn, Callable[[TaskRow], str]] = {
    TaskColumn.TASK: lambda row: row.name,
    TaskColumn.RUNS: lambda row: row.runs,
    TaskColumn.LAST: lambda row: row.last,
    TaskColumn.NEXT: lambda row: row.next,
    TaskColumn.ACT: lambda row: row.refusal,
}
_TOOL_TIPS: dict[TaskColumn, Callable[[TaskRow], str]] = {
    TaskColumn.TASK: lambda row: row.name,
    TaskColumn.RUNS: lambda row: row.runs_tip,
    TaskColumn.LAST: lambda row: row.last_tip,
    TaskColumn.NEXT: lambda row: row.next_tip,
    TaskColumn.ACT: lambda row: row.refusal,
}
_READERS: dict[int, Callable[[TaskRow], object]] = {
    TaskRole.ROW: _itself,
    TaskRole.IS_HEADING: _never,
    Qt.ItemDataRole.AccessibleDescriptionRole: _spoken,
}

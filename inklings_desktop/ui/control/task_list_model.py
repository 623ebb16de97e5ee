"""Background work as Qt sees it: five columns over immutable rows."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.row_list_model import Column, RowListModel


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
        self.name_columns(  # in the order of the enumeration
            Column(self.tr("Task"), _name, _name),
            Column(self.tr("Runs"), lambda row: row.runs, lambda row: row.runs_tip),
            Column(self.tr("Last run"), lambda row: row.last, lambda row: row.last_tip),
            Column(self.tr("Next"), lambda row: row.next, lambda row: row.next_tip),
            Column("", lambda row: row.refusal, lambda row: row.refusal, _name),
        )


def _itself(row: TaskRow) -> TaskRow:
    return row


def _key(row: TaskRow) -> str:
    return row.key


def _name(row: TaskRow) -> str:
    return row.name


def _spoken(row: TaskRow) -> str:
    return row.spoken


def _never(_row: TaskRow) -> bool:
    return False


_READERS: dict[int, Callable[[TaskRow], object]] = {
    TaskRole.ROW: _itself,
    TaskRole.IS_HEADING: _never,
    Qt.ItemDataRole.AccessibleDescriptionRole: _spoken,
}

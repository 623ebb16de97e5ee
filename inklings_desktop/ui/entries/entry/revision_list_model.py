"""The revisions of an entry as Qt sees them: one column over immutable rows."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.kit.lists.memory_rows import CuratorName
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One revision as the history shows it; every text is final.

    ``is_older`` marks the older side of the comparison, ``is_newer`` the newer one where that is
    not the text in the editor.
    """

    number: int
    time: str
    title: str
    curator: CuratorName
    curator_label: str
    length: str
    accessible_description: str
    is_older: bool = False
    is_newer: bool = False


class RevisionRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2


class RevisionListModel(RowListModel[RevisionRow]):
    """Revisions, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_number, _READERS, parent)


def _itself(row: RevisionRow) -> RevisionRow:
    return row


def _number(row: RevisionRow) -> int:
    return row.number


def _time(row: RevisionRow) -> str:
    return row.time


def _description(row: RevisionRow) -> str:
    return row.accessible_description


def _never(_row: RevisionRow) -> bool:
    return False


_READERS: dict[int, Callable[[RevisionRow], object]] = {
    RevisionRole.ROW: _itself,
    RevisionRole.IS_HEADING: _never,
    Qt.ItemDataRole.DisplayRole: _time,
    Qt.ItemDataRole.AccessibleTextRole: _time,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
}

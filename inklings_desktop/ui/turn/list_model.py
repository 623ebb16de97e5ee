"""The orientation preview as Qt sees it: one column over immutable rows."""

from collections.abc import Callable
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.turn.rows import (
    BodyRow,
    CandidateRow,
    EntryRow,
    LineRow,
    PreviewRow,
    SectionRow,
    is_stop,
)


class PreviewRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_PASSED_OVER = Qt.ItemDataRole.UserRole + 2


class PreviewListModel(RowListModel[PreviewRow]):
    """Sections, named entries and memories, in the order in which they are sent."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)

    def is_heading(self, row: PreviewRow) -> bool:
        """Whether the keyboard passes a row over."""
        return not is_stop(row)


def _itself(row: PreviewRow) -> PreviewRow:
    return row


def _id(row: PreviewRow) -> str:
    return row.id


def _is_passed_over(row: PreviewRow) -> bool:
    return not is_stop(row)


def _text(row: PreviewRow) -> str:
    match row:
        case SectionRow():
            return f"{row.text}, {row.detail}" if row.detail else row.text
        case EntryRow():
            return row.name
        case CandidateRow():
            return f"{row.rank}. {row.phrase} {row.excerpt}"
        case BodyRow() | LineRow():
            return row.text


def _description(row: PreviewRow) -> str:
    match row:
        case SectionRow():
            return row.link
        case EntryRow() | CandidateRow():
            return row.accessible_description
        case BodyRow() | LineRow():
            return ""


def _tool_tip(row: PreviewRow) -> str | None:
    return plain_tool_tip(row.figure_tip) if isinstance(row, CandidateRow) else None


_READERS: dict[int, Callable[[PreviewRow], object]] = {
    PreviewRole.ROW: _itself,
    PreviewRole.IS_PASSED_OVER: _is_passed_over,
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.AccessibleTextRole: _text,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
    Qt.ItemDataRole.ToolTipRole: _tool_tip,
}

"""Rows of two lines with a badge, and the headings between them, as Qt sees them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.kit.lists.row_list_model import RowListModel


@dataclass(frozen=True, slots=True)
class BadgeHeading:
    """A line above a group of rows, with how many there are."""

    id: str
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class BadgeRow:
    """One row; every text is final.

    Attributes:
        id: Names it within the list.
        text: First line.
        meta: Second line.
        badge: One or two words at the right; empty for none.
        role: Colour role of the badge; its ground is the soft one of the same name.
        meta_role: Colour role of the second line.
        is_remembered: Whether the first line is text of a memory, in the reading face.
        description: Read aloud after the first line.
    """

    id: str
    text: str
    meta: str
    badge: str = ""
    role: str = "graphite"
    meta_role: str = "inkSoft"
    is_remembered: bool = True
    description: str = ""


AnyBadgeRow = BadgeHeading | BadgeRow


class BadgeRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class BadgeListModel(RowListModel[AnyBadgeRow]):
    """Headings and rows in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)

    def is_heading(self, row: AnyBadgeRow) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, BadgeHeading)


def _itself(row: AnyBadgeRow) -> AnyBadgeRow:
    return row


def _id(row: AnyBadgeRow) -> str:
    return row.id


def _is_heading(row: AnyBadgeRow) -> bool:
    return isinstance(row, BadgeHeading)


def _text(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return f"{row.text}, {row.detail}" if row.detail else row.text
    return row.text


def _description(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return row.detail
    return row.description or ", ".join(part for part in (row.badge, row.meta) if part)


_READERS: dict[int, Callable[[AnyBadgeRow], object]] = {
    BadgeRole.ROW: _itself,
    BadgeRole.ID: _id,
    BadgeRole.IS_HEADING: _is_heading,
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.AccessibleTextRole: _text,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
}

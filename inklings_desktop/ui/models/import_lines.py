"""Rows of an import preview, ready to paint, as Qt sees them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.models.row_list_model import RowListModel


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One row of the file; every text is final.

    Attributes:
        number: Its place in the file.
        status: Word of its badge.
        role: Colour role of the badge.
        inked: Rings of its tier that are drawn in full.
        tier_role: Colour role of the rings.
        tier: Name of its tier.
        text: Its content on one line.
        under: Why it has its status; empty for none.
        importance: As in the file.
        is_checked: Whether something of it would be written.
        can_check: Whether that can be changed.
        choices: Key and label of what can be done with a conflict; empty for other rows.
        chosen: Key of the choice in force.
        what: What happens, in words; shown where there are no choices.
        needs_eye: Whether it stands on the ground of a conflict.
        is_remembered: Whether the text is shown in the reading face.
        description: Read aloud after the text.
    """

    number: int
    status: str
    role: str
    inked: int
    tier_role: str
    tier: str
    text: str
    under: str
    importance: str
    is_checked: bool
    can_check: bool
    choices: tuple[tuple[str, str], ...]
    chosen: str
    what: str
    needs_eye: bool
    is_remembered: bool
    description: str


class ImportRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    LINE = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2


class ImportListModel(RowListModel[ImportLine]):
    """The rows of a file in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_number, _READERS, parent)


def _number(line: ImportLine) -> int:
    return line.number


_READERS: dict[int, Callable[[ImportLine], object]] = {
    ImportRole.LINE: lambda line: line,
    ImportRole.IS_HEADING: lambda _line: False,
    Qt.ItemDataRole.DisplayRole: lambda line: line.text,
    Qt.ItemDataRole.AccessibleTextRole: lambda line: f"{line.status}, {line.text}",
    Qt.ItemDataRole.AccessibleDescriptionRole: lambda line: line.description,
}

"""Rows of an import preview, ready to paint, as Qt sees them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.domain.transfer.import_plan import Decision, ImportRow
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel


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


@dataclass(frozen=True, slots=True)
class ImportItem:
    """A row of the file, and what would happen with it."""

    row: ImportRow
    decision: Decision


class ImportListModel(RowListModel[ImportItem]):
    """The rows of a file in one column.

    A file may hold tens of thousands: the line of a row is made when it is asked for.
    """

    def __init__(
        self, line: Callable[[ImportItem], ImportLine], parent: QObject | None = None
    ) -> None:
        """Begin without rows.

        Args:
            line: Puts a row into words.
            parent: Owner of the model.
        """
        super().__init__(
            _number,
            {
                ImportRole.LINE: line,
                ImportRole.IS_HEADING: lambda _item: False,
                Qt.ItemDataRole.DisplayRole: lambda item: line(item).text,
                Qt.ItemDataRole.AccessibleTextRole: lambda item: _spoken(line(item)),
                Qt.ItemDataRole.AccessibleDescriptionRole: lambda item: line(item).description,
            },
            parent,
        )


def _number(item: ImportItem) -> int:
    return item.row.number


def _spoken(line: ImportLine) -> str:
    return f"{line.status}, {line.text}"

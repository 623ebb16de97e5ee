"""Rows of the command palette as Qt sees them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inklings_desktop.ui.kit.lists.row_list_model import RowListModel

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


class PaletteRole(IntEnum):
    """What the delegate asks for."""

    ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class PaletteHeading:
    """The name of a section."""

    text: str

    @property
    def key(self) -> str:
        """Tells it apart."""
        return f"heading:{self.text}"


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One thing to go to or to do; every text is final.

    Attributes:
        key: Kind and id, such as ``channel:0f3c``; unique in the list.
        text: What it is called, or the beginning of a memory.
        spans: Start and length of what matches in the text.
        icon: Name of its icon; a memory has the rings of its tier instead.
        rings: How many rings are inked; 0 shows the icon.
        role: Colour role of icon or rings.
        hint: What it is, at the right.
        keys: Keys at the right, in place of the hint.
        is_memory: Set in the reading face.
    """

    key: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    icon: str = ""
    rings: int = 0
    role: str = "inkSoft"
    hint: str = ""
    keys: str = ""
    is_memory: bool = False


PaletteRow = PaletteHeading | PaletteItem


class PaletteModel(RowListModel[PaletteRow]):
    """Sections and their rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            lambda row: row.key,
            {
                Qt.ItemDataRole.DisplayRole: lambda row: row.text,
                Qt.ItemDataRole.AccessibleTextRole: lambda row: row.text,
                Qt.ItemDataRole.AccessibleDescriptionRole: _description,
                PaletteRole.ROW: lambda row: row,
            },
            parent,
        )

    def is_heading(self, row: PaletteRow) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, PaletteHeading)


def _description(row: PaletteRow) -> str:
    return "" if isinstance(row, PaletteHeading) else row.hint or row.keys

"""What the import dialog shows: its rows, ready to paint, and all the rest."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.foreign.formats import NO_WISHES, Wishes
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportPreview,
    ImportRow,
    ImportStatus,
    TightScope,
    decided,
    tight_scopes,
)
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.words.word_marks import Spans


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

    LINE = Qt.ItemDataRole.UserRole + 4


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
            parent,
            text=lambda item: line(item).text,
            spoken=lambda item: _spoken(line(item)),
            description=lambda item: line(item).description,
            others={ImportRole.LINE: line},
        )


def _number(item: ImportItem) -> int:
    return item.row.number


def _spoken(line: ImportLine) -> str:
    return f"{line.status}, {line.text}"


@dataclass(frozen=True, slots=True)
class ImportFile:
    """The rows of one preview, sorted once: a file may hold tens of thousands.

    Attributes:
        by_status: The rows of each status in the order of the file; all of them under None.
        by_number: Each row.
        defaults: What happens with each row while nobody decides.
        tight: Scopes that could become too full.
    """

    by_status: Mapping[ImportStatus | None, tuple[ImportRow, ...]]
    by_number: Mapping[int, ImportRow]
    defaults: Mapping[int, Decision]
    tight: tuple[TightScope, ...] = ()

    @classmethod
    def of(cls, preview: ImportPreview) -> ImportFile:
        """Sort the rows of a preview."""
        rows = preview.rows
        by_status: dict[ImportStatus | None, tuple[ImportRow, ...]] = {
            one: tuple(row for row in rows if row.status is one) for one in ImportStatus
        }
        by_status[None] = rows
        by_number = {row.number: row for row in rows}
        return cls(by_status, by_number, decided(rows, {}), tight_scopes(preview))

    def decided_as(self, before: ImportState | None) -> Mapping[int, Decision]:
        """What happens with each row: as it was decided before where nothing of the row differs."""
        if before is None:
            return self.defaults
        known = before.file.by_number
        same = {row.number for row in self.by_status[None] if row == known.get(row.number)}
        return {
            number: before.chosen[number] if number in same else decision
            for number, decision in self.defaults.items()
        }

    def count(self, status: ImportStatus | None) -> int:
        return len(self.by_status[status])


@dataclass(frozen=True, slots=True)
class ImportTo:
    """One place that the files can go to.

    Attributes:
        label: What it is called.
        into: The workspace that takes the place of the one the file names; None for that.
        place: Where memories go whose file names no place; None for an export of ours.
    """

    label: str
    into: str | None = None
    place: ScopeKey | None = None


@dataclass(frozen=True, slots=True)
class ImportState:
    """An import that is being looked at.

    Attributes:
        file_name: Name of the file, or of the folder; empty where several were named.
        preview: What it would do.
        file: Its rows.
        now: When it was looked at; ages count from it.
        targets: Where it can go.
        chosen: What would happen with every row, by its number.
        shown: Only rows of this status; None shows all.
        current: Number of the row whose texts are compared.
        marks: The number of a row and the words that differ in its two texts, once they are found.
        is_writing: Whether it is being carried out.
        is_looking: Whether another preview is under way, and this one answers a question no more.
        problem: Title and text of what went wrong; empty for nothing.
        wishes: How foreign files are read.
    """

    file_name: str
    preview: ImportPreview
    file: ImportFile
    now: datetime
    targets: tuple[ImportTo, ...]
    chosen: Mapping[int, Decision]
    shown: ImportStatus | None = None
    current: int = 0
    marks: tuple[int, Spans, Spans] = (-1, (), ())
    is_writing: bool = False
    is_looking: bool = False
    problem: tuple[str, str] = ("", "")
    wishes: Wishes = NO_WISHES

    @property
    def is_busy(self) -> bool:
        """Whether nothing can be decided just now."""
        return self.is_writing or self.is_looking

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """The rows on show."""
        return self.file.by_status[self.shown]

    @property
    def n_written(self) -> int:
        """How many rows would be written: the figure on the button."""
        return sum(one is not Decision.KEEP for one in self.chosen.values())

    @property
    def overfull(self) -> TightScope | None:
        """The first place that would be too full after this; None while everything fits."""
        return next((one for one in self.file.tight if one.n_over(self.chosen)), None)

    @property
    def row(self) -> ImportRow | None:
        """The row whose texts are compared."""
        return self.file.by_number.get(self.current)

    @property
    def target(self) -> ImportTo | None:
        """Where it goes; None when that is no question."""
        goes_to = (self.preview.into, self.preview.place)
        return next((one for one in self.targets if (one.into, one.place) == goes_to), None)

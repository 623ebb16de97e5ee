"""What the import dialog shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.transfer.import_capacity import tight_scopes
from inklings_desktop.domain.transfer.import_plan import Decision, ImportStatus, decided

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.transfer.import_capacity import TightScope
    from inklings_desktop.domain.transfer.import_plan import ImportPreview, ImportRow
    from inklings_desktop.ui.kit.words.word_marks import Spans


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

    def count(self, status: ImportStatus | None) -> int:
        """Rows of this status; of any for None."""
        return len(self.by_status[status])


@dataclass(frozen=True, slots=True)
class ImportState:
    """An import that is being looked at.

    Attributes:
        file_name: Name of the file.
        preview: What it would do.
        file: Its rows.
        now: When it was looked at; ages count from it.
        workspace_name: The open workspace, which the file's can go into.
        chosen: What would happen with every row, by its number.
        shown: Only rows of this status; None shows all.
        current: Number of the row whose texts are compared.
        marks: The number of a row and the words that differ in its two texts, once they are found.
        is_writing: Whether it is being carried out.
        is_looking: Whether another preview is under way, and this one answers a question no more.
        problem: Title and text of what went wrong; empty for nothing.
    """

    file_name: str
    preview: ImportPreview
    file: ImportFile
    now: datetime
    workspace_name: str
    chosen: Mapping[int, Decision]
    shown: ImportStatus | None = None
    current: int = 0
    marks: tuple[int, Spans, Spans] = (-1, (), ())
    is_writing: bool = False
    is_looking: bool = False
    problem: tuple[str, str] = ("", "")

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
    def can_choose_target(self) -> bool:
        """Whether the file's one workspace may go into the open one."""
        sections = [one for one in self.preview.document.sections if one.workspace is not None]
        return len(sections) == 1

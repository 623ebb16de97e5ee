"""What the import dialog shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.domain.import_plan import (
    Decision,
    ImportStatus,
    decided,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.import_plan import (
        ImportPreview,
        ImportRow,
    )


@dataclass(frozen=True, slots=True)
class ImportState:
    """An import that is being looked at.

    Attributes:
        file_name: Name of the file.
        preview: What it would do.
        now: When it was looked at; ages count from it.
        workspace_name: The open workspace, which the file's can go into.
        decisions: What the person decided, by row number.
        shown: Only rows of this status; None shows all.
        current: Number of the row whose texts are compared.
        is_writing: Whether it is being carried out.
        step: Stable word of the work under way; empty for none.
        problem: Title and text of what went wrong; empty for nothing.
    """

    file_name: str
    preview: ImportPreview
    now: datetime
    workspace_name: str
    decisions: Mapping[int, Decision] = field(default_factory=dict)
    shown: ImportStatus | None = None
    current: int = 0
    is_writing: bool = False
    step: str = ""
    problem: tuple[str, str] = ("", "")

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """The rows on show."""
        return tuple(
            row for row in self.preview.rows if self.shown is None or row.status is self.shown
        )

    @property
    def chosen(self) -> dict[int, Decision]:
        """What would happen with every row."""
        return decided(self.preview.rows, self.decisions)

    @property
    def n_written(self) -> int:
        """How many rows would be written: the figure on the button."""
        return sum(one is not Decision.KEEP for one in self.chosen.values())

    @property
    def row(self) -> ImportRow | None:
        """The row whose texts are compared."""
        return next((one for one in self.preview.rows if one.number == self.current), None)

    @property
    def can_choose_target(self) -> bool:
        """Whether the file's one workspace may go into the open one."""
        sections = [one for one in self.preview.document.sections if one.workspace is not None]
        return len(sections) == 1

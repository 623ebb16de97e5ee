"""Lists deleted companions; one of them can be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice, ChoiceDialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class DeletedEntriesDialog(ChoiceDialog):
    """Deleted companions, the latest first; Enter or a double click brings one back."""

    def __init__(self, rows: Sequence[Choice], parent: QWidget) -> None:
        what_follows = self.tr(
            "It comes back with all its revisions, and the agent reads it again from the next turn."
        )
        super().__init__(
            parent,
            self.tr("Restore a deleted entry"),
            what_follows if rows else self.tr("No companion was deleted."),
            rows,
            name="deletedEntriesDialog",
            label=self.tr("Deleted entries"),
            yes=self.tr("Restore"),
            on_enter=True,
        )

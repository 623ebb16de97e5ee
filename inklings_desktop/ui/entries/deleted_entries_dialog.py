"""Lists deleted companions; one of them can be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.ui.kit.dialogs.choice_dialog import Choice, ChoiceDialog, ChoiceWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class DeletedEntriesDialog(ChoiceDialog):
    """Deleted companions, the latest first; Enter or a double click brings one back."""

    def __init__(self, rows: Sequence[Choice], parent: QWidget) -> None:
        super().__init__(parent)
        words = ChoiceWords(
            self.tr("Restore a deleted entry"),
            self.tr(
                "It comes back with all its revisions, and the agent reads it again from the "
                "next turn."
            ),
            self.tr("No companion was deleted."),
            self.tr("Deleted entries"),
            self.tr("Restore"),
        )
        self.offer(words, rows, on_enter=True)
        self.setObjectName("deletedEntriesDialog")
        self.list.itemActivated.connect(self._on_list_item_activated)

    @Slot()
    def _on_list_item_activated(self) -> None:
        self.accept()

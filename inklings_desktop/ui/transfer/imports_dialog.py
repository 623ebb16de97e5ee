"""Lists the imports that can still be taken back, each as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.dialogs.choice_dialog import Choice, ChoiceDialog, ChoiceWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class ImportsDialog(ChoiceDialog):
    """The latest import first."""

    def __init__(self, lines: Sequence[Choice], parent: QWidget) -> None:
        super().__init__(parent)
        words = ChoiceWords(
            self.tr("Take an import back"),
            self.tr(
                "What it added is forgotten and what it replaced returns. Whatever was changed"
                " since stays as it is."
            ),
            self.tr("There is no import in this workspace that could be taken back."),
            self.tr("Imports"),
            self.tr("Take back"),
        )
        self.offer(words, lines, on_enter=False)
        self.setObjectName("importsDialog")

"""Lists the imports that can still be taken back, each as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice, ChoiceDialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class ImportsDialog(ChoiceDialog):
    """The latest import first."""

    def __init__(self, lines: Sequence[Choice], parent: QWidget) -> None:
        what_follows = self.tr(
            "What it added is forgotten and what it replaced returns. Whatever was changed"
            " since stays as it is."
        )
        nothing = self.tr("There is no import in this workspace that could be taken back.")
        super().__init__(
            parent,
            self.tr("Take an import back"),
            what_follows if lines else nothing,
            lines,
            name="importsDialog",
            label=self.tr("Imports"),
            yes=self.tr("Take back"),
        )

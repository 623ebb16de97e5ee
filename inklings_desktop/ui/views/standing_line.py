"""The line below an empty workspace: which built-in entries are written and which are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inklings_desktop.ui.views.inspector_labels import Dot, plain_label
from inklings_desktop.ui.widgets.link_button import LinkButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.presenters.standing_words import StandingPart
    from inklings_desktop.ui.theme import Theme


class StandingLine(QWidget):
    """Says what an agent reads before the first turn.

    Signals:
        entry_requested: Id of the entry whose name was pressed.
    """

    entry_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("standingLine")
        self._theme = theme
        self._parts: tuple[StandingPart, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 26, 0, 0)
        self._row.setSpacing(6)

    def show_parts(self, parts: Sequence[StandingPart]) -> None:
        """Show how the entries stand."""
        if tuple(parts) == self._parts:
            return
        self._parts = tuple(parts)
        while (item := self._row.takeAt(0)) is not None:
            if (piece := item.widget()) is not None:
                piece.hide()
                piece.deleteLater()
        self._row.addStretch(1)
        self._row.addWidget(plain_label(self.tr("Before the first turn:"), "caption", self))
        for number, part in enumerate(self._parts):
            if number:
                self._row.addWidget(plain_label("\u00b7", "caption", self))
            self._row.addWidget(Dot(self._theme, "accent", filled=part.is_written, parent=self))
            name = LinkButton(part.name, self)
            name.setProperty("entry", part.entry_id)
            name.setAccessibleDescription(part.words)
            name.clicked.connect(self._on_name_clicked)
            self._row.addWidget(name)
            self._row.addWidget(plain_label(part.words, "metaInk", self))
        self._row.addStretch(1)

    @Slot()
    def _on_name_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, LinkButton):
            self.entry_requested.emit(str(sender.property("entry")))

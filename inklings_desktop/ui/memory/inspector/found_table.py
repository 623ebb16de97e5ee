"""The small table of why a search found the checked memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.marks.labels import (
    SectionTitle,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLabel

    from inklings_desktop.ui.kit.why.found_lines import FoundLine

_MOST = 12
_AIR = 7


class FoundTable(QWidget):
    """Memory, place by words, place by meaning, score; hidden while nothing is searched for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foundTable")
        self._lines: tuple[FoundLine, ...] | None = None
        self._title = SectionTitle("", parent=self)
        self._cells = QWidget(self)
        self._rows = QGridLayout(self._cells)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(16)
        self._rows.setVerticalSpacing(0)
        self._rows.setColumnStretch(0, 1)
        self.note = wrapped_label("", "meta", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self._title, self._cells, self.note):
            column.addWidget(part)
        self.hide()

    def show_lines(self, title: str, lines: Sequence[FoundLine]) -> None:
        """Show why these were found; none takes the table away."""
        self._title.name.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(
            "; ".join(f"{one.name}, {one.keyword}, {one.meaning}, {one.score}" for one in lines)
        )
        self.setVisible(bool(lines))
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        while (item := self._rows.takeAt(0)) is not None:
            if (part := item.widget()) is not None:
                part.hide()
                part.deleteLater()
        captions = (self.tr("Memory"), self.tr("Keyword"), self.tr("Meaning"), self.tr("Score"))
        for place, text in enumerate(captions):
            self._put(plain_label(text, "label", self._cells), 0, place)
        for number, line in enumerate(lines[:_MOST], start=1):
            self._rows.addWidget(rule(self._cells), 2 * number - 1, 0, 1, 4)
            name = elided_label(line.name, "metaInk", self._cells)
            self._put(name, 2 * number, 0)
            for place, text in enumerate((line.keyword, line.meaning, line.score), start=1):
                self._put(plain_label(text, "metaInk", self._cells), 2 * number, place)
        self._rows.addWidget(rule(self._cells), 2 * len(lines[:_MOST]) + 1, 0, 1, 4)
        words = self.tr("The score blends both; relevance weighs in lightly.")
        beyond = len(lines) - _MOST
        if beyond > 0:
            more = self.tr("{count} more are checked.").format(count=self.locale().toString(beyond))
            words = f"{more} {words}"
        self.note.setText(words)

    def _put(self, label: QLabel, row: int, column: int) -> None:
        label.setContentsMargins(0, _AIR, 0, _AIR)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag(0)
        self._rows.addWidget(label, row, column, side)

"""Some of what a scrub would remove, as a person recognises it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.scrub.manifest import ScrubKind
from inklings_desktop.ui.kit.dialogs.pieces import IconMark, cleared
from inklings_desktop.ui.kit.marks.labels import ElidedLabel, plain_label, rule
from inklings_desktop.ui.kit.words.memory_facts import curator_label, relevance_figure
from inklings_desktop.ui.scrub.words import sample_text

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.manifest import ScrubManifest, ScrubSample
    from inklings_desktop.ui.kit.look.theme import Theme

_ID_SHOWN = 8
_ROW_HEIGHT = 33
_COLUMNS = (82, 0, 88, 78)
_INSETS = ((14, 0), (10, 14), (6, 0), (6, 14))
_CURATORS = {
    Curator.AUTHOR.value: ("pen-nib", "ink"),
    Curator.AGENT.value: ("planet", "lapis"),
    Curator.IMPORT.value: ("download-simple", "tyrian"),
}


class SampleTable(QFrame):
    """A few lines: id, beginning of the text, curator, relevance."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", "true")
        self.setObjectName("scrubSample")
        self._caption = plain_label("", "caption", self)
        head = QHBoxLayout()
        head.setContentsMargins(14, 0, 14, 0)
        head.addWidget(plain_label(self.tr("Sample to be removed"), "label", self))
        head.addStretch(1)
        head.addWidget(self._caption)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 11, 0, 6)
        column.setSpacing(6)
        column.addLayout(head)
        column.addLayout(self._grid)

    def show_manifest(self, manifest: ScrubManifest) -> None:
        """Show the sample of a manifest."""
        self._caption.setText(sample_text(manifest))
        cleared(self._grid)
        for number, width in enumerate(_COLUMNS):
            self._grid.setColumnMinimumWidth(number, self._theme.scaled(width))
        titles = (
            self.tr("Entry"),
            self.tr("Begins"),
            self.tr("Curator"),
            self.tr("Relevance"),
        )
        for number, title in enumerate(titles):
            self._put(plain_label(title, "label", self), 0, number)
        self._put_rule(1)
        for number, sample in enumerate(manifest.sample):
            row = 2 + 2 * number
            if number:
                self._put_rule(row - 1)
            self._add(sample, row)
        self._grid.setRowMinimumHeight(0, self._theme.scaled(_ROW_HEIGHT - 9))

    def _add(self, sample: ScrubSample, row: int) -> None:
        is_note = sample.kind is ScrubKind.WORKING_NOTE
        entry = ElidedLabel(sample.id if is_note else sample.id[:_ID_SHOWN], self)
        entry.setProperty("textStyle", "monoInk")
        begins = ElidedLabel(sample.begins, self)
        begins.setProperty("textStyle", "begins")
        self._grid.setRowMinimumHeight(row, self._theme.scaled(_ROW_HEIGHT))
        self._put(entry, row, 0)
        self._put(begins, row, 1)
        self._put(self._curator(sample), row, 2)
        self._put(self._relevance(sample), row, 3)

    def _curator(self, sample: ScrubSample) -> QWidget:
        icon, role = _CURATORS.get(sample.curator, ("pen-nib", "ink"))
        name = curator_label(Curator(sample.curator)) if sample.curator in set(Curator) else ""
        cell = QWidget(self)
        line = QHBoxLayout(cell)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(IconMark(self._theme, icon, role, 14, cell))
        word = plain_label(name, "metaInk", cell)
        word.setProperty("curator", sample.curator)
        line.addWidget(word, 1)
        return cell

    def _relevance(self, sample: ScrubSample) -> QWidget:
        style = "caption"
        if sample.is_forgotten:
            said = self.tr("forgotten")
        elif sample.kind is ScrubKind.WORKING_NOTE:
            said = self.tr("note")
        elif sample.relevance is None:
            said = self.tr("named entry")
        else:
            said, style = relevance_figure(sample.relevance), "figure"
        label = plain_label(said, style, self)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setFont(self._theme.font("meta", tabular=True))
        return label

    def _put(self, cell: QWidget, row: int, column: int) -> None:
        left, right = _INSETS[column]
        cell.setContentsMargins(left, 0, right, 0)
        if row == 0 and column == len(_COLUMNS) - 1:
            self._grid.addWidget(cell, row, column, Qt.AlignmentFlag.AlignRight)
        else:
            self._grid.addWidget(cell, row, column)

    def _put_rule(self, row: int) -> None:
        line = rule(self)
        self._grid.addWidget(line, row, 0, 1, len(_COLUMNS))

"""Some of what a scrub would remove, as a person recognises it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.scrub.manifest import RUN_KINDS, ScrubKind
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import ElidedLabel, IconMark, plain_label, rule
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
        title = plain_label(tr("Sample to be removed"), "label", self)
        head = hbox(None, title, STRETCH, self._caption, margins=(14, 0, 14, 0), spacing=6)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        vbox(self, head, self._grid, margins=(0, 11, 0, 6), spacing=6)

    def show_manifest(self, manifest: ScrubManifest) -> None:
        """Show the sample of a manifest."""
        self._caption.setText(sample_text(manifest))
        cleared(self._grid)
        for number, width in enumerate(_COLUMNS):
            self._grid.setColumnMinimumWidth(number, self._theme.scaled(width))
        titles = (
            tr("Entry"),
            tr("Begins"),
            tr("Written by"),
            tr("Relevance"),
        )
        for number, title in enumerate(titles):
            self._put(plain_label(title, "label", self), 0, number)
        self._put_rule(1)
        for number, sample in enumerate(manifest.sample):
            if number:
                self._put_rule(1 + 2 * number)
            self._add(sample, 2 + 2 * number)
        self._grid.setRowMinimumHeight(0, self._theme.scaled(_ROW_HEIGHT - 9))

    def _add(self, sample: ScrubSample, line: int) -> None:
        has_name = sample.kind is ScrubKind.WORKING_NOTE
        entry = ElidedLabel(sample.id if has_name else sample.id[:_ID_SHOWN], self)
        entry.setProperty("textStyle", "monoInk")
        begins = ElidedLabel(sample.begins, self)
        begins.setProperty("textStyle", "begins")
        self._grid.setRowMinimumHeight(line, self._theme.scaled(_ROW_HEIGHT))
        cells = (entry, begins, self._curator(sample), self._relevance(sample))
        for number, cell in enumerate(cells):
            self._put(cell, line, number)

    def _curator(self, sample: ScrubSample) -> QWidget:
        icon, role = _CURATORS.get(sample.curator, ("pen-nib", "ink"))
        name = curator_label(Curator(sample.curator)) if sample.curator in set(Curator) else ""
        cell = QWidget(self)
        mark = IconMark(self._theme, icon, role, 14, cell)
        word = plain_label(name, "metaInk", cell)
        word.setProperty("curator", sample.curator)
        hbox(cell, mark, (word, 1), margins=0, spacing=4)
        return cell

    def _relevance(self, sample: ScrubSample) -> QWidget:
        style = "caption"
        if sample.is_forgotten:
            said = tr("forgotten")
        elif sample.kind is ScrubKind.WORKING_NOTE:
            said = tr("note")
        elif sample.kind is ScrubKind.MESSAGE:
            said = tr("message")
        elif sample.kind in RUN_KINDS:
            said = tr("run state")
        elif sample.relevance is None:
            said = tr("named entry")
        else:
            said, style = relevance_figure(sample.relevance), "figure"
        label = plain_label(said, style, self)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setFont(self._theme.font("meta", tabular=True))
        return label

    def _put(self, cell: QWidget, line: int, number: int) -> None:
        left, right = _INSETS[number]
        cell.setContentsMargins(left, 0, right, 0)
        if line == 0 and number == len(_COLUMNS) - 1:
            self._grid.addWidget(cell, line, number, Qt.AlignmentFlag.AlignRight)
        else:
            self._grid.addWidget(cell, line, number)

    def _put_rule(self, line: int) -> None:
        self._grid.addWidget(rule(self), line, 0, 1, len(_COLUMNS))

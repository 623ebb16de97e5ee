"""Why a search found the memory in the inspector, or the checked ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import stand_after
from inklings_desktop.ui.kit.look.layouts import fill, vbox
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    SectionTitle,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP
from inklings_desktop.ui.kit.why.pieces import FoundTable, OrderPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.why.facts import HitFacts
    from inklings_desktop.ui.kit.why.found_lines import FoundLine


_PART_GAP = 12
_SHOWN_CHARACTERS = 46


class WhySection(QWidget):
    """How it was found, what put it in its place, and what is folded into it.

    Signals:
        folded_requested: Ids of the folded memories that are to be shown, as a tuple.
        open_requested: The ``MemoryRef`` of a folded memory to look at.
    """

    folded_requested = Signal(object)
    open_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whyFound")
        self._facts: HitFacts | None = None
        self._title = SectionTitle("", remark_style="metaStrong", parent=self)
        self._name = self._title.name
        self.found = FoundTable(theme, self, titled=False)
        self.order = OrderPart(theme, tr("Place among the hits"), self)
        self._folded = plain_label("", "metaInk", self)
        self._folded.setWordWrap(True)
        self.show_folded = LinkButton(tr("Show them"), self)
        self.show_folded.setObjectName("showFolded")
        self.show_folded.clicked.connect(self._on_show_folded_clicked)
        self.links: list[LinkButton] = []
        self._links = vbox(None, spacing=0)
        column = vbox(self, margins=(0, SECTION_GAP, 0, 0), spacing=0)
        fill(column, self._title, 4, self.found, _PART_GAP, self.order)
        self._fold = QWidget(self)
        fold = vbox(self._fold, margins=(0, _PART_GAP, 0, 0), spacing=2)
        fill(fold, self._folded, self.show_folded, self._links)
        column.addWidget(self._fold)
        self.hide()

    def show_why(self, facts: HitFacts | None) -> None:
        """Show why another hit was found, or nothing while none is on show."""
        self.setVisible(facts is not None)
        if facts is None or facts == self._facts:
            return
        before, self._facts = self._facts, facts
        why = facts.why
        self._name.setText(facts.title)
        self._title.remark.setText(facts.place)
        self.setAccessibleName(f"{facts.title}, {facts.place}")
        self.found.show_found(why.found, why.fused, why.found_note)
        self.order.show_order(why.order, why.order_note)
        if before is None or before.why.folded != why.folded:
            self._show_links(())
        self._fold.setVisible(bool(why.folded))
        self._folded.setText(
            counted(
                len(why.folded),
                "1 memory says the same and is folded into this one.",
                "{n} memories say the same and are folded into this one.",
            )
        )
        self.show_folded.setText(tr("Show it") if len(why.folded) == 1 else tr("Show them"))

    def show_duplicates(self, entries: Sequence[MemoryEntry]) -> None:
        """Show the folded memories that were asked for."""
        if self._facts is not None and {one.id for one in entries} <= set(self._facts.why.folded):
            self._show_links(entries)

    def _show_links(self, entries: Sequence[MemoryEntry]) -> None:
        for link in self.links:
            self._links.removeWidget(link)
            link.hide()
            link.deleteLater()
        self.links = []
        for entry in entries:
            text = " ".join(entry.content.split())
            is_long = len(text) > _SHOWN_CHARACTERS
            shown = f"{text[: _SHOWN_CHARACTERS - 1].rstrip()}\u2026" if is_long else text
            link = LinkButton(shown.replace("&", "&&"), self)
            link.setAccessibleName(tr("Open: {text}").format(text=text))
            link.setToolTip(plain_tool_tip(entry.content))
            link.clicked.connect(partial(self.open_requested.emit, entry.ref))
            self._links.addWidget(link)
            self.links.append(link)
            link.show()
        stand_after(self.show_folded, self.links)
        self.show_folded.setVisible(not entries)

    @Slot()
    def _on_show_folded_clicked(self) -> None:
        if self._facts is not None:
            self.folded_requested.emit(self._facts.why.folded)


_MOST = 12
_AIR = 7


class CheckedTable(QWidget):
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
        vbox(self, self._title, self._cells, self.note, margins=0, spacing=8)
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
        captions = (tr_as("a single one", "Memory"), tr("Keyword"), tr("Meaning"), tr("Score"))
        for place, text in enumerate(captions):
            self._put(plain_label(text, "label", self._cells), 0, place)
        for number, line in enumerate(lines[:_MOST], start=1):
            self._rows.addWidget(rule(self._cells), 2 * number - 1, 0, 1, 4)
            name = elided_label(line.name, "metaInk", self._cells)
            self._put(name, 2 * number, 0)
            for place, text in enumerate((line.keyword, line.meaning, line.score), start=1):
                self._put(plain_label(text, "metaInk", self._cells), 2 * number, place)
        self._rows.addWidget(rule(self._cells), 2 * len(lines[:_MOST]) + 1, 0, 1, 4)
        words = tr("The score blends both; relevance weighs in lightly.")
        beyond = len(lines) - _MOST
        if beyond > 0:
            more = counted(beyond, "1 more is checked.", "{n} more are checked.")
            words = f"{more} {words}"
        self.note.setText(words)

    def _put(self, label: QLabel, row: int, column: int) -> None:
        label.setContentsMargins(0, _AIR, 0, _AIR)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag(0)
        self._rows.addWidget(label, row, column, side)

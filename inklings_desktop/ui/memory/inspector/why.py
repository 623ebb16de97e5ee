"""Why a search found the memory in the inspector: one section, there only while searching."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import SectionTitle, plain_label
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP
from inklings_desktop.ui.kit.why.pieces import FoundTable, OrderPart
from inklings_desktop.ui.kit.words.entry_facts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.why.facts import HitFacts

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
        self.order = OrderPart(theme, self.tr("Place among the hits"), self)
        self._folded = plain_label("", "metaInk", self)
        self._folded.setWordWrap(True)
        self.show_folded = LinkButton(self.tr("Show them"), self)
        self.show_folded.setObjectName("showFolded")
        self.show_folded.clicked.connect(self._on_show_folded_clicked)
        self.links: list[LinkButton] = []
        self._links = QVBoxLayout()
        self._links.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SECTION_GAP, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._title)
        column.addSpacing(4)
        column.addWidget(self.found)
        column.addSpacing(_PART_GAP)
        column.addWidget(self.order)
        self._fold = QWidget(self)
        fold = QVBoxLayout(self._fold)
        fold.setContentsMargins(0, _PART_GAP, 0, 0)
        fold.setSpacing(2)
        fold.addWidget(self._folded)
        fold.addWidget(self.show_folded)
        fold.addLayout(self._links)
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
                self.tr("1 memory says the same and is folded into this one."),
                self.tr("{n} memories say the same and are folded into this one."),
            )
        )
        self.show_folded.setText(
            self.tr("Show it") if len(why.folded) == 1 else self.tr("Show them")
        )

    def show_duplicates(self, entries: Sequence[MemoryEntry]) -> None:
        """Show the folded memories that were asked for."""
        if self._facts is not None and {one.id for one in entries} <= set(self._facts.why.folded):
            self._show_links(entries)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.show_folded, *self.links]

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
            link.setAccessibleName(self.tr("Open: {text}").format(text=text))
            link.setToolTip(plain_tool_tip(entry.content))
            link.clicked.connect(partial(self.open_requested.emit, entry.ref))
            self._links.addWidget(link)
            self.links.append(link)
            link.show()
        self.show_folded.setVisible(not entries)

    @Slot()
    def _on_show_folded_clicked(self) -> None:
        if self._facts is not None:
            self.folded_requested.emit(self._facts.why.folded)

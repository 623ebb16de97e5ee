"""Sections of the inspector that come and go: why it was found, its family, its part in a turn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.look.accessibility import named, stand_after
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr, tr_as
from inklings_desktop.ui.kit.marks.labels import (
    ReadingLabel,
    SectionTitle,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP
from inklings_desktop.ui.kit.why.pieces import WhyPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.why.facts import HitFacts
    from inklings_desktop.ui.kit.words.memory_lines import FoundLine
    from inklings_desktop.ui.memory.subject.family import FamilyState, SourceLine


_PART_GAP = 12
_SHOWN_CHARACTERS = 46


class WhySection(QWidget):
    """Why it was found, and what is folded into it.

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
        self.part = WhyPart(theme, tr("Place in the results"), parent=self)
        self._folded = plain_label("", "metaInk", self)
        self._folded.setWordWrap(True)
        self.show_folded = named(LinkButton(tr("Show them"), self), "showFolded")
        self.show_folded.clicked.connect(self._on_show_folded_clicked)
        self.links: list[LinkButton] = []
        self._links = vbox(None, spacing=0)
        column = vbox(self, margins=(0, SECTION_GAP, 0, 0), spacing=0)
        fill(column, self._title, 4, self.part)
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
        self.part.show_why(why)
        if before is None or before.why.folded != why.folded:
            self._show_links(())
        self._fold.setVisible(bool(why.folded))
        self._folded.setText(
            counted(
                len(why.folded),
                "One duplicate is grouped with it.",
                "{n} duplicates are grouped with it.",
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
    """What each checked memory was found by; hidden while nothing is searched for."""

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
        self.setAccessibleDescription("; ".join(f"{one.name}, {one.by}" for one in lines))
        self.setVisible(bool(lines))
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        cleared(self._rows)
        for place, text in enumerate((tr_as("a single one", "Memory"), tr("Found by"))):
            self._put(plain_label(text, "label", self._cells), 0, place)
        for number, line in enumerate(lines[:_MOST], start=1):
            self._rows.addWidget(rule(self._cells), 2 * number - 1, 0, 1, 2)
            self._put(elided_label(line.name, "metaInk", self._cells), 2 * number, 0)
            self._put(plain_label(line.by, "metaInk", self._cells), 2 * number, 1)
        self._rows.addWidget(rule(self._cells), 2 * len(lines[:_MOST]) + 1, 0, 1, 2)
        beyond = len(lines) - _MOST
        more = counted(beyond, "One more is checked.", "{n} more are checked.")
        self.note.setText(more if beyond > 0 else "")
        self.note.setVisible(beyond > 0)

    def _put(self, label: QLabel, row: int, column: int) -> None:
        label.setContentsMargins(0, _AIR, 0, _AIR)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag(0)
        self._rows.addWidget(label, row, column, side)


_INDENT = 18
_MOST_INDENTS = 4


class FamilySection(QWidget):
    """Cards of the sources, those of a source indented below it.

    Signals:
        open_requested: The ``MemoryRef`` of a relative to look at.
        return_requested: The ``MemoryRef`` of a source to bring back.
    """

    open_requested = Signal(object)
    return_requested = Signal(object)

    def __init__(self, theme: Theme, *, after: QWidget, parent: QWidget) -> None:
        """Show none yet.

        Args:
            after: Where Tab stops before it comes to the sources.
        """
        super().__init__(parent)
        self.setObjectName("memoryFamily")
        self._theme, self._after = theme, after
        self._sources: tuple[SourceLine, ...] = ()
        self.cards: list[SourceCard] = []
        self._title = SectionTitle(tr("Made from"), parent=self)
        self._rows = vbox(None, spacing=6)
        vbox(self, self._title, self._rows, margins=(0, SECTION_GAP, 0, 0), spacing=7)
        self.hide()

    def show_state(self, state: FamilyState) -> None:
        """Show other sources, or none; the keyboard stays on the same source."""
        self.setVisible(bool(state.sources))
        title = tr("Replaces") if state.is_replacing else tr("Made from")
        self._title.name.setText(title)
        if state.sources == self._sources:
            return
        self._sources = state.sources
        focused = next((one.ref for one in self.cards if one.has_keyboard()), None)
        for card in self.cards:
            self._rows.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self._card(line) for line in state.sources]
        stand_after(self._after, [stop for card in self.cards for stop in card.stops])
        self._title.remark.setText(
            counted(
                sum(one.depth == 0 for one in state.sources),
                "1 memory",
                "{n} memories",
            )
        )
        for card in self.cards:
            if card.ref == focused:
                card.open.setFocus()

    def _card(self, line: SourceLine) -> SourceCard:
        card = SourceCard(self._theme, line, self)
        card.open.clicked.connect(partial(self.open_requested.emit, line.ref))
        card.bring_back.clicked.connect(partial(self.return_requested.emit, line.ref))
        self._rows.addWidget(card)
        card.show()
        return card


class SourceCard(QWidget):
    """One source: what it says, how it is now, and two ways on."""

    def __init__(self, theme: Theme, line: SourceLine, parent: QWidget) -> None:
        super().__init__(parent)
        self.ref: MemoryRef = line.ref
        paper = QFrame(self)
        paper.setProperty("card", "true")
        text = ReadingLabel(theme, line.text, paper)
        left_out = named(wrapped_label(line.left_out, "caption", paper), "familyLeftOut")
        left_out.setVisible(bool(line.left_out))
        state = plain_label(line.state, "caption", paper)
        self.open = LinkButton(tr("Open"), paper)
        self.open.setObjectName("familyOpen")
        self.open.setAccessibleName(tr("Open: {text}").format(text=line.text))
        self.bring_back = PushButton(
            theme,
            tr("Restore this one"),
            icon="arrow-counter-clockwise",
            small=True,
            parent=paper,
        )
        self.bring_back.setObjectName("familyReturn")
        storing(self.bring_back)
        self.bring_back.setAccessibleName(tr("Restore this one: {text}").format(text=line.text))
        self.bring_back.setToolTip(
            tr("Restores it beside the merged memory; it is not merged again without asking")
        )
        self.bring_back.setVisible(line.can_return)
        self.stops = (self.open, self.bring_back)
        self.setAccessibleName(line.text)
        self.setAccessibleDescription(". ".join(filter(None, (line.state, line.left_out))))
        below = hbox(None, (state, 1), self.open, spacing=8)
        column = vbox(paper, margins=(12, 9, 12, 9), spacing=3)
        fill(column, text, left_out, below, (self.bring_back, 0, Qt.AlignmentFlag.AlignLeft))
        hbox(self, paper, margins=(_INDENT * min(line.depth, _MOST_INDENTS), 0, 0, 0))

    def has_keyboard(self) -> bool:
        """Whether one of its buttons has the keyboard."""
        return any(one.hasFocus() for one in self.stops)


class TurnPart(QWidget):
    """Above the text what the turn did with it, and what was said from it.

    Attributes:
        said: Stands below all else in the inspector.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("turnPart")
        self._label = plain_label("", "label", self)
        self._why = wrapped_label("", "meta", self)
        vbox(self, self._label, self._why, margins=(0, 0, 0, 6), spacing=2)
        self.said = named(QWidget(parent), "saidFromIt")
        self._text = ReadingLabel(theme, "", self.said)
        heading = plain_label(tr("What the agent said from it"), "label", self.said)
        vbox(self.said, heading, self._text, margins=(0, SECTION_GAP, 0, 0), spacing=6)
        self.show_facts("", "", "")

    def show_facts(self, label: str, why: str, said: str) -> None:
        """Show what the memory was to a turn; nothing hides it."""
        self._label.setText(label)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._text.setText(said)
        self.setVisible(bool(label))
        self.said.setVisible(bool(said))

"""What a merged memory was made from, each source with its way back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.look.accessibility import stand_after
from inklings_desktop.ui.kit.look.layouts import fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import (
    ReadingLabel,
    SectionTitle,
    plain_label,
    wrapped_label,
)
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.family import FamilyState, SourceLine

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
        left_out = wrapped_label(line.left_out, "caption", paper)
        left_out.setObjectName("familyLeftOut")
        left_out.setVisible(bool(line.left_out))
        state = plain_label(line.state, "caption", paper)
        self.open = LinkButton(tr("Open"), paper)
        self.open.setObjectName("familyOpen")
        self.open.setAccessibleName(tr("Open: {text}").format(text=line.text))
        self.bring_back = PushButton(
            theme,
            tr("Bring this one back"),
            icon="arrow-counter-clockwise",
            small=True,
            parent=paper,
        )
        self.bring_back.setObjectName("familyReturn")
        storing(self.bring_back)
        self.bring_back.setAccessibleName(tr("Bring this one back: {text}").format(text=line.text))
        self.bring_back.setToolTip(
            tr("Active again beside the merged memory; it is not merged again unasked")
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

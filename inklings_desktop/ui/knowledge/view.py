"""Pieces of the tab of facts: its two lists, a filter, and a step of the chain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QWidget

from inklings_desktop.domain.knowledge.facts import MAX_TOPIC_CHARACTERS
from inklings_desktop.domain.words.text_diff import RowKind, diff_lines
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.lists.badge_list import CellList
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate, Paragraph
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.cells import (
    Badge,
    Bar,
    Cell,
    Icon,
    Line,
    Said,
    Stack,
    Text,
)
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.panes.pieces import Notice
from inklings_desktop.ui.knowledge.facts_state import (
    AnyFactRow,
    DomainRow,
    FactHeading,
    FactRow,
    sure_role,
    sure_word,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_ROW, _AIR, _HEADING, _SIDE = 67, 22, 28, 20
_BAR, _FIGURE, _RIGHT_BLOCK = 88, 32, 150
_DOMAIN, _DOMAIN_LEFT, _DOMAIN_RIGHT = 32, 20, 14
_DOT, _DOT_TOP = 11, 6
BOTH, THIS, LEAVE = "both", "this", "leave"
"""Answers where two facts say something else."""


class FactList(CellList[AnyFactRow]):
    """Facts, below their domains where they are grouped so."""

    def __init__(self, theme: Theme, spoken: str, letters: str, parent: QWidget) -> None:
        painter = CellDelegate(theme, _said, _ROW, _HEADING, fits=partial(_height, theme))
        super().__init__(theme, spoken, _FactModel(), painter, letters=letters, parent=parent)
        self.setProperty("ground", "surface")


class _FactModel(RowListModel[AnyFactRow]):
    def __init__(self) -> None:
        super().__init__(
            lambda row: row.id,
            text=lambda row: row.text,
            description=lambda row: row.spoken if isinstance(row, FactRow) else row.count,
            tool_tip=lambda row: plain_tool_tip(row.text) if isinstance(row, FactRow) else None,
        )

    def is_heading(self, row: AnyFactRow) -> bool:
        return isinstance(row, FactHeading)


def _height(theme: Theme, row: AnyFactRow, width: float) -> float:
    if isinstance(row, FactHeading):
        return theme.scaled(_HEADING)
    block = sum(one.gap + one.width(theme) for one in _block(row))
    return _paragraph(row, "").height(theme, width - 2 * _SIDE - block) + theme.scaled(_AIR)


def _said(row: AnyFactRow, state: QStyle.StateFlag) -> Said:
    if isinstance(row, FactHeading):
        cells = (Text(row.text, "inkSoft", "label"), Text(row.count, "inkFaint", px=12, gap=8))
        ends = (Text(tr("Confidence"), "inkSoft", px=12),) if row.is_first else ()
        return Said((Line(cells, ends),), _SIDE, _SIDE, Ground("canvas"), None)
    is_current = bool(state & QStyle.StateFlag.State_Selected)
    ground = "surface" if is_current else "graphiteSoft"
    line = Line((_paragraph(row, ground),), _block(row))
    return Said((line,), _SIDE, _SIDE, Ground("surface"))


def _block(row: FactRow) -> tuple[Cell, ...]:
    """How sure it is: a bar over its word, and the figure."""
    role, share = sure_role(row.confidence), row.confidence
    word = Text(sure_word(share), "inkSoft", px=12)
    figure = Text(decimal(share, 2), role, weight=600, tabular=True)
    return (
        Stack(Bar(share, _BAR, role=role), word, 9, 11, gap=18),
        Stack(figure, Text(""), gap=_RIGHT_BLOCK - _BAR - _FIGURE),
    )


def _paragraph(row: FactRow, ground: str) -> Paragraph:
    cells: list[Cell] = [Badge(Text(row.topic, "inkSoft", px=12), ground)]
    for icon, role, text in (
        ("link-simple", "inkSoft", row.sources),
        ("clock-counter-clockwise", "inkSoft", row.superseded or row.replaced),
        ("warning", "ochre", row.warning),
    ):
        if text:
            ink = "inkSoft" if role != "ochre" else role
            cells += [Icon(icon, role, gap=10), Text(text, ink, px=12, gap=4)]
    return Paragraph(row.text, Line(tuple(cells)))


class DomainList(CellList[DomainRow]):
    """Domains with how much is in each, all of them first."""

    def __init__(self, theme: Theme, spoken: str, parent: QWidget) -> None:
        model = RowListModel[DomainRow](
            lambda row: row.id, text=lambda row: row.text, description=lambda row: row.count
        )
        super().__init__(
            theme, spoken, model, CellDelegate(theme, _domain_said, _DOMAIN), parent=parent
        )
        self.setProperty("ground", "canvas")


def _domain_said(row: DomainRow, state: QStyle.StateFlag) -> Said:
    is_current = bool(state & QStyle.StateFlag.State_Selected)
    name = Text(row.text, "ink", weight=600 if is_current else None)
    lock = (Icon("lock-simple", "inkFaint", 13),) if row.is_closed else ()
    count = Text(row.count, "inkFaint", px=12, gap=6)
    line = Line((name,), (*lock, count))
    return Said((line,), _DOMAIN_LEFT, _DOMAIN_RIGHT, Ground("canvas"), hairline="")


class TopicField(QLineEdit):
    """The topic of a fact, as it may be changed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("small", "true")
        self.setMaxLength(MAX_TOPIC_CHARACTERS)

    def show_said(self, topic: str) -> None:
        """Show another topic; the same one leaves the cursor alone."""
        if topic != self.text():
            self.setText(topic)


class Toggle(FilterChip):
    """A filter that is on or off."""

    def __init__(self, theme: Theme, label: str, icon: str, parent: QWidget) -> None:
        super().__init__(theme, label, icon=icon, toggles=True, parent=parent)

    def show_on(self, on: bool) -> None:  # noqa: FBT001 - a value that is said
        """Show it as on or off."""
        self.set_on(on=on)


class Dispute(Notice):
    """Another fact of the topic says something else: what is to be done.

    Signals:
        answered: Which answer was chosen.
    """

    answered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, icon="warning", role="ochre", ground="ochreSoft", parent=parent)
        for answer, word in (
            (BOTH, tr("Open both")),
            (THIS, tr("This one is right")),
            (LEAVE, tr("Leave it open")),
        ):
            self.add_button(word).clicked.connect(partial(self.answered.emit, answer))

    def show_said(self, other: str) -> None:
        """Say what the other one says."""
        self.say(tr("Two sources say different things."), other)


class ChangedText(MarkedText):
    """What a fact says, with the words marked that the one before it did not have."""

    def show_said(self, said: tuple[str, str]) -> None:
        """Show a text, and what it said before; empty for nothing."""
        text, before = said
        spans: tuple[tuple[int, int], ...] = ()
        if before and "\n" not in text + before:
            rows = diff_lines(before, text).rows
            spans = tuple(one for row in rows if row.kind is RowKind.ADDED for one in row.changed)
        self.show_text(text, spans)


class ChainMark(QWidget):
    """The dot of one step of a chain, filled for what stands now, and the line to the next."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._said = theme, (True, False)
        self.setFixedWidth(theme.icon_px(_DOT) + 2)
        theme.changed.connect(self.update)

    def show_said(self, said: tuple[bool, bool]) -> None:
        """Whether it stands now, and whether another step follows below."""
        self._said = said
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        is_now, goes_on = self._said
        theme, painter = self._theme, smooth_painter_on(self)
        edge, middle = theme.icon_px(_DOT), self.width() / 2
        dot = QRectF(middle - edge / 2, theme.scaled(_DOT_TOP), edge, edge)
        colour = theme.color("accent" if is_now else "inkFaint")
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour if is_now else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(1, 1, -1, -1))
        if goes_on:
            line = QRectF(middle - 0.5, dot.bottom() + 3, 1, self.height() - dot.bottom() - 3)
            painter.fillRect(line, theme.color("lineStrong"))
        painter.end()

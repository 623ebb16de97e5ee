"""What cards and dialogs of access are made of: lines of cells, rights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, write
from inklings_desktop.ui.kit.look.translation import lowered, tr
from inklings_desktop.ui.kit.page.declared import LOOK, Part, part
from inklings_desktop.ui.kit.page.parts import across, below, hairline, plate, sized, switch, words
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.access.state import CallRow, RightSwitch
    from inklings_desktop.ui.kit.look.theme import Theme

_MARK, _MARK_GAP = 14, 6
_WIDTH, _LEAST_WIDTH = 300, 200
CARD_SIDE, _SWITCH_ROW = 18, 56
_MOST_CALLS = 12
ABOVE = Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one column of a line; with a tier, its mark stands before it."""

    text: str
    role: str = "ink"
    style: str = "meta"
    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """How the lines of one table are measured, in pixels at the usual size of text.

    Attributes:
        at: Of each column the share of the width where it begins, or, with a distance, what its
            figures end so far right of; None for no distance.
        height: Of a line.
        side: Left and right of it.
        gap: Between two columns at least.
    """

    at: tuple[tuple[float, int | None], ...]
    height: int
    side: int
    gap: int


_CALLS = Columns(((0.0, None), (0.185, None), (0.50, None), (1.0, 0)), 33, CARD_SIDE, 8)


def cells(columns: Columns, *of_line: Cell, spoken: str = "", tip: str = "") -> Part:
    """A line of a table; what has no room before the next column is cut."""
    tool_tip = plain_tool_tip(tip)
    return part(_CellLine, LOOK, columns, cells=of_line, spoken=spoken, toolTip=tool_tip)


class _CellLine(QWidget):
    def __init__(self, theme: Theme, columns: Columns, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._columns = theme, columns
        self._cells: tuple[Cell, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_cells(self, cells: tuple[Cell, ...]) -> None:
        self._cells = cells
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(_WIDTH), self._theme.scaled(self._columns.height))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(_LEAST_WIDTH), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, made = self._theme, self._columns
        painter, middle = smooth_painter_on(self), self.height() / 2
        inner = self.width() - 2 * made.side
        end: float = made.side + inner
        for cell, (share, right) in zip(reversed(self._cells), reversed(made.at), strict=True):
            font = theme.font(cell.style, tabular=cell.style == "meta")
            start = x = made.side + inner * share
            if right is not None:
                start = x = x + right - QFontMetricsF(font).horizontalAdvance(cell.text)
                end = self.width()
            elif cell.tier is not None:
                edge = theme.icon_px(_MARK)
                inked, role = TIER_MARKS[cell.tier]
                place = QRectF(x, middle - edge / 2, edge, edge)
                paint_tier_mark(painter, place, inked, theme.color(role))
                x += edge + _MARK_GAP
            write(painter, x, middle, cell.text, font, theme.color(cell.role), room=end - x)
            end = start - made.gap
        painter.end()


def switch_row(one: RightSwitch, wanted: Callable[[bool], object]) -> Part:
    """Rings, what the right is, what it means, and the switch."""
    inked, role = TIER_MARKS[one.tier]
    title, note = words(one.title, "fact", way="elided"), words(one.note, way="elided")
    return plate(
        hairline(),
        plate(
            part(TierMark, LOOK, how={"inked": inked, "role": role}),
            below(STRETCH, title, note, STRETCH, spacing=1, place=(1,)),
            switch(
                one.title,
                on=one.is_on,
                wanted=wanted,
                accessibleDescription=one.note,
                name=f"right-{one.key}",
                stores=True,
            ),
            spacing=12,
            dress=sized(fixedHeight=_SWITCH_ROW),
        ),
        box=vbox,
        spacing=0,
        key=one.key,
    )


def calls_card(calls: tuple[CallRow, ...]) -> Part:
    """What a client asked for lately, newest first."""
    head = (tr("When"), tr("Tool"), tr("Tier"), tr("Answer"))
    lines = [cells(_CALLS, *(Cell(one, "inkSoft", "label") for one in head)), hairline()]
    for one in calls[:_MOST_CALLS]:
        tier = "" if one.tier is None else lowered(tier_title(one.tier))
        of_line = (
            Cell(one.age, "inkSoft"),
            Cell(one.tool, style="mono"),
            Cell(tier, tier=one.tier),
            Cell(one.answer, "madder" if one.is_refused else "ink"),
        )
        lines += [cells(_CALLS, *of_line, spoken=one.told, tip=one.exact), hairline()]
    if not calls:
        margins = (CARD_SIDE, 10, CARD_SIDE, 2)
        lines.append(across(words(tr("Nothing yet."), way="plain"), margins=margins))
    last = tr("If a program asks to delete memories for good, you are asked first.")
    return plate(
        across(
            words(tr("What it asked for"), "title", way="plain"),
            margins=(CARD_SIDE, 14, CARD_SIDE, 8),
        ),
        below(*lines, spacing=0),
        across(words(last), margins=(CARD_SIDE, 10, CARD_SIDE, 14)),
        STRETCH,
        box=vbox,
        kind="card",
        margins=1,
        spacing=0,
        name="clientCalls",
        spoken=tr("What it asked for"),
        place=(1, ABOVE),
    )

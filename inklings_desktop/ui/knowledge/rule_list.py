"""The list of house rules: a switch, the rule, its domain, from what, by whom, how often told."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.badge_list import CellList
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate, Paragraph
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel, RowRole
from inklings_desktop.ui.kit.look.cells import Badge, Cell, Celled, Line, Said, Stack, Text
from inklings_desktop.ui.kit.look.control_marks import SWITCH_HEIGHT, SWITCH_WIDTH, paint_switch
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.kit.look.text_layout import shortened
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.knowledge.grants_state import RuleRow

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
    from PySide6.QtWidgets import QStyle

    from inklings_desktop.ui.kit.look.theme import Theme

SIDE = 18
"""Pixels beside the words of a row."""
_GAP, _PADDING, _BELOW = 18, 16, 20
_ROW, _HEAD = 40, 30
_DOMAIN, _FACTS, _BY, _TOLD = 104, 88, 84, 92
_MOST_LINES, _MOST_HEIGHT = 3, 560
_MOST_OF_NAME = 14
_WIDE_FROM = 660
"""Width from which what is known of a rule stands in columns, and not below it."""


@dataclass(frozen=True, slots=True)
class _Switch(Cell):
    is_on: bool

    def width(self, theme: Theme) -> float:
        return theme.scaled(SWITCH_WIDTH)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        width, height = self.width(theme), theme.scaled(SWITCH_HEIGHT)
        rect = QRectF(round(room.left()), round(room.top() - height / 2), width, height)
        paint_switch(painter, rect, theme, on=self.is_on)
        return room.left() + width


@dataclass(frozen=True, slots=True)
class _Slot(Cell):
    """A cell in a column of so many pixels at the usual size of text."""

    cell: Cell
    px: int
    is_figure: bool = False

    def width(self, theme: Theme) -> float:
        return theme.scaled(self.px)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        away = max(0.0, self.width(theme) - self.cell.width(theme)) if self.is_figure else 0
        inside = QRectF(room.left() + away, room.top(), self.width(theme) - away, 0)
        self.cell.draw(painter, theme, inside)
        return room.left() + self.width(theme)


def _columns(domain: Cell, facts: Cell, by: Cell, told: Cell) -> tuple[Cell, ...]:
    return (
        _Slot(domain, _DOMAIN, gap=_GAP),
        _Slot(facts, _FACTS),
        _Slot(by, _BY),
        _Slot(told, _TOLD, is_figure=True),
    )


def _badge(row: RuleRow) -> Badge:
    return Badge(Text(shortened(row.domain, _MOST_OF_NAME), "inkSoft", px=12), "graphiteSoft")


def _paragraph(row: RuleRow, *, is_wide: bool) -> Paragraph:
    more = Text(row.more, "inkSoft", px=12)
    below = Line((more,)) if row.more else Line(())
    if not is_wide:
        rest = ", ".join(one for one in (row.facts, row.by, row.told, row.more) if one)
        check = (Text(row.check, "ochre", weight=600, px=12, gap=8),) if row.check else ()
        below = Line((_badge(row), *check, Text(rest, "inkSoft", px=12, gap=8)))
    height = _BELOW if row.more or not is_wide else 0
    return Paragraph(row.text, below, most=_MOST_LINES, below_px=height, gap=_GAP)


def _said(row: RuleRow, _state: QStyle.StateFlag, *, is_wide: bool) -> Said:
    cells = (_Switch(row.is_on), _paragraph(row, is_wide=is_wide))
    if not is_wide:
        return Said((Line(cells),), SIDE, SIDE)
    facts: Cell = Text(row.facts, "inkSoft")
    if row.check:
        facts = Stack(facts, Text(row.check, "ochre", weight=600))
    by, told = Text(row.by, "inkSoft"), Text(row.told, "inkSoft", tabular=True)
    return Said((Line(cells, _columns(_badge(row), facts, by, told)),), SIDE, SIDE)


class RuleHead(Celled, QWidget):
    """Names of the columns over a strong rule; hidden where there are none."""

    stands_on = Ground("surface", below="lineStrong")

    def __init__(self, theme: Theme, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._fit)
        self._fit()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        is_wide = self.width() >= _wide_from(self._theme)
        self.setFixedHeight(self._theme.scaled(_HEAD) if is_wide else 1)

    def said(self) -> Said:
        if self.width() < _wide_from(self._theme):
            return Said(())
        names = (tr("Domain"), tr("From"), tr("Written by"), tr("Told"))
        labels = (Text(one, "inkSoft", "label") for one in names)
        on = _Slot(Text(tr("Active"), "inkSoft", "label"), SWITCH_WIDTH)
        rule = Text(tr("Rule"), "inkSoft", "label", gap=_GAP)
        return Said((Line((on, rule), _columns(*labels)),), SIDE, SIDE)


def _wide_from(theme: Theme) -> float:
    return _WIDE_FROM * theme.text_scale


class RuleList(CellList[RuleRow]):
    """Rows as high as their rules; as high as all of them, up to about ten.

    Signals:
        switched: Id of a rule, whose switch was pressed.
        dropped: Id of a rule that is to be forgotten.
    """

    switched = Signal(str)
    dropped = Signal(str)

    def __init__(self, theme: Theme, name: str, *, parent: QWidget) -> None:
        model = RowListModel[RuleRow](
            attrgetter("id"), text=attrgetter("text"), description=attrgetter("spoken")
        )
        self._theme = theme
        self._delegate = CellDelegate[RuleRow](theme, self._say, _ROW, fits=self._height)
        super().__init__(theme, name, model, self._delegate, parent=parent)

    @property
    def is_wide(self) -> bool:
        """Whether what is known of a rule stands in columns."""
        return self.width() >= _wide_from(self._theme)

    def _say(self, row: RuleRow, state: QStyle.StateFlag) -> Said:
        return _said(row, state, is_wide=self.is_wide)

    def _height(self, row: RuleRow, width: float) -> float:
        theme = self._theme
        taken = 2 * SIDE + theme.scaled(SWITCH_WIDTH) + _GAP
        if self.is_wide:
            taken += _GAP + sum(theme.scaled(one) for one in (_DOMAIN, _FACTS, _BY, _TOLD))
        text = _paragraph(row, is_wide=self.is_wide).height(theme, width - taken)
        least = theme.scaled(_BELOW) * 2 if row.check else 0
        return max(text, least) + theme.scaled(_PADDING)

    def refresh_heights(self) -> None:
        super().refresh_heights()
        whole = self.verticalHeader().length()
        self.setFixedHeight(max(1, min(whole, self._theme.scaled(_MOST_HEIGHT))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space switches the current rule, and Delete forgets it."""
        act = {Qt.Key.Key_Space.value: self.switched, Qt.Key.Key_Delete.value: self.dropped}
        if event.key() in act and self.current_id():
            act[event.key()].emit(self.current_id())
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Presses the switch where it is."""
        super().mousePressEvent(event)
        row = self.indexAt(event.position().toPoint()).data(RowRole.ROW)
        at = as_painted(event.position(), self.viewport()).x()
        is_switch = SIDE <= at <= SIDE + self._theme.scaled(SWITCH_WIDTH)
        if is_switch and isinstance(row, RuleRow) and event.button() is Qt.MouseButton.LeftButton:
            self.switched.emit(row.id)

"""The one delegate of lists whose rows say their cells; a cell of words on several lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtWidgets import QStyle

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.memory_row_layout import Excerpt, lay_excerpt
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel
from inklings_desktop.ui.kit.lists.row_table import RowDelegate
from inklings_desktop.ui.kit.look.cells import Cell, Line
from inklings_desktop.ui.kit.look.hidden_marks import paint_places
from inklings_desktop.ui.kit.look.mirror import begin_cell, upright
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from inklings_desktop.ui.kit.look.cells import Said
    from inklings_desktop.ui.kit.look.theme import Theme

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Paragraph(Cell):
    """What is remembered, on as many lines as it needs, with a line of other cells below it.

    Attributes:
        text: Without line breaks; cut after ``most`` lines.
        below: Stands under it.
        px: Size of its type.
        line_px: Between two lines, at the usual size of text.
        below_px: Height of what stands below, likewise.
    """

    text: str
    below: Line
    most: int = 2
    px: int = 15
    line_px: int = 22
    below_px: int = 23

    def width(self, theme: Theme) -> float:  # noqa: ARG002 - it takes what the others leave
        return 0

    def height(self, theme: Theme, width: float) -> float:
        """Height of all of it in pixels, where it has this width."""
        return self._laid(theme, width).n_lines * theme.scaled(self.line_px) + theme.scaled(
            self.below_px
        )

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        laid, step, below = (
            self._laid(theme, room.width()),
            theme.scaled(self.line_px),
            theme.scaled(self.below_px),
        )
        height = laid.n_lines * step + below
        place = QPointF(room.left(), round(room.top() - height / 2))
        painter.setPen(theme.color("ink"))
        with upright(painter, room.center().x()):
            laid.layout.draw(painter, place)
            paint_places(painter, theme, laid.hidden, place)
        under = QRectF(room.left(), place.y() + laid.n_lines * step, room.width(), below)
        self.below.draw(painter, theme, under)
        return room.right()

    def _laid(self, theme: Theme, width: float) -> Excerpt:
        return lay_excerpt(
            self.text,
            font=theme.font("reading", px=self.px),
            line_px=theme.scaled(self.line_px),
            width=max(width, 1.0),
            max_lines=self.most,
            rtl=reads_right_to_left(self.text),
        )


class CellDelegate(RowDelegate, Generic[R]):
    """Draws rows of a list of one column."""

    def __init__(
        self,
        theme: Theme,
        said: Callable[[R, QStyle.StateFlag], Said],
        row_px: int,
        heading_px: int = 0,
        parent: QObject | None = None,
        *,
        fits: Callable[[R, float], float] | None = None,
    ) -> None:
        """Build the delegate.

        Args:
            said: What a row says as it stands.
            row_px: Height of a row at the usual size of text, in pixels.
            heading_px: Height of a heading, likewise; 0 for that of a row.
            fits: Height that a row needs at a width, both in pixels; None: all are of one height.
        """
        super().__init__(theme, parent)
        self._said = said
        self.row_px, self.heading_px = row_px, heading_px
        self._fits, self.fits_rows = fits, fits is not None

    def say(self, said: Callable[[R, QStyle.StateFlag], Said]) -> None:
        """Let rows say something else; the list is to be painted anew."""
        self._said = said

    def height_at(self, index: AnyIndex, width: int) -> int:
        model: Any = index.model()
        row = model.row_at(index)
        if self._fits is None or row is None or model.is_heading(row):
            return super().height_at(index, width)
        return round(self._fits(row, width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paints the cells of a row on its ground, or its heading."""
        theme, rect = self._theme, QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_ringed = self._ring and bool(state & QStyle.StateFlag.State_HasFocus)
        model = index.model()
        assert isinstance(model, RowListModel)
        row: Any = model.row_at(index)  # not the long way by Qt
        said = self._said(row, state)
        ground = said.ground
        if is_selected:
            ground = said.selected
            if is_ringed:  # the ring runs where the bar would be
                ground = replace(ground, bar="")
        elif said.hovered is not None and state & QStyle.StateFlag.State_MouseOver:
            ground = said.hovered
        begin_cell(painter, option.rect)
        ground.paint_in(painter, rect, theme)
        if said.hairline:
            self.paint_hairline(painter, rect)
        said.draw(painter, theme, rect.adjusted(0, 0, 0, -1 if said.hairline else 0))
        if is_ringed:
            self.paint_ring(painter, rect)
        painter.restore()

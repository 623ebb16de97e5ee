"""The one delegate of lists whose rows say their cells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, QRectF
from PySide6.QtWidgets import QStyle

from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel
from inklings_desktop.ui.kit.lists.row_table import RowDelegate
from inklings_desktop.ui.kit.look.mirror import begin_cell

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from inklings_desktop.ui.kit.look.cells import Said
    from inklings_desktop.ui.kit.look.theme import Theme

R = TypeVar("R")


class CellDelegate(RowDelegate, Generic[R]):
    """Draws rows of a list of one column."""

    def __init__(
        self,
        theme: Theme,
        said: Callable[[R, QStyle.StateFlag], Said],
        row_px: int,
        heading_px: int = 0,
        parent: QObject | None = None,
    ) -> None:
        """Build the delegate.

        Args:
            said: What a row says as it stands.
            row_px: Height of a row at the usual size of text, in pixels.
            heading_px: Height of a heading, likewise; 0 for that of a row.
        """
        super().__init__(theme, parent)
        self._said = said
        self.row_px, self.heading_px = row_px, heading_px

    def say(self, said: Callable[[R, QStyle.StateFlag], Said]) -> None:
        """Let rows say something else; the list is to be painted anew."""
        self._said = said

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

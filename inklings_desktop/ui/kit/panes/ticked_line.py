"""A line of a list that can be ticked, with the window's own check box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.kit.controls.check_box import box_edge, paint_check_box

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inklings_desktop.ui.kit.look.theme import Theme

_LEFT, _GAP = 8, 10


class TickedLine(QStyledItemDelegate):
    """Draws the ground as the style does, then box and text; one that has no box keeps its room."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one line."""
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        text, shown.text = shown.text, ""
        shown.features &= ~QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        style = shown.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        rect = QRectF(shown.rect)
        check = index.data(Qt.ItemDataRole.CheckStateRole)
        edge = box_edge(self._theme)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if check is not None:
            top = round(rect.center().y() - edge / 2)
            box = QRectF(rect.left() + _LEFT, top, edge, edge)
            paint_check_box(painter, box, self._theme, Qt.CheckState(check))
        rect.setLeft(rect.left() + _LEFT + edge + _GAP)
        rect.setRight(rect.right() - _LEFT)
        painter.setFont(shown.font)
        painter.setPen(self._theme.color("ink" if check is not None else "inkFaint"))
        line = shown.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, round(rect.width()))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)
        painter.restore()

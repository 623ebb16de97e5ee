"""The list of groups at the left of the Settings page: rows as the rail has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.ui.kit.look.mirror import draw_picture, turn_in
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.groups import GroupSpec

_ROW = 32
_ICON = 18
_BAR_WIDTH, _BAR_HEIGHT = 3, 16
_ID = Qt.ItemDataRole.UserRole
_ICON_NAME = Qt.ItemDataRole.UserRole + 1


class _GroupDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, self._theme.scaled(_ROW))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, rect = self._theme, QRectF(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_current or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(theme.color("selected" if is_current else "hover"))
            painter.drawRoundedRect(rect, 6, 6)
        if is_current:
            bar = QRectF(rect.left(), 0, _BAR_WIDTH, _BAR_HEIGHT)
            bar.moveTop(rect.center().y() - _BAR_HEIGHT / 2)
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(bar, 1.5, 1.5)
        edge = theme.icon_px(_ICON)
        picture = theme.pixmap(
            index.data(_ICON_NAME),
            "accent" if is_current else "inkSoft",
            _ICON,
            weight="fill" if is_current else "regular",
            ratio=painter.device().devicePixelRatioF(),
        )
        middle = rect.center().y()
        draw_picture(painter, QPointF(rect.left() + 10, round(middle - edge / 2)), picture)
        font = theme.font("bodyStrong" if is_current else "body")
        colour = theme.color("ink" if is_current else "inkSoft")
        write(painter, rect.left() + 20 + edge, middle, str(index.data()), font, colour)
        painter.restore()


class GroupList(QListWidget):
    """Groups below each other; arrows and clicks choose.

    Signals:
        chosen: Id of the group that is wanted.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, groups: Sequence[GroupSpec], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("settingsGroups")
        self.setAccessibleName(tr("Groups of settings"))
        self.setItemDelegate(_GroupDelegate(theme, self))
        self.setProperty("inset", "true")
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one in groups:
            item = QListWidgetItem(one.title, self)
            item.setData(_ID, one.id)
            item.setData(_ICON_NAME, one.icon)
        self.currentItemChanged.connect(self._on_current_item_changed)
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def show_current(self, group_id: str) -> None:
        """Mark a group, without a signal."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if self.item(row).data(_ID) == group_id:
                    self.setCurrentRow(row)
        self.viewport().update()

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_current_item_changed(
        self, current: QListWidgetItem | None, _before: QListWidgetItem | None
    ) -> None:
        if current is not None:
            self.chosen.emit(current.data(_ID))

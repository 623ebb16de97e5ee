"""The Settings page: the list of groups at the left, the group on show beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.look.accessibility import FocusRing, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.mirror import begin_cell
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.panes.banner import Banner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent

    from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.panes.banner import BannerContent
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

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(0, self._theme.scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        theme, rect = self._theme, QRectF(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        begin_cell(painter, option.rect)
        if is_current or option.state & QStyle.StateFlag.State_MouseOver:
            has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
            line = "focus" if is_current and has_focus and FocusRing.is_by_key() else ""
            theme.draw_box(painter, rect, "selected" if is_current else "hover", 6, line=line)
        if is_current:
            bar = QRectF(rect.left(), 0, _BAR_WIDTH, _BAR_HEIGHT)
            bar.moveTop(rect.center().y() - _BAR_HEIGHT / 2)
            theme.draw_box(painter, bar, "accent", 1.5)
        middle = rect.center().y()
        edge = theme.draw_icon(
            painter,
            (rect.left() + 10, middle),
            index.data(_ICON_NAME),
            "accent" if is_current else "inkSoft",
            _ICON,
            weight="fill" if is_current else "regular",
        )
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
        self.setProperty("ring", "none")  # its current row has one
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


_LIST = 220
_WINDOW_NARROW_BELOW = 1100


class SettingsView(QWidget):
    """Everything right of the rail.

    Attributes:
        list: The groups, where there is room for them.
        menu_button: Opens them where there is not.
        menu: What it opens.
        stack: The group on show.
        banner: Says what in the settings file cannot be used.

    Signals:
        group_chosen: Id of the group that is wanted.
        left: The person wants back to the page before.
    """

    group_chosen = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, groups: Sequence[GroupSpec], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("settingsPage")
        on_ground(self, "canvas")
        self._theme = theme
        self._titles = {one.id: one.title for one in groups}
        self._scrolls: dict[str, QScrollArea] = {}
        self.list = GroupList(theme, groups, self)
        self.list.chosen.connect(self.group_chosen)
        self._side = QWidget(self)
        title = plain_label(tr("Settings"), "title", self._side)
        title.setIndent(10)  # where the icons of the rows begin
        vbox(self._side, title, (self.list, 1), margins=(10, 18, 10, 8), spacing=14)
        self._rule = QFrame(self)
        self._rule.setProperty("upright", "true")
        self.menu_button = named(MenuButton(theme, self), "settingsMenu", tr("Groups of settings"))
        self.menu = QMenu(self.menu_button)
        for one in groups:
            self.menu.addAction(one.title, partial(self.group_chosen.emit, one.id))
        self.menu_button.clicked.connect(self._on_menu_wanted)
        self.banner = named(Banner(theme, inset=True, parent=self), "settingsBanner")
        self._bar = QWidget(self)
        hbox(self._bar, self.menu_button, STRETCH, margins=(32, 12, 32, 0))
        self.stack = QStackedWidget(self)
        row = hbox(self, self._side, self._rule, margins=0, spacing=0)
        self._said = QWidget(self)
        vbox(self._said, self.banner, margins=(32, 12, 32, 0))
        self._said.hide()
        fill(row, (vbox(None, self._said, self._bar, (self.stack, 1), spacing=0), 1))
        self.show_narrow(narrow=False)
        theme.dress(self._on_theme_changed)

    def add_group(self, group_id: str, view: QWidget) -> None:
        """Let a group stand beside the others."""
        scroll = QScrollArea(self.stack)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(view)
        self._scrolls[group_id] = scroll
        self.stack.addWidget(scroll)

    def show_group(self, group_id: str) -> None:
        """Show a group that stands."""
        self.stack.setCurrentWidget(self._scrolls[group_id])
        self.list.show_current(group_id)
        self.menu_button.setText(self._titles[group_id])

    def show_problems(self, content: BannerContent | None) -> None:
        """Say what in the settings file cannot be used; nothing for none of it."""
        self._said.setVisible(content is not None)
        self.banner.show_content(content)

    def show_control(self, group_id: str, control: str) -> None:
        """Bring the keyboard to one setting of a group, and the setting into sight."""
        scroll = self._scrolls[group_id]
        found = scroll.findChild(QWidget, control)
        if found is None:
            return
        scroll.ensureWidgetVisible(found)
        _focus_first_in(found)

    def focus_list(self, reason: Qt.FocusReason = Qt.FocusReason.ShortcutFocusReason) -> None:
        """Bring the keyboard to the list, or to the button that stands for it."""
        (self.menu_button if self._side.isHidden() else self.list).setFocus(reason)

    def focus_group(self) -> None:
        """Bring the keyboard to the first control of the group on show."""
        if (scroll := self.stack.currentWidget()) is not None:
            _focus_first_in(scroll)

    def show_narrow(self, *, narrow: bool) -> None:
        """A button in place of the list, or the list."""
        self._side.setVisible(not narrow)
        self._rule.setVisible(not narrow)
        self._bar.setVisible(narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds the list away where the window is narrow."""
        super().resizeEvent(event)
        self.show_narrow(narrow=self.window().width() < _WINDOW_NARROW_BELOW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes back on Escape, once nothing inside wants it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_menu_wanted(self) -> None:
        self.menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._side.setFixedWidth(self._theme.scaled(_LIST) - 1)


def _focus_first_in(widget: QWidget) -> None:
    """Bring the keyboard to a widget, or to the first in it that takes it."""
    for one in (widget, *widget.findChildren(QWidget)):
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible() and one.isEnabled():
            one.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return

"""The list of workspaces under the card: open one, or name, find or delete it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QAction, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.mirror import turn_in
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import paint_crest
from inklings_desktop.ui.kit.marks.labels import elided_label
from inklings_desktop.ui.kit.ops.storing import storing, why_withheld
from inklings_desktop.ui.rail.wishes import WorkspaceRow, WorkspaceWish

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH = 300
_ROW_HEIGHT = 46
_MAX_ROWS = 8
_CREST = 30
_GAP = 10
_INSET = 6
_MARK = 16
_ROW = Qt.ItemDataRole.UserRole
_IS_OPEN = Qt.ItemDataRole.UserRole + 1
_KEYS: dict[int, WorkspaceWish] = {
    Qt.Key.Key_Return: WorkspaceWish.OPEN,
    Qt.Key.Key_Enter: WorkspaceWish.OPEN,
    Qt.Key.Key_F2: WorkspaceWish.RENAME,
    Qt.Key.Key_Delete: WorkspaceWish.DELETE,
}
_STORING = frozenset({WorkspaceWish.RENAME, WorkspaceWish.DELETE})
_OF_NONE = frozenset({WorkspaceWish.NEW, WorkspaceWish.ADOPT, WorkspaceWish.SAMPLE})


class WorkspaceSwitcher(Popover):
    """Rows to open, and what can be done with the one that is marked."""

    def __init__(
        self,
        theme: Theme,
        wanted: Callable[[WorkspaceWish, str], None],
        *,
        offers_sample: bool,
        parent: QWidget,
    ) -> None:
        """Show none yet.

        Args:
            wanted: Told a wish, and the id of the workspace that is meant.
            offers_sample: Whether the sample world is among them.
        """
        super().__init__(theme, tr("Workspaces"), parent)
        self._wanted = wanted
        self._look = theme
        self._current = ""
        self.setObjectName("workspaceSwitcher")
        self.list = named(QListWidget(self), "workspaceList", tr("Workspaces"))
        self.list.setProperty("inset", "true")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumWidth(theme.scaled(_WIDTH))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_RowDelegate(theme, self))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_context_menu_requested)
        self.list.itemClicked.connect(lambda: self._ask(WorkspaceWish.OPEN))
        self.list.installEventFilter(self)
        self.body.addWidget(self.list)
        self._whose = elided_label("", "label", self)
        self.body.addWidget(self._whose)
        self.list.currentItemChanged.connect(self._on_current_item_changed)
        self.rename = storing(
            self._button(WorkspaceWish.RENAME, tr("Rename\u2026"), "pencil-simple")
        )
        self.folder = self._button(WorkspaceWish.FOLDER, tr("Show folder"), "arrow-square-out")
        self.delete = storing(
            self._button(WorkspaceWish.DELETE, tr("Delete\u2026"), kind="quietDanger")
        )
        marked = hbox(None, self.rename, self.folder, STRETCH, self.delete, spacing=2)
        self.body.addLayout(marked)
        rule = QFrame(self)
        rule.setProperty("level", "true")
        rule.setFrameShape(QFrame.Shape.HLine)
        self.body.addWidget(rule)
        self.new = storing(self._button(WorkspaceWish.NEW, tr("New workspace\u2026"), "plus"))
        foot = hbox(None, spacing=2)
        self.adopt = storing(
            self._button(WorkspaceWish.ADOPT, tr("Open folder\u2026"), "folder-simple")
        )
        self.adopt.setToolTip(tr("Copy a workspace from another folder"))
        fill(foot, self.new, STRETCH, self.adopt)
        self.body.addLayout(foot)
        if offers_sample:
            self.sample = storing(self._button(WorkspaceWish.SAMPLE, tr("Open the sample world")))
            self.body.addWidget(self.sample, 0, Qt.AlignmentFlag.AlignLeft)

    def show_rows(self, rows: Sequence[WorkspaceRow], current_id: str) -> None:
        """Show these workspaces; the marked one stays marked while it is there."""
        held = self._marked()
        marked_id = held.id if held is not None else current_id
        self._current = current_id
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(row.name)
            item.setData(_ROW, row)
            item.setSizeHint(QSize(0, self._look.scaled(_ROW_HEIGHT)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, row.name)
            item.setData(
                Qt.ItemDataRole.AccessibleDescriptionRole,
                tr("open now, {detail}").format(detail=row.detail)
                if row.id == current_id
                else row.detail,
            )
            item.setToolTip(plain_tool_tip(f"{row.name}\n{row.detail}" if row.detail else row.name))
            item.setData(_IS_OPEN, row.id == current_id)
            self.list.addItem(item)
            if row.id == marked_id:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.count():
            self.list.setCurrentRow(0)
        n_rows = min(max(self.list.count(), 1), _MAX_ROWS)
        self.list.setFixedHeight(n_rows * self._look.scaled(_ROW_HEIGHT) + 2)
        self.adjustSize()

    @Slot()
    def _on_current_item_changed(self) -> None:
        """Say which one will be renamed or deleted: seldom the open one, and for good."""
        row = self._marked()
        name = row.name if row is not None else ""
        self._whose.setText(name)
        for button, words in (
            (self.rename, tr("Rename {name}")),
            (self.folder, tr("Show the folder of {name}")),
            (self.delete, tr("Delete {name}")),
        ):
            button.setAccessibleName(words.format(name=name))
            button.setToolTip(plain_tool_tip(words.format(name=name)))

    def menu_for_marked(self) -> QMenu | None:
        """What can be done with the marked workspace, as a menu made anew."""
        row = self._marked()
        if row is None:
            return None
        menu = QMenu(self)
        name = row.name.replace("&", "&&")
        for text, wish in (
            (tr("Open {name}"), WorkspaceWish.OPEN),
            (tr("Rename {name}\u2026"), WorkspaceWish.RENAME),
            (tr("Show the folder of {name}"), WorkspaceWish.FOLDER),
            (tr("Delete {name}\u2026"), WorkspaceWish.DELETE),
        ):
            action = QAction(text.format(name=name), menu)
            action.triggered.connect(partial(self._ask, wish))
            menu.addAction(action)
            if wish in _STORING:
                storing(action)
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter opens, F2 names anew, Delete asks about deleting."""
        if watched is self.list and isinstance(event, QKeyEvent):
            wish = _KEYS.get(event.key()) if event.type() is QEvent.Type.KeyPress else None
            if wish is not None:
                if wish not in _STORING or not why_withheld():
                    self._ask(wish)
                return True
        return super().eventFilter(watched, event)

    def _button(
        self, wish: WorkspaceWish, text: str, icon: str = "", kind: str = "quiet"
    ) -> PushButton:
        button = PushButton(self._look, text, kind=kind, icon=icon, small=True, parent=self)
        button.clicked.connect(partial(self._ask, wish))
        return button

    def _marked(self) -> WorkspaceRow | None:
        row = self.list.currentIndex().data(_ROW)
        return row if isinstance(row, WorkspaceRow) else None

    def _ask(self, wish: WorkspaceWish) -> None:
        row = self._marked()
        self.close()
        if wish in _OF_NONE:
            self._wanted(wish, "")
        elif row is not None and not (wish is WorkspaceWish.OPEN and row.id == self._current):
            self._wanted(wish, row.id)

    @Slot(QPoint)
    def _on_context_menu_requested(self, place: QPoint) -> None:
        below = self.list.indexAt(place)
        if below.isValid():
            self.list.setCurrentIndex(below)
        menu = self.menu_for_marked()
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(place))


class _RowDelegate(QStyledItemDelegate):
    """Crest, name, what it holds below, a tick at the open one."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one workspace."""
        row: WorkspaceRow = index.data(_ROW)
        is_open = bool(index.data(_IS_OPEN))
        theme, rect = self._theme, QRectF(option.rect)
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            theme.draw_box(painter, rect.adjusted(0, 1, 0, -1), "selected", 6)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            theme.draw_box(painter, rect.adjusted(0, 1, 0, -1), "hover", 6)
        top = rect.center().y() - _CREST / 2
        crest = QRectF(rect.left() + _INSET, top, _CREST, _CREST)
        paint_crest(painter, crest, row.id, theme)
        left = rect.left() + _INSET + _CREST + _GAP
        end = rect.right() - _INSET
        mark = ("check", "accent") if is_open else ("warning", "ochre")
        if is_open or not row.is_readable:
            edge = theme.icon_px(_MARK)
            theme.draw_icon(painter, (end - edge, rect.center().y()), *mark, _MARK)
            end -= edge + _GAP
        width = end - left
        name = theme.font("bodyStrong" if is_open else "body")
        self._line(painter, QPointF(left, rect.top() + rect.height() * 0.33), width, row.name, name)
        caption = theme.font("meta", px=12)
        role = "inkSoft" if row.is_readable else "ochre"
        lower = QPointF(left, rect.top() + rect.height() * 0.70)
        self._line(painter, lower, width, row.detail, caption, role)
        painter.restore()

    def _line(
        self,
        painter: QPainter,
        middle: QPointF,
        width: float,
        text: str,
        font: QFont,
        role: str = "ink",
    ) -> None:
        ink = self._theme.color(role)
        write(painter, middle.x(), middle.y(), text, font, ink, room=width)

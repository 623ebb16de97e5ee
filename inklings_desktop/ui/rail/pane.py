"""The rail at the left: workspace, pages, channels, conversations; background work at its foot."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRectF,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeView,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.look.layouts import hbox, on_ground, own_viewport, vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.storing import storing, why_withheld
from inklings_desktop.ui.rail.delegate import RailDelegate
from inklings_desktop.ui.rail.model import RailConversation, RailModel, RailPage, RailSection
from inklings_desktop.ui.rail.task_strip import TaskStrip
from inklings_desktop.ui.rail.wishes import RoomAction
from inklings_desktop.ui.rail.workspace_card import WorkspaceCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.rail.model import RailChannel, RailTop

_RIGHT = 2
_TOP_SHARE = 0.26  # of its height, like the name beneath it
_COMPACT_BELOW = 18


class RailPane(QWidget):
    """Workspace card above a tree of places, and what runs in the background below it.

    Attributes:
        model: What the tree shows.
        is_walked: Whether the place that is being chosen was reached by arrow or letter: who walks
            through the rail wants to see where each row leads, and to walk on.

    Signals:
        row_chosen: Id of the rail row that was clicked, reached by key or entered.
        menu_requested: Id of the row whose menu is wanted, and where on the screen.
        asked: A ``RoomAction`` that is wanted by key or button, the id of the row that is meant,
            and the widget that asks.
    """

    row_chosen = Signal(str)
    menu_requested = Signal(str, QPoint)
    asked = Signal(object, str, QWidget)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.model = RailModel(self)
        self._delegate = RailDelegate(theme, self)
        self.card = WorkspaceCard(theme, self)
        self.tree = QTreeView(self)
        own_viewport(self.tree)
        self.tree.setObjectName("rail")
        self.tree.setProperty("rail", "true")
        self.tree.setAccessibleName(tr("Places"))
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setMinimumWidth(1)  # the narrow rail is narrower than a scroll area likes to be
        self.tree.header().setMinimumSectionSize(1)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.tree.setIndentation(0)
        self.tree.setItemsExpandable(False)
        self.tree.setMouseTracking(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.clicked.connect(self._on_clicked)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._on_context_menu_requested)
        self.tree.installEventFilter(self)
        self._compact = False
        self._current_id = ""
        self._archived_shown = False
        self._rooms_marks = (False, False)
        self._only_looks = False
        self._by_key = False
        self.is_walked = False
        self.tree.viewport().installEventFilter(self)
        # A rail with many rooms scrolls: counts stand beside the bar, not below it.
        self.tree.verticalScrollBar().rangeChanged.connect(self._fit_column)
        self.tasks = TaskStrip(theme, self)
        self._layout = vbox(None, self.card, (self.tree, 1), spacing=10)
        vbox(self, (self._layout, 1), self.tasks, margins=0, spacing=0)
        on_ground(self, "window")
        self.set_compact(compact=False)
        theme.changed.connect(self.tree.doItemsLayout)

    def show_rows(self, rows: Sequence[RailTop], current_id: str) -> None:
        """Show places and mark the current one, without announcing a choice."""
        bar = self.tree.verticalScrollBar()
        offset = bar.value()
        with QSignalBlocker(self.tree.selectionModel()):
            is_anew = self.model.replace_rows(rows)
            if is_anew:
                self.tree.expandAll()
            if is_anew or self._archived_shown != _has_archived(rows):
                self._add_section_bars()
            current = self.model.index_of(self._row_for(current_id))
            self.tree.setCurrentIndex(current)
        self._mark_rooms(rows, current_id)
        self.tree.executeDelayedItemsLayout()
        bar.setValue(offset)
        if current_id != self._current_id:
            self._current_id = current_id
            self.tree.scrollTo(current)
        self.tree.viewport().update()

    def _row_for(self, current_id: str) -> str:
        """The row that is marked: the narrow rail has a conversation's page in its place."""
        row = self.model.row_at(self.model.index_of(current_id))
        if not (self._compact and isinstance(row, RailConversation)):
            return current_id
        tops = (self.model.row_at(self.model.index(n, 0)) for n in range(self.model.rowCount()))
        return next(one.id for one in tops if isinstance(one, RailPage) and one.adds)

    def _mark_rooms(self, rows: Sequence[RailTop], current_id: str) -> None:
        """Show at the button of all rooms what their rows would show, if there were room."""
        channels = [one for top in rows if isinstance(top, RailSection) for one in top.channels]
        rooms: list[RailChannel | RailConversation] = [*channels]
        for channel in channels:
            rooms += channel.conversations
        is_current = any(one.id == current_id for one in channels)
        is_unread = any(one.is_unread for one in rooms)
        self._rooms_marks = (is_current, is_unread)
        for section in self.tree.findChildren(RailSectionBar):
            section.mark(is_current=is_current, is_unread=is_unread)

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self._only_looks = True
        self.card.setEnabled(False)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._add_section_bars()

    def set_compact(self, *, compact: bool) -> None:
        """Icons only, 56 wide, or labels, 228 wide."""
        self._compact = compact
        self._delegate.set_compact(compact=compact)
        self.card.set_compact(compact=compact)
        self.tasks.set_compact(compact=compact)
        # The hairline at its right belongs to the width.
        self.setFixedWidth(self.theme.px("railCompact" if compact else "rail") - 1)
        side = 0 if compact else 10
        self._layout.setContentsMargins(side, 10, side, 8)
        self._fit_column()
        self._add_section_bars()
        with QSignalBlocker(self.tree.selectionModel()):
            self.tree.setCurrentIndex(self.model.index_of(self._row_for(self._current_id)))
        self.tree.doItemsLayout()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the tree F2 names the current room anew, and Enter goes to the place it leads to."""
        if watched is self.tree.viewport() and event.type() is QEvent.Type.MouseButtonPress:
            self._by_key = False
        if (
            watched is self.tree
            and isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
        ):
            self._by_key = True
            row = self.model.row_at(self.tree.currentIndex())
            if event.key() == Qt.Key.Key_F2:
                if row is not None and not self._only_looks and not why_withheld():
                    self.asked.emit(RoomAction.RENAME, row.id, self.tree)
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                if row is not None and not isinstance(row, RailSection):
                    self.row_chosen.emit(row.id)
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the one column as wide as the rail; a hidden header does not."""
        super().resizeEvent(event)
        self._fit_column()

    @Slot()
    def _fit_column(self) -> None:
        margins = self._layout.contentsMargins()
        bar = self.tree.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > bar.minimum() else 0
        width = self.width() - margins.left() - margins.right() - taken
        self.tree.header().resizeSection(0, width)

    def _add_section_bars(self) -> None:
        """Give every section its buttons; a reset of the tree takes them away."""
        for position in range(self.model.rowCount()):
            index = self.model.index(position, 0)
            row = self.model.row_at(index)
            if isinstance(row, RailSection) and self._only_looks:
                self.tree.setIndexWidget(index, QWidget())
            elif isinstance(row, RailSection):
                self._archived_shown = row.has_archived
                section = RailSectionBar(
                    self.theme, compact=self._compact, has_archived=row.has_archived
                )
                is_current, is_unread = self._rooms_marks
                section.mark(is_current=is_current, is_unread=is_unread)
                for wish, button in section.buttons.items():
                    button.clicked.connect(partial(self._ask, wish, button))
                self.tree.setIndexWidget(index, section)
                for earlier, later in pairwise((self.tree, *section.buttons.values())):
                    QWidget.setTabOrder(earlier, later)
            elif isinstance(row, RailPage) and row.adds and not self._only_looks:
                plus = RailPlus(self.theme, row.adds, compact=self._compact)
                plus.button.clicked.connect(partial(self._ask, RoomAction.TALK, plus.button))
                self.tree.setIndexWidget(index, plus)
                QWidget.setTabOrder(self.tree, plus.button)

    @Slot(QPoint)
    def _on_context_menu_requested(self, place: QPoint) -> None:
        # By mouse the row below it is meant, by key the current one.
        index = self.tree.indexAt(place)
        row = self.model.row_at(index if index.isValid() else self.tree.currentIndex())
        where = self.tree.viewport().mapToGlobal(place)
        self.menu_requested.emit(row.id if row is not None else "", where)

    def _ask(self, wish: RoomAction, button: QWidget) -> None:
        self.asked.emit(wish, "", button)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, before: QModelIndex) -> None:
        row = self.model.row_at(current)
        if isinstance(row, RailSection):
            self._pass_over(current, before)
            return
        if row is None:
            return
        self.is_walked = self._by_key and self.tree.hasFocus()
        try:
            self.row_chosen.emit(row.id)
        finally:
            self.is_walked = False

    def _pass_over(self, heading: QModelIndex, before: QModelIndex) -> None:
        """Go on past a heading that a key led to, as no heading is a place."""
        tree = self.tree
        is_down = tree.visualRect(before).top() < tree.visualRect(heading).top()
        there = tree.indexBelow(heading) if is_down else tree.indexAbove(heading)
        tree.setCurrentIndex(there if there.isValid() else before)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        # A click on the current row means it too: the place may have moved on since.
        row = self.model.row_at(index)
        is_place = row is not None and not isinstance(row, RailSection)
        if row is not None and is_place and index == self.tree.currentIndex():
            self.row_chosen.emit(row.id)


def _has_archived(rows: Sequence[RailTop]) -> bool:
    return any(isinstance(one, RailSection) and one.has_archived for one in rows)


class RailPlus(QWidget):
    """Lies over the row of a page: what is not its button belongs to the row below."""

    def __init__(self, theme: Theme, name: str, *, compact: bool) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.button = IconButton(theme, "plus", name, size=14, parent=self)
        self.button.setObjectName("railNewConversation")
        storing(self.button)
        side = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignHCenter
        if not compact:
            side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        hbox(self, margins=(0, 0, 0 if compact else _RIGHT, 0)).addWidget(self.button, 0, side)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the rest of the row to the mouse."""
        super().resizeEvent(event)
        self.setMask(self.button.geometry())


class RailSectionBar(QWidget):
    """Stands over the section's row; the name beneath it is the delegate's.

    Attributes:
        buttons: By what each asks for, in the order of the Tab key.
    """

    def __init__(
        self, theme: Theme, *, compact: bool, has_archived: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._is_compact, self._theme = compact, theme
        self._is_current = self._is_unread = False
        self.buttons: dict[RoomAction, IconButton] = {}
        row = hbox(self, spacing=0)
        if compact:
            row.setContentsMargins(0, 0, 0, _COMPACT_BELOW)
            rooms = IconButton(
                theme, "chats-circle", tr("Channels and conversations"), size=20, parent=self
            )
            rooms.setObjectName("railRooms")
            row.addWidget(rooms, 0, Qt.AlignmentFlag.AlignCenter)
            self.buttons[RoomAction.ROOMS] = rooms
            return
        row.setContentsMargins(0, 0, _RIGHT, 0)
        row.addStretch(1)
        archived = IconButton(
            theme, "archive", tr("Archived channels and conversations"), size=14, parent=self
        )
        archived.setObjectName("railArchived")
        archived.setVisible(has_archived)
        new = IconButton(theme, "plus", tr("New channel"), size=14, parent=self)
        new.setObjectName("railNewChannel")
        storing(new)
        row.addWidget(archived, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(new, 0, Qt.AlignmentFlag.AlignVCenter)
        self.buttons |= {RoomAction.ARCHIVED: archived, RoomAction.NEW_CHANNEL: new}

    def mark(self, *, is_current: bool, is_unread: bool) -> None:
        """Say whether a room is on show, and whether something is new in any."""
        self._is_current, self._is_unread = is_current, is_unread
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws what stands around the button of all rooms in the narrow rail."""
        if not self._is_compact or not (self._is_current or self._is_unread):
            return
        theme = self._theme
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        button = self.buttons[RoomAction.ROOMS].geometry()
        if self._is_current:
            ground = QRectF(8, button.center().y() - 17, self.width() - 16, 34)
            theme.draw_box(painter, ground, "selected", 6)
            bar = QRectF(8, button.center().y() - 8, 3, 16)
            theme.draw_box(painter, bar, "accent", 1.5)
        if self._is_unread:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("lapis"))
            painter.drawEllipse(QRectF(self.width() / 2 + 8, button.center().y() - 15, 7, 7))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None and not self._is_compact:
            layout.setContentsMargins(0, round(_TOP_SHARE * self.height()), _RIGHT, 0)

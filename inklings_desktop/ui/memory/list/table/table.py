"""The list of memories as a control and as Qt's model: current row, boxes, keys, a menu."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import contextmanager
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyleOptionViewItem

from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, PlacedListModel
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import lifetime_label
from inklings_desktop.ui.memory.acts.menus import (
    CHANGES,
    ENDS,
    STATES,
    TEXTS,
    Actable,
    ListActions,
    offer,
    show_keys,
)
from inklings_desktop.ui.memory.acts.table import MemoryAct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate

_CHECK = Qt.ItemDataRole.CheckStateRole


class MemoryListModel(PlacedListModel[Row]):
    """Headings, memories and working notes in one column, loaded page by page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("id"), parent, text=_text, description=_description, tool_tip=_tooltip
        )
        self._checked: frozenset[str] = frozenset()

    @property
    def is_checking(self) -> bool:
        """Whether any memory is checked, loaded or not."""
        return bool(self._checked)

    def is_checked(self, memory_id: str) -> bool:
        """Whether this memory is checked."""
        return memory_id in self._checked

    def set_checked(self, ids: AbstractSet[str]) -> None:
        """Check these memories and no others; those that are not loaded yet count as well."""
        before, self._checked = self._checked, frozenset(ids)
        switched = bool(before) != bool(self._checked)
        changed = before ^ self._checked
        runs: list[tuple[int, int]] = []
        for place, row in (*enumerate(self._rows), *sorted(self._far.items())):
            if isinstance(row, MemoryRow) and (switched or row.id in changed):
                if runs and runs[-1][1] == place - 1:
                    runs[-1] = (runs[-1][0], place)
                else:
                    runs.append((place, place))
        for first, last in runs:
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0), [_CHECK])

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self._checked and isinstance(self.row_at(index), MemoryRow):
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role; its check only while memories are being checked."""
        if role != _CHECK:
            return super().data(index, role)
        row = self.row_at(index) if self._checked else None
        if not isinstance(row, MemoryRow):
            return None
        is_checked = row.id in self._checked
        return Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked

    def is_heading(self, row: Row) -> bool:
        return isinstance(row, HeadingRow)


def _text(row: Row) -> str:
    match row:
        case HeadingRow():
            return f"{row.text}, {row.detail}" if row.detail else row.text
        case MemoryRow():
            return row.excerpt
        case NoteRow():
            return f"{row.key} = {row.value_line}"


def _description(row: Row) -> str:
    return row.detail if isinstance(row, HeadingRow) else row.accessible_description


def _tooltip(row: Row) -> str | None:
    return (row.tooltip or None) if isinstance(row, MemoryRow) else None


class RowStretch:
    """The anchor of a stretch of rows and its other end, through changes of the list.

    It ends when another row becomes current without Shift, or when a row is checked by itself:
    the next one is begun there.
    """

    def __init__(self, model: MemoryListModel) -> None:
        self._rows = model
        self._anchor = QPersistentModelIndex()
        self._end = QPersistentModelIndex()
        self._anchor_id = self._end_id = ""
        self._is_drawn = False

    def begin(self, index: QModelIndex) -> bool:
        """Begin here unless one is being drawn already; whether this is a new one."""
        if self._found().isValid():
            return False
        self._anchor = QPersistentModelIndex(index)
        self._anchor_id = self._id_of(index)
        return True

    def drawn_to(self, index: QModelIndex) -> tuple[int, int]:
        """First and last place of the stretch, now that it leads here."""
        self.begin(index)  # where nothing was current it begins where it leads
        self._end, self._end_id = QPersistentModelIndex(index), self._id_of(index)
        start = self._found().row()
        return min(start, index.row()), max(start, index.row())

    def end(self) -> None:
        """The next one is begun anew."""
        self._anchor = self._end = QPersistentModelIndex()
        self._anchor_id = self._end_id = ""

    def end_elsewhere(self, current: QModelIndex) -> None:
        """End if another row became current; not while the list is read anew around the same."""
        if self._is_drawn or not current.isValid():
            return
        is_same = self._end.isValid() and self._end.row() == current.row()
        if not is_same and (not self._end_id or self._id_of(current) != self._end_id):
            self.end()

    @contextmanager
    def being_drawn(self) -> Iterator[None]:
        """A row becomes current by drawing."""
        self._is_drawn = True
        try:
            yield
        finally:
            self._is_drawn = False

    def _found(self) -> QModelIndex | QPersistentModelIndex:
        """Where the anchor stands now; its row may have moved."""
        named = self._rows.index_of(self._anchor_id) if self._anchor_id else None
        return named if named is not None and named.isValid() else self._anchor

    def _id_of(self, index: QModelIndex) -> str:
        row = self._rows.row_at(index)
        return "" if row is None else row.id


_ENDS = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End})
_MOVES = _ENDS | {
    Qt.Key.Key_Up,
    Qt.Key.Key_K,
    Qt.Key.Key_Down,
    Qt.Key.Key_J,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
}
ScrollHint = QAbstractItemView.ScrollHint
_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def _nothing_more(_menu: QMenu) -> None:
    """For a table without a bar."""


class MemoryTable(RowTable):
    """Shows memories and working notes, and says what a person does to them.

    While memories are checked, a click on a row still makes it current; the box, Ctrl and Shift
    check. A heading or a working note is never checked.

    Signals:
        toggle_requested: Id of a memory to check or uncheck.
        reach_requested: Ids of a stretch, as a tuple, and whether it was begun just now: it goes
            from where the first Shift found one to where the last one led.
        span_requested: First and last place of such a stretch where some rows are still unread,
            and whether it was begun just now.
        all_requested: Check everything that the list holds.
        escape_pressed: Let go of something.
        act_requested: A ``MemoryAct``.
        note_touched: A working note was to be changed, which nobody here may.
        row_pressed_again: Id of the current memory, which was clicked once more.
        came_into_view: It is on show, again or for the first time.
    """

    toggle_requested = Signal(str)
    reach_requested = Signal(tuple, bool)
    span_requested = Signal(int, int, bool)
    all_requested = Signal()
    escape_pressed = Signal()
    act_requested = Signal(object)
    note_touched = Signal()
    row_pressed_again = Signal(str)
    came_into_view = Signal()
    _headings: Sequence[int] = ()

    def __init__(
        self, delegate: MemoryDelegate, model: MemoryListModel, parent: QWidget | None = None
    ) -> None:
        """Begin without rows.

        Args:
            delegate: Paints them.
            model: Holds them.
        """
        super().__init__(delegate, parent=parent)
        self._delegate = delegate
        self._rows = model
        self._stretch = RowStretch(model)
        self._may_change = True
        self._awaits_checks = False
        self.is_searched = False
        self.fill_for_checked: Callable[[QMenu], None] = _nothing_more
        """Puts into a menu what can be done to all that is checked."""
        self.setObjectName("memoryList")
        self.setModel(model)
        self.selectionModel().currentRowChanged.connect(self._stretch.end_elsewhere)
        self.activated_by_key.connect(lambda: self.act_requested.emit(MemoryAct.EDIT))
        self.doubleClicked.connect(self._on_double_clicked)
        self.actions_of = ListActions(self, self.act_requested.emit)

    def withhold_changes(self) -> None:
        """Offer only what changes nothing: to look and to copy."""
        self._may_change = False
        self._delegate.withhold_boxes()
        self.actions_of.withhold_changes()

    def word_anew(self, now: Callable[[Row], Row]) -> None:
        """Let the rows on show say what they say by now."""
        seen = {
            place: self._rows.row_at(self._rows.index(place, 0)) for place in self.places_on_show()
        }
        aged = {place: now(row) for place, row in seen.items() if row is not None}
        self._rows.reword({place: row for place, row in aged.items() if row != seen[place]})

    @Slot()
    def show_possible_acts(self) -> None:
        """Leave out of menu and palette what would change nothing."""
        if self.isVisible():
            self.actions_of.show_possible(
                None if self.is_checking else self.current_row() or Actable()
            )

    def has_choice(self) -> bool:
        """Whether a row is current, or memories are checked."""
        return self.is_checking or self.currentIndex().isValid()

    @property
    def is_checking(self) -> bool:
        """Whether memories are being checked."""
        return self._rows.is_checking

    def set_checked(self, ids: AbstractSet[str]) -> None:
        """Show which memories are checked; none ends the checking."""
        was_checking, self._awaits_checks = self.is_checking, self._awaits_checks and not ids
        self._rows.set_checked(ids)
        if was_checking != self.is_checking:
            self._delegate.set_checking(checking=self.is_checking)
            self.viewport().update()
        if was_checking and not ids:
            self._stretch.end()

    def current_row(self) -> MemoryRow | None:
        """The current memory; None for a working note and for nothing."""
        row = self._rows.row_at(self.currentIndex())
        return row if isinstance(row, MemoryRow) else None

    # -- the heading that was scrolled out stays in sight ---------------------------------

    def updateGeometries(self) -> None:  # noqa: N802 - Qt calls it so
        """Look again where headings stand: Qt asks for it whenever rows come, go or change."""
        super().updateGeometries()
        if self.model() is not None:
            self._headings = list(self._rows.heading_places(0, self._rows.rowCount() - 1))

    def _pinned(self) -> tuple[int, QRect]:
        """The heading of the first row on show, and where; the next one pushes it out."""
        number = bisect_right(self._headings, self.rowAt(0)) - 1
        if number < 0 or self.rowViewportPosition(self._headings[number]) >= 0:
            return -1, QRect()
        height = self._delegate.heading_height
        below = [self.rowViewportPosition(one) for one in self._headings[number + 1 : number + 2]]
        top = min([0, *(one - height for one in below)])
        return self._headings[number], QRect(0, top, self.viewport().width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        place, rect = self._pinned()
        if place >= 0:
            option = QStyleOptionViewItem()
            option.rect, option.widget = rect, self
            painter = QPainter(self.viewport())
            self._delegate.paint(painter, option, self._rows.index(place, 0))
            painter.end()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)  # moves what is painted, and the heading with it
        if self._headings:
            height = self._delegate.heading_height + abs(dy)
            self.viewport().update(0, 0, self.viewport().width(), height)

    def indexAt(self, place: QPoint) -> QModelIndex:  # noqa: N802 - Qt calls it so
        pinned, rect = self._pinned()
        is_on_it = pinned >= 0 and rect.contains(place)
        return self._rows.index(pinned, 0) if is_on_it else super().indexAt(place)

    def scrollTo(self, index: AnyIndex, hint: ScrollHint = ScrollHint.EnsureVisible) -> None:  # noqa: N802 - Qt calls it so
        """Bring a row into sight, from under the heading as well."""
        super().scrollTo(index, hint)
        place, rect = self._pinned()
        hidden = rect.bottom() + 1 - self.visualRect(index).top()
        if place >= 0 and place != index.row() and hidden > 0:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - hidden)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_into_view.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Checks on Space, extends on Shift, checks everything on Ctrl+A."""
        key, modifiers = event.key(), event.modifiers()
        plain = modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Escape and not plain:
            if self.is_checking or self.is_searched or self._awaits_checks:
                self._awaits_checks = False
                self.escape_pressed.emit()
            else:
                event.ignore()  # the window may leave for it
        elif not self._may_change:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space and not plain:
            self._toggle(self.currentIndex())
        elif (plain == _SHIFT and key in _MOVES) or (plain == _SHIFT | _CONTROL and key in _ENDS):
            self._extend(key)
        elif plain == _CONTROL and key == Qt.Key.Key_A:
            self._awaits_checks = True  # Escape takes back what is still being looked up
            self.all_requested.emit()
        else:
            if key in _MOVES:
                self._stretch.end()
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the menu of the row pointed at; by the keyboard, of the current one."""
        place = event.pos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.scrollTo(self.currentIndex())
            place = self.visualRect(self.currentIndex()).center()
        row = self._rows.row_at(self.indexAt(place))
        menu = self._menu_of(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(self.viewport().mapToGlobal(place))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Checks where the box is, and with Ctrl or Shift anywhere."""
        index = self.indexAt(event.position().toPoint())
        row = self._rows.row_at(index)
        if isinstance(row, HeadingRow):
            return
        is_left = event.button() is Qt.MouseButton.LeftButton
        if not is_left or not isinstance(row, MemoryRow) or not self._may_change:
            super().mousePressEvent(event)
            return
        modifiers = event.modifiers()
        if modifiers & _SHIFT:
            self._reach(index)
        elif self._delegate.is_on_box(as_painted(event.position(), self.viewport()).x()):
            self._toggle(index)
        elif modifiers & _CONTROL:
            self._add(index)
        else:
            is_again = index == self.currentIndex()
            self._stretch.end()
            super().mousePressEvent(event)
            if is_again and not self.is_checking:
                self.row_pressed_again.emit(row.id)
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick clicks where clicks check are two of them."""
        is_on_box = self._delegate.is_on_box(as_painted(event.position(), self.viewport()).x())
        if self._may_change and (is_on_box or event.modifiers() & (_SHIFT | _CONTROL)):
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def _act_on(self, row_id: str, act: MemoryAct) -> None:
        """Do it to the row that a menu was opened on; another may be current by now."""
        index = self._rows.index_of(row_id)
        if index.isValid():
            if index != self.currentIndex():
                self._make_current(index)
            self.act_requested.emit(act)

    def _toggle(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index)
        if not isinstance(row, MemoryRow):
            if row is not None:
                self.note_touched.emit()
            return
        self._stretch.end()
        self.toggle_requested.emit(row.id)
        self._make_current(index)

    def _add(self, index: QModelIndex) -> None:
        """Check a row beside what is selected: the first one goes along with the current row."""
        here = self.currentIndex()
        row = self._rows.row_at(here)
        if not self.is_checking and isinstance(row, MemoryRow) and here != index:
            self.toggle_requested.emit(row.id)
        self._toggle(index)

    def _extend(self, key: int) -> None:
        is_new = self._stretch.begin(self.currentIndex())
        with self._stretch.being_drawn():
            self.moves_by(key)
        self._stretch_to(self.currentIndex(), is_new=is_new)

    def _reach(self, index: QModelIndex) -> None:
        here = self.currentIndex()
        is_new = self._stretch.begin(here if here.isValid() else index)
        self._stretch_to(index, is_new=is_new)

    def _stretch_to(self, index: QModelIndex, *, is_new: bool) -> None:
        """Ask for what lies between where the stretch was begun and this row, and go there."""
        first, last = self._stretch.drawn_to(index)
        if any(self._rows.is_awaited(place) for place in range(first, last + 1)):
            self._awaits_checks = True
            self.span_requested.emit(first, last, is_new)
        else:
            rows = [self._rows.row_at(self._rows.index(one, 0)) for one in range(first, last + 1)]
            ids = tuple(row.id for row in rows if isinstance(row, MemoryRow))
            self.reach_requested.emit(ids, is_new)
        with self._stretch.being_drawn():
            self._make_current(index)

    def _make_current(self, index: QModelIndex) -> None:
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def _menu_of(self, row: Row | None) -> QMenu:
        """What can be done where this row is; nothing for what is no memory."""
        menu = QMenu(self)
        if self.is_checking and self._may_change:
            self._fill_for_checked(menu, row)
        elif isinstance(row, MemoryRow):
            self._fill_for(menu, row)
        return menu

    def _fill_for_checked(self, menu: QMenu, row: Row | None) -> None:
        """What can be done to all that is checked, and to the row pointed at."""
        if isinstance(row, MemoryRow):
            is_checked = self._rows.is_checked(row.id)
            toggle = partial(self.toggle_requested.emit, row.id)
            menu.addAction(tr("Uncheck") if is_checked else tr("Check"), toggle)
            menu.addSeparator()
        self.fill_for_checked(menu)

    def _fill_for(self, menu: QMenu, row: MemoryRow) -> None:
        emit = partial(self._act_on, row.id)
        has_lifetimes = row.lifetime_label != lifetime_label(Lifetime.CONVERSATION)
        has_pages = self.actions_of.has_pages
        about = Actable(row.forgotten, row.pinned, row.paused, row.locked, has_lifetimes, has_pages)
        if not self._may_change:
            offer(menu, emit, about, MemoryAct.COPY_TEXT)
            show_keys(menu)
            return
        groups = ((MemoryAct.EDIT, *CHANGES), (MemoryAct.COPY_TEXT, *TEXTS), STATES, ENDS)
        for acts in groups:
            offer(menu, emit, about, *acts)
            menu.addSeparator()
        check = menu.addAction(tr("Check"), lambda: self.toggle_requested.emit(row.id))
        check.setShortcut(QKeySequence("Space"))
        check.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        check.setShortcutVisibleInContextMenu(True)
        show_keys(menu)

    @Slot(QModelIndex)
    def _on_double_clicked(self, _index: QModelIndex) -> None:
        if not self.is_checking:
            self.act_requested.emit(MemoryAct.EDIT)

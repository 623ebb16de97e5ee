"""Where one stands in the memory list: the current row, what is scrolled to, and coming back."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, Signal, Slot

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.lists.row_list_model import PlacedListModel
    from inklings_desktop.ui.kit.lists.row_table import RowTable
    from inklings_desktop.ui.memory.list.content import ListContent, ListRequest
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.list.table.table import MemoryListModel, MemoryTable
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter


class TailWatch(QObject):
    """Asks once for everything that moved a list in one turn of the event loop.

    Attributes:
        request: What the list was asked to show when it was shown last.
        awaits_current: Whether the current row is one that is still to be read.
        lost_id: The row that was current until a change took its page away; it is current again
            once that page is read.

    Signals:
        rows_looked_at: First and last place on show whose row is still to be read.
    """

    rows_looked_at = Signal(int, int)

    def __init__(self, table: RowTable, model: PlacedListModel[Any], parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._model = model
        self.request: ListRequest | None = None
        self.lost_id: str | None = None
        self.awaits_current = False
        self._looking = timer(self, self._look)
        bar = table.verticalScrollBar()
        bar.valueChanged.connect(self._on_moved)
        bar.rangeChanged.connect(self._on_moved)
        model.modelReset.connect(self._on_moved)
        model.dataChanged.connect(self._on_moved)

    @Slot()
    def _on_moved(self) -> None:
        if self._model.has_tail and not self._looking.isActive():
            self._looking.start()

    @Slot()
    def _look(self) -> None:
        if not self._model.has_tail or not self._table.isVisible():
            return
        awaited = [one for one in self._table.places_on_show() if self._model.is_awaited(one)]
        if awaited:
            self.rows_looked_at.emit(awaited[0], awaited[-1])


_THIS_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one stood before the list was replaced.

    Attributes:
        current: Id of the current row.
        anchor: Id of the row at the upper edge, and how far it is scrolled past it in pixels.
        scrolled: Value of the scroll bar.
    """

    current: str | None
    anchor: tuple[str, int] | None
    scrolled: int


class ListCursor(QObject):
    """Keeps the current row and the scroll position by id, whatever becomes of the rows.

    Attributes:
        tail: Which rows far down are looked at.
        steps: Whether there is a row above and one below the current one.

    Signals:
        row_chosen: Id of the row that a person made current, or clicked once more.
        row_followed: Id of the row that became current because another one left the list.
        steps_changed: They are others now.
    """

    row_chosen = Signal(str)
    row_followed = Signal(str)
    steps_changed = Signal(bool, bool)

    def __init__(self, table: MemoryTable, model: MemoryListModel, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._model = model
        self._is_following = False
        self.steps = (False, False)
        self.tail = TailWatch(table, model, self)
        model.rows_placed.connect(self._on_rows_placed)
        table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)

    # -- the current row ----------------------------------------------------------------------

    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._model.row_at(self._table.currentIndex())
        return None if row is None or isinstance(row, HeadingRow) else row.id

    def id_at(self, place: int) -> str | None:
        """Id of the row at a place; None for headings and rows that are still to be read."""
        row = self._model.row_at(self._model.index(place, 0))
        return None if row is None or isinstance(row, HeadingRow) else row.id

    def select(self, row_id: str, *, scroll: bool = True) -> bool:
        """Make a row current; whether it is on show."""
        index = self._model.index_of(row_id)
        if not index.isValid():
            return False
        chosen = self._table.selectionModel()
        if index != self._table.currentIndex() or not chosen.isSelected(index):
            chosen.setCurrentIndex(index, _THIS_ROW)
        if scroll:
            self._table.scrollTo(index)
        return True

    def select_first(self) -> None:
        """Make the first row current."""
        self.clear()
        self._table.step(1)

    def select_next(self) -> None:
        """Make the row below current."""
        self._table.step(1)

    def select_previous(self) -> None:
        """Make the row above current."""
        self._table.step(-1)

    def select_beside(self, leaving: Collection[str]) -> None:
        """Move on from rows that are about to leave: to the one below, else the one above."""
        if self.current_id() not in leaving:
            return
        start, n_rows = self._table.currentIndex().row(), self._model.rowCount()
        for place in chain(range(start + 1, n_rows), range(start - 1, -1, -1)):
            index = self._model.index(place, 0)
            row = self._model.row_at(index)
            if not isinstance(row, HeadingRow) and (row is None or row.id not in leaving):
                self._table.selectionModel().setCurrentIndex(index, _THIS_ROW)
                self._table.scrollTo(index)
                return
        self.clear()

    def clear(self) -> None:
        """Let no row be current."""
        self._table.selectionModel().clear()

    def tell_steps(self) -> None:
        """Say whether there is a row above and one below."""
        place = self._table.currentIndex().row()
        shown = [n for n, row in enumerate(self._model.rows) if not isinstance(row, HeadingRow)]
        has_any = bool(shown) and place >= 0
        last = self._model.rowCount() - 1 if self._model.has_tail else (shown or [0])[-1]
        steps = has_any and place > shown[0], has_any and place < last
        if steps != self.steps:
            self.steps = steps
            self.steps_changed.emit(*steps)

    # -- through a change of the list ---------------------------------------------------------

    def standing(self) -> Standing:
        """Where one stands now."""
        index = self._model.index(self._table.rowAt(1), 0)
        row = self._model.row_at(index)
        anchor = None if row is None else (row.id, self._table.visualRect(index).top())
        return Standing(self.current_id(), anchor, self._table.verticalScrollBar().value())

    @contextmanager
    def following(self) -> Iterator[None]:
        """While rows are replaced a row becomes current by that, not by anybody's choice."""
        self._is_following = True
        try:
            yield
        finally:
            self._is_following = False

    def stand_again(self, stood: Standing, *, was_reset: bool) -> None:
        """Stand there again, so far as what was stood on is still in the list.

        Args:
            stood: Where one stood before the rows were replaced.
            was_reset: Whether it is another list altogether.
        """
        lost, self.tail.lost_id = self.tail.lost_id, None
        if stood.current is not None and self.select(stood.current, scroll=False):
            self._scroll_back(stood)
            if was_reset:  # the row that stood above may be far from it in this list
                self._table.scrollTo(self._table.currentIndex())
        elif self._model.has_tail and not was_reset:
            self.tail.lost_id = stood.current or lost
            self.clear()  # another memory may stand in that place now
            self._table.verticalScrollBar().setValue(stood.scrolled)
            self._scroll_back(stood)
        elif was_reset:
            self._table.scrollToTop()

    def _scroll_back(self, stood: Standing) -> None:
        if stood.anchor is None:
            return
        row_id, top = stood.anchor
        index = self._model.index_of(row_id)
        if index.isValid():
            bar = self._table.verticalScrollBar()
            bar.setValue(bar.value() + self._table.visualRect(index).top() - top)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        self.tail.awaits_current = current.isValid() and row is None
        self.tell_steps()
        if row is None or isinstance(row, HeadingRow) or self._table.is_checking:
            return
        (self.row_followed if self._is_following else self.row_chosen).emit(row.id)

    @Slot(int, int)
    def _on_rows_placed(self, first: int, last: int) -> None:
        current = self._table.currentIndex()
        if self.tail.awaits_current and first <= current.row() <= last:
            self._on_current_row_changed(current, QModelIndex())
        elif self.tail.lost_id is not None and self.select(self.tail.lost_id, scroll=False):
            self.tail.lost_id = None


class PlaceMoves(QObject):
    """Lets the inspector go of what lies in the place that was left, once the new one is there.

    Whoever comes back stands at the memory where they stood.
    """

    def __init__(
        self,
        memories: ListPresenter,
        subject: InspectorPresenter,
        cursor: ListCursor,
        parent: QObject,
    ) -> None:
        """Follow the list; whoever shows it is connected before.

        Args:
            cursor: The current row of the list.
        """
        super().__init__(parent)
        self._list = memories
        self._subject = subject
        self._cursor = cursor
        self._stood: dict[tuple[ScopeKey, ...], str] = {}
        self._is_going = False
        memories.content_changed.connect(self._on_content_changed)
        memories.failed.connect(self._on_failed)

    def leave(self, scopes: tuple[ScopeKey, ...]) -> None:
        """Another place than these scope keys will be asked for."""
        if not self._is_going:  # on the way from one to the next nobody stands anywhere
            stood = self._cursor.current_id()
            if stood is None:
                self._stood.pop(scopes, None)
            else:
                self._stood[scopes] = stood
        self._is_going = True

    @Slot(object)
    def _on_content_changed(self, content: ListContent) -> None:
        if self._is_going:
            self._arrive(content.request.scopes)

    @Slot()
    def _on_failed(self) -> None:
        self._arrive(self._list.request.scopes)

    def _arrive(self, scopes: tuple[ScopeKey, ...]) -> None:
        if not self._is_going or scopes != self._list.request.scopes:
            return
        self._is_going = False
        shows_nothing = self._subject.leave_for(scopes)
        if shows_nothing and self._cursor.current_id() is None and scopes in self._stood:
            self._cursor.select(self._stood[scopes])

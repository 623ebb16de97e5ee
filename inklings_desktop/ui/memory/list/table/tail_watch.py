"""Notices which rows of a long list are looked at before they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.lists.placed_list_model import PlacedListModel
    from inklings_desktop.ui.kit.lists.row_table import RowTable
    from inklings_desktop.ui.memory.list.content import ListRequest


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
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.timeout.connect(self._look)
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
        first = max(self._table.rowAt(0), 0)
        last = self._table.rowAt(self._table.viewport().height() - 1)
        last = self._model.rowCount() - 1 if last < 0 else last
        awaited = [one for one in range(first, last + 1) if self._model.is_awaited(one)]
        if awaited:
            self.rows_looked_at.emit(awaited[0], awaited[-1])

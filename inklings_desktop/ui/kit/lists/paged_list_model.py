"""Immutable rows that are loaded page by page, as one scrolls."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, Signal

from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel

R = TypeVar("R")


class PagedListModel(RowListModel[R]):
    """Rows of which more may follow.

    Signals:
        more_requested: The end of the loaded rows is near; emitted once per page.
    """

    more_requested = Signal()

    def __init__(
        self,
        key: Callable[[R], Hashable],
        readers: Mapping[int, Callable[[R], object]],
        parent: QObject | None = None,
    ) -> None:
        """Begin without rows.

        Args:
            key: What tells a row apart from the others of its type.
            readers: What a row holds, by role.
            parent: Owner of the model.
        """
        super().__init__(key, readers, parent)
        self._has_more = False
        self._asked = False

    def replace_rows(self, rows: Sequence[R], *, has_more: bool = False) -> None:
        """Show other rows, announcing the smallest honest change; more may follow."""
        self._has_more = has_more
        self._asked = False
        super().replace_rows(rows)

    def append_rows(self, rows: Sequence[R], *, has_more: bool) -> None:
        """Show one more page below what is there; the answer to ``more_requested``."""
        self._has_more = has_more
        self._asked = False
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._set_rows(self._rows + tuple(rows))
            self.endInsertRows()

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there is a further page that nobody has asked for yet."""
        return not parent.isValid() and self._has_more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        """Ask for the next page, once."""
        if self.canFetchMore(parent):
            self._asked = True
            self.more_requested.emit()

"""A list of rows with badges, of which one is current."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal, Slot

from inklings_desktop.ui.kit.lists.badge_delegate import BadgeDelegate
from inklings_desktop.ui.kit.lists.badge_rows import BadgeHeading, BadgeListModel, BadgeRole
from inklings_desktop.ui.kit.lists.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.lists.badge_rows import AnyBadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme

_WHOLE_ROW = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)


class BadgeList(RowTable):
    """Shows rows and says which one became current, and which letter was pressed on it.

    Signals:
        row_chosen: Id of the row that became current.
        letter_pressed: A single letter, in upper case, that was pressed on a row.
    """

    row_chosen = Signal(str)
    letter_pressed = Signal(str)

    def __init__(
        self, theme: Theme, name: str, *, left: int = 28, letters: str = "", parent: QWidget
    ) -> None:
        """Build the list.

        Args:
            theme: Look of the window.
            name: Read aloud for it.
            left: Where words begin, in pixels.
            letters: Upper-case letters that act on the current row.
            parent: What it stands in.
        """
        self._rows_delegate = BadgeDelegate(theme, left=left)
        super().__init__(self._rows_delegate, BadgeRole.IS_HEADING, parent=parent)
        self._rows_delegate.setParent(self)
        self._letters = letters
        self._list_model = BadgeListModel(self)
        self.setAccessibleName(name)
        self.setItemDelegate(self._rows_delegate)
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(self._list_model)
        self.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def rows(self) -> tuple[AnyBadgeRow, ...]:
        """What is on show, top to bottom."""
        return self._list_model.rows

    def show_rows(self, rows: Sequence[AnyBadgeRow], current: str) -> None:
        """Show other rows; the one with this id becomes current, without a word."""
        if tuple(rows) == self._list_model.rows and current == self.current_id():
            return
        selection = self.selectionModel()
        selection.blockSignals(True)
        scrolled = self.verticalScrollBar().value()
        self._list_model.replace_rows(rows)
        index = self._list_model.index_of(current)
        is_other = index != self.currentIndex()
        selection.setCurrentIndex(index, _WHOLE_ROW)
        selection.blockSignals(False)
        self.verticalScrollBar().setValue(scrolled)
        if is_other and index.isValid():
            self.scrollTo(index)
        self.viewport().update()

    def current_id(self) -> str:
        """Id of the current row; empty for none."""
        row = self._list_model.row_at(self.currentIndex())
        return "" if row is None or isinstance(row, BadgeHeading) else row.id

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hears its letters; everything else is the table's own."""
        letter = event.text().upper()
        if letter and letter in self._letters and not event.modifiers() and self.current_id():
            self.letter_pressed.emit(letter)
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self._list_model.row_at(current)
        if row is not None and not isinstance(row, BadgeHeading):
            self.row_chosen.emit(row.id)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.refresh_heights()

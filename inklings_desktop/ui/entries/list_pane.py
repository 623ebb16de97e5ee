"""The left pane of the Named entries page: both tiers, what waits, what is always read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from inklings_desktop.ui.entries.context_foot import ContextFoot
from inklings_desktop.ui.entries.delegate import EntryDelegate
from inklings_desktop.ui.entries.list_model import EntryListModel, EntryRole
from inklings_desktop.ui.entries.rows import EntryHeading, EntryRow
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.entries.list_rows import ContextShare
    from inklings_desktop.ui.entries.rows import EntryListRow
    from inklings_desktop.ui.kit.look.theme import Theme

HEADER_HEIGHT = 52
_GUTTER = 20


class EntriesList(QWidget):
    """Lists named entries and proposals, and says which one is wanted.

    Signals:
        row_chosen: Id of the entry or proposal that became current.
        edit_requested: The person wants to type in the entry.
        new_requested: A new companion is wanted.
        delete_requested: Id of the companion to delete.
        restore_deleted_requested: A deleted companion is to come back.
    """

    row_chosen = Signal(str)
    edit_requested = Signal()
    new_requested = Signal()
    delete_requested = Signal(str)
    restore_deleted_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.new = IconButton(
            theme, "plus", self.tr("New named entry (Ctrl+Shift+N)"), size=20, parent=self
        )
        self.new.setObjectName("newEntry")
        storing(self.new)
        self.new.clicked.connect(self.new_requested)
        self._model = EntryListModel(self)
        self._delegate = EntryDelegate(theme, self)
        self.table = RowTable(self._delegate, EntryRole.IS_HEADING, parent=self)
        self.table.setObjectName("entryList")
        self.table.setAccessibleName(self.tr("Named entries"))
        self.table.setProperty("ground", "canvas")
        self.table.setItemDelegate(self._delegate)
        self.table.setModel(self._model)
        self.table.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_context_menu_requested)
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.activated_by_key.connect(self.edit_requested)
        self.table.doubleClicked.connect(self.edit_requested)
        self.foot = ContextFoot(theme, self)
        self._lay_out()
        theme.changed.connect(self._on_theme_changed)

    # -- shown ------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[EntryListRow, ...]:
        """What is on show, top to bottom."""
        return self._model.rows

    def show_rows(self, rows: Sequence[EntryListRow]) -> None:
        """Show other rows; the current one stays current, without a word, if it is there."""
        current = self.current_id()
        selection = self.table.selectionModel()
        selection.blockSignals(True)
        scrolled = self.table.verticalScrollBar().value()
        self._model.replace_rows(rows)
        if current is not None:
            self._make_current(current)
        self.table.verticalScrollBar().setValue(scrolled)
        selection.blockSignals(False)
        n_entries = sum(isinstance(row, EntryRow) for row in rows)
        self.table.setAccessibleDescription(
            self.tr("1 entry") if n_entries == 1 else self.tr("{n} entries").format(n=n_entries)
        )
        self.table.viewport().update()

    def show_shares(self, shares: Sequence[ContextShare]) -> None:
        """Show how much of the context each entry takes."""
        self.foot.show_shares(shares)

    def show_unsaved(self, entry_id: str) -> None:
        """Mark the entry whose text is not saved; none if empty."""
        self._delegate.set_unsaved(entry_id)
        self.table.viewport().update()

    # -- selection --------------------------------------------------------------------------

    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._model.row_at(self.table.currentIndex())
        return None if row is None or isinstance(row, EntryHeading) else row.id

    def select(self, row_id: str, *, quietly: bool = False) -> bool:
        """Make a row current; whether it is on show.

        Args:
            row_id: The entry or proposal.
            quietly: Do not announce the choice: it is shown already.
        """
        selection = self.table.selectionModel()
        selection.blockSignals(quietly)
        found = self._make_current(row_id)
        selection.blockSignals(False)
        if found:
            self.table.scrollTo(self.table.currentIndex())
            self.table.viewport().update()
        return found

    def clear_selection(self) -> None:
        """Let no row be current, without a word."""
        selection = self.table.selectionModel()
        selection.blockSignals(True)
        selection.clear()
        selection.blockSignals(False)
        self.table.viewport().update()

    @Slot()
    def focus_list(self) -> None:
        """Bring the keyboard to the list."""
        if self.current_id() is None:
            self.table.step(1)
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- inside -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._head = QWidget(self)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(_GUTTER, 0, 12, 0)
        row.addWidget(plain_label(self.tr("Named entries"), "title", self._head), 1)
        row.addWidget(self.new)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self._head)
        stack.addWidget(rule(self))
        stack.addWidget(self.table, 1)
        stack.addWidget(rule(self))
        stack.addWidget(self.foot)
        self._on_theme_changed()

    def _make_current(self, row_id: str) -> bool:
        index = self._model.index_of(row_id)
        if not index.isValid():
            return False
        self.table.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        return True

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None and not isinstance(row, EntryHeading):
            self.row_chosen.emit(row.id)

    def only_look(self) -> None:
        """Offer nothing that would change anything."""
        self.new.hide()
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    @Slot(QPoint)
    def _on_context_menu_requested(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        storing(menu.addAction(self.tr("New named entry\u2026"), self.new_requested.emit))
        row = self._model.row_at(self.table.indexAt(place))
        if isinstance(row, EntryRow) and not row.is_built_in:
            entry_id = row.id
            delete = partial(self.delete_requested.emit, entry_id)
            storing(menu.addAction(self.tr("Delete entry\u2026"), delete))
        menu.addSeparator()
        again = self.restore_deleted_requested.emit
        storing(menu.addAction(self.tr("Restore deleted\u2026"), again))
        menu.popup(self.table.viewport().mapToGlobal(place))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(HEADER_HEIGHT))
        self.table.refresh_heights()

"""The saved filters of a workspace: apply one, call it something else, delete it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

_WIDTH = 560
_MOST_SHOWN = 9
_ROW_HEIGHT = 34


@dataclass(frozen=True, slots=True)
class FilterRow:
    """One saved filter: its id, its name, where it looks and what it asks for."""

    id: str
    name: str
    tier: str
    asks: str


class SavedFiltersDialog(SmallDialog):
    """Filters by name; Enter applies, F2 renames and Delete deletes the current one."""

    def __init__(
        self,
        parent: QWidget,
        *,
        apply: Callable[[str], None],
        rename: Callable[[str], None],
        delete: Callable[[str], None],
    ) -> None:
        """Show none yet; each handler is told the id of a filter."""
        super().__init__(parent, tr("Saved filters"), "", name="savedFiltersDialog", width=_WIDTH)
        self._apply, self._rename, self._delete = apply, rename, delete
        self.list = named(QListWidget(self), "savedFilterList", tr("Saved filters"))
        self.list.setProperty("popup", "true")
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.list.itemActivated.connect(self._on_apply)
        self.delete, self.rename = self.button(tr("Delete")), self.button(tr("Rename\u2026"))
        close, self.apply = self.button(tr("Close")), self.button(tr("Apply"), kind="primary")
        for button in (self.delete, self.rename):
            storing(button)
        self.delete.clicked.connect(self._on_delete)
        self.rename.clicked.connect(self._on_rename)
        close.clicked.connect(self.reject)
        self.apply.clicked.connect(self._on_apply)
        self.lay_out(
            self.list, left=((self.delete, 0), (self.rename, 0)), right=(close, self.apply)
        )
        if (layout := self.layout()) is not None:
            layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)

    def show_rows(self, rows: Sequence[FilterRow]) -> None:
        """Show the filters; the current one stays current while it is there."""
        current, place = self.current_id, self.list.currentRow()
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(f"{row.name}   \u2014   {row.asks}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, row.id)
            item.setSizeHint(QSize(0, _ROW_HEIGHT))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, row.name)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, f"{row.tier}: {row.asks}")
            item.setToolTip(plain_tool_tip(f"{row.tier}: {row.asks}"))
        ids = [row.id for row in rows]
        at = ids.index(current) if current in ids else min(max(place, 0), len(rows) - 1)
        self.list.setCurrentRow(at)
        self.list.setFixedHeight(_ROW_HEIGHT * min(max(len(rows), 1), _MOST_SHOWN) + 10)
        self.list.setVisible(bool(rows))
        self.list.setFocus()
        self.words.setText(
            tr("Saved in this workspace; account filters work in every workspace.")
            if rows
            else tr("None yet. Set filters or search for something, then save that.")
        )
        for button in (self.delete, self.rename, self.apply):
            button.setVisible(bool(rows))

    @property
    def current_id(self) -> str:
        """Id of the current filter; empty if there is none."""
        return str(self.list.currentIndex().data(Qt.ItemDataRole.UserRole) or "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_F2:
                self.rename.click()
                return True
            if event.key() == Qt.Key.Key_Delete:
                self.delete.click()
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _on_apply(self) -> None:
        if self.current_id:
            self._apply(self.current_id)

    @Slot()
    def _on_rename(self) -> None:
        if self.current_id:
            self._rename(self.current_id)

    @Slot()
    def _on_delete(self) -> None:
        if self.current_id:
            self._delete(self.current_id)

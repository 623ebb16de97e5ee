"""The rail at the left: workspace, pages, channels, conversations; background work at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QVBoxLayout, QWidget

from inklings_desktop.ui.models.rail_model import RailModel
from inklings_desktop.ui.views.rail_delegate import RailDelegate
from inklings_desktop.ui.views.task_strip import TaskStrip
from inklings_desktop.ui.views.workspace_card import WorkspaceCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.models.rail_model import RailTop
    from inklings_desktop.ui.theme import Theme


class RailPane(QWidget):
    """Workspace card above a tree of places, and what runs in the background below it.

    Signals:
        row_chosen: Id of the rail row that was clicked or reached by key.
    """

    row_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._model = RailModel(self)
        self._delegate = RailDelegate(theme, self)
        self.card = WorkspaceCard(theme, self)
        self.tree = QTreeView(self)
        self.tree.setObjectName("rail")
        self.tree.setProperty("rail", "true")
        self.tree.setAccessibleName(self.tr("Places"))
        self.tree.setModel(self._model)
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
        self.tasks = TaskStrip(theme, self)
        self._layout = QVBoxLayout()
        self._layout.setSpacing(8)
        self._layout.addWidget(self.card)
        self._layout.addWidget(self.tree, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._layout, 1)
        column.addWidget(self.tasks)
        self.setProperty("ground", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.set_compact(compact=False)
        theme.changed.connect(self._on_theme_changed)

    def show_rows(self, rows: Sequence[RailTop], current_id: str) -> None:
        """Show places and mark the current one, without announcing a choice."""
        with QSignalBlocker(self.tree.selectionModel()):
            self._model.replace_rows(rows)
            self.tree.expandAll()
            self.tree.setCurrentIndex(self._model.index_of(current_id))
        self.tree.viewport().update()

    def set_compact(self, *, compact: bool) -> None:
        """Icons only, 56 wide, or labels, 228 wide."""
        self._delegate.set_compact(compact=compact)
        self.card.set_compact(compact=compact)
        self.tasks.set_compact(compact=compact)
        self.setFixedWidth(self.theme.px("railCompact" if compact else "rail"))
        side = 0 if compact else 10
        self._layout.setContentsMargins(side, 10, side, 8)
        self._fit_column()
        self.tree.doItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the one column as wide as the rail; a hidden header does not."""
        super().resizeEvent(event)
        self._fit_column()

    def _fit_column(self) -> None:
        margins = self._layout.contentsMargins()
        self.tree.header().resizeSection(0, self.width() - margins.left() - margins.right())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None:
            self.row_chosen.emit(row.id)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        # A click on the current row means it too: the place may have moved on since.
        row = self._model.row_at(index)
        if row is not None and index == self.tree.currentIndex():
            self.row_chosen.emit(row.id)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.tree.doItemsLayout()

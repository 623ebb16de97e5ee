"""The history of an entry: what changed at the left, every revision at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.entries.entry.comparison_pane import ComparisonPane
from inklings_desktop.ui.entries.entry.revision_delegate import RevisionDelegate
from inklings_desktop.ui.entries.entry.revision_list_model import RevisionListModel, RevisionRole
from inklings_desktop.ui.entries.entry.state import HistoryState
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.kit.words.entry_facts import grouped

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH = 300
_NARROW_WIDTH = 240
_HEAD_HEIGHT = 40
_FOOT_HEIGHT = 50
_GUTTER = 20


class EntryHistoryPane(QWidget):
    """Shows a ``HistoryState`` and says which revisions are wanted.

    Signals:
        older_chosen: Number of the revision to compare from.
        newer_chosen: Number of the revision to compare up to.
        restore_requested: The chosen revision is to be the newest.
    """

    older_chosen = Signal(int)
    newer_chosen = Signal(int)
    restore_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = HistoryState()
        self.comparison = ComparisonPane(theme, self)
        self._model = RevisionListModel(self)
        self._delegate = RevisionDelegate(theme, self)
        self.table = RowTable(self._delegate, RevisionRole.IS_HEADING, parent=self)
        self.table.setObjectName("revisionList")
        self.table.setAccessibleName(self.tr("Revisions"))
        self.table.setProperty("ground", "canvas")
        self.table.setItemDelegate(self._delegate)
        self.table.setModel(self._model)
        self.table.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.table.setToolTip(
            self.tr("Choose what to compare the text of now with; Ctrl chooses the newer side")
        )
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.viewport().installEventFilter(self)
        self.table.installEventFilter(self)
        self._count = plain_label("", "meta", self)
        self.restore = PushButton(
            theme,
            self.tr("Restore this one"),
            icon="arrow-counter-clockwise",
            small=True,
            parent=self,
        )
        self.restore.setObjectName("restoreRevision")
        self.restore.clicked.connect(self.restore_requested)
        storing(self.restore)
        self.copy = PushButton(theme, self.tr("Copy"), kind="quiet", small=True, parent=self)
        self.copy.setObjectName("copyRevision")
        self.copy.clicked.connect(self._on_copy_clicked)
        self._is_narrow = False
        self._side = self._made_side()
        self._fit_side()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.comparison, 1)
        row.addWidget(VerticalRule(theme, self))
        row.addWidget(self._side)
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, state: HistoryState) -> None:
        """Show revisions and the comparison of two of them."""
        self._state = state
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            self._model.replace_rows(state.rows)
            older = next((n for n, row in enumerate(state.rows) if row.is_older), -1)
            if older >= 0 and self.table.currentIndex().row() != older:
                selection.setCurrentIndex(
                    self._model.index(older, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
                )
        self.table.viewport().update()
        self._count.setText(grouped(len(state.rows)))
        self.comparison.show_comparison(state.comparison)
        self.restore.setEnabled(state.can_restore)
        self.copy.setEnabled(state.older_text is not None)

    def focus_list(self) -> None:
        """Bring the keyboard to the revisions."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_narrow(self, *, narrow: bool) -> None:
        """Give the comparison more room where there is little."""
        self._is_narrow = narrow
        self._fit_side()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl with a click, Enter or Space chooses the newer side instead."""
        if (
            watched is self.table.viewport()
            and isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonPress
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._choose_newer(self.table.indexAt(event.position().toPoint()))
            return True
        if (
            watched is self.table
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._choose_newer(self.table.currentIndex())
            return True
        return super().eventFilter(watched, event)

    def _made_side(self) -> QWidget:
        side = QWidget(self)
        side.setProperty("ground", "canvas")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._head = QWidget(side)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(_GUTTER, 0, _GUTTER, 0)
        row.addWidget(plain_label(self.tr("Revisions"), "label", self._head), 1)
        row.addWidget(self._count)
        self._foot = QWidget(side)
        buttons = QHBoxLayout(self._foot)
        buttons.setContentsMargins(_GUTTER, 0, _GUTTER, 0)
        buttons.setSpacing(8)
        buttons.addWidget(self.restore)
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(rule(side))
        column.addWidget(self.table, 1)
        column.addWidget(rule(side))
        column.addWidget(self._foot)
        self._head.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        self._foot.setFixedHeight(self._theme.scaled(_FOOT_HEIGHT))
        return side

    def _fit_side(self) -> None:
        """As wide as wished, and never so narrow that a button is cut off."""
        wanted = _NARROW_WIDTH if self._is_narrow else _WIDTH
        self._side.setFixedWidth(max(wanted, self._foot.sizeHint().width()))

    def _choose_newer(self, index: QModelIndex) -> None:
        row = self._model.row_at(index)
        if row is not None:
            self.newer_chosen.emit(row.number)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None:
            self.older_chosen.emit(row.number)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._state.older_text is not None:
            QGuiApplication.clipboard().setText(self._state.older_text)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._head.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        self._foot.setFixedHeight(self._theme.scaled(_FOOT_HEIGHT))
        self.table.refresh_heights()
        self._fit_side()

"""The list of the orientation preview: rows of several heights, opened and folded in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut

from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.turn.delegate import GUTTER, PreviewDelegate
from inklings_desktop.ui.turn.rows import (
    CandidateRow,
    EntryRow,
    PreviewContent,
    PreviewListModel,
    PreviewRow,
    SectionRow,
    is_stop,
    preview_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme


class PreviewTable(RowTable):
    """Says which row is current, and opens and folds what a person wants to see.

    Signals:
        row_chosen: Id of the row that became current.
        memory_opened: Id of the memory to open in the Memory view.
    """

    row_chosen = Signal(str)
    memory_opened = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._rows_delegate = PreviewDelegate(theme)
        super().__init__(self._rows_delegate, parent=parent)
        self.setObjectName("previewList")
        self._preview = PreviewListModel(self)
        self._content: PreviewContent | None = None
        self._opened: set[str] = set()
        self.setModel(self._preview)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.activated_by_key.connect(self._on_activated)
        self.doubleClicked.connect(self._on_double_clicked)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_current)
        theme.changed.connect(self.refresh_heights)

    @property
    def rows(self) -> tuple[PreviewRow, ...]:
        """What is on show, top to bottom."""
        return self._preview.rows

    def show_content(self, content: PreviewContent) -> None:
        """Show a document; what is opened, chosen and scrolled to stays."""
        before, self._content = self._content, content
        if before is not None and before.request.workspace_id != content.request.workspace_id:
            self._opened.clear()
        self._show_rows(preview_rows(content, self._opened))

    def toggle(self, row_id: str) -> None:
        """Open or fold a section or a named entry."""
        if self._content is not None:
            self._opened ^= {row_id}
            self._show_rows(preview_rows(self._content, self._opened))
            self.select(row_id, scroll=False)

    def _show_rows(self, rows: Sequence[PreviewRow]) -> None:
        current, anchor = self.current_id(), self._anchor()
        selection = self.selectionModel()
        with QSignalBlocker(selection):
            self._preview.replace_rows(rows)
            self.refresh_heights()
            if current is None or not self.select(current, scroll=False):
                selection.clear()
        self._restore(anchor)
        self.viewport().update()

    def current_id(self) -> str | None:
        """Id of the current row."""
        row = self._preview.row_at(self.currentIndex())
        return None if row is None else row.id

    def select(self, row_id: str, *, scroll: bool = True) -> bool:
        """Make a row current; whether it is on show and a stop."""
        index = self._preview.index_of(row_id)
        row = self._preview.row_at(index)
        if row is None or not is_stop(row):
            return False
        return self.go_to(index, scroll=scroll)

    def scroll_to_row(self, row_id: str) -> None:
        """Bring a row into the middle of the view, if it is on show."""
        index = self._preview.index_of(row_id)
        if index.isValid():
            self.scrollTo(index, RowTable.ScrollHint.PositionAtCenter)

    def copy_current(self) -> None:
        """Put the text of the current memory on the clipboard."""
        row = self._preview.row_at(self.currentIndex())
        if isinstance(row, CandidateRow):
            QGuiApplication.clipboard().setText(row.excerpt)

    # -- Qt -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.refresh_heights()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right opens and Left folds, as in any tree."""
        row = self._preview.row_at(self.currentIndex())
        if isinstance(row, SectionRow | EntryRow) and not event.modifiers():
            wants = {Qt.Key.Key_Right.value: True, Qt.Key.Key_Left.value: False}.get(event.key())
            if wants is not None and wants != row.is_open:
                self.toggle(row.id)
                return
            if event.key() == Qt.Key.Key_Space:
                self.toggle(row.id)
                return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        place = event.position().toPoint()
        row = self._preview.row_at(self.indexAt(place))
        if isinstance(row, EntryRow) or (isinstance(row, SectionRow) and self._is_link(place, row)):
            self.toggle(row.id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        place = event.position().toPoint()
        row = self._preview.row_at(self.indexAt(place))
        over = isinstance(row, SectionRow) and self._is_link(place, row)
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.viewport().unsetCursor()
        return super().viewportEvent(event)

    # -- inside ---------------------------------------------------------------------------------

    def _size_rows(self, first: int, last: int) -> None:
        """Every kind of row has its own height; there are a few hundred at most."""
        header, width = self.verticalHeader(), self.viewport().width()
        for place in range(first, last + 1):
            height = self._rows_delegate.height_of(self._preview.rows[place], width)
            if header.sectionSize(place) != height:
                header.resizeSection(place, height)

    def _is_link(self, place: QPoint, row: SectionRow) -> bool:
        if not row.link:
            return False
        rect = QRectF(self.visualRect(self._preview.index_of(row.id)))
        link = self._rows_delegate.link_rect(row, rect).adjusted(-6, 0, GUTTER / 2, 0)
        return link.contains(as_painted(QPointF(place), self.viewport()))

    def _anchor(self) -> tuple[str, int] | None:
        """What one looks at and where it stands: the current row, else the one at the upper edge.

        None at the top, where what is new comes into view.
        """
        if self.verticalScrollBar().value() == 0:
            return None
        index = self.currentIndex()
        if not self.visualRect(index).intersects(self.viewport().rect()):
            index = self.indexAt(QPoint(4, 1))
        row = self._preview.row_at(index)
        return None if row is None else (row.id, self.visualRect(index).top())

    def _restore(self, anchor: tuple[str, int] | None) -> None:
        if anchor is None:
            return
        index = self._preview.index_of(anchor[0])
        if index.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.visualRect(index).top() - anchor[1])

    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._preview.row_at(current)
        if row is not None and is_stop(row):
            self.row_chosen.emit(row.id)

    def _on_activated(self, index: QModelIndex) -> None:
        row = self._preview.row_at(index)
        if isinstance(row, CandidateRow):
            self.memory_opened.emit(row.id)
        elif row is not None:
            self.toggle(row.id)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        row = self._preview.row_at(index)
        if isinstance(row, CandidateRow):
            self.memory_opened.emit(row.id)

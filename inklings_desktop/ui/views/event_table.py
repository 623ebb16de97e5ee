"""The table of the event log: five columns under a header, rows of one height."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRect, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QHeaderView, QWidget

from inklings_desktop.domain.events import EventKind
from inklings_desktop.ui.models.event_list_model import EventColumn, EventRole
from inklings_desktop.ui.presenters.event_words import age_label
from inklings_desktop.ui.views.event_delegate import (
    GAP,
    GUTTER,
    LOCK,
    LOCK_GAP,
    EventDelegate,
    cell_font,
)
from inklings_desktop.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from inklings_desktop.ui.models.event_list_model import EventListModel
    from inklings_desktop.ui.theme import Theme

HEADER_HEIGHT = 30

_ACTOR = 122
_NARROW_ACTOR = 92
_TIGHT_BELOW = 760
_LONG_AGES = (timedelta(seconds=1), timedelta(minutes=48), timedelta(days=58), timedelta(days=340))
_FEWEST_DIGITS = "9,999"


class EventHeader(QHeaderView):
    """Names of the columns over a strong rule."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setSectionsMovable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt calls it so
        """Draws one name."""
        theme = self._theme
        painter.save()
        painter.fillRect(rect, theme.color("surface"))
        rule = QRect(rect.left(), rect.bottom(), rect.width(), 1)
        painter.fillRect(rule, theme.color("lineStrong"))
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color("inkSoft"))
        side = Qt.AlignmentFlag.AlignLeft
        room = rect.adjusted(0, 0, -GAP // 2, -1)
        if section == EventColumn.NUMBER:
            side = Qt.AlignmentFlag.AlignRight
            room = rect.adjusted(0, 0, -GAP, -1)
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), name)
        painter.restore()


class EventTable(RowTable):
    """Events, newest first; a row is one stop for the keyboard and one selection."""

    def __init__(self, theme: Theme, model: EventListModel, parent: QWidget | None = None) -> None:
        self._event_delegate = EventDelegate(theme)
        super().__init__(self._event_delegate, EventRole.IS_HEADING, parent=parent)
        self._theme = theme
        self._events = model
        self._event_delegate.setParent(self)
        self._hovered = -1
        self.setObjectName("eventTable")
        self.setAccessibleName(self.tr("Event log"))
        self.setItemDelegate(self._event_delegate)
        header = EventHeader(theme, self)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setFixedHeight(theme.scaled(HEADER_HEIGHT))
        header.show()
        self.setModel(model)
        self.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_current)
        theme.changed.connect(self._on_theme_changed)

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802 - Qt calls it so
        """Show a model; columns are as wide as its numbers ask for."""
        super().setModel(model)
        if model is not None:
            model.modelReset.connect(self.fit)
            model.rowsInserted.connect(self.fit)

    def current_number(self) -> int | None:
        """Number of the current event."""
        row = self._events.row_at(self.currentIndex())
        return None if row is None else row.number

    def select(self, number: int, *, scroll: bool = True) -> bool:
        """Make an event current; whether it is on show."""
        index = self._events.index_of(number)
        if not index.isValid():
            return False
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        if scroll:
            self.scrollTo(index)
        return True

    @Slot()
    def copy_current(self) -> None:
        """Put the current row on the clipboard as text."""
        row = self._events.row_at(self.currentIndex())
        if row is not None:
            QGuiApplication.clipboard().setText(row.as_text)

    @Slot()
    def fit(self) -> None:
        """Give every column what it needs, and the rest to what happened."""
        theme, header = self._theme, self.horizontalHeader()
        scale = theme.text_scale
        is_tight = self.viewport().width() < _TIGHT_BELOW * scale
        gap = GAP // 2 if is_tight else GAP
        number = QFontMetricsF(cell_font(theme, EventColumn.NUMBER))
        label = QFontMetricsF(theme.font("label"))
        kind = QFontMetricsF(cell_font(theme, EventColumn.KIND))
        # The newest event has the largest number.
        largest = self._events.rows[0].number_text if self._events.rows else ""
        figures = max(
            number.horizontalAdvance(largest),
            number.horizontalAdvance(_FEWEST_DIGITS),
            label.horizontalAdvance(self._name(EventColumn.NUMBER)),
        )
        lock = theme.icon_px(LOCK) + LOCK_GAP
        kinds = max(
            kind.horizontalAdvance(one.value) + (lock if one.value.startswith("scrub.") else 0)
            for one in EventKind
        )
        now = datetime.now(UTC)
        ages = max(number.horizontalAdvance(age_label(now - one, now)) for one in _LONG_AGES)
        widths = {
            EventColumn.NUMBER: GUTTER + figures + GAP,
            EventColumn.WHEN: ages + gap + 1,
            EventColumn.KIND: kinds + gap,
            EventColumn.ACTOR: (_NARROW_ACTOR if is_tight else _ACTOR) * scale + gap,
        }
        for column, width in widths.items():
            header.resizeSection(column, math.ceil(width))
        taken = sum(header.sectionSize(column) for column in widths)
        header.resizeSection(EventColumn.WHAT, max(1, self.viewport().width() - taken))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives what happened the room that is left."""
        super().resizeEvent(event)
        self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tells the delegate what belongs to whole rows, then draws them."""
        current = self.currentIndex().row() if self.hasFocus() else -1
        self._event_delegate.set_rows(
            hovered=self._hovered, current=current, width=self.viewport().width()
        )
        super().paintEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Takes note of the row under the mouse."""
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Forgets that row when the mouse leaves."""
        if event.type() == QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    def _hover(self, index: QModelIndex) -> None:
        if index.row() != self._hovered:
            self._hovered = index.row()
            self.viewport().update()

    def _name(self, column: EventColumn) -> str:
        return str(self._events.headerData(column, Qt.Orientation.Horizontal))

    @Slot()
    def _on_theme_changed(self) -> None:
        self.horizontalHeader().setFixedHeight(self._theme.scaled(HEADER_HEIGHT))
        self.refresh_heights()
        self.fit()

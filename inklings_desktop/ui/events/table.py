"""The table of the event log: five columns under a header, rows of one height."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QRect, QRectF, Qt, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QKeySequence, QPainter, QShortcut

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnHeader, ColumnTable
from inklings_desktop.ui.kit.lists.event_list_model import (
    EventColumn,
    EventListModel,
    EventRow,
    EventTone,
)
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import age_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme


GUTTER = 24
GAP = 28
LOCK_GAP = 8
LOCK = 14

_ROLES = {
    EventColumn.NUMBER: "ink",
    EventColumn.WHEN: "inkSoft",
    EventColumn.KIND: "ink",
    EventColumn.ACTOR: "ink",
    EventColumn.WHAT: "inkSoft",
}


class EventDelegate(ColumnDelegate):
    """Draws one cell of the log."""

    def paint_cell(self, painter: QPainter, rect: QRectF, index: AnyIndex) -> None:
        """Draws what is known of an event in one column."""
        row: EventRow = index.data(RowRole.ROW)
        theme, column = self._theme, EventColumn(index.column())
        font, role = cell_font(theme, column), _ROLES[column]
        metrics = QFontMetricsF(font)
        middle = rect.center().y() - 0.5
        if column is EventColumn.NUMBER:
            right = rect.right() - GAP
            x = right - metrics.horizontalAdvance(row.number_text)
            self.write(painter, x, middle, row.number_text, font, role)
            return
        end = GUTTER if column is EventColumn.WHAT else GAP // 2
        room = rect.width() - end
        if column is EventColumn.KIND:
            if row.tone is not EventTone.PLAIN:
                role = "madder"
            if row.is_permanent:
                room -= theme.icon_px(LOCK) + LOCK_GAP
        text = {
            EventColumn.WHEN: row.age,
            EventColumn.KIND: row.kind,
            EventColumn.ACTOR: row.actor,
            EventColumn.WHAT: row.what,
        }[column]
        right = self.write(painter, rect.left(), middle, text, font, role, room=room)
        if column is EventColumn.KIND and row.is_permanent:
            theme.draw_icon(
                painter, (round(right + LOCK_GAP), middle), "lock-simple", "madder", LOCK
            )


def cell_font(theme: Theme, column: EventColumn) -> QFont:
    """The face of a column: fixed for kinds, figures of one width for numbers and ages."""
    if column is EventColumn.KIND:
        return theme.font("mono")
    return theme.font("meta", tabular=column in {EventColumn.NUMBER, EventColumn.WHEN})


HEADER_HEIGHT = 30

_ACTOR = 122
_NARROW_ACTOR = 92
_TIGHT_BELOW = 760
_LONG_AGES = (timedelta(seconds=1), timedelta(minutes=48), timedelta(days=58), timedelta(days=340))
_FEWEST_DIGITS = "9,999"


class EventHeader(ColumnHeader):
    """Names above the log; numbers stand at the right."""

    def name_room(self, rect: QRect, section: int) -> tuple[QRect, Qt.AlignmentFlag]:
        """Where in its section a name stands, and at which side."""
        if section == EventColumn.NUMBER:
            return rect.adjusted(0, 0, -GAP, -1), Qt.AlignmentFlag.AlignRight
        return rect.adjusted(0, 0, -GAP // 2, -1), Qt.AlignmentFlag.AlignLeft


class EventTable(ColumnTable):
    """Events, newest first."""

    header_height = HEADER_HEIGHT

    def __init__(self, theme: Theme, model: EventListModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, EventDelegate(theme), EventHeader(theme), parent=parent)
        self._events = model
        self.setObjectName("eventTable")
        self.setAccessibleName(tr("Event log"))
        self.setModel(model)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_current)

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
        return self.go_to(self._events.index_of(number), scroll=scroll)

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

    def _name(self, column: EventColumn) -> str:
        return str(self._events.headerData(column, Qt.Orientation.Horizontal))

"""The Event log tab of the Control plane: what is asked for, the table, one event's details."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.ui.events.bar import EventLogBar
from inklings_desktop.ui.events.pane import PANE_WIDTH, ChainFoot, EventPane
from inklings_desktop.ui.events.state import EventLogContent, EventRequest, LogChoice, LogEmptiness
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnHeader, ColumnTable
from inklings_desktop.ui.kit.lists.event_list_model import EventColumn, EventListModel
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.kit.words.memory_facts import age_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent

    from inklings_desktop.ui.events.state import EventDetail
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.look.theme import Theme

GUTTER = 24
GAP = 28
LOCK_GAP = 8
LOCK = 14

HEADER_HEIGHT = 30

_ACTOR = 122
_NARROW_ACTOR = 92
_TIGHT_BELOW = 760
_LONG_AGES = (timedelta(seconds=1), timedelta(minutes=48), timedelta(days=58), timedelta(days=340))
_FEWEST_DIGITS = "9,999"


class EventTable(ColumnTable):
    """Events, newest first."""

    header_height = HEADER_HEIGHT

    def __init__(self, theme: Theme, model: EventListModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, ColumnDelegate(theme), ColumnHeader(theme), parent=parent)
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
        number = QFontMetricsF(theme.font("meta", tabular=True))
        label = QFontMetricsF(theme.font("label"))
        kind = QFontMetricsF(theme.font("mono"))
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


# Below this the details lie over the table instead of beside it.
_DOCKED_FROM = 980


class EventLogView(QWidget):
    """Everything below the tabs of the Control plane while the log is on show.

    Signals:
        event_chosen: Number of the event that became current.
        retry_requested: What failed is to be tried again.
    """

    event_chosen = Signal(int)
    retry_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("eventLog")
        self._theme = theme
        self._shown: EventRequest | None = None
        self._is_docked = True
        self._is_open = False
        on_ground(self, "canvas")
        self.bar = EventLogBar(theme, self)
        self.events = EventListModel(self)
        self.table = EventTable(theme, self.events, self)
        self.empty = named(EmptyState(theme, self), "emptyLog")
        self.empty.action_requested.connect(self._on_empty_action)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        self.foot = ChainFoot(theme, self)
        self.pane = EventPane(theme, self)
        self._pane_rule = VerticalRule(theme, self)
        self._lay_out()
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr("Event log"))
        self._order_tabs()
        theme.changed.connect(self._fold)

    # -- shown ------------------------------------------------------------------------------

    def show_content(self, content: EventLogContent) -> None:
        """Show an answer; selection and scroll position stay where they were."""
        is_new = content.request != self._shown
        is_asked = is_new and self._shown is not None
        self._shown = content.request
        current, anchor = self.table.current_number(), self._anchor()
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            self.events.replace_rows(content.rows, has_more=content.has_more)
        self.bar.show_request(content.request, content.facets)
        self.bar.search.set_result("")
        self.bar.show_total(content.total)
        self._show_emptiness(content)
        if current is not None:
            with QSignalBlocker(selection):
                is_there = self.table.select(current, scroll=False)
            if not is_there:
                selection.clear()
        if is_new:
            self._to_current()
        else:
            self._restore(anchor)
        self._describe(content)
        if is_asked:
            announce(self.table, content.total)
        self.table.viewport().update()

    def show_detail(self, detail: EventDetail | None) -> None:
        """Show everything about one event, or that none is chosen."""
        self.pane.show_detail(detail)
        if detail is None:
            self.table.selectionModel().clear()
            self._open_pane(is_open=False)

    @property
    def rows(self) -> tuple[EventRow, ...]:
        """What is on show, top to bottom."""
        return self.events.rows

    # -- selection --------------------------------------------------------------------------

    def select(self, number: int) -> bool:
        """Make an event current and open its details; whether it is on show."""
        if not self.table.select(number):
            return False
        self._open_pane(is_open=True)
        return True

    def select_first(self) -> None:
        """Make the newest event current."""
        self.table.go_to_end(1)

    @Slot()
    def focus_table(self) -> None:
        """Bring the keyboard to the table, to its first row if none is current."""
        if self._stack.currentWidget() is self.empty:
            self.bar.focus_search()
            return
        if self.table.current_number() is None:
            self.select_first()
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def focus_search(self) -> None:
        """Bring the keyboard to the search field."""
        self.bar.focus_search()

    @Slot()
    def focus_pane(self) -> None:
        """Bring the keyboard to the details."""
        self._open_pane(is_open=True)
        self.pane.details.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def panes(self) -> list[tuple[QWidget, Callable[[], None]]]:
        """What F6 goes through, each with what brings the keyboard into it."""
        return [(self._left, self.focus_table), (self.pane, self.focus_pane)]

    # -- Qt ---------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on; as a focus proxy it would be a second stop of the Tab key."""
        super().focusInEvent(event)
        is_empty = self._stack.currentWidget() is self.empty
        (self.bar.search if is_empty else self.table).setFocus(event.reason())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays the details over the table where there is no room beside it."""
        super().resizeEvent(event)
        self._fold()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps floating details as high as what they lie over."""
        if event.type() == QEvent.Type.Resize and watched is self._body:
            self._place_pane()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._is_docked and self._is_open:
            self._open_pane(is_open=False)
        else:
            super().keyPressEvent(event)

    # -- inside -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._left = QWidget(self)
        vbox(self._left, (self._stack, 1), rule(self._left), self.foot, margins=0, spacing=0)
        self._body = QWidget(self)
        self._body.installEventFilter(self)
        body = hbox(self._body, (self._left, 1), self._pane_rule, self.pane, margins=0, spacing=0)
        self._row = body
        vbox(self, self.bar, rule(self), (self._body, 1), margins=0, spacing=0)
        self.pane.setFixedWidth(self._pane_width())

    def _connect(self) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.activated_by_key.connect(self._on_activated)
        self.table.clicked.connect(self._on_activated)
        self.bar.search.leave_requested.connect(self.focus_table)
        self.pane.close_requested.connect(lambda: self._open_pane(is_open=False))
        slash = QShortcut(QKeySequence("/"), self.table)
        slash.setContext(Qt.ShortcutContext.WidgetShortcut)
        find = QShortcut(QKeySequence("Ctrl+F"), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        for shortcut in (slash, find):
            shortcut.activated.connect(self.focus_search)

    def _order_tabs(self) -> None:
        stops: list[QWidget] = [
            self.bar.search.edit,
            *self.bar.chips(),
            self.bar.clear_all,
            self.table,
            self.foot.show_broken,
            self.foot.check,
            self.pane.details,
            self.pane.copy,
        ]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)

    def _pane_width(self) -> int:
        return self._theme.scaled(PANE_WIDTH)

    @Slot()
    def _fold(self) -> None:
        is_docked = self.width() >= self._theme.scaled(_DOCKED_FROM)
        self.pane.setFixedWidth(self._pane_width())
        if is_docked != self._is_docked:
            self._is_docked = is_docked
            self.pane.set_floating(floating=not is_docked)
            if is_docked:
                fill(self._row, self._pane_rule, self.pane)
            else:
                self._row.removeWidget(self.pane)
                self._row.removeWidget(self._pane_rule)
        self._place_pane()

    def _place_pane(self) -> None:
        shown = self._is_docked or self._is_open
        self.pane.setVisible(shown)
        self._pane_rule.setVisible(shown)
        if self._is_docked or not shown:
            return
        left = self._body.width() - self.pane.width()
        height = self._body.height()
        self.pane.setGeometry(left, 0, self.pane.width(), height)
        self._pane_rule.setGeometry(left - 1, 0, 1, height)
        self.pane.raise_()
        self._pane_rule.raise_()

    def _open_pane(self, *, is_open: bool) -> None:
        """Open or close details that lie over the table; docked ones are always open."""
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.pane.isAncestorOf(focus)
        self._is_open = is_open
        self._place_pane()
        if not is_open and not self._is_docked and had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_emptiness(self, content: EventLogContent) -> None:
        if content.failure is not None:
            again = EmptyAction(
                "retry", tr("Try again"), tr("Read the log again."), "arrows-clockwise"
            )
            self.empty.show_state(
                content.failure.title, content.failure.text, (again,), drawn=False
            )
        elif content.emptiness is LogEmptiness.NO_MATCH:
            clear = EmptyAction(
                "clear", tr("Clear filters"), tr("Show the whole log again."), "funnel"
            )
            self.empty.show_state(
                tr("No events like that"),
                tr("Try more dates or types."),
                (clear,),
                drawn=False,
            )
        elif content.emptiness is LogEmptiness.NOTHING_YET:
            is_account = content.request.log is LogChoice.ACCOUNT
            self.empty.show_state(
                tr("Nothing is recorded here yet"),
                tr(
                    "Refused requests, deleted workspaces and changes to account memory "
                    "are recorded here permanently."
                )
                if is_account
                else tr("Agent actions, bulk changes and scrubs are recorded here permanently."),
                drawn=False,
            )
        is_empty = content.failure is not None or content.emptiness is not None
        self._stack.setCurrentWidget(self.empty if is_empty else self.table)

    def _describe(self, content: EventLogContent) -> None:
        is_account = content.request.log is LogChoice.ACCOUNT
        self.table.setAccessibleName(
            tr("Event log of the account") if is_account else tr("Event log of this workspace")
        )
        self.table.setAccessibleDescription(content.total)
        self.bar.search.edit.setAccessibleDescription(content.total)

    def _to_current(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            self.table.scrollTo(index)
        else:
            self.table.scrollToTop()

    def _anchor(self) -> tuple[int, int] | None:
        """The row at the upper edge and how far it is scrolled past it; None at the top."""
        if self.table.verticalScrollBar().value() == 0:
            return None
        index = self.table.indexAt(QPoint(4, 1))
        row = self.events.row_at(index)
        return None if row is None else (row.number, self.table.visualRect(index).top())

    def _restore(self, anchor: tuple[int, int] | None) -> None:
        """Keep what one reads in its place; at the top what is new comes into view."""
        if anchor is None:
            return
        index = self.events.index_of(anchor[0])
        if index.isValid():
            bar = self.table.verticalScrollBar()
            bar.setValue(bar.value() + self.table.visualRect(index).top() - anchor[1])

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self.events.row_at(current)
        if row is not None:
            self.event_chosen.emit(row.number)

    @Slot(QModelIndex)
    def _on_activated(self, _index: QModelIndex) -> None:
        self._open_pane(is_open=True)

    @Slot(str)
    def _on_empty_action(self, key: str) -> None:
        if key == "clear":
            self.bar.clear()
        else:
            self.retry_requested.emit()

"""The newest events of the log, for a glance; the log itself stands in its own tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.lists.event_list_model import EventTone
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.kit.panes.pieces import PADDING, CardHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont, QPaintEvent

    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.look.theme import Theme

MOST = 12
LEAST = 3
_ROW = 34
_AGE = 84
_KIND = 172
_ACTOR = 132
_NO_ACTOR_BELOW = 560


class EventLine(QWidget):
    """When, what kind, who, what happened."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._event: EventRow | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def show_event(self, event: EventRow) -> None:
        """Show another event."""
        self._event = event
        self.setAccessibleName(event.what)
        self.setAccessibleDescription(event.accessible_description)
        self.setToolTip(plain_tool_tip(f"{event.exact}\n{event.what}"))
        self.update()

    def sizeHint(self) -> QSize:
        """One row of a table."""
        return QSize(self._theme.scaled(300), self._theme.scaled(_ROW))

    def minimumSizeHint(self) -> QSize:
        """Words are cut where room runs out."""
        return QSize(self._theme.scaled(160), self._theme.scaled(_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the columns."""
        event, theme = self._event, self._theme
        if event is None:
            return
        painter = QPainter(self)
        meta, mono = theme.font("meta"), theme.font("mono")
        end = self.width() - PADDING
        x = float(PADDING)
        is_plain = event.tone is EventTone.PLAIN
        with_actor = self.width() >= theme.scaled(_NO_ACTOR_BELOW)
        for text, font, role, width in (
            (event.age, meta, "inkFaint", _AGE),
            (event.kind, mono, "ink" if is_plain else "madder", _KIND),
            *([(event.actor, meta, "inkSoft", _ACTOR)] if with_actor else []),
        ):
            room = theme.scaled(width)
            self._write(painter, x, min(room - 10.0, end - x), text, font, role)
            x += room
        self._write(painter, x, end - x, event.what, meta, "ink")
        painter.end()

    def _write(
        self, painter: QPainter, x: float, room: float, text: str, font: QFont, role: str
    ) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0.0))
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(self.height() / 2 + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), shown)


class LatestEventsCard(QFrame):
    """As many of the newest events as there is room for, at least three.

    Signals:
        log_requested: *Event log* was pressed.
    """

    log_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("latestEventsCard")
        self.setProperty("card", "true")
        self.setAccessibleName(self.tr("Latest events"))
        self._theme = theme
        self._n_events = 0
        self._n_rows = LEAST
        self._lines = [EventLine(theme, self) for _ in range(MOST)]
        self._rules = [rule(self) for _ in range(MOST - 1)]
        self.log = LinkButton(self.tr("Event log"), self)
        self.log.setObjectName("openEventLog")
        self.log.clicked.connect(self.log_requested)
        self._head = CardHead(theme, self.tr("Latest events"), self)
        self._head.add(self.log)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(rule(self))
        for place, line in enumerate(self._lines):
            if place:
                column.addWidget(self._rules[place - 1])
            column.addWidget(line)
        column.addStretch(1)
        self.show_events(())

    @property
    def lines(self) -> tuple[EventLine, ...]:
        """The lines on show, newest first."""
        return tuple(line for line in self._lines if not line.isHidden())

    def show_events(self, events: Sequence[EventRow]) -> None:
        """Show the newest of these, newest first."""
        self._n_events = min(len(events), MOST)
        for line, event in zip(self._lines, events, strict=False):
            line.show_event(event)
        self._fit()
        self.updateGeometry()

    def set_room(self, height: int) -> None:
        """Show as many events as fit into this height in pixels, but never fewer than three."""
        step = self._theme.scaled(_ROW) + 1
        n_rows = max(LEAST, min(MOST, (height - self._head.height() - 2) // step))
        if n_rows != self._n_rows:
            self._n_rows = n_rows
            self._fit()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the rows on show."""
        n_rows = max(1, min(self._n_rows, self._n_events))
        height = self._head.height() + n_rows * (self._theme.scaled(_ROW) + 1) + 2
        return QSize(self._theme.scaled(480), height)

    def minimumSizeHint(self) -> QSize:
        """The same, and as narrow as may be."""
        return QSize(self._theme.scaled(260), self.sizeHint().height())

    def _fit(self) -> None:
        shown = min(self._n_events, self._n_rows)
        for place, line in enumerate(self._lines):
            line.setVisible(place < shown)
            if place:
                self._rules[place - 1].setVisible(place < shown)

"""What a client asked for lately: when, with which tool, about which tier, and the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont, QPaintEvent

    from inklings_desktop.ui.access.state import CallRow
    from inklings_desktop.ui.kit.look.theme import Theme

MOST = 12
_PADDING = 18
_ROW = 33
_TOOL, _TIER = 0.185, 0.50
_MARK = 14


class CallLine(QWidget):
    """One request; with no row it is the head of the table."""

    def __init__(self, theme: Theme, row: CallRow | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if row is not None:
            self.setAccessibleName(row.told)
            self.setToolTip(plain_tool_tip(row.exact))
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """One row of a table."""
        return QSize(self._theme.scaled(300), self._theme.scaled(_ROW))

    def minimumSizeHint(self) -> QSize:
        """Words are cut where room runs out."""
        return QSize(self._theme.scaled(200), self._theme.scaled(_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the cells."""
        theme, row = self._theme, self._row
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = self.width() - 2 * _PADDING
        tool, tier = _PADDING + inner * _TOOL, _PADDING + inner * _TIER
        if row is None:
            label = theme.font("label")
            answer = self.tr("Answer")
            for text, x in ((self.tr("When"), float(_PADDING)), (self.tr("Tool"), tool)):
                self._write(painter, x, inner, text, label, "inkSoft")
            self._write(painter, tier, inner, self.tr("Tier"), label, "inkSoft")
            self._write_right(painter, answer, label, "inkSoft")
            painter.end()
            return
        meta = theme.font("meta", tabular=True)
        self._write(painter, _PADDING, tool - _PADDING - 8, row.age, meta, "inkSoft")
        self._write(painter, tool, tier - tool - 8, row.tool, theme.font("mono"), "ink")
        role = "madder" if row.is_refused else "ink"
        taken = self._write_right(painter, row.answer, meta, role)
        if row.tier is not None:
            inked, colour = TIER_MARKS[row.tier]
            edge = theme.icon_px(_MARK)
            mark = QRectF(tier, (self.height() - edge) / 2, edge, edge)
            paint_tier_mark(painter, mark, inked, theme.color(colour))
            x = tier + edge + 6
            name = tier_title(row.tier).lower()
            self._write(painter, x, taken - x - 8, name, meta, "ink")
        painter.end()

    def _write_right(self, painter: QPainter, text: str, font: QFont, role: str) -> float:
        """Write up to the right edge; where the text begins."""
        x = self.width() - _PADDING - QFontMetricsF(font).horizontalAdvance(text)
        self._write(painter, x, self.width(), text, font, role)
        return x

    def _write(
        self, painter: QPainter, x: float, room: float, text: str, font: QFont, role: str
    ) -> None:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, room))
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        baseline = round(self.height() / 2 + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(x, baseline), shown)


class ClientCallsCard(QFrame):
    """The latest requests of one client, newest first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clientCalls")
        self.setProperty("card", "true")
        self.setAccessibleName(self.tr("What it asked for"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._theme = theme
        self._shown: tuple[CallRow, ...] | None = None
        title = plain_label(self.tr("What it asked for"), "title", self)
        title.setContentsMargins(_PADDING, 14, _PADDING, 8)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(0)
        foot = wrapped_label(
            self.tr(
                "Every answer to a client passes through the same doors as your own. A scrub that"
                " one asks for waits until you confirm it in a window."
            ),
            "meta",
            self,
        )
        foot.setContentsMargins(_PADDING, 10, _PADDING, 14)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(title)
        column.addLayout(self._lines)
        column.addWidget(foot)
        column.addStretch(1)

    @property
    def calls(self) -> tuple[CallRow, ...]:
        """The requests on show, newest first."""
        return self._shown or ()

    def show_calls(self, calls: Sequence[CallRow]) -> None:
        """Show the newest of these."""
        shown = tuple(calls[:MOST])
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._lines.addWidget(CallLine(self._theme, None, self))
        for row in shown:
            self._lines.addWidget(rule(self))
            self._lines.addWidget(CallLine(self._theme, row, self))
        self._lines.addWidget(rule(self))
        if not shown:
            none = plain_label(self.tr("Nothing yet."), "meta", self)
            none.setContentsMargins(_PADDING, 10, _PADDING, 2)
            self._lines.addWidget(none)

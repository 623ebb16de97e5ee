"""The open workspace at the head of the rail, and the list that switches it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.ui.kit.look.mirror import draw_text, painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import paint_crest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QEnterEvent, QFont, QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.rail.wishes import WorkspaceRow
    from inklings_desktop.ui.rail.workspace_switcher import WorkspaceSwitcher

_CREST = 32
_PADDING = 9
_GAP = 10
_CARET = 14
_LINES = 2
_NAME_SIZES = (14, 13, 12)
_COMPACT_CREST = 32


class WorkspaceCard(QAbstractButton):
    """Crest, name on up to two lines, caret; pressing it opens the switcher.

    Signals:
        wanted: A ``WorkspaceWish``, and the id of the workspace that is meant.
        survey_wanted: The switcher opened: how much each workspace holds is wanted.
    """

    wanted = Signal(object, str)
    survey_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._id = ""
        self._compact = False
        self._rows: tuple[WorkspaceRow, ...] = ()
        self._offers_sample = True
        self._details: dict[str, WorkspaceRow] = {}
        self._switcher: WorkspaceSwitcher | None = None
        self.setObjectName("workspaceCard")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self.switcher)
        theme.changed.connect(self._on_theme_changed)

    def show_workspaces(
        self, rows: Sequence[WorkspaceRow], current_id: str, *, offers_sample: bool
    ) -> None:
        """Show the open workspace and remember the others for the menu."""
        self._rows = tuple(rows)
        self._id = current_id
        self._offers_sample = offers_sample
        name = next((row.name for row in rows if row.id == current_id), "")
        self.setText(name)
        self.setToolTip(plain_tool_tip(name))
        self.setAccessibleName(tr("Workspace"))
        self.setAccessibleDescription(name)
        self._refresh_switcher()
        self.update()

    def set_compact(self, *, compact: bool) -> None:
        """Show the crest alone, for the narrow rail."""
        self._compact = compact
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines of the name, or the crest alone."""
        if self._compact:
            return QSize(_COMPACT_CREST + 2 * _PADDING, _COMPACT_CREST)
        return QSize(200, self._theme.scaled(52))

    def switcher(self) -> WorkspaceSwitcher:
        """Open the list of workspaces below the card."""
        from inklings_desktop.ui.rail.workspace_switcher import WorkspaceSwitcher

        switcher = WorkspaceSwitcher(
            self._theme, self.wanted.emit, offers_sample=self._offers_sample, parent=self
        )
        switcher.closed.connect(self._on_switcher_closed)
        switcher.show_rows(self._switcher_rows(), self._id)
        switcher.popup_below(self)
        switcher.list.setFocus(Qt.FocusReason.PopupFocusReason)
        self._switcher = switcher
        self.survey_wanted.emit()
        return switcher

    def show_details(self, rows: Sequence[WorkspaceRow]) -> None:
        """Say what each workspace holds, in the switcher if it is open."""
        self._details = {row.id: row for row in rows}
        self._refresh_switcher()

    def _switcher_rows(self) -> list[WorkspaceRow]:
        known = self._details
        return [
            replace(known[row.id], name=row.name) if row.id in known else row for row in self._rows
        ]

    def _refresh_switcher(self) -> None:
        if self._switcher is not None:
            self._switcher.show_rows(self._switcher_rows(), self._id)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._compact:
            left = (self.width() - _COMPACT_CREST) / 2
            crest = QRectF(left, 0, _COMPACT_CREST, _COMPACT_CREST)
            paint_crest(painter, crest, self._id, theme)
            painter.end()
            return
        ground = "hover" if self.underMouse() else "surface"
        theme.draw_box(painter, self.rect(), ground, "card", line="line")
        top = (self.height() - _CREST) / 2
        paint_crest(painter, QRectF(_PADDING, top, _CREST, _CREST), self._id, theme)
        if self.isEnabled():
            at = (self.width() - theme.icon_px(_CARET) - _GAP, self.height() / 2)
            theme.draw_icon(painter, at, "caret-down", "inkSoft", _CARET)
        self._paint_name(painter)
        painter.end()

    def _paint_name(self, painter: QPainter) -> None:
        left = _PADDING + _CREST + _GAP
        width = self.width() - left - self._theme.icon_px(_CARET) - 2 * _GAP
        font = self._name_font(width)
        lines = self._lines(font, width)
        step = self._theme.scaled(18)
        painter.setFont(font)
        painter.setPen(self._theme.color("ink"))
        metrics = QFontMetricsF(font)
        top = (self.height() - len(lines) * step) / 2 - 1
        for number, line in enumerate(lines):
            baseline = top + number * step + metrics.ascent()
            draw_text(painter, QPointF(left, baseline), line)

    def _lines(self, font: QFont, width: float) -> list[str]:
        """The name on as many lines as there may be; what has no room ends in three dots."""
        text = self.text()
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        starts: list[int] = []
        layout.beginLayout()
        while len(starts) < _LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            starts.append(line.textStart())
        layout.endLayout()
        ends = [*starts[1:], len(text)]
        metrics = QFontMetricsF(font)
        return [
            metrics.elidedText(text[start:end].strip(), Qt.TextElideMode.ElideRight, width)
            for start, end in zip(starts, ends, strict=True)
        ]

    def _name_font(self, width: float) -> QFont:
        """As large as the longest word allows, not below the size of a label."""
        words = self.text().split() or [""]
        for px in _NAME_SIZES:
            font = self._theme.font("tab", px=px)
            metrics = QFontMetricsF(font)
            if max(metrics.horizontalAdvance(word) for word in words) <= width:
                break
        return font

    @Slot()
    def _on_switcher_closed(self) -> None:
        if self._switcher is not None:
            self._switcher.deleteLater()
            self._switcher = None

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
        self.update()

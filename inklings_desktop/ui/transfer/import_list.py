"""The rows of an import preview under hands: click, Space, and arrows for the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_table import RowDelegate, RowTable
from inklings_desktop.ui.kit.look.control_marks import box_edge, paint_check_box
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import as_painted, draw_text_in, painter_on, turn_in
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.transfer.import_state import (
    ImportItem,
    ImportLine,
    ImportListModel,
    ImportRole,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


MARGIN = 28
_STATUS_AT, _TIER_AT, _TEXT_AT = 34, 146, 264
_IMPORTANCE_WIDTH, _WHAT_WIDTH, _GAP = 70, 236, 20
_LEAST_TEXT, _BARE_TIER = 120, 40
_BADGE_HEIGHT, _BADGE_PADDING, _RADIUS = 21, 7, 4
_RINGS = 16
_SEGMENT_PADDING, _SEGMENT_HEIGHT, _FRAME = 10, 26, 2.5


@dataclass(frozen=True, slots=True)
class ImportColumns:
    """Where the columns begin and end at a width, in pixels; heads and rows share it."""

    box: float
    status: float
    tier: float
    text: float
    text_end: float
    importance_end: float
    what: float
    end: float
    names_tier: bool

    @classmethod
    def at(cls, width: float, scale: float) -> ImportColumns:
        """The columns of a row of this width."""
        end = width - MARGIN
        what = end - _WHAT_WIDTH * scale
        importance_end = what - _GAP
        text_end = importance_end - _IMPORTANCE_WIDTH * scale
        tier, text = MARGIN + _TIER_AT * scale, MARGIN + _TEXT_AT * scale
        names_tier = text_end - text >= _LEAST_TEXT * scale
        if not names_tier:  # the rings say it alone, and the text gets the room
            text = tier + _BARE_TIER * scale
        return cls(
            MARGIN, MARGIN + _STATUS_AT, tier, text, text_end, importance_end, what, end, names_tier
        )


class ImportDelegate(RowDelegate):
    """Draws rows of one height; the current one has a bar at its left."""

    row_px = 44

    def hit(self, line: ImportLine, rect: QRectF, at: QPointF) -> str:
        """What is under a point of a row: ``box``, the key of a choice, or nothing."""
        if line.can_check and at.x() < rect.left() + MARGIN + box_edge(self._theme) + 8:
            return "box"
        for key, _label, box in self._segments(line, rect):
            if box.contains(at):
                return key
        return ""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row."""
        line: ImportLine = index.data(ImportRole.LINE)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, state, line)
        columns = ImportColumns.at(rect.width(), self._theme.text_scale)
        middle = rect.center().y()
        edge = box_edge(self._theme)
        box = QRectF(rect.left() + columns.box, round(middle - edge / 2), edge, edge)
        checked = Qt.CheckState.Checked if line.is_checked else Qt.CheckState.Unchecked
        paint_check_box(painter, box, self._theme, checked, enabled=line.can_check)
        self._paint_badge(painter, rect.left() + columns.status, middle, line)
        place = QPointF(rect.left() + columns.tier, middle)
        self._paint_tier(painter, place, line, is_named=columns.names_tier)
        self._paint_text(painter, rect, columns, line)
        meta = self._theme.font("meta", tabular=True)
        width = QFontMetricsF(meta).horizontalAdvance(line.importance)
        at = rect.left() + columns.importance_end - width
        self.write(painter, at, middle, line.importance, meta, "ink")
        if line.choices:
            self._paint_choices(painter, rect, line)
        else:
            room = columns.end - columns.what
            left = rect.left() + columns.what
            self.write(painter, left, middle, line.what, meta, "inkSoft", room=room)
        if self._ring and state & QStyle.StateFlag.State_HasFocus:
            self.paint_ring(painter, rect)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, line: ImportLine
    ) -> None:
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("ochreSoft" if line.needs_eye else "selected"))
            bar = QRectF(rect.left(), rect.top(), 3, rect.height())
            painter.fillRect(bar, theme.color("ochre" if line.needs_eye else "accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        self.paint_hairline(painter, rect)

    def _paint_badge(self, painter: QPainter, x: float, middle: float, line: ImportLine) -> None:
        theme = self._theme
        font = theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(line.status) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(x, round(middle - height / 2), width, height)
        painter.setPen(QPen(QColor(theme.wash(line.role, 0.35)), 1))
        painter.setBrush(theme.color(f"{line.role}Soft"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        self.write(painter, x + _BADGE_PADDING, middle, line.status, font, line.role)

    def _paint_tier(
        self, painter: QPainter, place: QPointF, line: ImportLine, *, is_named: bool
    ) -> None:
        edge = self._theme.icon_px(_RINGS)
        mark = QRectF(place.x(), place.y() - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, line.inked, self._theme.color(line.tier_role))
        if is_named:
            font = self._theme.font("meta")
            self.write(painter, place.x() + edge + 6, place.y(), line.tier, font, "ink")

    def _paint_text(
        self, painter: QPainter, rect: QRectF, columns: ImportColumns, line: ImportLine
    ) -> None:
        middle = rect.center().y()
        step = self._theme.scaled(9)
        font = self._theme.font("reading" if line.is_remembered else "body", px=15)
        left, right = rect.left() + columns.text, rect.left() + columns.text_end
        first = middle - step if line.under else middle
        self.write_read(painter, QRectF(left, first, right - left, 0), line.text, font, "ink")
        if line.under:
            meta = self._theme.font("meta", px=12)
            below = QRectF(left, middle + step + 1, right - left, 0)
            role = "inkSoft" if line.needs_eye else "inkFaint"
            self.write_read(painter, below, line.under, meta, role)

    def _paint_choices(self, painter: QPainter, rect: QRectF, line: ImportLine) -> None:
        theme = self._theme
        segments = self._segments(line, rect)
        frame = segments[0][2].united(segments[-1][2]).adjusted(-_FRAME, -_FRAME, _FRAME, _FRAME)
        theme.draw_box(painter, frame, "sunken", 6, line="lineStrong")
        for key, label, box in segments:
            is_chosen = key == line.chosen
            if is_chosen:
                theme.draw_box(painter, box, "surface", 4, line="lineStrong")
            font = theme.font("meta", weight=600 if is_chosen else 400)
            width = QFontMetricsF(font).horizontalAdvance(label)
            x = box.center().x() - width / 2
            role = "ink" if is_chosen else "inkSoft"
            self.write(painter, x, box.center().y(), label, font, role)

    def _segments(self, line: ImportLine, rect: QRectF) -> list[tuple[str, str, QRectF]]:
        columns = ImportColumns.at(rect.width(), self._theme.text_scale)
        metrics = QFontMetricsF(self._theme.font("meta", weight=600))
        height = self._theme.scaled(_SEGMENT_HEIGHT)
        x = rect.left() + columns.what
        found = []
        for key, label in line.choices:
            width = metrics.horizontalAdvance(label) + 2 * _SEGMENT_PADDING
            found.append((key, label, QRectF(x, rect.center().y() - height / 2, width, height)))
            x += width
        return found


_HEAD_HEIGHT = 34
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ImportList(RowTable):
    """Shows lines and says what a person wants of them.

    Signals:
        row_looked_at: Number of the row that became current.
        row_toggled: Number of the row whose box was hit.
        choice_made: Number of a row and the key of its new choice.
    """

    row_looked_at = Signal(int)
    row_toggled = Signal(int)
    choice_made = Signal(int, str)

    def __init__(
        self, theme: Theme, line: Callable[[ImportItem], ImportLine], parent: QWidget | None = None
    ) -> None:
        self._line = line
        self._lines_delegate = ImportDelegate(theme)
        super().__init__(self._lines_delegate, parent=parent)
        self._lines = ImportListModel(line, self)
        self.setAccessibleName(tr("Rows of the file"))
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(self._lines)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self.refresh_heights)

    @property
    def lines(self) -> tuple[ImportLine, ...]:
        """What is on show, top to bottom."""
        return tuple(map(self._line, self._lines.rows))

    def show_items(self, items: Sequence[ImportItem], current: int) -> None:
        """Show other rows; the one of this number stays current, else the first is."""
        with self.unmoved():
            self._lines.replace_rows(items)
            wanted = self._lines.index_of(current)
            self.go_to(wanted if wanted.isValid() else self._lines.index(0, 0), scroll=False)

    def current_line(self) -> ImportLine | None:
        """The line that keys act on."""
        index = self.currentIndex()
        return index.data(ImportRole.LINE) if index.isValid() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space ticks, left and right choose; the rest moves."""
        line = self.current_line()
        key = Qt.Key(event.key())
        if line is not None and not event.modifiers():
            if key is Qt.Key.Key_Space:
                if line.can_check:
                    self.row_toggled.emit(line.number)
                return
            if key in _STEPS and line.choices:
                keys = [one for one, _label in line.choices]
                place = keys.index(line.chosen) + _STEPS[key]
                if 0 <= place < len(keys):
                    self.choice_made.emit(line.number, keys[place])
                return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A hit on the box or on a choice acts at once."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        line: ImportLine = index.data(ImportRole.LINE)
        rect = QRectF(self.visualRect(index))
        at = as_painted(event.position(), self.viewport())
        hit = self._lines_delegate.hit(line, rect, at)
        if hit == "box":
            self.row_toggled.emit(line.number)
        elif hit and hit != line.chosen:
            self.choice_made.emit(line.number, hit)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two quick clicks is one more."""
        self.mousePressEvent(event)

    @Slot(QModelIndex)
    def _on_current_row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_looked_at.emit(index.data(ImportRole.LINE).number)


class ImportHead(QWidget):
    """The names of the columns, and a box that ticks every row it is for or clears all.

    Signals:
        toggled: Whether every row is wanted now.
    """

    toggled = Signal(bool)

    def __init__(self, theme: Theme, rows: ImportList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = rows
        self._state = Qt.CheckState.Unchecked
        self._has_box = True
        rows.verticalScrollBar().rangeChanged.connect(self.update)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Every new row"))
        theme.hold_height(self, _HEAD_HEIGHT)

    def show_state(self, state: Qt.CheckState, name: str) -> None:
        """Show how many rows are ticked: none, some, all.

        Args:
            state: Of the box.
            name: Which rows it ticks; there is no box where it would tick none.
        """
        self._state = state
        self._has_box = bool(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if name else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name or tr("Columns"))
        told = {
            Qt.CheckState.Checked: tr("all ticked"),
            Qt.CheckState.Unchecked: tr("none ticked"),
        }
        self.setAccessibleDescription(told.get(state, tr("some ticked")))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self._has_box:
            self.toggled.emit(self._state is not Qt.CheckState.Checked)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = as_painted(event.position(), self).x()
        if self._has_box and left < ImportColumns.at(self.width(), 1.0).status:
            self.toggled.emit(self._state is not Qt.CheckState.Checked)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = ImportColumns.at(self._rows.viewport().width(), theme.text_scale)
        if self._has_box:
            edge = box_edge(theme)
            box = QRectF(columns.box, (self.height() - edge) // 2, edge, edge)
            paint_check_box(painter, box, theme, self._state)
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color("inkSoft"))
        middle = Qt.AlignmentFlag.AlignVCenter
        for x, words in (
            (columns.status, tr("Status")),
            (columns.tier, tr("Tier")),
            (columns.text, tr("Content")),
            (columns.what, tr("What happens")),
        ):
            draw_text_in(painter, QRectF(x, 0, self.width(), self.height()), middle, words)
        draw_text_in(
            painter,
            QRectF(0, 0, columns.importance_end, self.height()),
            middle | Qt.AlignmentFlag.AlignRight,
            tr("Importance"),
        )
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("lineStrong"))
        painter.end()

"""The strip at the foot of the rail: background work that runs, waits for idle, or stopped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.waiting import TurningIcon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.task_words import StripLine

_LINE = 26
_BAR_LINE = 34
_BAR_TOP, _BAR_HEIGHT = 26, 4
_SIDE = 14
_ICON = 14
_TEXT_GAP = 10
_INSET = 8
_RING = 26
_RING_STROKE = 3.0
_RING_ICON = 18
_ABOVE, _BELOW = 4, 7
_COMPACT_PADDING = 10


class _TaskButton(QAbstractButton):
    """What line and ring have in common: pressed by mouse, Space and Enter."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._line: StripLine | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def line(self) -> StripLine | None:
        """What it shows."""
        return self._line

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)


class TaskLine(_TaskButton):
    """One kind of work: mark, name, how it stands; a bar and a cross while it runs.

    Attributes:
        end: The cross that cancels, or the triangle that resumes.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.mark = TurningIcon(theme, _ICON, self)
        self.end = named(IconButton(theme, "x", tr("Cancel"), size=14, parent=self), "taskEnd")
        theme.changed.connect(self._on_theme_changed)

    def show_line(self, line: StripLine) -> None:
        """Show another line."""
        before, self._line = self._line, line
        self.mark.show_icon(line.icon, line.role, turning=line.is_running)
        if before is None or (before.is_running, before.can_resume) != (
            line.is_running,
            line.can_resume,
        ):
            if line.can_resume:
                self.end.set_icon_name("play", tr("Resume background work"))
            else:
                self.end.set_icon_name("x", tr("Cancel: {task}").format(task=line.title))
            self.end.setVisible(line.is_running or line.can_resume)
            self.updateGeometry()
        self.setAccessibleName(line.title)
        self.setAccessibleDescription(line.told)
        self.setToolTip(plain_tool_tip(f"{line.title}\n{line.told}"))
        self.update()

    def sizeHint(self) -> QSize:
        """One line of text, and a bar below it while it runs."""
        running = self._line is not None and self._line.is_running
        return QSize(0, self._theme.scaled(_BAR_LINE if running else _LINE))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        line, theme = self._line, self._theme
        if line is None:
            return
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isDown() or self.underMouse():
            ground = self.rect().adjusted(_INSET, 0, -_INSET, 0)
            theme.draw_box(painter, ground, "selected" if self.isDown() else "hover", 6)
        bold, usual = theme.font("meta", weight=600), theme.font("meta", tabular=True)
        between = QFontMetricsF(usual).horizontalAdvance(" ")
        left = self._text_start()
        room = self._end_of_text() - left
        # Where room runs out the name is cut before the figures.
        name_room = room - between - QFontMetricsF(usual).horizontalAdvance(line.words)
        least = QFontMetricsF(bold).horizontalAdvance("Mm\u2026")
        middle, ink = theme.scaled(_LINE) / 2, theme.color("ink")
        x = write(painter, left, middle, line.name, bold, ink, room=max(name_room, least)) + between
        ink = theme.color(line.role if line.is_warning else "inkSoft")
        write(painter, x, middle, line.words, usual, ink, room=left + room - x)
        if line.is_running:
            self._paint_bar(painter, line.share or 0.0)
        painter.end()

    def _text_start(self) -> float:
        return float(_SIDE + self._theme.icon_px(_ICON) + _TEXT_GAP)

    def _end_of_text(self) -> float:
        has_end = self._line is not None and (self._line.is_running or self._line.can_resume)
        return float(self.end.x() if has_end else self.width() - _SIDE)

    def _paint_bar(self, painter: QPainter, share: float) -> None:
        left = self._text_start()
        track = QRectF(left, self._theme.scaled(_BAR_TOP), self.width() - _SIDE - left, _BAR_HEIGHT)
        radius = _BAR_HEIGHT / 2
        self._theme.draw_box(painter, track, "lineStrong", radius)
        if share > 0:
            track.setWidth(max(track.height(), track.width() * share))
            self._theme.draw_box(painter, track, "accent", radius)

    def _place(self) -> None:
        middle = self._theme.scaled(_LINE) / 2
        self.mark.move(_SIDE, round(middle - self.mark.height() / 2))
        # The cross itself ends where the bar does; its hit area reaches beyond.
        overhang = (self.end.width() - self._theme.icon_px(_ICON)) // 2
        self.end.move(
            self.width() - _SIDE - self.end.width() + overhang,
            round(middle - self.end.height() / 2),
        )

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self._place()
        self.update()


class TaskRing(_TaskButton):
    """The same in the narrow rail: a ring that fills, or the mark of what is to be told."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("taskRing")
        self.setProperty("ringRadius", _RING // 2)
        self.mark = TurningIcon(theme, _RING_ICON, self)
        self.setFixedSize(_RING, _RING)

    def show_lines(self, lines: Sequence[StripLine]) -> None:
        """Show the first line; the tool tip tells all of them."""
        self._line = line = lines[0]
        self.setAccessibleName(line.title)
        self.setAccessibleDescription("; ".join(f"{one.name} {one.words}" for one in lines))
        self.setToolTip(plain_tool_tip("\n".join(f"{one.name} {one.words}" for one in lines)))
        self.mark.setVisible(line.share is None)
        self.mark.show_icon(line.icon, line.role, turning=line.is_running)
        self.mark.move(
            (self.width() - self.mark.width()) // 2, (self.height() - self.mark.height()) // 2
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_RING, _RING)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the ring while it is known how far the work has come."""
        line = self._line
        if line is None or line.share is None:
            return
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = _RING_STROKE / 2 + 0.5
        circle = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        hovered = self.underMouse() or self.isDown()
        painter.setPen(
            QPen(self._theme.color("controlBorder" if hovered else "lineStrong"), _RING_STROKE)
        )
        painter.drawEllipse(circle)
        pen = QPen(self._theme.color("accent"), _RING_STROKE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(circle, 90 * 16, -round(line.share * 360 * 16))
        painter.end()


class TaskStrip(Grounded, QWidget):
    """Lines under a hairline, at most one per kind of work; hidden while there is none.

    Signals:
        opened: Row of the table that tells more; empty for the table as such.
        cancel_requested: The kind of work that is to stop.
        resume_requested: Background work is to go on.
    """

    opened = Signal(str)
    cancel_requested = Signal(str)
    resume_requested = Signal()
    stands_on = Ground(above="line")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("taskStrip")
        self.setAccessibleName(tr("Background work"))
        self._theme = theme
        self._is_compact = False
        self._lines: dict[str, TaskLine] = {}
        self._shown: tuple[StripLine, ...] = ()
        self.ring = TaskRing(theme, self)
        self.ring.clicked.connect(partial(self._open, self.ring))
        self._column = vbox(self, (self.ring, 0, Qt.AlignmentFlag.AlignHCenter), spacing=0)
        self.hide()
        self._arrange()

    @property
    def lines(self) -> tuple[TaskLine, ...]:
        """The lines on show, top to bottom."""
        return tuple(self._lines[one.key] for one in self._shown)

    def show_lines(self, lines: Sequence[StripLine]) -> None:
        """Show these; a line that stays keeps the keyboard."""
        self._shown = tuple(lines)
        for line in self._shown:
            if line.key not in self._lines:
                self._lines[line.key] = self._made_line(line.key)
            self._lines[line.key].show_line(line)
        if self._shown:
            self.ring.show_lines(self._shown)
        self._arrange()

    def set_compact(self, *, compact: bool) -> None:
        """One ring, or lines."""
        self._is_compact = compact
        self._arrange()

    def _made_line(self, key: str) -> TaskLine:
        line = named(TaskLine(self._theme, self), f"task{key.title().replace('_', '')}")
        line.clicked.connect(partial(self._open, line))
        line.end.clicked.connect(partial(self._end, line))
        return line

    def _arrange(self) -> None:
        self.ring.setVisible(self._is_compact and bool(self._shown))
        for place, one in enumerate(self._shown, start=1):
            widget = self._lines[one.key]
            if self._column.indexOf(widget) != place:
                self._column.insertWidget(place, widget)
        keys = {one.key for one in self._shown}
        for key, widget in self._lines.items():
            widget.setVisible(key in keys and not self._is_compact)
        if self._is_compact:
            self._column.setContentsMargins(0, _COMPACT_PADDING, 0, _COMPACT_PADDING)
        else:
            self._column.setContentsMargins(0, _ABOVE, 0, _BELOW)
        self.setVisible(bool(self._shown))

    def _open(self, button: _TaskButton) -> None:
        if button.line is not None:
            self.opened.emit(button.line.group)

    def _end(self, button: TaskLine) -> None:
        if button.line is None:
            return
        if button.line.can_resume:
            self.resume_requested.emit()
        else:
            self.cancel_requested.emit(button.line.key)

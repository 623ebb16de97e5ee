"""What rows and small widgets say, as cells in lines: words, icons, rings, badges, bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPen

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.control_marks import (
    box_edge,
    key_cap_height,
    key_cap_width,
    paint_check_box,
    paint_key_cap,
    paint_radio,
)
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left, write

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPaintEvent

    from inklings_desktop.ui.kit.look.assets import IconWeight
    from inklings_desktop.ui.kit.look.theme import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One thing in a line.

    Attributes:
        gap: Room between it and what stands before it, or after it at the end of a line, in pixels.
    """

    gap: float = 0

    def width(self, theme: Theme) -> float:
        """The width of all of it, in pixels."""
        raise NotImplementedError

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        """Draw it from the left of a room on, about its upper edge; where it ends."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Text(Cell):
    """Words on one line, cut with an ellipsis where there is no room for them.

    Attributes:
        text: The words.
        role: Of their colour.
        style: Of the type scale.
        px: Another size than that of the style; None for its own.
        weight: Another weight; None for its own.
        tabular: Whether figures are of one width.
        is_read: Whether it is written from the side where its reading begins.
        slot: Width of a column for it at the usual size of text; 0 for as wide as it is.
        is_whole: Whether it is never cut, and other words of its line give way to it.
        is_struck: Whether a line goes through it.
    """

    text: str
    role: str = "ink"
    style: str = "meta"
    px: int | None = None
    weight: int | None = None
    tabular: bool = False
    is_read: bool = False
    slot: int = 0
    is_whole: bool = False
    is_struck: bool = False

    def font(self, theme: Theme) -> QFont:
        """The face it is written in."""
        return theme.font(self.style, px=self.px, weight=self.weight, tabular=self.tabular)

    def width(self, theme: Theme) -> float:
        if self.slot:
            return theme.scaled(self.slot)
        return QFontMetricsF(self.font(theme)).horizontalAdvance(self.text)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        font, colour = self.font(theme), theme.color(self.role)
        if self.is_read and reads_right_to_left(self.text):
            x += max(0.0, room.width() - self.width(theme))
        if self.slot:
            width = min(theme.scaled(self.slot) - _AIR, room.width())
            write(painter, x, middle, self.text, font, colour, room=width)
            return x + theme.scaled(self.slot)
        most = None if self.is_whole else room.width()
        end = write(painter, x, middle, self.text, font, colour, room=most)
        if self.is_struck:
            painter.setPen(QPen(colour, 1))
            painter.drawLine(QPointF(x - 1, middle + 1), QPointF(end + 1, middle + 1))
        return end


@dataclass(frozen=True, slots=True)
class Icon(Cell):
    """An icon of about so many pixels, in a role's colour."""

    name: str
    role: str = "inkSoft"
    size: int = 14
    weight: IconWeight = "regular"

    def width(self, theme: Theme) -> float:
        return theme.icon_px(self.size)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        at = (round(x), middle)
        return x + theme.draw_icon(painter, at, self.name, self.role, self.size, weight=self.weight)


@dataclass(frozen=True, slots=True)
class Room(Cell):
    """Nothing, so many pixels of it, before which words end."""

    px: float

    def width(self, theme: Theme) -> float:  # noqa: ARG002 - whoever asks for it has measured
        return self.px

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:  # noqa: ARG002 - the same
        return room.left() + self.px


@dataclass(frozen=True, slots=True)
class Rings(Cell):
    """The rings of a tier: how many are inked, in a role's colour, about so many pixels wide."""

    inked: int
    role: str
    size: int = 14

    def width(self, theme: Theme) -> float:
        return theme.icon_px(self.size)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        edge = self.width(theme)
        box = QRectF(x, middle - edge / 2, edge, edge)
        paint_tier_mark(painter, box, self.inked, theme.color(self.role))
        return x + edge


@dataclass(frozen=True, slots=True)
class Dot(Cell):
    """A filled dot of so many pixels, or a lozenge, which is as high as a dot and stands apart."""

    role: str
    size: float = 7
    is_lozenge: bool = False

    def width(self, theme: Theme) -> float:  # noqa: ARG002 - a dot does not grow with the text
        return self.size

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        half = self.size / 2
        if self.is_lozenge:
            painter.save()
            painter.translate(x + half, middle)
            painter.rotate(45)
            theme.draw_box(painter, QRectF(-half, -half, self.size, self.size), self.role, 1)
            painter.restore()
        else:
            box = QRectF(x, middle - half, self.size, self.size)
            theme.draw_box(painter, box, self.role, half)
        return x + self.size


@dataclass(frozen=True, slots=True)
class Badge(Cell):
    """A word or two on a ground.

    Attributes:
        words: What it says.
        ground: Role of what the words stand on.
        radius: Of its corners, in pixels; a badge with none is round at both ends.
        height: At the usual size of text, in pixels.
        padding: Before and after the words.
        is_square: Whether it is never narrower than high.
    """

    words: Text
    ground: str
    radius: float | None = 4
    height: int = 19
    padding: int = 7
    is_square: bool = False

    def width(self, theme: Theme) -> float:
        least = theme.scaled(self.height) if self.is_square else 0
        return max(least, self.words.width(theme) + 2 * self.padding)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        width, height = self.width(theme), theme.scaled(self.height)
        box = QRectF(x, round(middle - height / 2), width, height)
        radius = height / 2 if self.radius is None else self.radius
        theme.draw_box(painter, box, self.ground, radius)
        start = x + (width - self.words.width(theme)) / 2
        self.words.draw(painter, theme, QRectF(start, box.center().y(), width, 0))
        return x + width


@dataclass(frozen=True, slots=True)
class Bar(Cell):
    """How far something has come, on a track.

    Attributes:
        share: 0 up to 1.
        most: Width of the track at the usual size of text where there is room for it.
        height: Of both, in pixels.
        role: Of the colour of what is done.
    """

    share: float
    most: int = 110
    height: int = 4
    role: str = "accent"

    def width(self, theme: Theme) -> float:
        return theme.scaled(self.most)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        width = min(self.width(theme), room.width())
        track = QRectF(x, round(middle - self.height / 2), width, self.height)
        theme.draw_box(painter, track, "line", self.height / 2)
        if self.share > 0:
            track.setWidth(max(track.height(), width * self.share))
            theme.draw_box(painter, track, self.role, self.height / 2)
        return x + width


@dataclass(frozen=True, slots=True)
class Radio(Cell):
    """The mark of which one is chosen; one that is not has a line in a role's colour."""

    is_on: bool
    line: str = "controlBorder"
    size: int = 15

    def width(self, theme: Theme) -> float:
        return theme.scaled(self.size)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        half = self.width(theme) / 2
        paint_radio(painter, QPointF(x + half, middle), half, theme, on=self.is_on, line=self.line)
        return x + 2 * half


@dataclass(frozen=True, slots=True)
class Check(Cell):
    """The box of a row that can be checked."""

    is_on: bool

    def width(self, theme: Theme) -> float:
        return box_edge(theme)

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        edge = box_edge(theme)
        box = QRectF(room.left(), round(room.top() - edge / 2), edge, edge)
        state = Qt.CheckState.Checked if self.is_on else Qt.CheckState.Unchecked
        paint_check_box(painter, box, theme, state)
        return room.left() + edge


@dataclass(frozen=True, slots=True)
class KeyCap(Cell):
    """A key as a small cap."""

    keys: str

    def width(self, theme: Theme) -> float:
        return key_cap_width(self.keys, theme.font("meta", px=12))

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        x, middle = room.left(), room.top()
        width, height = self.width(theme), key_cap_height(theme)
        box = QRectF(x, round(middle - height / 2), width, height)
        paint_key_cap(painter, box, self.keys, theme)
        return x + width


@dataclass(frozen=True, slots=True)
class Stack(Cell):
    """One cell above the other: so far from the middle, in pixels at the usual size of text."""

    upper: Cell
    lower: Cell
    up: float = 9
    down: float = 9

    def width(self, theme: Theme) -> float:
        return max(self.upper.width(theme), self.lower.width(theme))

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        above = self.upper.draw(painter, theme, room.translated(0, -theme.scaled(self.up)))
        below = self.lower.draw(painter, theme, room.translated(0, theme.scaled(self.down)))
        return max(above, below)


_AIR = 10
"""Between what stands in a slot and the next one."""
_ROUNDED = 0.5
"""What a width in whole pixels may have lost: nothing is cut for it."""


@dataclass(frozen=True, slots=True)
class Line:
    """Cells side by side.

    Attributes:
        cells: From the left on; words among them get the room that the others leave.
        ends: Those that end at the right edge.
        at: Its middle from the top of the row at the usual size of text; None: that of the row.
        indent: How much further in it begins.
        is_centred: Whether it stands in the middle from left to right.
    """

    cells: tuple[Cell, ...]
    ends: tuple[Cell, ...] = ()
    at: float | None = None
    indent: float = 0
    is_centred: bool = False

    def width(self, theme: Theme) -> float:
        """The width of all of it, in pixels."""
        return sum(one.gap + one.width(theme) for one in (*self.cells, *self.ends))

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> None:
        """Draw it within a row; antialiasing is on."""
        middle = room.center().y()
        if self.at is not None:
            middle = room.top() + self.at * theme.text_scale
        x, end = room.left() + self.indent, room.right()
        if self.is_centred:
            x = room.center().x() - self.width(theme) / 2
        for cell in reversed(self.ends):
            width = cell.width(theme)
            cell.draw(painter, theme, QRectF(end - width, middle, width, 0))
            end -= width + cell.gap
        for place, cell in enumerate(self.cells, start=1):
            x += cell.gap
            left = end - x + _ROUNDED
            for one in self.cells[place:]:
                if not isinstance(one, Text) or one.is_whole:  # other words give way
                    left -= one.gap + one.width(theme)
            x = cell.draw(painter, theme, QRectF(x, middle, left, 0))


@dataclass(frozen=True, slots=True)
class Said:
    """All that a row says, and what it stands on.

    Attributes:
        lines: Top to bottom.
        left: Where they begin, in pixels.
        right: How far from the right edge they end.
        ground: What it stands on.
        hovered: What it stands on under the mouse; None for no other.
        selected: What the selected one stands on.
        hairline: Role of the line below it; empty for none.
    """

    lines: tuple[Line, ...]
    left: float = 0
    right: float = 0
    ground: Ground = Ground()
    hovered: Ground | None = Ground("hover")
    selected: Ground = Ground("selected", bar="accent")
    hairline: str = "line"

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        """Draw its lines within a rectangle; antialiasing is on."""
        room = rect.adjusted(self.left, 0, -self.right, 0)
        for line in self.lines:
            line.draw(painter, theme, room)


class Celled(Grounded):
    """Goes before the class of a widget that says cells."""

    def said(self) -> Said:
        """What it says now."""
        raise NotImplementedError

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        rect = QRectF(self.rect())
        self.ground().paint_in(painter, rect, self._theme)
        self.said().draw(painter, self._theme, rect)
        painter.end()

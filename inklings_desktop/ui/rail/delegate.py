"""Paints the rows of the rail: pages, the channels section, channels and conversations."""

from PySide6.QtCore import (
    QLineF,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.ui.kit.look.cells import Dot
from inklings_desktop.ui.kit.look.control_marks import key_cap_height, key_cap_width, paint_key_cap
from inklings_desktop.ui.kit.look.mirror import turn_in
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.rail.model import (
    RailChannel,
    RailConversation,
    RailPage,
    RailRole,
    RailRow,
    RailSection,
)

_PAGE_HEIGHT = 32
_COMPACT_PAGE_HEIGHT = 36
_COMPACT_PLUS = 26
_SECTION_HEIGHT = 38
_COMPACT_SECTION_HEIGHT = 56
_COMPACT_INSET = 8
_COMPACT_AIR = 9
_WAITING_PX, _WAITING_HEIGHT = 12, 16
_CHANNEL_HEIGHT = 27
_CONVERSATION_HEIGHT = 26
_GAP_AFTER_SECTION = 12
_BAR_WIDTH = 3
_BAR_HEIGHT = 16
_DOT_RADIUS = 3.25
_LOZENGE = 6
_UNREAD = 7.0


class RailDelegate(QStyledItemDelegate):
    """Draws the rail with labels, or with icons alone where the window is narrow."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._compact = False

    def set_compact(self, *, compact: bool) -> None:
        """Show icons alone; names then stand in the tool tips."""
        self._compact = compact

    def sizeHint(
        self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Height by kind of row; the rail gives it its width."""
        row: RailRow = index.data(RailRole.ROW)
        if self._compact:
            height = _compact_height(row)
        elif isinstance(row, RailPage):
            height = _PAGE_HEIGHT + (_GAP_AFTER_SECTION if _follows_section(index) else 0)
        elif isinstance(row, RailSection):
            height = _SECTION_HEIGHT
        else:
            height = _CHANNEL_HEIGHT if isinstance(row, RailChannel) else _CONVERSATION_HEIGHT
        return QSize(0, self._theme.scaled(height))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row."""
        row: RailRow = index.data(RailRole.ROW)
        rect = QRectF(option.rect)
        if rect.height() < 2:  # noqa: PLR2004 - rows without room in the narrow rail
            return
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, RailPage) and not self._compact and _follows_section(index):
            rect.setTop(rect.top() + self._theme.scaled(_GAP_AFTER_SECTION))
        if self._compact and isinstance(row, RailPage) and row.adds:
            rect.setBottom(rect.bottom() - self._theme.scaled(_COMPACT_PLUS))
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        if not isinstance(row, RailSection):
            self._paint_ground(painter, rect, option, current=current)
        if self._compact:
            self._paint_compact(painter, rect, row, current=current)
        else:
            match row:
                case RailPage():
                    self._paint_page(painter, rect, row, current=current)
                case RailSection():
                    self._paint_section(painter, rect, row)
                case RailChannel():
                    self._paint_channel(painter, rect, row, current=current)
                case RailConversation():
                    self._paint_conversation(painter, rect, row, current=current)
        painter.restore()

    # -- one kind of row each -------------------------------------------------------------

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, *, current: bool
    ) -> None:
        inset = _COMPACT_INSET if self._compact else 0
        ground = rect.adjusted(inset, 1 if inset else 0, -inset, -1 if inset else 0)
        if current:
            self._theme.draw_box(painter, ground, "selected", 6)
            bar = QRectF(ground.left(), 0, _BAR_WIDTH, _BAR_HEIGHT)
            bar.moveTop(rect.center().y() - _BAR_HEIGHT / 2)
            self._theme.draw_box(painter, bar, "accent", 1.5)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            self._theme.draw_box(painter, ground, "hover", 6)

    def _paint_page(self, painter: QPainter, rect: QRectF, row: RailPage, *, current: bool) -> None:
        theme = self._theme
        edge = self._icon(painter, (rect.left() + 10, rect.center().y()), row, 18, current=current)
        end = rect.right() - 9
        name_font = theme.font("bodyStrong" if current else "body")
        if row.key_hint:
            font = theme.font("meta", px=12)
            room = (
                end
                - 8
                - rect.left()
                - 20
                - edge
                - QFontMetricsF(name_font).horizontalAdvance(row.name)
            )
            is_short = bool(row.short_hint) and key_cap_width(row.key_hint, font) > room
            hint = row.short_hint if is_short else row.key_hint
            cap = key_cap_width(hint, font)
            height = key_cap_height(theme)
            box = QRectF(end - cap, rect.center().y() - height / 2, cap, height)
            paint_key_cap(painter, box, hint, theme)
            end = box.left() - 8
        elif row.count is not None:
            end = self._count(painter, rect, row.count)
            if row.short_hint:
                end -= 2 * _LOZENGE
                spot = QRectF(end, rect.center().y(), 0, 0)
                Dot("ochre", _LOZENGE, is_lozenge=True).draw(painter, theme, spot)
                end -= 8
        left = rect.left() + 20 + edge
        self._label(painter, rect, left, end, row.name, name_font, current=current)

    def _paint_section(self, painter: QPainter, rect: QRectF, row: RailSection) -> None:
        font = self._theme.font("label")
        lower = QRectF(
            rect.left(), rect.top() + rect.height() * 0.26, rect.width(), rect.height() * 0.74
        )
        self._label(painter, lower, rect.left() + 10, rect.right() - 30, row.name, font, faint=True)

    def _paint_channel(
        self, painter: QPainter, rect: QRectF, row: RailChannel, *, current: bool
    ) -> None:
        theme = self._theme
        icon, role = "archive" if row.is_archived else "hash", "accent" if current else "inkFaint"
        edge = theme.draw_icon(painter, (rect.left() + 14, rect.center().y()), icon, role, 14)
        end = self._count(painter, rect, row.count)
        if row.is_unread:
            end = self._unread(painter, end - 4, rect.center().y())
        is_strong = current or row.is_unread
        font = theme.font("meta", weight=600 if is_strong else None)
        self._label(painter, rect, rect.left() + 21 + edge, end, row.name, font, current=is_strong)

    def _paint_conversation(
        self, painter: QPainter, rect: QRectF, row: RailConversation, *, current: bool
    ) -> None:
        theme = self._theme
        centre = QPointF(rect.left() + 37.5, rect.center().y())
        end = rect.right() - 4
        if row.activity == "waiting":
            end = self._sign(painter, rect.right() - 14, centre.y(), "hand-palm", "ochre")
        elif row.is_unread:
            end = self._unread(painter, rect.right() - 14, centre.y())
        if row.activity == "working":
            half = theme.icon_px(14) / 2
            self._sign(painter, centre.x() + half, centre.y(), "arrows-clockwise", "accent")
        elif row.state == "active":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(centre, _DOT_RADIUS, _DOT_RADIUS)
        elif row.state != "more":
            pen = QPen(theme.color("inkFaint"), 1.3)
            if row.state == "archived":
                pen.setDashPattern([1.2, 1.6])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, _DOT_RADIUS - 0.4, _DOT_RADIUS - 0.4)
        is_strong = current or row.is_unread or row.activity == "waiting"
        font = theme.font("meta", weight=600 if is_strong else None)
        left = rect.left() + 48
        self._label(painter, rect, left, end, row.name, font, current=is_strong)

    def _paint_compact(
        self, painter: QPainter, rect: QRectF, row: RailRow, *, current: bool
    ) -> None:
        if isinstance(row, RailSection):  # its button stands over the row
            painter.setPen(QPen(self._theme.color("lineStrong"), 1))
            middle, y = rect.center().x(), rect.bottom() - _COMPACT_AIR + 0.5
            painter.drawLine(QLineF(middle - 14, y, middle + 14, y))
        if not isinstance(row, RailPage):
            return
        edge, centre = self._theme.icon_px(20), rect.center()
        at = (round(centre.x() - edge / 2), centre.y())
        self._icon(painter, at, row, 20, current=current)
        if row.short_hint:
            corner = QPointF(centre.x() + edge / 2, centre.y() - edge / 2 + 1)
            self._paint_waiting(painter, corner, row.short_hint)

    def _paint_waiting(self, painter: QPainter, centre: QPointF, count: str) -> None:
        """How much waits behind an icon, at its upper right."""
        theme = self._theme
        font = theme.font("meta", px=_WAITING_PX, weight=600, tabular=True)
        width = QFontMetricsF(font).horizontalAdvance(count)
        height = theme.scaled(_WAITING_HEIGHT)
        box = QRectF(0, 0, max(height, width + 8), height)
        box.moveCenter(centre)
        painter.setPen(QPen(theme.color("ochre"), 1))
        painter.setBrush(theme.color("ochreSoft"))
        painter.drawRoundedRect(box, height / 2, height / 2)
        middle = box.center()
        write(painter, middle.x() - width / 2, middle.y(), count, font, theme.color("ochre"))

    # -- pieces ---------------------------------------------------------------------------

    def _unread(self, painter: QPainter, right: float, middle: float) -> float:
        """The dot of something new, its right edge here; returns where the name must end."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("lapis"))
        painter.drawEllipse(QPointF(right - _UNREAD / 2, middle), _UNREAD / 2, _UNREAD / 2)
        return right - _UNREAD - 8

    def _sign(self, painter: QPainter, right: float, middle: float, icon: str, role: str) -> float:
        """A small icon, its right edge here; returns where the name must end."""
        edge = self._theme.icon_px(14)
        self._theme.draw_icon(painter, (round(right - edge), middle), icon, role, 14)
        return right - edge - 6

    def _icon(
        self,
        painter: QPainter,
        at: tuple[float, float],
        row: RailPage,
        size: int,
        *,
        current: bool,
    ) -> int:
        """Draws the icon of a page, filled for the one on show; returns how wide it is."""
        if current:
            return self._theme.draw_icon(painter, at, row.icon, "accent", size, weight="fill")
        return self._theme.draw_icon(painter, at, row.icon, "inkSoft", size)

    def _count(self, painter: QPainter, rect: QRectF, count: int) -> float:
        """Writes a count at the right edge; returns where the name must end."""
        font = self._theme.font("meta", px=12, tabular=True)
        text = QLocale().toString(count)
        width = QFontMetricsF(font).horizontalAdvance(text)
        x = rect.right() - 9 - width
        write(painter, x, rect.center().y(), text, font, self._theme.color("inkFaint"))
        return x - 8

    def _label(
        self,
        painter: QPainter,
        rect: QRectF,
        left: float,
        right: float,
        text: str,
        font: QFont,
        *,
        current: bool = False,
        faint: bool = False,
    ) -> None:
        ink = self._theme.color("ink" if current else "inkFaint" if faint else "inkSoft")
        write(painter, left, rect.center().y(), text, font, ink, room=right - left)


def _follows_section(index: QModelIndex | QPersistentModelIndex) -> bool:
    """Whether a page stands right below the channels, which asks for some air."""
    above = index.sibling(index.row() - 1, 0)
    return above.isValid() and isinstance(above.data(RailRole.ROW), RailSection)


def _compact_height(row: RailRow) -> int:
    if isinstance(row, RailPage):
        return _COMPACT_PAGE_HEIGHT + (_COMPACT_PLUS if row.adds else 0)
    return _COMPACT_SECTION_HEIGHT if isinstance(row, RailSection) else 0

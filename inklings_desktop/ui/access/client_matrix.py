"""The matrix of clients by tier: who may do what, at a glance."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.access.state import BadgeTone, ClientRow
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnTable
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel, RowRole
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.access.state import TierBadge
    from inklings_desktop.ui.kit.look.theme import Theme

MOST_ROWS = 6
_ROW, _HEADER = 58, 38
_PADDING = 16
_STARTS = (0.233, 0.38, 0.617, 0.76)
_TEXT = 32
_GAP = 12
_BADGE = 20
_BADGE_PADDING = 8
_LEAST_WHO = 140
_WHO_BEFORE_ICONS = 40  # how much of long names may show before icons go
_MARK = 16

# Ground, ink and icon of a badge.
_TONES = {
    BadgeTone.ROOM: ("graphiteSoft", "inkSoft", ""),
    BadgeTone.READ: ("lapisSoft", "lapis", "eye"),
    BadgeTone.WRITE: ("accentSoft", "accent", "pencil-simple"),
}


class MatrixColumns:
    """Where the columns of the matrix begin: as designed, unless that would cut what has room.

    A right that is cut is a right that cannot be read, so badges come before names, and the
    icons of badges go before either.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._rows: tuple[ClientRow, ...] = ()

    def take(self, rows: Sequence[ClientRow]) -> None:
        """Make room for these clients from now on."""
        self._rows = tuple(rows)

    def starts(self, width: float) -> list[float]:
        """Left edge of each tier's column, in pixels from the left of the matrix."""
        designed = [width * share for share in _STARTS]
        end = self.end(width)
        has_icons = self.has_icons(width)
        needed, who = self._needed(has_icons=has_icons), self._who()
        ends = [*designed[1:], end]
        if designed[0] >= who and all(
            right - left >= need for left, right, need in zip(designed, ends, needed, strict=True)
        ):
            return designed
        spare = end - sum(needed)
        if spare > who:  # everything fits: what is left is shared out
            air = (spare - who) / (len(needed) + 1)
            first = who + air
        else:
            air, first = 0.0, max(spare, self._theme.scaled(_LEAST_WHO))
        # Where not even names can give way, every tier loses its part.
        shrink = min(1.0, (end - first) / sum(needed))
        starts = [first]
        for need in needed[:-1]:
            starts.append(starts[-1] + need * shrink + air)
        return starts

    def has_icons(self, width: float) -> bool:
        """Whether badges have room for their icons beside all names and words."""
        least = self._theme.scaled(_LEAST_WHO)
        who = max(least, min(self._who(), least + self._theme.scaled(_WHO_BEFORE_ICONS)))
        return self.end(width) - sum(self._needed(has_icons=True)) >= who

    def end(self, width: float) -> float:
        """Right edge of the last tier's column, before the ages."""
        return width - _PADDING - self._seen()

    def _needed(self, *, has_icons: bool) -> list[float]:
        label = QFontMetricsF(self._theme.font("label"))
        edge = self._theme.icon_px(_MARK)
        widths = [edge + 6 + label.horizontalAdvance(tier_title(tier)) for tier in Tier]
        for row in self._rows:
            for number, badge in enumerate(row.badges):
                wanted = badge_width(self._theme, badge, has_icon=has_icons)
                widths[number] = max(widths[number], wanted)
        return [one + _GAP + 1 for one in widths]

    def _who(self) -> float:
        bold = QFontMetricsF(self._theme.font("bodyStrong"))
        meta = QFontMetricsF(self._theme.font("meta"))
        widths = [
            max(bold.horizontalAdvance(row.name), meta.horizontalAdvance(row.kind))
            for row in self._rows
        ]
        return _PADDING + self._theme.scaled(_TEXT) + max(widths, default=0.0) + _GAP + 1

    def _seen(self) -> float:
        figures = QFontMetricsF(self._theme.font("meta", tabular=True))
        label = QFontMetricsF(self._theme.font("label"))
        last = label.horizontalAdvance(last_seen())
        return max([last, *(figures.horizontalAdvance(row.seen) for row in self._rows)])


def last_seen() -> str:
    """Name of the last column."""
    return tr("Last seen")


def badge_width(theme: Theme, badge: TierBadge, *, has_icon: bool = True) -> float:
    """Width of a badge with all of its words, in pixels."""
    if badge.tone is BadgeTone.NONE:
        return QFontMetricsF(theme.font("meta")).horizontalAdvance(badge.text)
    icon = has_icon and _TONES[badge.tone][2]
    sign = theme.icon_px(14) + 5 if icon else 0
    words = QFontMetricsF(theme.font("meta", weight=600)).horizontalAdvance(badge.text)
    return 2 * _BADGE_PADDING + sign + words


class ClientDelegate(ColumnDelegate):
    """Draws one client over the whole width."""

    row_px = _ROW

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.columns = MatrixColumns(theme)

    def paint_cell(self, painter: QPainter, rect: QRectF, index: AnyIndex) -> None:
        row: ClientRow = index.data(RowRole.ROW)
        theme = self._theme
        self._paint_who(painter, rect, row)
        starts = self.columns.starts(rect.width())
        has_icons = self.columns.has_icons(rect.width())
        age = QFontMetricsF(theme.font("meta", tabular=True)).horizontalAdvance(row.seen)
        ends = [*starts[1:], rect.width() - _PADDING - age]
        for badge, start, end in zip(row.badges, starts, ends, strict=True):
            place = QRectF(start, rect.top(), end - start - _GAP, rect.height())
            self._paint_badge(painter, place, badge, has_icon=has_icons)
        right = rect.right() - _PADDING - age
        self.write(
            painter,
            right,
            rect.center().y() - 0.5,
            row.seen,
            theme.font("meta", tabular=True),
            "ink",
        )

    def _paint_who(self, painter: QPainter, rect: QRectF, row: ClientRow) -> None:
        theme = self._theme
        middle = rect.center().y() - 0.5
        theme.draw_icon(painter, (_PADDING, middle), row.icon, "inkSoft", 20)
        left = _PADDING + theme.scaled(_TEXT)
        room = self.columns.starts(rect.width())[0] - left - _GAP
        away = theme.scaled(9)
        for text, style, role, shift in (
            (row.name, "bodyStrong", "ink", -away),
            (row.kind, "meta", "inkSoft", away),
        ):
            self.write(painter, left, middle + shift, text, theme.font(style), role, room=room)

    def _paint_badge(
        self, painter: QPainter, rect: QRectF, badge: TierBadge, *, has_icon: bool
    ) -> None:
        theme, start, room = self._theme, rect.left(), rect.width()
        if badge.tone is BadgeTone.NONE:
            self.write(
                painter, start, rect.center().y() - 0.5, badge.text, theme.font("meta"), "inkSoft"
            )
            return
        ground, ink, icon = _TONES[badge.tone]
        icon = icon if has_icon else ""
        font = theme.font("meta", weight=600)
        edge = theme.icon_px(14) if icon else 0
        before = _BADGE_PADDING + (edge + 5 if icon else 0)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(
            badge.text, Qt.TextElideMode.ElideRight, max(0.0, room - before - _BADGE_PADDING)
        )
        height = theme.scaled(_BADGE)
        middle = rect.center().y() - 0.5
        width = before + metrics.horizontalAdvance(shown) + _BADGE_PADDING
        box = QRectF(start, middle - height / 2, width, height)
        theme.draw_box(painter, box, ground, "chip")
        if icon:
            theme.draw_icon(painter, (round(start + _BADGE_PADDING), middle), icon, ink, 14)
        self.write(painter, start + before, middle, shown, font, ink)


class ClientTable(ColumnTable):
    """Clients, the first known first; a row is one stop for the keyboard and one selection.

    Attributes:
        looking: V: the window as the current client sees it.

    Signals:
        client_chosen: Name of the client that became current.
        columns_changed: Columns may begin elsewhere.
    """

    client_chosen = Signal(str)
    columns_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._client_delegate = ClientDelegate(theme)
        super().__init__(theme, self._client_delegate, parent=parent)
        self.setObjectName("clientTable")
        self.setAccessibleName(tr("Clients"))
        self._model: RowListModel[ClientRow] = RowListModel(
            attrgetter("name"), self, text=attrgetter("name"), spoken=attrgetter("told")
        )
        self.setModel(self._model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.looking = QShortcut(QKeySequence("V"), self)
        self.looking.setContext(Qt.ShortcutContext.WidgetShortcut)

    @property
    def columns(self) -> MatrixColumns:
        """Where columns begin."""
        return self._client_delegate.columns

    @property
    def rows(self) -> tuple[ClientRow, ...]:
        """What is on show, top to bottom."""
        return self._model.rows

    def show_rows(self, rows: Sequence[ClientRow]) -> None:
        """Show these clients; the current one stays current."""
        self._client_delegate.columns.take(rows)
        self._model.replace_rows(rows)
        self.fit()
        self.viewport().update()
        self.columns_changed.emit()

    def current_name(self) -> str:
        """Name of the current client; empty if none is."""
        row = self._model.row_at(self.currentIndex())
        return "" if row is None else row.name

    def choose(self, name: str) -> bool:
        """Make a client current; whether it is on show."""
        return self.go_to(self._model.index_of(name))

    def fit(self) -> None:
        """As high as its rows, up to as many as are shown at once."""
        n_rows = max(1, min(MOST_ROWS, len(self._model.rows)))
        self.setFixedHeight(n_rows * self._client_delegate.row_height)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None:
            self.client_chosen.emit(row.name)


class MatrixHead(QWidget):
    """Names of the columns over a strong rule."""

    def __init__(self, theme: Theme, table: ClientTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table = table
        table.columns_changed.connect(self.update)
        theme.hold_height(self, _HEADER)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, width = self._theme, self.width()
        painter = smooth_painter_on(self)
        font = theme.font("label")
        middle = (self.height() - 1) / 2
        ink, last = theme.color("inkSoft"), last_seen()
        write(painter, _PADDING, middle, tr("Program"), font, ink)
        right = width - _PADDING - QFontMetricsF(font).horizontalAdvance(last)
        write(painter, right, middle, last, font, ink)
        for tier, start in zip(Tier, self._table.columns.starts(self._table.width()), strict=True):
            inked, role = TIER_MARKS[tier]
            edge = theme.icon_px(_MARK)
            mark = QRectF(start, middle - edge / 2, edge, edge)
            paint_tier_mark(painter, mark, inked, theme.color(role))
            write(painter, start + edge + 6, middle, tier_title(tier), font, ink)
        painter.fillRect(QRectF(0, self.height() - 1, width, 1), theme.color("lineStrong"))
        painter.end()


class ClientMatrix(QFrame):
    """Head and rows on one card."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clientMatrix")
        self.setProperty("card", "true")
        self.table = ClientTable(theme, self)
        column = vbox(self, MatrixHead(theme, self.table, self), self.table, margins=1, spacing=0)
        self._column = column

    def add_foot(self, widget: QWidget) -> None:
        """Put something below the rows."""
        row = hbox(None, widget, STRETCH, margins=(_PADDING, 4, _PADDING, 5))
        self._column.addLayout(row)

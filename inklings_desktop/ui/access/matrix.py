"""The matrix of clients by tier: who may do what, at a glance."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.column_table import ColumnDelegate, ColumnTable
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel, RowRole
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.access.state import ClientRow
    from inklings_desktop.ui.kit.look.theme import Theme

PADDING = 16
_MOST_ROWS = 6
_ROW, _HEADER = 58, 38
_STARTS = (0.233, 0.38, 0.617, 0.76)
_TEXT, _GAP = 32, 12
_LEAST_WHO = 140
_WHO_BEFORE_ICONS = 40  # how much of long names may show before icons go
_MARK, _MARK_GAP = 16, 6


@dataclass(frozen=True, slots=True)
class MatrixColumns:
    """Where the columns of the matrix begin.

    Attributes:
        starts: Left edge of each tier's column, in pixels from the left of the matrix.
        end: Right edge of the last of them, before the ages.
        has_icons: Whether badges have room for their icons beside all names and words.
    """

    starts: list[float]
    end: float
    has_icons: bool


def columns(theme: Theme, rows: Sequence[ClientRow], width: float) -> MatrixColumns:
    """The columns as designed, unless that would cut what has room.

    A right that is cut is a right that cannot be read, so badges come before names, and the
    icons of badges go before either.

    Args:
        rows: The clients on show.
        width: Of the matrix, in pixels.
    """

    def widest(style: str, texts: Iterable[str], *, tabular: bool = False) -> float:
        metrics = QFontMetricsF(theme.font(style, tabular=tabular))
        return max(map(metrics.horizontalAdvance, texts), default=0.0)

    ages = widest("meta", (row.seen for row in rows), tabular=True)
    end = width - PADDING - max(ages, widest("label", [tr("Last seen")]))
    names = widest("bodyStrong", (row.name for row in rows))
    kinds = widest("meta", (row.kind for row in rows))
    who = PADDING + theme.scaled(_TEXT) + max(names, kinds) + _GAP + 1
    least = theme.scaled(_LEAST_WHO)
    enough = max(least, min(who, least + theme.scaled(_WHO_BEFORE_ICONS)))
    needed = _needed(theme, rows, has_icons=True)
    has_icons = end - sum(needed) >= enough
    if not has_icons:
        needed = _needed(theme, rows, has_icons=False)
    starts = [width * share for share in _STARTS]
    rooms = (right - left for left, right in zip(starts, [*starts[1:], end], strict=True))
    if starts[0] >= who and all(room >= need for room, need in zip(rooms, needed, strict=True)):
        return MatrixColumns(starts, end, has_icons)
    spare = end - sum(needed)
    # What is left where everything fits is shared out.
    air = max(0.0, (spare - who) / (len(needed) + 1))
    first = who + air if air else max(spare, least)
    # Where not even names can give way, every tier loses its part.
    shrink = min(1.0, (end - first) / sum(needed))
    starts = [first]
    for need in needed[:-1]:
        starts.append(starts[-1] + need * shrink + air)
    return MatrixColumns(starts, end, has_icons)


def _needed(theme: Theme, rows: Sequence[ClientRow], *, has_icons: bool) -> list[float]:
    label = QFontMetricsF(theme.font("label"))
    mark = theme.icon_px(_MARK) + _MARK_GAP
    return [
        max(
            [
                mark + label.horizontalAdvance(tier_title(tier)),
                *(replace(row.badges[number], has_icon=has_icons).width(theme) for row in rows),
            ]
        )
        + _GAP
        + 1
        for number, tier in enumerate(Tier)
    ]


class _ClientDelegate(ColumnDelegate):
    """Draws one client over the whole width."""

    row_px = _ROW
    rows: Sequence[ClientRow] = ()

    def paint_cell(self, painter: QPainter, rect: QRectF, index: AnyIndex) -> None:
        row: ClientRow = index.data(RowRole.ROW)
        theme, middle = self._theme, rect.center().y() - 0.5
        made = columns(theme, self.rows, rect.width())
        theme.draw_icon(painter, (PADDING, middle), row.icon, "inkSoft", 20)
        left, away = PADDING + theme.scaled(_TEXT), theme.scaled(9)
        room = made.starts[0] - left - _GAP
        name, kind = theme.font("bodyStrong"), theme.font("meta")
        self.write(painter, left, middle - away, row.name, name, "ink", room=room)
        self.write(painter, left, middle + away, row.kind, kind, "inkSoft", room=room)
        age = theme.font("meta", tabular=True)
        last = rect.width() - PADDING - QFontMetricsF(age).horizontalAdvance(row.seen)
        self.write(painter, last, middle, row.seen, age, "ink")
        for badge, start, end in zip(
            row.badges, made.starts, [*made.starts[1:], last], strict=True
        ):
            room = end - start - _GAP
            shown = replace(badge, has_icon=made.has_icons)
            shown.draw(painter, theme, QRectF(start, middle, room, 0))


class ClientTable(ColumnTable):
    """Clients, the first known first; a row is one stop for the keyboard and one selection.

    Signals:
        client_chosen: Name of the client that became current.
        looked: V: the window as the current client sees it.
    """

    client_chosen = Signal(str)
    looked = Signal()

    def __init__(self, theme: Theme, *, parent: QWidget) -> None:
        self._client_delegate = _ClientDelegate(theme)
        super().__init__(theme, self._client_delegate, parent=parent)
        named(self, "clientTable", tr("Clients"))
        self._model: RowListModel[ClientRow] = RowListModel(
            attrgetter("name"), self, text=attrgetter("name"), spoken=attrgetter("told")
        )
        self.setModel(self._model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        looking = QShortcut(QKeySequence("V"), self, context=Qt.ShortcutContext.WidgetShortcut)
        looking.activated.connect(self.looked)

    def show_rows(self, rows: Sequence[ClientRow]) -> None:
        """Show these clients; the current one stays current."""
        self._client_delegate.rows = rows
        self._model.replace_rows(rows)
        self.fit()
        self.viewport().update()

    def show_current(self, name: str) -> None:
        """Make a client current."""
        row = self._model.row_at(self.currentIndex())
        if row is None or row.name != name:
            self.go_to(self._model.index_of(name))

    def fit(self) -> None:
        """As high as its rows, up to as many as are shown at once."""
        n_rows = max(1, min(_MOST_ROWS, len(self._model.rows)))
        self.setFixedHeight(n_rows * self._client_delegate.row_height)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self._model.row_at(current)
        if row is not None:
            self.client_chosen.emit(row.name)


class MatrixHead(QWidget):
    """Names of the columns over a strong rule."""

    def __init__(self, theme: Theme, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: Sequence[ClientRow] = ()
        theme.hold_height(self, _HEADER)

    def show_rows(self, rows: Sequence[ClientRow]) -> None:
        """Stand over these clients."""
        self._rows = rows
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, width = self._theme, self.width()
        painter = smooth_painter_on(self)
        font, ink, last = theme.font("label"), theme.color("inkSoft"), tr("Last seen")
        middle, edge = (self.height() - 1) / 2, theme.icon_px(_MARK)
        write(painter, PADDING, middle, tr("Program"), font, ink)
        right = width - PADDING - QFontMetricsF(font).horizontalAdvance(last)
        write(painter, right, middle, last, font, ink)
        for tier, start in zip(Tier, columns(theme, self._rows, width).starts, strict=True):
            inked, role = TIER_MARKS[tier]
            mark = QRectF(start, middle - edge / 2, edge, edge)
            paint_tier_mark(painter, mark, inked, theme.color(role))
            write(painter, start + edge + _MARK_GAP, middle, tier_title(tier), font, ink)
        painter.fillRect(QRectF(0, self.height() - 1, width, 1), theme.color("lineStrong"))
        painter.end()

"""The rows of a thread, turns and the rules between days: which there are, how they are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, ProblemBlock
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.conversation.guest_words import card_words
from inklings_desktop.ui.conversation.words import clock_time, day_words, speaker_of
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.look.mirror import turn_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.ui.conversation.drawing.pieces import Ink, Look
    from inklings_desktop.ui.conversation.drawing.turn_layout import TurnLayout
    from inklings_desktop.ui.kit.look.theme import Theme

LIVE = "live"
"""Key of the row of the turn that can still be acted on: there is at most one."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """A rule before the first turn of a day.

    Attributes:
        key: As of ``day_key``.
        text: The day in words.
        opens: Whether pressing it opens the list of days.
    """

    key: str
    text: str
    opens: bool = False


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One side of a turn.

    Attributes:
        key: Names it in the thread.
        turn: It.
        is_live: Whether a widget shows it: it is being written, or waits for the person.
    """

    key: str
    turn: Turn
    is_live: bool = False


ThreadRow = DayRow | TurnRow


def day_key(day: date) -> str:
    """Key of the rule before a day."""
    return f"day:{day.isoformat()}"


class ThreadRows:
    """Makes the rows of turns; what was made for turns that are the same is the same again."""

    def __init__(self) -> None:
        self._turns: Sequence[Turn] = ()
        self._rows: tuple[ThreadRow, ...] = ()
        self._before: list[tuple[int, date | None]] = []
        self._about: tuple[date, bool] | None = None

    def of(
        self, turns: Sequence[Turn], now: datetime, *, has_list: bool = False
    ) -> tuple[ThreadRow, ...]:
        """The rows of turns, oldest first.

        Args:
            turns: What is said.
            now: What *Today* is.
            has_list: Whether the rules between days open the list of days.
        """
        today = on_the_wall(now).date()
        n_same = self._n_same(turns) if self._about == (today, has_list) else 0
        self._about, self._turns = (today, has_list), turns
        n_rows, day = self._before[n_same] if n_same else (0, None)
        found = list(self._rows[:n_rows])
        del self._before[n_same:]
        for position in range(n_same, len(turns)):
            turn = turns[position]
            self._before.append((len(found), day))
            if turn.at is not None and (that := on_the_wall(turn.at).date()) != day:
                if day is not None or that != today:
                    found.append(DayRow(day_key(that), day_words(that, today), has_list))
                day = that
            is_live = position == len(turns) - 1 and _waits(turn)
            key = LIVE if is_live else f"{turn.role}:{turn.id}"
            found.append(TurnRow(key, turn, is_live))
        self._rows = tuple(found)
        return self._rows

    def _n_same(self, turns: Sequence[Turn]) -> int:
        """How many turns from the first on are the same, and were not the last: that may live."""
        most = max(min(len(turns), len(self._turns)) - 1, 0)
        pairs = enumerate(zip(turns, self._turns, strict=False))
        differ = (at for at, (one, other) in pairs if one is not other)
        return min(next(differ, most), most)


def _waits(turn: Turn) -> bool:
    """Whether a turn, the last, is being written or offers something to press."""
    if turn.role != rows.ASSISTANT:
        return False
    if turn.state in {rows.RUNNING, rows.INTERRUPTED}:
        return True
    return any(
        (isinstance(one, AskBlock) and one.is_open)
        or (isinstance(one, ProblemBlock) and card_words(one).acts)
        for one in turn.blocks
    )


def spoken_head(row: ThreadRow, author: str, titles: Mapping[str, str], *, has_model: bool) -> str:
    """What a screen reader says of a row first."""
    if isinstance(row, DayRow):
        return row.text
    name = ""
    if row.turn.role != rows.NOTICE:
        name = speaker_of(row.turn, author, titles, has_model=has_model).name
    time = clock_time(row.turn.at) if row.turn.at is not None else ""
    return ", ".join(one for one in (name, time) if one)


DAY_HEIGHT = 30
_CARET, _CARET_GAP = 12, 4


class LaysTurnsOut(Protocol):
    """What the delegate asks of the view that it paints for."""

    @property
    def theme(self) -> Theme:
        """The look."""

    @property
    def ink(self) -> Ink:
        """Faces and colours."""

    @property
    def shows_ring(self) -> bool:
        """Whether the current turn has a ring."""

    def column(self) -> tuple[int, int]:
        """Left edge and width of the column, in pixels."""

    def top_of(self, row: int) -> int:
        """How far below the upper edge of its row a turn begins, in pixels."""

    def layout_of(self, row: TurnRow) -> TurnLayout:
        """A turn, laid out."""

    def look_of(self, row: TurnRow) -> Look:
        """How a turn is drawn just now."""

    def viewport(self) -> QWidget:
        """What is painted on."""

    def currentIndex(self) -> QModelIndex:  # noqa: N802 - Qt calls it so
        """The row that has the keyboard."""


class TurnDelegate(QStyledItemDelegate):
    """Paints turns and the rules between days."""

    def __init__(self, view: LaysTurnsOut, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, 1)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row; the live turn draws itself."""
        view, row = self._view, index.data(RowRole.ROW)
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = view.column()
        top = option.rect.top() + view.top_of(index.row())
        is_current = view.shows_ring and view.currentIndex() == index
        if isinstance(row, DayRow):
            _paint_day(painter, view, QRectF(left, top, width, 0), row, is_current=is_current)
        elif isinstance(row, TurnRow):
            layout = view.layout_of(row)
            if row.key != LIVE:
                painter.translate(left, top)
                seen = view.viewport().rect().translated(0, -top)
                layout.paint(painter, view.look_of(row), seen.top(), seen.bottom())
                painter.translate(-left, -top)
            if is_current:
                ring = QRectF(left - 10, top - 7, width + 20, layout.height + 14)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(view.theme.color("focus"), 2))
                painter.drawRoundedRect(ring, 8, 8)
        painter.restore()


def day_place(ink: Ink, row: DayRow, line: QRectF) -> QRectF:
    """Where the words of a rule between days stand, and its caret."""
    theme = ink.theme
    width = ink.width(row.text, theme.font("label"))
    if row.opens:
        width += _CARET_GAP + theme.icon_px(_CARET)
    left = line.center().x() - width / 2
    return QRectF(left, line.top(), width, theme.scaled(DAY_HEIGHT))


def _paint_day(
    painter: QPainter, view: LaysTurnsOut, line: QRectF, row: DayRow, *, is_current: bool
) -> None:
    """A rule across, with the day in the middle of it."""
    ink, theme = view.ink, view.theme
    place = day_place(ink, row, line)
    middle = place.center().y()
    role = "inkSoft" if row.opens else "inkFaint"
    x = ink.text(painter, place.left(), middle, row.text, theme.font("label"), role)
    if row.opens:
        ink.icon(painter, x + _CARET_GAP, middle, "caret-down", role, _CARET)
    for start, stop in ((line.left(), place.left() - 12), (place.right() + 12, line.right())):
        painter.fillRect(QRectF(start, round(middle), stop - start, 1), theme.color("line"))
    if is_current:
        ink.ring(painter, place.adjusted(-6, 3, 6, -3))

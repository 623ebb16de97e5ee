"""The rows of a thread at their heights: what is on show stays put, and the foot in sight.

The last turn that can still be acted on is a widget over its row, which keeps the room for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.drawing.pieces import Ink, Look
from inklings_desktop.ui.conversation.drawing.turn_layout import (
    COLUMN,
    TURN_GAP,
    Setting,
    TurnLayout,
    spoken_turn,
)
from inklings_desktop.ui.conversation.thread.live_turn import LiveTurn
from inklings_desktop.ui.conversation.thread.rows import (
    DAY_HEIGHT,
    LIVE,
    DayRow,
    TurnDelegate,
    TurnRow,
    spoken_head,
)
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.conversation.drawing.pieces import Part
    from inklings_desktop.ui.conversation.thread.rows import ThreadRow
    from inklings_desktop.ui.kit.look.theme import Theme

_ABOVE_FIRST, _BELOW_LAST, _SIDE = 17, 22, 24
_FOLLOWS_WITHIN = 40
_EARLIER_WITHIN = 300
_MOST_LAID_OUT = 80
_BATCHROWS = 6
_NEAR = 60


@dataclass(frozen=True, slots=True)
class Chosen:
    """Text that is chosen: in which turn, in which piece of it, from where to where."""

    key: str
    piece: int
    start: int
    stop: int


class ThreadRowsView(QTableView):
    """Shows turns; grows at its foot and stays there while somebody reads there.

    Attributes:
        live: The turn that can still be acted on.
        anchor: Where what was pressed stands; never seen itself, a popover opens below it.

    Signals:
        earlier_wanted: The upper end is near.
        is_behind: Whether something new stands below what is seen.
    """

    earlier_wanted = Signal()
    is_behind = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("thread")
        self._theme = theme
        self._ink = Ink(theme)
        self._author, self._has_model = "", True
        self._titles: Mapping[str, str] = {}
        self._opened = ""
        self._is_narrow = False
        self._unfolded: dict[str, frozenset[str]] = {}
        self._layouts: dict[str, TurnLayout] = {}
        self._was_live: TurnLayout | None = None
        self._heights: dict[str, float] = {}
        self._focused, self._hovered = "", ("", "")
        self._chosen: Chosen | None = None
        self._ring = False
        self._follows = True
        self._is_settling = False
        self._n_turns = (0, 0)
        self._model: RowListModel[ThreadRow] = RowListModel(
            lambda row: row.key,
            self,
            spoken=self._spoken_head,
            description=self._spoken_body,
        )
        self._set_up()
        self.live = LiveTurn(self._ink, self.viewport())
        self.anchor = QWidget(self.viewport())
        self.anchor.hide()
        # Later: while a card is laid out it cannot be laid out anew.
        self.live.grew.connect(self._on_live_grew, Qt.ConnectionType.QueuedConnection)
        self._later = timer(self, self._measure_some, again=True)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self._on_theme_changed)

    def _set_up(self) -> None:
        self.setModel(self._model)
        self.setItemDelegate(TurnDelegate(self, self))
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setProperty("ring", "none")
        self.setProperty("ground", "surface")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

    @property
    def theme(self) -> Theme:
        """The look."""
        return self._theme

    @property
    def ink(self) -> Ink:
        """Faces and colours."""
        return self._ink

    @property
    def rows(self) -> tuple[ThreadRow, ...]:
        """What is shown now, top to bottom."""
        return self._model.rows

    def show_speakers(
        self, author: str, *, has_model: bool, titles: Mapping[str, str] | None = None
    ) -> None:
        """Say who the person is, and what agents are called.

        Args:
            author: The person's name.
            has_model: Whether a model answers where a turn does not tell.
            titles: What agents of other makers are called, by their client.
        """
        said = (author, has_model, titles or {})
        if said != (self._author, self._has_model, self._titles):
            self._author, self._has_model, self._titles = said
            self._begin_anew()

    def show_rows(self, rows: Sequence[ThreadRow]) -> None:
        """Show other rows; the foot stays in sight if it was, else what is read stays put."""
        anchor, former = self._anchor(), self.rows
        n_same = _n_same(former, rows)
        before = {row.key: row for row in former[n_same:]}
        changed = {
            place: row
            for place, row in enumerate(rows[n_same:], n_same)
            if row.key in before and before[row.key] != row
        }
        gone = before.keys() - {row.key for row in rows[n_same:]}
        for key in (*gone, *(row.key for row in changed.values() if row.key != LIVE)):
            self._layouts.pop(key, None)
            self._heights.pop(key, None)
        for key in gone:
            self._unfolded.pop(key, None)
        if [row.key for row in former[n_same:]] == [row.key for row in rows[n_same:]]:
            self._model.reword(dict(enumerate(rows[n_same:], n_same)))
        else:
            was_at = self.currentIndex()
            self._model.replace_rows(rows)
            if was_at.isValid() and not self.currentIndex().isValid():
                self._go_to(min(was_at.row(), len(rows) - 1))
        self._show_live()
        self._size_rows(max(n_same - 1, 0))  # the one before was the last, maybe
        self._settle_at(anchor)
        self._describe()
        if not self._follows and (changed or len(rows) > len(former)):
            self.is_behind.emit(not self._is_at_foot())

    def show_day(self, key: str) -> None:
        """Go to the first turn of a day, its rule at the upper edge.

        Args:
            key: Of the rule; one that is not there is that of the first turn of all.
        """
        self._follows = False
        index = self._model.index_of(key)
        index = index if index.isValid() else self._model.index(0, 0)
        self._go_to(index.row(), step=1, scrolls=False)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
        self._size_rows()
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
        self._place_live()

    def begin_thread(self) -> None:
        """Another conversation comes: nothing of this one stays."""
        self._unfolded, self._chosen, self._focused = {}, None, ""
        self._layouts, self._heights, self._was_live = {}, {}, None
        self.live.forget()
        self._model.replace_rows(())
        self._follows = True

    def show_opened(self, memory: str) -> None:
        """Mark the memory that is open beside the thread: ``tier/id``, or none."""
        if memory != self._opened:
            self._opened = memory
            self.live.look.opened = memory
            self.live.update()
            self.viewport().update()

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out words that icons say where the window is narrow."""
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self._begin_anew()

    def go_to_foot(self) -> None:
        """Show what came last, and stay there."""
        self._follows = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.is_behind.emit(False)

    def column(self) -> tuple[int, int]:
        """Left edge and width of the column that turns stand in, in pixels."""
        return column_in(self._theme, self.viewport().width())

    def layout_of(self, row: TurnRow) -> TurnLayout:
        """A turn, laid out at the width of now."""
        if row.key == LIVE and self.live.layout_of_turn is not None:
            return self.live.layout_of_turn
        found = self._layouts.pop(row.key, None)
        width = self.column()[1]
        if found is None or found.width != width or found.turn is not row.turn:
            was = self._was_live
            is_it = was is not None and (was.turn.id, was.turn.role) == (row.turn.id, row.turn.role)
            former = was if is_it else None  # what was laid out while it was written stays
            found = TurnLayout(self._ink, row.turn, width, self._setting(row.key), former)
        self._layouts[row.key] = found  # the latest used comes last
        while len(self._layouts) > _MOST_LAID_OUT:
            del self._layouts[next(iter(self._layouts))]
        return found

    def top_of(self, row: int) -> int:
        """How far below the upper edge of its row a turn begins, in pixels."""
        above = _ABOVE_FIRST if row == 0 else TURN_GAP
        return self._theme.scaled(above)

    def look_of(self, row: TurnRow) -> Look:
        """How a turn is drawn just now."""
        is_current = self.currentIndex().isValid() and self._row(self.currentIndex()) is row
        chosen = self._chosen
        return Look(
            self._hovered[1] if self._hovered[0] == row.key else "",
            self._focused if is_current and self.hasFocus() else "",
            self._opened,
            (chosen.piece, chosen.start, chosen.stop)
            if chosen is not None and chosen.key == row.key
            else None,
        )

    @property
    def shows_ring(self) -> bool:
        """Whether the current turn has a ring: the keyboard is on it, and on none of its parts."""
        return self._ring and self.hasFocus() and not self._focused

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays out anew where the column has another width."""
        anchor = self._anchor()
        super().resizeEvent(event)
        if any(one.width != self.column()[1] for one in self._layouts.values()):
            self._heights = {}
        self._show_live()
        self._size_rows()
        self._settle_at(anchor)

    def updateGeometries(self) -> None:  # noqa: N802 - Qt calls it so
        super().updateGeometries()
        self._place_live()

    def _row(self, index: QModelIndex | QPersistentModelIndex) -> ThreadRow | None:
        return self._model.row_at(index)

    def _setting(self, key: str) -> Setting:
        return Setting(
            self._author,
            self._has_model,
            self._unfolded.get(key, frozenset()),
            self._is_narrow,
            titles=self._titles,
        )

    def _begin_anew(self) -> None:
        anchor = self._anchor()
        self._layouts, self._heights = {}, {}
        self._show_live()
        self._size_rows()
        self._settle_at(anchor)
        self.viewport().update()

    def _show_live(self) -> None:
        row = self._row(self._model.index_of(LIVE))
        if isinstance(row, TurnRow):
            self.live.look.opened = self._opened
            self._heights[LIVE] = self.live.show_turn(
                row.turn, self.column()[1], self._setting(LIVE)
            )
        elif self.live.layout_of_turn is not None:
            self._was_live = self.live.layout_of_turn
            self.live.forget()

    def _place_live(self) -> None:
        index = self._model.index_of(LIVE)
        if not index.isValid() or self.live.layout_of_turn is None:
            return
        left, width = self.column()
        top = self.rowViewportPosition(index.row()) + self.top_of(index.row())
        self.live.setGeometry(left, top, width, round(self.live.layout_of_turn.height) + 1)
        self.live.show()

    def _size_rows(self, first: int = 0) -> None:
        """Give rows their heights: those on show now, the others a few at a time.

        Args:
            first: From this row on something changed.
        """
        header, rows = self.verticalHeader(), self.rows
        seen = self._places_to_measure()
        for place in sorted({*seen, *range(first, len(rows))}):
            row = rows[place]
            height = self._height_of(place, row, measures=place in seen)
            if header.sectionSize(place) != height:
                header.resizeSection(place, height)
            if _is_unmeasured(row, self._heights):
                self._later.start()
        self.updateGeometries()

    def _places_to_measure(self) -> range:
        """Rows that have to have their true height: those on show, and the last ones."""
        n = len(self.rows)
        if self._follows or n <= _BATCHROWS:
            return range(max(0, n - 2 * _BATCHROWS), n)
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        return range(max(first, 0), (n if last < 0 else last + 1))

    def _height_of(self, place: int, row: ThreadRow, *, measures: bool = True) -> int:
        if isinstance(row, DayRow):
            return self._theme.scaled(DAY_HEIGHT) + self.top_of(place)
        if row.key not in self._heights and measures:
            self._heights[row.key] = self.layout_of(row).height
        height = self._heights.get(row.key, 4.0 * self._theme.line("editor"))
        is_last = place == len(self.rows) - 1
        below = self._theme.scaled(_BELOW_LAST) if is_last else 0
        return round(height) + self.top_of(place) + below

    @Slot()
    def _measure_some(self) -> None:
        """Measure a few rows around those on show, from the foot up; what is read stays put.

        Those far away keep the height that is guessed: of a long thread most are never seen.
        """
        rows, header, seen = self.rows, self.verticalHeader(), self._places_to_measure()
        near = range(max(seen.start - _NEAR, 0), min(seen.stop + _NEAR, len(rows)))
        open_ = [place for place in near if _is_unmeasured(rows[place], self._heights)]
        anchor = self._anchor()
        for place in open_[-_BATCHROWS:]:
            header.resizeSection(place, self._height_of(place, rows[place]))
        if len(open_) <= _BATCHROWS:
            self._later.stop()
        self.updateGeometries()
        self._settle_at(anchor)

    def _anchor(self) -> tuple[str, int] | None:
        """The first row on show and how far above the edge it begins; None at the foot."""
        if self._follows or not self.rows:
            return None
        place = max(self.rowAt(0), 0)
        if place >= len(self.rows):
            return None
        return self.rows[place].key, self.rowViewportPosition(place)

    def _settle_at(self, anchor: tuple[str, int] | None) -> None:
        bar, self._is_settling = self.verticalScrollBar(), True
        if self._follows:
            bar.setValue(bar.maximum())
        elif anchor is not None and (index := self._model.index_of(anchor[0])).isValid():
            bar.setValue(bar.value() + self.rowViewportPosition(index.row()) - anchor[1])
        self._is_settling = False
        self._place_live()

    def _is_at_foot(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() <= _FOLLOWS_WITHIN

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        if self._is_settling:
            return
        self._follows = self._is_at_foot()
        if self._follows:
            self.is_behind.emit(False)
        if any(_is_unmeasured(self.rows[n], self._heights) for n in self._places_to_measure()):
            anchor = self._anchor()
            self._size_rows(len(self.rows))
            self._settle_at(anchor)
        self._later.start()
        if value < _EARLIER_WITHIN and self.isVisible():
            self.earlier_wanted.emit()
        self._place_live()

    def _go_to(self, place: int, *, step: int = -1, scrolls: bool = True) -> None:
        """Make a turn current, past the rules between days that open nothing."""
        while 0 <= place < len(self.rows) and _is_passed(self.rows[place]):
            place += step
        if not 0 <= place < len(self.rows):
            return
        self._focus_part("")
        follows = self._follows
        self.setCurrentIndex(self._model.index(place, 0))
        if scrolls:
            self.scrollTo(self._model.index(place, 0))
        elif follows:
            self.go_to_foot()

    def _current_parts(self) -> list[Part]:
        row = self._row(self.currentIndex())
        parts = self.layout_of(row).parts() if isinstance(row, TurnRow) else ()
        return [one for one in parts if one.name]

    def _focus_part(self, key: str) -> None:
        self._focused = key
        row = self._row(self.currentIndex())
        is_live = isinstance(row, TurnRow) and row.key == LIVE
        self.live.look.focused = key if is_live else ""
        self.live.update()
        self.viewport().update()
        part = next((one for one in self._current_parts() if one.key == key), None) if key else None
        if part is not None:
            self._bring_into_view(part.rect)
            announce(self, part.name)

    def _bring_into_view(self, rect: QRectF) -> None:
        place = self.currentIndex().row()
        top = self.rowViewportPosition(place) + self.top_of(place) + rect.top()
        bar = self.verticalScrollBar()
        if top < 0:
            bar.setValue(round(bar.value() + top - 8))
        elif (over := top + rect.height() - self.viewport().height()) > 0:
            bar.setValue(round(bar.value() + over + 8))

    def unfold(self, turn: str, key: str) -> None:
        """Unfold something in a turn, or fold it again; its upper edge stays where it is.

        Args:
            turn: Key of the turn's row.
            key: Of what is unfolded in it.
        """
        now = self._unfolded.get(turn, frozenset())
        self._unfolded[turn] = now ^ {key}
        if turn == LIVE:
            self._show_live()
        else:
            self._layouts.pop(turn, None)
            self._heights.pop(turn, None)
        follows, self._follows = self._follows, False
        anchor = self._anchor()
        self._size_rows()
        self._settle_at(anchor)
        self._follows = follows and self._is_at_foot()
        self.viewport().update()

    def _describe(self) -> None:
        if (n_rows := len(self.rows)) != self._n_turns[0]:
            self._n_turns = (n_rows, sum(isinstance(row, TurnRow) for row in self.rows))
        told = counted(self._n_turns[1], "1 turn", "{n} turns")
        last = self.rows[-1] if self.rows else None
        if isinstance(last, TurnRow) and last.turn.state == "running":
            told = tr("{turns}, the agent is writing").format(turns=told)
        self.setAccessibleDescription(told)

    def _spoken_head(self, row: ThreadRow) -> str:
        return spoken_head(row, self._author, self._titles, has_model=self._has_model)

    def _spoken_body(self, row: ThreadRow) -> str:
        if isinstance(row, DayRow):
            return tr("opens the list of days") if row.opens else ""
        return spoken_turn(self.layout_of(row))

    @Slot()
    def _on_live_grew(self) -> None:
        anchor = self._anchor()
        self._show_live()
        self._size_rows(max(len(self.rows) - 1, 0))
        self._settle_at(anchor)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._was_live = None
        self.live.forget()
        self._begin_anew()


def column_in(theme: Theme, room: int, most: int = COLUMN) -> tuple[int, int]:
    """Left edge and width of the column in a room, in pixels."""
    width = max(min(theme.scaled(most), room - 2 * _SIDE), 120)
    return (room - width) // 2, width


def _is_unmeasured(row: ThreadRow, heights: dict[str, float]) -> bool:
    return isinstance(row, TurnRow) and row.key not in heights


def _is_passed(row: ThreadRow) -> bool:
    """Whether the keyboard does not stop at a row."""
    return isinstance(row, DayRow) and not row.opens


def _n_same(former: Sequence[ThreadRow], rows: Sequence[ThreadRow]) -> int:
    """How many rows from the first on are the same objects."""
    pairs = enumerate(zip(former, rows, strict=False))
    differ = (at for at, (one, other) in pairs if one is not other)
    return next(differ, min(len(former), len(rows)))

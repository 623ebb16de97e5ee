"""The thread: one list of turns, each painted at the width of the column, and the live turn in it.

The last turn that can still be acted on is a widget over its row, which keeps the room for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from inklings_desktop.ui.conversation.live_turn import LiveTurn
from inklings_desktop.ui.conversation.pieces import FOLD, MEMORY, SHOW_ALL, Ink, Look
from inklings_desktop.ui.conversation.texts import DocumentPiece
from inklings_desktop.ui.conversation.thread_rows import LIVE, DayRow, TurnRow, spoken_head
from inklings_desktop.ui.conversation.turn_layout import (
    ALL,
    COLUMN,
    TURN_GAP,
    Setting,
    TurnLayout,
    spoken_turn,
)
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.mirror import turn_in
from inklings_desktop.ui.kit.look.plain_text import plain_copy, plain_tool_tip
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QMouseEvent, QResizeEvent

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.ui.conversation.pieces import Part
    from inklings_desktop.ui.conversation.thread_rows import ThreadRow
    from inklings_desktop.ui.kit.look.theme import Theme

_ROW = Qt.ItemDataRole.UserRole + 1
_DAY_HEIGHT = 30
_ABOVE_FIRST, _BELOW_LAST, _SIDE = 17, 22, 24
_FOLLOWS_WITHIN = 40
_EARLIER_WITHIN = 300
_MOST_LAID_OUT = 80
_BATCH_ROWS = 6
_DRAG_FROM = 4
_STEPS = {Qt.Key.Key_J: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_K: -1, Qt.Key.Key_Up: -1}


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Text that is chosen: in which turn, in which piece of it, from where to where."""

    key: str
    piece: int
    start: int
    stop: int


class ThreadView(QTableView):
    """Shows turns; grows at its foot and stays there while somebody reads there.

    Signals:
        activated_part: What was pressed, and the ``Turn`` that it is in.
        answered: Id of a question and of the option that was chosen.
        wanted: What is to be done about a problem, and the problem.
        earlier_wanted: The upper end is near.
        is_behind: Whether something new stands below what is seen.
        left: The keyboard goes back to where the person writes.
        menu_wanted: The ``Turn`` whose menu is wanted, and where on the screen.
    """

    activated_part = Signal(object, object)
    answered = Signal(str, str)
    wanted = Signal(str, object)
    earlier_wanted = Signal()
    is_behind = Signal(bool)
    left = Signal()
    menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("thread")
        self._theme = theme
        self._ink = Ink(theme)
        self._author, self._has_model = "", True
        self._opened = ""
        self._is_narrow = False
        self._unfolded: dict[str, frozenset[str]] = {}
        self._layouts: dict[str, TurnLayout] = {}
        self._was_live: TurnLayout | None = None
        self._heights: dict[str, float] = {}
        self._focused, self._hovered = "", ("", "")
        self._pressed: tuple[str, Part] | None = None
        self._pressed_at = QPointF()
        self._choosing: tuple[str, int, int] | None = None
        self._chosen: _Chosen | None = None
        self._ring = False
        self._follows = True
        self._model: RowListModel[ThreadRow] = RowListModel(
            lambda row: row.key,
            {
                int(_ROW): lambda row: row,
                int(Qt.ItemDataRole.AccessibleTextRole): self._spoken_head,
                int(Qt.ItemDataRole.AccessibleDescriptionRole): self._spoken_body,
            },
            self,
        )
        self._set_up()
        self.live = LiveTurn(self._ink, self.viewport())
        self.live.answered.connect(self.answered)
        self.live.wanted.connect(self.wanted)
        self.live.left.connect(self.left)
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self._measure_some)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self._on_theme_changed)

    def _set_up(self) -> None:
        self.setModel(self._model)
        self.setItemDelegate(_TurnDelegate(self))
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
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)

    # -- what is shown ------------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        """The look."""
        return self._theme

    @property
    def rows(self) -> tuple[ThreadRow, ...]:
        """What is shown now, top to bottom."""
        return self._model.rows

    def show_speakers(self, author: str, *, has_model: bool) -> None:
        """Say who the person is, and whether a model answers where a turn does not tell."""
        if (author, has_model) != (self._author, self._has_model):
            self._author, self._has_model = author, has_model
            self._begin_anew()

    def show_rows(self, rows: Sequence[ThreadRow]) -> None:
        """Show other rows; the foot stays in sight if it was, else what is read stays put."""
        before = {row.key: row for row in self.rows}
        anchor = self._anchor()
        changed = [
            row.key
            for row in rows
            if row.key in before and before[row.key] is not row and before[row.key] != row
        ]
        for key in changed:
            if key != LIVE:
                self._layouts.pop(key, None)
                self._heights.pop(key, None)
        gone = before.keys() - {row.key for row in rows}
        for key in gone:
            self._layouts.pop(key, None)
            self._heights.pop(key, None)
            self._unfolded.pop(key, None)
        was_at = self.currentIndex()
        self._model.replace_rows(rows)
        if was_at.isValid() and not self.currentIndex().isValid():
            self._go_to(min(was_at.row(), len(rows) - 1))
        self._show_live()
        self._size_rows()
        self._settle_at(anchor)
        self._describe()
        if not self._follows and (changed or len(rows) > len(before)):
            self.is_behind.emit(not self._is_at_foot())

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

    def focus_card(self) -> bool:
        """Bring the keyboard to the card that waits; whether there is one."""
        cards = self.live.cards() if not self.live.isHidden() else []
        if cards:
            cards[0].focus_first()
        return bool(cards)

    # -- measures -----------------------------------------------------------------------------

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

    # -- Qt -----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by turn, opens, folds, copies."""
        self._ring = True
        self.viewport().update()
        key, bar = Qt.Key(event.key()), self.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_chosen()
        elif key in _STEPS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.step(_STEPS[key])
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            self._go_to(0 if key == Qt.Key.Key_Home else len(self.rows) - 1, step=1)
            bar.setValue(0 if key == Qt.Key.Key_Home else bar.maximum())
        elif key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}:
            page = bar.pageStep() - self._theme.line("editor")
            bar.setValue(bar.value() + (page if key == Qt.Key.Key_PageDown else -page))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self._press_current()
        elif key in {Qt.Key.Key_Right, Qt.Key.Key_Left}:
            self._fold_current(unfolds=key == Qt.Key.Key_Right)
        elif key == Qt.Key.Key_Escape:
            if self._focused:
                self._focus_part("")
            else:
                self.left.emit()
        else:
            event.ignore()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's
        """Goes through the parts of the current turn before it leaves the thread."""
        keys = [one.key for one in self._current_parts()]
        at = keys.index(self._focused) if self._focused in keys else -1
        there = at + 1 if next else at - 1
        if (next and there < len(keys)) or (not next and there >= 0):
            self._focus_part(keys[there])
            return True
        if not next and at == 0:
            self._focus_part("")
            return True
        self._focus_part("")
        return super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Stands at the last turn, if it stood nowhere."""
        stood = isinstance(self._row(self.currentIndex()), TurnRow)
        super().focusInEvent(event)  # which makes the first row current where none is
        self._ring = event.reason() in KEYBOARD_REASONS
        if not stood:
            self._go_to(len(self.rows) - 1)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaves the part that it was on."""
        super().focusOutEvent(event)
        self._focused = ""
        self.live.look.focused = ""
        self.live.update()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Presses a part, or begins to choose text."""
        self._ring = False
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._pressed, self._choosing, self._chosen = None, None, None
        self._pressed_at = event.position()
        found = self._at(event.position())
        if found is not None:
            row, layout, at = found
            self._go_to(self._model.index_of(row.key).row(), scrolls=False)
            part = layout.part_at(at)
            if part is not None:
                self._pressed = (row.key, part)
            if (text := layout.text_at(at)) is not None:
                self._choosing = (row.key, text[0].number, text[1])
        self.viewport().update()
        self.live.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Chooses text while the button is held; else shows what is under the pointer."""
        found = self._at(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton and self._choosing is not None:
            way = (event.position() - self._pressed_at).manhattanLength()
            if way >= _DRAG_FROM:
                self._pressed = None
                self._choose_to(event.position())
            return
        part = found[1].part_at(found[2]) if found is not None else None
        self._hover(found[0].key if found is not None else "", part)
        is_text = found is not None and found[1].text_at(found[2]) is not None
        is_link = part is not None and part.act[0] != "gone"
        shape = Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor
        if is_text and not is_link:
            shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)
        self.live.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Does what the pressed part stands for."""
        pressed, self._pressed, self._choosing = self._pressed, None, None
        found = self._at(event.position())
        if pressed is None or found is None:
            return
        part = found[1].part_at(found[2])
        if part is not None and (found[0].key, part.key) == (pressed[0], pressed[1].key):
            self._press(found[0], part)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Chooses the word under the pointer."""
        found = self._at(event.position())
        text = found[1].text_at(found[2]) if found is not None else None
        if found is None or text is None:
            return
        piece, position = text
        start, stop = piece.word_at(position)
        self._chosen = _Chosen(found[0].key, piece.number, start, stop)
        self._show_chosen()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tells what is under a pointer that rests."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            found = self._at(QPointF(event.pos()))
            part = found[1].part_at(found[2]) if found is not None else None
            tip = plain_tool_tip(part.tip) if part is not None and part.tip else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().viewportEvent(event)

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
        """Keeps the live turn over its row."""
        super().updateGeometries()
        self._place_live()

    # -- what is done -------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Go to the next turn, or the one before."""
        row = self.currentIndex().row()
        self._go_to(row + step if row >= 0 else len(self.rows) - 1, step=step)

    def copy_chosen(self) -> None:
        """Copy what is chosen; without any, the text of the current turn."""
        text = self.chosen_text()
        row = self._row(self.currentIndex())
        if not text and isinstance(row, TurnRow):
            text = spoken_text(self.layout_of(row))
        if text:
            QApplication.clipboard().setMimeData(plain_copy(text))

    def chosen_text(self) -> str:
        """What is chosen with the mouse."""
        chosen = self._chosen
        row = None if chosen is None else self._row(self._model.index_of(chosen.key))
        if chosen is None or not isinstance(row, TurnRow):
            return ""
        piece = self.layout_of(row).piece(chosen.piece)
        return (
            piece.chosen_text(chosen.start, chosen.stop) if isinstance(piece, DocumentPiece) else ""
        )

    def current_turn(self) -> Turn | None:
        """The turn that the keyboard is at."""
        row = self._row(self.currentIndex())
        return row.turn if isinstance(row, TurnRow) else None

    # -- inside -------------------------------------------------------------------------------

    def _row(self, index: QModelIndex | QPersistentModelIndex) -> ThreadRow | None:
        return self._model.row_at(index)

    def _setting(self, key: str) -> Setting:
        return Setting(
            self._author, self._has_model, self._unfolded.get(key, frozenset()), self._is_narrow
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

    def _size_rows(self) -> None:
        """Give rows their heights: those on show now, the others a few at a time."""
        header, rows = self.verticalHeader(), self.rows
        seen = self._places_to_measure()
        for place, row in enumerate(rows):
            height = self._height_of(place, row, measures=place in seen)
            if header.sectionSize(place) != height:
                header.resizeSection(place, height)
        if any(isinstance(row, TurnRow) and row.key not in self._heights for row in rows):
            self._later.start()
        self.updateGeometries()

    def _places_to_measure(self) -> range:
        """Rows that have to have their true height: those on show, and the last ones."""
        n = len(self.rows)
        if self._follows or n <= _BATCH_ROWS:
            return range(max(0, n - 2 * _BATCH_ROWS), n)
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        return range(max(first, 0), (n if last < 0 else last + 1))

    def _height_of(self, place: int, row: ThreadRow, *, measures: bool = True) -> int:
        if isinstance(row, DayRow):
            return self._theme.scaled(_DAY_HEIGHT) + self.top_of(place)
        if row.key not in self._heights and measures:
            self._heights[row.key] = self.layout_of(row).height
        height = self._heights.get(row.key, 4.0 * self._theme.line("editor"))
        is_last = place == len(self.rows) - 1
        below = self._theme.scaled(_BELOW_LAST) if is_last else 0
        return round(height) + self.top_of(place) + below

    @Slot()
    def _measure_some(self) -> None:
        """Measure a few rows that are not on show, from the foot up; what is read stays put."""
        rows, header = self.rows, self.verticalHeader()
        open_ = [n for n, row in enumerate(rows) if _is_unmeasured(row, self._heights)]
        anchor = self._anchor()
        for place in open_[-_BATCH_ROWS:]:
            header.resizeSection(place, self._height_of(place, rows[place]))
        if len(open_) <= _BATCH_ROWS:
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
        bar = self.verticalScrollBar()
        if self._follows:
            bar.setValue(bar.maximum())
        elif anchor is not None and (index := self._model.index_of(anchor[0])).isValid():
            bar.setValue(bar.value() + self.rowViewportPosition(index.row()) - anchor[1])
        self._place_live()

    def _is_at_foot(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() <= _FOLLOWS_WITHIN

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        self._follows = self._is_at_foot()
        if self._follows:
            self.is_behind.emit(False)
        if value < _EARLIER_WITHIN and self.isVisible():
            self.earlier_wanted.emit()
        self._place_live()

    def _go_to(self, place: int, *, step: int = -1, scrolls: bool = True) -> None:
        """Make a turn current, past the rules between days."""
        while 0 <= place < len(self.rows) and isinstance(self.rows[place], DayRow):
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

    def _at(self, at: QPointF) -> tuple[TurnRow, TurnLayout, QPointF] | None:
        """The turn under a point of the viewport, and where in it that is."""
        row = self._row(self.indexAt(at.toPoint()))
        if not isinstance(row, TurnRow):
            return None
        place = self._model.index_of(row.key).row()
        x = at.x()
        if self.isRightToLeft():
            x = self.viewport().width() - x
        corner = QPointF(self.column()[0], self.rowViewportPosition(place) + self.top_of(place))
        return row, self.layout_of(row), QPointF(x, at.y()) - corner

    def _hover(self, key: str, part: Part | None) -> None:
        hovered = (key, part.key if part is not None else "")
        if hovered != self._hovered:
            self._hovered = hovered
            self.live.look.hovered = hovered[1] if key == LIVE else ""
            self.live.update()
            self.viewport().update()

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

    def _press_current(self) -> None:
        row = self._row(self.currentIndex())
        if not isinstance(row, TurnRow):
            return
        parts = self._current_parts()
        wanted = (one for one in parts if one.key == self._focused)
        first = next((one for one in parts if one.act[0] == MEMORY), None)
        if (part := next(wanted, first)) is not None:
            self._press(row, part)

    def _press(self, row: TurnRow, part: Part) -> None:
        if part.act[0] == FOLD:
            self.unfold(row.key, part.act[1])
        elif part.act[0] == SHOW_ALL:
            self.unfold(row.key, ALL)
        else:
            self.activated_part.emit(part, row.turn)

    def _fold_current(self, *, unfolds: bool) -> None:
        row = self._row(self.currentIndex())
        if not isinstance(row, TurnRow):
            return
        now = self._unfolded.get(row.key, frozenset())
        folds = [one for one in self._current_parts() if one.act[0] in {FOLD, SHOW_ALL}]
        chosen = [one for one in folds if one.key == self._focused] or folds
        for part in chosen:
            key = part.act[1] if part.act[0] == FOLD else ALL
            if (key in now) != unfolds:
                self.unfold(row.key, key)
                return

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

    def _choose_to(self, at: QPointF) -> None:
        """Choose from where the button went down to here, within that text."""
        assert self._choosing is not None
        key, number, start = self._choosing
        row = self._row(self._model.index_of(key))
        if not isinstance(row, TurnRow):
            return
        layout = self.layout_of(row)
        place = self._model.index_of(key).row()
        x = self.viewport().width() - at.x() if self.isRightToLeft() else at.x()
        corner = QPointF(self.column()[0], self.rowViewportPosition(place) + self.top_of(place))
        top, piece = layout.placed[number]
        if isinstance(piece, DocumentPiece):
            stop = piece.position_at(QPointF(x, at.y()) - corner - QPointF(0, top))
            self._chosen = _Chosen(key, number, start, stop)
            self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = self._chosen
        is_live = chosen is not None and chosen.key == LIVE
        self.live.look.selection = (
            (chosen.piece, chosen.start, chosen.stop) if chosen is not None and is_live else None
        )
        self.live.update()
        self.viewport().update()

    def _describe(self) -> None:
        turns = [row for row in self.rows if isinstance(row, TurnRow)]
        told = counted(len(turns), "1 turn", "{n} turns")
        if turns and turns[-1].turn.state == "running":
            told = tr("{turns}, the agent is writing").format(turns=told)
        self.setAccessibleDescription(told)

    def _spoken_head(self, row: ThreadRow) -> str:
        return spoken_head(row, self._author, has_model=self._has_model)

    def _spoken_body(self, row: ThreadRow) -> str:
        return spoken_turn(self.layout_of(row)) if isinstance(row, TurnRow) else ""

    @Slot(QPoint)
    def _on_menu_requested(self, at: QPoint) -> None:
        index = self.indexAt(at)
        row = self._row(index if index.isValid() else self.currentIndex())
        if isinstance(row, TurnRow):
            self.menu_wanted.emit(row.turn, self.viewport().mapToGlobal(at))

    @Slot()
    def _on_theme_changed(self) -> None:
        self._was_live = None
        self.live.forget()
        self._begin_anew()


def column_in(theme: Theme, room: int, most: int = COLUMN) -> tuple[int, int]:
    """Left edge and width of the column in a room, in pixels."""
    width = max(min(theme.scaled(most), room - 2 * _SIDE), 120)
    return (room - width) // 2, width


class _TurnDelegate(QStyledItemDelegate):
    """Paints turns and the rules between days."""

    def __init__(self, view: ThreadView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The view sizes its rows itself."""
        return QSize(0, 1)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws one row; the live turn draws itself."""
        view, row = self._view, index.data(_ROW)
        painter.save()
        turn_in(painter, option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = view.column()
        top = option.rect.top() + view.top_of(index.row())
        if isinstance(row, DayRow):
            _paint_day(painter, view.theme, QRectF(left, top, width, 0), row.text)
        elif isinstance(row, TurnRow):
            layout = view.layout_of(row)
            if row.key != LIVE:
                painter.translate(left, top)
                seen = view.viewport().rect().translated(0, -top)
                layout.paint(painter, view.look_of(row), seen.top(), seen.bottom())
                painter.translate(-left, -top)
            if view.shows_ring and view.currentIndex() == index:
                ring = QRectF(left - 10, top - 7, width + 20, layout.height + 14)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(view.theme.color("focus"), 2))
                painter.drawRoundedRect(ring, 8, 8)
        painter.restore()


def _paint_day(painter: QPainter, theme: Theme, line: QRectF, text: str) -> None:
    """A rule across, with the day in the middle of it."""
    font = theme.font("label")
    width = QFontMetricsF(font).horizontalAdvance(text)
    middle = line.top() + theme.scaled(_DAY_HEIGHT) / 2
    left = line.center().x() - width / 2
    write(painter, left, middle, text, font, theme.color("inkFaint"))
    for start, stop in ((line.left(), left - 12), (left + width + 12, line.right())):
        painter.fillRect(QRectF(start, round(middle), stop - start, 1), theme.color("line"))


def spoken_text(layout: TurnLayout) -> str:
    """The words of a turn as they read, without what stands around them."""
    texts = (piece.spoken() for _, piece in layout.placed if isinstance(piece, DocumentPiece))
    return "\n\n".join(one for one in texts if one)


def _is_unmeasured(row: ThreadRow, heights: dict[str, float]) -> bool:
    return isinstance(row, TurnRow) and row.key not in heights

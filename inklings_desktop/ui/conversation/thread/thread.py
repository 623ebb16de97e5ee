"""The thread under keyboard and mouse: turns are walked, opened, folded, chosen from and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from inklings_desktop.ui.conversation.drawing.pieces import FOLD, GONE, MEMORY, SHOW_ALL, TIP
from inklings_desktop.ui.conversation.drawing.runs import STOP_RUN
from inklings_desktop.ui.conversation.drawing.texts import DocumentPiece
from inklings_desktop.ui.conversation.drawing.turn_layout import ALL, TurnLayout
from inklings_desktop.ui.conversation.thread.rows import LIVE, DayRow, TurnRow, day_place
from inklings_desktop.ui.conversation.thread.rows_view import Chosen, ThreadRowsView
from inklings_desktop.ui.kit.lists.row_table import KEYBOARD_REASONS
from inklings_desktop.ui.kit.look.text_layout import plain_copy, plain_tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QMouseEvent

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.ui.conversation.drawing.pieces import Part
    from inklings_desktop.ui.kit.look.theme import Theme

_DRAG_FROM = 4
_STEPS = {Qt.Key.Key_J: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_K: -1, Qt.Key.Key_Up: -1}


class ThreadView(ThreadRowsView):
    """What is said, to go through by turn and part, to press and to copy.

    Signals:
        activated_part: What was pressed, and the ``Turn`` that it is in.
        left: The keyboard goes back to where the person writes.
        days_wanted: The list of days is to be opened.
        menu_wanted: The ``Turn`` whose menu is wanted, and where on the screen.
    """

    activated_part = Signal(object, object)
    left = Signal()
    days_wanted = Signal()
    menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._pressed: tuple[str, Part] | None = None
        self._pressed_at = QPointF()
        self._choosing: tuple[str, int, int] | None = None
        self.live.left.connect(self.left)

    def focus_card(self) -> bool:
        """Bring the keyboard to the card that waits; whether there is one."""
        cards = self.live.cards() if not self.live.isHidden() else []
        if cards:
            cards[0].focus_first()
        return bool(cards)

    def keyPressEvent(self, event: QKeyEvent) -> None:
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
        elif key == Qt.Key.Key_Delete:
            self._stop_current()
        elif key == Qt.Key.Key_Escape:
            if self._focused:
                self._focus_part("")
            else:
                self.left.emit()
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Asks for the menu of the turn under the pointer, or by key of the current one."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row, at = self._row(index), event.globalPos()
        if by_key and isinstance(row, TurnRow):
            left, width = self.column()
            top = max(self.rowViewportPosition(index.row()) + self.top_of(index.row()), 0)
            corner = QRect(left, top, width, 0)
            inside = corner.topRight() if self.isRightToLeft() else corner.topLeft()
            at = self.viewport().mapToGlobal(inside)
        if isinstance(row, TurnRow):
            self.menu_wanted.emit(row.turn, at)

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
        super().focusOutEvent(event)
        self._focused = ""
        self.live.look.focused = ""
        self.live.update()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
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
        is_link = part is not None and part.act[0] not in {GONE, TIP}
        is_link = is_link or self._day_at(event.position()) is not None
        shape = Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor
        if is_text and not is_link:
            shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)
        self.live.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed, self._choosing = self._pressed, None, None
        found = self._at(event.position())
        day = self._day_at(event.position())
        if day is not None and day == self._day_at(self._pressed_at):
            self._open_days(*day)
        if pressed is None or found is None:
            return
        part = found[1].part_at(found[2])
        if part is not None and (found[0].key, part.key) == (pressed[0], pressed[1].key):
            self._press(found[0], part)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self._at(event.position())
        text = found[1].text_at(found[2]) if found is not None else None
        if found is None or text is None:
            return
        piece, position = text
        start, stop = piece.word_at(position)
        self._chosen = Chosen(found[0].key, piece.number, start, stop)
        self._show_chosen()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            found = self._at(QPointF(event.pos()))
            part = found[1].part_at(found[2]) if found is not None else None
            tip = plain_tool_tip(part.tip) if part is not None and part.tip else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().viewportEvent(event)

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

    def words_of(self, turn: Turn) -> str:
        """The words of a turn that is shown, as they read."""
        shown = (one for one in self.rows if isinstance(one, TurnRow) and one.turn is turn)
        row = next(shown, None)
        return "" if row is None else spoken_text(self.layout_of(row))

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

    def _press_current(self) -> None:
        row = self._row(self.currentIndex())
        if isinstance(row, DayRow) and row.opens:
            self._open_days(row, self.currentIndex().row())
        if not isinstance(row, TurnRow):
            return
        parts = self._current_parts()
        wanted = (one for one in parts if one.key == self._focused)
        first = next((one for one in parts if one.act[0] == MEMORY), None)
        if (part := next(wanted, first)) is not None:
            self._press(row, part)

    def _stop_current(self) -> None:
        """Stop the run that the keyboard is on; the only one at work where it is on none."""
        row, parts = self._row(self.currentIndex()), self._current_parts()
        stops = [one for one in parts if one.act[0] == STOP_RUN]
        run = self._focused.partition("|")[2].removesuffix(":stop").removesuffix(":fold")
        here = [one for one in stops if one.act[1] == run] or (stops if len(stops) == 1 else [])
        if isinstance(row, TurnRow) and here:
            self._press(row, here[0])

    def _day_at(self, at: QPointF) -> tuple[DayRow, int] | None:
        """The rule between days under a point, where that opens the list, and its row."""
        index = self.indexAt(at.toPoint())
        row = self._row(index)
        if not isinstance(row, DayRow) or not row.opens:
            return None
        x = self.viewport().width() - at.x() if self.isRightToLeft() else at.x()
        place = self._day_place(row, index.row())
        return (row, index.row()) if place.contains(QPointF(x, at.y())) else None

    def _day_place(self, row: DayRow, place: int) -> QRectF:
        left, width = self.column()
        top = self.rowViewportPosition(place) + self.top_of(place)
        return day_place(self.ink, row, QRectF(left, top, width, 0))

    def _open_days(self, row: DayRow, place: int) -> None:
        self._put_anchor(self._day_place(row, place))
        self.days_wanted.emit()

    def _put_anchor(self, rect: QRectF) -> None:
        place = rect.toAlignedRect()
        if self.isRightToLeft():
            place.moveLeft(self.viewport().width() - place.right())
        self.anchor.setGeometry(place)

    def _press(self, row: TurnRow, part: Part) -> None:
        if part.act[0] == FOLD:
            self.unfold(row.key, part.act[1])
        elif part.act[0] in {GONE, TIP}:
            return
        elif part.act[0] == SHOW_ALL:
            self.unfold(row.key, ALL)
        else:
            place = self._model.index_of(row.key).row()
            top = self.rowViewportPosition(place) + self.top_of(place)
            self._put_anchor(part.rect.translated(self.column()[0], top))
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
            self._chosen = Chosen(key, number, start, stop)
            self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = self._chosen
        is_live = chosen is not None and chosen.key == LIVE
        self.live.look.selection = (
            (chosen.piece, chosen.start, chosen.stop) if chosen is not None and is_live else None
        )
        self.live.update()
        self.viewport().update()


def spoken_text(layout: TurnLayout) -> str:
    """The words of a turn as they read, without what stands around them."""
    texts = (piece.spoken() for _, piece in layout.placed if isinstance(piece, DocumentPiece))
    return "\n\n".join(one for one in texts if one)

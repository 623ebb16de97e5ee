"""The turn that is being written or waits for the person: painted like the others, with its cards.

Only the text that grows is laid out anew, and what turns is painted alone.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, ProblemBlock, TextBlock
from inklings_desktop.ui.conversation.drawing.pieces import Look
from inklings_desktop.ui.conversation.drawing.turn_layout import TurnLayout, tool_of
from inklings_desktop.ui.conversation.guest_words import card_words
from inklings_desktop.ui.conversation.thread.cards import AskCard, ProblemCard
from inklings_desktop.ui.kit.look.mirror import as_painted, painter_on
from inklings_desktop.ui.kit.marks.waiting import TURN_SECONDS
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.agent_client.rows import Block, Turn
    from inklings_desktop.ui.conversation.drawing.pieces import Ink
    from inklings_desktop.ui.conversation.drawing.turn_layout import Setting

_FRAME_MS = 40
_LOOK_MS = 1_000
SILENT_SECONDS = 5
"""After so long without anything new it is said how long that is."""


class LiveTurn(QWidget):
    """One turn with the widgets in it.

    Attributes:
        look: How it is drawn just now.
        layout_of_turn: It, laid out; None while there is none.

    Signals:
        answered: Id of a question and of the option that was chosen; the choices, as of the card.
        wanted: What is to be done about a problem, and what it was: a ``ProblemBlock``.
        left: The keyboard goes back to where the person writes.
        grew: A card in it takes another height than it said.
    """

    answered = Signal(str, str, object)
    wanted = Signal(str, object)
    left = Signal()
    grew = Signal()
    _turn: Turn
    _setting: Setting

    def __init__(self, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("liveTurn")
        self.setMouseTracking(True)
        self._ink, self._theme = ink, ink.theme
        self.look = Look()
        self.layout_of_turn: TurnLayout | None = None
        self._cards: dict[str, AskCard | ProblemCard] = {}
        self._left_out: dict[str, set[str]] = {}  # of questions; drawn anew, a card has it still
        self._used: set[str] = set()
        self._frames = timer(self, self._on_frame, _FRAME_MS, again=True)
        self._looks = timer(self, self._on_look, _LOOK_MS, again=True)
        self._began_at = self._changed_at = time.monotonic()
        self.hide()

    def show_turn(self, turn: Turn, width: float, setting: Setting) -> float:
        """Show a turn at a width; how high it is, in pixels."""
        self._used = set()
        if self.layout_of_turn is None or turn is not self._turn:
            self._changed_at = time.monotonic()
        self._turn, self._setting = turn, setting
        if turn.state == rows.RUNNING:
            self._looks.start()
        else:
            self._looks.stop()
        with_slots = replace(setting, slot=self._slot, waited=self._waited())
        shown = _in_whole_paragraphs(turn) if self._theme.reduced_motion else turn
        former = self.layout_of_turn
        self.layout_of_turn = TurnLayout(self._ink, shown, width, with_slots, former)
        for name in self._cards.keys() - self._used:
            card = self._cards.pop(name)
            if (focus := QApplication.focusWidget()) is not None and card.isAncestorOf(focus):
                self.left.emit()
            card.hide()
            card.deleteLater()
        self._place_cards()
        self._turn_where_welcome()
        self.update()
        return self.layout_of_turn.height

    def cards(self) -> list[AskCard | ProblemCard]:
        """The cards in it, top to bottom."""
        return sorted(self._cards.values(), key=lambda one: one.y())

    def forget(self) -> None:
        """Show nothing any more."""
        self._frames.stop()
        self._looks.stop()
        self.hide()
        self.layout_of_turn = None
        self.look = Look()
        for card in self._cards.values():
            card.hide()
            card.deleteLater()
        self._cards = {}

    def point(self, at: QPointF) -> QPointF:
        """A point of the widget as it was painted."""
        return as_painted(at, self)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.layout_of_turn is None:
            return
        painter = painter_on(self)
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        rect = event.rect()
        self.look.angle = (time.monotonic() - self._began_at) / TURN_SECONDS % 1.0 * 360.0
        if not self._frames.isActive():
            self.look.angle = 0.0
        self.layout_of_turn.paint(painter, self.look, rect.top(), rect.bottom())
        painter.end()

    def _waited(self) -> int:
        """Seconds since something new came; 0 while they are few."""
        seconds = int(time.monotonic() - self._changed_at)
        return seconds if seconds >= SILENT_SECONDS else 0

    def _slot(self, block: Block, width: float) -> tuple[str, float] | None:
        """Which widget stands in place of a block, and its height."""
        if isinstance(block, AskBlock) and block.is_open:
            name = f"ask:{block.id}"
        elif isinstance(block, ProblemBlock) and card_words(block).acts:
            name = f"problem:{block.word}"
        else:
            return None
        self._used.add(name)
        card = self._cards.get(name)
        if card is None or (isinstance(card, AskCard) and card.ask != block):
            if card is not None:
                card.hide()
                card.deleteLater()
            card = self._cards[name] = self._made_card(block)
        return name, card.height_at(width)

    def _made_card(self, block: AskBlock | ProblemBlock) -> AskCard | ProblemCard:
        card: AskCard | ProblemCard
        if isinstance(block, AskBlock):
            left_out = self._left_out.setdefault(block.id, set())
            card = AskCard(self._theme, block, tool_of(self._turn, block), left_out, self)
            card.answered.connect(self.answered)
        else:
            card = ProblemCard(self._theme, card_words(block), self)
            card.wanted.connect(lambda act: self.wanted.emit(act, block))
        card.left.connect(self.left)
        card.grew.connect(self.grew)
        return card

    def _place_cards(self) -> None:
        assert self.layout_of_turn is not None
        for name, rect in self.layout_of_turn.slots():
            card = self._cards[name]
            card.setGeometry(rect.toAlignedRect())
            card.show()

    def _turn_where_welcome(self) -> None:
        assert self.layout_of_turn is not None
        turns = any(True for _ in self.layout_of_turn.turning())
        is_welcome = not self._theme.reduced_motion
        if turns and is_welcome and not self._frames.isActive():
            self._began_at = time.monotonic()
            self._frames.start()
        elif not turns:
            self._frames.stop()

    @Slot()
    def _on_look(self) -> None:
        if self.layout_of_turn is not None and self.isVisible() and self._waited():
            self.show_turn(self._turn, self.layout_of_turn.width, self._setting)

    @Slot()
    def _on_frame(self) -> None:
        if self.layout_of_turn is None or not self.isVisible() or not self.isActiveWindow():
            return
        for place in self.layout_of_turn.turning():
            area = place.adjusted(-3, -3, 3, 3)
            self.update(self._mirrored(area).toAlignedRect())

    def _mirrored(self, rect: QRectF) -> QRectF:
        corners = (self.point(rect.topLeft()), self.point(rect.bottomRight()))
        return QRectF(*corners).normalized()


def _in_whole_paragraphs(turn: Turn) -> Turn:
    """A turn without the paragraph that is still being added to."""
    blocks = turn.blocks
    last = blocks[-1] if blocks else None
    if turn.state != rows.RUNNING or not isinstance(last, TextBlock) or not last.is_live:
        return turn
    whole = replace(last, text=last.text.rpartition("\n\n")[0])
    return replace(turn, blocks=(*blocks[:-1], whole))

"""The plain pieces of a turn: its head, its plan, a line, and room for a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QRectF

from inklings_desktop.ui.conversation.drawing.ink import ICON
from inklings_desktop.ui.conversation.drawing.piece import TIP, Part, Piece
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from inklings_desktop.agent_client.rows import PlanEntry
    from inklings_desktop.ui.conversation.drawing.ink import Ink
    from inklings_desktop.ui.conversation.drawing.piece import Look
    from inklings_desktop.ui.conversation.words import Speaker


_TIME_GAP = 8


class HeadPiece(Piece):
    """Who speaks, when, and how far it is."""

    gap = 0
    _HEIGHT = 18

    def __init__(
        self,
        ink: Ink,
        speaker: Speaker,
        times: tuple[str, str],
        state: str,
        *,
        is_at_work: bool,
    ) -> None:
        """Lay nothing out yet.

        Args:
            ink: Faces and colours.
            speaker: Whose turn it is.
            times: When it was, as it stands there and as the pointer is told.
            state: How far it is.
            is_at_work: Whether it is being written.
        """
        super().__init__(ink)
        self._speaker, self._state = speaker, state
        self._time, self._exact = times
        self._is_at_work = is_at_work

    def lay(self, width: float) -> None:
        """One line."""
        self.width, self.height = width, float(self.theme.scaled(self._HEIGHT))
        edge = self.theme.icon_px(ICON)
        self.turns = []
        if self._is_at_work:
            taken = self.ink.width(self._state, self.ink.font())
            self.turns = [QRectF(width - taken - 7 - edge, 0, edge, self.height)]

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw mark, name and time, and the state at the right."""
        ink, middle, speaker = self.ink, self.height / 2, self._speaker
        ink.icon(painter, 0, middle, speaker.icon, speaker.role, 14)
        name, x = self._name()
        x = ink.text(painter, x, middle, name, ink.font(weight=600), speaker.role) + _TIME_GAP
        ink.text(painter, x, middle, self._time, ink.font(), "inkFaint")
        role = "accent" if self._is_at_work else "inkFaint"
        taken = ink.width(self._state, ink.font())
        ink.text(painter, self.width - taken, middle, self._state, ink.font(), role)
        for place in self.turns:
            ink.turning(painter, place.left(), middle, look.angle)

    def parts(self) -> Sequence[Part]:
        """The time, which tells the pointer its day."""
        name, x = self._name()
        left = x + self.ink.width(name, self.ink.font(weight=600)) + _TIME_GAP
        rect = QRectF(left, 0, self.ink.width(self._time, self.ink.font()), self.height)
        return [Part(self._key(TIP), rect, "", (TIP,), self._exact)] if self._exact else ()

    def _name(self) -> tuple[str, float]:
        """The name as far as there is room for it, and where it begins."""
        name = self.ink.fitted(self._speaker.name, self.ink.font(weight=600), self.width * 0.6)
        return name, self.theme.icon_px(14) + 5.0


class PlanPiece(Piece):
    """What the agent intends, a line each; only one of them is now."""

    gap = 5
    _LINE = 23
    _LOOKS: ClassVar[dict[str, tuple[str, str]]] = {
        "completed": ("check-circle", "accent"),
        "failed": ("warning-circle", "madder"),
        "stopped": ("stop-circle", "inkSoft"),
        "waits": ("hand-palm", "ochre"),
    }

    def __init__(self, ink: Ink, entries: Sequence[PlanEntry], state: str, *, waits: bool) -> None:
        super().__init__(ink)
        self._entries, self._state, self._waits = entries, state, waits

    def lay(self, width: float) -> None:
        """A line for every step."""
        line = self.theme.scaled(self._LINE)
        edge = self.theme.icon_px(ICON)
        self.width, self.height = width, float(line * len(self._entries))
        self.turns = [
            QRectF(0, number * line, edge, line)
            for number, one in enumerate(self._entries)
            if self._look_of(one)[0] == "now"
        ]

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the steps."""
        ink, line = self.ink, self.theme.scaled(self._LINE)
        for number, entry in enumerate(self._entries):
            middle = (number + 0.5) * line
            state, remark = self._look_of(entry)
            if state == "now":
                ink.turning(painter, 0, middle, look.angle)
            else:
                icon, role = self._LOOKS.get(state, ("circle", "inkSoft"))
                ink.icon(painter, 0, middle, icon, role)
            x = self.theme.icon_px(ICON) + 9.0
            is_current = state in {"now", "waits"}
            font = ink.font(weight=600 if is_current else None)
            shown = ink.fitted(entry.content, font, self.width - x)
            x = ink.text(painter, x, middle, shown, font, "ink" if is_current else "inkSoft")
            rest = ink.fitted(remark, ink.font(), self.width - x - 9)
            ink.text(painter, x + 9, middle, rest, ink.font(), "inkFaint")

    def spoken(self) -> str:
        """Which step it is at."""
        states = [self._look_of(one)[0] for one in self._entries]
        at = next((n for n, one in enumerate(states) if one != "completed"), len(states) - 1)
        return tr("plan, step {n} of {all}: {what}").format(
            n=at + 1, all=len(states), what=self._entries[at].content
        )

    def _look_of(self, entry: PlanEntry) -> tuple[str, str]:
        """How far a step is, and what is said of that."""
        if entry.status != "in_progress":
            return entry.status, ""
        if self._waits:
            return "waits", tr("waits for your answer")
        ended = {"stopped": tr("stopped by you"), "failed": "", "interrupted": ""}
        if self._state in ended:
            is_stopped = self._state == "stopped"
            return "stopped" if is_stopped else "failed", ended[self._state]
        return ("now" if self._state == "running" else "completed"), ""


class LinePiece(Piece):
    """One line: what became of a question, on a card; or what the program says, on bare paper."""

    gap = 10
    _HEIGHT, _CARD = 22, 44

    def __init__(
        self, ink: Ink, icon: str, role: str, strong: str, text: str, *, is_card: bool = False
    ) -> None:
        super().__init__(ink)
        self._icon, self._role, self._strong, self._text = icon, role, strong, text
        self._is_card = is_card

    def lay(self, width: float) -> None:
        """One line."""
        height = self.theme.scaled(self._CARD if self._is_card else self._HEIGHT)
        self.width, self.height = width, float(height)

    def paint(self, painter: QPainter, look: Look) -> None:  # noqa: ARG002 - nothing changes
        """Draw icon, word and sentence."""
        ink, middle = self.ink, self.height / 2
        x: float = 0
        if self._is_card:
            ink.card(painter, QRectF(0, 0, self.width, self.height), "surface", "controlBorder")
            x = 17
        if self._icon:
            x = ink.icon(painter, x, middle, self._icon, self._role) + 9
        strong = ink.font(weight=600)
        if self._strong:
            x = ink.text(painter, x, middle, self._strong, strong, "ink") + 9
        shown = ink.fitted(self._text, ink.font(), self.width - x - (17 if self._is_card else 0))
        ink.text(painter, x, middle, shown, ink.font(), "inkSoft")

    def spoken(self) -> str:
        """Word and sentence."""
        return f"{self._strong} {self._text}".strip()


class SlotPiece(Piece):
    """Room for a widget: a card that asks, or one that says what went wrong.

    Attributes:
        name: Which widget stands there.
    """

    gap = 10

    def __init__(self, ink: Ink, name: str, height: float) -> None:
        super().__init__(ink)
        self.name = name
        self.height = height

    def lay(self, width: float) -> None:
        """As high as the widget said."""
        self.width = width

    def paint(self, painter: QPainter, look: Look) -> None:
        """The widget draws itself."""

"""What a turn is drawn of: the ink, what every piece is, and the plain ones among them.

A piece measures from its own upper left corner. What can be pressed on it is a ``Part``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.cells import Rings
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.mirror import draw_picture
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.rows import PlanEntry
    from inklings_desktop.ui.conversation.words import Speaker
    from inklings_desktop.ui.kit.look.theme import Theme

ICON, SMALL = 16, 14
_TIERS = {tier.value: tier for tier in Tier}


def tier_rings(tier: str, size: int = ICON) -> Rings:
    """The rings of a tier by its name, those of a workspace for any other."""
    return Rings(*TIER_MARKS[_TIERS.get(tier, Tier.WORKSPACE)], size)


class Ink:
    """Writes and draws in the colours and faces of the theme; sizes grow with the text."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def font(self, style: str = "meta", weight: int | None = None) -> QFont:
        """A face."""
        return self.theme.font(style, weight=weight)

    def width(self, text: str, font: QFont) -> float:
        """How wide a text is, in pixels."""
        return QFontMetricsF(font).horizontalAdvance(text)

    def fitted(self, text: str, font: QFont, room: float) -> str:
        """A text of one line, with an ellipsis where it has no room."""
        line = spelled_out(" ".join(text.split()))
        return QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideRight, max(room, 0))

    def text(
        self, painter: QPainter, x: float, middle: float, text: str, font: QFont, role: str
    ) -> float:
        """Write from ``x`` on; the answer is where it ends."""
        return write(painter, x, middle, text, font, self.theme.color(role))

    def icon(
        self, painter: QPainter, x: float, middle: float, name: str, role: str, size: int = ICON
    ) -> float:
        """Draw an icon; the answer is where it ends."""
        edge = self.theme.icon_px(size)
        ratio = painter.device().devicePixelRatioF()
        picture = self.theme.pixmap(name, role, size, ratio=ratio)
        draw_picture(painter, QPointF(round(x), round(middle - edge / 2)), picture)
        return x + edge

    def turning(self, painter: QPainter, x: float, middle: float, angle: float) -> None:
        """Draw the arrows of what is at work."""
        edge = self.theme.icon_px(ICON)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(x + edge / 2, middle)
        painter.rotate(angle)
        self.icon(painter, -edge / 2, 0, "arrows-clockwise", "accent")
        painter.restore()

    def tier(
        self, painter: QPainter, x: float, middle: float, tier: str, size: int = ICON
    ) -> float:
        """Draw the rings of a tier; the answer is where they end."""
        edge = self.theme.icon_px(size)
        rings = tier_rings(tier, size)
        return rings.draw(painter, self.theme, QRectF(x, round(middle - edge / 2) + edge / 2, 0, 0))

    def ring(self, painter: QPainter, rect: QRectF, radius: float = 5) -> None:
        """Draw the ring around what the keyboard is on."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color("focus"), 2))
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius, radius)


Act = tuple[Any, ...]
"""What a part does: a word, and what it is about."""

MEMORY, FOLD, READ_LIST, UNDO, SHOW_ALL, GONE = (
    "memory",
    "fold",
    "read_list",
    "undo",
    "show_all",
    "gone",
)
TIP = "tip"
"""Nothing to be pressed: the pointer is told more."""
EDIT_QUEUED, DROP_QUEUED = "edit_queued", "drop_queued"


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a turn that the keyboard goes to and that can be pressed.

    Attributes:
        key: Names it within its turn.
        rect: Where it stands.
        name: What a screen reader says.
        act: What pressing it does.
        tip: What the pointer is told; empty for nothing.
    """

    key: str
    rect: QRectF
    name: str
    act: Act
    tip: str = ""


@dataclass(slots=True)
class Look:
    """How a turn is drawn just now.

    Attributes:
        hovered: Key of the part under the pointer.
        focused: Key of the part that the keyboard is on.
        opened: ``tier/id`` of the memory that is open beside the thread.
        selection: Number of the piece whose text is chosen, and from where to where.
        angle: How far what turns has turned, in degrees.
    """

    hovered: str = ""
    focused: str = ""
    opened: str = ""
    selection: tuple[int, int, int] | None = None
    angle: float = 0.0


class Piece:
    """Something of a turn, painted from its own upper left corner.

    Attributes:
        gap: Room above it, in pixels at text scale 1.
        height: In pixels; known once it is laid out.
        turns: Where something turns, while it is at work.
    """

    gap: int = 8

    def __init__(self, ink: Ink) -> None:
        self.ink, self.theme = ink, ink.theme
        self.number = 0
        self.width = self.height = 0.0
        self.turns: list[QRectF] = []

    def lay(self, width: float) -> None:
        """Take the height that it needs at a width, in pixels."""
        raise NotImplementedError

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw it."""
        raise NotImplementedError

    def parts(self) -> Sequence[Part]:
        """What can be pressed on it."""
        return ()

    def spoken(self) -> str:
        """What a screen reader says of it; empty for nothing."""
        return ""

    def _key(self, name: object) -> str:
        return f"{self.number}|{name}"


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
            times: When it was, as it stands there and as the pointer is told, with the model.
            state: How far it is.
            is_at_work: Whether it is being written.
        """
        super().__init__(ink)
        self._speaker, self._state = speaker, state
        self._time, self._exact = times
        self._is_at_work = is_at_work

    def lay(self, width: float) -> None:
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
        rect = QRectF(0, 0, self.width, self.height)
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
        line = self.theme.scaled(self._LINE)
        edge = self.theme.icon_px(ICON)
        self.width, self.height = width, float(line * len(self._entries))
        self.turns = [
            QRectF(0, number * line, edge, line)
            for number, one in enumerate(self._entries)
            if self._look_of(one)[0] == "now"
        ]

    def paint(self, painter: QPainter, look: Look) -> None:
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
            return "waits", tr("waiting for your answer")
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
        height = self.theme.scaled(self._CARD if self._is_card else self._HEIGHT)
        self.width, self.height = width, float(height)

    def paint(self, painter: QPainter, look: Look) -> None:  # noqa: ARG002 - nothing changes
        ink, middle = self.ink, self.height / 2
        x: float = 0
        if self._is_card:
            box = QRectF(0, 0, self.width, self.height)
            ink.theme.draw_box(painter, box, "surface", 8, line="controlBorder")
            x = 17
        if self._icon:
            x = ink.icon(painter, x, middle, self._icon, self._role) + 9
        strong = ink.font(weight=600)
        if self._strong:
            x = ink.text(painter, x, middle, self._strong, strong, "ink") + 9
        shown = ink.fitted(self._text, ink.font(), self.width - x - (17 if self._is_card else 0))
        ink.text(painter, x, middle, shown, ink.font(), "inkSoft")

    def spoken(self) -> str:
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
        self.width = width

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws nothing: the widget in its place draws itself."""

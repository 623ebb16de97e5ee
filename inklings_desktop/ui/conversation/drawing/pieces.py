"""The pieces that a turn is painted of, each at a width: texts, cards, chips, and what is on them.

A piece measures from its own upper left corner. What can be pressed on it is a ``Part``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import draw_picture
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.rows import PlanEntry
    from inklings_desktop.agent_client.touched import Touched
    from inklings_desktop.ui.conversation.drawing.steps import StepRow
    from inklings_desktop.ui.conversation.words import Speaker
    from inklings_desktop.ui.kit.look.theme import Theme

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
EDIT_QUEUED, DROP_QUEUED = "edit_queued", "drop_queued"
ICON, SMALL = 16, 14
_TIERS = {tier.value: tier for tier in Tier}


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
        inked, role = TIER_MARKS[_TIERS.get(tier, Tier.WORKSPACE)]
        rect = QRectF(x, round(middle - edge / 2), edge, edge)
        paint_tier_mark(painter, rect, inked, self.theme.color(role))
        return x + edge

    def card(
        self, painter: QPainter, rect: QRectF, ground: str, line: str | None = None, radius: int = 8
    ) -> None:
        """Draw a rounded ground, with a hairline around it or none."""
        if line is None:
            painter.setPen(Qt.PenStyle.NoPen)
            place = rect
        else:
            painter.setPen(QPen(self.theme.color(line), 1))
            place = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(self.theme.color(ground))
        painter.drawRoundedRect(place, radius, radius)

    def ring(self, painter: QPainter, rect: QRectF, radius: float = 5) -> None:
        """Draw the ring around what the keyboard is on."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color("focus"), 2))
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius, radius)


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


class HeadPiece(Piece):
    """Who speaks, when, and how far it is."""

    gap = 0
    _HEIGHT = 18

    def __init__(
        self, ink: Ink, speaker: Speaker, time: str, state: str, *, is_at_work: bool
    ) -> None:
        super().__init__(ink)
        self._speaker, self._time, self._state = speaker, time, state
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
        x = ink.icon(painter, 0, middle, speaker.icon, speaker.role, 14) + 5
        name = ink.fitted(speaker.name, ink.font(weight=600), self.width * 0.6)
        x = ink.text(painter, x, middle, name, ink.font(weight=600), speaker.role) + 8
        ink.text(painter, x, middle, self._time, ink.font(), "inkFaint")
        role = "accent" if self._is_at_work else "inkFaint"
        taken = ink.width(self._state, ink.font())
        ink.text(painter, self.width - taken, middle, self._state, ink.font(), role)
        for place in self.turns:
            ink.turning(painter, place.left(), middle, look.angle)


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


class StepsPiece(Piece):
    """The card of what was done: a row for each group of calls, unfolded to what it found."""

    gap = 7
    _ROW, _DETAIL = 32, 27
    _CARET, _MARK, _TEXT, _RIGHT = 13, 35, 59, 13

    def __init__(self, ink: Ink, rows: Sequence[StepRow], unfolded: frozenset[str]) -> None:
        super().__init__(ink)
        self._rows, self._unfolded = rows, unfolded
        self._lines: list[tuple[float, float, StepRow, int]] = []

    def lay(self, width: float) -> None:
        """Rows and the lines below the unfolded ones."""
        self.width = width
        self._lines, self.turns, y = [], [], 1.0
        row_height, line = self.theme.scaled(self._ROW), self.theme.scaled(self._DETAIL)
        edge = self.theme.icon_px(ICON)
        for row in self._rows:
            if self._lines:
                y += 1
            self._lines.append((y, row_height, row, -1))
            if row.is_running:
                taken = self.ink.width(row.time, self.ink.font()) + (9 if row.time else 0)
                left = width - self._RIGHT - taken - edge
                self.turns.append(QRectF(left, y, edge, row_height))
            y += row_height
            if row.key in self._unfolded:
                for number in range(len(row.details)):
                    self._lines.append((y + 1, line, row, number))
                    y += line + 1
        self.height = y + 1

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the card."""
        theme = self.theme
        self.ink.card(painter, QRectF(0, 0, self.width, self.height), "canvas", "line")
        for position, (top, height, row, number) in enumerate(self._lines):
            if position:
                painter.fillRect(QRectF(1, top - 1, self.width - 2, 1), theme.color("line"))
            if number < 0:
                self._paint_row(painter, top + height / 2, row, look)
            else:
                self._paint_detail(painter, top + height / 2, row, number)
        for part in self.parts():
            if part.key == look.focused:
                self.ink.ring(painter, part.rect.adjusted(2, 2, -2, -2))

    def parts(self) -> Sequence[Part]:
        """Rows that unfold, and the memories below them."""
        found = []
        for top, height, row, number in self._lines:
            rect = QRectF(0, top, self.width, height)
            if number < 0 and row.details:
                is_open = row.key in self._unfolded
                name = f"{row.spoken}, {tr('unfolded') if is_open else tr('folded')}"
                found.append(Part(self._key(row.key), rect, name, (FOLD, row.key)))
            elif number >= 0 and (touched := row.details[number].touched) is not None:
                name, act = row.details[number].text, (MEMORY, touched)
                found.append(Part(self._key(f"{row.key}:{number}"), rect, name, act))
        return found

    def spoken(self) -> str:
        """What was done."""
        return "; ".join(row.spoken for row in self._rows)

    def _paint_row(self, painter: QPainter, middle: float, row: StepRow, look: Look) -> None:
        ink, edge = self.ink, self.theme.icon_px(ICON)
        if row.details:
            caret = "caret-down" if row.key in self._unfolded else "caret-right"
            hovered = look.hovered == self._key(row.key)
            ink.icon(painter, self._CARET, middle, caret, "ink" if hovered else "inkFaint", 14)
        ink.icon(painter, self._MARK, middle, row.icon, row.role)
        end = self.width - self._RIGHT - ink.width(row.time, ink.font())
        ink.text(painter, end, middle, row.time, ink.font(), "inkSoft")
        if row.is_running:
            end -= edge + (9 if row.time else 0)
            ink.turning(painter, end, middle, look.angle)
        x: float = max(self._TEXT, self._MARK + edge + 8)
        strong = ink.font(weight=600)
        shown = ink.fitted(row.done, strong, end - x - 12)
        x = ink.text(painter, x, middle, shown, strong, "ink") + 9
        about = ink.fitted(row.about, ink.font(), end - x - 12)
        ink.text(painter, x, middle, about, ink.font(), "inkFaint")

    def _paint_detail(self, painter: QPainter, middle: float, row: StepRow, number: int) -> None:
        ink, detail = self.ink, row.details[number]
        edge = self.theme.icon_px(ICON)
        x, end = max(self._TEXT, self._MARK + edge + 8), self.width - self._RIGHT
        if detail.touched is not None:
            ink.icon(painter, self._MARK + 2, middle, "stack", "inkFaint", 14)
            end -= edge
            ink.tier(painter, end, middle, detail.touched.tier)
        shown = ink.fitted(detail.text, ink.font(), end - x - 12)
        ink.text(painter, x, middle, shown, ink.font(), "ink")


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


@dataclass(slots=True)
class _Chip:
    """A chip of the strip, or a word between chips."""

    width: float
    icon: str = ""
    tier: str = ""
    text: str = ""
    act: Act | None = None
    is_chip: bool = True
    caret: bool = False
    place: QRectF = field(default_factory=QRectF)
    name: str = ""
    tip: str = ""


class TouchedPiece(Piece):
    """*This turn touched*: what was read, behind one chip, and what was changed, a chip each."""

    gap = 8
    _CHIP, _ABOVE, _GAP, _MOST = 24, 9, 8, 205
    _MOST_CHIPS = 3
    _VERBS: ClassVar[dict[str, str]] = {
        "written": "pen-nib",
        "forgotten": "eraser",
        "proposed": "git-pull-request",
        "restored": "clock-counter-clockwise",
    }

    def __init__(self, ink: Ink, touched: Sequence[Touched], *, is_narrow: bool) -> None:
        super().__init__(ink)
        self._touched, self._is_narrow = touched, is_narrow
        self._chips: list[_Chip] = []

    def lay(self, width: float) -> None:
        """Chips side by side, on as many lines as they need."""
        self.width = width
        self._chips = self._made()
        height = self.theme.scaled(self._CHIP)
        x, y = 0.0, 1.0 + self._ABOVE
        for chip in self._chips:
            taken = min(chip.width, width)
            if x and x + taken > width:
                x, y = 0.0, y + height + 6
            chip.place = QRectF(x, y, taken, height)
            x += taken + self._GAP
        self.height = y + height

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the rule, the label and the chips."""
        theme, ink = self.theme, self.ink
        painter.fillRect(QRectF(0, 0, self.width, 1), theme.color("line"))
        for number, chip in enumerate(self._chips):
            middle, x = chip.place.center().y(), chip.place.left()
            font = ink.font()
            if not chip.is_chip:
                is_link = chip.act is not None
                if not chip.icon and not is_link:
                    font = theme.font("label")
                x = (
                    ink.icon(painter, x, middle, chip.icon, "inkSoft", SMALL) + 5
                    if chip.icon
                    else x
                )
                role = "lapis" if is_link else "inkFaint" if not chip.icon else "inkSoft"
                ink.text(painter, x, middle, chip.text, font, role)
            else:
                self._paint_chip(painter, chip, look)
            if look.focused == self._key(number):
                ink.ring(painter, chip.place)

    def parts(self) -> Sequence[Part]:
        """The chips and *Undo*."""
        return [
            Part(self._key(number), chip.place, chip.name or chip.text, chip.act, chip.tip)
            for number, chip in enumerate(self._chips)
            if chip.act is not None
        ]

    def spoken(self) -> str:
        """What the turn touched, in counts."""
        counts: dict[str, int] = {}
        for one in self._touched:
            counts[one.how] = counts.get(one.how, 0) + 1
        words = {
            "read": lambda n: counted(n, "read 1 memory", "read {n} memories"),
            "written": lambda n: counted(n, "wrote 1", "wrote {n}"),
            "forgotten": lambda n: counted(n, "forgot 1", "forgot {n}"),
            "proposed": lambda n: counted(n, "proposed 1", "proposed {n}"),
            "restored": lambda n: counted(n, "restored 1", "restored {n}"),
        }
        return ", ".join(words[how](n) for how, n in counts.items() if how in words)

    def _made(self) -> list[_Chip]:
        ink, edge = self.ink, self.theme.icon_px(SMALL)
        meta = ink.font()
        label = tr("This turn touched")
        found = [
            _Chip(ink.width(label, self.theme.font("label")), text=label, is_chip=False),
        ]
        read = [one for one in self._touched if one.how == "read"]
        if read:
            text = counted(len(read), "read 1", "read {n}")
            name = counted(len(read), "Read 1 memory", "Read {n} memories")
            width = 10 + edge + 5 + ink.width(text, meta) + 6 + edge + 8
            chip = _Chip(width, "eye", "", text, (READ_LIST, tuple(read)), caret=True, name=name)
            found.append(chip)
        words = {
            "written": (tr("wrote"), tr("Wrote: {text}")),
            "forgotten": (tr("forgot"), tr("Forgot: {text}")),
            "proposed": (tr("proposed"), tr("Proposed: {text}")),
            "restored": (tr("restored"), tr("Restored: {text}")),
        }
        for how, icon in self._VERBS.items():
            those = [one for one in self._touched if one.how == how]
            if not those:
                continue
            verb, spoken = words[how]
            shown = "" if self._is_narrow else verb
            width = edge + (5 + ink.width(shown, meta) if shown else 0)
            found.append(_Chip(width, icon, text=shown, is_chip=False, name=verb))
            for one in those[: self._MOST_CHIPS]:
                text = one.excerpt or tr("a memory")
                wanted = 9 + edge + 6 + ink.width(" ".join(text.split()), self._chip_font()) + 10
                width = min(wanted, self.theme.scaled(self._MOST))
                name = spoken.format(text=text)
                found.append(_Chip(width, "", one.tier, text, (MEMORY, one), name=name, tip=text))
            if rest := those[self._MOST_CHIPS :]:
                text = tr("and {n} more").format(n=len(rest))
                width = ink.width(text, meta) + 20
                found.append(_Chip(width, "", "", text, (READ_LIST, tuple(rest))))
        undoable = tuple(one for one in self._touched if one.undo)
        if undoable:
            text = tr("Undo")
            name = counted(len(undoable), "Take this change back", "Take these {n} changes back")
            found.append(
                _Chip(
                    ink.width(text, meta), text=text, act=(UNDO, undoable), is_chip=False, name=name
                )
            )
        return found

    def _chip_font(self) -> QFont:
        return self.theme.font("reading", px=13)

    def _paint_chip(self, painter: QPainter, chip: _Chip, look: Look) -> None:
        ink, theme, place = self.ink, self.theme, chip.place
        about = chip.act[1] if chip.act is not None and chip.act[0] == MEMORY else None
        is_open = about is not None and look.opened == f"{about.tier}/{about.id}"
        if is_open:
            ink.card(painter, place, "selected", "accent", theme.radius("chip"))
        else:
            ink.card(painter, place, "graphiteSoft", None, theme.radius("chip"))
        middle, x = place.center().y(), place.left() + 9
        edge = theme.icon_px(SMALL)
        if chip.tier:
            x = ink.tier(painter, x, middle, chip.tier, SMALL) + 6
            font = self._chip_font()
        else:
            x = ink.icon(painter, x, middle, chip.icon, "inkSoft", SMALL) + 5 if chip.icon else x
            font = ink.font()
        room = place.right() - x - (8 + edge + 4 if chip.caret else 9)
        role = "ink" if is_open else "inkSoft"
        ink.text(painter, x, middle, ink.fitted(chip.text, font, room + 1), font, role)
        if chip.caret:
            ink.icon(painter, place.right() - 6 - edge, middle, "caret-down", "inkSoft", 12)


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

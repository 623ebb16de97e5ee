"""What a turn left to see below its words: the card of its steps, the strip of what it touched."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.drawing.pieces import (
    FOLD,
    ICON,
    MEMORY,
    READ_LIST,
    SMALL,
    UNDO,
    Part,
    Piece,
)
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont, QPainter

    from inklings_desktop.agent_client.rows import Touched
    from inklings_desktop.ui.conversation.drawing.pieces import Act, Ink, Look
    from inklings_desktop.ui.conversation.drawing.steps import StepRow


def how_icon(how: str) -> str:
    """The sign of what was done to a memory."""
    return {
        "read": "eye",
        "written": "pen-nib",
        "forgotten": "eraser",
        "proposed": "git-pull-request",
        "restored": "clock-counter-clockwise",
    }.get(how, "stack")


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
        theme = self.theme
        box = QRectF(0, 0, self.width, self.height)
        self.theme.draw_box(painter, box, "canvas", 8, line="line")
        for position, (top, height, row, number) in enumerate(self._lines):
            if number < 0 and row.key in self._unfolded:
                self._paint_open(painter, QRectF(1, top, self.width - 2, height))
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
        found = []
        for top, height, row, number in self._lines:
            rect = QRectF(0, top, self.width, height)
            if number < 0 and row.details:
                is_open = row.key in self._unfolded
                name = f"{row.spoken}, {tr('unfolded') if is_open else tr('folded')}"
                found.append(Part(self._key(row.key), rect, name, (FOLD, row.key)))
            elif number >= 0 and (touched := row.details[number].touched) is not None:
                name, act = row.details[number].spoken, (MEMORY, touched)
                found.append(Part(self._key(f"{row.key}:{number}"), rect, name, act))
        return found

    def spoken(self) -> str:
        return "; ".join(row.spoken for row in self._rows)

    def _paint_open(self, painter: QPainter, row: QRectF) -> None:
        """Lift the ground of an unfolded row, within the corners of the card."""
        card = QPainterPath()
        card.addRoundedRect(QRectF(1, 1, self.width - 2, self.height - 2), 7, 7)
        painter.save()
        painter.setClipPath(card, Qt.ClipOperation.IntersectClip)
        painter.fillRect(row, self.theme.color("surface"))
        painter.restore()

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
        x: float = max(self._TEXT, self._MARK + edge + 8)
        end = self.width - self._RIGHT
        if detail.touched is not None:
            ink.icon(painter, self._MARK + 2, middle, how_icon(detail.touched.how), "inkFaint", 14)
            end -= edge
            ink.tier(painter, end, middle, detail.touched.tier)
            x = ink.text(painter, x, middle, detail.done, ink.font(weight=600), "inkSoft") + 9
        shown = ink.fitted(detail.text, ink.font(), end - x - 12)
        ink.text(painter, x, middle, shown, ink.font(), "ink")


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
        how: how_icon(how) for how in ("written", "forgotten", "proposed", "restored")
    }

    def __init__(self, ink: Ink, touched: Sequence[Touched], *, is_narrow: bool) -> None:
        super().__init__(ink)
        self._touched = [one for one in touched if not one.undone]
        self._n_undone, self._is_narrow = len(touched) - len(self._touched), is_narrow
        self._chips: list[_Chip] = []

    def lay(self, width: float) -> None:
        """Chips side by side, on as many lines as they need."""
        self.width = width
        self._chips = self._made()
        height = self.theme.scaled(self._CHIP)
        x, y = 0.0, 1.0 + self._ABOVE
        for chip, after in zip(self._chips, [*self._chips[1:], None], strict=True):
            taken = min(chip.width, width)
            is_verb = bool(chip.icon) and not chip.is_chip and after is not None
            with_next = taken + (self._GAP + after.width if is_verb and after else 0)
            if x and x + with_next > width:  # a verb stays with what it is said of
                x, y = 0.0, y + height + 6
            chip.place = QRectF(x, y, taken, height)
            x += taken + self._GAP
        self.height = y + height

    def paint(self, painter: QPainter, look: Look) -> None:
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
        return [
            Part(self._key(number), chip.place, chip.name or chip.text, chip.act, chip.tip)
            for number, chip in enumerate(self._chips)
            if chip.act is not None
        ]

    def spoken(self) -> str:
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
        told = [words[how](n) for how, n in counts.items() if how in words]
        return ", ".join((*told, *([tr("undone")] if self._n_undone else [])))

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
            name = counted(len(undoable), "Undo this change", "Undo these {n} changes")
            found.append(
                _Chip(
                    ink.width(text, meta), text=text, act=(UNDO, undoable), is_chip=False, name=name
                )
            )
        elif self._n_undone:
            text = tr("Undone")
            width = edge + 5 + ink.width(text, meta)
            found.append(_Chip(width, "arrow-counter-clockwise", text=text, is_chip=False))
        return found

    def _chip_font(self) -> QFont:
        return self.theme.font("reading", px=13)

    def _paint_chip(self, painter: QPainter, chip: _Chip, look: Look) -> None:
        ink, theme, place = self.ink, self.theme, chip.place
        about = chip.act[1] if chip.act is not None and chip.act[0] == MEMORY else None
        is_open = about is not None and look.opened == f"{about.tier}/{about.id}"
        if is_open:
            theme.draw_box(painter, place, "selected", "chip", line="accent")
        else:
            theme.draw_box(painter, place, "graphiteSoft", "chip")
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

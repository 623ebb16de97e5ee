"""The card of those who were sent for something: a row each, unfolded to what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from inklings_desktop.agent_client.rows import Touched
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.drawing.pieces import FOLD, ICON, MEMORY, Part, Piece
from inklings_desktop.ui.conversation.drawing.run_words import (
    came_words,
    line_words,
    remarks,
    role_icon,
    role_words,
    spoken_run,
    state_look,
)
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QPainter

    from inklings_desktop.agent_client.rows import StepBlock
    from inklings_desktop.agent_client.run_rows import Run, RunFinding
    from inklings_desktop.ui.conversation.drawing.pieces import Ink, Look

OPEN_RUN, STOP_RUN, OPEN_PAGE = "open_run", "stop_run", "open_page"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the card: the head of a run, or below it a finding or a remark."""

    top: float
    height: float
    step: StepBlock
    run: Run
    finding: RunFinding | None = None
    remark: str = ""
    number: int = -1


class RunsPiece(Piece):
    """A card of run rows."""

    gap = 9
    _HEAD, _LINE, _FOOT = 46, 21, 6
    _CARET, _MARK, _TEXT, _RIGHT, _PLACE = 13, 35, 59, 13, 104
    _BAR = 72

    def __init__(self, ink: Ink, steps: Sequence[StepBlock], unfolded: frozenset[str]) -> None:
        super().__init__(ink)
        self._steps, self._unfolded = steps, unfolded
        self._lines: list[_Line] = []

    def lay(self, width: float) -> None:
        """A head of two lines for each run, what it found below it."""
        self.width = width
        self._lines, self.turns, y = [], [], 1.0
        head, line = float(self.theme.scaled(self._HEAD)), float(self.theme.scaled(self._LINE))
        for step in self._steps:
            assert step.run is not None
            y += 1 if self._lines else 0
            self._lines.append(_Line(y, head, step, step.run))
            if step.run.is_running and not step.run.of:
                self.turns.append(self._turning(step.run, y))
            y += head
            for number, (finding, remark) in enumerate(self._below(step)):
                self._lines.append(_Line(y, line, step, step.run, finding, remark, number))
                y += line
            y += self.theme.scaled(self._FOOT) if self._lines[-1].number >= 0 else 0
        self.height = y + 1

    def paint(self, painter: QPainter, look: Look) -> None:
        theme, box = self.theme, QRectF(0, 0, self.width, self.height)
        theme.draw_box(painter, box, "canvas", 8, line="line")
        for position, line in enumerate(self._lines):
            if line.number >= 0:
                self._paint_line(painter, line)
                continue
            if position:
                rule = QRectF(1, line.top - 1, self.width - 2, 1)
                painter.fillRect(rule, theme.color("line"))
            self._paint_head(painter, line, look)
        for part in self.parts():
            if part.key == look.focused:
                self.ink.ring(painter, part.rect.adjusted(2, 2, -2, -2))

    def parts(self) -> Sequence[Part]:
        found: list[Part] = []
        edge = float(self.theme.icon_px(ICON))
        for line in self._lines:
            id_, run = line.step.id, line.run
            rect = QRectF(0, line.top, self.width, line.height)
            if line.number < 0:
                if self._can_unfold(line.step):
                    is_open = id_ in self._unfolded
                    name = tr("Findings, unfolded") if is_open else tr("Findings, folded")
                    caret = QRectF(0, line.top, self._MARK, line.height)
                    found.append(Part(self._key(f"{id_}:fold"), caret, name, (FOLD, id_)))
                if run.is_running:
                    left = self.width - self._RIGHT - edge - 4
                    place = QRectF(left, line.top, edge + 8, edge * 2)
                    words = tr("Stop this run")
                    part = Part(self._key(f"{id_}:stop"), place, words, (STOP_RUN, id_), words)
                    found.append(part)
                name = spoken_run(run, line.step.ms)
                found.append(Part(self._key(id_), rect, name, (OPEN_RUN, line.step)))
            elif (one := line.finding) is not None and (one.memory or one.page):
                touched = Touched(one.memory, one.tier, excerpt=one.text)
                act = (MEMORY, touched) if one.memory else (OPEN_PAGE, one.page)
                name = f"{one.place}: {one.text}"
                found.append(Part(self._key(f"{id_}:{line.number}"), rect, name, act))
        return found

    def spoken(self) -> str:
        return "; ".join(
            spoken_run(line.run, line.step.ms) for line in self._lines if line.number < 0
        )

    def _below(self, step: StepBlock) -> Iterator[tuple[RunFinding | None, str]]:
        """What stands below a head that is unfolded."""
        assert step.run is not None
        if step.id in self._unfolded:
            yield from ((one, "") for one in step.run.findings)
            in_short = came_words(step.run)[:1]
            yield from ((None, one) for one in remarks(step.run) if one not in in_short)

    def _can_unfold(self, step: StepBlock) -> bool:
        assert step.run is not None
        return bool(step.run.findings) or next(remarks(step.run), None) is not None

    def _turning(self, run: Run, top: float) -> QRectF:
        """Where the arrows of one at work turn: before its word, which stands before the cross."""
        edge = self.theme.icon_px(ICON)
        word = self.ink.width(state_look(run)[2], self.ink.font())
        left = self.width - self._RIGHT - edge - 10 - word - 7 - edge
        return QRectF(left, top, edge, self.theme.scaled(self._HEAD) * 0.7)

    def _paint_head(self, painter: QPainter, line: _Line, look: Look) -> None:
        ink, run, edge = self.ink, line.run, self.theme.icon_px(ICON)
        first, second = line.top + line.height * 0.34, line.top + line.height * 0.74
        id_ = line.step.id
        if self._can_unfold(line.step):
            caret = "caret-down" if id_ in self._unfolded else "caret-right"
            is_hovered = look.hovered == self._key(f"{id_}:fold")
            ink.icon(painter, self._CARET, first, caret, "ink" if is_hovered else "inkFaint", 14)
        ink.icon(painter, self._MARK, first, role_icon(run.role), "inkSoft")
        icon, role, word = state_look(run)
        end = self.width - self._RIGHT
        if run.is_running:
            is_hovered = look.hovered == self._key(f"{id_}:stop")
            end -= edge
            ink.icon(painter, end, first, "x", "ink" if is_hovered else "inkSoft", 14)
            end -= 10
        end -= ink.width(word, ink.font())
        ink.text(painter, end, first, word, ink.font(), role)
        end -= 7 + (self._BAR if run.is_running and run.of else edge)
        if run.is_running and run.of:
            self._paint_bar(painter, QRectF(end, first - 2, self._BAR, 4), run)
        elif run.is_running:
            ink.turning(painter, end, first, look.angle)
        else:
            ink.icon(painter, end, first, icon, role)
        x: float = max(self._TEXT, self._MARK + edge + 8)
        x = ink.text(painter, x, first, role_words(run.role), ink.font(weight=600), "ink") + 9
        goal = ink.fitted(run.goal, ink.font(), end - x - 12)
        ink.text(painter, x, first, goal, ink.font(), "inkSoft")
        left = max(self._TEXT, self._MARK + edge + 8)
        told = ink.fitted(
            line_words(run, line.step.ms), ink.font(), self.width - left - self._RIGHT
        )
        ink.text(painter, left, second, told, ink.font(), "inkFaint")

    def _paint_bar(self, painter: QPainter, track: QRectF, run: Run) -> None:
        self.theme.draw_box(painter, track, "line", 2)
        done = QRectF(track)
        done.setWidth(track.width() * min(run.done, run.of) / run.of)
        if run.done:
            self.theme.draw_box(painter, done, "accent", 2)

    def _paint_line(self, painter: QPainter, line: _Line) -> None:
        ink, middle = self.ink, line.top + line.height / 2
        left = max(self._TEXT, self._MARK + self.theme.icon_px(ICON) + 8)
        end = self.width - self._RIGHT
        if line.finding is None:
            told = ink.fitted(line.remark, ink.font(), end - left)
            ink.text(painter, left, middle, told, ink.font(), "inkFaint")
            return
        room = float(self.theme.scaled(self._PLACE))
        place = ink.fitted(line.finding.place, ink.font(), room - 10)
        role = "lapis" if line.finding.memory or line.finding.page else "inkSoft"
        ink.text(painter, left, middle, place, ink.font(), role)
        face = self.theme.font("reading", px=14)
        told = ink.fitted(line.finding.text, face, end - left - room)
        ink.text(painter, left + room, middle, told, face, "ink")

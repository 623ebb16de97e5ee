"""A turn at a width: its pieces below one another, what can be pressed on them, how it is said."""

from __future__ import annotations

from dataclasses import field, replace
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF

from inklings_desktop.acp_wire.parts import role_and_words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import (
    AskBlock,
    AttachmentBlock,
    NoticeBlock,
    PlanBlock,
    ProblemBlock,
    StepBlock,
    TextBlock,
    ThoughtBlock,
    Touched,
    UnknownBlock,
)
from inklings_desktop.agent_client.run_rows import STOPPED
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.conversation.drawing.pieces import (
    HeadPiece,
    LinePiece,
    PlanPiece,
    SlotPiece,
)
from inklings_desktop.ui.conversation.drawing.run_words import counted_runs
from inklings_desktop.ui.conversation.drawing.runs import RunsPiece
from inklings_desktop.ui.conversation.drawing.steps import step_rows
from inklings_desktop.ui.conversation.drawing.texts import (
    SCHEME,
    AnswerPiece,
    DocumentPiece,
    PlatePiece,
)
from inklings_desktop.ui.conversation.drawing.traces import StepsPiece, TouchedPiece
from inklings_desktop.ui.conversation.guest_words import card_words
from inklings_desktop.ui.conversation.words import (
    clock_time,
    model_title,
    notice_words,
    outcome_words,
    speaker_of,
    stopped_words,
    took,
)
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.kit.words.money import money
from inklings_desktop.ui.markdown.preview import BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from PySide6.QtGui import QPainter

    from inklings_desktop.agent_client.rows import Block, Turn
    from inklings_desktop.ui.conversation.drawing.pieces import Ink, Look, Part, Piece

COLUMN, MOST_COLUMN = 652, 700
TURN_GAP = 14
_TEXT_GAP, _GOES_ON_GAP = 8, 7
_ROLE = 60
"""Characters of a role in the head of a turn."""
_TURNS_BUDGET = BUDGET
"""What rendering all texts of a turn may cost: they come in pieces, which add up."""
ALL = "*"
"""Among the unfolded keys of a turn: the author's whole message."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a turn is laid out for.

    Attributes:
        author: The person's name.
        has_model: Whether a turn that does not tell what made it came from a model.
        unfolded: Keys of what is unfolded in it.
        is_narrow: Whether verbs of the touched strip give way to their icons.
        slot: Asks for the height of a widget in place of a block, at a width; None for what is
            painted.
        titles: What agents of other makers are called, by their client.
        waited: Seconds in which nothing came; 0 while something does.
    """

    author: str
    has_model: bool = True
    unfolded: frozenset[str] = frozenset()
    is_narrow: bool = False
    slot: Callable[[Block, float], tuple[str, float] | None] | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    waited: int = 0


class TurnLayout:
    """One turn, laid out.

    Attributes:
        turn: It.
        width: At which it was laid out, in pixels.
        height: That it takes.
        placed: Its pieces, each with its upper edge.
        texts: What an agent wrote, by its Markdown and how often that stood before.
    """

    def __init__(
        self,
        ink: Ink,
        turn: Turn,
        width: float,
        setting: Setting,
        former: TurnLayout | None = None,
    ) -> None:
        """Lay a turn out.

        Args:
            ink: Faces and colours.
            turn: What is laid out.
            width: Of the column, in pixels.
            setting: What it is laid out for.
            former: The same turn a moment before, at the same width: texts that did not change
                are taken from it.
        """
        self.turn, self.width, self._ink, self._setting = turn, width, ink, setting
        self._known = _known_to(turn)
        self.texts: dict[tuple[str, int], AnswerPiece] = {}
        self._former = former.texts if former is not None and former.width == width else {}
        self._budget, self._n_left_out = _TURNS_BUDGET, 0
        self.placed: list[tuple[float, Piece]] = []
        y = 0.0
        for number, piece in enumerate(self._pieces()):
            piece.number = number
            if self.placed:
                y += ink.theme.scaled(piece.gap)
            if not isinstance(piece, AnswerPiece) or piece.width != width:
                piece.lay(width)
            self.placed.append((y, piece))
            y += piece.height
        self.height = y
        self._former = {}

    def paint(self, painter: QPainter, look: Look, top: float, bottom: float) -> None:
        """Draw what lies between two heights of it."""
        for y, piece in self.placed:
            if y + piece.height >= top and y <= bottom:
                painter.save()
                painter.translate(0, y)
                piece.paint(painter, look)
                painter.restore()

    def parts(self) -> Iterator[Part]:
        """What the keyboard goes through, each where it stands in the turn."""
        for y, piece in self.placed:
            for part in piece.parts():
                yield replace(part, rect=part.rect.translated(0, y))

    def part_at(self, at: QPointF) -> Part | None:
        """What lies under a point."""
        return next((one for one in self.parts() if one.rect.contains(at)), None)

    def text_at(self, at: QPointF) -> tuple[DocumentPiece, int] | None:
        """The text under a point, and the place in it."""
        for y, piece in self.placed:
            inside = QRectF(0, y, self.width, piece.height)
            if isinstance(piece, DocumentPiece) and inside.contains(at):
                return piece, piece.position_at(at - QPointF(0, y))
        return None

    def piece(self, number: int) -> Piece:
        """A piece by its number."""
        return self.placed[number][1]

    def turning(self) -> Iterator[QRectF]:
        """Where something turns."""
        for y, piece in self.placed:
            yield from (one.translated(0, y) for one in piece.turns)

    def slots(self) -> Iterator[tuple[str, QRectF]]:
        """Where widgets stand, by their names."""
        for y, piece in self.placed:
            if isinstance(piece, SlotPiece):
                yield piece.name, QRectF(0, y, self.width, piece.height)

    # -- inside -----------------------------------------------------------------------------

    def _pieces(self) -> Iterator[Piece]:
        turn, ink = self.turn, self._ink
        if turn.role == rows.NOTICE:
            for block in turn.blocks:
                if isinstance(block, NoticeBlock):
                    yield LinePiece(ink, "info", "inkFaint", "", notice_words(block))
            return
        setting = self._setting
        speaker = speaker_of(turn, setting.author, setting.titles, has_model=setting.has_model)
        times = ("", "") if turn.at is None else (clock_time(turn.at), exact_time(turn.at))
        if turn.model:
            times = (times[0], f"{times[1]}\n{model_title(turn.model)}".lstrip())
        state = state_words(turn, setting.waited if setting.has_model else 0)
        yield HeadPiece(ink, speaker, times, state, is_at_work=_is_at_work(turn))
        if turn.role == rows.USER:
            yield self._plate()
            return
        yield from self._answer()

    def _plate(self) -> PlatePiece:
        blocks = self.turn.blocks
        text = rows.text_of_turn(self.turn)
        attached = [one for one in blocks if isinstance(one, AttachmentBlock)]
        is_whole = ALL in self._setting.unfolded
        is_queued = turn_is_queued(self.turn)
        return PlatePiece(self._ink, text, attached, is_whole=is_whole, is_queued=is_queued)

    def _answer(self) -> Iterator[Piece]:
        turn = self.turn
        asked = {one.tool for one in turn.blocks if isinstance(one, AskBlock) and one.is_open}
        steps: list[StepBlock] = []
        for position, block in enumerate(turn.blocks):
            if isinstance(block, StepBlock):
                if steps and (block.run is None) is not (steps[-1].run is None):
                    yield self._steps(steps)
                    steps = []
                if block.id not in asked:  # the card below says what it would do
                    steps.append(block)
                continue
            if steps and not isinstance(block, ThoughtBlock):
                yield self._steps(steps)
                steps = []
            if isinstance(block, PlanBlock):
                if len(block.entries) > 1:
                    yield PlanPiece(self._ink, block.entries, turn.state, waits=bool(asked))
            elif isinstance(block, TextBlock):
                yield from self._text(block, is_last=position == len(turn.blocks) - 1)
            else:
                yield from self._other(block)
        if steps:
            yield self._steps(steps)
        yield from self._foot()

    def _foot(self) -> Iterator[Piece]:
        turn, ink = self.turn, self._ink
        if self._n_left_out:
            told = counted(
                self._n_left_out,
                "What is shown ends here. Copying the turn takes 1 more character.",
                "What is shown ends here. Copying the turn takes {n} more characters.",
            )
            yield LinePiece(ink, "info", "inkFaint", "", told)
        if turn.state == rows.STOPPED:
            yield LinePiece(ink, "stop-circle", "inkSoft", "", stopped_words(turn.ms))
        if turn.touched and turn.state != rows.RUNNING:
            touched = _with_excerpts(turn.touched)
            yield TouchedPiece(ink, touched, is_narrow=self._setting.is_narrow)

    def _steps(self, steps: Sequence[StepBlock]) -> Piece:
        """The card of what was done, or of those who were sent."""
        if steps[0].run is not None:
            return RunsPiece(self._ink, [self._ended(one) for one in steps], self._setting.unfolded)
        goes_on = self.turn.state == rows.RUNNING
        made = step_rows(steps, goes_on=goes_on, most_ms=self.turn.ms or None)
        return StepsPiece(self._ink, made, self._setting.unfolded)

    def _ended(self, step: StepBlock) -> StepBlock:
        """One who was sent; in a turn that is over nobody is at work any more."""
        if self.turn.state == rows.RUNNING or step.run is None or not step.run.is_running:
            return step
        return replace(step, run=replace(step.run, state=STOPPED, is_incomplete=True))

    def _other(self, block: Block) -> Iterator[Piece]:
        ink = self._ink
        slot = self._setting.slot(block, self.width) if self._setting.slot is not None else None
        if slot is not None:
            yield SlotPiece(ink, *slot)
        elif isinstance(block, AskBlock):
            yield LinePiece(ink, *outcome_words(block, tool_of(self.turn, block)), is_card=True)
        elif isinstance(block, ProblemBlock):
            words = card_words(block)
            yield LinePiece(ink, words.icon, words.kind, words.title, words.text)
        elif isinstance(block, NoticeBlock):
            yield LinePiece(ink, "info", "inkFaint", "", notice_words(block))
        elif isinstance(block, UnknownBlock):
            told = tr("This version cannot show: {word}").format(word=block.kind)
            yield LinePiece(ink, "info", "inkFaint", "", told)

    def _text(self, block: TextBlock, *, is_last: bool) -> Iterator[AnswerPiece]:
        """A text as far as there is room for it, taken from the layout before where it can be."""
        if not block.text.strip():
            return
        if not self._budget:
            self._n_left_out += len(block.text)
            return
        key = block.markdown, len([one for one in self.texts if one[0] == block.markdown])
        piece = self._former.get(key)
        if piece is not None and SCHEME in block.text and piece.known != self._known:
            piece = None  # its links lead elsewhere now
        if piece is None:
            gap = _TEXT_GAP if block.begins else _GOES_ON_GAP
            piece = AnswerPiece(
                self._ink, block.markdown, self._known, gap=gap, budget=self._budget
            )
        self._budget = max(self._budget - piece.cost, 0)
        self._n_left_out += piece.n_left_out
        self.texts[key] = piece
        piece.is_live = is_last and block.is_live and self.turn.state == rows.RUNNING
        yield piece


def spoken_turn(layout: TurnLayout) -> str:
    """Everything in a turn, as a screen reader says it."""
    return ". ".join(one for _, piece in layout.placed if (one := piece.spoken()))


def turn_is_queued(turn: Turn) -> bool:
    """Whether it is a message that waits to be sent."""
    return turn.role == rows.USER and any(isinstance(one, NoticeBlock) for one in turn.blocks)


def tool_of(turn: Turn, ask: AskBlock) -> str:
    """Name of the tool that a question is about; empty for unknown."""
    steps = (one for one in turn.blocks if isinstance(one, StepBlock) and one.id == ask.tool)
    return ask.tool_name or next((one.tool for one in steps), "")


def state_words(turn: Turn, waited: int = 0) -> str:
    """How far an answer is, or how long it took; ``waited`` as of a ``Setting``."""
    if turn_is_queued(turn):
        return tr("sent when this turn ends")
    if turn.role != rows.ASSISTANT:
        role, _ = role_and_words(rows.text_of_turn(turn))
        return (
            tr("in a role: {role}").format(role=shorten(role, _ROLE, placeholder="\u2026"))
            if role
            else ""
        )
    if turn.state == rows.RUNNING:
        if any(isinstance(one, AskBlock) and one.is_open for one in turn.blocks):
            return tr("waiting for you")
        sent = [one.run for one in turn.blocks if isinstance(one, StepBlock) and one.run]
        if any(one.is_running for one in sent):
            return counted_runs(sent)
        last = next((one for one in reversed(turn.blocks) if not _is_silent(one)), None)
        if waited and not (isinstance(last, StepBlock) and last.is_running):
            return tr("waiting for the model ({n} s)").format(n=grouped(waited))
        if isinstance(last, TextBlock):
            return tr("writing")
        return tr("reading") if isinstance(last, StepBlock) else tr("getting ready")
    if turn.ms is None:
        return ""
    told = took(turn.ms)
    if turn.state in {rows.STOPPED, rows.FAILED, rows.INTERRUPTED}:
        told = tr("stopped after {time}").format(time=told)
    if not turn.cost_micro:
        return told
    cost = money(turn.cost_micro, turn.currency)
    return tr("{time}, about {cost}").format(time=told, cost=cost)


def _is_silent(block: Block) -> bool:
    return isinstance(block, ThoughtBlock | PlanBlock)


def _is_at_work(turn: Turn) -> bool:
    asks = any(isinstance(one, AskBlock) and one.is_open for one in turn.blocks)
    return turn.role == rows.ASSISTANT and turn.state == rows.RUNNING and not asks


def _with_excerpts(touched: Sequence[Touched]) -> list[Touched]:
    """What was touched, each with the text that any of them tells of the same memory."""
    told = {one.id: one.excerpt for one in touched if one.excerpt}
    return [one if one.excerpt else replace(one, excerpt=told.get(one.id, "")) for one in touched]


def _known_to(turn: Turn) -> dict[tuple[str, str], Touched]:
    """What links of a turn may lead to: the memories that it touched, and those that it quotes."""
    known = {(one.tier, one.id): one for one in turn.touched}
    for block in turn.blocks:
        for quote in block.quotes if isinstance(block, TextBlock) else ():
            known.setdefault((quote.tier, quote.id), Touched(quote.id, quote.tier))
    return known

"""A turn while it grows: its row, and its text in blocks; only the last is laid out again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import (
    bounded,
    call_outcome,
    content_text,
    dict_of,
    line_of,
    list_of,
    number_of,
    text_of,
)
from inklings_desktop.agent_client.rows import (
    ASSISTANT,
    COMPLETE,
    RUNNING,
    AskBlock,
    AttachmentBlock,
    Block,
    NoticeBlock,
    PlanBlock,
    PlanEntry,
    ProblemBlock,
    Quote,
    StepBlock,
    TextBlock,
    ThoughtBlock,
    Touched,
    Turn,
    UnknownBlock,
    touched_of,
    union,
)
from inklings_desktop.agent_client.run_rows import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

CUT_CHARACTERS: Final = 4096
MAX_MARKS: Final = 10_000
_FENCES: Final = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    fence: str


@dataclass(slots=True)
class TextRun:
    """One text of a message as it arrives.

    Where it is cut depends on its beginning alone: whole or in chunks, the blocks are the same.
    """

    is_live: bool = True
    n_characters: int = 0
    _marks: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=MAX_MARKS))
    _done: list[_Piece] = field(default_factory=list)
    _chunks: list[str] = field(default_factory=list)
    _n_waiting: int = 0
    _fence: str = ""
    _quotes: dict[str, Quote] = field(default_factory=dict)

    def add(self, text: str, quotes: Iterable[Quote] = (), seq: int = 0) -> None:
        """Put a chunk to its end, which came with the update of this number."""
        if text:
            self._marks.append((seq, self.n_characters))
            self.n_characters += len(text)
            self._chunks.append(text)
            self._n_waiting += len(text)
        self._quotes.update((quote.id, quote) for quote in quotes)
        if self._n_waiting > CUT_CHARACTERS:
            self._cut()

    def blocks(self) -> list[TextBlock]:
        """What it is drawn as."""
        self._chunks = ["".join(self._chunks)]
        pieces = [*self._done, _Piece(self._chunks[0], self._fence)]
        open_ = dict(self._quotes)
        made = []
        for position, piece in enumerate(pieces):
            is_last = position == len(pieces) - 1
            here = [key for key in open_ if key in piece.text] if open_ else []
            quotes = tuple(open_.pop(key) for key in here)
            # What no text names belongs to the end.
            quotes += tuple(open_.values()) if is_last else ()
            live = self.is_live and is_last
            made.append(TextBlock(piece.text, quotes, live, piece.fence, position == 0))
        return made if len(made) == 1 or made[-1].text else made[:-1]

    def until(self, seq: int) -> TextRun:
        """What of it came before the update of this number."""
        length = next((at for one, at in self._marks if one >= seq), self.n_characters)
        before = TextRun(self.is_live)
        before.add("".join(block.text for block in self.blocks())[:length], self._quotes.values())
        return before

    def _cut(self) -> None:
        rest = "".join(self._chunks)
        start = 0
        while len(rest) - start > CUT_CHARACTERS:
            end = start + _place(rest[start : start + CUT_CHARACTERS])
            piece = rest[start:end]
            self._done.append(_Piece(piece, self._fence))
            self._fence = _left_open(piece, self._fence)
            start = end
        self._chunks = [rest[start:]]
        self._n_waiting = len(rest) - start


def _place(head: str) -> int:
    """Where to cut: after the last paragraph, else line, else word, of the second half."""
    for mark in ("\n\n", "\n", " "):
        at = head.rfind(mark, len(head) // 4)
        if at >= 0:
            return at + len(mark)
    return len(head)


def _left_open(piece: str, fence: str) -> str:
    """The line of the code block that is open after this piece; empty for none."""
    for line in piece.splitlines():
        words = line.strip()
        if not fence and words.startswith(_FENCES):
            fence = words
        elif fence and words.startswith(fence[:3]) and not words.strip(fence[0]):
            fence = ""
    return fence


MAX_BLOCKS: Final = 2000
MAX_THOUGHT: Final = 64 * 1024
MAX_PLAN: Final = 50
_HALFWAY = (words.LIMIT_REACHED, words.ANSWER_CUT)
TOO_MUCH: Final = "more_than_shown"
_Kind = TypeVar("_Kind", StepBlock, AskBlock, PlanBlock)


@dataclass(slots=True)
class _Thought:
    began_at: datetime
    chunks: list[str] = field(default_factory=list)
    n_characters: int = 0
    ms: int | None = None


@dataclass(slots=True)
class GrowingTurn:
    """One side of a turn as it arrives; `row` is what is drawn of it."""

    id: str
    role: str
    speaker: str
    at: datetime | None
    state: str = RUNNING
    ms: int | None = None
    produced_by: str = ""
    model: str = ""
    cost_micro: int | None = None
    currency: str = ""
    n_left_out: int = 0
    seq: int = 0
    _seqs: list[int] = field(default_factory=list)
    _items: list[TextRun | _Thought | Block] = field(default_factory=list)
    _places: dict[tuple[type, str], int] = field(default_factory=dict)
    _touched: tuple[Touched, ...] = ()
    _message: str | None = None
    _row: Turn | None = None

    @property
    def is_empty(self) -> bool:
        return not self._items

    @property
    def can_go_on(self) -> bool:
        """Whether it ended before it was done."""
        if self.role != ASSISTANT or self.state == RUNNING:
            return False
        return self.state != COMPLETE or any(
            isinstance(item, ProblemBlock) and item.word in _HALFWAY for item in self._items
        )

    def row(self) -> Turn:
        """The turn as it stands; the same object until something changes."""
        if self._row is None:
            blocks: list[Block] = []
            for item in self._items:
                if isinstance(item, TextRun):
                    blocks.extend(item.blocks())
                elif isinstance(item, _Thought):
                    blocks.append(ThoughtBlock("".join(item.chunks), item.ms))
                else:
                    blocks.append(item)
            if self.n_left_out:
                blocks.append(NoticeBlock(TOO_MUCH, {"n": self.n_left_out}))
            self._row = Turn(
                self.id,
                self.role,
                self.speaker,
                self.at,
                self.state,
                tuple(blocks),
                self._touched,
                self.ms,
                self.produced_by,
                self.model,
                self.cost_micro,
                self.currency,
            )
        return self._row

    def becomes(self, **changes: Any) -> None:
        """Take other values of what is not a block: `id`, `state`, `ms`, `model` and the like."""
        for name, value in changes.items():
            setattr(self, name, value)
        if self.state != RUNNING:
            for item in self._items:
                if isinstance(item, TextRun):
                    item.is_live = False
        self._row = None

    def say(self, update: Mapping[str, Any], own: Mapping[str, Any]) -> None:
        """Put a chunk of a message to its end."""
        content = dict_of(update.get("content"))
        part = parts.part_of_content(content)
        message = update.get("messageId")
        message = message if isinstance(message, str) else None
        self._row = None
        if produced_by := line_of(own.get(words.PRODUCED_BY), 40):
            self.produced_by = produced_by
        if part is None:
            self.add(UnknownBlock(line_of(content.get("type"), 60)))
        elif part["kind"] == parts.ATTACHMENT:
            text = text_of(part["text"]) if "text" in part else None
            uri, title = line_of(part["uri"]), line_of(part["title"])
            self.add(AttachmentBlock(uri, title, text))
        else:
            last = self._items[-1] if self._items else None
            is_new = (
                not isinstance(last, TextRun)
                or own.get(words.WHOLE) is True
                or (message is not None and message != self._message)
            )
            if is_new:
                last = TextRun(is_live=self.state == RUNNING)
                self.add(last)
            assert isinstance(last, TextRun)
            last.add(content_text(content) or "", _quotes_of(own.get(words.QUOTES)), self.seq)
            self._message = message

    def think(self, update: Mapping[str, Any], now: datetime) -> None:
        """Put a chunk of a thought to its end."""
        self._row = None
        last = self._items[-1] if self._items else None
        if not isinstance(last, _Thought):
            last = _Thought(now)
            self.add(last)
        text = content_text(dict_of(update.get("content"))) or ""
        text = text[: MAX_THOUGHT - last.n_characters]
        last.n_characters += len(text)
        last.chunks.append(text)
        last.ms = round((now - last.began_at).total_seconds() * 1000)

    def call(self, update: Mapping[str, Any], own: Mapping[str, Any]) -> None:
        """Begin a tool call, or change one; what an update does not tell stays."""
        id_ = line_of(update.get("toolCallId"), 200)
        if permission := dict_of(own.get(words.PERMISSION)):
            self._settled(id_, permission)
            if not update.keys() - {"sessionUpdate", "toolCallId", "_meta"}:
                return
        step = self._found(StepBlock, id_) or StepBlock(id_, "")
        told: dict[str, Any] = {}
        if "title" in update:
            told["title"] = line_of(update["title"])
        if "kind" in update:
            told["kind"] = line_of(update["kind"], 40) or "other"
        if status := line_of(own.get(words.STATUS) or update.get("status"), 40):
            told["status"] = status
        if "rawInput" in update:
            told["input"] = bounded(update["rawInput"])
        if outcome := text_of(own.get(words.OUTCOME)) or call_outcome(update):
            told["outcome"] = outcome
        named = (("tool", words.TOOL), ("process", words.PROCESS), ("parent", words.PARENT))
        for name, key in named:
            if line := line_of(own.get(key), 200):
                told[name] = line
        if (run := run_of(own.get(words.RUN))) is not None:
            told["run"] = run
        if (ms := number_of(own.get(words.MS))) is not None:
            told["ms"] = ms
        touched = touched_of(own.get(words.TOUCHED))
        told["touched"] = union(step.touched, touched)
        self._put(replace(step, **told), id_)
        self.touch(touched)

    def plan(self, told: object) -> None:
        """Put a plan where the turn's plan stands, or to its end."""
        entries = [
            PlanEntry(
                line_of(entry.get("content")),
                line_of(entry.get("priority"), 40) or "medium",
                "struck"
                if parts.own_of(entry).get(words.STRUCK) is True
                else line_of(entry.get("status"), 40) or "pending",
            )
            for entry in list_of(told)[:MAX_PLAN]
            if isinstance(entry, dict)
        ]
        self._put(PlanBlock(tuple(entries)), "")

    def ask(self, block: AskBlock) -> None:
        """Put a question to its end, or in the place of the same one asked before."""
        self._put(block, block.id)

    def answered(self, id_: str, outcome: str) -> bool:
        """Note how a question ended, in a line of what was asked; whether it was open here."""
        block = self._found(AskBlock, id_)
        if block is None or not block.is_open:
            return False
        said = block.effect or block.title
        self._put(AskBlock(id_, said, block.tool, outcome=outcome, choices=block.choices), id_)
        return True

    def withdraw(self) -> None:
        """End every question that is open: nobody waits for its answer any more."""
        for item in list(self._items):
            if isinstance(item, AskBlock) and item.is_open:
                self.answered(item.id, "withdrawn")

    def touch(self, touched: tuple[Touched, ...]) -> None:
        """List these memories as touched."""
        if touched:
            self._touched = union(self._touched, touched)
            self._row = None

    def add(self, item: TextRun | _Thought | Block) -> None:
        """Put something to its end; what was said before it is not added to any more."""
        if self._items and isinstance(self._items[-1], TextRun):
            self._items[-1].is_live = False
        self._row = None
        if len(self._items) >= MAX_BLOCKS:
            self.n_left_out += 1
        else:
            self._items.append(item)
            self._seqs.append(self.seq)

    def note(self, block: ProblemBlock | NoticeBlock | UnknownBlock) -> None:
        """Put this to its end unless it says so already."""
        is_told = any(
            block == item
            or (
                isinstance(item, ProblemBlock)
                and isinstance(block, ProblemBlock)
                and item.word == block.word
            )
            for item in self._items
        )
        if not is_told:
            self.add(block)

    def tells(self, word: str) -> bool:
        """Whether it says this of what went wrong."""
        return any(isinstance(one, ProblemBlock) and one.word == word for one in self._items)

    def rewind(self, seq: int) -> None:
        """Leave out what came with this update and later ones: it is about to be told again."""
        kept = [
            (item.until(seq) if isinstance(item, TextRun) else item, at)
            for item, at in zip(self._items, self._seqs, strict=True)
            if at < seq
        ]
        self._keep(kept)

    def forget_problems(self) -> None:
        """Leave out what went wrong: it is past."""
        pairs = zip(self._items, self._seqs, strict=True)
        self._keep([(item, at) for item, at in pairs if not isinstance(item, ProblemBlock)])

    def _keep(self, kept: list[tuple[TextRun | _Thought | Block, int]]) -> None:
        self._items = [item for item, _ in kept]
        self._seqs = [at for _, at in kept]
        self._places = {
            (type(item), "" if isinstance(item, PlanBlock) else item.id): position
            for position, item in enumerate(self._items)
            if isinstance(item, StepBlock | AskBlock | PlanBlock)
        }
        self._row = None

    def _settled(self, tool: str, told: Mapping[str, Any]) -> None:
        id_ = line_of(told.get("id"), 200) or tool
        outcome = line_of(told.get("outcome"), 40) or "withdrawn"
        if self._found(AskBlock, id_) is None:
            self._put(AskBlock(id_, line_of(told.get("title")), tool, outcome=outcome), id_)
        else:
            self.answered(id_, outcome)

    def _found(self, kind: type[_Kind], id_: str) -> _Kind | None:
        position = self._places.get((kind, id_))
        item = self._items[position] if position is not None else None
        return item if isinstance(item, kind) else None

    def _put(self, block: StepBlock | AskBlock | PlanBlock, id_: str) -> None:
        position = self._places.get((type(block), id_))
        if position is not None:
            self._items[position] = block
            self._row = None
            return
        self.add(block)
        if self._items[-1] is block:
            self._places[type(block), id_] = len(self._items) - 1


def _quotes_of(told: object) -> list[Quote]:
    found = [dict_of(item) for item in list_of(told)[:200]]
    quotes = [Quote(line_of(item.get("id"), 100), line_of(item.get("tier"), 40)) for item in found]
    return [quote for quote in quotes if quote.id]

"""The rows of a conversation: what is drawn of it, whichever way it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire.shapes import line_of, list_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from inklings_desktop.agent_client.run_rows import Run

MAX_EXCERPT: Final = 250
MAX_TOUCHED: Final = 500
READ: Final = "read"


@dataclass(frozen=True, slots=True)
class Touched:
    """A memory that a turn read or changed.

    Attributes:
        id: The memory's, whole.
        scope: Its scope, as the agent's door tells it.
        version: Which body of it; as told, None for unknown.
        how: ``read``, ``written``, ``forgotten``, ``proposed`` or ``restored``; or another word.
        undo: Whether the turn's change of it can be undone.
        excerpt: Its beginning, at most 250 characters.
        why: Why it was found; empty for not told.
        undone: Whether the turn's change of it was undone.
    """

    id: str
    tier: str
    scope: str = ""
    version: str | int | None = None
    how: str = READ
    undo: bool = False
    excerpt: str = ""
    why: str = ""
    undone: bool = False


def touched_of(told: object) -> tuple[Touched, ...]:
    """What an update lists as touched; what has no id is left out."""
    found = (_one(item) for item in list_of(told)[:MAX_TOUCHED] if isinstance(item, dict))
    return tuple(item for item in found if item.id)


def union(so_far: Iterable[Touched], more: Iterable[Touched]) -> tuple[Touched, ...]:
    """Both, each memory once per way of touching it; the later word about it counts."""
    by_key = {(item.tier, item.id, item.how): item for item in so_far}
    by_key.update(((item.tier, item.id, item.how), item) for item in more)
    return tuple(by_key.values())[:MAX_TOUCHED]


def _one(item: Mapping[str, Any]) -> Touched:
    version = item.get("version")
    return Touched(
        line_of(item.get("id"), 100),
        line_of(item.get("tier"), 40),
        line_of(item.get("scope"), 200),
        version if isinstance(version, str | int) else None,
        line_of(item.get("how"), 40) or READ,
        item.get("undo") is True,
        text_of(item.get("excerpt"), MAX_EXCERPT),
        text_of(item.get("why"), MAX_EXCERPT),
    )


USER: Final = "user"
ASSISTANT: Final = "assistant"
NOTICE: Final = "notice"
RUNNING: Final = "running"
COMPLETE: Final = "complete"
STOPPED: Final = "stopped"
FAILED: Final = "failed"
INTERRUPTED: Final = "interrupted"
LOCAL: Final = "local-"
"""How the id of a turn begins that the agent has not named yet: nothing of it is stored."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A memory that an answer quotes: its id and tier."""

    id: str
    tier: str


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Text of a message: Markdown of an agent, plain words of a person.

    Attributes:
        text: As written. The blocks of one long text, put together, are that text.
        is_live: Whether more may be added to it; only the last block of a running turn is live.
        fence: The line that opened a code block which the block before left open; empty for none.
        begins: Whether a text begins here; else it goes on with that of the block before.
    """

    text: str
    quotes: tuple[Quote, ...] = ()
    is_live: bool = False
    fence: str = ""
    begins: bool = True

    @property
    def markdown(self) -> str:
        """What to draw: the text, inside the code block that it goes on with."""
        return f"{self.fence}\n{self.text}" if self.fence else self.text


@dataclass(frozen=True, slots=True)
class StepBlock:
    """A tool call. ``status``: pending, in_progress, completed, failed, refused.

    Attributes:
        id: The call's, within its turn.
        title: In the agent's words.
        tool: The tool's name; empty if the agent does not tell.
        kind: search, read, edit, delete, think, other, or another word.
        outcome: One line, or what the agent tells of it.
        touched: The memories it read or changed.
        ms: How long it took; None for unknown.
        parent: The call that it belongs to; None for none.
        process: Which process of the agent made it.
        run: Whom it sent, and how far that one is; None where it sent nobody.
    """

    id: str
    title: str
    tool: str = ""
    kind: str = "other"
    status: str = "pending"
    input: dict[str, Any] = field(default_factory=dict)
    outcome: str = ""
    touched: tuple[Touched, ...] = ()
    ms: int | None = None
    parent: str | None = None
    process: str = ""
    run: Run | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is under way, or about to be."""
        return self.status in {"pending", "in_progress"}


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """A step of a plan; ``status``: pending, in_progress, completed, or struck by a later plan."""

    content: str
    priority: str = "medium"
    status: str = "pending"


@dataclass(frozen=True, slots=True)
class PlanBlock:
    """What the agent intends; a later plan of the turn replaces it where it stands."""

    entries: tuple[PlanEntry, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """An answer that may be given; ``kind`` is the protocol's: allow_once, and so on."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things that a question is about: its id, and its words."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class AskBlock:
    """A question whether something may be done.

    Attributes:
        id: What it is answered by: `Talk.answer(id, option)`.
        title: In the agent's words; never shown in place of ours.
        tool: The call that it is asked for.
        effect: A sentence of what will happen, from our own agent; empty from any other.
        before: The text that would be replaced or forgotten; None for none.
        after: The text that would stand there; None for none.
        options: What may be answered; empty once it is answered.
        outcome: allowed_once, allowed_always, allowed_longer, denied, withdrawn, later; empty
            while it is open.
        why: The word for why it is asked; empty for not told.
        tool_name: The tool's name as our own agent tells it; empty from any other.
        kind: What kind of call it is, as of `StepBlock`.
        choices: What may be allowed one by one; empty for a question about one thing.
    """

    id: str
    title: str
    tool: str = ""
    effect: str = ""
    before: str | None = None
    after: str | None = None
    options: tuple[Option, ...] = ()
    outcome: str = ""
    why: str = ""
    tool_name: str = ""
    kind: str = "other"
    input: dict[str, Any] = field(default_factory=dict)
    touched: tuple[Touched, ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return not self.outcome


@dataclass(frozen=True, slots=True)
class ProblemBlock:
    """What went wrong: a word of `acp_wire.words`, and ids and figures about it.

    Attributes:
        values: What its sentence names: ``agent``, the title of another's agent; ``seconds`` that
            this ran; ``ways`` to sign in to it.
    """

    word: str
    detail: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoticeBlock:
    """Something that the program says, by its word."""

    word: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttachmentBlock:
    """A memory or a text that a person put to a message."""

    uri: str
    title: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ThoughtBlock:
    """What the agent thought aloud; not kept with the conversation."""

    text: str
    ms: int | None = None


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """Something that this version does not know."""

    kind: str


Block = (
    TextBlock
    | StepBlock
    | PlanBlock
    | AskBlock
    | ProblemBlock
    | NoticeBlock
    | AttachmentBlock
    | ThoughtBlock
    | UnknownBlock
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One side of a turn: what the person said, what the agent answered, or a notice.

    Attributes:
        id: The turn's; both sides have the same. A message just sent has one of ours until the
            agent names it.
        role: ``user``, ``assistant`` or ``notice``.
        speaker: ``person``, or the name of the client that said it.
        at: When; None for unknown.
        state: ``running``, ``complete``, ``stopped``, ``failed`` or ``interrupted``.
        blocks: In the order in which they are shown.
        touched: The memories that the turn touched.
        ms: How long the answer took; None for unknown.
        produced_by: ``mechanical``, ``model`` or ``person``; empty for unknown.
        model: What answered, as ``provider/model``; empty for none, or not told.
        cost_micro: What it cost, in millionths of ``currency``; None for nothing, or not told.
        currency: Its code; empty for not told.
    """

    id: str
    role: str
    speaker: str
    at: datetime | None
    state: str
    blocks: tuple[Block, ...] = ()
    touched: tuple[Touched, ...] = ()
    ms: int | None = None
    produced_by: str = ""
    model: str = ""
    cost_micro: int | None = None
    currency: str = ""

    @property
    def is_named(self) -> bool:
        """Whether its id is that of a turn that is stored, or will be."""
        return not self.id.startswith(LOCAL)


def text_of_turn(turn: Turn) -> str:
    """The words of a turn, as they were written."""
    return "".join(
        block.text if not block.begins or position == 0 else f"\n\n{block.text}"
        for position, block in enumerate(b for b in turn.blocks if isinstance(b, TextBlock))
    )

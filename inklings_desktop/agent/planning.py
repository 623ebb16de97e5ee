"""What a planner is told, what it may want next, and what becomes of a call: types alone.

A planner is a pure function of what was said and what came back, so that a turn that was cut off
goes on as it would have gone: the same situation and results give the same calls with the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from inklings_desktop.acp_wire import words

Json: TypeAlias = Mapping[str, Any]
"""An object of JSON values alone: everything here goes through a checkpoint."""

MEMORY_WRITES = frozenset({"memory_put", "memory_update", "memory_forget", "memory_restore"})
"""Tools that change a memory, and count as writes of a turn."""
DENIED, REFUSED, LATER = "denied", "refused", "later"
"""Words under ``word`` in the outcome of a call that was not made: the person said no; the policy
did; the person decides later."""
UNREADABLE, UNKNOWN_TOOL = "unreadable", "tool"
"""Why of calls that are never made: of arguments that are no JSON object, of no tool there is."""
SKILL = "skill_"
SKILL_TOOLS = frozenset({"skill_search", "skill_read", "skill_propose", "skill_trace_append"})
"""Tools about skills; any other whose name begins like these is a skill itself."""
BY_MODEL = "model"
"""Why of a call that a model wants: it read more than what the person said."""
MODEL_PROBLEMS = frozenset({
    words.NO_KEY, words.KEY_REFUSED, words.NO_CREDIT, words.PROVIDER_UNREACHABLE,
    words.PROVIDER_BUSY, words.PROVIDER_FAILED, words.ADDRESS_REFUSED, words.SIGN_IN_FAILED,
    words.MODEL_UNKNOWN, words.MODEL_CANNOT, words.CONTEXT_TOO_SMALL, words.WRONG_ANSWER,
})  # fmt: skip
"""Words of errors that a model is the reason of: without it the turn goes on."""


def is_skill(tool: str) -> bool:
    """Whether calling this is to work by a skill from now on."""
    return tool.startswith(SKILL) and tool not in SKILL_TOOLS


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that is to be called.

    Attributes:
        id: Its number in the turn, from 1; a write is sent with the key ``<turn>:<id>``.
        arguments: As the tool takes them, without a request key.
        why: A word: what it is for, such as ``asked`` or ``corrects``.
        title: What it does, as a person reads it on its card.
    """

    id: str
    tool: str
    arguments: Json
    why: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came back.

    Attributes:
        outcome: The structured answer of the tool; of an error ``word`` and ``message``.
        is_error: Whether it failed, or was never made.
        said: What a model said before the calls of this step, of which this is the first; None for
            one that was wanted together with the one before it.
    """

    call: Call
    outcome: Json
    is_error: bool = False
    said: str | None = None

    @property
    def word(self) -> str:
        """The stable word of what went wrong; empty where nothing did."""
        return str(self.outcome.get("word") or "failed") if self.is_error else ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A memory that an answer quotes or points to."""

    id: str
    tier: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a turn.

    Attributes:
        text: Markdown; a memory in it is a link ``[words](memory:{tier}/{id})``.
        quotes: The memories that it names, in the order in which they stand there.
        stop: The stop reason of the protocol.
        report: What somebody who was sent for something found: ``{summary, note_key, sources,
            confidence, open_questions, findings}``; None for an answer to the person.
    """

    text: str
    quotes: tuple[Quote, ...] = ()
    stop: str = "end_turn"
    report: Json | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that is offered.

    Attributes:
        schema: JSON schema of its arguments.
    """

    name: str
    description: str
    schema: Json


@dataclass(frozen=True, slots=True)
class Sent:
    """What one call of a model was sent, and what it used.

    Attributes:
        prompt: Name and version of its rules, such as ``orchestrator.1``.
        slices: Every part of it by its name, whole, in the order in which it was sent.
        cost_micro: Millionths of ``currency``; None where the provider does not tell prices.
        is_estimated: Whether the tokens were counted by characters.
        window: Tokens that the model takes in all; 0 for not told.
        is_local: Whether what it was sent stayed on this machine.
    """

    prompt: str
    provider: str
    model: str
    slices: Mapping[str, str]
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_micro: int | None = None
    currency: str | None = None
    is_estimated: bool = False
    ms: int = 0
    window: int = 0
    is_local: bool = False

    @property
    def process(self) -> str:
        """The kind of work that it was."""
        return self.prompt.partition(".")[0]


class Say(Protocol):
    """Takes what a planner says, as it comes."""

    async def __call__(self, text: str) -> None:
        """A piece of the answer, or of what is said before calls."""

    async def think(self, text: str) -> None:
        """A piece of what is thought before that."""

    async def note(self, sent: Sent) -> None:
        """What a call of a model was sent and used, for the person to look at."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said earlier in the conversation.

    Attributes:
        quotes: The memories that an answer named, in order.
    """

    role: Literal["user", "assistant"]
    text: str
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something that the person put beside the prompt.

    Attributes:
        uri: Of a memory ``inklings://memory/{tier}/{id}``.
        title: As the person sees it.
        text: What it says, if it came along.
    """

    uri: str
    title: str = ""
    text: str = ""


WritePolicy: TypeAlias = Literal["ask", "decide", "never"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when a turn begins; it stays the same to its end.

    Attributes:
        channel: Id or name of its channel.
        earlier: What was said before it, oldest first.
        attachments: What stands beside the prompt.
        write_policy: Whether writes are decided by the rules, all asked about, or never made.
        written: What memories were written with in earlier turns of this conversation, private
            ones too; beginnings will do.
        language: Language to answer in where a message does not tell its own.
        started_at: When the turn began, as ISO 8601 with its offset; ages are told from it. Empty
            tells none.
        compact: What was said longer ago, made short; None for nothing.
        model: What answers in it, as ``provider/model``; empty for rules alone.
        role: A role that the person wants this one message answered in; empty for none. It is no
            part of what was said, and is kept nowhere but in the turn.
        has_pages: Whether there are pages of the author's that may be looked up.
    """

    conversation: str
    channel: str
    prompt: str
    earlier: tuple[Utterance, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    write_policy: WritePolicy = "decide"
    written: tuple[str, ...] = ()
    language: str = "en"
    started_at: str = ""
    compact: Json | None = None
    model: str = ""
    has_pages: bool = False
    role: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """Everything that the person said here, oldest first, this turn's last."""
        quotes = map(str, (self.compact or {}).get("quotes", ()))
        return (*quotes, *(one.text for one in self.earlier if one.role == "user"), self.prompt)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the policy says of a call.

    Attributes:
        decision: Whether it is made, asked about, or not made.
        word: Why: ``inference``, ``negation``, ``forgets``, ``changes``, ``policy``, ``rate``,
            ``derivable``, ``tool``, ``corrects``; empty for what is simply allowed.
        effect: What would happen, as a sentence for the person.
        before: The text that an update would replace, or a forget would take; None without one.
        after: The text that would be there then; None without one.
        tier: The tier that it concerns; empty for none.
        is_authors: Whether it would change the author's words: typed, imported or dictated.
        call: The call as it is to be made, where the policy makes it tamer; None for as it is.
    """

    decision: Literal["allow", "ask", "refuse"]
    word: str = ""
    effect: str = ""
    before: str | None = None
    after: str | None = None
    tier: str = ""
    touched: tuple[Quote, ...] = ()
    is_authors: bool = False
    call: Call | None = None


Step: TypeAlias = tuple[Call, ...] | Answer
Planner: TypeAlias = Callable[[str, Situation, Sequence[Result]], Step]
"""``next_step(prompt, situation, results)``: what to do next, given everything that came back in
this turn in the order of the calls. ``prompt`` is what is planned for: as a rule that of the
situation. Answers stay answers: a step is asked for once more only after its calls have results."""
Judge: TypeAlias = Callable[[Call, Situation, Sequence[Result]], Verdict]
"""``judge(call, situation, results=())``: what the policy says of a call, given what came back in
this turn before it."""

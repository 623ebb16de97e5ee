"""What is asked of a model that talks, and what it answers, whoever's wire it speaks.

What goes wrong is an ``AgentError`` with one of the words of ``acp_wire.words``: ``no_key``,
``key_refused``, ``no_credit``, ``provider_unreachable``, ``provider_busy``, ``provider_failed``,
``model_unknown``, ``model_cannot``, ``context_too_small``, ``wrong_answer``. Its detail names the
provider and figures; never a key, and never what a provider's answer says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from inklings_desktop.agent.planning import Json, Tool

ANSWER_TOKENS = 8_192
"""The longest answer of one call, unless the provider allows less."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants called.

    Attributes:
        id: The provider's own; the result is sent back under it.
        arguments: None where what came was no JSON object.
    """

    id: str
    name: str
    arguments: Json | None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation, as the model sees it.

    Attributes:
        role: ``tool`` for what a tool answered.
        calls: What the model wanted called, in a message of its own.
        call_id: Which call a tool's answer belongs to.
        is_error: Whether the tool failed, or was not called.
    """

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model.

    Attributes:
        model: As its provider names it.
        system: What it is told before everything, in blocks; those that stay the same come first.
        n_stable: How many blocks of ``system`` stay the same in every call; a provider may cache
            up to there.
        schema: JSON schema that the answer must have; None for free text.
        effort: How much it should think, in the provider's word; empty for its default.
    """

    model: str
    messages: tuple[Message, ...]
    system: tuple[str, ...] = ()
    n_stable: int = 0
    tools: tuple[Tool, ...] = ()
    schema: Json | None = None
    max_tokens: int = ANSWER_TOKENS
    effort: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """A piece of what it thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call used; it comes once, before ``Stop``.

    Attributes:
        input_tokens: Read, with those from a cache.
        cost_micro: Millionths of ``currency``; None where the provider does not tell prices.
        is_estimated: Whether the tokens were counted by characters.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    cost_micro: int | None = None
    currency: str | None = None
    is_estimated: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of an answer: always the last event of a stream that was not cut off."""

    reason: Literal["end", "tools", "length", "refused"]


Event: TypeAlias = TextDelta | ThoughtDelta | ToolCall | Usage | Stop


class ChatModel(Protocol):
    """A model that talks."""

    @property
    def provider(self) -> str:
        """Id of its provider."""

    @property
    def model(self) -> str:
        """As its provider names it."""

    @property
    def is_local(self) -> bool:
        """Whether what it is sent stays on this machine."""

    @property
    def window(self) -> int:
        """Tokens that it takes in all; what is not known is taken for 32,768."""

    def stream(self, request: Request) -> AsyncIterator[Event]:
        """The answer as it comes. Leaving the loop closes the connection.

        Tried again before the first event alone.

        Raises:
            AgentError: It cannot answer.
        """


class Models(Protocol):
    """Finds the model for a kind of work."""

    def model_for(self, process: str) -> ChatModel | None:
        """The one that does this work; None where it is done without a model.

        Args:
            process: ``orchestrator``, ``gate``, ``compact``, ``summary``, ``title``, ``merge``.

        Raises:
            AgentError: It was chosen, and cannot be used: its key is missing, say.
        """

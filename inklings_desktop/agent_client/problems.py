"""What can go wrong with an agent, as words; sentences come at the doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.shapes import dict_of, line_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.errors import InklingsError

SIGN_IN_NEEDED: Final = "sign_in_needed"
AGENT_CANNOT: Final = "agent_cannot"
NO_ANSWER: Final = "no_answer"

_BY_CODE: Final = {
    words.AUTH_REQUIRED: SIGN_IN_NEEDED,
    words.METHOD_NOT_FOUND: AGENT_CANNOT,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong.

    Attributes:
        word: Which it is; a door that has no sentence for it takes that of ``agent_failed``.
        detail: Ids, figures or the agent's own last words; never text of a memory.
        retry: Whether the same may work a moment later.
        values: What a sentence may name, as told.
    """

    word: str
    detail: str = ""
    retry: bool = False
    values: Mapping[str, Any] | None = None


def problem_of(error: Mapping[str, Any]) -> Problem:
    """What the error of an answer means."""
    data = dict_of(error.get("data"))
    said = data.get("detail")
    values = said if isinstance(said, dict) else None
    detail = line_of(said) if values is None else line_of(", ".join(map(str, values.values())))
    word = line_of(data.get("word"), 60)
    if not word:
        code = error.get("code")
        word = _BY_CODE.get(code, words.AGENT_FAILED) if isinstance(code, int) else ""
        detail = detail or line_of(error.get("message"))
    return Problem(word or words.AGENT_FAILED, detail, data.get("retry") is True, values)


def problem_of_keeping(error: InklingsError) -> Problem:
    """Why what was said could not be kept, so that nobody was asked."""
    from inklings_desktop.domain.errors import InvalidValueError  # known to who met an error

    if isinstance(error, InvalidValueError):
        word = {"too_long": words.MESSAGE_TOO_LONG, "archived": words.CONVERSATION_ARCHIVED}.get(
            error.rule, words.AGENT_FAILED
        )
        return Problem(word, error.field)
    return Problem(words.MEMORY_UNREACHABLE, type(error).__name__, retry=True)

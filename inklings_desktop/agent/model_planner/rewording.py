"""One text of several that say much the same, worded by a cheap model for a consolidation.

Whoever asked for it checks it against them, and may throw it away.
"""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.framing import framed, masked
from inklings_desktop.agent.model_planner.structured import Aside, Question, answered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.providers.port import Models

SECONDS = 45.0
_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


async def reworded(
    models: Models, texts: Sequence[str], note: Callable[[Sent], Awaitable[None]]
) -> str | None:
    """The text; None where no model does this work, or it failed.

    A text that looks like it holds a key is never sent.

    Args:
        note: Is told what was sent, and what it used.
    """
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    if masked(numbered) != numbered:
        return None
    mark = token_hex(4)
    question = Question("merge", {"texts": framed(mark, "notes", numbered)}, _SCHEMA, _text)
    return await answered(Aside(models, mark, note), question, SECONDS)


def _text(found: Any) -> str:
    text = found["text"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("The text is empty.")
    return text.strip()

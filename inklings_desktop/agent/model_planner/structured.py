"""Small questions to a cheap model, answered in a form: read strictly, and asked again once.

Where nothing comes of it, whoever asks does without a model.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from inklings_desktop.agent.model_planner.prompts import prompt
from inklings_desktop.agent.model_planner.sending import sent_of
from inklings_desktop.agent.planning import MODEL_PROBLEMS
from inklings_desktop.agent.providers.port import Message, Request, Stop, TextDelta, Usage
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.providers.port import ChatModel, Models

PATIENCE_SECONDS = 10.0
"""How long one of these questions may take, with its repair."""
Form = TypeVar("Form")


@dataclass(frozen=True, slots=True)
class Aside:
    """How a turn asks small questions.

    Attributes:
        models: What there is to ask; None for nothing.
        mark: The tag of the turn's quotations.
        note: Is told what was sent, and what it used.
    """

    models: Models | None
    mark: str
    note: Callable[[Sent], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Question(Generic[Form]):
    """What is asked, and how the answer is read.

    Attributes:
        process: Whose work it is; its prompt has the same name.
        slices: What is sent, by name.
        schema: JSON schema of the answer.
        read: Makes the answer of what came as JSON; raises ValueError with what is wrong with it.
    """

    process: str
    slices: Mapping[str, str]
    schema: Mapping[str, Any]
    read: Callable[[Any], Form]
    max_tokens: int = 1_000


async def answered(
    aside: Aside, question: Question[Form], seconds: float = PATIENCE_SECONDS
) -> Form | None:
    """What the model for it answers; None without one, and where it fails or takes long.

    Args:
        seconds: How long it may take in all.
    """
    try:
        model = None if aside.models is None else aside.models.model_for(question.process)
        if model is None:
            return None
        async with asyncio.timeout(seconds):
            return await _asked(model, question, aside)
    except TimeoutError:
        return None
    except AgentError as error:
        if error.word not in MODEL_PROBLEMS:
            raise
        return None


async def _asked(model: ChatModel, question: Question[Form], aside: Aside) -> Form | None:
    rules, slices = prompt(question.process), question.slices
    messages: tuple[Message, ...] = (Message("user", "\n\n".join(slices.values())),)
    for _ in range(2):
        request = Request(
            model.model,
            messages,
            (rules.text,),
            1,
            schema=question.schema,
            max_tokens=question.max_tokens,
        )
        began, used, text, ended = time.monotonic(), Usage(0, 0), "", ""
        async for event in model.stream(request):
            match event:
                case TextDelta():
                    text += event.text
                case Usage():
                    used = event
                case Stop():
                    ended = event.reason
        ms = round((time.monotonic() - began) * 1000)
        await aside.note(sent_of(rules.id, model, {"rules": rules.text, **slices}, used, ms))
        if ended == "refused":
            return None
        try:
            return question.read(_json_in(text))
        except (ValueError, TypeError, KeyError, AttributeError) as wrong:
            flaw = str(wrong)[:200] if type(wrong) is ValueError else "It has another form."
        again = f"That cannot be used: {flaw} Answer again, with the JSON object alone."
        messages = (*messages, Message("assistant", text or "{}"), Message("user", again))
    return None


def _json_in(text: str) -> Any:
    """The object in an answer, whatever stands around it.

    Raises:
        ValueError: There is none.
    """
    begins, ends = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[begins : ends + 1])
    except ValueError:
        raise ValueError("It is no JSON object.") from None

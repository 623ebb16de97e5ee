"""Asks the World Agent something from any page; its process is led by the page of conversations."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import AgentError
from inklings_desktop.ui.kit.page.destinations import AgentQuestion, ToAgent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.page.context import Context

ANSWER_SECONDS = 90.0


async def ask_agent(
    context: Context, method: str, params: Mapping[str, Any], seconds: float = ANSWER_SECONDS
) -> dict[str, Any]:
    """What the agent answers; its process begins where there is none.

    Args:
        context: Of the page that asks.
        method: A request of ours that belongs to no conversation.
        params: What it says.
        seconds: How long the answer may take.

    Raises:
        AgentError: It cannot, or it is not there.
    """
    answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def on_answer(told: dict[str, Any]) -> None:
        if not answer.done():
            answer.set_result(told)

    def on_error(word: str, detail: str) -> None:
        if not answer.done():
            answer.set_exception(AgentError(word, detail=detail))

    context.go(ToAgent(AgentQuestion(method, params, on_answer, on_error, seconds)))
    return await answer

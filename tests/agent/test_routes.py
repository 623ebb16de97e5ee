"""Requests and notifications of a client, before anything is carried out."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest
from acp.exceptions import RequestError

from inklings_desktop.acp_wire import sentences, words
from inklings_desktop.agent.acp_door.routes import Routes, problem
from inklings_desktop.domain.errors import AgentError


@pytest.mark.parametrize(
    ("method", "params"),
    [("$/cancel_request", {"requestId": 7}), ("session/cancel", {"wrong": 1}), ("nothing", None)],
)
def test_notification_that_nobody_knows_is_answered_by_nothing(method: str, params: Any) -> None:
    async def told() -> Any:
        return await Routes(Mock())(method, params, True)

    assert asyncio.run(told()) is None


def test_request_that_nobody_knows_is_refused() -> None:
    async def asked() -> None:
        await Routes(Mock())("$/nothing", {}, False)

    with pytest.raises(RequestError) as caught:
        asyncio.run(asked())
    assert caught.value.code == words.METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "word", ["busy", "unknown_session", "busy_elsewhere", "run_damaged", "new"]
)
def test_error_carries_a_sentence_and_its_word(word: str) -> None:
    error = problem(AgentError(word, detail="1")).to_error_obj()
    assert error["message"] == sentences.SENTENCES.get(
        word, "The agent could not do this. Your message is kept."
    )
    assert error["message"].endswith(".")
    assert error["data"]["word"] == word
    said = problem(AgentError(word, said="No room left.")).to_error_obj()
    assert said["message"] == "No room left."

"""What both wires must do, whoever is behind them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.planning import Tool
from inklings_desktop.agent.providers.anthropic_wire import AnthropicWire
from inklings_desktop.agent.providers.openai_wire import OpenAIWire
from inklings_desktop.agent.providers.port import (
    Event,
    Message,
    Request,
    Stop,
    TextDelta,
    ThoughtDelta,
    ToolCall,
    Usage,
)
from inklings_desktop.agent.providers.wire import Wire
from inklings_desktop.domain.errors import AgentError
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wire_servers import Refused, Said, Silent, wire_server

KEY = "sk-needle-7f3a91"
ASKED = Request("gull-1", (Message("user", "What do gulls eat?"),))
READ = Tool("memory_read", "Reads.", {"type": "object", "properties": {}})
WIRES = pytest.mark.parametrize("wire", [OpenAIWire, AnthropicWire])


def model(
    wire: type[Wire],
    address: str,
    key: Callable[[], str] = lambda: KEY,
    silent_seconds: float | None = None,
) -> Wire:
    return wire("gull", "gull-1", address=address, key=key, silent_seconds=silent_seconds)


def answer(one: Wire, request: Request = ASKED) -> list[Event]:
    async def read() -> list[Event]:
        return [event async for event in one.stream(request)]

    return asyncio.run(read())


def failure(one: Wire, request: Request = ASKED) -> AgentError:
    with pytest.raises(AgentError) as caught:
        answer(one, request)
    return caught.value


@WIRES
def test_text_and_thoughts_come_as_they_are_said(wire: type[Wire]) -> None:
    said = Said(("Fish, ", "mostly."), ("They dive",), used=(30, 7, 12))
    with wire_server(said) as served:
        assert answer(model(wire, served.address)) == [
            ThoughtDelta("They dive"),
            TextDelta("Fish, "),
            TextDelta("mostly."),
            Usage(30, 7, 12),
            Stop("end"),
        ]


@WIRES
def test_parallel_calls_keep_their_order(wire: type[Wire]) -> None:
    calls = (
        ("c1", "memory_read", ('{"query": "gu', 'll"}')),
        ("c2", "memory_read", ('{"query": "tern"}',)),
        ("c3", "memory_orient", ()),
    )
    with wire_server(Said(("I look.",), calls=calls, stop="tools")) as served:
        events = answer(
            model(wire, served.address), Request("gull-1", ASKED.messages, tools=(READ,))
        )
    assert events == [
        TextDelta("I look."),
        ToolCall("c1", "memory_read", {"query": "gull"}),
        ToolCall("c2", "memory_read", {"query": "tern"}),
        ToolCall("c3", "memory_orient", {}),
        Usage(20, 5),
        Stop("tools"),
    ]


def chunk(*calls: dict[str, Any], **choice: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"tool_calls": [*calls]}, **choice}]}


@pytest.mark.parametrize("index", [{}, {"index": 0}])
def test_calls_without_numbers_of_their_own_are_told_apart(index: Any) -> None:
    reading = model(OpenAIWire, "https://api.invalid")._reading(ASKED)
    pieces = [
        chunk({"id": "c1", "function": {"name": "x", "arguments": "{}"}, **index}),
        chunk({"id": "c2", "function": {"name": "y", "arguments": '{"a"'}, **index}),
        chunk({"id": "c2", "function": {"arguments": ": 1}"}, **index}, finish_reason="stop"),
        chunk(finish_reason="stop"),
    ]
    events = [event for piece in pieces for event in reading.take(piece)]
    assert events == [ToolCall("c1", "x", {}), ToolCall("c2", "y", {"a": 1})]
    assert reading.stop == Stop("tools")


@WIRES
@pytest.mark.parametrize("arguments", ['{"query": "gu', '["gull"]'])
def test_half_a_call_has_no_arguments(wire: type[Wire], arguments: str) -> None:
    said = Said(calls=(("c1", "memory_read", (arguments,)),), stop="length")
    with wire_server(said) as served:
        events = answer(model(wire, served.address))
    assert events == [ToolCall("c1", "memory_read", None), Usage(20, 5), Stop("length")]


@WIRES
def test_json_in_place_of_a_stream_is_one_answer(wire: type[Wire]) -> None:
    call = ("c1", "memory_read", ('{"query": "gull"}',))
    said = Said(("Fish.",), ("Hm",), (call,), "tools", used=(30, 7, 12), form="whole")
    with wire_server(said) as served:
        assert answer(model(wire, served.address)) == [
            ThoughtDelta("Hm"),
            TextDelta("Fish."),
            ToolCall("c1", "memory_read", {"query": "gull"}),
            Usage(30, 7, 12),
            Stop("tools"),
        ]


@WIRES
@pytest.mark.parametrize("stop", ["end", "length", "refused"])
def test_stop_says_why(wire: type[Wire], stop: Any) -> None:
    with wire_server(Said(("Fish.",), stop=stop)) as served:
        assert answer(model(wire, served.address))[-1] == Stop(stop)


@WIRES
@pytest.mark.parametrize("form", ["stream", "whole"])
def test_an_answer_of_a_form_comes_as_text(wire: type[Wire], form: Any) -> None:
    schema = {"type": "object", "properties": {"verdict": {"type": "string"}}}
    request = Request("gull-1", ASKED.messages, tools=(READ,), schema=schema)
    with wire_server(Said(('{"verdict": ', '"accept"}'), form=form)) as served:
        events = answer(model(wire, served.address), request)
        sent = json.dumps(served.asked[0][1])
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert json.loads(text) == {"verdict": "accept"}
    assert not any(isinstance(event, ToolCall) for event in events)
    assert events[-1] == Stop("end")
    assert json.dumps(schema) in sent


@WIRES
def test_usage_that_is_not_told_is_estimated(wire: type[Wire]) -> None:
    with wire_server(Said(("Fish " * 40,), used=None)) as served:
        used = answer(model(wire, served.address))[-2]
    assert isinstance(used, Usage)
    assert used.is_estimated
    assert used.output_tokens == 50
    assert used.input_tokens > 20


def test_cost_is_told_where_the_provider_tells_it() -> None:
    with wire_server(Said(("Fish.",), cost=0.0012345)) as served:
        assert answer(model(OpenAIWire, served.address))[-2] == Usage(20, 5, 0, 1_234, "USD")


@WIRES
@pytest.mark.parametrize("form", ["cut", "unended"])
def test_a_cut_stream_is_unreachable_and_not_asked_again(wire: type[Wire], form: Any) -> None:
    shown: list[Event] = []

    async def read(one: Wire) -> None:
        nonlocal shown
        async for event in one.stream(ASKED):
            shown += [event]

    with wire_server(Said(("Fish, ", "mostly", " herring."), form=form)) as served:
        with pytest.raises(AgentError) as caught:
            asyncio.run(read(model(wire, served.address)))
        assert len(served.asked) == 1
    assert caught.value.word == words.PROVIDER_UNREACHABLE
    assert caught.value.retry
    assert TextDelta("Fish, ") in shown
    assert not any(isinstance(event, Stop) for event in shown)


REFUSALS = [
    (401, {}, words.KEY_REFUSED),
    (402, {}, words.NO_CREDIT),
    (403, {}, words.KEY_REFUSED),
    (404, {}, words.MODEL_UNKNOWN),
    (404, {"message": "No endpoints found that support tool use"}, words.MODEL_CANNOT),
    (400, {"message": "gull-1 does not support tools"}, words.MODEL_CANNOT),
    (400, {"code": "context_length_exceeded"}, words.CONTEXT_TOO_SMALL),
    (400, {"message": "prompt is too long: 9 > 8"}, words.CONTEXT_TOO_SMALL),
    (400, {"message": "Your credit balance is too low"}, words.NO_CREDIT),
    (400, {}, words.PROVIDER_FAILED),
    (302, {}, words.PROVIDER_FAILED),
    (429, {}, words.PROVIDER_BUSY),
    (429, {"code": "insufficient_quota"}, words.NO_CREDIT),
    (500, {}, words.PROVIDER_FAILED),
    (529, {"type": "overloaded_error"}, words.PROVIDER_BUSY),
]


@WIRES
@pytest.mark.parametrize(("status", "error", "word"), REFUSALS)
def test_a_refusal_has_its_word(wire: type[Wire], status: int, error: Any, word: str) -> None:
    with wire_server(Refused(status, error)) as served:
        found = failure(model(wire, served.address))
        n_asked = len(served.asked)
    assert (found.word, found.detail) == (word, f"gull {status}")
    assert n_asked == (4 if status in {429, 500, 529} else 1)


OTHER_FORMS: list[Any] = [
    [],
    ["Fish."],
    {},
    {"choices": 7},
    {"choices": [7]},
    {"choices": [{"delta": "Fish."}]},
    {"choices": [{"delta": {"tool_calls": [{"function": {"name": 7}}]}}]},
    {"type": "message"},
    {"type": "message", "content": ["Fish."]},
    {"type": "message", "content": [{"type": "tool_use"}]},
    {"type": "content_block_delta", "delta": None},
]


@WIRES
@pytest.mark.parametrize("told", OTHER_FORMS)
def test_an_answer_of_another_form_is_told_as_such(wire: type[Wire], told: Any) -> None:
    with wire_server(told) as served:
        found = failure(model(wire, served.address))
    assert found.word in {words.PROVIDER_FAILED, words.PROVIDER_UNREACHABLE}


@WIRES
def test_without_a_key_none_is_sent_and_none_is_refused(
    wire: type[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with wire_server(Refused(401)) as served:
        assert failure(model(wire, served.address, key=str)).word == words.NO_KEY
        assert {"authorization", "x-api-key"} & served.headers[0].keys() == set()


@WIRES
def test_a_refusal_in_the_middle_has_its_word(wire: type[Wire]) -> None:
    error = {"type": "overloaded_error", "message": "Busy"}
    with wire_server(Refused(200, error)) as served:
        assert failure(model(wire, served.address)).word == words.PROVIDER_BUSY


@WIRES
def test_it_is_tried_again_before_the_first_event(wire: type[Wire]) -> None:
    busy = Refused(429, headers={"retry-after-ms": "2"})
    with wire_server(busy, Refused(425), Refused(503), Said(("Fish.",))) as served:
        events = answer(model(wire, served.address))
        assert len(served.asked) == 4
    assert events[0] == TextDelta("Fish.")


@WIRES
@pytest.mark.parametrize("wait", ["31", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_a_provider_that_asks_for_a_long_wait_is_busy(wire: type[Wire], wait: str) -> None:
    with wire_server(Refused(429, headers={"retry-after": wait})) as served:
        assert failure(model(wire, served.address)).word == words.PROVIDER_BUSY
        assert len(served.asked) == 1


@WIRES
@pytest.mark.parametrize("answer_", [Silent(), Said(("Fish",) * 8, form="held")])
def test_silence_is_unreachable(wire: type[Wire], answer_: Any) -> None:
    with wire_server(answer_) as served:
        found = failure(model(wire, served.address, silent_seconds=0.2))
        assert served.begun.wait(HANG_SECONDS)
        assert len(served.asked) == 1
    assert found.word == words.PROVIDER_UNREACHABLE


def test_nobody_there_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    import openai

    async def at_once(*_args: object, **_options: object) -> None:
        return

    with wire_server(Said()) as served:
        address = served.address
    monkeypatch.setattr(openai.AsyncOpenAI, "_sleep_for_retry", at_once)
    assert failure(model(OpenAIWire, address)).word == words.PROVIDER_UNREACHABLE


@WIRES
def test_leaving_the_loop_closes_the_connection(wire: type[Wire]) -> None:
    with wire_server(Said(("Fish",) * 8, form="held")) as served:

        async def leave() -> bool:
            async for event in model(wire, served.address).stream(ASKED):
                assert event == TextDelta("Fish")
                break
            return await asyncio.to_thread(served.gone.wait, HANG_SECONDS)

        assert asyncio.run(leave())


@WIRES
def test_cancelling_before_the_first_event_closes_the_connection(wire: type[Wire]) -> None:
    with wire_server(Silent()) as served:

        async def cancel() -> bool:
            one = model(wire, served.address)
            task = asyncio.ensure_future(anext(one.stream(ASKED)))
            assert await asyncio.to_thread(served.begun.wait, HANG_SECONDS)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await asyncio.to_thread(served.gone.wait, HANG_SECONDS)

        assert asyncio.run(cancel())


CONVERSATION = (
    Message("user", "What do gulls eat?"),
    Message(
        "assistant",
        "I look.",
        (ToolCall("c1", "memory_read", {"query": "gull"}), ToolCall("c2", "x", None)),
    ),
    Message("tool", "Fish.", call_id="c1"),
    Message("tool", "No such tool.", call_id="c2", is_error=True),
    Message("user", "And terns?"),
)


def sent(wire: type[Wire], request: Request, provider: str = "gull") -> dict[str, Any]:
    with wire_server(Said(("Fish.",))) as served:
        answer(wire(provider, "gull-1", address=served.address, key=lambda: KEY), request)
        return served.asked[0][1]


def test_the_chat_wire_sends_what_was_said() -> None:
    system = ("Rules.", "", "VOICE.")
    request = Request("gull-1", CONVERSATION, system, 3, (READ,), max_tokens=99, effort="low")
    body = sent(OpenAIWire, request)
    roles = [one["role"] for one in body["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user"]
    assert body["messages"][0]["content"] == "Rules.\n\nVOICE."
    calls = body["messages"][2]["tool_calls"]
    assert [one["function"]["arguments"] for one in calls] == ['{"query": "gull"}', "{}"]
    assert [one["tool_call_id"] for one in body["messages"][3:5]] == ["c1", "c2"]
    assert body["tools"][0]["function"]["parameters"] == READ.schema
    assert (body["max_tokens"], body["reasoning_effort"]) == (99, "low")
    assert sent(OpenAIWire, request, "openai")["max_completion_tokens"] == 99


def test_the_messages_wire_sends_what_was_said() -> None:
    system = ("Rules.", "VOICE.", "", "Orientation.")
    request = Request("gull-1", CONVERSATION, system, 3, (READ,), max_tokens=99, effort="low")
    body = sent(AnthropicWire, request)
    assert [one["role"] for one in body["messages"]] == ["user", "assistant", "user"]
    kinds = [block["type"] for one in body["messages"] for block in one["content"]]
    assert kinds == ["text", "text", "tool_use", "tool_use", "tool_result", "tool_result", "text"]
    assert [block["is_error"] for block in body["messages"][2]["content"][:2]] == [False, True]
    assert [block["text"] for block in body["system"]] == ["Rules.", "VOICE.", "Orientation."]
    assert [("cache_control" in block) for block in body["system"]] == [False, True, False]
    assert body["tools"][0]["input_schema"] == READ.schema
    assert (body["max_tokens"], body["output_config"]) == (99, {"effort": "low"})

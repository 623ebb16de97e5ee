"""The model is loaded after the first answer, and nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import EmbeddingUnavailableError, NotFoundError
from inklings_desktop.mcp_server.hosting.serving import WarmUp
from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.mcp_server.tools.memory_tools import BY_WORDS_ALONE
from tests.mcp_server.agent_door import LOOM
from tests.mcp_server.served_process import served
from tests.support.fake_embedder import FakeEmbedder
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.memories.vectors import FloatMatrix
    from inklings_desktop.usecases.bundle import Inklings

BELL = "The bell of Wend is never rung at noon."


class SlowModel(FakeEmbedder):
    """A model whose loading ends when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.may_load = threading.Event()

    def pinned(self) -> SlowModel:
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        assert self.may_load.wait(HANG_SECONDS)
        return super().embed(texts)


@pytest.fixture
def model() -> SlowModel:
    return SlowModel()


@pytest.fixture
def session(world: tuple[Path, str], model: SlowModel) -> Iterator[ClientSession]:
    root, workspace = world

    @contextmanager
    def opened() -> Iterator[Inklings]:
        with open_inklings(root, workspace=workspace, embedder=model, embed_writes=False) as made:
            yield made

    made = ClientSession(LOOM, opened)
    yield made
    made.close()


async def structured(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    document: dict[str, Any] = result.structured_content or {}
    return document


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_model_is_loaded_though_nobody_asked_for_it(
    session: ClientSession, model: SlowModel, mode: str
) -> None:
    warm_up = WarmUp(session)
    server = InklingsServer(session)
    server.middleware.append(warm_up.after_first_answer)
    model.may_load.set()

    async def greet() -> None:
        async with Client(server, mode=mode) as client:
            assert client.server_info is not None

    assert model.asked == []
    asyncio.run(greet())
    assert warm_up.has_ended(HANG_SECONDS)
    assert model.asked == [("ready",)]


def test_words_answer_while_the_model_is_loaded_and_say_so(
    session: ClientSession, model: SlowModel
) -> None:
    warm_up = WarmUp(session)

    async def talk() -> None:
        async with Client(InklingsServer(session)) as client:
            await structured(client, "memory_put", tier="workspace", content=BELL)
            room = (await structured(client, "conversation_start"))["conversation"]["id"]
            warm_up.begin()
            asked = {"tier": "workspace", "query": "when is the bell rung"}
            early = await structured(client, "memory_read", **asked)
            turn = await structured(client, "memory_orient", conversation=room, query="the bell")
            assert not warm_up.has_ended(0)
            assert (early["mode"], early["notice"]) == ("keyword", BY_WORDS_ALONE)
            assert [hit["content"] for hit in early["hits"]] == [BELL]
            assert BELL in turn["markdown"]
            assert model.asked == []
            model.may_load.set()
            assert await asyncio.to_thread(warm_up.has_ended, HANG_SECONDS)
            later = await structured(client, "memory_read", **asked)
            assert later["mode"] == "hybrid"
            assert "notice" not in later
            assert model.asked == [("ready",), (asked["query"],)]

    try:
        asyncio.run(talk())
    finally:
        model.may_load.set()
        assert warm_up.has_ended(HANG_SECONDS)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotFoundError("workspace", "x"), "inklings: There is no such workspace in this scope.\n"),
        (EmbeddingUnavailableError("damaged"), "inklings: It could not be done. Nothing was"),
    ],
)
def test_a_warm_up_that_fails_says_so_in_the_log_and_searches_go_on(
    error: Exception, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> AbstractContextManager[Inklings]:
        raise error

    session = ClientSession(LOOM, broken)
    warm_up = WarmUp(session)
    warm_up.begin()
    warm_up.begin()
    assert warm_up.has_ended(HANG_SECONDS)
    assert not session.warmth.is_warming
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.end2end
def test_a_served_process_finds_by_meaning_soon_after_its_first_answer(
    world: tuple[Path, str],
) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        arguments = {"tier": "workspace", "content": BELL}
        process.ask(1, "tools/call", name="memory_put", arguments=arguments)
        modes = []
        for number in range(2, 400):
            arguments = {"tier": "workspace", "query": f"bell {number}"}
            answer = process.ask(number, "tools/call", name="memory_read", arguments=arguments)
            found = answer["result"]["structuredContent"]
            assert [hit["content"] for hit in found["hits"]] == [BELL]
            modes.append(found["mode"])
            if modes[-1] == "hybrid":
                break
        assert modes[-1] == "hybrid"

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.sign_in import OPEN_SECONDS, SignIn, signing_in
from inklings_desktop.domain.errors import AgentError
from tests.support.wire_servers import Refused, WireServer, wire_server

PAGE = "https://sign.invalid/auth"


class Clock:
    """A clock that stands until it is told that the time is over."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.over = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await self.over.wait()


def callback(attempt: SignIn) -> tuple[str, int, str]:
    """Where the browser comes back to."""
    (address,) = parse_qs(urlsplit(attempt.address).query)["callback_url"]
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    return parts.hostname, parts.port or 0, parts.path


async def visit(attempt: SignIn, target: str, at: tuple[str, int, str] | None = None) -> str:
    """What a browser is answered."""
    host, port, _ = at or callback(attempt)
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    try:
        return (await reader.read()).decode()
    finally:
        writer.close()


@asynccontextmanager
async def attempted(served: WireServer) -> AsyncIterator[tuple[SignIn, Clock]]:
    clock = Clock()
    exchange = f"{served.address}/auth/keys"
    async with signing_in(PAGE, exchange, clock.sleep) as attempt:
        yield attempt, clock


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def checked(body: dict[str, Any], challenge: str) -> Any:
    """What the provider answers to an exchange: it hashes the verifier itself."""
    digest = hashlib.sha256(body["code_verifier"].encode()).digest()
    fits = base64.urlsafe_b64encode(digest).decode().rstrip("=") == challenge
    fits = fits and body["code"] == "c0de" and body["code_challenge_method"] == "S256"
    return {"key": "sk-or-needle-7f3a91"} if fits else Refused(403)


def test_a_code_is_exchanged_for_a_key() -> None:
    async def scene() -> None:
        with wire_server() as served:
            async with attempted(served) as (attempt, clock):
                query = parse_qs(urlsplit(attempt.address).query)
                assert query["code_challenge_method"] == ["S256"]
                served.answers.append(lambda body: checked(body, query["code_challenge"][0]))
                key = asyncio.ensure_future(attempt.key())
                path = callback(attempt)[2]
                assert len(path) == 1 + 128 // 4
                answer = await visit(attempt, f"{path}?code=c0de")
                assert answer.startswith("HTTP/1.1 200 ")
                assert "no-referrer" in answer
                assert await key == "sk-or-needle-7f3a91"
                assert clock.waits == [OPEN_SECONDS]

    run(scene())


def test_another_path_brings_no_code() -> None:
    async def scene() -> None:
        with wire_server({"key": "sk"}) as served:
            async with attempted(served) as (attempt, _):
                path = callback(attempt)[2]
                key = asyncio.ensure_future(attempt.key())
                for target in ("/?code=evil", f"{path}x?code=evil", path, f"{path}?error=no", "*"):
                    answer = await visit(attempt, target)
                    assert answer.startswith("HTTP/1.1 404 ")
                await visit(attempt, f"{path}?code=c0de")
                assert await key == "sk"
                assert [body["code"] for _, body in served.asked] == ["c0de"]

    run(scene())


def test_a_path_is_used_once() -> None:
    async def scene() -> None:
        with wire_server({"key": "sk"}) as served:
            async with attempted(served) as (attempt, _):
                path = callback(attempt)[2]
                await visit(attempt, f"{path}?code=c0de")
                again = await visit(attempt, f"{path}?code=evil")
                assert again.startswith("HTTP/1.1 404 ")
                assert await attempt.key() == "sk"
                assert [body["code"] for _, body in served.asked] == ["c0de"]
            with pytest.raises(ConnectionError):
                await visit(attempt, f"{path}?code=evil")

    run(scene())


@pytest.mark.parametrize("answer", [Refused(403), Refused(500), {"none": 1}, {"key": 7}, ["key"]])
def test_a_code_that_is_refused_is_no_sign_in(answer: Any) -> None:
    async def scene() -> None:
        with wire_server(answer) as served:
            async with attempted(served) as (attempt, _):
                await visit(attempt, f"{callback(attempt)[2]}?code=evil")
                with pytest.raises(AgentError) as caught:
                    await attempt.key()
        assert caught.value.word == words.SIGN_IN_FAILED

    run(scene())


def test_nobody_signs_in_after_five_minutes() -> None:
    async def scene() -> None:
        with wire_server({"key": "sk"}) as served:
            async with attempted(served) as (attempt, clock):
                clock.over.set()
                with pytest.raises(AgentError) as caught:
                    await attempt.key()
                answer = await visit(attempt, f"{callback(attempt)[2]}?code=c0de")
            assert caught.value.word == words.SIGN_IN_FAILED
            assert answer.startswith("HTTP/1.1 404 ")
            assert served.asked == []

    run(scene())


def test_an_exchange_goes_to_a_safe_address_alone() -> None:
    async def scene() -> None:
        with pytest.raises(AgentError) as caught:
            async with signing_in(PAGE, "http://openrouter.invalid/keys"):
                pass
        assert caught.value.word == words.ADDRESS_REFUSED

    run(scene())

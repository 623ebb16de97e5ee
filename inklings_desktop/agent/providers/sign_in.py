"""Signing in at OpenRouter: the browser brings a code back, which is exchanged for a key.

The way is PKCE with S256. The browser comes back to a listener of ours on this machine, at a path
that nobody can guess, within five minutes, once.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.connecting import checked_address, http_client
from inklings_desktop.agent.providers.problems import problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

PROVIDER: Final = "openrouter"
PAGE: Final = "https://openrouter.ai/auth"
EXCHANGE: Final = "https://openrouter.ai/api/v1/auth/keys"
OPEN_SECONDS: Final = 300.0
BROWSER_SECONDS: Final = 10.0
_N_RANDOM_BYTES: Final = 32
_OK: Final = 200
_HEAD: Final = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n"
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
)
_DONE: Final = "<p>You can close this page and return to Inklings.</p>"
_NOTHING: Final = "<p>There is nothing here.</p>"


class SignIn:
    """One attempt to sign in, with secrets of its own."""

    def __init__(self, exchange: str, sleep: Callable[[float], Coroutine[Any, Any, Any]]) -> None:
        """Exchange a code here; wait for it with this."""
        self.address = ""
        """What the person's browser must open."""
        self._exchange = checked_address(exchange)
        self._sleep = sleep
        self._path = f"/{secrets.token_hex(16)}"
        self._verifier = secrets.token_urlsafe(_N_RANDOM_BYTES)
        self._code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def listen(self, page: str) -> asyncio.Server:
        """Wait for the browser, which must open ``address``: this page, with what it is told."""
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        digest = hashlib.sha256(self._verifier.encode()).digest()
        asked = {
            "callback_url": f"http://127.0.0.1:{port}{self._path}",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        self.address = f"{page}?{urlencode(asked)}"
        return server

    async def key(self) -> str:
        """The key, once the person has signed in.

        Raises:
            AgentError: ``sign_in_failed``: nobody did in time, or the code was refused;
                ``provider_unreachable``.
        """
        over: asyncio.Future[Any] = asyncio.ensure_future(self._sleep(OPEN_SECONDS))
        try:
            await asyncio.wait({self._code, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
        if not self._code.done():
            self._code.cancel()
            raise problem(words.SIGN_IN_FAILED, PROVIDER)
        return await self._exchanged(self._code.result())

    async def _exchanged(self, code: str) -> str:
        client = await asyncio.to_thread(http_client, self._exchange)
        import httpx2

        asked = {"code": code, "code_verifier": self._verifier, "code_challenge_method": "S256"}
        try:
            async with client:
                answer = await client.post(self._exchange, json=asked)
            key = answer.json()["key"] if answer.status_code == _OK else None
        except (httpx2.TransportError, OSError):
            raise problem(words.PROVIDER_UNREACHABLE, PROVIDER) from None
        except (ValueError, LookupError, TypeError):
            key = None
        if not isinstance(key, str):
            raise problem(words.SIGN_IN_FAILED, PROVIDER, answer.status_code)
        return key

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a browser; the first one at the right path brings the code."""
        try:
            async with asyncio.timeout(BROWSER_SECONDS):
                asked = await reader.readuntil(b"\r\n\r\n")
            code = self._code_in(asked.split(b" ", 2)[1].decode("ascii"))
            page, status = (_DONE, "200 OK") if code else (_NOTHING, "404 Not Found")
            writer.write((_HEAD.format(status=status, length=len(page)) + page).encode())
            await writer.drain()
        except (OSError, EOFError, ValueError, LookupError, asyncio.LimitOverrunError):
            pass  # no browser
        finally:
            writer.close()

    def _code_in(self, target: str) -> str:
        parts = urlsplit(target)
        if self._code.done() or not secrets.compare_digest(parts.path, self._path):
            return ""
        code = parse_qs(parts.query).get("code", [""])[0]
        if code:
            self._code.set_result(code)
        return code


@asynccontextmanager
async def signing_in(
    page: str = PAGE,
    exchange: str = EXCHANGE,
    sleep: Callable[[float], Coroutine[Any, Any, Any]] = asyncio.sleep,
) -> AsyncIterator[SignIn]:
    """An attempt to sign in, listening as long as this is entered.

    Args:
        page: Where the person signs in.
        exchange: Where a code is exchanged for a key.
        sleep: Waits for seconds.
    """
    attempt = SignIn(exchange, sleep)
    server = await attempt.listen(page)
    try:
        yield attempt
    finally:
        server.close()

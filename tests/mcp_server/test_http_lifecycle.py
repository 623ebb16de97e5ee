"""``mcp_lifecycle`` over HTTP on the loopback: who is let in, and how the server ends."""

from __future__ import annotations

import json
import random
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.mcp_server.hosting.serving import REQUEST_SECONDS
from tests.mcp_server.agent_door import LOOM, is_free_and_sound
from tests.mcp_server.served_process import Loopback, initialize, served, served_over_http
from tests.mcp_server.test_lifecycle import LEAVE_SECONDS, MALFORMED, MALFORMED_FULL, garbage
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

UNAUTHORIZED, FORBIDDEN, MISDIRECTED = 401, 403, 421


def test_the_loopback_server_wants_its_token_and_its_own_host(world: tuple[Path, str]) -> None:
    with served_over_http(*world, LOOM) as loopback:
        assert loopback.address.startswith("http://127.0.0.1:")
        own = loopback.headers
        assert posted(loopback, {}) == UNAUTHORIZED
        for wrong in ("Bearer guess", "Bearer", f"Basic {loopback.token}", loopback.token, ""):
            assert posted(loopback, {"Authorization": wrong}) == UNAUTHORIZED
        assert posted(loopback, {"Authorization": f"bearer {loopback.token}"}) == 200
        assert posted(loopback, own) == 200
        other = loopback.port - 1
        own_origin = f"http://localhost:{loopback.port}"
        assert posted(loopback, own | {"Origin": own_origin}) == 200
        for origin in (
            "http://elsewhere.example",
            "null",
            "file://",
            f"http://127.0.0.1:{other}",
            f"{own_origin}.example",
        ):
            assert posted(loopback, own | {"Origin": origin}) == FORBIDDEN
        for host in (
            "elsewhere.example",
            f"elsewhere.example:{loopback.port}",
            "10.0.0.1",
            "127.0.0.1",
            f"127.0.0.1:{other}",
        ):
            assert posted(loopback, own | {"Host": host}) == MISDIRECTED
        # A page behind a rebound name does not have the token either.
        assert posted(loopback, {"Host": "elsewhere.example"}) == UNAUTHORIZED


def test_nobody_without_the_token_learns_what_is_served(world: tuple[Path, str]) -> None:
    with served_over_http(*world, LOOM) as loopback:
        for method in ("GET", "DELETE", "OPTIONS", "POST"):
            status, body = asked(loopback, {}, method=method, path="/other")
            assert (status, b"token" in body) == (UNAUTHORIZED, True)
        # Nor does an upgrade to another protocol lead past it.
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        status, _ = asked(loopback, upgrade | {"Sec-WebSocket-Key": "eA=="}, method="GET")
        assert status == UNAUTHORIZED


def test_a_connection_that_never_asks_is_dropped(world: tuple[Path, str]) -> None:
    beginnings = (
        b"",
        b"POST /mcp HTTP/1.1\r\nHost: ",
        b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    )
    with served_over_http(*world, LOOM) as loopback, ExitStack() as stack:
        waiting = [
            stack.enter_context(socket.create_connection(("127.0.0.1", loopback.port)))
            for _ in beginnings
        ]
        began = time.monotonic()
        for one, beginning in zip(waiting, beginnings, strict=True):
            one.sendall(beginning)
        for one in waiting:
            one.settimeout(HANG_SECONDS)
            while one.recv(4_096):
                pass  # an answer to half a request, then the end
        assert time.monotonic() - began <= REQUEST_SECONDS + 5.0
        assert posted(loopback, loopback.headers) == 200


def test_only_the_loopback_is_listened_on(world: tuple[Path, str]) -> None:
    with served_over_http(*world, LOOM) as loopback, socket.socket() as other:
        # Every address of 127/8 is this machine; the server has taken exactly one of them.
        other.settimeout(5.0)
        with pytest.raises(OSError, match=r"refused|unreachable|not available"):
            other.connect(("127.0.0.2", loopback.port))


def test_a_port_that_is_taken_is_said_in_a_sentence(world: tuple[Path, str]) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with served(*world, LOOM, "--http", "--port", str(port)) as late:
            _, err = late.process.communicate(timeout=30)
    assert late.process.returncode == 3
    assert late.lines == []
    assert err.decode() == (
        f"Another program listens on port {port}. Choose another one with --port;"
        " 0 takes one that is free.\n"
    )


def test_a_workspace_that_is_not_there_is_said_before_anything_is_served(
    world: tuple[Path, str],
) -> None:
    with served(world[0], "Nowhere", LOOM, "--http", "--port", "0") as process:
        _, err = process.process.communicate(timeout=30)
    assert process.process.returncode == 1
    assert b"Authorization" not in err
    assert b"no such workspace" in err.lower() or b"no workspace" in err.lower()


@pytest.mark.parametrize(
    "sign",
    mostly_wide((signal.SIGTERM, signal.SIGINT), every_day=lambda sign: sign is signal.SIGTERM),
)
def test_the_server_ends_though_a_client_holds_a_stream_open(
    world: tuple[Path, str], sign: signal.Signals
) -> None:
    with served_over_http(*world, LOOM) as loopback, held_stream(loopback):
        process = loopback.running.process
        process.send_signal(sign)
        assert loopback.running.seconds_to_end() <= LEAVE_SECONDS
        assert process.returncode == 0
        assert loopback.running.lines == []
    assert is_free_and_sound(*world)


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_malformed_requests_are_survived(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    dice = random.Random(7)  # noqa: S311 - the same garbage in every run
    with served_over_http(*world, LOOM) as loopback:
        for number in range(reduced_or_full(MALFORMED, MALFORMED_FULL)):
            status, _ = asked(loopback, loopback.headers, body=garbage(dice, number))
            assert 400 <= status < 500
        assert posted(loopback, loopback.headers) == 200
        loopback.running.process.send_signal(signal.SIGTERM)
        assert loopback.running.seconds_to_end() <= LEAVE_SECONDS
        assert loopback.running.lines == []
    assert is_free_and_sound(*world)


def posted(loopback: Loopback, headers: Mapping[str, str]) -> int:
    """Status of a good first message with these headers."""
    return asked(loopback, headers, body=json.dumps(initialize()).encode())[0]


def asked(
    loopback: Loopback,
    headers: Mapping[str, str],
    *,
    body: bytes = b"",
    method: str = "POST",
    path: str = "/mcp",
) -> tuple[int, bytes]:
    """Status and body of any request."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(  # noqa: S310 - a loopback address
        loopback.address.removesuffix("/mcp") + path,
        body if method == "POST" else None,
        usual | dict(headers),
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:  # noqa: S310
            return int(answer.status), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def held_stream(loopback: Loopback) -> socket.socket:
    """A session of a client with a stream that the server keeps open for it."""
    request = urllib.request.Request(  # noqa: S310 - a loopback address
        loopback.address,
        json.dumps(initialize()).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **loopback.headers,
        },
    )
    with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:  # noqa: S310
        session: Any = answer.headers["mcp-session-id"]
    stream = socket.create_connection(("127.0.0.1", loopback.port), timeout=HANG_SECONDS)
    stream.sendall(
        f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{loopback.port}\r\n"
        f"Authorization: Bearer {loopback.token}\r\nAccept: text/event-stream\r\n"
        f"Mcp-Session-Id: {session}\r\nMcp-Protocol-Version: 2025-06-18\r\n\r\n".encode()
    )
    deadline = time.monotonic() + HANG_SECONDS
    head = b""
    while b"\r\n\r\n" not in head:
        assert time.monotonic() < deadline
        head += stream.recv(4_096)
    assert b" 200 " in head.splitlines()[0] + b" "
    return stream

"""A relay between a client and hosts that end when a test says so; no process, no socket."""

from __future__ import annotations

import io
import json
import queue
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, cast

import pytest

from inklings_desktop.relay import relaying
from inklings_desktop.relay.link import HostUnavailableError, Link, RefusedError
from inklings_desktop.relay.relaying import IN_DOUBT, Relay
from tests.support.stopwatch import HANG_SECONDS

REPEATABLE = frozenset({"memory_put", "memory_read"})


class FakeHost:
    """The far side of a connection: keeps what it heard, says what the test wants it to say."""

    def __init__(self) -> None:
        self.heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._said: queue.Queue[bytes | None] = queue.Queue()
        self._is_gone = False

    def send_bytes(self, line: bytes) -> None:
        if self._is_gone:
            raise BrokenPipeError
        self.heard.put(json.loads(line) if line else None)

    def recv_bytes(self) -> bytes:
        line = self._said.get(timeout=HANG_SECONDS)
        if line is None:
            raise EOFError
        return line

    def close(self) -> None:
        self._is_gone = True

    def hear(self) -> dict[str, Any]:
        message = self.heard.get(timeout=HANG_SECONDS)
        assert message is not None
        return message

    def answer(self, number: int) -> None:
        said = {"jsonrpc": "2.0", "id": number, "result": {"by": id(self)}}
        self._said.put(json.dumps(said).encode())

    def end(self) -> None:
        self._said.put(b"")

    def die(self) -> None:
        self._is_gone = True
        self._said.put(None)


class Pipe(io.BytesIO):
    """What the relay writes, line by line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: queue.Queue[dict[str, Any]] = queue.Queue()

    def write(self, line: Any) -> int:
        self.lines.put(json.loads(line))
        return len(line)


class Client:
    """A client, its relay, and one host after the other."""

    def __init__(self, hosts: list[FakeHost | Exception]) -> None:
        self._hosts = iter(hosts)
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.out = Pipe()
        self.has_left = threading.Event()
        self.status: list[int] = []
        relay = Relay(self._connect, self._source(), self.out, self.has_left.set)
        self._thread = threading.Thread(target=lambda: self.status.append(relay.run()))
        self._thread.start()

    def send(self, method: str, number: int | None = None, **params: Any) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        self._lines.put(json.dumps(message | ({} if number is None else {"id": number})).encode())

    def call(self, number: int, tool: str, **arguments: Any) -> None:
        self.send("tools/call", number, name=tool, arguments=arguments)

    def hear(self) -> dict[str, Any]:
        return self.out.lines.get(timeout=HANG_SECONDS)

    def go(self) -> None:
        self._lines.put(None)

    def ended(self) -> int:
        self._thread.join(HANG_SECONDS)
        self.go()
        return self.status[0]

    def _connect(self) -> Link:
        host = next(self._hosts)
        if isinstance(host, Exception):
            raise host
        return Link(cast("Connection", host), REPEATABLE)

    def _source(self) -> Iterator[bytes]:
        while (line := self._lines.get()) is not None:
            yield line


def begun(*hosts: FakeHost | Exception) -> Client:
    """A client that has shaken hands with the first host."""
    client = Client(list(hosts))
    first = hosts[0]
    assert isinstance(first, FakeHost)
    client.send("initialize", 0)
    assert first.hear()["method"] == "initialize"
    first.answer(0)
    assert client.hear()["id"] == 0
    client.send("notifications/initialized")
    assert first.hear()["method"] == "notifications/initialized"
    return client


@pytest.fixture(scope="module", autouse=True)
def patience_is_short() -> Iterator[None]:
    """The watch over a host that does not end is a thread, which each test would wait for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relaying, "LEAVE_SECONDS", 0.05)
        yield


@pytest.fixture
def host() -> FakeHost:
    return FakeHost()


@pytest.fixture
def other() -> FakeHost:
    return FakeHost()


def greeted_again(other: FakeHost) -> None:
    """The second host hears the handshake before anything else."""
    assert other.hear()["method"] == "initialize"
    other.answer(0)
    assert other.hear()["method"] == "notifications/initialized"


def test_lines_go_both_ways_and_the_client_ends_it(host: FakeHost) -> None:
    client = begun(host)
    client.call(1, "memory_read")
    assert host.hear()["params"]["name"] == "memory_read"
    host.answer(1)
    assert client.hear()["id"] == 1
    client.go()
    assert host.heard.get(timeout=HANG_SECONDS) is None
    host.end()
    assert client.ended() == 0


def test_what_a_dead_host_did_not_answer_is_asked_again_where_that_is_safe(
    host: FakeHost, other: FakeHost
) -> None:
    client = begun(host, other)
    for number, tool in ((1, "memory_read"), (2, "memory_put"), (3, "conversation_start")):
        client.call(number, tool)
        host.hear()
    client.call(4, "memory_put", replaces="one")
    client.send("tools/list", 5)
    host.hear(), host.hear()
    host.die()
    greeted_again(other)
    assert [other.hear()["id"] for _ in range(3)] == [1, 2, 5]
    refused = [client.hear() for _ in range(2)]
    assert {one["id"]: one["error"]["message"] for one in refused} == {3: IN_DOUBT, 4: IN_DOUBT}
    for number in (1, 2, 5):
        other.answer(number)
        assert client.hear() == {"jsonrpc": "2.0", "id": number, "result": {"by": id(other)}}
    client.go()
    other.end()
    assert client.ended() == 0


def test_what_the_client_took_back_is_not_asked_again(host: FakeHost, other: FakeHost) -> None:
    client = begun(host, other)
    for number in (1, 2):
        client.call(number, "memory_put")
        host.hear()
    client.send("notifications/cancelled", requestId=1)
    assert host.hear()["method"] == "notifications/cancelled"
    host.die()
    greeted_again(other)
    assert other.hear()["id"] == 2
    client.go()
    other.end()
    assert client.ended() == 0


def test_a_handshake_that_was_not_answered_is_answered_by_the_next_host(
    host: FakeHost, other: FakeHost
) -> None:
    client = Client([host, other])
    client.send("initialize", 0)
    host.hear()
    host.die()
    assert other.hear()["method"] == "initialize"
    other.answer(0)
    assert client.hear()["result"] == {"by": id(other)}
    other.end()
    assert client.ended() == 0


def test_what_no_host_took_is_asked_whatever_it_is(host: FakeHost, other: FakeHost) -> None:
    client = begun(host, other)
    host.close()  # nothing gets through any more; the relay does not know yet
    client.call(1, "conversation_start")
    client.call(2, "memory_put")
    host.die()
    greeted_again(other)
    assert [other.hear()["id"] for _ in range(2)] == [1, 2]
    other.end()
    assert client.ended() == 0


def test_a_request_that_ends_two_hosts_is_not_asked_a_third_time(
    host: FakeHost, other: FakeHost
) -> None:
    third = FakeHost()
    client = begun(host, other, third)
    client.call(1, "memory_read")
    host.hear()
    host.die()
    greeted_again(other)
    assert other.hear()["id"] == 1
    other.die()
    greeted_again(third)
    assert client.hear()["error"]["message"] == IN_DOUBT
    client.call(2, "memory_read")
    assert third.hear()["id"] == 2
    third.end()
    assert client.ended() == 0


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (lambda: HostUnavailableError("no room"), "no room"),
        (lambda: RefusedError("The workspace is gone.", 1), "The workspace is gone."),
    ],
)
def test_without_another_host_every_open_request_is_told_so(
    host: FakeHost, failure: Callable[[], Exception], said: str
) -> None:
    client = begun(host, failure())
    client.call(1, "memory_read")
    host.hear()
    host.die()
    answer = client.hear()
    assert answer["id"] == 1
    assert said in answer["error"]["message"]
    assert client.ended() == 1


def test_a_host_that_dies_of_the_handshake_is_not_followed_by_another(
    host: FakeHost, other: FakeHost
) -> None:
    client = begun(host, other)
    host.die()
    assert other.hear()["method"] == "initialize"
    other.die()
    assert client.ended() == 1


def test_what_is_no_message_is_passed_on_and_nobody_waits_for_an_answer(host: FakeHost) -> None:
    client = Client([host])
    client._lines.put(b"[1, 2]\n")
    client._lines.put(b"\n")
    client.send("ping", 1)
    heard: Any = host.heard.get(timeout=HANG_SECONDS)
    assert heard == [1, 2]
    assert host.hear()["method"] == "ping"
    host.end()
    assert client.ended() == 0

"""``mcp_lifecycle`` over standard input and output: however a client goes, nothing stays behind."""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.usecases.bundle import Inklings
from tests.mcp_server.agent_door import LOOM, is_free_and_sound
from tests.mcp_server.served_process import ServedProcess, served
from tests.support.stopwatch import SLOWNESS
from tests.support.wide import mostly_wide

pytestmark = pytest.mark.end2end

LEAVE_SECONDS = 2.0 * SLOWNESS
MALFORMED, MALFORMED_FULL = 60, 1_000
MOMENTS, MOMENTS_FULL = 3, 60
LATEST_MOMENT_SECONDS = 3.0


def put(process: ServedProcess, number: int, text: str) -> dict[str, Any]:
    arguments = {"tier": "workspace", "content": text}
    return process.ask(number, "tools/call", name="memory_put", arguments=arguments)


def test_the_server_leaves_when_its_input_ends(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        assert not put(process, 1, "Said before the end.")["result"].get("isError")
        process.end_input()
        assert process.seconds_to_end() <= LEAVE_SECONDS
        assert process.process.returncode == 0
        assert process.wrote_only_protocol()
    assert is_free_and_sound(*world)


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_it_leaves_orderly_at_whatever_moment_its_input_ends(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    # Before the handshake, while the store is opened, while the model is loaded, after it.
    n_moments = reduced_or_full(MOMENTS, MOMENTS_FULL)
    for number in range(n_moments):
        with served(*world, LOOM) as process:
            if number % 2:
                process.begin()
            time.sleep(LATEST_MOMENT_SECONDS * number / n_moments)
            process.end_input()
            process.process.wait(timeout=30)
            assert process.process.stderr is not None
            assert (process.process.returncode, process.process.stderr.read()) == (0, b""), number
            assert process.wrote_only_protocol()
    assert is_free_and_sound(*world)


def test_the_server_leaves_when_its_client_dies_unread(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        put(process, 1, "Said before the client died.")
        call = {"name": "memory_orient", "arguments": {}}
        process.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
        process.end_input()
        assert process.seconds_to_end() <= LEAVE_SECONDS
    assert is_free_and_sound(*world)


@pytest.mark.parametrize(
    ("sign", "has_written"),
    mostly_wide(
        product((signal.SIGTERM, signal.SIGINT), (False, True)),
        every_day=lambda case: case == (signal.SIGTERM, True),
    ),
)
def test_the_server_leaves_when_it_is_told_to_while_it_waits_for_a_line(
    world: tuple[Path, str], sign: signal.Signals, *, has_written: bool
) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        if has_written:
            put(process, 1, "Said before the signal.")
        process.process.send_signal(sign)
        assert process.seconds_to_end() <= LEAVE_SECONDS
        assert process.process.returncode == 0
        assert process.wrote_only_protocol()
    assert is_free_and_sound(*world)


def test_a_killed_server_leaves_nothing_locked(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        assert not put(process, 1, "Said before the kill.")["result"].get("isError")
        process.process.kill()
        process.process.wait(timeout=30)
    assert is_free_and_sound(*world)


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_malformed_messages_are_survived_and_only_the_protocol_is_written(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    dice = random.Random(7)  # noqa: S311 - the same garbage in every run
    with served(*world, LOOM) as process:
        process.begin()
        for number in range(reduced_or_full(MALFORMED, MALFORMED_FULL)):
            process.write(garbage(dice, number))
        answer = put(process, 1_000_001, "Said after the garbage.")
        assert not answer["result"].get("isError")
        process.end_input()
        assert process.seconds_to_end() <= LEAVE_SECONDS
        assert process.process.returncode == 0
        assert process.wrote_only_protocol()
    assert is_free_and_sound(*world)


def test_garbage_before_the_handshake_does_not_keep_the_next_client_out(
    world: tuple[Path, str],
) -> None:
    dice = random.Random(11)  # noqa: S311 - the same garbage in every run
    with served(*world, LOOM) as process:
        for number in range(20):
            process.write(garbage(dice, number))
        assert "error" not in process.begin()
        assert not put(process, 1_000_001, "Said after the garbage.")["result"].get("isError")


def test_a_session_that_is_over_opens_nothing_again() -> None:
    def never() -> AbstractContextManager[Inklings]:
        raise AssertionError

    session = ClientSession(LOOM, never)
    session.close()
    with pytest.raises(StorageError):
        _ = session.inklings


def garbage(dice: random.Random, number: int) -> bytes:
    """Something that is no request, or none that can be answered."""
    kinds = (
        b"",
        b"not json at all",
        b'{"jsonrpc": "2.0", "id": ',
        b"[]",
        b"null",
        b'{"jsonrpc": "1.0", "method": 7}',
        json.dumps({"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/call"}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": [1, 2]}).encode(),
        json.dumps(
            {"jsonrpc": "2.0", "id": 10 + number, "method": "no/such", "params": {}}
        ).encode(),
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 10 + number,
                "method": "tools/call",
                "params": {"name": "memory_read", "arguments": {"tier": 3}},
            }
        ).encode(),
        bytes(dice.randrange(32, 255) for _ in range(dice.randrange(1, 200))),
        b'{"jsonrpc": "2.0", "id": 10, "method": "' + b"x" * 5_000 + b'"}',
        b"[" * 2_000,
        b'{"jsonrpc": "2.0", "id": 10, "method": "ping", "params": {"a": NaN}}',
        b'{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": {"name": "\xed\xa0\x80"}}',
    )
    return dice.choice(kinds)

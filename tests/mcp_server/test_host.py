"""Clients through relays to the one host of a data root, as processes."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.relay.meeting_point import MeetingPoint
from inklings_desktop.storage.engine.driver import sqlite_module
from tests.architecture.fresh_interpreter import run_fresh
from tests.mcp_server.agent_door import LOOM, STRANGER, is_free_and_sound
from tests.mcp_server.served_process import ServedProcess, initialize, serve_command, served
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.end2end

RELAYED = ("--linger", "0")
HEAVY = {"dataclasses", "pathlib", "typer", "sqlalchemy", "pydantic", "mcp", "numpy"}
IMPORTED = """
import json, sys
import inklings_desktop.cli.__main__
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def put(process: ServedProcess, number: int, text: str) -> dict[str, Any]:
    arguments = {"tier": "workspace", "content": text}
    answer = process.ask(number, "tools/call", name="memory_put", arguments=arguments)
    document: dict[str, Any] = answer["result"]["structuredContent"]
    return document


def hosts(root: Path) -> list[int]:
    """Process ids of the hosts of a data root."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = one.read_bytes().split(b"\0")
            if b"mcp-host" in words and os.fsencode(root) in words:
                found.append(int(one.parent.name))
    return found


def until_alone(root: Path) -> None:
    """Wait until no host is left."""
    deadline = time.monotonic() + HANG_SECONDS
    while hosts(root):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def contents(root: Path, workspace: str) -> list[str]:
    path = root / "workspaces" / workspace / "agents.db"
    with closing(sqlite_module().connect(path)) as connection:
        return [content for (content,) in connection.execute("SELECT content FROM memories")]


def test_the_relay_waits_for_no_library() -> None:
    assert set(run_fresh(IMPORTED)) & HEAVY == set()


def test_clients_share_one_host_and_keep_their_own_rights(world: tuple[Path, str]) -> None:
    root, _ = world
    with served(*world, LOOM, *RELAYED) as loom, served(*world, STRANGER, *RELAYED) as stranger:
        assert loom.begin()["result"]["serverInfo"]["name"] == "inklings"
        stranger.begin()
        (host,) = hosts(root)
        told = put(loom, 1, "The bell of Wend is cracked.")
        assert told["status"] == "stored"
        arguments = {"tier": "workspace", "content": "Not mine to write."}
        refused = stranger.ask(1, "tools/call", name="memory_put", arguments=arguments)
        assert refused["result"]["isError"]
        arguments = {"tier": "workspace", "query": "bell"}
        found = stranger.ask(2, "tools/call", name="memory_read", arguments=arguments)
        hits = found["result"]["structuredContent"]["hits"]
        assert [one["content"] for one in hits] == ["The bell of Wend is cracked."]
        assert hosts(root) == [host]
        for process in (loom, stranger):
            process.end_input()
            assert process.process.wait(HANG_SECONDS) == 0
            assert process.wrote_only_protocol()
    until_alone(root)
    assert is_free_and_sound(*world)


def test_relays_that_start_at_once_start_one_host(world: tuple[Path, str]) -> None:
    root, _ = world
    relays = [
        subprocess.Popen(
            serve_command(*world, LOOM, *RELAYED), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(5)
    ]
    for relay in relays:
        assert relay.stdin is not None
        relay.stdin.write(json.dumps(initialize()).encode() + b"\n")
        relay.stdin.flush()
    for relay in relays:
        assert relay.stdout is not None
        assert "result" in json.loads(relay.stdout.readline())
    assert len(hosts(root)) == 1
    for relay in relays:
        relay.communicate(timeout=HANG_SECONDS)
    until_alone(root)


def test_a_killed_host_loses_nothing_and_its_client_goes_on(world: tuple[Path, str]) -> None:
    root, workspace = world
    with served(*world, LOOM, *RELAYED) as process:
        process.begin()
        first = put(process, 1, "Said before the kill.")
        (host,) = hosts(root)
        os.kill(host, signal.SIGKILL)
        again = put(process, 2, "Said before the kill.")
        assert (again["memory"]["id"], again["already_known"]) == (first["memory"]["id"], True)
        assert put(process, 3, "Said after the kill.")["status"] == "stored"
        assert len([one for one in hosts(root) if one != host]) == 1
        process.end_input()
        assert process.process.wait(HANG_SECONDS) == 0
    until_alone(root)
    assert sorted(contents(root, workspace)) == ["Said after the kill.", "Said before the kill."]


def test_only_this_user_reaches_the_host(world: tuple[Path, str]) -> None:
    place = MeetingPoint(str(world[0]))
    with served(*world, LOOM, *RELAYED) as process:
        process.begin()
        folder = Path(place.address).parent
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "key").stat().st_mode & 0o777 == 0o600
        assert len(place.address) < 100
    until_alone(world[0])


def refusal(*command: str) -> tuple[int, str, str]:
    """Exit status, standard error, and the answer to ``initialize``."""
    done = subprocess.run(
        command,
        input=json.dumps(initialize()).encode() + b"\n",
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    answer = json.loads(done.stdout)
    assert answer["id"] == 0
    return done.returncode, done.stderr.decode().strip(), answer["error"]["message"]


@pytest.mark.parametrize("way", [RELAYED, ("--in-process",)])
def test_what_is_wrong_is_the_answer_to_the_first_request(
    world: tuple[Path, str], way: tuple[str, ...]
) -> None:
    root, _ = world
    missing = root.with_name("mistyped")
    status, said, told = refusal(*serve_command(missing, "x", LOOM, *way))
    assert (status, said) == (3, told)
    assert told.startswith(f"There is no memory of Inklings in {missing}.")
    assert not missing.exists()
    status, said, told = refusal(*serve_command(root, "Saltgras", LOOM, *way))
    assert (status, said) == (1, told)
    assert (
        told == "There is no workspace \u201cSaltgras\u201d here; there are \u201cSaltglass\u201d."
    )
    until_alone(root)
    (root / "agents.db").write_bytes(b"no database" * 1_000)
    status, said, told = refusal(*serve_command(root, "Saltglass", LOOM, *way))
    assert (status, said) == (3, told)
    assert "is damaged, or not a database" in told
    until_alone(root)


def test_without_a_name_the_workspace_is_the_one_that_is_granted(world: tuple[Path, str]) -> None:
    root, workspace = world

    def command(client: str) -> list[str]:
        words = serve_command(root, "", client, *RELAYED)
        at = words.index("--workspace")
        return words[:at] + words[at + 2 :]

    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        other = inklings.workspaces.create("Brine").id
        for client, places in (("one", [other]), ("both", [workspace, other])):
            rights = {right for one in places for right in preset_rights(ClientKind.EXTERNAL, one)}
            inklings.clients.grant(client, rights)
    done = subprocess.run(
        command("one"),
        input=json.dumps(initialize()).encode() + b"\n",
        capture_output=True,
        timeout=HANG_SECONDS,
        check=True,
    )
    assert "result" in json.loads(done.stdout)
    status, said, told = refusal(*command("both"))
    assert (status, said) == (1, told)
    assert told == (
        "Say which workspace is meant, with --workspace: there are \u201cSaltglass\u201d,"
        " \u201cBrine\u201d."
    )
    until_alone(root)


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_nothing_is_lost_or_doubled_while_relays_and_hosts_are_killed(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    root, workspace = world
    dice = random.Random(5)  # noqa: S311 - the same kills in every run
    acknowledged = []
    for number in range(reduced_or_full(3, 100)):
        with served(*world, LOOM, *RELAYED) as process:
            process.begin()
            if number % 3 == 1:
                for host in hosts(root):
                    os.kill(host, signal.SIGKILL)
            put(process, 1, f"Told in round {number}.")
            acknowledged.append(f"Told in round {number}.")
            arguments = {"tier": "workspace", "content": f"Perhaps told in round {number}."}
            call = {"name": "memory_put", "arguments": arguments}
            process.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
            time.sleep(dice.random() * 0.05)
            process.process.kill()
    until_alone(root)
    kept = contents(root, workspace)
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))


MOST_GROWN = 1.1


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_relays_that_come_and_are_killed_leave_nothing_behind(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    root, workspace = world
    (root / "settings.toml").write_text("[agents]\nwrites_per_minute = 100000\n", "utf-8")
    n_relays, seconds = reduced_or_full(4, 20), reduced_or_full(2, 60)
    with served(*world, LOOM, *RELAYED) as staying:
        staying.begin()
        until_by_meaning(staying)
        (host,) = hosts(root)
        begun = time.monotonic()
        with ThreadPoolExecutor(n_relays) as pool:
            lives = [
                pool.submit(short_lives, world, number, begun + seconds)
                for number in range(n_relays)
            ]
            time.sleep(seconds / 2)
            halfway = resident_bytes(host)
            acknowledged = [text for one in lives for text in one.result()]
        assert hosts(root) == [host]
        grown = resident_bytes(host) / halfway
        staying.end_input()
        assert staying.process.wait(HANG_SECONDS) == 0
    until_alone(root)
    kept = contents(root, workspace)
    assert len(acknowledged) >= n_relays
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))
    assert grown <= MOST_GROWN


def until_by_meaning(process: ServedProcess) -> None:
    """Wait until the host has loaded its model: nothing it does later takes as much memory."""
    arguments = {"tier": "workspace", "query": "bell"}
    for number in itertools.count(1_000):
        answer = process.ask(number, "tools/call", name="memory_read", arguments=arguments)
        if answer["result"]["structuredContent"]["mode"] == "hybrid":
            return
        assert number < 1_000 + HANG_SECONDS * 10
        time.sleep(0.1)


def short_lives(world: tuple[Path, str], number: int, until: float) -> list[str]:
    """Start one relay after the other and kill it while it writes; what was acknowledged."""
    dice = random.Random(number)  # noqa: S311 - the same kills in every run
    acknowledged = []
    for life in itertools.count():
        with served(*world, LOOM, *RELAYED) as process:
            process.begin()
            for turn in range(1, dice.randint(2, 5)):
                text = f"Relay {number} says in life {life}: {turn}."
                assert put(process, turn, text)["status"] == "stored"
                acknowledged.append(text)
            arguments = {"tier": "workspace", "content": f"Relay {number} dies in life {life}."}
            call = {"name": "memory_put", "arguments": arguments}
            for key in (100, 101):  # the second one says the same
                process.send({"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": call})
            time.sleep(dice.random() * 0.05)
            process.process.kill()
        if time.monotonic() >= until:
            return acknowledged
    raise AssertionError


def resident_bytes(process_id: int) -> int:
    """Memory of a process that lies in the machine's."""
    pages = Path(f"/proc/{process_id}/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")

"""A checkpoint is data, whatever somebody has put in its place: it is refused, or it is inert."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

from inklings_desktop.agent.graph.serialising import FormerError, decode
from tests.support.run_states import THREAD, Bench, a_bench
from tests.support.sqlite_store import raw

CONFIG: Any = {"configurable": {"thread_id": THREAD}}
CANARY = "hostile_checkpoint_was_run"
RUN = f"touch {CANARY}"
NEVER_IMPORTED = "antigravity"


class Trap:
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return os.system, (RUN,)


def packed() -> bytes:
    """What LangGraph's own serialiser makes of an object."""
    return JsonPlusSerializer().dumps_typed(Command(goto="persist"))[1]


def with_channel(name: str, value: object) -> Callable[[dict[str, Any]], object]:
    def forge(checkpoint: dict[str, Any]) -> object:
        return checkpoint | {"channel_values": checkpoint["channel_values"] | {name: value}}

    return forge


def tagged(tag: str, value: object, **more: object) -> Callable[[dict[str, Any]], object]:
    return with_channel("other", {"~": tag, "v": value, **more})


def with_field(name: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda checkpoint: checkpoint | {name: value}


def text(of: str) -> Callable[[dict[str, Any]], object]:
    """A body in which a channel holds this text of JSON, whatever it is."""

    def forge(checkpoint: dict[str, Any]) -> object:
        whole = json.dumps(with_channel("other", "HERE")(checkpoint))
        return whole.replace('"HERE"', of).encode()

    return forge


CALL = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [RUN], "kwargs": {}}
REFUSED: dict[str, object] = {
    "nothing": b"",
    "noise": bytes(range(256)),
    "pickle": pickle.dumps(Trap()),
    "pickle_of_a_name": f"cos\nsystem\n(S'{RUN}'\ntR.".encode(),
    "msgpack": packed(),
    "text": "a text where bytes belong",
    "utf16": "{}".encode("utf-16"),
    "list": [],
    "null": None,
    "number": 7,
    "half": lambda checkpoint: json.dumps(checkpoint).encode()[:-9],
    "deep": b"[" * 200_000,
    "nan": text("NaN"),
    "infinite": text("1e999"),
    "endless_number": text("9" * 5_000),
    "unknown_tag": tagged("object", NEVER_IMPORTED),
    "tag_of_a_class": tagged("os.system", RUN),
    "tag_with_more": tagged("tuple", [], x=1),
    "tag_alone": with_channel("other", {"~": "tuple"}),
    "tuple_of_an_object": tagged("tuple", {"a": 1}),
    "bytes_of_no_base64": tagged("bytes", "***"),
    "bytes_beyond_ascii": tagged("bytes", "é"),
    "interrupt_without_id": tagged("interrupt", [1]),
    "interrupt_of_a_class": tagged("interrupt", [1, "id", NEVER_IMPORTED]),
    "send_to_no_name": tagged("send", [["persist"], 1]),
    "error_of_a_list": tagged("error", ["SystemExit"]),
    "keys_that_are_none": tagged("dict", [[["a"], 1]]),
    "no_version": with_field("v", "4"),
    "another_id": with_field("id", "1f0"),
    "no_channels": with_field("channel_values", []),
    "versions_of_text": with_field("channel_versions", {"turn": "9" * 40}),
    "seen_of_text": with_field("versions_seen", {"plan": "all"}),
    "updated_of_objects": with_field("updated_channels", [{}]),
    "sends_waiting": with_field("pending_sends", [{"~": "send", "v": ["persist", {}]}]),
    "history_of_text": with_channel("history", "all of it"),
    "history_replaced": with_channel("history", {"__overwrite__": []}),
    "history_unmeasured": with_channel("history", [{"role": "user"}]),
    "calls_of_names": with_channel("calls", ["memory_forget"]),
    "spent_of_text": with_channel("spent", {"steps": "many"}),
    "touched_unnamed": with_channel("touched", [{"id": ["a"]}]),
    "tasks_unnamed": with_channel("tasks", [{}]),
    "turn_of_a_list": with_channel("turn", [1]),
    "scratch_of_a_list": with_channel("scratch", []),
}
INERT: dict[str, tuple[Callable[[dict[str, Any]], object], object]] = {
    "langchain_constructor": (with_channel("context", CALL), CALL),
    "python_object": (with_channel("context", {"py/object": "os.system"}), None),
    "class_and_module": (
        with_channel("context", {"__class__": "Trap", "__module__": NEVER_IMPORTED}),
        None,
    ),
    "unknown_channel": (with_channel("__builtins__", {"eval": RUN}), None),
}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A turn that waits for an answer, and a folder in which a command would leave a file."""
    monkeypatch.chdir(tmp_path)
    with a_bench(tmp_path / "root") as bench:
        asyncio.run(bench.talk().begin())
        yield bench
    assert not (tmp_path / CANARY).exists()
    assert NEVER_IMPORTED not in sys.modules


def forge(bench: Bench, body: object) -> None:
    """Put this in the place of the newest checkpoint."""
    newest = bench.runs.checkpoint(THREAD, "")
    assert newest is not None
    if callable(body):
        body = body(json.loads(newest.body))
    if not isinstance(body, bytes | str):
        body = json.dumps(body).encode()
    with raw(bench.path) as connection:
        connection.execute(
            "UPDATE run_checkpoints SET body = ? WHERE checkpoint_id = ?",
            (body, newest.checkpoint_id),
        )


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_checkpoint(bench: Bench, name: str) -> None:
    forge(bench, REFUSED[name])
    imported = set(sys.modules)

    talk = bench.talk()
    found = asyncio.run(talk.saver.aget_tuple(CONFIG))
    is_parked = asyncio.run(talk.saver.is_parked(THREAD))
    asyncio.run(talk.begin("t2"))

    assert found is None
    assert is_parked
    assert set(sys.modules) == imported
    assert talk.visited == ["plan", "decide"]
    assert not asyncio.run(talk.saver.is_parked(THREAD))


@pytest.mark.parametrize("name", INERT)
def test_what_means_something_elsewhere_is_a_plain_object_here(bench: Bench, name: str) -> None:
    forged, context = INERT[name]
    forge(bench, forged)
    imported = set(sys.modules)

    talk = bench.talk()
    found = asyncio.run(talk.saver.aget_tuple(CONFIG))
    said = asyncio.run(talk.say(Command(resume="once")))

    assert found is not None
    if context is not None:
        assert found.checkpoint["channel_values"]["context"] == context
    assert set(sys.modules) == imported
    assert talk.visited == ["decide", "persist"]
    assert [one["told"] for one in said["history"]] == ["once"]


@pytest.mark.parametrize("column", ["metadata", "written"])
@pytest.mark.parametrize("body", [b"", pickle.dumps(Trap()), b"[1]", b'{"step": "1"}', packed()])
def test_what_lies_beside_a_checkpoint_is_read_no_more_trustingly(
    bench: Bench, column: str, body: bytes
) -> None:
    statement = (
        "UPDATE run_checkpoints SET metadata = ?"
        if column == "metadata"
        else "UPDATE run_writes SET body = ? WHERE channel = '__interrupt__'"
    )
    with raw(bench.path) as connection:
        assert connection.execute(statement, (body,)).rowcount > 0
    talk = bench.talk()

    assert asyncio.run(talk.saver.aget_tuple(CONFIG)) is None
    asyncio.run(talk.begin("t2"))
    assert talk.visited == ["plan", "decide"]


def test_a_name_that_sorts_behind_all_others_does_not_stay_the_newest(bench: Bench) -> None:
    with raw(bench.path) as connection:
        connection.execute(
            "INSERT INTO run_checkpoints SELECT thread_id, ns, 'zzz', NULL, 1, x'7b', metadata"
            " FROM run_checkpoints LIMIT 1"
        )
    talk = bench.talk()

    asyncio.run(talk.begin("t2"))
    said = asyncio.run(talk.say(Command(resume="once")))

    assert [one["told"] for one in said["history"]] == ["once"]
    assert "zzz" not in {one.checkpoint_id for one in bench.runs.checkpoints(THREAD)}


def test_an_exception_comes_back_as_none_of_its_kind() -> None:
    error = decode(b'{"~":"error","v":"SystemExit"}')

    assert type(error) is FormerError
    assert error.args == ("SystemExit",)

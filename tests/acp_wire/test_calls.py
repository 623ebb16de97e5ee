from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.acp_wire import calls
from inklings_desktop.acp_wire.calls import (
    MAX_LINE_BYTES,
    Answered,
    Asked,
    LineSplitter,
    Told,
    Waiting,
)
from inklings_desktop.acp_wire.shapes import bounded, call_outcome, line_of, number_of, text_of


@pytest.mark.parametrize(
    ("line", "call"),
    [
        (calls.request(3, "a/b", {"x": 1}), Asked(3, "a/b", {"x": 1})),
        (calls.notification("a", {}), Told("a", {})),
        (calls.answer("q", {"y": 2}), Answered("q", {"y": 2}, None)),
        (calls.refusal(4, -1, "no"), Answered(4, None, {"code": -1, "message": "no"})),
        (b'{"id":1,"result":null}', Answered(1, None, None)),
        (b'{"id":1,"error":"odd"}', Answered(1, None, {"message": "odd"})),
        (b'{"method":"a","params":[1],"unknown":true}', Told("a", {})),
        (b'{"method":"a","id":true}', Told("a", {})),
    ],
)
def test_a_line_means_a_call(line: bytes, call: calls.Call) -> None:
    assert calls.read(line) == call


@pytest.mark.parametrize(
    "line",
    [b"", b"Listening on stdio", b"[1]", b"{}", b'{"id":1}', b'{"id":[1],"result":1}', b"\xff\xfe",
     b"[" * 100_000, b'"x"'],
)  # fmt: skip
def test_noise_is_no_call(line: bytes) -> None:
    assert calls.read(line) is None


def test_text_goes_out_whole_on_one_line() -> None:
    line = calls.notification("a", {"text": "Zeile\nzwei \u2028 \U0001f30a \ud800"})
    assert line.count(b"\n") == 1
    assert json.loads(line)["params"]["text"] == "Zeile\nzwei \u2028 \U0001f30a ?"


def test_an_answer_is_taken_once() -> None:
    waiting: Waiting[str] = Waiting()
    first, second = waiting.add("first"), waiting.add("second")
    assert (waiting.take(first), waiting.take(first), waiting.take("1")) == ("first", None, None)
    assert first != second
    assert waiting.take_all() == ["second"]
    assert len(waiting) == 0


def lines_of(splitter: LineSplitter) -> list[bytes]:
    found = []
    while (line := splitter.next()) is not None:
        found.append(line)
    return found


@given(
    st.lists(st.binary(max_size=40).filter(lambda one: b"\n" not in one), max_size=12),
    st.lists(st.integers(1, 9), min_size=1),
)
def test_however_a_stream_is_cut_the_lines_are_the_same(
    lines: list[bytes], cuts: list[int]
) -> None:
    stream, splitter, at, turn = b"".join(one + b"\n" for one in lines), LineSplitter(), 0, 0
    while at < len(stream):
        size = cuts[turn % len(cuts)]
        splitter.feed(stream[at : at + size])
        at, turn = at + size, turn + 1
    assert lines_of(splitter) == [one for one in lines if one.strip()]
    assert splitter.n_waiting == 0


def test_a_line_that_is_not_ended_waits() -> None:
    splitter = LineSplitter()
    splitter.feed(b'{"a":')
    assert splitter.next() is None
    assert not splitter.has_lines
    splitter.feed(b"1}\n")
    assert splitter.next() == b'{"a":1}'


def test_a_frame_of_eight_mib_is_read_and_a_longer_one_is_left_out() -> None:
    splitter = LineSplitter()
    whole = b"x" * MAX_LINE_BYTES
    for piece in (whole, b"\n", whole, b"yz", b"more", b"\nshort\n"):
        splitter.feed(piece)
    assert [len(one) for one in lines_of(splitter)] == [MAX_LINE_BYTES, 5]
    assert (splitter.n_too_long, splitter.n_waiting) == (1, 0)


def test_a_line_that_never_ends_takes_no_memory() -> None:
    splitter = LineSplitter(most=1000)
    for _ in range(100):
        splitter.feed(b"x" * 500)
    assert (splitter.n_waiting, splitter.n_too_long) == (0, 1)


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("  two\n lines ", "two lines"),
        ("Allow \u202eeruces\u202c\x1b[2J", "Allow eruces [2J"),
        ("x" * 900, "x" * 500),
        (None, ""),
        (5, ""),
        (["a"], ""),
    ],
)
def test_a_line_is_one_line_that_hides_nothing(told: object, line: str) -> None:
    assert line_of(told) == line


def test_text_keeps_its_lines_and_loses_what_turns_it() -> None:
    assert text_of("a\n\tb\u202ec\x00\x1b[0m") == "a\n\tbc[0m"


@pytest.mark.parametrize("told", [True, -1, "1", None, float("nan"), float("inf"), 2**60])
def test_what_is_no_number_is_none(told: object) -> None:
    assert number_of(told) is None


def test_arguments_that_are_too_large_keep_their_names() -> None:
    assert bounded({"text": "x" * 100_000, "tier": "workspace"}) == {"text": "…", "tier": "…"}
    deep: dict[str, Any] = {}
    inner = deep
    for _ in range(5000):
        inner["a"] = inner = {}
    assert bounded(deep) == {"a": "…"}
    assert bounded("no object") == {}


def test_the_outcome_of_a_call_is_its_text() -> None:
    content: list[object] = [
        {"type": "content", "content": {"type": "text", "text": "done"}},
        {"type": "diff", "path": "a.md", "newText": "x"},
        {"type": "hologram"},
        7,
    ]
    assert call_outcome({"content": content}) == "done\na.md"

from __future__ import annotations

import json

import pytest

from inklings_desktop.acp_wire import calls
from inklings_desktop.acp_wire.calls import Answered, Asked, Told, Waiting


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

from __future__ import annotations

import enum
import json
import math
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.types import Command, Interrupt, Overwrite, Send

from inklings_desktop.agent.graph.serialising import (
    Checkpoints,
    FormerError,
    TaggedJson,
    UnreadableStateError,
    UnstorableStateError,
    decode,
    encode,
)

KEYS = st.one_of(st.text(max_size=5), st.sampled_from(["~", "v", "__overwrite__", "lc"]))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None), max_size=20)
    | st.binary(max_size=20)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=20,
)


class Word(enum.StrEnum):
    ONCE = "once"


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


@given(VALUES)
def test_what_goes_in_comes_out(value: Any) -> None:
    assert repr(decode(encode(value))) == repr(value)


def test_what_the_graph_needs_comes_out_as_it_went_in() -> None:
    asked = Interrupt(value={"call": ("a", b"\x00")}, id="i1", response_schema={"type": "object"})
    value = {"asked": (asked,), "tasks": [Send("act", {"id": "t1"})]}

    assert decode(encode(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        object(), {1, 2}, {1: "a"}, {None: 1}, math.nan, math.inf, 1j, Word.ONCE, OrderedDict(a=1),
        bytearray(b"a"), lambda: 1, ValueError, Overwrite([]), Command(goto="act"),
        Send("act", 1, timeout=3.0), Interrupt(value=1, id="i", response_schema=int),
        Interrupt(value=object(), id="i"), deep(),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_anything_else_is_refused_however_deep_it_lies(value: Any) -> None:
    for holding in (value, [{"a": (value,)}]):
        with pytest.raises(UnstorableStateError):
            encode(holding)


def test_an_exception_is_the_name_of_its_class() -> None:
    error = decode(encode(KeyError("what somebody wrote")))

    assert isinstance(error, FormerError)
    assert error.args == ("KeyError",)
    assert b"wrote" not in encode(KeyError("what somebody wrote"))


def test_only_the_own_form_is_read() -> None:
    assert TaggedJson().loads_typed(TaggedJson().dumps_typed((1,))) == (1,)
    with pytest.raises(UnreadableStateError):
        TaggedJson().loads_typed(("msgpack", b"\x01"))


def checkpoint(version: int, **values: object) -> dict[str, Any]:
    versions = dict.fromkeys(values, version)
    return {"v": 4, "id": "c", "channel_values": values, "channel_versions": versions}


def test_of_one_checkpoint_after_the_other_each_says_what_it_holds() -> None:
    checkpoints = Checkpoints()
    history: list[Any] = [{"said": "früh"}]
    steps = [
        checkpoint(1, history=history, plan=()),
        checkpoint(1, history=history, turn={"~": 1}),
        checkpoint(2, history=[*history, {"said": "late"}]),
        checkpoint(2, history=[]),
        checkpoint(3),
    ]

    bodies = [checkpoints.encode(one) for one in steps]

    assert [decode(one) for one in bodies] == steps
    assert [list(json.loads(one)) for one in bodies] == [
        ["v", "id", "channel_versions", "channel_values"]
    ] * len(steps)


def test_of_another_version_a_channel_is_written_anew() -> None:
    checkpoints, said = Checkpoints(), ["a"]
    checkpoints.encode(checkpoint(1, said=said))
    said.append("b")

    assert decode(checkpoints.encode(checkpoint(2, said=said))) == checkpoint(2, said=["a", "b"])

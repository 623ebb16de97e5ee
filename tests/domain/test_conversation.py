from __future__ import annotations

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import IllegalTransitionError, InvalidValueError
from inklings_desktop.domain.rooms.conversation import (
    BASE62,
    MAX_NOTE_BYTES,
    MAX_NOTE_DEPTH,
    ConversationState,
    checked_name,
    checked_note_key,
    checked_title,
    new_ref_code,
    next_state,
    note_json,
    parse_note_value,
)

ACTIVE, IDLE, ARCHIVED = ConversationState


@pytest.mark.parametrize(
    ("current", "wanted", "force"),
    [
        (ACTIVE, IDLE, False),
        (ACTIVE, IDLE, True),
        (IDLE, ARCHIVED, False),
        (IDLE, ARCHIVED, True),
        (ACTIVE, ARCHIVED, True),
    ],
)
def test_legal_steps_lead_where_they_should(
    current: ConversationState, wanted: ConversationState, *, force: bool
) -> None:
    assert next_state(current, wanted, force=force) is wanted


@pytest.mark.parametrize(
    ("current", "wanted", "force"),
    [
        (current, wanted, force)
        for current in ConversationState
        for wanted in ConversationState
        for force in (False, True)
        if (current, wanted) not in {(ACTIVE, IDLE), (IDLE, ARCHIVED)}
        and not (force and (current, wanted) == (ACTIVE, ARCHIVED))
    ],
)
def test_every_other_step_is_refused(
    current: ConversationState, wanted: ConversationState, *, force: bool
) -> None:
    with pytest.raises(IllegalTransitionError) as caught:
        next_state(current, wanted, force=force)
    assert (caught.value.current, caught.value.wanted) == (current.value, wanted.value)


@given(st.lists(st.tuples(st.sampled_from(ConversationState), st.booleans()), max_size=20))
def test_a_conversation_never_comes_back(steps: list[tuple[ConversationState, bool]]) -> None:
    order = list(ConversationState)
    state = ACTIVE
    for wanted, force in steps:
        try:
            state_after = next_state(state, wanted, force=force)
        except IllegalTransitionError:
            continue
        assert order.index(state_after) > order.index(state)
        state = state_after


def test_ref_codes_have_eleven_base62_characters() -> None:
    codes = {new_ref_code() for _ in range(500)}
    assert len(codes) == 500
    assert all(re.fullmatch(r"[0-9A-Za-z]{11}", code) for code in codes)
    assert len(set(BASE62)) == 62


@pytest.mark.parametrize(
    ("given_name", "stored"),
    [
        (" Map room ", "Map room"),
        ("東京\u3000会議", "東京\u3000会議"),
        ("می‌خواهم", "می‌خواهم"),
        ("Family 👩‍👩‍👧", "Family 👩‍👩‍👧"),
        ("e\u0301", "\u00e9"),
        ("x" * 120, "x" * 120),
    ],
)
def test_names_of_all_scripts_are_kept(given_name: str, stored: str) -> None:
    assert checked_name(given_name) == stored


@pytest.mark.parametrize(
    ("given_name", "rule"),
    [
        ("", "empty"),
        (" \u200b ", "empty"),
        ("\u3164", "empty"),
        ("x" * 121, "too_long"),
        ("a\nb", "control_characters"),
        ("a\x07b", "control_characters"),
        ("gen\u200beral", "control_characters"),
        ("a\u202eb", "control_characters"),
        ("a\ud800", "control_characters"),
        (None, "type"),
        (7, "type"),
    ],
)
def test_names_that_are_no_line_of_text_are_refused(given_name: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_name(given_name)
    assert (caught.value.field, caught.value.rule) == ("name", rule)


def test_a_title_may_be_empty() -> None:
    assert checked_title("  ") == ""
    assert checked_title(" The toll ") == "The toll"
    with pytest.raises(InvalidValueError) as caught:
        checked_title(None)
    assert caught.value.field == "title"


@pytest.mark.parametrize("key", ["pages", "draft position", "章", "x" * 128, " a "])
def test_note_keys_are_kept_as_given(key: str) -> None:
    assert checked_note_key(key) == key


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("\u200d", "empty"),
        ("x" * 129, "too_long"),
        ("a\n", "control_characters"),
        ("a\x00", "control_characters"),
        ("\udcff", "control_characters"),
        (1, "type"),
    ],
)
def test_note_keys_that_are_no_line_of_text_are_refused(key: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_note_key(key)
    assert (caught.value.field, caught.value.rule) == ("key", rule)


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, "", "ünï", [], {}, {"pages": [3, {"of": 5}]}, "\x00", 10**30]
)
def test_json_values_come_back_as_they_were(value: object) -> None:
    assert json.loads(note_json(value)) == value


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def circular() -> object:
    value: list[object] = []
    value.extend([value, value])
    return value


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (math.nan, "json"),
        (math.inf, "json"),
        ({"a": [-math.inf]}, "json"),
        ({1, 2}, "json"),
        (b"bytes", "json"),
        ("\ud800", "json"),
        pytest.param(10**5000, "json", id="huge number"),
        ({(1, 2): 3}, "json"),
        pytest.param(nested(MAX_NOTE_DEPTH + 1), "too_deep", id="one too deep"),
        pytest.param(nested(100_000), "too_deep", id="far too deep"),
        pytest.param(circular(), "too_deep", id="circular"),
        pytest.param("x" * MAX_NOTE_BYTES, "too_long", id="too long"),
    ],
)
def test_values_that_are_no_json_are_refused(value: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        note_json(value)
    assert (caught.value.field, caught.value.rule) == ("value", rule)


def test_values_up_to_their_bounds_are_kept() -> None:
    assert len(note_json("x" * (MAX_NOTE_BYTES - 2))) == MAX_NOTE_BYTES
    assert json.loads(note_json(nested(MAX_NOTE_DEPTH))) == nested(MAX_NOTE_DEPTH)


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ('"a"', "a"), ("[1, 2.5]", [1, 2.5]), ('{"a": null}', {"a": None})],
)
def test_typed_values_are_parsed(text: str, value: object) -> None:
    assert parse_note_value(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pages",
        "{",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        '{"a": 1e999}',
        pytest.param("1" * 5000, id="huge number"),
        pytest.param("[" * 100_000, id="unclosed"),
        pytest.param("[" * 1000 + "]" * 1000, id="deep"),
    ],
)
def test_typed_values_that_are_no_json_are_refused(text: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        parse_note_value(text)
    assert caught.value.field == "value"

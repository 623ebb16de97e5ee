"""What must hold of what comes of a skill (test 57 of the agent's design: assertions)."""

from __future__ import annotations

from typing import Any

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.skills.assertions import (
    all_hold,
    assertions_of,
    findings_of,
    questions_in,
)

GIVEN = "Nerys met Pell at the ford."


def holds(check: str, value: Any, output: object) -> bool | None:
    said = {"check": check} | ({} if value is None else {"value": value})
    (found,) = findings_of(assertions_of([said]), output, GIVEN)
    return found.holds


@pytest.mark.parametrize(
    ("check", "value", "good", "bad"),
    [
        ("type", "object", {}, []),
        ("type", "array", [], {}),
        ("type", "string", "text", 1),
        ("type", "number", 1.5, True),
        ("type", "boolean", False, 0),
        ("required_keys", ["found", "lines"], {"found": 1, "lines": [], "more": 2}, {"found": 1}),
        ("required_keys", ["found"], {"found": None}, "found"),
        ("max_length", 5, "12345", "123456"),
        ("min_items", 2, [1, 2], [1]),
        ("min_items", 2, "- one\n- two", "- one"),
        ("min_items", 2, "1. one\n2) two", "none"),
        ("regex", "^Chapter \\d+", "Chapter 12: the ford", "The Chapter 12"),
        ("no_new_names", None, "Then Pell went with Nerys.", "Then Orla went with Nerys."),
        ("no_new_names", None, "So it was. Nothing is missing.", "It was at the Saltglass."),
    ],
)
def test_each_rule_holds_or_is_broken(check: str, value: Any, good: object, bad: object) -> None:
    assert holds(check, value, good) is True
    assert holds(check, value, bad) is False


def test_a_rule_for_a_model_is_left_open_and_breaks_nothing() -> None:
    rules = assertions_of([{"check": "judge", "value": "Is it kind?"}])
    found = findings_of(rules, "No.", "")
    assert [one.holds for one in found] == [None]
    assert all_hold(found)


def test_what_broke_is_said() -> None:
    rules = assertions_of(
        [
            {"check": "required_keys", "value": ["a", "b"]},
            {"check": "max_length", "value": 1},
            {"check": "no_new_names"},
        ]
    )
    found = findings_of(rules, {"a": "saw Orla"}, "")
    assert [one.got for one in found] == ["b", "17", "Orla"]
    assert found[0].payload() == {
        "check": "required_keys",
        "value": ["a", "b"],
        "holds": False,
        "got": "b",
    }
    assert not all_hold(found)


@pytest.mark.parametrize(
    "said",
    [
        "none",
        ["none"],
        [{"check": "run"}],
        [{"check": "type", "value": "date"}],
        [{"check": "required_keys", "value": []}],
        [{"check": "max_length", "value": -1}],
        [{"check": "max_length", "value": True}],
        [{"check": "no_new_names", "value": 1}],
        [{"check": "judge", "value": " "}],
        [{"check": "regex", "value": "(a)\\1"}],
        [{"check": "type", "value": "array"}] * 41,
    ],
)
def test_a_rule_that_nobody_can_check_is_refused(said: object) -> None:
    with pytest.raises(InvalidValueError):
        assertions_of(said)


def test_what_a_model_said_goes_to_the_questions_in_order() -> None:
    rules = assertions_of([
        {"check": "judge", "value": "Is it short?"},
        {"check": "max_length", "value": 3},
        {"check": "judge", "value": "Is it kind?"},
        {"check": "judge", "value": "Is it true?"},
    ])  # fmt: skip
    assert questions_in(rules) == ("Is it short?", "Is it kind?", "Is it true?")
    found = findings_of(rules, "Yes", GIVEN, (True, False))
    assert [one.holds for one in found] == [True, True, False, None]
    assert not all_hold(found)

"""What must hold of what comes of a skill: rules for a machine, and one for a model."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.linear_pattern import LinearPattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_ASSERTIONS = 40
MAIN = ""
"""Stands for SKILL.md where an assertion names no file."""
_NAME = re.compile(r"(?:(?<=\w )|(?<=\w[,;:] ))[A-Z\u00c0-\u00de][\w'\u2019-]*\w")
"""A word with a capital that does not begin a sentence."""
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "number": (int, float),
    "boolean": (bool,),
}  # fmt: skip


class Check(StrEnum):
    """How an assertion looks."""

    TYPE = "type"
    REQUIRED_KEYS = "required_keys"
    MAX_LENGTH = "max_length"
    REGEX = "regex"
    MIN_ITEMS = "min_items"
    NO_NEW_NAMES = "no_new_names"
    JUDGE = "judge"
    """A model answers yes or no; without one it is left open."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One rule.

    Attributes:
        check: How it looks.
        value: A type's name, keys, a number, a pattern, or the question for a model; None where the
            rule needs none.
        on: The file whose outcome it is about; empty for SKILL.md.
    """

    check: Check
    value: Any = None
    on: str = MAIN

    def payload(self) -> dict[str, Any]:
        """As it is written and kept; ``assertions_of`` reads it again."""
        said: dict[str, Any] = {"check": self.check.value}
        if self.value is not None:
            said["value"] = list(self.value) if isinstance(self.value, tuple) else self.value
        return said | ({"on": self.on} if self.on else {})


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one assertion.

    Attributes:
        holds: None where nobody could tell: it needs a model.
        got: What there was instead, in few words.
    """

    assertion: Assertion
    holds: bool | None
    got: str = ""

    def payload(self) -> dict[str, Any]:
        """As a trace keeps it."""
        return self.assertion.payload() | {"holds": self.holds, "got": self.got}


def assertions_of(said: object) -> tuple[Assertion, ...]:
    """Assertions as a skill's head or a row holds them.

    Raises:
        InvalidValueError: One of them is none; ``limit`` says which, counted from 1.
    """
    if said is None:
        return ()
    if not isinstance(said, list) or len(said) > MAX_ASSERTIONS:
        raise InvalidValueError("assertion", "form", MAX_ASSERTIONS)
    return tuple(_assertion(one, number) for number, one in enumerate(said, 1))


def findings_of(
    assertions: Iterable[Assertion], output: object, given: str, judged: Iterable[bool | None] = ()
) -> tuple[Finding, ...]:
    """What holds of an outcome.

    Args:
        output: Text, or what JSON can say.
        given: The input, as text: whose names it may use.
        judged: What a model said to each question for one, in order; None where it said nothing.
    """
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    said = iter(judged)
    return tuple(
        Finding(one, next(said, None))
        if one.check is Check.JUDGE
        else _finding(one, output, text, given)
        for one in assertions
    )


def questions_in(assertions: Iterable[Assertion]) -> tuple[str, ...]:
    """What a model is to say yes or no to, in order."""
    return tuple(str(one.value) for one in assertions if one.check is Check.JUDGE)


def all_hold(findings: Iterable[Finding]) -> bool:
    """Whether none is broken; one that nobody could check breaks nothing."""
    return all(one.holds is not False for one in findings)


def _assertion(said: object, number: int) -> Assertion:
    if not isinstance(said, dict):
        raise InvalidValueError("assertion", "form", number)
    try:
        check = Check(str(said.get("check", "")))
    except ValueError as error:
        raise InvalidValueError("assertion", "unknown", number) from error
    value = said.get("value")
    if check is Check.REQUIRED_KEYS and isinstance(value, list):
        value = tuple(map(str, value))
    if not _is_sound(check, value):
        raise InvalidValueError("assertion", "value", number)
    return Assertion(check, value, str(said.get("on") or MAIN))


def _is_sound(check: Check, value: Any) -> bool:
    """Whether a rule of this kind can have this value."""
    match check:
        case Check.TYPE:
            return value in _TYPES
        case Check.REQUIRED_KEYS:
            return isinstance(value, tuple) and bool(value)
        case Check.MAX_LENGTH | Check.MIN_ITEMS:
            return _is_count(value)
        case Check.REGEX:
            return isinstance(value, str) and LinearPattern(value) is not None
        case Check.NO_NEW_NAMES:
            return value is None
        case Check.JUDGE:
            return isinstance(value, str) and bool(value.strip())


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _finding(one: Assertion, output: object, text: str, given: str) -> Finding:
    check, value = one.check, one.value
    if check is Check.TYPE:
        is_it = isinstance(output, _TYPES[value])
        if value == "number" and isinstance(output, bool):
            is_it = False
        return Finding(one, is_it, _type_of(output))
    if check is Check.REQUIRED_KEYS:
        there = output if isinstance(output, dict) else {}
        missing = [key for key in value if key not in there]
        return Finding(one, not missing, ", ".join(missing))
    if check is Check.MAX_LENGTH:
        return Finding(one, len(text) <= value, str(len(text)))
    if check is Check.MIN_ITEMS:
        n_items = len(output) if isinstance(output, list) else len(_ITEM.findall(text))
        return Finding(one, n_items >= value, str(n_items))
    if check is Check.REGEX:
        return Finding(one, LinearPattern(value).is_in(text))
    known = given.casefold()
    new = [name for name in dict.fromkeys(_NAME.findall(text)) if name.casefold() not in known]
    return Finding(one, not new, ", ".join(new[:5]))


def _type_of(output: object) -> str:
    if output is None:
        return "null"
    if isinstance(output, bool):
        return "boolean"
    return next(name for name, types in _TYPES.items() if isinstance(output, types))

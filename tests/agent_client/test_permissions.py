from __future__ import annotations

from typing import Any

import pytest
from acp import schema

from inklings_desktop.agent_client import permissions
from inklings_desktop.agent_client.rows import AskBlock, Choice, Option

OPTIONS = (
    Option("once", "Allow", "allow_once"),
    Option("deny", "No", "reject_once"),
    Option("later", "Later", "reject_once"),
)


def test_escape_is_the_first_option_that_rejects() -> None:
    assert permissions.rejecting(AskBlock("1", "x", options=OPTIONS)) == OPTIONS[1]
    assert permissions.rejecting(AskBlock("1", "x", options=OPTIONS[:1])) is None


@pytest.mark.parametrize(
    ("option", "outcome"),
    [("once", "allowed_once"), ("deny", "denied"), ("later", "later"), ("x", "withdrawn")],
)
def test_an_option_means_an_outcome(option: str, outcome: str) -> None:
    assert permissions.outcome_of(AskBlock("1", "x", options=OPTIONS), option) == outcome


def test_a_kind_that_is_not_known_does_not_allow() -> None:
    odd = AskBlock("1", "x", options=(Option("a", "Sure", "allow_everything"),))
    assert permissions.outcome_of(odd, "a") == "denied"


@pytest.mark.parametrize(
    "answer",
    [
        permissions.selected("once"),
        permissions.selected("once", ("a",)),
        permissions.cancelled(),
    ],
)
def test_answers_are_of_the_protocol(answer: dict[str, Any]) -> None:
    told = schema.RequestPermissionResponse.model_validate(answer)
    assert told.model_dump(by_alias=True, exclude_unset=True) == answer


def test_whatever_is_asked_becomes_a_card() -> None:
    odd: dict[str, Any] = {"toolCall": 5, "options": [1, {}, {"optionId": "a"}], "_meta": []}
    ask = permissions.question(odd, "1", is_ours=True)
    assert (ask.title, ask.kind, ask.options) == ("", "other", (Option("a", "", ""),))


CHOICES = [
    {"id": "a", "title": "Forget", "before": "The bell is cracked."},
    {"id": "b", "title": "Change", "before": "It rings at noon.", "after": "It rings at dusk."},
    {"id": "c", "title": "Use another tool", "before": None},
    "d",
]


def test_choices_of_our_own_agent_alone_are_shown_with_their_words() -> None:
    asked: dict[str, Any] = {"_meta": {"inklings": {"choices": CHOICES}}}
    assert permissions.question(asked, "1", is_ours=True).choices == (
        Choice("a", "The bell is cracked."),
        Choice("b", "It rings at noon.\n\u2192 It rings at dusk."),
        Choice("c", "Use another tool"),
    )
    assert permissions.question(asked, "1", is_ours=False).choices == ()


def test_an_answer_names_what_it_was_chosen_for() -> None:
    assert permissions.selected("once", ("a", "c")) == {
        "outcome": {"outcome": "selected", "optionId": "once"},
        "_meta": {"inklings": {"chosen": ["a", "c"]}},
    }

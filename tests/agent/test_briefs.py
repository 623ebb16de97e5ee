"""Briefs: what somebody is sent for never holds more than whoever sends them has."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.agent.memory_door.briefs import (
    COMPOSING,
    MAX_GOAL,
    Brief,
    Budget,
    Right,
    is_listed,
    permits,
    rights_of_author,
    wanted_brief,
)
from inklings_desktop.agent.memory_door.filters import BY_BRIEF, TEAM
from inklings_desktop.domain.errors import InvalidValueError

HERE, CHANNEL = "c1", "tolls"
HELD = rights_of_author(HERE, [CHANNEL])
TOOLS = st.sampled_from(
    [*sorted(BY_BRIEF), "memory_restore", "note_write", "scrub_execute", "spawn"]
)
TIERS = st.sampled_from(["conversation", "channel", "workspace", "account", ""])
SCOPES = st.sampled_from([HERE, CHANNEL, "maps", "c2", ""])
ASKED = st.lists(st.fixed_dictionaries({"tool": TOOLS, "tier": TIERS, "scope": SCOPES}), max_size=5)
FIGURES = st.one_of(st.integers(-5, 10_000), st.just("many"), st.none(), st.booleans())


def wanted(**arguments: Any) -> Brief:
    return wanted_brief("3", {"role": "worker", "goal": "Sort"} | arguments, HERE, CHANNEL)


@given(st.sampled_from(TEAM), ASKED, st.dictionaries(st.sampled_from(
    ["steps", "tool_calls", "seconds"]), FIGURES), TOOLS, TIERS, SCOPES)  # fmt: skip
def test_brief_only_shrinks(
    role: str, asked: list[dict[str, str]], budget: dict[str, Any], tool: str, tier: str, scope: str
) -> None:
    try:
        brief = wanted(role=role, allowed=asked, budget=budget)
    except InvalidValueError:
        return
    assert brief.allowed <= HELD
    most = wanted(role=role).budget
    assert most == (COMPOSING if role == "composer" else Budget())
    assert all(
        mine <= more for mine, more in zip(astuple(brief.budget), astuple(most), strict=True)
    )
    arguments = {"tier": tier, "scope": scope, "conversation": HERE, "key": brief.notes}
    if permits(role, tool, arguments, brief) and tool in BY_BRIEF:
        place = scope if tier in {"conversation", "channel"} else ""
        assert Right(tool, tier, place) in HELD
        assert tool in {one["tool"] for one in asked}
    smaller = brief.narrowed(list(brief.allowed)[:1], Budget(10_000, 1, 10_000))
    assert smaller.allowed <= brief.allowed
    assert smaller.budget == Budget(brief.budget.steps, 1, brief.budget.seconds)
    for right in HELD - brief.allowed:
        with pytest.raises(InvalidValueError):
            brief.narrowed([right])


@given(ASKED)
def test_only_the_orchestrator_spawns(asked: list[dict[str, str]]) -> None:
    for role in TEAM:
        try:
            brief = wanted(role=role, allowed=asked)
        except InvalidValueError:
            continue
        assert not is_listed(role, "spawn", brief)
        assert not is_listed("orchestrator", "spawn", brief)
        assert "spawn" not in {one.tool for one in brief.allowed}


def test_a_brief_takes_its_place_from_the_turn() -> None:
    brief = wanted(
        allowed=[{"tool": "memory_put", "tier": "channel"}, {"tool": "world_propose"}],
        inputs={"chapters": [2, 5]}, interactive=True, overlay="  Be\nstrict. ",
    )  # fmt: skip
    assert brief.allowed == {Right("memory_put", "channel", CHANNEL), Right("world_propose")}
    assert (brief.notes, brief.is_interactive, brief.overlay) == ("finding/3/", True, "Be strict.")
    assert brief.inputs == {"chapters": [2, 5]}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"role": "orchestrator"}, "role"),
        ({"goal": " "}, "goal"),
        ({"goal": "x" * (MAX_GOAL + 1)}, "goal"),
        ({"inputs": {"text": "x" * 5_000}}, "inputs"),
        ({"allowed": [{"tool": "memory_put", "tier": "account"}]}, "tier"),
        ({"allowed": [{"tool": "memory_put", "tier": "channel", "scope": "maps"}]}, "allowed"),
        ({"allowed": ["memory_restore"]}, "allowed"),
        ({"role": "researcher", "allowed": [{"tool": "world_propose"}]}, "allowed"),
    ],
)
def test_what_is_no_brief_is_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        wanted(**arguments)
    assert refused.value.field == field

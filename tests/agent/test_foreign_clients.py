"""Foreign clients of the agent, each with a process of it: what they hear is what the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.agent.foreign_clients import FORGET, KEPT, KINDS, PAGE, SAID, transcript

if TYPE_CHECKING:
    from tests.agent.conftest import World


@pytest.mark.slow
@pytest.mark.end2end
@pytest.mark.parametrize("kind", KINDS)
def test_a_foreign_client_hears_what_the_page_says(kind: str, world: World) -> None:
    heard = transcript(KINDS[kind], world)
    turns = heard.split("> ")
    asked = [turn for turn in turns if turn.startswith(f'session/prompt "{FORGET}"')]
    denied, stopped, allowed = asked
    assert "answered deny) failed" in denied
    assert "= cancelled" in stopped
    assert "answered once) completed" in allowed
    assert world.memories() == [KEPT]
    (loaded,) = (turn for turn in turns if turn.startswith("session/load"))
    assert [line for line in loaded.splitlines() if line.startswith("you: ")] == [
        f"you: {text}" for text, _ in SAID
    ]
    assert heard in PAGE.read_text(encoding="utf-8")

"""What was: the versions of a memory, and what happened, for whoever may read the one and other."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from tests.mcp_server.agent_door import STRANGER, AgentDoor

FIRST, SECOND, THIRD = (f"The gate of Sele closes at {one}." for one in ("dusk", "noon", "dawn"))


@pytest.fixture
def changed(door: AgentDoor) -> str:
    """Id of a memory that was changed twice."""
    kept = door.answer("memory_put", tier="workspace", content=FIRST, detail="full")["memory"]
    for version, text in enumerate((SECOND, THIRD), start=1):
        which = {"tier": "workspace", "id": kept["id"], "expected_version": version}
        door.answer("memory_update", **which, patch={"content": text})
    return str(kept["id"])


def test_versions_are_told_the_latest_first(door: AgentDoor, changed: str) -> None:
    told = door.answer("memory_history", id=changed[:8])
    assert (told["content"], told["version"]) == (THIRD, 3)
    assert [(one["version"], one["content"]) for one in told["versions"]] == [
        (2, SECOND), (1, FIRST),
    ]  # fmt: skip
    assert {one["action"] for one in told["versions"]} == {"edited"}
    assert all(one["until"] and one["changed_by"] for one in told["versions"])
    assert "what was" in told["note"]


def test_what_happened_is_told_without_a_word_of_what_was_written(
    door: AgentDoor, changed: str
) -> None:
    told = door.answer("event_list")
    kinds = [one["kind"] for one in told["events"]]
    assert kinds.count("memory.edited") == 2
    assert not any(one.startswith(("access.", "scrub.", "export.")) for one in kinds)
    assert changed in told["events"][0]["ids"]
    assert "gate" not in str(told)
    page = door.answer("event_list", limit=1, about="memory.edited")
    more = door.answer("event_list", limit=1, about="memory.edited", next=page["next"])
    assert (page["next"], more["next"]) == ("1", "2")
    assert page["events"][0]["at"] >= more["events"][0]["at"]
    assert door.answer("event_list", since="2999-01-01")["events"] == []
    assert "limit" in door.refusal("event_list", limit=0)


def test_who_may_not_read_hears_nothing_of_it(door: AgentDoor, changed: str) -> None:
    assert "no such memory" in door.refusal("memory_history", id="0" * 36)
    door.inklings.clients.grant(
        STRANGER, [Right(Tier.CONVERSATION, door.workspace.id, Action.READ)]
    )
    for tool, arguments in (("memory_history", {"id": changed}), ("event_list", {})):
        refused = door.call(tool, client=STRANGER, **arguments)
        assert refused.is_error
        assert FIRST not in refused.model_dump_json()

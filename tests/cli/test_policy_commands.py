"""``inklings policy`` and ``inklings working-memory`` on a real data root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from tests.support.builders import NOON

if TYPE_CHECKING:
    from tests.cli.console import Console

RULE = "Never show magic without its price."


@pytest.fixture
def fen(console: Console) -> Console:
    """A workspace with a domain, in which an agent keeps something."""
    made = console.document("workspace", "create", "Fen")["workspace"]["id"]
    console.document("domain", "create", "Canon")
    with (
        open_inklings(console.data_dir, workspace=made) as inklings,
        inklings.parts.store.write(made, initiator="scribe") as unit,
    ):
        for version, body in enumerate(("In chapter 11.", "In chapter 12."), start=1):
            kept = WorkingMemory("scribe", "", body, version, NOON)
            unit.knowledge.save_working_memory(kept)
        unit.commit()
    return console


def test_a_rule_is_made_listed_changed_and_switched(fen: Console) -> None:
    rule = fen.document("policy", "add", RULE, "--domain", "canon", "--always")["policy"]
    assert (rule["on"], rule["always"]) == (True, True)
    assert "on   Canon  Never show" in fen("policy", "list").out
    changed = fen.document("policy", "edit", rule["id"], "--text", "Show it.", "--not-always")
    assert (changed["policy"]["rule"], changed["policy"]["always"]) == ("Show it.", False)
    assert fen.document("policy", "off", rule["id"])["policy"]["on"] is False
    assert fen.document("policy", "on", rule["id"])["policy"]["on"] is True
    assert fen.document("policy", "show", rule["id"])["policy"]["sources"] == []


def test_what_an_agent_keeps_is_shown_and_cleared(fen: Console) -> None:
    assert "scribe" in fen("working-memory", "list").out
    assert fen("working-memory", "show", "scribe").out.strip() == "In chapter 12."
    found = fen.document("working-memory", "versions", "scribe")["versions"]
    assert [one["body"] for one in found] == ["In chapter 11."]
    fen.document("working-memory", "clear", "scribe")
    assert fen("working-memory", "list").out.strip() == "No agent keeps anything."
    assert fen("working-memory", "show", "scribe").status == 1

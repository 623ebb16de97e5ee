from __future__ import annotations

import pytest

from tests.cli.console import Console


@pytest.fixture
def ref(world: Console) -> str:
    """Ref code of a running conversation."""
    code: str = world.document("conversation", "start")["conversation"]["ref_code"]
    return code


def test_the_document_is_printed_and_nothing_is_counted(world: Console, ref: str) -> None:
    world("memory", "add", "The bell is cracked.", "--tier", "workspace")
    said = world("orient", "--conversation", ref, "--query", "bell")
    assert said.status == 0
    assert "## Workspace" in said.out
    assert "  > The bell is cracked." in said.out
    assert "Workspace: 1 of 1 memory sent." in said.err
    (listed,) = world.document("memory", "list", "--tier", "workspace")["memories"]
    assert listed["access_count"] == 0


def test_the_json_document_says_what_was_left_out_and_why(world: Console, ref: str) -> None:
    world("memory", "add", "word " * 3_000, "--tier", "workspace")
    document = world.document("orient", "--conversation", ref)
    section = next(one for one in document["sections"] if one["tier"] == "workspace")
    (item,) = section["items"]
    assert (item["sent"], item["left_out"]) == (False, "too_long")
    assert item["also"] == {"ids": [], "count": 0}
    assert document["characters"] <= document["budget_characters"]


def test_a_budget_out_of_range_and_an_unknown_conversation_are_refused(
    world: Console, ref: str
) -> None:
    refused = world("orient", "--conversation", ref, "--budget", "0")
    assert refused.status == 1
    assert refused.err.startswith("The budget is a number from 1 to 200,000 tokens.")
    unknown = world("orient", "--conversation", "00000000000")
    assert unknown.status == 1
    assert "There is no conversation" in unknown.err

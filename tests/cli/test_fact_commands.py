"""``inklings fact`` on a real data root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.knowledge.domains import Domain
from inklings_desktop.domain.memory import ScopeKey
from tests.support.builders import NOON, a_memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console

LEFT, RIGHT = "Nerys is left-handed.", "Nerys is right-handed."


@pytest.fixture
def canon(console: Console) -> Console:
    """A workspace with one domain."""
    made = console.document("workspace", "create", "Fen")["workspace"]
    with (
        open_inklings(console.data_dir, workspace=made["id"]) as inklings,
        inklings.parts.store.write(made["id"], initiator="Ada") as unit,
    ):
        unit.knowledge.save_domain(Domain("d1", "Canon", "", False, "Ada", "person", NOON))
        unit.commit()
    return console


def stated(console: Console, text: str = LEFT, *more: str) -> dict[str, Any]:
    where = ("--domain", "canon", "--topic", "Nerys/hand")
    found: dict[str, Any] = console.document("fact", "add", text, *where, *more)
    return found


def test_a_fact_is_stated_listed_and_found(canon: Console) -> None:
    done = stated(canon, LEFT, "--confidence", "0.9", "--from", "1", "--until", "8")
    assert (done["already_known"], done["conflicts"]) == (False, [])
    assert canon.document("fact", "list")["total"] == 1
    assert canon.document("fact", "list", "--at-story", "8")["total"] == 0
    said = canon("fact", "search", "nerys", "--mode", "keyword").out
    assert "0.90  Canon: Nerys/hand  Nerys is left-handed." in said
    assert (
        "Known already"
        in canon("fact", "add", LEFT, "--domain", "Canon", "--topic", "nerys/hand").out
    )


def test_what_disagrees_is_said_listed_and_settled(canon: Console) -> None:
    left = stated(canon)["fact"]["id"]
    right = stated(canon, RIGHT)
    assert [one["id"] for one in right["conflicts"]] == [left]
    assert "another fact says otherwise" in canon("fact", "list", "--disagreeing").out
    assert "(opposites)" in canon("fact", "disagreements").out
    assert "Holds" in canon("fact", "settle", right["fact"]["id"], left).out
    assert canon("fact", "disagreements").out.strip() == "No fact disagrees with another."


def test_a_chain_is_told_taken_back_and_reinstated(canon: Console) -> None:
    old = stated(canon)["fact"]["id"]
    new = canon.document("fact", "supersede", old, RIGHT, "--reason", "chapter 9")["fact"]["id"]
    states = [one["state"] for one in canon.document("fact", "history", old)["facts"]]
    assert states == ["superseded", "current"]
    assert canon.document("fact", "list", "--superseded")["total"] == 2
    assert canon.document("fact", "take-back", new)["fact"]["id"] == old
    again = canon.document("fact", "supersede", old, RIGHT, "--reason", "chapter 9")["fact"]["id"]
    stands = canon.document("fact", "reinstate", old, "--reason", "changed back")["fact"]
    assert stands["content"] == LEFT
    assert canon.document("fact", "show", again)["fact"]["state"] == "superseded"


def test_a_memory_is_the_source_of_the_fact_that_is_made_of_it(canon: Console) -> None:
    note = canon.document("memory", "add", LEFT, "--tier", "workspace")["memory"]["id"]
    fact = canon.document("fact", "from-memory", note, "--domain", "canon", "--topic", "Nerys")
    shown = canon("fact", "show", fact["fact"]["id"]).out
    assert f"from {LEFT}" in shown
    canon("memory", "forget", note)
    assert canon.document("fact", "list", "--unsupported")["total"] == 1


def test_what_is_not_there_says_so_and_stores_nothing(canon: Console, tmp_path: Path) -> None:
    said = canon("fact", "add", LEFT, "--domain", "Nowhere", "--topic", "Nerys")
    assert said.status == 1
    assert "domain" in said.err
    assert canon.document("fact", "list")["total"] == 0


def test_what_three_conversations_repeat_is_listed_dismissed_and_made_a_fact(
    canon: Console,
) -> None:
    here = canon.document("workspace", "list")["workspaces"][0]["id"]
    scope = ScopeKey.workspace(here)
    notes = [a_memory(LEFT, scope=scope, source_conversation=f"c{n}") for n in range(3)]
    with (
        open_inklings(canon.data_dir) as inklings,
        inklings.parts.store.write(here, initiator="Ada") as unit,
    ):
        unit.memories.add(notes)
        unit.commit()
    [one] = canon.document("fact", "could-be")["could_be_facts"]
    assert (one["content"], one["conversations"], len(one["notes"])) == (LEFT, 3, 3)
    assert f"3 conversations: {LEFT}" in canon("fact", "could-be").out
    canon("fact", "dismiss", one["id"])
    assert canon.document("fact", "could-be") == {"could_be_facts": []}
    canon("fact", "ask-again", one["id"])
    where = ("--domain", "canon", "--topic", "Nerys/hand")
    made = canon.document("fact", "make", one["notes"][2]["id"], *where)["fact"]
    assert made["content"] == LEFT
    sources = canon.document("fact", "show", made["id"])["fact"]["sources"]
    assert [source["reference"] for source in sources] == [note["id"] for note in one["notes"]]
    assert "No three conversations" in canon("fact", "could-be").out

"""The tools for pages: an agent finds a line and quotes it; nothing else is told or changed."""

from __future__ import annotations

import json
import logging
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.acp_wire.words import OWN
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.entries.proposals import ProposalKind
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server.words.sizes import PAGE_CHARACTERS
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor, sentence

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "Vellichor"
NERYS = f"""---
status: Canon
tags: [core]
---
# Nerys

Nerys keeps the light on the third quay. {CANARY} is her cat.

## Looks

Her left eye is grey. ^eye

> [!question] Which eye was hurt?

## Past

She came from [[Sele Harbour]] in the year of the long tide.
"""


class Isles:
    """A folder of a workspace, and the agent's door before it."""

    def __init__(self, door: AgentDoor, folder: Path) -> None:
        self.door, self.folder = door, folder
        self.write("People/Nerys.md", NERYS)
        self.write("Places/Sele Harbour.md", "# Sele Harbour\n\nThe bell rings at dusk.\n")
        door.inklings.world.link(door.workspace.id, folder, name="Isles")
        self.look()

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        at = file.stat().st_mtime - 3_600  # saved long enough ago to have settled
        os.utime(file, (at, at))

    def look(self) -> None:
        self.door.inklings.world.look(self.door.workspace.id)

    def page(self, key: str = "Nerys", **arguments: Any) -> dict[str, Any]:
        return self.door.answer("world_read", page=key, **arguments)

    def wrong(self, tool: str, **arguments: Any) -> tuple[str, str]:
        """The word and the sentence of a call that must fail; neither holds a page's text."""
        result = self.door.call(tool, **arguments)
        assert result.is_error
        assert CANARY not in result.model_dump_json()
        return (result.meta or {})[OWN]["word"], sentence(result)


@pytest.fixture
def isles(door: AgentDoor, tmp_path: Path) -> Isles:
    """Two pages, read."""
    return Isles(door, tmp_path / "isles")


def test_an_agent_finds_a_line_and_quotes_it(isles: Isles) -> None:
    found = isles.door.answer("world_search", query="grey eye")
    passage = found["passages"][0]
    assert passage["page"]["path"] == "People/Nerys.md"
    assert (passage["page"]["folder"], passage["heading"]) == ("Isles", "Nerys/Looks")
    assert "grey" in passage["excerpt"]
    assert passage["axes"]["lifecycle"] == "canon"
    assert (found["untrusted"], found["stale"], found["as_of"] is not None) == (True, False, True)

    read = isles.page(passage["page"]["id"], block=passage["block"])
    (block,) = read["blocks"]
    assert "Her left eye is grey." in block["text"]
    assert (block["own_id"], block["line"], read["next"]) == ("eye", 11, None)
    assert (read["untrusted"], read["axes"]["weight"]) == (True, "core")
    assert "canon: `status: Canon`, line 2 of People/Nerys.md" in read["explain"]


def test_memories_and_pages_are_found_apart(isles: Isles) -> None:
    scope = ScopeKey.workspace(isles.door.workspace.id)
    isles.door.inklings.memories.put(MemoryDraft(scope, "The author wants the grey eye kept."))
    pages = isles.door.answer("world_search", query="grey eye kept")
    assert "wants" not in json.dumps(pages["passages"])
    memories = isles.door.answer("memory_search", query="grey eye")
    assert [one["content"] for one in memories["hits"]] == ["The author wants the grey eye kept."]
    assert isles.door.answer("memory_read", tier="workspace", query=CANARY)["matched"] is False


def test_a_page_is_read_by_its_parts(isles: Isles) -> None:
    whole = isles.page()
    assert [one["kind"] for one in whole["blocks"][:3]] == ["front", "heading", "paragraph"]
    assert whole["links"] == ["Sele Harbour"]
    assert isles.page("Sele Harbour")["linked_from"] == ["People/Nerys.md"]
    looks = isles.page(heading="looks")["blocks"]
    assert [one["kind"] for one in looks] == ["heading", "paragraph", "callout"]
    assert looks[-1]["standing"] == "open"
    told = isles.door.answer("world_outline", page="Nerys")
    assert [(one["heading"], one["below"]) for one in told["headings"]] == [
        ("Nerys", ""),
        ("Looks", "Nerys"),
        ("Past", "Nerys"),
    ]


def test_a_long_page_is_had_by_parts_that_hold_all_of_it(isles: Isles) -> None:
    paragraphs = [f"Paragraph {n}." + " Salt and light." * 40 for n in range(40)]
    paragraphs.append("An endless line." * 4_000)
    isles.write("Long.md", "\n\n".join(paragraphs))
    isles.look()
    right = Right(Tier.WORKSPACE, isles.door.workspace.id, Action.WORLD_READ)
    isles.door.inklings.clients.grant(STRANGER, [right])
    texts: dict[str, str] = {}
    offset: int | None = 0
    while offset is not None:
        result = isles.door.call(
            "world_read", client=STRANGER, page="Long", offset=offset, limit=32_768
        )
        assert result.structured_content is not None
        assert len(sentence(result)) <= PAGE_CHARACTERS
        for one in result.structured_content["blocks"]:
            texts[one["block"]] = texts.get(one["block"], "") + one["text"]
        offset = result.structured_content["next"]
    assert list(texts.values()) == paragraphs
    small = isles.page("Long", limit=1_000)
    assert (len(small["blocks"]), small["blocks"][0]["text"]) == (1, paragraphs[0])
    assert isles.page("Long", offset=small["next"], limit=1)["blocks"][0]["text"] == "P"


def test_pages_and_their_changes_are_listed_a_page_at_a_time(isles: Isles) -> None:
    first = isles.door.answer("world_outline", limit=1)
    second = isles.door.answer("world_outline", limit=1, next=first["next"])
    paths = [one["path"] for part in (first, second) for one in part["pages"]]
    assert paths == ["People/Nerys.md", "Places/Sele Harbour.md"]
    below = isles.door.answer("world_outline", folder="Isles", under="Places")["pages"]
    assert [one["title"] for one in below] == ["Sele Harbour"]

    added = isles.door.answer("world_changes", limit=1)
    assert [one["what"] for one in added["changes"]] == ["added"]
    more = isles.door.answer("world_changes", next=added["next"])
    assert (len(more["changes"]), more["next"]) == (1, None)
    isles.write("People/Nerys.md", NERYS.replace("grey", "green"))
    isles.look()
    edited = isles.door.answer("world_changes")["changes"][-1]
    assert (edited["path"], edited["what"], edited["counts"]) == (
        "People/Nerys.md", "edited", {"edited": 1},
    )  # fmt: skip
    assert isles.door.answer("world_changes", since="2999-01-01")["changes"] == []


def test_what_goes_wrong_is_told_by_a_word_and_without_a_pages_text(
    isles: Isles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inklings = isles.door.inklings
    elsewhere = inklings.workspaces.create("Elsewhere").id
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Foreign.md").write_text(f"# Foreign\n\n{CANARY}.\n", encoding="utf-8")
    inklings.world.link(elsewhere, tmp_path / "other")
    inklings.world.look(elsewhere)
    isles.write(".hidden/Foreign.md", f"# Hidden\n\n{CANARY}.\n")
    isles.write("Old/Nerys.md", f"# Nerys\n\n{CANARY}.\n")
    isles.look()
    caplog.set_level(logging.DEBUG)

    foreign = isles.wrong("world_read", page="Foreign")
    assert foreign == isles.wrong("world_read", page="Nobody")
    assert foreign[0] == "not_found"
    assert isles.wrong("world_read", page=".hidden/Foreign.md") == foreign
    word, said = isles.wrong("world_read", page="Nerys")
    assert (word, "Old/Nerys.md, People/Nerys.md" in said) == ("ambiguous", True)
    assert isles.wrong("world_read", page="People/Nerys.md", heading="x")[0] == "not_found"
    assert isles.wrong("world_read", page="People/Nerys.md", block="x")[0] == "not_found"
    word, said = isles.wrong("world_search", query="eye", folder="other")
    assert (word, said) == ("not_found", "There is no such folder. There are: Isles.")
    for tool, most in (("world_search", 50), ("world_outline", 500), ("world_changes", 200)):
        asked = {"query": "eye"} if tool == "world_search" else {}
        assert f"from 1 to {most}" in isles.wrong(tool, limit=most + 1, **asked)[1]
    assert "from 1 to 32,768" in isles.wrong("world_read", page="Nerys", limit=40_000)[1]
    assert CANARY not in caplog.text
    told = json.dumps([one.model_dump(mode="json") for one in isles.door.tools()])
    assert CANARY not in told
    assert CANARY not in repr(inklings.log.list(isles.door.workspace.id, limit=500))


def test_a_folder_that_is_not_there_makes_answers_stale(isles: Isles) -> None:
    shutil.move(isles.folder, isles.folder.with_name("away"))
    isles.look()
    assert isles.door.answer("world_search", query="grey eye")["stale"] is True
    assert isles.page()["stale"] is True
    assert isles.door.answer("world_outline")["stale"] is True


def test_without_the_grant_pages_are_closed_and_their_tools_are_not_there(isles: Isles) -> None:
    inklings, here = isles.door.inklings, isles.door.workspace.id
    assert not any(one.name.startswith("world_") for one in isles.door.tools(STRANGER))
    said = isles.door.refusal("world_read", client=STRANGER, page="Nerys")
    assert said == isles.door.refusal("world_read", client=STRANGER, page="Nobody")
    assert "world:read in the workspace tier" in said
    inklings.clients.revoke(LOOM, [Right(Tier.WORKSPACE, here, Action.WORLD_READ)])
    assert not any(one.name.startswith("world_") for one in isles.door.tools())
    assert CANARY not in isles.door.refusal("world_search", query=CANARY)


def test_a_change_of_a_page_is_proposed_and_waits(isles: Isles) -> None:
    inklings, here = isles.door.inklings, isles.door.workspace.id
    before = {one: one.read_bytes() for one in isles.folder.rglob("*.md")}
    right = Right(Tier.WORKSPACE, here, Action.WORLD_PROPOSE)
    assert "world_propose" not in {one.name for one in isles.door.tools()}
    inklings.clients.grant(LOOM, [right])
    block = isles.page(heading="Looks")["blocks"][1]["block"]
    asked: dict[str, Any] = {"page": "Nerys", "reason": "He said so."}
    wish = asked | {"replace": [{"block": block, "text": "Her left eye is green. ^eye"}]}
    word, said = isles.wrong("world_propose", **wish)
    assert (word, "takes no proposals" in said) == ("not_writable", True)

    inklings.world.take_proposals(here, "Isles", allowed=True)
    put = isles.door.answer("memory_put", tier="workspace", content="Her eye is green by now.")
    held = isles.door.answer("world_propose", **wish, from_memory=put["memory"]["id"][:8])
    assert (held["status"], held["reason"]) == ("held_for_review", "page")
    assert "agents only propose" in held["message"]
    (edit,) = inklings.proposals.list(here)
    assert (edit.kind, edit.reason) == (ProposalKind.PAGE_EDIT, "He said so.")
    assert edit.text == NERYS.replace("grey", "green")
    assert edit.payload["memory"] == put["memory"]["id"]
    new = {"folder": "Isles", "path": "People/Ott.md", "text": "# Ott\n", "reason": "New."}
    isles.door.answer("world_propose", **new)
    isles.door.answer("world_propose", **asked, to="People/Nerys of Sele.md")
    kinds = {one.kind for one in inklings.proposals.list(here)}
    assert kinds == {ProposalKind.PAGE_EDIT, ProposalKind.PAGE_NEW, ProposalKind.PAGE_MOVE}
    told = isles.door.answer("proposal_list")
    assert CANARY not in json.dumps(told)
    assert {one.get("target") for one in told["proposals"]} >= {"Nerys", "People/Ott.md"}
    assert {one: one.read_bytes() for one in isles.folder.rglob("*.md")} == before


def test_what_cannot_be_proposed_is_told_by_a_word(isles: Isles) -> None:
    inklings, here = isles.door.inklings, isles.door.workspace.id
    inklings.clients.grant(LOOM, [Right(Tier.WORKSPACE, here, Action.WORLD_PROPOSE)])
    inklings.world.take_proposals(here, "Isles", allowed=True)
    asked: dict[str, Any] = {"page": "Nerys", "reason": "Why not."}
    block = isles.page(heading="Looks")["blocks"][1]["block"]
    for wrong, word in (
        ({}, "invalid_value"),
        ({"text": "a", "to": "b.md"}, "invalid_value"),
        ({"text": NERYS}, "invalid_value"),
        ({"text": "x" * 300_000}, "too_long"),
        ({"replace": [{"block": "x", "text": "y"}]}, "invalid_value"),
        ({"text": "a", "from_memory": "0" * 8}, "not_found"),
        ({"to": "../Nerys.md"}, "invalid_value"),
        ({"to": "Places/Sele Harbour.md"}, "conflict"),
        ({"page": "Nobody", "text": "a"}, "not_found"),
        ({"page": "", "folder": "Other", "path": "a.md", "text": "a"}, "not_found"),
    ):
        assert isles.wrong("world_propose", **asked | wrong)[0] == word, wrong
    isles.write("People/Nerys.md", NERYS.replace("grey", "blue"))
    word, said = isles.wrong("world_propose", **asked, replace=[{"block": block, "text": "y"}])
    assert (word, said) == ("overtaken", "The page was just changed. Read it again, then decide.")
    shutil.move(isles.folder, isles.folder.with_name("away"))
    assert isles.wrong("world_propose", **asked, text="a")[0] == "folder_missing"
    assert inklings.proposals.list(here) == ()


def test_a_memory_whose_page_changed_is_listed_and_kept(isles: Isles) -> None:
    inklings, here = isles.door.inklings, isles.door.workspace.id
    scope = ScopeKey.workspace(here)
    mine = isles.door.answer(
        "memory_put", tier="workspace", content="Nerys: her left eye is grey.",
        derived_from=["Nerys^eye"],
    )["memory"]  # fmt: skip
    authors = inklings.memories.put(
        MemoryDraft(scope, "The grey eye matters.", derived_from=(Derivation("Nerys^eye"),))
    )
    hit = isles.door.answer("memory_read", tier="workspace", query="grey eye")["hits"][0]
    assert (hit["derivation"]["page"], hit["derivation"]["state"]) == ("Nerys", "current")
    assert hit["derivation"]["axes"]["lifecycle"] == "canon"
    closed = isles.door.answer("memory_read", client=STRANGER, tier="workspace")["hits"]
    assert [(one["derivation"], one["derived_from"]) for one in closed] == [("withheld", [])] * 2

    isles.write("People/Nerys.md", NERYS.replace("grey", "green"))
    isles.look()
    (case,) = isles.door.answer("retcon_list")["retcons"]
    assert (case["page"]["title"], case["what"], case["state"]) == ("Nerys", "changed", "open")
    assert ("grey" in case["was"], "green" in case["now"]) == (True, True)
    by_id = {one["id"]: one for one in case["memories"]}
    assert set(by_id) == {mine["id"][:8], authors.id[:8]}
    assert by_id[mine["id"][:8]]["suggestion"] == "Nerys: her left eye is green."

    word, said = isles.wrong("retcon_keep", id=case["id"], memories=[authors.id[:8]])
    assert (word, "write in the workspace" in said) == ("scope_denied", True)
    kept = isles.door.answer("retcon_keep", id=case["id"], memories=[mine["id"][:8]])
    assert [one["id"] for one in kept["retcons"][0]["memories"]] == [authors.id[:8]]
    assert isles.wrong("retcon_keep", id="nothing")[0] == "not_found"
    inklings.derivations.keep(here, case["id"])
    assert isles.door.answer("retcon_list")["retcons"] == []
    (decided,) = isles.door.answer("retcon_list", state="decided")["retcons"]
    assert decided["state"] == "kept"


def test_who_cannot_write_is_not_shown_how_to_decide(isles: Isles) -> None:
    right = Right(Tier.WORKSPACE, isles.door.workspace.id, Action.WORLD_READ)
    isles.door.inklings.clients.grant(STRANGER, [right])
    names = {one.name for one in isles.door.tools(STRANGER)}
    assert ("retcon_list" in names, "retcon_keep" in names) == (True, False)

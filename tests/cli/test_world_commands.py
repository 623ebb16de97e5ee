"""``inklings world`` on a real data root and a real folder."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console

NERYS = """---
status: Canon
aliases: [the ferrywoman]
---
# Nerys

She has grey eyes, and a scar from the flood.

## Oath

Never to carry iron across the [[River]] again. #oath
"""


@pytest.fixture
def vault(tmp_path: Path, console: Console) -> Path:
    """A vault of two pages, and a workspace."""
    vault = tmp_path / "Harrowmere"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "People").mkdir()
    (vault / "People" / "Nerys.md").write_text(NERYS, "utf-8")
    (vault / "River.md").write_text("# The river\n\nIt smells of peat.\n", "utf-8")
    console.document("workspace", "create", "Fen")
    return vault


@pytest.fixture
def linked(vault: Path, console: Console) -> Path:
    """The vault, linked."""
    console.document("world", "link", str(vault))
    return vault


def test_a_folder_is_linked_and_read_at_once(vault: Path, console: Console) -> None:
    assert console("world", "list").out.startswith("No folder is linked.")
    said = console("world", "link", str(vault))
    assert said.out.splitlines()[:2] == ["Linked Harrowmere.", said.out.splitlines()[1]]
    assert "2 pages, looked at" in said.out
    (folder,) = console.document("world", "list")["folders"]
    assert (folder["name"], folder["kind"], folder["state"]) == ("Harrowmere", "vault", "ready")
    assert (folder["pages"], folder["path"]) == (2, str(vault))


def test_what_cannot_be_linked_says_why(linked: Path, tmp_path: Path, console: Console) -> None:
    again = console("world", "link", str(linked / "People"))
    assert again.status == 1
    assert "linked already, or has to do with one that is: Harrowmere" in again.err
    assert "doesn't exist" in console("world", "link", str(tmp_path / "nothing")).err


def test_a_passage_is_found_with_its_page_and_block(linked: Path, console: Console) -> None:
    found = console.document("world", "search", "grey eyes")
    (hit, *_) = found["hits"]
    assert (hit["page"]["path"], hit["block"]["first_line"]) == ("People/Nerys.md", 7)
    words = [hit["excerpt"][begin:end] for begin, end in hit["spans"]]
    assert words == ["grey", "eyes"]
    assert hit["axes"]["lifecycle"]["value"] == "canon"
    assert "People/Nerys.md, line 7" in console("world", "search", "grey eyes").out
    narrow = ("--tag", "oath", "--lifecycle", "draft")
    assert console("world", "search", "iron", *narrow).out.strip() == "No page says that."
    assert console("memory", "search", "grey eyes").out.count("Nerys") == 0


def test_a_page_is_shown_whole_or_below_a_heading(linked: Path, console: Console) -> None:
    assert "a scar from the flood" in console("world", "show", "the ferrywoman").out
    below = console.document("world", "show", "Nerys", "--heading", "oath")
    assert [one["kind"] for one in below["blocks"]] == ["heading", "paragraph"]
    missing = console("world", "show", "Nerys", "--heading", "Childhood")
    assert missing.status == 1
    assert console("world", "show", "nobody").status == 1


def test_changes_are_read_and_listed_after_a_number(linked: Path, console: Console) -> None:
    first = console.document("world", "changes")["changes"]
    assert {one["what"] for one in first} == {"added"}
    (linked / "River.md").write_text("# The river\n\nIt smells of iron.\n", "utf-8")
    (linked / "People" / "Nerys.md").unlink()
    found = console.document("world", "rescan")["changes"]
    assert {(one["path"], one["what"]) for one in found} == {
        ("River.md", "edited"),
        ("People/Nerys.md", "gone"),
    }
    since = str(first[-1]["number"])
    assert console.document("world", "changes", "--since", since)["changes"] == found
    assert console("world", "rescan", "Harrowmere").out.strip() == "Nothing changed."


def test_pages_are_listed_and_their_links_told(linked: Path, console: Console) -> None:
    assert [one.split()[0] for one in console("world", "outline").out.splitlines()] == [
        "People/Nerys.md",
        "River.md",
    ]
    part = console.document("world", "outline", "--limit", "1")
    assert part["next"] == "People/Nerys.md"
    rest = console.document("world", "outline", "--after", part["next"])
    assert ([one["path"] for one in rest["pages"]], rest["next"]) == (["River.md"], None)
    assert "#oath" in console("world", "links", "Nerys").out
    links = console.document("world", "links", "River")
    assert [one["path"] for one in links["linked_from"]] == ["People/Nerys.md"]


def test_each_axis_says_where_it_was_read(linked: Path, console: Console) -> None:
    lines = console("world", "explain", "Nerys").out.splitlines()
    assert lines[1] == "lifecycle: canon: `status: Canon`, line 2 of People/Nerys.md"
    assert lines[2] == "weight: normal: nothing says otherwise"


def test_rules_are_shown_as_they_are_taken(linked: Path, console: Console, tmp_path: Path) -> None:
    shown = console.document("world", "rules", "Harrowmere")
    assert shown == {
        "rules": {"ignore": [], "axes": {}, "folders": {}},
        "takes_proposals": False,
    }
    rules = {"ignore": ["River.md"], "axes": {"lifecycle": {"canon": "retired"}}, "folders": {}}
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(rules), "utf-8")
    taken = console.document(
        "world", "rules", "Harrowmere", "--file", str(file), "--proposals", "on"
    )
    assert taken == {"rules": rules, "takes_proposals": True}
    assert console.document("world", "search", "grey eyes")["hits"] == []
    console("world", "rescan")
    assert len(console.document("world", "outline")["pages"]) == 1
    for wrong in ('{"ignore": 7}', '{"axes": {"lifecycle": ["x"]}}', '{"other": {}}', "no"):
        said = console("world", "rules", "Harrowmere", "--file", "-", stdin=wrong.encode())
        assert said.status == 2, wrong
    assert console.document("world", "rules", "Harrowmere")["rules"] == rules


def test_the_index_is_made_anew_and_a_folder_let_go(linked: Path, console: Console) -> None:
    assert console("world", "rebuild").out.strip() == "Rebuilt from 2 pages."
    assert console("world", "rebuild", "Harrowmere").status == 2
    assert "untouched" in console("world", "unlink", "harrowmere").out
    assert console.document("world", "search", "grey eyes")["hits"] == []
    unknown = console("world", "unlink", "Harrowmere")
    assert unknown.status == 1
    assert "world list" in unknown.err
    assert (linked / "River.md").exists()


def test_what_changed_under_a_memory_is_listed_and_decided(linked: Path, console: Console) -> None:
    assert console("world", "retcons").out.startswith("Nothing has changed")
    page, said = linked / "River.md", "It smells of peat from the hills all through the winter."
    page.write_text(f"# The river\n\n{said}\n", "utf-8")
    console.document("world", "rescan")
    with open_inklings(console.data_dir) as inklings:
        [fen] = inklings.places.workspaces()
        [block] = [
            one for one in inklings.world.page(fen.id, "River.md").blocks if "peat" in one.text
        ]
        scope = ScopeKey.workspace(fen.id)
        draft = MemoryDraft(
            scope, "The river smells of peat.", derived_from=(Derivation(block.id),)
        )
        inklings.memories.put(draft)
    page.write_text(page.read_text("utf-8").replace("peat", "iron"), "utf-8")
    later = datetime.now(UTC) + timedelta(minutes=5)
    with open_inklings(console.data_dir, clock=lambda: later) as inklings:
        inklings.world.look(fen.id)
        inklings.world.look(fen.id)
    [found] = console.document("world", "retcons")["retcons"]
    assert "iron" in found["now_text"]
    assert "[-peat-]" in console("world", "retcons").out
    kept = console("world", "retcons", found["id"][:6], "--decide", "keep")
    assert kept.out.startswith("Kept 1 memory")
    assert console.document("world", "retcons")["retcons"] == []


def test_a_page_says_again_what_it_said(linked: Path, console: Console) -> None:
    assert console("world", "versions").out.startswith("No earlier version")
    assert "kept version" in console("world", "restore", "abc").err


def test_a_memory_becomes_text_of_a_page_once_that_is_accepted(
    linked: Path, console: Console
) -> None:
    added = console.document("memory", "add", "The ford is cursed.", "--tier", "workspace")
    memory, before = added["memory"]["id"], (linked / "River.md").read_text("utf-8")
    asked = console.document("world", "promote", memory, "River.md")["proposal"]
    assert (linked / "River.md").read_text("utf-8") == before
    console.document("entry", "proposals", "--accept", asked[:8])
    assert (linked / "River.md").read_text("utf-8") == f"{before}\nThe ford is cursed.\n"
    [kept] = console.document("world", "versions", "River.md")["versions"]
    assert console("world", "restore", kept["id"]).out.startswith("Restored River.md.")
    assert (linked / "River.md").read_text("utf-8") == before


def test_of_two_texts_that_contradict_each_other_one_is_right(
    vault: Path, console: Console
) -> None:
    for text in (
        "Nerys keeps the lamp at Wend Gate with nine wardens.",
        "Nerys keeps the lamp at Wend Gate with seven wardens.",
    ):
        console.document("memory", "add", text, "--tier", "workspace")
    [found] = console.document("world", "contradictions")["contradictions"]
    assert "seven" in found["other"]["content"] or "nine" in found["other"]["content"]
    assert "no contradiction" in console("world", "contradictions", "zz", "--decide", "both").err
    decided = console("world", "contradictions", found["id"][:6], "--decide", "first")
    assert decided.out.startswith("Decided")
    kept = console.document("memory", "list", "--tier", "workspace")["memories"]
    assert [one["id"] for one in kept] == [found["memory"]["id"]]
    assert console.document("world", "contradictions")["contradictions"] == []


def test_a_memory_is_said_to_come_from_a_page(linked: Path, console: Console) -> None:
    added = console.document("memory", "add", "Nerys must not go armed.", "--tier", "workspace")
    said = console("world", "derive", added["memory"]["id"], "People/Nerys.md#Oath")
    assert said.out.startswith("It comes from People/Nerys.md#Oath")
    shown = console.document("memory", "show", added["memory"]["id"])
    assert shown["memory"]["derived_from"] != []
    assert console("world", "derive", added["memory"]["id"], "People/Nobody.md").status == 1


def test_a_folder_goes_with_an_export_without_its_place_and_is_chosen_again(
    linked: Path, tmp_path: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "It smells of peat from the hills all through the winter."
    page = linked / "River.md"
    page.write_text(f"# The river\n\n{said}\n", "utf-8")
    console.document("world", "rescan")
    with open_inklings(console.data_dir) as inklings:
        [fen] = inklings.places.workspaces()
        [block] = [
            one for one in inklings.world.page(fen.id, "River.md").blocks if "peat" in one.text
        ]
        draft = MemoryDraft(
            ScopeKey.workspace(fen.id), "It smells there.", derived_from=(Derivation(block.id),)
        )
        wanted = inklings.memories.put(draft)
    file = tmp_path / "x.inklings.json"
    console.document("export", str(file))
    assert str(linked) not in file.read_text("utf-8")

    fresh = replace(console, data_dir=tmp_path / "fresh")
    assert fresh.document("import", str(file))["import"]["restore"]
    monkeypatch.chdir(linked)  # a folder without a place is not the one that the program runs in
    assert fresh("world", "rescan").out == "Nothing changed.\n"
    assert "came with an import and is not linked yet" in fresh("world", "list").out
    (folder,) = fresh.document("world", "list")["folders"]
    assert (folder["name"], folder["kind"], folder["path"]) == ("Harrowmere", "vault", "")
    assert (folder["state"], folder["pages"]) == ("missing", 0)

    page.write_text(page.read_text("utf-8").replace("peat", "iron"), "utf-8")
    fresh.document("world", "link", str(linked))
    (again,) = fresh.document("world", "list")["folders"]
    assert (again["id"], again["pages"], again["state"]) == (folder["id"], 2, "ready")
    with open_inklings(fresh.data_dir) as inklings:
        [standing] = inklings.derivations.standing(fen.id, [wanted.id])[wanted.id]
        [case] = inklings.derivations.retcons(fen.id)
        assert (standing.page_title, standing.has_changed) == ("The river", True)
        assert (case.base_text, case.retcon.now_text) == (said, said.replace("peat", "iron"))

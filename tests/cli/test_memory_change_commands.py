from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console
from tests.support.builders import an_agent

WORKSPACE = ("--tier", "workspace")


def set_editor(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str) -> None:
    """An editor that runs a program with the file's path as ``path``."""
    script = folder / "editor.py"
    script.write_text(f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{program}\n")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))
    drafts = folder / "drafts"
    drafts.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(drafts))


def test_an_edit_changes_what_is_named_and_keeps_the_earlier_state(
    world: Console, memory: dict[str, Any]
) -> None:
    edited = world.document(
        "memory", "edit", memory["id"][:8], "--content", "The glass is silent",
        "--importance", "0.9", "--lifetime", "long_term", "--tag", "glass",
    )  # fmt: skip
    assert edited["changed"] is True
    after = edited["memory"]
    assert (after["content"], after["importance"], after["lifetime"], after["tags"]) == (
        "The glass is silent",
        0.9,
        "long_term",
        ["glass"],
    )
    assert after["version"] == memory["version"] + 1
    (version,) = world.document("memory", "show", memory["id"])["history"]
    assert version["content"] == memory["content"]
    assert version["door"] == "cli"


@pytest.mark.parametrize(
    ("options", "tags"),
    [
        (("--tag", "c"), ["c"]),
        (("--add-tag", "c"), ["a", "b", "c"]),
        (("--remove-tag", "#a"), ["b"]),
        (("--add-tag", "c", "--remove-tag", "b"), ["a", "c"]),
        (("--no-tags",), []),
    ],
)
def test_tags_are_replaced_added_and_taken_away(
    options: tuple[str, ...], tags: list[str], world: Console
) -> None:
    memory = world.document("memory", "add", "x y", *WORKSPACE, "--tag", "a", "--tag", "b")
    edited = world.document("memory", "edit", memory["memory"]["id"], *options)
    assert edited["memory"]["tags"] == tags


def test_an_edit_that_changes_nothing_says_so(world: Console, memory: dict[str, Any]) -> None:
    same = ("memory", "edit", memory["id"], "--importance", str(memory["importance"]))
    assert "nothing changed" in world(*same).out
    assert world.document(*same)["changed"] is False
    assert world.document("memory", "show", memory["id"])["history"] == []


def test_a_stale_version_is_a_conflict_that_changes_nothing(
    world: Console, memory: dict[str, Any]
) -> None:
    world.document("memory", "edit", memory["id"], "--content", "Second text")
    said = world(
        "memory", "edit", memory["id"], "--content", "Third text", "--if-version", "1", "--json"
    )
    assert said.status == 1
    assert said.document["error"]["kind"] == "conflict"
    assert (said.document["error"]["expected"], said.document["error"]["actual"]) == (1, 2)
    assert "Somebody saved a newer version" in said.err
    assert "Third text" not in said.err + said.out
    shown = world.document("memory", "show", memory["id"])
    assert shown["memory"]["content"] == "Second text"


def test_contradicting_tag_options_are_wrong_usage(world: Console, memory: dict[str, Any]) -> None:
    assert world("memory", "edit", memory["id"], "--no-tags", "--tag", "x").status == 2


def test_without_an_option_the_text_opens_in_the_editor(
    world: Console, memory: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_editor(monkeypatch, tmp_path, "path.write_text(path.read_text().upper() + chr(10))")
    said = world("memory", "edit", memory["id"])
    assert said.status == 0, said.err
    shown = world.document("memory", "show", memory["id"])["memory"]
    assert shown["content"] == memory["content"].upper()
    assert list((tmp_path / "drafts").iterdir()) == []


def test_what_was_typed_outlives_a_refused_save(
    world: Console, memory: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_editor(monkeypatch, tmp_path, "path.write_text('long ' * 20_000)")
    said = world("memory", "edit", memory["id"])
    assert said.status == 1
    (draft,) = (tmp_path / "drafts").iterdir()
    assert said.err == (
        "A memory can have at most 64 KiB of text. Nothing was changed. "
        f"Your text is kept in {draft}.\n"
    )
    assert draft.read_text() == "long " * 20_000


def test_an_editor_that_fails_leaves_memory_and_folder_alone(
    world: Console, memory: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_editor(monkeypatch, tmp_path, "sys.exit(1)")
    assert world("memory", "edit", memory["id"]).status == 1
    assert list((tmp_path / "drafts").iterdir()) == []
    assert world.document("memory", "show", memory["id"])["history"] == []


def test_a_script_is_never_put_into_an_editor(world: Console, memory: dict[str, Any]) -> None:
    said = world("memory", "edit", memory["id"], "--json")
    assert said.status == 2
    assert said.document["error"]["kind"] == "usage"


def test_memories_of_several_files_are_forgotten_and_restored_together(
    world: Console, memory: dict[str, Any]
) -> None:
    other = world.document("memory", "add", "Prefers metric", "--tier", "account")["memory"]
    ids = [memory["id"], other["id"][:10]]
    forgotten = world.document("memory", "forget", *ids, "--reason", "test of time")
    assert [one["id"] for one in forgotten["forgotten"]] == [memory["id"], other["id"]]
    assert {one["forgotten_reason"] for one in forgotten["forgotten"]} == {"test of time"}
    assert world.document("memory", "search", "glass", *WORKSPACE)["hits"] == []
    listed = world.document("memory", "list", *WORKSPACE, "--forgotten")["memories"]
    assert [one["id"] for one in listed] == [memory["id"]]

    again = world("memory", "forget", *ids)
    assert again.status == 0
    assert again.out.startswith("Already so: ")

    restored = world.document("memory", "restore", *ids)
    assert [one["forgotten_at"] for one in restored["restored"]] == [None, None]
    assert len(world.document("memory", "search", "glass", *WORKSPACE)["hits"]) == 1
    assert world("memory", "forget", *ids).out == "Forgot 2 memories.\n"


def test_what_is_about_a_subject_is_listed_in_every_tier_and_forgotten_at_once(
    world: Console,
) -> None:
    channel = ("--tier", "channel", "--channel", "general")
    for text, where in (
        ("The bell of Wend is cracked", WORKSPACE),
        ("Bells hang in the tower", channel),
        ("Orrin keeps the harbour", WORKSPACE),
        ("I dislike church bells", ("--tier", "account")),
    ):
        world.document("memory", "add", text, *where)
    old = world.document("memory", "add", "A bell that was sold", *WORKSPACE)["memory"]
    world("memory", "forget", old["id"])

    shown = world("memory", "forget", "--about", "bell")
    assert shown.out.startswith("Forgotten before:")
    assert "A bell that was sold" in shown.out
    assert "Orrin" not in shown.out
    assert shown.out.endswith("Add --yes to forget 3 memories.\n")
    assert world.document("memory", "list", *WORKSPACE)["total"] == 2

    here = world.document("memory", "forget", "--about", "bell", *WORKSPACE, "--yes")
    assert [one["content"] for one in here["forgotten"]] == ["The bell of Wend is cracked"]
    rest = world.document("memory", "forget", "--about", "bell", "--yes", "--reason", "sold")
    assert {one["content"] for one in rest["forgotten"]} == {
        "Bells hang in the tower",
        "I dislike church bells",
    }
    assert len(rest["forgotten_before"]) == 2
    assert world("memory", "forget", "--about", "bell").out.endswith(
        "Nothing to forget about bell.\n"
    )


def test_at_a_terminal_it_asks_before_it_forgets(world: Console, memory: dict[str, Any]) -> None:
    forget = ("memory", "forget", "--about", "harbour glass")
    said = world(*forget, stdin=b"n\n", typed=True)
    assert (said.status, said.out.strip()) == (0, "")
    assert memory["content"] in said.err
    assert "Forget these?" in said.err
    assert world.document("memory", "list", *WORKSPACE)["total"] == 1
    said = world(*forget, stdin=b"y\n", typed=True)
    assert "Forgot 1 memory." in said.out
    assert world.document("memory", "list", *WORKSPACE)["total"] == 0


@pytest.mark.parametrize(
    "arguments",
    [(), ("--about", "!"), ("abcd", "--about", "bell"), ("abcd", "--yes"), ("abcd", *WORKSPACE)],
)
def test_ids_or_a_subject_are_named_and_not_both(
    world: Console, arguments: tuple[str, ...]
) -> None:
    assert world("memory", "forget", *arguments).status == 2


def test_nothing_is_forgotten_unless_every_id_is_found(
    world: Console, memory: dict[str, Any]
) -> None:
    said = world("memory", "forget", memory["id"], "zzzzzzzz")
    assert said.status == 1
    assert "zzzzzzzz" in said.err
    assert world.document("memory", "list", *WORKSPACE)["total"] == 1


def test_an_id_given_twice_counts_once(world: Console, memory: dict[str, Any]) -> None:
    said = world("memory", "forget", memory["id"], memory["id"][:6])
    assert said.out == "Forgot 1 memory.\n"


def test_a_confirmed_memory_counts_its_hours_from_now(
    world: Console, memory: dict[str, Any]
) -> None:
    (confirmed,) = world.document("memory", "confirm", memory["id"])["confirmed"]
    assert confirmed["confirmed_at"] >= memory["created_at"]


@pytest.mark.parametrize("command", [("confirm",), ("edit", "--importance", "0.2")])
def test_forgotten_memories_must_be_restored_first(
    command: tuple[str, ...], world: Console, memory: dict[str, Any]
) -> None:
    world.document("memory", "forget", memory["id"])
    said = world("memory", command[0], memory["id"], *command[1:])
    assert said.status == 1
    assert f"inklings memory restore {memory['id'][:8]}" in said.err


@pytest.mark.parametrize(
    ("verb", "opposite", "field"),
    [("pin", "unpin", "pinned"), ("pause", "resume", "paused"), ("unlock", "lock", "locked")],
)
def test_marks_are_set_and_lifted(
    verb: str, opposite: str, field: str, world: Console, memory: dict[str, Any]
) -> None:
    is_set = memory[field]
    world.document("memory", verb, memory["id"])
    shown = world.document("memory", "show", memory["id"])
    assert shown["memory"][field] is not is_set
    again = world.document("memory", verb, memory["id"])
    assert again["unchanged"] == [memory["id"]]
    world.document("memory", opposite, memory["id"])
    assert world.document("memory", "show", memory["id"])["memory"][field] is is_set


def test_a_forgotten_memory_takes_no_mark(world: Console, memory: dict[str, Any]) -> None:
    world.document("memory", "forget", memory["id"])
    said = world("memory", "pin", memory["id"])
    assert said.status == 1
    assert "Restore first" in said.err


def test_an_earlier_version_comes_back_as_the_newest(
    world: Console, memory: dict[str, Any]
) -> None:
    id_ = memory["id"]
    world.document("memory", "edit", id_, "--content", "The glass is silent", "--tag", "glass")
    said = world("memory", "restore-version", id_[:8], "1")
    assert (said.status, said.out) == (
        0,
        f"Version 1 of {id_[:8]} is back, now version 3.\n",
    )
    after = world.document("memory", "show", id_)["memory"]
    assert (after["content"], after["tags"], after["version"]) == (memory["content"], [], 3)
    again = world.document("memory", "restore-version", id_, "1")
    assert (again["changed"], again["memory"]["version"]) == (False, 3)
    assert "nothing changed" in world("memory", "restore-version", id_, "1").out
    second = world.document("memory", "restore-version", id_, "2", "--if-version", "3")
    assert second["memory"]["content"] == "The glass is silent"


def test_a_version_that_cannot_come_back_says_why(world: Console, memory: dict[str, Any]) -> None:
    id_ = memory["id"]
    missing = world("memory", "restore-version", id_, "7")
    assert (missing.status, "There is no version" in missing.err) == (1, True)
    stale = world("memory", "restore-version", id_, "1", "--if-version", "7")
    assert (stale.status, "saved a newer version" in stale.err) == (1, True)
    world.document("memory", "forget", id_)
    gone = world("memory", "restore-version", id_, "1")
    assert (gone.status, "Restore first" in gone.err) == (1, True)


def test_a_memory_is_copied_into_another_tier(world: Console, memory: dict[str, Any]) -> None:
    id_ = memory["id"]
    world.document("channel", "create", "glass")
    document = world.document("memory", "copy", id_, "--tier", "channel", "--channel", "glass")
    copied = document["memory"]
    assert (copied["content"], copied["tier"]) == (memory["content"], "channel")
    assert copied["id"] != id_
    assert document["made_room"] == []
    said = world("memory", "copy", id_[:8], "--tier", "account")
    assert said.out.startswith(f"{id_[:8]} is in the account tier too, as ")
    assert world.document("memory", "list", "--tier", "workspace")["total"] == 1


@pytest.mark.parametrize(
    ("place", "status", "sentence"),
    [
        (("--tier", "workspace"), 1, "is already there"),
        (("--tier", "channel"), 2, "Name the channel with --channel."),
        (("--tier", "account", "--conversation", "x"), 2, "--conversation belongs to"),
        ((), 2, "--tier"),
    ],
)
def test_a_copy_that_has_no_place_says_why(
    place: tuple[str, ...], status: int, sentence: str, world: Console, memory: dict[str, Any]
) -> None:
    said = world("memory", "copy", memory["id"], *place)
    assert (said.status, sentence in said.err) == (status, True), said.err


def written(world: Console, data_dir: Path) -> dict[str, str]:
    """Texts of two clients and the author; ids by text."""
    (workspace,) = world.document("workspace", "list")["workspaces"]
    ids = {}
    with open_inklings(data_dir, embedder=NullEmbedder("none")) as inklings:
        for name, text in (
            ("loom", "Nerys walks"), ("loom", "Nerys runs"), ("loom", "Nerys sings"),
            ("weaver", "Nerys weaves"),
        ):  # fmt: skip
            draft = MemoryDraft(ScopeKey.workspace(workspace["id"]), text)
            caller = an_agent(name, workspace_id=workspace["id"])
            ids[text] = inklings.as_caller(caller).memories.put(draft).id
    world.document("memory", "add", "Nerys rests", *WORKSPACE)
    return ids


def texts(world: Console, *options: str) -> set[str]:
    listed = world.document("memory", "list", *WORKSPACE, *options)
    return {one["content"] for one in listed["memories"]}


def test_a_list_can_be_asked_for_who_wrote_it(world: Console, data_dir: Path) -> None:
    written(world, data_dir)
    assert texts(world, "--by", "weaver") == {"Nerys weaves"}
    assert texts(world, "--by", "weaver", "--by", "author") == {"Nerys weaves", "Nerys rests"}
    assert "loom" in world("memory", "list", *WORKSPACE, "--by", "loom").out
    assert texts(world, "--by", "nobody") == set()


def test_what_a_client_wrote_is_counted_first_and_forgotten_when_that_is_confirmed(
    world: Console, data_dir: Path
) -> None:
    ids = written(world, data_dir)
    world.document("memory", "edit", ids["Nerys runs"], "--content", "She runs")
    world.document("memory", "lock", ids["Nerys sings"])
    world.document("memory", "pin", ids["Nerys walks"])
    counted = world("memory", "forget-written", "loom").out.splitlines()
    assert counted == [
        "loom wrote 1 memory.",
        "Of these you pinned 1.",
        "To forget what is counted here, add --yes. It can be restored.",
        "Left: 1 memory that you locked.",
        "Left: 1 memory that you rewrote.",
    ]
    assert len(texts(world)) == 5
    done = world.document("memory", "forget-written", "loom", "--yes")
    assert done == {
        "written": 1,
        "pinned": 1,
        "locked": 1,
        "rewritten": 1,
        "forgotten": [ids["Nerys walks"]],
    }
    assert texts(world) == {"She runs", "Nerys sings", "Nerys weaves", "Nerys rests"}
    world.document("memory", "restore", ids["Nerys walks"])
    assert "Nerys walks" in texts(world)

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.usecases.transfer import exporting as transfer
from tests.cli.console import Console


def add(world: Console, text: str, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = world.document("memory", "add", text, "--tier", "workspace", *options)
    return found["memory"]  # type: ignore[no-any-return]


def contents(world: Console, *options: str) -> set[str]:
    listed = world.document("memory", "list", "--tier", "workspace", *options)
    return {one["content"] for one in listed["memories"]}


def elsewhere(world: Console, tmp_path: Path) -> Console:
    """Another data root, which holds something already."""
    other = type(world)(world.program, tmp_path / "other", world.capsys, world.monkeypatch)
    other.document("workspace", "create", "Field notes")
    add(other, "Something of mine.")
    return other


def test_a_workspace_goes_out_and_comes_back_as_it_was(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = str(tmp_path / "x.inklings.json")
    said = world("export", file)
    again = world("export", file)
    fresh = type(world)(world.program, tmp_path / "fresh", world.capsys, world.monkeypatch)
    document = fresh.document("import", file)["import"]

    assert said.status == 0
    assert said.out.startswith("Exported 1 memory and 1 named entry to ")
    assert again.status == 1
    assert "is there already. Nothing was changed. Replace it with --force." in again.err
    assert world("export", file, "--force").status == 0
    assert (document["restore"], document["added"], document["named_entries"]) == (True, 1, 1)
    shown = fresh.document("memory", "show", memory["id"])["memory"]
    assert shown | {"relevance": 0} == memory | {"relevance": 0}


def test_what_was_said_stays_at_home_where_that_is_asked_for(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    assert memory
    files = [tmp_path / "whole.json", tmp_path / "silent.json"]
    with open_inklings(world.data_dir, embed_writes=False) as inklings:
        (workspace,) = inklings.places.workspaces()
        talk = inklings.conversations.start(workspace.id)
        said = MessageDraft(MessageRole.USER, '[{"kind":"text","text":"Good morning."}]', "t1")
        inklings.messages.append(workspace.id, talk.id, said)
    world.document("export", str(files[0]))
    world.document("export", str(files[1]), "--no-conversations")
    found = [json.loads(one.read_text("utf-8"))["workspaces"][0] for one in files]
    assert [len(one["messages"]) for one in found] == [1, 0]
    assert [len(one["conversations"]) for one in found] == [1, 1]
    other = elsewhere(world, tmp_path)
    assert "come back into an empty store alone; 1 stay out." in other("import", str(files[0])).err


def test_a_preview_changes_nothing_and_a_run_is_taken_back(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = str(tmp_path / "x.inklings.json")
    world("export", file)
    other = elsewhere(world, tmp_path)

    preview = other.document("import", file, "--preview")["preview"]
    assert preview["counts"] == {"new": 1, "duplicate": 0, "conflict": 0, "refused": 0}
    assert (preview["would_write"], preview["rows"][0]["decision"]) == (1, "both")
    assert contents(other) == {"Something of mine."}

    said = other("import", file)
    assert "Imported 1 memory and 0 named entries; 0 rows left out." in said.out
    listed = other.document("memory", "show", memory["id"])["memory"]
    assert (listed["curator"], listed["imported_curator"]) == ("import", "author")
    run = said.out.rsplit(" ", 1)[1].strip()
    taken_back = other.document("import", "--withdraw", run)["withdrawal"]
    assert (taken_back["removed"], taken_back["left"]) == (1, 0)
    assert contents(other) == {"Something of mine."}
    twice = other("import", "--withdraw", run)
    assert twice.status == 1
    assert "This run was already undone." in twice.err


def test_a_file_of_which_everything_is_here_leaves_nothing_to_take_back(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "all.inklings.json"
    world("export", str(file))

    said = world("import", str(file))

    assert said.status == 0
    assert "Imported 0 memories and 0 named entries" in said.out
    assert said.out.endswith("Nothing was changed.\n")
    assert "--withdraw" not in said.out
    assert world.document("import", str(file))["import"]["run"] is None
    assert world.document("backup", "list")["backups"] == []


def test_conflicts_are_decided_by_an_option(world: Console, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    mine = add(world, "Moonlight twice.")
    world("export", str(file))
    file.write_text(file.read_text().replace("Moonlight twice.", "Moonlight thrice."))

    kept = world.document("import", str(file))["import"]
    assert (kept["added"], kept["taken"], kept["left"]) == (0, 0, 1)
    both = world.document("import", str(file), "--on-conflict", "both")["import"]
    assert both["added"] == 1
    assert contents(world) == {"Moonlight twice.", "Moonlight thrice."}
    world("import", "--withdraw", both["run"])
    taken = world.document("import", str(file), "--on-conflict", "take")["import"]
    assert taken["taken"] == 1
    assert world.document("memory", "show", mine["id"])["memory"]["content"] == "Moonlight thrice."
    assert [one["workspace_id"] for one in taken["backups"]] == [mine["workspace_id"]]


def test_a_file_that_could_not_come_back_is_named_as_such(
    world: Console, memory: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = world.document("export", str(tmp_path / "small.json"))["export"]
    assert small["can_be_imported"]
    assert memory["id"] in (tmp_path / "small.json").read_text()
    monkeypatch.setattr(transfer, "MAX_FILE_BYTES", small["bytes"] - 1)
    said = world("export", str(tmp_path / "large.json"))
    assert said.status == 0
    assert "Inklings cannot import it again" in said.err
    listed = world.document("export", str(tmp_path / "x.json"))["export"]
    assert not listed["can_be_imported"]


def test_a_file_that_does_not_fit_is_refused_before_a_copy_is_made(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    assert memory["tier"] == "workspace"
    add(world, "A second one.")
    file = str(tmp_path / "x.json")
    world("export", file)
    other = elsewhere(world, tmp_path)
    (other.data_dir / "settings.toml").write_text("[memory]\ncap = 1\n")
    preview = other.document("import", file, "--preview", "--into", "Field notes")["preview"]
    assert not preview["can_be_imported"]
    looked = other("import", file, "--preview", "--into", "Field notes")
    assert (
        "The workspace tier would have 3 memories; 1 is the most, so this would be refused."
        in looked.err
    )
    said = other("import", file, "--into", "Field notes")
    assert said.status == 1
    assert "The workspace tier has no room for all of this: a place in it can have 1 at most." in (
        said.err
    )
    assert contents(other) == {"Something of mine."}
    assert other.document("backup", "list")["backups"] == []


def test_bad_files_get_a_sentence(world: Console, memory: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    for data, sentence in (
        (
            '{"format": "inklings-export"',
            "This file is not an Inklings export: it is not JSON. Nothing was changed.",
        ),
        (
            '{"format": "inklings-export", "schema_version": 3}',
            (
                "This export needs schema version 3; this version of Inklings reads 2. "
                "Update this program. Nothing was changed."
            ),
        ),
    ):
        file.write_text(data)
        said = world("import", str(file), "--json")
        assert said.status == 1
        assert said.document["error"]["kind"] == "import_refused"
        assert said.document["error"]["message"] == sentence
    for data in ("not json", '{"a": 1}'):
        file.write_text(data)
        said = world("import", str(file))
        assert said.status == 1
        assert "Inklings can't read this file." in said.err
        assert "lorebooks of SillyTavern and NovelAI" in said.err
    missing = world("import", str(tmp_path / "nowhere.json"))
    assert missing.status == 3
    (tmp_path / "folder").mkdir()
    assert "nothing that Inklings can read" in world("import", str(tmp_path / "folder")).err
    assert world("import").status == 2
    assert world("import", str(file), "--withdraw", "abcd").status == 2
    assert world("export", str(tmp_path / "y"), "--all", "--tier", "workspace").status == 2
    assert world("export", str(tmp_path / "no" / "folder.json")).status == 3


def test_a_file_with_a_second_voice_is_refused_with_what_to_do(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    world("export", str(file))
    document = json.loads(file.read_text())
    entries = document["workspaces"][0]["named_entries"]
    entries.append(entries[0] | {"id": "0" * 32})
    file.write_text(json.dumps(document))
    said = world("import", str(file), "--json")
    assert said.status == 1
    message = said.document["error"]["message"]
    assert message.startswith("This file has a second VOICE (workspaces 1.named_entries 2.name).")
    assert "Take one of the two out of the file, or export it again." in message


def test_unknown_fields_and_other_decay_are_said(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    world("export", str(file))
    document = json.loads(file.read_text())
    document["mood"] = "blue"
    document["settings"]["decay"]["channel"] = 0.5
    file.write_text(json.dumps(document))

    said = elsewhere(world, tmp_path)("import", str(file))

    assert "Not imported: file.mood." in said.err
    assert "The file's decay rates differ from yours; yours stay in force." in said.err


def test_a_tier_and_steps_for_scripts(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    said = world("export", str(file), "--tier", "workspace", "--no-vectors", "--json", "--progress")
    assert said.status == 0
    assert json.loads(said.err.splitlines()[0]) == {"step": "write", "done": 0, "total": 1}
    channel = world("export", str(tmp_path / "c.json"), "--tier", "channel", "--json")
    assert channel.document["export"]["memories"] == 0
    none = world("export", str(tmp_path / "d.json"), "--tier", "conversation")
    assert none.status == 1
    assert "There is no conversation yet" in none.err


def test_markdown_is_for_reading(world: Console, memory: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    said = world("export", str(file), "--markdown")
    assert said.status == 0
    text = file.read_text()
    assert text.startswith("# Field notes\n")
    assert "\n## Workspace\n\n- The harbour glass hums at low tide\n" in text
    assert world("export", str(tmp_path / "y.md"), "--markdown", "--all").status == 2


@pytest.mark.parametrize(
    "name", ["agents.db", "install.key", "new.json", "workspaces/copy.json", "../{root}/new.json"]
)
def test_an_export_never_lands_among_the_files_of_the_program(
    world: Console, memory: dict[str, Any], name: str
) -> None:
    root = world.data_dir
    (file,) = sorted(root.glob(name)) or [root / name.format(root=root.name)]
    before = file.read_bytes() if file.exists() else None
    for options in ((), ("--markdown",)):
        said = world("export", str(file), "--force", *options)
        assert said.status == 1
        assert said.err == (
            "Don't export into the data folder of Inklings. Choose a place outside "
            f"{root}. Nothing was changed.\n"
        )
    assert (file.read_bytes() if file.exists() else None) == before
    assert contents(world) == {memory["content"]}


def test_an_export_replaces_no_database_of_another_data_root(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    other = elsewhere(world, tmp_path)
    said = world("export", str(other.data_dir / "agents.db"), "--force")
    assert said.status == 1
    assert said.err.startswith("A database has this name. Choose another name for the export.")
    assert contents(other) == {"Something of mine."}


def test_an_export_follows_no_link_and_replaces_no_pipe(
    world: Console, memory: dict[str, Any], tmp_path: Path
) -> None:
    file, link, pipe = tmp_path / "old.json", tmp_path / "link.json", tmp_path / "pipe"
    file.write_text("old", encoding="utf-8")
    link.symlink_to(file)
    assert world("export", str(link)).status == 1
    assert world("export", str(link), "--force").status == 0
    assert not link.is_symlink()
    assert memory["content"] in link.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8") == "old"
    link.unlink()
    link.symlink_to(tmp_path / "not there")
    assert world("export", str(link)).status == 1
    link.unlink()
    link.symlink_to(world.data_dir / "agents.db")
    assert world("export", str(link), "--force").status == 0
    assert not link.is_symlink()
    assert contents(world) == {memory["content"]}
    os.mkfifo(pipe)
    said = world("export", str(pipe), "--force")
    assert said.status == 1
    assert said.err.startswith("This is not a plain file. Choose another name for the export.")
    assert pipe.is_fifo()

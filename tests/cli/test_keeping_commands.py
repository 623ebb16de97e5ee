from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.storage.engine.maintenance import take_triggers_off
from tests.cli.console import Console
from tests.storage.keeping import open_purge
from tests.support.damaging import MARKED, damage_root, make_unreadable
from tests.support.dumps import logical_dump
from tests.support.sqlite_store import raw


def database(world: Console) -> Path:
    (path,) = (world.data_dir / "workspaces").glob("*/agents.db")
    return path


def backup(world: Console, *options: str) -> dict[str, Any]:
    (made,) = world.document("backup", "create", *options)["backups"]
    found: dict[str, Any] = made
    return found


def miscount(world: Console) -> None:
    with raw(database(world)) as connection:
        triggers = take_triggers_off(connection)
        connection.execute("UPDATE scope_counts SET active = active + 1")
        for statement in triggers:
            connection.execute(statement)


def test_create_backs_up_the_account_and_every_workspace(
    world: Console, memory: dict[str, Any]
) -> None:
    said = world("backup", "create")
    listed = world.document("backup", "list")["backups"]

    assert said.status == 0
    assert "Backed up the account as account/" in said.out
    assert "Backed up Field notes as " in said.out
    assert [one["workspace_id"] for one in listed] == [None, database(world).parent.name]
    assert all(one["fault"] is None and one["bytes"] > 0 for one in listed)


def test_one_workspace_or_the_account_can_be_named(world: Console) -> None:
    mine = backup(world, "--workspace", "Field notes")
    account = backup(world, "--account")

    assert mine["workspace_id"] == database(world).parent.name
    assert account["workspace_id"] is None
    assert world.document("backup", "list", "--account")["backups"] == [account]
    assert world.document("backup", "list", "--workspace", "Field notes")["backups"] == [mine]
    assert world("backup", "create", "--account", "--workspace", "Field notes").status == 2
    assert world("backup", "create", "--workspace", "Nowhere").status == 1


def test_restore_brings_it_back_and_says_where_the_state_before_is(
    world: Console, memory: dict[str, Any]
) -> None:
    made = backup(world, "--workspace", "Field notes")
    wanted = logical_dump(database(world))
    world.document("memory", "forget", memory["id"])

    said = world("backup", "restore", made["name"])
    listed = world.document("backup", "list")["backups"]

    assert said.status == 0
    assert f"Restored Field notes from {made['name']}: 1 memory." in said.out
    assert f"inklings backup restore {listed[-1]['name']}" in said.out
    assert logical_dump(database(world)) == wanted
    document = world.document("backup", "restore", listed[-1]["name"])
    assert document["restored"] == listed[-1]
    assert document["kept"]["workspace_id"] == made["workspace_id"]
    assert (document["set_aside"], document["memories"], document["events_lost"]) == (None, 1, 0)
    assert world("check").status == 0


def test_an_unknown_or_bad_backup_is_refused_with_a_sentence(
    world: Console, memory: dict[str, Any]
) -> None:
    made = backup(world, "--workspace", "Field notes")
    path = world.data_dir / "backups" / made["name"]
    path.write_bytes(path.read_bytes()[:-4096])
    before = logical_dump(database(world), without=())

    unknown = world("backup", "restore", "yesterday")
    cut = world("backup", "restore", made["name"], "--json")

    assert unknown.status == 1
    assert "There is no backup “yesterday” here. See inklings backup list." in unknown.err
    assert cut.status == 3
    assert cut.document["error"]["kind"] == "damaged"
    assert logical_dump(database(world), without=()) == before
    (listed,) = world.document("backup", "list")["backups"]
    assert listed["fault"] == "damaged"
    assert world("check").status == 1


def test_the_account_comes_back_although_nothing_else_opens(world: Console) -> None:
    made = backup(world, "--account")
    path = world.data_dir / "agents.db"
    wanted = logical_dump(path)
    path.write_bytes(b"Dear diary,\n" * 900)

    refused = world("workspace", "list")
    checked = world("check", "--json")
    restored = world.document("backup", "restore", made["name"])

    assert refused.status == 3
    assert "inklings backup list" in refused.err
    assert checked.status == 3
    assert [one["kind"] for one in checked.document["findings"]] == ["unreadable"]
    assert restored["set_aside"].startswith("account/")
    assert logical_dump(path) == wanted
    assert world("workspace", "list").status == 0
    assert world("check").status == 0


def test_check_says_all_is_well(world: Console, memory: dict[str, Any]) -> None:
    said = world("check")
    document = world.document("check")

    assert said.status == 0
    assert said.out.startswith("Checked 2 databases with 1 memory and ")
    assert said.out.endswith("and 0 backups. All is well.\n")
    assert document["clean"] is True
    assert document["findings"] == []


def test_check_names_settings_that_cannot_be_used(world: Console) -> None:
    (world.data_dir / "settings.toml").write_text("[memory]\ncap = -1\n", encoding="utf-8")
    said = world("check")
    assert said.status == 0
    assert "line 2, memory.cap: this setting cannot be used" in said.err


def test_check_finds_repairs_and_is_clean_again(world: Console, memory: dict[str, Any]) -> None:
    miscount(world)

    found = world("check", "--json")
    repaired = world("check", "--repair")
    again = world("check")

    assert found.status == 1
    assert found.document["findings"] == [
        {
            "kind": "counts",
            "workspace_id": database(world).parent.name,
            "count": 1,
            "detail": "",
            "damage": False,
            "repaired": False,
            "lost_writes": None,
        }
    ]
    assert repaired.status == 0
    assert "Field notes: Tiers whose memories are miscounted (1). Repaired." in repaired.out
    assert again.status == 0


def test_check_makes_damaged_indexes_again_and_names_the_kept_file(
    world: Console, memory: dict[str, Any]
) -> None:
    damage_root(database(world), "memories_by_change")
    content = database(world).read_bytes()

    found = world("check")
    repaired = world("check", "--repair")
    again = world("check")

    assert found.status == 1
    assert "Field notes: Indexes are damaged inside (" in found.out
    assert "everything that was written can be read." in found.out
    assert "inklings check --repair" in found.out
    assert repaired.status == 0
    (kept,) = (world.data_dir / "backups").glob("*/*.damaged")
    assert f"is kept as backups/{kept.parent.name}/{kept.name}." in repaired.out
    assert kept.read_bytes() == content
    assert again.status == 0
    assert memory["id"] in world("memory", "list", "--tier", "workspace", "--json").out


def test_a_repair_says_that_another_program_has_the_file_open(world: Console) -> None:
    damage_root(database(world), "memories_by_change")
    with raw(database(world)) as other:
        other.execute("SELECT count(*) FROM meta").fetchone()
        said = world("check", "--repair")
    assert said.status == 3
    assert f"Another program has {database(world)} open: the window, or the server" in said.err
    assert "Nothing was changed. Close it, then try again." in said.err


def test_check_names_a_scrub_that_is_not_finished(world: Console, memory: dict[str, Any]) -> None:
    open_purge(database(world))

    said = world("check")

    assert said.status == 1
    assert (
        "Field notes: The scrub of event 1 is not finished: text of 1 removed entry may remain in "
        "files of Inklings. It is finished by the open window, or when Inklings is started next."
    ) in said.out
    assert "Nothing has to be done but to wait." in said.out
    assert world("check", "--json").document["clean"] is False


def test_check_ends_with_three_when_something_is_lost(world: Console) -> None:
    database(world).write_bytes(b"Dear diary,\n" * 900)

    said = world("check", "--repair")

    assert said.status == 3
    assert "The file is damaged, or not a database." in said.out
    assert "inklings backup list" in said.out


def test_steps_are_json_lines_beside_the_one_document(
    world: Console, memory: dict[str, Any]
) -> None:
    said = world("backup", "create", "--account", "--json", "--progress")

    assert [json.loads(line)["step"] for line in said.err.splitlines()] == ["copy", "verify"]
    assert len(said.document["backups"]) == 1


def test_a_workspace_that_would_be_ignored_is_wrong_usage(world: Console) -> None:
    assert world("check", "--workspace", "Field notes").status == 2


def test_a_backup_can_be_named_by_its_workspace_and_time(
    world: Console, memory: dict[str, Any]
) -> None:
    made = backup(world, "--workspace", "Field notes")
    _, _, time = made["name"].partition("/")
    of_account = backup(world, "--account")

    assert world("backup", "restore", time, "--workspace", "Field notes").status == 0
    assert world("backup", "restore", made["name"], "--workspace", "Field notes").status == 0
    other = world("backup", "restore", of_account["name"], "--workspace", "Field notes")
    assert other.status == 2
    assert "That backup is not of the workspace that --workspace names." in other.err


@pytest.mark.skipif(os.name == "nt", reason="modes are a POSIX matter")
def test_check_tells_and_closes_what_others_may_open(
    world: Console, memory: dict[str, Any]
) -> None:
    path = database(world)
    path.chmod(0o666)
    path.parent.chmod(0o777)

    told = world("check")
    closed = world("check", "--repair")

    assert told.status == 1
    name = path.relative_to(world.data_dir).as_posix()
    assert f"Other users of this machine may open {name}." in told.out
    assert closed.status == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert world("check").out.endswith("All is well.\n")


def test_without_the_phrase_a_deletion_only_says_what_would_go(
    world: Console, memory: dict[str, Any]
) -> None:
    said = world("workspace", "delete", "Field notes")
    document = world.document("workspace", "delete", "Field notes")

    assert said.status == 0
    assert '--confirm "delete Field notes"' in said.out
    assert "Nothing was deleted" in said.out
    assert document["would_delete"]["memories"] == 1
    assert document["would_delete"]["event"] is None
    assert len(world.document("workspace", "list")["workspaces"]) == 1


def test_with_the_phrase_the_workspace_is_gone(world: Console, memory: dict[str, Any]) -> None:
    backup(world, "--workspace", "Field notes")

    wrong = world("workspace", "delete", "Field notes", "--confirm", "yes")
    document = world.document(
        "workspace", "delete", "Field notes", "--confirm", "delete Field notes"
    )

    assert wrong.status == 1
    assert "The phrase doesn't match." in wrong.err
    assert document["deleted"]["event"] == 1
    assert document["deleted"]["backups"] == 1
    assert world.document("workspace", "list")["workspaces"] == []
    assert world.document("backup", "list")["backups"] == []
    assert world("check").status == 0
    assert world("workspace", "delete", "Field notes").status == 1


def test_a_deletion_that_was_killed_is_finished_at_the_next_start(
    world: Console, memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser

    def killed(_self: SqliteWorkspaceEraser, _workspace_id: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqliteWorkspaceEraser, "_finish", killed)
        said = world("workspace", "delete", "Field notes", "--confirm", "delete Field notes")
    assert said.status == 130
    assert list((world.data_dir / "workspaces").glob(".deleted-*"))

    assert world("workspace", "list").status == 0

    assert [one.name for one in (world.data_dir / "workspaces").iterdir()] == [".lock"]


def test_a_memory_that_cannot_be_read_is_named_and_closes_nothing(
    world: Console, memory: dict[str, Any]
) -> None:
    world("memory", "add", "The herons count the tide", "--tier", "workspace")
    make_unreadable(database(world))

    listed = world.document("memory", "list", "--tier", "workspace")["memories"]
    exported = world("export", str(world.data_dir.parent / "out.json"))
    said, checked = world("check"), world("check", "--json").document

    assert sorted(one["content"] for one in listed) == [MARKED, "The herons count the tide"]
    assert "Part of 1 memory cannot be read" in exported.err
    assert said.status == 3
    assert f"no agent gets it: memories {memory['id']} content." in said.out
    assert "Write it again" in said.out
    (finding,) = checked["findings"]
    assert (finding["kind"], finding["detail"]) == ("text", f"memories {memory['id']} content")

    world.document("memory", "edit", memory["id"], "--content", "The harbour glass hums")
    world.document("memory", "resume", memory["id"])
    (again,) = world.document("memory", "search", "glass", "--tier", "workspace")["hits"]
    assert again["content"] == "The harbour glass hums"


def test_the_list_says_why_each_was_made_and_what_it_holds(
    world: Console, memory: dict[str, Any]
) -> None:
    made = backup(world, "--workspace", "Field notes")
    world("backup", "restore", made["name"])

    listed = world.document("backup", "list", "--workspace", "Field notes")["backups"]
    said = world("backup", "list").out

    assert [(one["reason"], one["kept"], one["memories"]) for one in listed] == [
        ("by_hand", True, 1),
        ("before_restore", False, 1),
    ]
    assert "before a restore" in said
    assert "1 memory" in said


def test_a_backup_is_compared_and_one_difference_set_back(
    world: Console, memory: dict[str, Any]
) -> None:
    made = backup(world, "--workspace", "Field notes")
    assert "is the same as today" in world("backup", "compare", made["name"]).out
    world.document("memory", "forget", memory["id"])
    answer = world.document("memory", "add", "Weather arrives late.", "--tier", "workspace")
    added = answer["memory"]

    found = world.document("backup", "compare", made["name"])
    said = world("backup", "compare", made["name"]).out

    assert {one["id"]: one["side"] for one in found["differences"]} == {
        memory["id"]: "only_then",
        added["id"]: "only_now",
    }
    assert "1 only now, 1 only then, 0 differ." in said

    done = world("backup", "restore", made["name"], "--only", memory["id"][:8])
    assert "Restored 1 difference of " in done.out
    assert "inklings backup restore " in done.out
    (left,) = world.document("backup", "compare", made["name"])["differences"]
    assert (left["id"], left["now"]["content"]) == (added["id"], "Weather arrives late.")
    document = world.document("backup", "restore", made["name"], "--only", added["id"])
    assert (document["gone"], document["returned"], document["left"]) == (1, 0, [])


def test_what_is_no_difference_cannot_be_set_back(world: Console, memory: dict[str, Any]) -> None:
    made = backup(world, "--workspace", "Field notes")

    refused = world("backup", "restore", made["name"], "--only", "GLOSSARY")

    assert refused.status == 1
    assert "GLOSSARY" in refused.err


def test_a_backup_is_deleted_by_its_name(world: Console) -> None:
    made = backup(world, "--workspace", "Field notes")

    assert f"Deleted the backup {made['name']}." in world("backup", "delete", made["name"]).out
    assert world.document("backup", "list")["backups"] == []
    assert world("backup", "delete", made["name"]).status == 1

"""What a damaged database still gives is read into a copy, and the damaged file stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.storage.sample_files import opened, world_of
from tests.support.damaging import damage_root, damage_where, folded
from tests.support.sqlite_store import raw


def exported(root: Path, file: Path, workspace_id: str | None = "") -> tuple[Any, Any]:
    """What the readable export says, and the document it wrote."""
    with opened(root) as inklings:
        wanted = world_of(root).parent.name if workspace_id == "" else workspace_id
        done = inklings.keeping.export_readable(wanted, file)
    return done, json.loads(file.read_text(encoding="utf-8"))


def contents_of(root: Path, file: Path) -> Any:
    with opened(root) as inklings:
        request = ExportRequest(workspaces=(world_of(root).parent.name,))
        inklings.transfer.export(request, file)
    return json.loads(file.read_text(encoding="utf-8"))["workspaces"][0]


def imported(file: Path, empty: Path) -> int:
    """Import the file into an empty data root; how many memories are there then."""
    with opened(empty) as inklings:
        plan = inklings.transfer.preview_import(file)
        done = inklings.transfer.apply_import(plan, {})
        return int(done.n_added)


def test_of_a_whole_file_everything_is_written(sample_world: Path, tmp_path: Path) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    done, document = exported(sample_world, tmp_path / "after.json")
    assert document["workspaces"] == [before]
    assert (done.n_missing, done.is_whole) == (0, True)
    assert document["account"] is None


def test_what_stands_on_sound_pages_is_written_and_the_rest_counted(
    sample_world: Path, tmp_path: Path
) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    victim = next(one for one in before["memories"] if one["lifetime"] == "long_term")
    damage_where(world_of(sample_world), victim["content"])
    content = world_of(sample_world).read_bytes()

    done, document = exported(sample_world, tmp_path / "after.json")

    (after,) = document["workspaces"]
    kept = {one["id"]: one for one in after["memories"]}
    known = {one["id"]: one for one in before["memories"]}
    assert victim["id"] not in kept
    assert len(known) * 0.5 < len(kept) < len(known)
    assert [one for one in kept if kept[one]["content"] != known[one]["content"]] == []
    assert not done.is_whole
    assert done.n_missing is not None
    assert 0 < done.n_missing <= len(known) - len(kept)
    assert done.exported.n_memories == len(kept)
    assert world_of(sample_world).read_bytes() == content
    assert list((sample_world / "backups").glob("**/.new-*")) == []


@pytest.mark.parametrize(
    "table", ["channels", "conversations", "named_entry_revisions", "memory_versions"]
)
def test_what_leans_on_a_lost_table_comes_back_all_the_same(
    sample_world: Path, tmp_path: Path, table: str
) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    damage_root(world_of(sample_world), table)

    done, document = exported(sample_world, tmp_path / "after.json")

    (after,) = document["workspaces"]
    texts = [[one["content"] for one in each["memories"]] for each in (before, after)]
    assert texts[0] == texts[1]
    bodies = [
        {one["name"]: one["body"] for one in each["named_entries"]} for each in (before, after)
    ]
    assert bodies[0] == bodies[1]
    assert not done.is_whole
    assert imported(tmp_path / "after.json", tmp_path / "empty") > 0


@pytest.mark.parametrize("field", ["scope key", "id"])
def test_a_row_that_damage_made_nonsense_of_is_left_out(
    sample_world: Path, tmp_path: Path, field: str
) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    path = world_of(sample_world)
    folded(path)
    victim = next(one for one in before["memories"] if one["tier"] == "workspace")
    content = bytearray(path.read_bytes())
    at = content.find(victim["id"].encode())
    if field == "scope key":
        at = content.find(path.parent.name.encode(), at)
        content[at] ^= 0x01  # that of no workspace now
    else:
        content[at] = ord("*")  # none that this program makes
    path.write_bytes(content)

    done, document = exported(sample_world, tmp_path / "after.json")

    kept = {one["id"] for one in document["workspaces"][0]["memories"]}
    assert {one["id"] for one in before["memories"]} - kept == {victim["id"]}
    assert (done.n_missing, done.is_whole) == (1, False)
    assert imported(tmp_path / "after.json", tmp_path / "empty") > 0


def test_of_a_file_whose_memories_are_lost_the_rest_is_written(
    sample_world: Path, tmp_path: Path
) -> None:
    damage_root(world_of(sample_world), "memories")
    done, document = exported(sample_world, tmp_path / "after.json")
    (after,) = document["workspaces"]
    assert after["memories"] == []
    assert after["named_entries"] != []
    assert done.n_missing > 0


def test_a_line_of_the_schema_that_is_lost_costs_no_memory(
    sample_world: Path, tmp_path: Path
) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    path = world_of(sample_world)
    folded(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TRIGGER meta_stays", b"\xff" * 25))

    done, document = exported(sample_world, tmp_path / "after.json")

    assert document["workspaces"][0]["memories"] == before["memories"]
    assert done.n_missing == 0


def test_of_a_file_that_was_cut_short_the_beginning_is_written(
    sample_world: Path, tmp_path: Path
) -> None:
    before = contents_of(sample_world, tmp_path / "before.json")
    path = world_of(sample_world)
    folded(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 3 // 4 + 100])

    done, document = exported(sample_world, tmp_path / "after.json")

    known = {one["id"]: one["content"] for one in before["memories"]}
    kept = document["workspaces"][0]["memories"]
    assert kept != []
    assert [one for one in kept if known[one["id"]] != one["content"]] == []
    assert not done.is_whole
    assert imported(tmp_path / "after.json", tmp_path / "empty") == len(kept)


def test_the_account_is_read_the_same_way(sample_world: Path, tmp_path: Path) -> None:
    done, document = exported(sample_world, tmp_path / "after.json", None)
    assert document["workspaces"] == []
    assert document["account"]["memories"] != []
    assert done.is_whole


@pytest.mark.parametrize("lost", ["", "conversations"])
def test_what_was_said_in_a_damaged_file_is_written_too(
    sample_world: Path, tmp_path: Path, lost: str
) -> None:
    workspace = world_of(sample_world).parent.name
    with opened(sample_world) as inklings:
        talk = inklings.places.conversations(workspace)[0].id
        for turn, text in (
            ("new-1", "The toll is paid in glass."),
            ("new-2", "In left-hand panes alone."),
        ):
            parts = json.dumps([{"kind": "text", "text": text}])
            draft = MessageDraft(MessageRole.USER, parts, turn)
            inklings.messages.append(workspace, talk, draft)
    if lost:
        damage_root(world_of(sample_world), lost)
    done, document = exported(sample_world, tmp_path / "after.json")
    said = [one for one in document["workspaces"][0]["messages"] if one["turn"].startswith("new")]
    assert [json.loads(one["parts_json"])[0]["text"] for one in said] == [
        "The toll is paid in glass.",
        "In left-hand panes alone.",
    ]
    assert done.is_whole is (not lost)
    assert imported(tmp_path / "after.json", tmp_path / "empty") > 0


def test_of_what_is_no_database_nothing_is_written(sample_world: Path, tmp_path: Path) -> None:
    path = world_of(sample_world)
    folded(path)
    path.write_bytes(b"Dear diary,\n" * 90_000)
    with pytest.raises(DatabaseCorruptError):
        exported(sample_world, tmp_path / "after.json")
    assert not (tmp_path / "after.json").exists()
    assert list((sample_world / "backups").glob("**/.new-*")) == []


def test_rows_behind_a_gap_at_either_end_are_read(tmp_path: Path) -> None:
    from inklings_desktop.storage.salvage.readable_rows import ReadableRows

    path = tmp_path / "rows.db"
    with raw(path) as connection:
        connection.execute("CREATE TABLE rows_of (number INTEGER PRIMARY KEY, body TEXT)")
        rows = [(n, f"row {n} " + "x" * 700) for n in range(1, 400)]
        connection.executemany("INSERT INTO rows_of VALUES (?, ?)", rows)
    for text in ("row 1 x", "row 200 x", "row 399 x"):
        damage_where(path, text)
    with raw(path) as connection:
        reading = ReadableRows(connection, "rows_of", ["number", "body"])
        found = [row[0] for row in reading]
    assert found == sorted(set(found))
    assert not reading.are_whole
    missing = set(range(1, 400)) - set(found)
    assert {1, 200, 399} <= missing
    assert len(missing) <= 3 * 6  # what stands on a page, three times

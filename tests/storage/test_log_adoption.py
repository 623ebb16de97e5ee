from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.log.events import EventKind, LogFault
from inklings_desktop.storage.log.log_heads import HEADS_FILE
from tests.storage.test_event_log_attacks import (
    LATER,
    append,
    restored_triggers,
    rewritten,
    rows_of,
    verdict,
)
from tests.support.builders import OTHER_WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root into which the folder of another installation was put, not opened yet."""
    elsewhere, root = tmp_path / "elsewhere", tmp_path / "root"
    with sqlite_world(elsewhere, workspace_ids=(OTHER_WORKSPACE_ID,)) as other:
        append(other, 4, OTHER_WORKSPACE_ID)
        folder = other.path(OTHER_WORKSPACE_ID).parent
    with sqlite_world(root) as world:
        append(world, 2)
    shutil.copytree(folder, root / "workspaces" / OTHER_WORKSPACE_ID)
    return root


def path_of(root: Path) -> Path:
    return root / "workspaces" / OTHER_WORKSPACE_ID / "agents.db"


def check(world: SqliteWorld) -> tuple[LogFault | None, int | None, int, int]:
    found = verdict(world, OTHER_WORKSPACE_ID)
    return found.reason, found.first_broken, found.n_events, found.n_segments


def test_a_folder_from_another_installation_starts_a_new_segment_once(root: Path) -> None:
    before = rows_of(path_of(root))
    for _ in range(2):
        with sqlite_world(root) as world:
            assert check(world) == (None, None, 5, 2)
            assert verdict(world).n_segments == 1

    *earlier, adopted = rows_of(path_of(root))
    assert earlier == before
    with sqlite_world(root) as world:
        with world.store.read(OTHER_WORKSPACE_ID) as view:
            event = view.events.get(5)
        assert event.kind is EventKind.LOG_ADOPTED
        assert (event.actor, event.actor_kind, event.door) == ("Inklings", "clock", "clock")
        assert event.counts == {"events": 4}
        assert event.marks["previous"] == before[-1][-1]
        assert event.chain_hash == adopted[-1]
        append(world, 3, OTHER_WORKSPACE_ID)
        assert check(world) == (None, None, 8, 2)
    document = json.loads((root / HEADS_FILE).read_text())
    assert document["logs"][f"workspace {OTHER_WORKSPACE_ID}"]["events"] == 8


def test_an_empty_log_from_elsewhere_needs_no_adoption(tmp_path: Path) -> None:
    elsewhere, root = tmp_path / "elsewhere", tmp_path / "root"
    with sqlite_world(elsewhere, workspace_ids=(OTHER_WORKSPACE_ID,)) as other:
        folder = other.path(OTHER_WORKSPACE_ID).parent
    shutil.copytree(folder, root / "workspaces" / OTHER_WORKSPACE_ID)
    with sqlite_world(root) as world:
        assert check(world) == (None, None, 0, 1)
        append(world, 1, OTHER_WORKSPACE_ID)
        assert check(world) == (None, None, 1, 1)


def test_a_folder_that_travels_on_is_adopted_again(root: Path, tmp_path: Path) -> None:
    with sqlite_world(root) as world:
        append(world, 1, OTHER_WORKSPACE_ID)
    third = tmp_path / "third"
    with sqlite_world(third, workspace_ids=()):
        pass
    shutil.copytree(path_of(root).parent, third / "workspaces" / OTHER_WORKSPACE_ID)
    with sqlite_world(third, workspace_ids=()) as world:
        assert check(world) == (None, None, 7, 3)


def test_a_data_root_without_its_key_is_another_installation(root: Path) -> None:
    (root / "install.key").unlink()
    with sqlite_world(root) as world:
        append(world, 1, None)
        assert check(world) == (LogFault.KEY_NEW, None, 5, 2)
        found = verdict(world)
        assert (found.reason, found.n_events, found.n_segments) == (LogFault.KEY_NEW, 3, 2)


def tampered(root: Path, *statements: str) -> None:
    with raw(path_of(root)) as connection:
        rewritten(connection)
        for statement in statements:
            connection.execute(statement)
    # Only the triggers of the log were dropped.
    restored_triggers(path_of(root))


@pytest.mark.parametrize(
    ("statement", "reason", "number"),
    [
        ("UPDATE events SET actor = 'Eve' WHERE seq = 2", LogFault.ADOPTED_EDITED, None),
        ("UPDATE events SET chain_hash = lower(hex(zeroblob(32))) WHERE seq = 1",
         LogFault.ADOPTED_EDITED, None),
        ("DELETE FROM events WHERE seq = 2", LogFault.GAP, 2),
        ("UPDATE events SET marks = '{}' WHERE seq = 5", LogFault.FOREIGN, 1),
        ("UPDATE events SET actor = 'Eve' WHERE seq = 6", LogFault.EDITED, 6),
        ("DELETE FROM events WHERE seq = 7", LogFault.CUT, 7),
        ("DELETE FROM events WHERE seq >= 5", LogFault.FOREIGN, 1),
    ],
)  # fmt: skip
def test_tampering_shows_on_both_sides_of_the_adoption(
    root: Path, statement: str, reason: LogFault, number: int | None
) -> None:
    with sqlite_world(root) as world:
        append(world, 2, OTHER_WORKSPACE_ID)
        assert check(world) == (None, None, 7, 2)
    tampered(root, statement)

    with sqlite_world(root) as world:
        found = check(world)[:2]
        # The last event still is ours where only the adoption was edited.
        expected = (LogFault.EDITED, 1) if "seq = 5" in statement else (reason, number)
        assert found == expected
        append(world, 3, OTHER_WORKSPACE_ID, at=LATER)
        assert check(world)[0] is not None


def test_a_foreign_log_waits_while_another_program_writes(root: Path) -> None:
    with (
        sqlite_world(root, busy_timeout_ms=10) as world,
        raw(path_of(root)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError):
            world.databases.file(OTHER_WORKSPACE_ID)
        other.execute("ROLLBACK")
        assert check(world) == (None, None, 5, 2)


def test_a_log_of_ours_without_its_head_is_not_adopted(root: Path) -> None:
    (root / HEADS_FILE).unlink()
    with sqlite_world(root) as world:
        found = verdict(world)
        assert (found.reason, found.n_events, found.n_segments) == (LogFault.HEAD_MISSING, 2, 1)

"""Copies of stores that somebody made: a proof names them, and they cannot speak for themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.salvage.inspection import SqliteInspector
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.scrub_world import ScrubWorld, scrub_world
from tests.support.sqlite_store import raw

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
MARK = "zqvwkxjtbdfgh7"
COPIES = (
    f"workspaces/{WORKSPACE_ID}/old/{DATABASE_NAME}",
    f"workspaces/{WORKSPACE_ID}/agents (conflicted copy).db",
    f"workspaces/{WORKSPACE_ID} copy/{DATABASE_NAME}",
    f"workspaces/copied/{DATABASE_NAME}",
    f"workspaces/{WORKSPACE_ID}/old/deeper/{DATABASE_NAME}",
    f"old/workspaces/{WORKSPACE_ID}/{DATABASE_NAME}",
    f"backups/{DATABASE_NAME}",
    f"backups/{WORKSPACE_ID}/{DATABASE_NAME}",
    f"backups/{WORKSPACE_ID}/mine.db",
    f"backups/{OTHER_WORKSPACE_ID}/20250101T000000000Z.db",
    "backups/old/20250101T000000000Z.db",
    "agents.db.bak",
)
REPORTED = f"workspaces/copied/{DATABASE_NAME}"
"""A check finds that the database in this folder is not the one that belongs there."""


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ScrubWorld]:
    with scrub_world(tmp_path) as scene:
        scene.fill(SCOPE, MARK, n_memories=5)
        scene.fill(ScopeKey.workspace(OTHER_WORKSPACE_ID), "beside", n_memories=2)
        yield scene


def copied(scene: ScrubWorld, place: str) -> Path:
    """A copy of the workspace's database, whole in itself."""
    path = scene.world.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with raw(scene.world.path()) as connection:
        connection.execute("VACUUM INTO ?", (str(path),))
    return path


def strays(scene: ScrubWorld) -> list[str]:
    inspector = SqliteInspector(scene.world.databases, scene.world.publisher)
    found = inspector.left_over(remove=True)
    return [one.detail for one in found if one.kind is FindingKind.STRAY]


@pytest.mark.parametrize("place", COPIES)
def test_a_copy_of_a_store_is_named_as_holding_the_text(scene: ScrubWorld, place: str) -> None:
    copy = copied(scene, place)
    assert MARK.encode() in copy.read_bytes()
    outcome = scene.scrub(SCOPE)
    assert outcome.receipt is not None
    assert outcome.receipt.remaining == (f"{place}: not a store that this program uses",)
    assert outcome.receipt.hits > 0
    assert not outcome.is_finished
    assert (outcome.pending, outcome.verified_number) == ("copies", None)
    assert MARK.encode() in copy.read_bytes(), "it is not ours to change"
    holding = {
        path.relative_to(scene.world.root).as_posix()
        for path in scene.world.root.rglob("*")
        if path.is_file() and MARK.encode() in path.read_bytes()
    }
    assert holding == {place}


def test_without_copies_a_scrub_is_verified_beside_backups_of_the_same_words(
    scene: ScrubWorld,
) -> None:
    scene.fill(ScopeKey.workspace(OTHER_WORKSPACE_ID), MARK, n_memories=5)
    keeper = SqliteBackupKeeper(scene.world.databases, scene.world.publisher, scene.world.clock)
    for file in (None, WORKSPACE_ID, OTHER_WORKSPACE_ID):
        keeper.create(file)
    outcome = scene.scrub(SCOPE)
    assert outcome.is_finished
    assert outcome.receipt is not None
    assert (outcome.receipt.hits, outcome.receipt.remaining) == (0, ())
    assert strays(scene) == []


def test_a_workspace_that_lies_elsewhere_is_searched(
    scene: ScrubWorld, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    linked = scene.world.root / "workspaces" / "linked"
    linked.symlink_to(elsewhere)
    (scene.world.root / "not ours").symlink_to(elsewhere)
    texts = json.dumps(scene.dump(WORKSPACE_ID)["memories"], ensure_ascii=False, default=bytes.hex)
    (elsewhere / "notes.txt").write_text(texts)
    outcome = scene.scrub(SCOPE)
    assert outcome.receipt is not None
    places = [one.partition(":")[0] for one in outcome.receipt.remaining]
    assert places == ["workspaces/linked/notes.txt"]


@pytest.mark.parametrize("place", COPIES)
def test_a_check_names_a_copy_and_leaves_it(scene: ScrubWorld, place: str) -> None:
    copy = copied(scene, place)
    is_backup = place.endswith("Z.db")  # a check looks at each of these and says what it is
    assert strays(scene) == ([] if is_backup or place == REPORTED else [place])
    assert copy.exists()


def test_another_name_of_a_database_in_use_is_not_opened(scene: ScrubWorld) -> None:
    path = scene.world.path()
    os.link(path, path.with_name("linked.db"))
    assert strays(scene) == []

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.databases import (
    FILES_AT_HAND,
    REST_AFTER_SECONDS,
    Databases,
    OwnChanges,
)
from inklings_desktop.storage.store import SqliteStore
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    FixedClock,
    a_memory,
    a_template,
)
from tests.support.sqlite_store import SqliteWorld, sqlite_world


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_under_the_data_root_is_the_owners_alone(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "root"
    with sqlite_world(root) as world:
        for workspace_id in (WORKSPACE_ID, None):
            scope = ScopeKey.workspace(workspace_id) if workspace_id else ScopeKey.account()
            with world.store.write(workspace_id, initiator="Ada") as unit:
                unit.memories.add([a_memory(scope=scope)])
                unit.commit()

        found = [root.parent, root, *root.rglob("*")]
        names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        assert {mode(path) for path in found if path.is_dir()} == {0o700}
        assert {mode(path) for path in found if path.is_file()} == {0o600}

    folder = f"workspaces/{WORKSPACE_ID}"
    assert {
        "agents.db",
        "agents.db-wal",
        "install.key",
        f"{folder}/agents.db",
        f"{folder}/workspace.json",
    } <= names


def test_closing_folds_the_wal_back(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory()])
            unit.commit()
        folder = world.path().parent

    assert sorted(path.name for path in folder.iterdir()) == ["agents.db", "workspace.json"]


def test_nothing_is_made_before_it_is_asked_for(tmp_path: Path) -> None:
    root = tmp_path / "root"
    databases = Databases(root, FixedClock())

    databases.close()

    assert not root.exists()


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "a\\b", "", ".", "x" * 65, "a\x00b", "é"])
def test_no_id_leads_out_of_the_data_root(world: SqliteWorld, name: str) -> None:
    with pytest.raises(NotFoundError):
        world.databases.workspace_folder(name)


def test_a_file_is_opened_once(world: SqliteWorld) -> None:
    assert world.databases.file(WORKSPACE_ID) is world.databases.file(WORKSPACE_ID)
    assert len(world.databases.open_files()) == 1


MORE_IDS = tuple(f"more-{number}" for number in range(FILES_AT_HAND))


class Resting:
    """Workspaces in use, and a clock that a test sets."""

    def __init__(self, world: SqliteWorld) -> None:
        for id_ in MORE_IDS:
            world.directory.create(Workspace(id_, id_, NOON))
        self.seconds = 0.0
        self.databases = Databases(
            world.root, world.clock, template_of=a_template, monotonic=lambda: self.seconds
        )
        self.store = SqliteStore(self.databases, world.publisher)

    def use(self, workspace_id: str) -> int:
        """Write a memory and count them."""
        scope = ScopeKey.workspace(workspace_id)
        with self.store.write(workspace_id, initiator="Ada") as unit:
            unit.memories.add([a_memory(scope=scope)])
            unit.commit()
        with self.store.read(workspace_id) as view:
            return view.memories.active_count(scope)

    def n_idle(self) -> dict[str | None, int]:
        """Connections at rest, by file."""
        return {one.workspace_id: one.engines.n_idle for one in self.databases.open_files()}


@pytest.fixture
def resting(world: SqliteWorld) -> Iterator[Resting]:
    one = Resting(world)
    yield one
    one.databases.close()


def test_files_that_nobody_asks_for_keep_no_connections(resting: Resting) -> None:
    resting.use(WORKSPACE_ID)
    resting.seconds = 1
    resting.use(OTHER_WORKSPACE_ID)
    files = resting.databases.open_files()
    for at_hand in MORE_IDS:
        resting.seconds += 1
        resting.use(at_hand)
    resting.seconds = REST_AFTER_SECONDS + 0.5
    resting.databases.let_rest()
    assert resting.n_idle() == {
        WORKSPACE_ID: 0,
        OTHER_WORKSPACE_ID: 2,  # asked for a moment ago
        **dict.fromkeys(MORE_IDS, 2),
    }

    resting.seconds *= 2
    resting.databases.let_rest()

    assert resting.n_idle() == {
        WORKSPACE_ID: 0,
        OTHER_WORKSPACE_ID: 0,
        **dict.fromkeys(MORE_IDS, 2),  # asked for last
    }
    assert resting.databases.open_files()[: len(files)] == files
    assert resting.use(OTHER_WORKSPACE_ID) == 2


def test_a_file_in_somebodys_hands_does_not_rest(resting: Resting) -> None:
    with resting.store.read(WORKSPACE_ID) as view:
        for at_hand in MORE_IDS:
            resting.seconds += 1
            resting.use(at_hand)
        resting.seconds += 2 * REST_AFTER_SECONDS
        resting.databases.let_rest()
        assert view.memories.active_count(ScopeKey.workspace(WORKSPACE_ID)) == 0
        assert resting.databases.file(WORKSPACE_ID).engines.n_in_use == 1
    assert resting.n_idle()[WORKSPACE_ID] == 1


def test_the_texts_of_one_workspace_are_in_its_own_file_only(tmp_path: Path) -> None:
    with sqlite_world(tmp_path, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        for workspace_id, canary in (
            (WORKSPACE_ID, "canaryone"),
            (OTHER_WORKSPACE_ID, "canarytwo"),
            (None, "canarythree"),
        ):
            scope = ScopeKey.workspace(workspace_id) if workspace_id else ScopeKey.account()
            with world.store.write(workspace_id, initiator="Ada") as unit:
                unit.memories.add([a_memory(f"{canary} sails", scope=scope, tags=(canary,))])
                unit.commit()

        for canary, home in (
            ("canaryone", tmp_path / "workspaces" / WORKSPACE_ID),
            ("canarytwo", tmp_path / "workspaces" / OTHER_WORKSPACE_ID),
            ("canarythree", tmp_path),
        ):
            for path in tmp_path.rglob("*"):
                if path.is_file() and canary.encode() in path.read_bytes():
                    assert path.parent == home
                    assert path.name.startswith("agents.db")


def test_own_numbers_are_told_from_foreign_ones() -> None:
    own = OwnChanges()
    for number in (1, 3, 4):
        own.add(number)
    own.discard(4)

    assert own.among(0, 3) == {1, 3}
    assert own.among(1, 2) == frozenset()
    assert own.among(0, 3) == {3}

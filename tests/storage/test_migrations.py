from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseInUseError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    InvalidValueError,
    MigrationFailedError,
)
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.backups.backups import backups_of
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.migrations.lineage import LINEAGE, Lineage
from inklings_desktop.storage.salvage.inspection import SqliteInspector
from inklings_desktop.storage.schema.marks import (
    FINGERPRINTS,
    SCHEMA_VERSION,
    FileKind,
    fingerprint,
)
from inklings_desktop.storage.schema.schema_rules import kind_of
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.storage.upgrade.migrating import Place, bring_up_to_date
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
from inklings_desktop.usecases.ports.progress import Upgrade
from tests.storage.freeze_schema import MARK, fixture, thaw
from tests.storage.keeping import DRAFT, open_purge
from tests.storage.later_schema import (
    AFTER_NEXT,
    LATER,
    NEXT,
    WEATHER,
    a_lineage,
    later,
    path_of,
    unmigrated,
    version_of,
    written,
)
from tests.storage.sample_files import opened
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, a_memory, a_person
from tests.support.dumps import log_of, logical_dump
from tests.support.fake_publisher import FakePublisher
from tests.support.sqlite_store import integrity_faults, raw

FILES = (None, WORKSPACE_ID)
NAME = "World 0b8f4c1e"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root of the schema version in use."""
    thaw(SCHEMA_VERSION, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def path(root: Path) -> Path:
    """Its workspace."""
    return path_of(root, WORKSPACE_ID)


def keeper(databases: Databases) -> SqliteBackupKeeper:
    return SqliteBackupKeeper(databases, FakePublisher(), FixedClock())


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_every_schema_version_has_a_fixture_that_comes_up_to_date(
    version: int, tmp_path: Path
) -> None:
    assert fixture(version).is_file(), "run python -m tests.storage.freeze_schema"
    thaw(version, tmp_path)

    with opened(tmp_path) as inklings:
        report = inklings.as_caller(a_person()).keeping.check_data()

    assert report.findings == ()
    assert (report.n_files, report.n_memories > 20) == (2, True)
    assert [version_of(path_of(tmp_path, one)) for one in FILES] == [SCHEMA_VERSION] * 2


@pytest.mark.parametrize("workspace_id", FILES)
def test_the_fixture_of_the_version_in_use_is_as_the_schema_is_now(
    root: Path, workspace_id: str | None
) -> None:
    with raw(path_of(root, workspace_id)) as connection:
        found = fingerprint(connection)

    assert found == FINGERPRINTS[kind_of(workspace_id)], (
        "run python -m tests.storage.freeze_schema; after a release, add a migration first"
    )


@pytest.mark.parametrize("lineage", [LINEAGE, LATER])
def test_steps_are_in_order_and_every_name_is_there_once(lineage: Lineage) -> None:
    steps = lineage.migrations

    assert [one.to_version for one in steps] == list(range(2, lineage.version + 1))
    assert len({one.name for one in steps}) == len(steps)
    assert all(set(one.starts_from) == set(one.statements) == set(FileKind) for one in steps)
    assert LINEAGE.version == SCHEMA_VERSION


@pytest.mark.parametrize("kind", FileKind)
def test_a_version_is_known_by_its_own_fingerprint_alone(kind: FileKind) -> None:
    assert LATER.is_expected(kind, SCHEMA_VERSION, FINGERPRINTS[kind])
    assert not LATER.is_expected(kind, NEXT, FINGERPRINTS[kind])
    assert not LATER.is_expected(kind, AFTER_NEXT, FINGERPRINTS[kind])


@pytest.mark.parametrize("workspace_id", FILES)
def test_a_file_of_an_earlier_version_is_brought_up_to_date_when_it_is_opened(
    root: Path, workspace_id: str | None
) -> None:
    path = path_of(root, workspace_id)
    before = written(logical_dump(path))

    with later(root) as databases:
        databases.file(workspace_id)

    after = logical_dump(path)
    assert version_of(path) == AFTER_NEXT
    assert unmigrated(after) == before
    assert {row[0] for row in after["memories"]} == {"calm"}
    assert {row[-1] for row in after["saved_filters"]} == {"blue"}
    assert after["weather"] == []
    assert integrity_faults(path) == []


def test_it_is_opened_once_more_without_another_step_or_backup(root: Path, path: Path) -> None:
    for _ in range(2):
        with later(root) as databases:
            databases.file(WORKSPACE_ID)

    assert len(backups_of(root, WORKSPACE_ID)) == 1
    kinds = [kind for _, _, kind, *_ in log_of(path)]
    assert kinds.count(EventKind.SCHEMA_MIGRATED) == 2


@pytest.mark.parametrize("workspace_id", FILES)
def test_a_sound_backup_shows_the_file_as_it_was(root: Path, workspace_id: str | None) -> None:
    before = logical_dump(path_of(root, workspace_id), without=())

    with later(root) as databases:
        databases.file(workspace_id)

    (kept,) = backups_of(root, workspace_id)
    assert kept.schema_version == SCHEMA_VERSION
    assert logical_dump(kept.path, without=()) == before
    assert integrity_faults(kept.path) == []


@pytest.mark.parametrize("workspace_id", FILES)
def test_the_log_tells_of_each_step_and_stays_whole(root: Path, workspace_id: str | None) -> None:
    before = log_of(path_of(root, workspace_id))

    with later(root) as databases:
        store = SqliteStore(databases, FakePublisher())
        with store.read(workspace_id) as view:
            second, first, *_ = view.events.latest(9)
            assert view.events.first_broken() is None
        assert SqliteLogAudit(databases).verify(workspace_id).is_whole

    assert log_of(path_of(root, workspace_id))[:-2] == before
    (kept,) = backups_of(root, workspace_id)
    assert (first.kind, first.actor, first.door) == ("schema.migrated", "Inklings", "clock")
    assert first.marks == {"migration": "weather and moods", "kept": kept.path.stem}
    assert first.counts == {"from": SCHEMA_VERSION, "to": NEXT}
    assert second.counts == {"from": NEXT, "to": AFTER_NEXT}


@pytest.mark.parametrize(("workspace_id", "name"), [(None, None), (WORKSPACE_ID, NAME)])
def test_each_step_is_told_and_that_it_is_over(
    root: Path, workspace_id: str | None, name: str | None
) -> None:
    told: list[Upgrade | None] = []
    copies: list[int] = []

    def hear(upgrade: Upgrade | None) -> None:
        told.append(upgrade)
        copies.append(len(backups_of(root, workspace_id)))

    for _ in range(2):
        with later(root, upgrading=hear) as databases:
            databases.file(workspace_id)

    assert told == [Upgrade(name, 0, 2), Upgrade(name, 1, 2), Upgrade(name, 2, 2), None]
    assert copies == [0, 1, 1, 1]


def test_a_step_that_fails_is_told_to_be_over(root: Path) -> None:
    told: list[Upgrade | None] = []

    with (
        later(root, a_lineage(*WEATHER), upgrading=told.append) as databases,
        pytest.raises(MigrationFailedError),
    ):
        databases.file(WORKSPACE_ID)

    assert told == [Upgrade(NAME, 0, 1), Upgrade(NAME, 1, 1), None]


def test_what_was_written_before_is_found_and_more_can_be_written(root: Path, path: Path) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    with later(root) as databases:
        store = SqliteStore(databases, FakePublisher())
        with store.write(WORKSPACE_ID, initiator="Ada") as unit:
            (added,) = unit.memories.add([a_memory(f"{MARK} of after", scope=scope)])
            unit.commit()
        with store.read(WORKSPACE_ID) as view:
            found = view.full_text.search(
                [scope], keyword_query(MARK), where=EVERYTHING, visible_to=None, limit=20
            )[scope]

    assert added.id in {one.id for one in found}
    assert len(found) > 1
    with raw(path) as connection, pytest.raises(sqlite_module().IntegrityError, match="place"):
        connection.execute("UPDATE memories SET scope_key = 'elsewhere'")


def test_the_earlier_program_refuses_the_file_and_leaves_it_alone(root: Path, path: Path) -> None:
    with later(root) as databases:
        databases.file(WORKSPACE_ID)
    content = path.read_bytes()

    with later(root, LINEAGE) as databases, pytest.raises(DatabaseTooNewError) as caught:
        databases.file(WORKSPACE_ID)

    assert (caught.value.found, caught.value.supported) == (AFTER_NEXT, SCHEMA_VERSION)
    assert path.read_bytes() == content


def test_where_nothing_can_be_written_it_is_said_what_to_do(root: Path, path: Path) -> None:
    content = path.read_bytes()

    with later(root, is_sealed=True) as databases:
        with pytest.raises(DatabaseTooOldError) as caught:
            databases.file(WORKSPACE_ID)
        look = SqliteInspector(databases, FakePublisher()).look(WORKSPACE_ID)

    assert (caught.value.found, caught.value.needed) == (SCHEMA_VERSION, AFTER_NEXT)
    assert [(one.kind, one.detail) for one in look.findings] == [(FindingKind.UNREADABLE, "older")]
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("lineage", "reason"),
    [
        (a_lineage(*WEATHER), "another schema"),
        (a_lineage("UPDATE memories SET tier = 'account'"), "CHECK constraint failed"),
        (a_lineage("DELETE FROM nothing_like_this"), "no such table"),
    ],
)
def test_a_step_that_does_not_fit_leaves_the_file_as_it_was(
    root: Path, path: Path, lineage: Lineage, reason: str
) -> None:
    before = logical_dump(path, without=())

    for _ in range(2):
        with later(root, lineage) as databases, pytest.raises(MigrationFailedError) as caught:
            databases.file(WORKSPACE_ID)

    # The second try found the backup of the first one.
    (kept,) = backups_of(root, WORKSPACE_ID)
    error = caught.value
    assert (error.found, error.needed, error.kept) == (SCHEMA_VERSION, NEXT, kept.name)
    assert error.detail.startswith(reason)
    assert version_of(path) == SCHEMA_VERSION
    assert logical_dump(path, without=()) == before


def test_a_backup_that_was_damaged_since_is_not_relied_upon(root: Path) -> None:
    with later(root, a_lineage(*WEATHER)) as databases, pytest.raises(MigrationFailedError):
        databases.file(WORKSPACE_ID)
    (first,) = backups_of(root, WORKSPACE_ID)
    content = first.path.read_bytes()
    first.path.write_bytes(content[: len(content) // 2])

    with later(root) as databases:
        databases.file(WORKSPACE_ID)

    assert len(backups_of(root, WORKSPACE_ID)) == 2


def test_a_backup_whose_tables_were_changed_since_is_not_relied_upon(root: Path) -> None:
    with later(root, a_lineage(*WEATHER)) as databases, pytest.raises(MigrationFailedError):
        databases.file(WORKSPACE_ID)
    (first,) = backups_of(root, WORKSPACE_ID)
    # It holds the same rows, so that only the look at the whole file can tell.
    with raw(first.path) as connection:
        connection.execute("CREATE TRIGGER extra AFTER INSERT ON memories BEGIN SELECT 1; END")

    with later(root) as databases:
        databases.file(WORKSPACE_ID)

    assert len(backups_of(root, WORKSPACE_ID)) == 2


def test_a_file_that_another_program_wrote_to_after_the_backup_stays_as_it_is(
    root: Path, path: Path
) -> None:
    def connect(place: Path) -> sqlite3.Connection:
        with raw(place) as beside:
            beside.execute("UPDATE meta SET change_seq = change_seq + 1")
        return connect_raw(place)

    with later(root) as databases:
        place = Place(root, FixedClock(), databases.log_heads(), databases.key())
        with pytest.raises(DatabaseInUseError):
            bring_up_to_date(path, WORKSPACE_ID, place, LATER, connect=connect)

    assert version_of(path) == SCHEMA_VERSION


def test_a_file_that_was_written_to_since_gets_a_backup_of_its_own(root: Path) -> None:
    with later(root, LINEAGE) as databases:
        earlier = keeper(databases).create(WORKSPACE_ID)
        with SqliteStore(databases, FakePublisher()).write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("written after the backup")])
            unit.commit()

    with later(root) as databases:
        databases.file(WORKSPACE_ID)

    first, second = backups_of(root, WORKSPACE_ID)
    assert first.name == earlier.name
    with raw(second.path) as connection:
        found = connection.execute("SELECT 1 FROM memories WHERE content LIKE 'written after%'")
        assert found.fetchone() == (1,)


def test_a_file_whose_scrub_is_not_finished_comes_up_to_date_too(root: Path, path: Path) -> None:
    open_purge(path)

    with later(root) as databases:
        with pytest.raises(InvalidValueError):  # of other backups this still holds
            keeper(databases).create(WORKSPACE_ID)
        assert len(backups_of(root, WORKSPACE_ID)) == 1

    with raw(path) as connection:
        assert connection.execute("SELECT state FROM purges").fetchall() == [("removed",)]


@pytest.mark.parametrize("state", ["in use", "lost"])
def test_a_backup_of_an_earlier_version_is_brought_up_to_date_as_it_is_restored(
    root: Path, path: Path, state: str
) -> None:
    before = written(logical_dump(path))
    with later(root) as databases:
        databases.file(WORKSPACE_ID)
        (kept,) = backups_of(root, WORKSPACE_ID)
        content = kept.path.read_bytes()
        with SqliteStore(databases, FakePublisher()).write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("gone again in a moment")])
            unit.commit()
    if state == "lost":
        path.unlink()

    with later(root) as databases:
        done = keeper(databases).restore(kept.name, DRAFT, NOON)
        with SqliteStore(databases, FakePublisher()).read(WORKSPACE_ID) as view:
            assert view.events.first_broken() is None

    assert (done.safety is None) == (state == "lost")
    assert version_of(path) == AFTER_NEXT
    assert unmigrated(logical_dump(path)) == before
    assert integrity_faults(path) == []
    assert kept.path.read_bytes() == content
    assert sorted(one.name for one in path.parent.glob(".agents.db*")) == []


def test_a_backup_is_restored_into_a_file_that_comes_up_to_date_on_the_way(
    root: Path, path: Path
) -> None:
    with later(root, LINEAGE) as databases:
        earlier = keeper(databases).create(WORKSPACE_ID)
    before = written(logical_dump(path))

    with later(root) as databases:
        keeper(databases).restore(earlier.name, DRAFT, NOON)

    assert version_of(path) == AFTER_NEXT
    assert unmigrated(logical_dump(path)) == before


def test_a_workspace_of_an_earlier_version_can_be_deleted_at_once(root: Path, path: Path) -> None:
    with later(root) as databases:
        directory = SqliteWorkspaceDirectory(databases)
        store = SqliteStore(databases, FakePublisher())
        (workspace,) = directory.workspaces()
        databases.file(None)  # as at every start
        draft = EventDraft(EventKind.WORKSPACE_DELETED, "Ada", "person", "cli")
        done = SqliteWorkspaceEraser(databases, store, directory).erase(workspace, draft, NOON)

    assert done.n_memories > 0
    assert not path.exists()
    assert backups_of(root, WORKSPACE_ID) == ()


def test_a_workspace_of_an_earlier_version_can_be_taken_in(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    shutil.copytree(path_of(root, WORKSPACE_ID).parent, outside)
    content = (outside / "agents.db").read_bytes()

    with later(tmp_path / "mine") as databases:
        taken = SqliteWorkspaceDirectory(databases).adopt(outside)
        path = databases.file(taken.id).path
        with SqliteStore(databases, FakePublisher()).read(taken.id) as view:
            assert view.events.first_broken() is None

    assert version_of(path) == AFTER_NEXT
    assert unmigrated(logical_dump(path)) == written(logical_dump(outside / "agents.db"))
    assert (outside / "agents.db").read_bytes() == content
    kinds = [kind for _, _, kind, *_ in log_of(path)][-3:]
    assert kinds == [EventKind.LOG_ADOPTED, *2 * [EventKind.SCHEMA_MIGRATED]]

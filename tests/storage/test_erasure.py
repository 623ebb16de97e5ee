from __future__ import annotations

import json
import random
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.entries.proposals import ABOUT_NAMED
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    StoppedError,
)
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubKind, ScrubManifest, ScrubMode, ScrubOutcome
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.places import HINT_FILE
from inklings_desktop.storage.schema.marks import FileKind
from inklings_desktop.storage.schema.schema_rules import schema_statements
from inklings_desktop.storage.scrubbing import erasure
from inklings_desktop.storage.scrubbing.erasure import LOCK_FILE, SqliteEraser
from inklings_desktop.storage.search.side_file.array_folder import only_one_maker
from inklings_desktop.storage.search.side_file.folders import FIND_FOLDER, folder_of, numbered
from inklings_desktop.storage.workspaces.foreign_changes import ForeignChanges
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.ports.scrub import Erased
from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, the_clock
from tests.support.processes import REPOSITORY
from tests.support.scrub_world import ADA, CHANNELS, CONVERSATIONS, ScrubWorld, scopes, scrub_world
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world
from tests.support.wide import mostly_wide

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
MARK = "zqvwkxjtbdfgh7"


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ScrubWorld]:
    """A workspace tier with 30 memories and everything else that it can hold."""
    with scrub_world(tmp_path) as scene:
        scene.fill(SCOPE, MARK, n_memories=30)
        scene.fill(ScopeKey.account(), "beside", n_memories=3)
        yield scene


def bytes_of(scene: ScrubWorld, workspace_id: str | None = WORKSPACE_ID) -> bytes:
    path = scene.world.path(workspace_id)
    wal = path.with_name(f"{path.name}-wal")
    return path.read_bytes() + (wal.read_bytes() if wal.exists() else b"")


def executed(scene: ScrubWorld, manifest: ScrubManifest, progress: Progress) -> ScrubOutcome:
    return ExecuteScrub(scene.manifests, lambda: "ada")(
        ADA,
        manifest.scope,
        manifest.mode,
        token=manifest.token,
        phrase=manifest.phrase,
        progress=progress,
    )


def kinds(scene: ScrubWorld) -> list[str]:
    with scene.world.store.read(WORKSPACE_ID) as view:
        return [event.kind.value for event in view.events.latest(9)]


def test_terms_of_deleted_rows_go_where_merging_would_keep_them(tmp_path: Path) -> None:
    # Found by search: like this the index gets an empty level above its segments, and merging
    # alone leaves the removed terms in it.
    chance = random.Random(102)  # noqa: S311  the one that makes such an index
    with scrub_world(tmp_path, seed=102) as scene:
        for number in range(5):
            scope, mark = chance.choice(scopes()[:5]), f"qvxzwkjhdbtr{number}7"
            for _ in range(chance.choice((1, 1, 1, 4, 9, 15))):
                scene.add_memories(scope, chance.choice((1, 2, 12)), mark)
            if chance.random() < 0.7:
                assert scene.scrub(scope).is_finished
                assert mark[1:].encode() not in bytes_of(scene)


@pytest.mark.parametrize("step", ["fold_wal", "rewrite_backup"])
def test_a_step_that_does_nothing_is_found_out(
    step: str, scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = scene.world
    SqliteBackupKeeper(world.databases, world.publisher, world.clock).create(WORKSPACE_ID)
    monkeypatch.setattr(erasure, step, lambda *_: True)
    manifest = scene.preview(SCOPE, ScrubMode.FULL)

    outcome = scene.execute(manifest)

    assert (outcome.pending, outcome.receipt) == ("text", None)
    assert kinds(scene)[0] == "scrub.executed"
    monkeypatch.undo()
    (resumed,) = scene.resume(ADA)
    assert resumed.is_finished
    assert MARK.encode() not in bytes_of(scene)


def test_a_drifted_index_is_rebuilt_without_what_was_removed(scene: ScrubWorld) -> None:
    with raw(scene.world.path()) as connection:
        connection.execute("DROP TRIGGER memory_search_delete")  # deletions miss the index
        statement = next(
            one for one in schema_statements(FileKind.WORKSPACE) if "memory_search_delete" in one
        )
        other = ScopeKey.channel(WORKSPACE_ID, CHANNELS[0])
        scene.add_memories(other, 3, "kept")
        connection.execute("DELETE FROM memory_search WHERE id % 3 = 0")
        connection.execute(statement)

    assert scene.scrub(SCOPE).is_finished

    assert MARK.encode() not in bytes_of(scene)
    assert integrity_faults(scene.world.path()) == []


def test_each_step_is_told_and_each_backup_has_its_fate(scene: ScrubWorld) -> None:
    world = scene.world
    keeper = SqliteBackupKeeper(world.databases, world.publisher, world.clock)
    holding, damaged = (keeper.create(WORKSPACE_ID).name.partition("/")[2] for _ in range(2))
    folder = world.root / "backups" / WORKSPACE_ID
    content = (folder / damaged).read_bytes()
    (folder / damaged).write_bytes(content[: len(content) // 2])
    told: list[tuple[str, int, int]] = []

    outcome = executed(
        scene, scene.preview(SCOPE, ScrubMode.FULL), Progress(lambda *one: told.append(one))
    )

    assert outcome.receipt is not None
    assert (outcome.receipt.rewritten, outcome.receipt.deleted) == ((holding,), (damaged,))
    assert [one for one in told if one[0] in {"index", "compact", "backups"}] == [
        ("index", 0, 0),
        ("compact", 0, 0),
        ("backups", 0, 2),
        ("backups", 1, 2),
        ("backups", 2, 2),
    ]
    assert [one.name for one in folder.iterdir() if one.suffix == ".db"] == [holding]
    assert MARK.encode() not in (folder / holding).read_bytes()
    assert world.path().with_name("agents.db-wal").stat().st_size == 0


def test_text_that_is_found_sets_the_purge_back_to_its_beginning(
    scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(erasure, "is_index_clean", lambda _: False)
        assert scene.scrub(SCOPE).pending == "text"

    with raw(scene.world.path()) as connection:
        assert connection.execute("SELECT state FROM purges").fetchall() == [("removed",)]
    assert (scene.world.path().parent / HINT_FILE).exists()
    assert scene.resume(the_clock())[0].is_finished


def test_a_purge_that_another_program_has_finished_is_left_alone(scene: ScrubWorld) -> None:
    eraser = SqliteEraser(scene.world.databases)

    assert eraser.erase(WORKSPACE_ID, 999, Progress()) == Erased(None, "busy")


def test_needles_salt_and_note_go_with_the_marker(scene: ScrubWorld) -> None:
    seen: list[tuple[bytes, bytes]] = []

    def report(step: str, _done: int, _total: int) -> None:
        if step == "backups":
            with raw(scene.world.path()) as connection:
                seen.extend(connection.execute("SELECT salt, needles FROM purges").fetchall())
            assert (scene.world.path().parent / HINT_FILE).exists()

    outcome = executed(scene, scene.preview(SCOPE, ScrubMode.FULL), Progress(report))

    assert outcome.is_finished
    ((salt, needles),) = seen
    assert len(needles) > 800
    left = bytes_of(scene)
    assert salt not in left
    assert all(needles[at : at + 8] not in left for at in range(0, len(needles), 8))
    assert not (scene.world.path().parent / HINT_FILE).exists()


def test_the_marker_tells_no_text(scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "fold_wal", lambda _: False)

    assert scene.scrub(SCOPE).pending == "snapshot"

    with raw(scene.world.path()) as connection:
        (row,) = connection.execute("SELECT * FROM purges").fetchall()
        (state,) = connection.execute("SELECT state FROM purges").fetchone()
    assert MARK not in repr(row)
    assert state == "compacted"  # which is not done again


@pytest.mark.parametrize("mode", [ScrubMode.KEEP_NAMED, ScrubMode.FULL])
def test_too_little_room_is_refused_before_any_change(
    mode: ScrubMode, scene: ScrubWorld, tmp_path: Path
) -> None:
    size = len(bytes_of(scene))
    asked: list[Path] = []

    def free_bytes(folder: Path) -> int:
        asked.append(folder)
        return 3 * size - 1

    scene.manifests = replace(
        scene.manifests, eraser=SqliteEraser(scene.world.databases, free_bytes=free_bytes)
    )
    manifest = scene.preview(SCOPE, mode)
    before = bytes_of(scene)

    with pytest.raises(DatabaseFullError):
        scene.execute(manifest)

    assert asked == [scene.world.path().parent]
    assert bytes_of(scene) == before
    assert not list(tmp_path.rglob(HINT_FILE))


@pytest.mark.endurance
@pytest.mark.slow
def test_a_limit_on_file_size_removes_nothing_or_leaves_it_open(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    # The system itself refuses, at another point each time; no probe of ours sees it coming.
    n_limits = reduced_or_full(3, 20)
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from tests.support.scrub_world import *\n"
        "from inklings_desktop.domain.errors import StorageError\n"
        "with scrub_world(Path(sys.argv[1])) as scene:\n"
        "    manifest = scene.preview(ScopeKey.workspace(WORKSPACE_ID), ScrubMode.FULL)\n"
        "    limit = int(sys.argv[2])\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "    try:\n"
        "        print(scene.execute(manifest).pending)\n"
        "    except StorageError as error:\n"
        "        print(type(error).__name__)\n"
    )
    said = set()
    for step in range(n_limits):
        root = tmp_path / str(step)
        with scrub_world(root, seed=step) as scene:
            scene.fill(SCOPE, MARK, n_memories=40)
        n_bytes = (root / "workspaces" / WORKSPACE_ID / "agents.db").stat().st_size
        limit = 2 * n_bytes * step // (n_limits - 1)
        done = subprocess.run(
            [sys.executable, "-c", program, str(root), str(limit)],
            cwd=REPOSITORY, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        said.add(done.stdout.strip())
        with scrub_world(root) as scene:
            is_removed = "scrub.executed" in kinds(scene)
            assert (scene.preview(SCOPE, ScrubMode.FULL).n_removed == 0) == is_removed
            assert is_removed == (done.stdout.strip() in {"disk", "None"})
            resumed = scene.resume(ADA)
            assert all(one.is_finished for one in resumed)
            if is_removed:
                assert MARK.encode() not in bytes_of(scene)
    # SQLite calls a limit met by a commit an error of writing; a full disk it calls full.
    assert said == {"StorageError", "disk", "None"}


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_cannot_be_written_is_refused_before_any_change(
    what: str, scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = scene.preview(SCOPE, ScrubMode.FULL)
    before = scene.dump(WORKSPACE_ID)
    path = scene.world.path()
    closed = path.parent if what == "folder" else path
    monkeypatch.setattr("os.access", lambda one, _mode: one != closed)

    with pytest.raises(DatabaseReadOnlyError) as refused:
        scene.execute(manifest)

    assert refused.value.path == closed
    assert scene.dump(WORKSPACE_ID) == before


def test_side_files_and_logs_are_cleared_and_strangers_are_named(
    scene: ScrubWorld, tmp_path: Path
) -> None:
    texts = json.dumps(scene.dump(WORKSPACE_ID)["memories"], ensure_ascii=False, default=bytes.hex)
    derived = scene.world.path().parent / FIND_FOLDER
    (derived / "1").mkdir(parents=True)
    (derived / "1" / "arrays").write_text(texts)
    log = tmp_path / "logs" / "inklings.log"
    log.parent.mkdir()
    log.write_text(texts)
    mine = tmp_path / "my own notes.txt"
    mine.write_text(texts)

    outcome = scene.scrub(SCOPE)

    assert not outcome.is_finished
    assert (outcome.pending, outcome.is_settled, outcome.verified_number) == ("copies", True, None)
    assert outcome.receipt is not None
    assert outcome.receipt.hits > 0
    assert outcome.receipt.remaining == ("my own notes.txt: not a store that this program uses",)
    assert not derived.exists()
    assert log.read_text() == ""
    assert mine.read_text() == texts


def test_what_the_author_s_pages_say_is_no_copy_of_a_memory(scene: ScrubWorld) -> None:
    texts = json.dumps(scene.dump(WORKSPACE_ID)["memories"], ensure_ascii=False, default=bytes.hex)
    index = scene.world.path().with_name("world.db")
    index.write_text(texts)

    outcome = scene.scrub(SCOPE)

    assert outcome.is_finished
    assert index.read_text() == texts


def test_scrubbed_needle_is_in_no_find_folder(scene: ScrubWorld) -> None:
    file = scene.world.databases.file(WORKSPACE_ID)
    file.side_file._fewest_rows = 1
    file.side_file.make()
    ((_, folder),) = numbered(file.path)
    held = (folder / "arrays").read_bytes()
    assert MARK.encode() in held

    with sqlite_world(scene.world.root) as beside:
        other = beside.databases.file(WORKSPACE_ID)
        other.side_file._fewest_rows = 1
        outcome = scene.scrub(SCOPE)
        assert outcome.is_finished
        assert not list(folder_of(file.path).rglob("*"))
        other.side_file.make()
    assert all(
        MARK.encode() not in path.read_bytes()
        for path in folder_of(file.path).rglob("*")
        if path.is_file()
    )


def test_side_files_go_before_anything_is_made_anew(scene: ScrubWorld) -> None:
    file = scene.world.databases.file(WORKSPACE_ID)
    file.side_file._fewest_rows = 1
    file.side_file.make()
    assert numbered(file.path)
    there: dict[str, bool] = {}

    def report(step: str, _done: int, _total: int) -> None:
        there.setdefault(step, folder_of(file.path).exists())

    assert executed(scene, scene.preview(SCOPE, ScrubMode.FULL), Progress(report)).is_finished
    assert (there["index"], there["compact"]) == (False, False)


def test_side_files_that_hold_what_was_scrubbed_elsewhere_go_too(scene: ScrubWorld) -> None:
    texts = json.dumps(scene.dump(WORKSPACE_ID)["memories"], ensure_ascii=False, default=bytes.hex)
    beside = folder_of(scene.world.path(None)) / "1" / "arrays"
    beside.parent.mkdir(parents=True)
    beside.write_text(texts)

    assert scene.scrub(SCOPE).is_finished

    assert not beside.exists()


def test_side_files_that_are_being_made_hold_a_scrub_up(
    scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "SIDE_FILES_WAIT_SECONDS", 0.0)
    with only_one_maker(scene.world.path()):
        assert not scene.scrub(SCOPE).is_finished


def test_text_that_was_written_again_does_not_hold_the_purge_up(
    scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scene.world.store.read(WORKSPACE_ID) as view:
        entries = view.memories.active_of_conversation(SCOPE)
    monkeypatch.setattr(erasure, "fold_wal", lambda _: False)
    assert scene.scrub(SCOPE).pending == "snapshot"
    monkeypatch.undo()
    again = [replace(one, id=scene.ids()) for one in entries]
    scene.write(SCOPE, lambda unit: unit.memories.add(again))

    (resumed,) = scene.resume(the_clock())

    assert resumed.is_finished
    with scene.world.store.read(WORKSPACE_ID) as view:
        assert len(view.memories.active_of_conversation(SCOPE)) == len(again)


def test_a_purge_can_be_stopped_between_steps_and_goes_on(scene: ScrubWorld) -> None:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(erasure, "fold_wal", lambda _: False)
    assert scene.scrub(SCOPE).pending == "snapshot"
    monkeypatch.undo()

    with pytest.raises(StoppedError):
        scene.resume(the_clock(), Progress(is_cancelled=lambda: True))

    assert scene.pending(ADA)
    (resumed,) = scene.resume(the_clock())
    assert resumed.is_finished
    assert scene.pending(ADA) == ()


def test_one_purge_at_a_time_under_a_data_root(scene: ScrubWorld, tmp_path: Path) -> None:
    from filelock import FileLock

    with FileLock(tmp_path / LOCK_FILE), pytest.MonkeyPatch.context() as patched:
        patched.setattr("inklings_desktop.usecases.scrubbing.scrub.PATIENCE_SECONDS", 0.05)
        assert scene.scrub(SCOPE).pending == "busy"
        assert scene.resume(the_clock())[0].pending == "busy"

    assert scene.resume(the_clock())[0].is_finished


def test_two_scrubs_of_one_file_can_be_open(scene: ScrubWorld) -> None:
    conversation = ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[0])
    scene.fill(conversation, "another")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(erasure, "fold_wal", lambda _: False)
        assert scene.scrub(SCOPE).pending == "snapshot"
        assert scene.scrub(conversation).pending == "snapshot"
    assert [one.scope for one in scene.pending(ADA)] == [SCOPE, conversation]

    resumed = scene.resume(the_clock())

    assert all(one.is_finished for one in resumed)
    assert len(resumed) == 2


def test_a_busy_file_is_no_reason_to_lose_the_purge(
    scene: ScrubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise DatabaseBusyError

    monkeypatch.setattr(erasure, "rebuild_index", busy)
    assert scene.scrub(SCOPE).pending == "busy"
    monkeypatch.undo()

    assert scene.resume(the_clock())[0].is_finished


def beside_talk(scene: ScrubWorld, scope: ScopeKey) -> str:
    """Digest of what a scrub of a scope is about, without what was said of it.

    A message may be about several scopes; it leaves them all with the first.
    """
    with scene.world.store.read(scope.workspace_id) as view:
        found = view.scrubs.contents(scope, ScrubMode.FULL, DecayConfig(), NOON)
    going = tuple(one for one in found.going if one.kind is not ScrubKind.MESSAGE)
    return replace(found, going=going).digest


@pytest.mark.parametrize(
    "scope",
    mostly_wide(
        scopes(),
        every_day=lambda scope: scope.tier.value in {"workspace", "account"},
        ids=lambda scope: f"{scope.tier.value}-{scope.key[:4]}",
    ),
)
def test_other_scopes_and_files_stay_as_they_are(scope: ScopeKey, tmp_path: Path) -> None:
    with scrub_world(tmp_path, seed=3) as scene:
        every = (*scopes(), *(one for one in scopes(OTHER_WORKSPACE_ID) if one.workspace_id))
        for one in every:
            scene.fill(one, n_memories=5)
        files = (None, WORKSPACE_ID, OTHER_WORKSPACE_ID)
        before = {file: scene.dump(file) for file in files}
        others = {one: beside_talk(scene, one) for one in every if one != scope}

        assert scene.scrub(scope).is_finished

        for file in set(files) - {scope.workspace_id}:
            assert scene.dump(file) == before[file]
        assert others == {one: beside_talk(scene, one) for one in every if one != scope}


@pytest.mark.parametrize("scope", [SCOPE, ScopeKey.account()], ids=lambda one: one.tier.value)
def test_keep_named_keeps_named_entries_byte_for_byte(scope: ScopeKey, tmp_path: Path) -> None:
    with scrub_world(tmp_path, seed=4) as scene:
        for _ in range(3):
            scene.fill(scope, MARK, n_memories=10)
        before = scene.dump(scope.workspace_id)
        tables = ("named_entries", "named_entry_revisions", "drafts")
        assert all(len(before[table]) >= 3 for table in tables)
        about_named = [row for row in before["proposals"] if row[2] in ABOUT_NAMED]

        manifest = scene.preview(scope, ScrubMode.KEEP_NAMED)
        assert scene.execute(manifest).is_finished

        after = scene.dump(scope.workspace_id)
        for table in tables:
            assert after[table] == before[table]
        assert after["proposals"] == about_named != before["proposals"]
        assert len(manifest.kept) == 4  # the built-in one and three companions, none deleted


def test_built_in_entries_return_as_they_were_shipped(scene: ScrubWorld) -> None:
    with scene.world.store.read(WORKSPACE_ID) as view:
        before = view.entries.find("VOICE")

    manifest = scene.preview(SCOPE, ScrubMode.FULL)
    assert scene.execute(manifest).is_finished

    with scene.world.store.read(WORKSPACE_ID) as view:
        (after,) = view.entries.entries()
        (first,) = view.entries.revisions(after.id)
    assert (after.name, after.is_template, after.version) == ("VOICE", True, 1)
    assert after.id != before.id
    assert "added by hand" in before.body
    assert "added by hand" not in after.body
    assert first.action.value == "shipped"
    again = scene.preview(SCOPE, ScrubMode.FULL)
    assert (again.n_removed, again.kept) == (0, ("VOICE",))


def test_another_process_is_told_to_drop_everything(scene: ScrubWorld, tmp_path: Path) -> None:
    with scrub_world(tmp_path) as other:
        watching = ForeignChanges(
            other.world.databases, other.world.publisher, interval_seconds=0.02
        )
        watching.start()
        try:
            assert scene.scrub(SCOPE).is_finished
            published = scene.world.publisher.published
            assert any(one.reload and one.workspace_id == WORKSPACE_ID for one in published)
            for _ in range(200):
                if any(one.reload for one in other.world.publisher.published):
                    break
                watching._stopping.wait(0.02)
        finally:
            watching.stop()
        heard = [one for one in other.world.publisher.published if one.reload]
        assert {one.workspace_id for one in heard} == {WORKSPACE_ID}


def test_files_of_ours_stay_private(scene: ScrubWorld, tmp_path: Path) -> None:
    assert scene.scrub(SCOPE).is_finished

    for path in tmp_path.rglob("*"):
        if path.is_file() and "-shm" not in path.name and "-wal" not in path.name:
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path

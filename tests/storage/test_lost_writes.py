from __future__ import annotations

import os
import random
import shutil
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.log.events import EventDraft, EventKind, LogFault, LostWrites
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.log import witness
from inklings_desktop.storage.log.log_heads import HEADS_FILE
from tests.storage.keeping import keeping
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.processes import finished, line_of, started
from tests.support.sqlite_store import SqliteWorld, sqlite_world

N_WRITES = 30
CUTS = 3
CUTS_ENDURANCE = 200
N_EACH = 12
N_EACH_ENDURANCE = 200

PLACES = [WORKSPACE_ID, None]


def put(world: SqliteWorld, n: int = 1, workspace_id: str | None = WORKSPACE_ID) -> list[str]:
    """Memories, each in a transaction of its own and without an event; their ids."""
    scope = ScopeKey.account() if workspace_id is None else ScopeKey.workspace(workspace_id)
    ids = [uuid.uuid4().hex for _ in range(n)]
    for id_ in ids:
        with world.store.write(workspace_id, initiator="Ada") as unit:
            unit.memories.add([a_memory("saltglass", memory_id=id_, scope=scope)])
            unit.commit()
    return ids


def n_there(world: SqliteWorld, ids: list[str], workspace_id: str | None = WORKSPACE_ID) -> int:
    with world.store.read(workspace_id) as view:
        return len(view.memories.get_many(ids))


def lost(world: SqliteWorld, workspace_id: str | None = WORKSPACE_ID) -> LostWrites | None:
    """What the check of the log and the short look both say."""
    audit = SqliteLogAudit(world.databases)
    found = audit.verify(workspace_id)
    assert audit.lost_writes(workspace_id) == found.lost
    assert found.reason == (None if found.lost is None else LogFault.WRITES_LOST)
    return found.lost


def files_of(path: Path) -> dict[str, bytes]:
    """A database as it lies on the disk, its WAL with it."""
    beside = {end: path.with_name(f"{path.name}{end}") for end in ("", "-wal")}
    return {end: one.read_bytes() for end, one in beside.items() if one.exists()}


def put_back(path: Path, files: dict[str, bytes]) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    for end, content in files.items():
        path.with_name(f"{path.name}{end}").write_bytes(content)


def written(
    root: Path, n: int = N_WRITES, workspace_id: str | None = WORKSPACE_ID
) -> tuple[Path, dict[str, bytes], list[str]]:
    """A file with so many writes, as it was copied while it was open; and what was put into it."""
    with sqlite_world(root) as world:
        ids = put(world, n, workspace_id)
        path = world.path(workspace_id)
        return path, files_of(path), ids


def assert_told(root: Path, ids: list[str], workspace_id: str | None = WORKSPACE_ID) -> int:
    """Every acknowledged write is there, or the count equals the number that is missing."""
    with sqlite_world(root) as world:
        n_missing = len(ids) - n_there(world, ids, workspace_id)
        found = lost(world, workspace_id)
    assert (0 if found is None else found.n_writes) == n_missing
    return n_missing


@pytest.mark.parametrize("workspace_id", PLACES)
def test_a_file_copied_without_its_wal_says_how_many_writes_are_missing(
    tmp_path: Path, workspace_id: str | None
) -> None:
    path, files, ids = written(tmp_path, workspace_id=workspace_id)
    put_back(path, {"": files[""]})
    assert assert_told(tmp_path, ids, workspace_id) == N_WRITES


def cut_and_told(root: Path, n: int, ruined: Callable[[bytes, random.Random], bytes]) -> None:
    path, files, ids = written(root)
    draw = random.Random(17)  # noqa: S311  no secret
    numbers = []
    with sqlite_world(root) as world:
        notes = (world.root / witness.WITNESS_FOLDER / WORKSPACE_ID).read_bytes()
    for _ in range(n):
        put_back(path, {"": files[""], "-wal": ruined(files["-wal"], draw)})
        (root / witness.WITNESS_FOLDER / WORKSPACE_ID).write_bytes(notes)
        numbers.append(assert_told(root, ids))
    assert len(set(numbers)) > 1
    assert max(numbers) > 0


def cut(wal: bytes, draw: random.Random) -> bytes:
    return wal[: draw.randrange(len(wal))]


def flipped(wal: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(wal))
    return wal[:place] + bytes([wal[place] ^ 1 << draw.randrange(8)]) + wal[place + 1 :]


@pytest.mark.endurance
@pytest.mark.parametrize("ruined", [cut, flipped])
def test_a_ruined_wal_says_how_many_writes_are_missing(
    tmp_path: Path,
    ruined: Callable[[bytes, random.Random], bytes],
    reduced_or_full: Callable[[int, int], int],
) -> None:
    cut_and_told(tmp_path, reduced_or_full(CUTS, CUTS_ENDURANCE), ruined)


@pytest.mark.parametrize("workspace_id", PLACES)
def test_an_older_copy_is_told_once_and_for_all_until_it_is_accepted(
    tmp_path: Path, workspace_id: str | None
) -> None:
    path, _, ids = written(tmp_path, 3, workspace_id)
    older = files_of(path)
    with sqlite_world(tmp_path) as world:
        more = put(world, 2, workspace_id)
    put_back(path, older)
    with sqlite_world(tmp_path) as world:
        later = put(world, 9, workspace_id)
        found = lost(world, workspace_id)
        assert found is not None
        assert (found.n_writes, found.since, found.backup) == (2, NOON, None)
    assert assert_told(tmp_path, ids + more + later, workspace_id) == 2
    with sqlite_world(tmp_path) as world:
        SqliteLogAudit(world.databases).accept_lost_writes(workspace_id)
        assert lost(world, workspace_id) is None
        put(world, 1, workspace_id)
    assert assert_told(tmp_path, ids + later, workspace_id) == 0


def test_two_losses_add_up(tmp_path: Path) -> None:
    path, _, ids = written(tmp_path, 3)
    older = files_of(path)
    for n in (2, 4):
        with sqlite_world(tmp_path) as world:
            ids += put(world, n)
        put_back(path, older)
        with sqlite_world(tmp_path) as world:
            assert n_there(world, ids) == 3
    assert assert_told(tmp_path, ids) == 6


def test_the_backup_that_holds_most_of_what_is_missing_is_named(tmp_path: Path) -> None:
    with keeping(tmp_path) as kept:
        put(kept.world, 1)
        kept.create()
    older = files_of(kept.path)
    with keeping(tmp_path) as kept:
        kept.world.clock.now = NOON - timedelta(hours=1)
        put(kept.world, 14)
        best = kept.create()
        put(kept.world, 1)
    put_back(kept.path, older)
    with keeping(tmp_path) as kept:
        kept.world.clock.now = NOON + timedelta(hours=1)
        found = lost(kept.world)
        assert found is not None
        put(kept.world, 30)
        kept.create()  # of the other history: it has the numbers, and none of the writes
        assert (found.n_writes, found.backup, found.n_in_backup) == (15, best.name, 14)
        assert lost(kept.world) == found

        kept.file_of(best).write_bytes(kept.file_of(best).read_bytes()[:-4096])
        found = lost(kept.world)
        assert found is not None
        assert found.backup is None


def test_scrubs_that_an_older_copy_undid_are_counted(tmp_path: Path) -> None:
    path, _, _ = written(tmp_path, 3)
    older = files_of(path)
    with sqlite_world(tmp_path) as world:
        for kind in (EventKind.SCRUB_EXECUTED, EventKind.DENIED, EventKind.SCRUB_EXECUTED):
            with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.events.append(EventDraft(kind, "Ada", "person", "cli"), NOON)
                unit.commit()
    put_back(path, older)
    with sqlite_world(tmp_path) as world:
        found = SqliteLogAudit(world.databases).verify(WORKSPACE_ID)
    assert found.reason is LogFault.CUT
    assert found.lost is not None
    assert (found.lost.n_writes, found.lost.n_scrubs) == (3, 2)


def test_a_folder_that_cannot_be_written_to_is_told_of_as_well(tmp_path: Path) -> None:
    path, files, _ = written(tmp_path)
    put_back(path, {"": files[""]})
    with sqlite_world(tmp_path, is_sealed=True) as world:
        found = lost(world)
    assert found is not None
    assert found.n_writes == N_WRITES


def test_what_we_bring_back_ourselves_is_no_loss(tmp_path: Path) -> None:
    with keeping(tmp_path) as kept:
        backup = kept.create()
        put(kept.world, 5)
        kept.restore(backup)
        assert lost(kept.world) is None
    with keeping(tmp_path) as kept:
        assert lost(kept.world) is None
        put(kept.world, 5)
        kept.databases.let_go(WORKSPACE_ID)
        kept.path.write_bytes(b"no database any more" * 100)
        assert kept.restore(backup).set_aside is not None
        put(kept.world, 1)
        assert SqliteLogAudit(kept.databases).lost_writes(WORKSPACE_ID) is None
    with keeping(tmp_path) as kept:
        assert SqliteLogAudit(kept.databases).lost_writes(WORKSPACE_ID) is None


def test_bringing_a_backup_back_answers_the_loss(tmp_path: Path) -> None:
    with keeping(tmp_path) as kept:
        put(kept.world, 1)
    older = files_of(kept.path)
    with keeping(tmp_path) as kept:
        put(kept.world, 4)
        backup = kept.create()
    put_back(kept.path, older)
    with keeping(tmp_path) as kept:
        assert lost(kept.world) is not None
        kept.restore(backup)
        assert lost(kept.world) is None


def test_a_deleted_workspace_leaves_no_witness(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        put(world, 2)
        world.directory.discard(WORKSPACE_ID)
        assert not list((tmp_path / witness.WITNESS_FOLDER).iterdir())


def test_a_kill_between_the_commit_and_the_note_is_no_loss(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        put(world, 1)
    with started("tests.storage.logging_process", str(tmp_path), "1", "unnoted") as writer:
        assert line_of(writer) == "ready"
        assert line_of(writer) == ""
    assert writer.returncode == -9
    with sqlite_world(tmp_path) as world:
        with world.store.read(WORKSPACE_ID) as view:
            assert len(view.events.latest(9)) == 1
        assert lost(world) is None
        put(world, 1)
    with sqlite_world(tmp_path) as world:
        assert lost(world) is None


def beside_one_another(root: Path, n: int) -> None:
    with sqlite_world(root) as world:
        put(world, 1)
        writers = [
            started("tests.storage.logging_process", str(root), str(n), "-") for _ in range(2)
        ]
        for _ in range(n):
            put(world, 1)
            assert SqliteLogAudit(world.databases).lost_writes(WORKSPACE_ID) is None
        for one in writers:
            finished(one)
        assert lost(world) is None
        said = world.databases.witness().testimony(WORKSPACE_ID)
        assert len({one.change_seq for one in said.writes}) == 3 * n + 1
    with sqlite_world(root) as world:
        assert lost(world) is None


@pytest.mark.endurance
def test_programs_that_write_beside_one_another_are_no_loss(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    beside_one_another(tmp_path, reduced_or_full(N_EACH, N_EACH_ENDURANCE))


def test_writes_that_may_be_lost_in_a_power_cut_are_not_noted(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        put(world, 1)
        before = world.databases.witness().newest(WORKSPACE_ID)
        with world.store.write(WORKSPACE_ID, initiator="Ada", durable=False) as unit:
            unit.memories.add([a_memory("saltglass", memory_id="relaxed")])
            unit.commit()
        assert world.databases.witness().newest(WORKSPACE_ID) == before


@pytest.mark.parametrize("end", [b"wro", b"\0" * 100, b"wrote 999 0 0 00000000\n", b"\xff\n\n"])
def test_a_torn_or_foreign_line_counts_for_nothing(tmp_path: Path, end: bytes) -> None:
    _, _, ids = written(tmp_path, 3)
    with (tmp_path / witness.WITNESS_FOLDER / WORKSPACE_ID).open("ab") as file:
        file.write(end)
    assert assert_told(tmp_path, ids) == 0


def test_the_witness_of_another_file_or_installation_counts_for_nothing(tmp_path: Path) -> None:
    _, _, ids = written(tmp_path, 3)
    folder = tmp_path / witness.WITNESS_FOLDER
    with sqlite_world(tmp_path) as world:
        put(world, 50, None)
    shutil.copyfile(folder / "account", folder / WORKSPACE_ID)
    assert assert_told(tmp_path, ids) == 0
    put_back(*written(tmp_path, 3)[:2])
    (tmp_path / "install.key").write_bytes(b"k" * 32)
    (tmp_path / HEADS_FILE).unlink()
    with sqlite_world(tmp_path) as world:
        assert SqliteLogAudit(world.databases).lost_writes(WORKSPACE_ID) is None


def test_a_long_witness_is_trimmed_and_still_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "LONG_BYTES", 500)
    monkeypatch.setattr(witness, "KEPT_WRITES", 5)
    path, _, _ = written(tmp_path, 8)
    older = files_of(path)
    with sqlite_world(tmp_path) as world:
        put(world, 12)
    with sqlite_world(tmp_path) as world:
        world.path()
        assert len(world.databases.witness().testimony(WORKSPACE_ID).writes) == 5
    put_back(path, older)
    with sqlite_world(tmp_path) as world:
        found = lost(world)
    assert found is not None
    assert found.n_writes == 5


def test_a_witnessed_write_leaves_no_file_open(tmp_path: Path) -> None:
    noted = witness.Witness(tmp_path, b"key", lambda: NOON)
    noted.note(None, 1)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    noted.note(None, 2)
    assert noted.newest(None) == 2
    again = os.open(os.devnull, os.O_RDONLY)
    os.close(again)
    assert again == free

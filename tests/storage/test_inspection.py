from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError, StoppedError
from inklings_desktop.domain.log.backup import CheckReport, Finding, FindingKind
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.engine import maintenance
from inklings_desktop.storage.engine.maintenance import take_triggers_off
from inklings_desktop.storage.salvage.inspection import DEAD_AFTER_SECONDS, SqliteInspector
from inklings_desktop.usecases.ports.progress import Progress
from tests.storage.keeping import N_MEMORIES, Keeping, keeping, open_purge
from tests.support.asking import asked_by
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory, a_person
from tests.support.dumps import logical_dump
from tests.support.sqlite_store import integrity_faults, raw

HALF = struct.pack("<4f", 0.5, 0.5, 0.5, 0.5)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    with keeping(tmp_path) as kept:
        with raw(kept.path) as connection:
            connection.execute(
                "INSERT INTO memory_vectors SELECT sequence, 'fake', 4, ? FROM memories", (HALF,)
            )
        yield kept


def checked(kept: Keeping, *, repair: bool = False) -> CheckReport:
    inspector = SqliteInspector(kept.databases, kept.world.publisher)
    return asked_by(a_person(), inspector=inspector, clock=kept.world.clock).keeping.check_data(
        repair=repair
    )


def spoil(kept: Keeping, *statements: str) -> None:
    """Change rows past every trigger, as a fault or another program could."""
    with raw(kept.path) as connection:
        triggers = maintenance.take_triggers_off(connection)
        for statement in statements:
            connection.execute(statement)
        for statement in triggers:
            connection.execute(statement)


def test_a_sound_data_root_is_clean_and_counted(kept: Keeping) -> None:
    kept.create()

    report = checked(kept)

    assert report.findings == ()
    assert report.is_clean
    assert not report.is_damaged
    assert (report.n_files, report.n_memories) == (3, N_MEMORIES)
    assert (report.n_events, report.n_backups) == (1, 1)


def test_a_check_changes_nothing(kept: Keeping) -> None:
    spoil(kept, "DELETE FROM memory_search WHERE id = 2")
    before = logical_dump(kept.path, without=())

    checked(kept)

    assert logical_dump(kept.path, without=()) == before


DRIFTS: dict[str, tuple[tuple[str, ...], dict[FindingKind, int]]] = {
    "row missing": (
        ("DELETE FROM memory_search WHERE id = 2",),
        {FindingKind.FULL_TEXT: 1, FindingKind.SEARCH_ROWS: 1},
    ),
    "row of nobody": (
        ("UPDATE memories SET paused = 1 WHERE sequence = 1",),
        # its neighbour lends no context any more either
        {FindingKind.SEARCH_ROWS: 2},
    ),
    "row with another text": (
        ("UPDATE memory_search SET body = 'sung' WHERE id = 3",),
        {FindingKind.FULL_TEXT: 1, FindingKind.SEARCH_ROWS: 1},
    ),
    "text changed below the row": (
        ("UPDATE memories SET content = 'sung' WHERE sequence = 12",),
        # the neighbour's row and the key for finding repeats are wrong, too
        {FindingKind.SEARCH_ROWS: 3},
    ),
    "key for finding repeats": (
        ("UPDATE memories SET said = zeroblob(8) WHERE sequence = 2",),
        {FindingKind.SEARCH_ROWS: 1},
    ),
    "index emptied": (
        ("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')",),
        {FindingKind.FULL_TEXT: 1},
    ),
    "index with a word too many": (
        ("INSERT INTO memory_fts(rowid, body) VALUES (5, 'stowaway')",),
        {FindingKind.FULL_TEXT: 1},
    ),
    "vector that is no number": (
        ("UPDATE memory_vectors SET vector = x'" + "0000c07f" * 4 + "' WHERE sequence = 4",),
        {FindingKind.VECTORS: 1},
    ),
    "vector of another length": (
        ("UPDATE memory_vectors SET vector = zeroblob(16) WHERE sequence IN (4, 5)",),
        {FindingKind.VECTORS: 2},
    ),
    "count too high": (
        ("UPDATE scope_counts SET active = active + 3",),
        {FindingKind.COUNTS: 1},
    ),
    "count of nobody": (
        ("INSERT INTO scope_counts VALUES ('channel', 'nowhere', 7)",),
        {FindingKind.COUNTS: 1},
    ),
    "count missing": (("DELETE FROM scope_counts",), {FindingKind.COUNTS: 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", DRIFTS)
def test_fts_drift_each_kind_is_counted_repaired_and_gone(name: str, kept: Keeping) -> None:
    """R8: detected, repaired, and a second check is clean."""
    statements, counts = DRIFTS[name]
    spoil(kept, *statements)
    log = kept.world.store

    found = checked(kept)
    repaired = checked(kept, repair=True)
    again = checked(kept, repair=True)

    assert {one.kind: one.count for one in found.findings} == counts
    assert not found.is_clean
    assert not found.is_damaged
    assert repaired.findings == tuple(replace(one, is_repaired=True) for one in found.findings)
    assert repaired.is_clean
    assert again.findings == ()
    assert integrity_faults(kept.path) == []
    with log.read(WORKSPACE_ID) as view:
        (event,) = view.events.latest(1)
    assert event.kind is EventKind.INDEX_REPAIRED
    assert event.number == 2


def test_a_repair_loses_no_memory_and_waits_for_embeddings_again(kept: Keeping) -> None:
    with raw(kept.path) as connection:
        before = connection.execute("SELECT id, content FROM memories").fetchall()
    spoil(kept, "UPDATE memory_vectors SET vector = zeroblob(16) WHERE sequence = 4")

    checked(kept, repair=True)

    with raw(kept.path) as connection:
        assert connection.execute("SELECT id, content FROM memories").fetchall() == before
    with kept.world.store.read(WORKSPACE_ID) as view:
        assert len(view.memories.without_vector("fake", 10)) == 1


def test_a_repair_is_heard_by_whoever_shows_the_file(kept: Keeping) -> None:
    spoil(kept, "DELETE FROM scope_counts")
    kept.world.publisher.published.clear()

    checked(kept, repair=True)

    (changes,) = kept.world.publisher.published
    assert (changes.workspace_id, changes.reload) == (WORKSPACE_ID, True)


def test_an_edited_log_is_damage_and_stays_as_it_is(kept: Keeping) -> None:
    kept.write("one more")
    spoil(kept, "UPDATE events SET actor = 'somebody' WHERE seq = 1")

    report = checked(kept, repair=True)

    assert report.findings == (Finding(FindingKind.EVENT_CHAIN, WORKSPACE_ID, 1, "edited 1"),)
    assert report.is_damaged


def test_a_scrub_that_is_not_finished_is_not_clean_and_says_what_it_waits_for(
    kept: Keeping,
) -> None:
    open_purge(kept.path)
    with raw(kept.path) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        kept.write("written since the reader began")
        waiting = checked(kept, repair=True)
    free = checked(kept)

    assert waiting.findings == (Finding(FindingKind.PURGE, WORKSPACE_ID, 1, "snapshot 1"),)
    assert free.findings == (Finding(FindingKind.PURGE, WORKSPACE_ID, 1, "start 1"),)
    assert not free.is_clean
    assert not free.is_damaged


def test_a_log_without_its_noted_head_is_no_damage(kept: Keeping) -> None:
    (kept.world.root / "log_heads.json").unlink()

    report = checked(kept)

    assert {one.kind for one in report.findings} == {FindingKind.EVENT_ANCHOR}
    assert not report.is_clean
    assert not report.is_damaged


def test_a_damaged_page_is_damage(kept: Keeping) -> None:
    kept.databases.close()
    with raw(kept.path) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'memory_versions'"
        ).fetchone()
    content = bytearray(kept.path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    kept.path.write_bytes(content)

    report = checked(kept)

    assert [one.kind for one in report.findings] == [FindingKind.PAGES]
    assert report.is_damaged
    assert report.n_files == 3
    assert kept.path.read_bytes() == content


@pytest.mark.endurance
def test_damaged_runs_are_never_overlooked_and_no_original_is_modified(
    kept: Keeping, reduced_or_full: Callable[[int, int], int]
) -> None:
    """R5: 64 bytes of noise anywhere; whatever changes a row or a word is found."""
    choose = random.Random(5)  # noqa: S311  where to damage guards nothing
    kept.write(*(f"memory {n} hums " + "of bells and tolls " * (n % 40) for n in range(150)))
    wanted = logical_dump(kept.path, without=())
    kept.databases.close()
    good = kept.path.read_bytes()
    n_overlooked = n_found = 0
    for _ in range(reduced_or_full(12, 400)):
        offset = choose.randrange(len(good) - 64)
        bad = good[:offset] + choose.randbytes(64) + good[offset + 64 :]
        kept.path.write_bytes(bad)
        findings = SqliteInspector(kept.databases, kept.world.publisher).look(WORKSPACE_ID).findings
        kept.databases.close()
        n_found += bool(findings)
        n_overlooked += not findings and logical_dump(kept.path, without=()) != wanted
        assert kept.path.read_bytes() == bad
    assert n_overlooked == 0
    assert n_found > 0


def test_a_schema_that_is_no_text_any_more_is_damage(kept: Keeping) -> None:
    kept.databases.close()
    content = kept.path.read_bytes()
    kept.path.write_bytes(content.replace(b"CREATE TRIGGER meta_stays", b"\xff" * 25))

    report = checked(kept)

    assert report.findings == (Finding(FindingKind.UNREADABLE, WORKSPACE_ID, 1, "damaged"),)


def test_a_file_that_cannot_be_used_does_not_stop_the_check_of_the_others(kept: Keeping) -> None:
    kept.databases.close()
    other = kept.databases.workspace_folder(OTHER_WORKSPACE_ID) / "agents.db"
    other.write_bytes(b"Dear diary,\n" * 900)
    spoil(kept, "DELETE FROM scope_counts")

    report = checked(kept)

    assert {(one.kind, one.workspace_id) for one in report.findings} == {
        (FindingKind.UNREADABLE, OTHER_WORKSPACE_ID),
        (FindingKind.COUNTS, WORKSPACE_ID),
    }
    assert report.is_damaged


def test_a_room_that_never_held_an_active_memory_is_not_miscounted(kept: Keeping) -> None:
    room = ScopeKey.channel(WORKSPACE_ID, "all-forgotten")
    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([replace(a_memory("Long gone.", scope=room), forgotten_at=NOON)])
        unit.commit()
    assert checked(kept).findings == ()


def test_a_workspace_whose_folder_vanished_is_missed(kept: Keeping) -> None:
    kept.databases.close()
    shutil.rmtree(kept.path.parent)

    report = checked(kept)

    assert report.findings == (Finding(FindingKind.UNREADABLE, WORKSPACE_ID, 1, "missing"),)


def test_text_that_is_no_unicode_is_found(kept: Keeping) -> None:
    spoil(kept, "UPDATE memories SET content = CAST(x'ff41' AS TEXT) WHERE sequence = 2")

    report = checked(kept)

    with raw(kept.path) as connection:
        (id_,) = connection.execute("SELECT id FROM memories WHERE sequence = 2").fetchone()
    found = Finding(FindingKind.TEXT, WORKSPACE_ID, 1, f"memories {id_} content")
    assert report.findings[0] == found
    assert report.is_damaged


def test_a_row_that_points_nowhere_is_found(kept: Keeping) -> None:
    with raw(kept.path) as connection:
        connection.execute(
            "INSERT INTO conversations VALUES"
            " (99, 'c99', 'AAAAA-BBBBB', 'nowhere', '', 'active', 0, NULL, NULL, 0, 0)"
        )

    report = checked(kept)

    assert report.findings == (Finding(FindingKind.REFERENCES, WORKSPACE_ID, 1),)
    assert report.is_damaged


def test_backups_that_cannot_be_restored_are_named(kept: Keeping) -> None:
    truncated, foreign = kept.create(), kept.create()
    path = kept.file_of(truncated)
    content = bytearray(path.read_bytes())
    content[-4096:] = b"\xff" * 4096
    path.write_bytes(content)
    shutil.copy(kept.world.path(OTHER_WORKSPACE_ID), kept.file_of(foreign))

    report = checked(kept)

    assert [one.detail for one in report.findings] == [
        f"damaged {truncated.name}",
        f"foreign {foreign.name}",
    ]
    assert not report.is_damaged
    assert path.read_bytes() == content


def test_a_backup_with_a_forged_log_is_named_with_the_event(kept: Keeping) -> None:
    backup = kept.create()
    with raw(kept.file_of(backup)) as connection:
        triggers = take_triggers_off(connection)
        connection.execute("UPDATE events SET actor = 'Mallory' WHERE seq = 1")
        for statement in triggers:
            connection.execute(statement)

    assert kept.keeper.find(backup.name).fault is None
    found = SqliteInspector(kept.databases, kept.world.publisher).look_at_backup(backup.name)
    assert found == Finding(FindingKind.BACKUP, WORKSPACE_ID, 1, f"forged_log 1 {backup.name}")


def test_what_killed_programs_left_is_named_and_removed(kept: Keeping) -> None:
    kept.create()
    half_backup = kept.world.root / "backups" / WORKSPACE_ID / ".new-17-ab"
    half_file = kept.path.with_name(".agents.db.17-ab.new")
    half_folder = kept.path.parent.parent / ".new-17"
    half_folder.mkdir()
    for one in (half_backup, half_file, half_folder / "agents.db"):
        one.write_bytes(b"half")
    fresh = kept.path.with_name(".agents.db.18-cd.new")
    fresh.write_bytes(b"somebody is at work")
    for one in (half_backup, half_file, half_folder):
        os.utime(one, (0, 0))

    found, repaired, again = checked(kept), checked(kept, repair=True), checked(kept)

    assert {one.detail for one in found.findings} == {
        f"backups/{WORKSPACE_ID}/.new-17-ab",
        "workspaces/.new-17",
        f"workspaces/{WORKSPACE_ID}/.agents.db.17-ab.new",
    }
    assert repaired.is_clean
    assert again.findings == ()
    assert fresh.exists()


def test_what_a_dead_program_left_a_while_ago_goes_and_that_of_a_living_one_stays(
    kept: Keeping,
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], check=True, capture_output=True
    )
    dead = int(ended.stdout)
    makers = {"dead": dead, "living": os.getpid()}
    paths = {
        (who, name): kept.world.root / name.format(number)
        for who, number in makers.items()
        for name in (
            ".agents.db.{}-0a1b2c3d.new",
            "install.key.{}-0a1b2c3d.new",
            ".settings-{}-ab_d3fgh",
        )
    }
    for path in paths.values():
        path.write_bytes(b"half")
    just_made = paths["dead", "install.key.{}-0a1b2c3d.new"]
    moments_ago = time.time() - 2 * DEAD_AFTER_SECONDS
    for path in paths.values():
        if path != just_made:
            os.utime(path, (moments_ago, moments_ago))
    inspector = SqliteInspector(kept.databases, kept.world.publisher)
    assert len(inspector.left_over(remove=False)) == 2
    assert all(one.is_repaired for one in inspector.left_over(remove=True))
    left = {key for key, path in paths.items() if path.exists()}
    assert left == {key for key in paths if key[0] == "living" or paths[key] == just_made}


def test_a_busy_file_is_said_not_guessed(kept: Keeping) -> None:
    with raw(kept.path) as connection:
        connection.execute("BEGIN IMMEDIATE")

        with pytest.raises(DatabaseBusyError):
            checked(kept)


def test_a_person_can_stop_it_between_two_files(kept: Keeping) -> None:
    steps: list[tuple[str, int, int]] = []
    stopping = Progress(lambda *step: steps.append(step), lambda: len(steps) == 2)

    with pytest.raises(StoppedError):
        asked_by(
            a_person(),
            inspector=SqliteInspector(kept.databases, kept.world.publisher),
            clock=kept.world.clock,
        ).keeping.check_data(progress=stopping)

    assert steps == [("files", 0, 3), ("files", 1, 3)]

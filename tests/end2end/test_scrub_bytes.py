"""The named test ``scrub_bytes``: after a scrub no byte of what it removed is left in our files."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import BackupFate, ScrubMode
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.places import HINT_FILE
from inklings_desktop.usecases.bundle import Inklings
from tests.end2end.byte_scan import ByteScanner, a_byte_scanner
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.fake_embedder import FakeEmbedder
from tests.support.processes import line_of, started, tell
from tests.support.scrub_world import CONVERSATIONS, ScrubWorld, scopes, scrub_world
from tests.support.sqlite_store import integrity_faults, raw
from tests.support.stopwatch import SLOWNESS, Stopwatch

pytestmark = pytest.mark.end2end

KILLS, KILLS_FULL = 2, 100
SECONDS_AFTER_RELEASE = 5.0 * SLOWNESS
FOLDERS = ("account", WORKSPACE_ID, OTHER_WORKSPACE_ID)


def mark_of(number: int) -> str:
    """A word that occurs nowhere else, and that folding and stemming leave as it is."""
    letters = random.Random(number).choices("bcdfghjklmnpqrstvwxz", k=14)  # noqa: S311
    return f"{''.join(letters)}{number}7"


@contextmanager
def a_program(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program of ``scrub_process`` that is ready; killed when this ends."""
    with started("tests.end2end.scrub_process", *arguments) as process:
        try:
            assert line_of(process) == "ready"
            yield process
        finally:
            process.kill()


@pytest.fixture
def scanner() -> Iterator[ByteScanner]:
    with a_byte_scanner() as scanner:
        yield scanner


def back_up(scene: ScrubWorld) -> None:
    """A backup of each file."""
    keeper = SqliteBackupKeeper(scene.world.databases, scene.world.publisher, scene.world.clock)
    for file in (None, WORKSPACE_ID, OTHER_WORKSPACE_ID):
        keeper.create(file)
    scene.world.clock.advance(hours=1)


def opened(root: Path) -> AbstractContextManager[Inklings]:
    return open_inklings(root, embedder=FakeEmbedder(), embed_writes=False)


def wait_until_finished(inklings: Inklings, seconds: float = 60.0) -> float:
    """Seconds until no scrub is open any more, by a ``Stopwatch``."""
    watch = Stopwatch()
    while inklings.scrub.pending() or any_hint(inklings.data_dir):
        assert watch.seconds < seconds, "the scrub is not finished"
        time.sleep(0.02)
    return watch.seconds


def any_hint(root: Path) -> bool:
    return any(root.rglob(HINT_FILE))


@pytest.mark.parametrize("mode", [ScrubMode.KEEP_NAMED, ScrubMode.FULL])
@pytest.mark.parametrize("scope", scopes()[::2] + scopes()[5:], ids=lambda one: one.tier.value)
def test_no_byte_is_left_while_others_idle(
    scope: ScopeKey, mode: ScrubMode, tmp_path: Path, scanner: ByteScanner
) -> None:
    mark, named_mark, other_mark = mark_of(1), mark_of(2), mark_of(3)
    holds_entries = scope.tier in {Tier.WORKSPACE, Tier.ACCOUNT}
    with scrub_world(tmp_path, seed=5) as scene:
        scene.add_memories(scope, 30, mark)
        scene.add_proposals(scope, mark)
        if scope.tier is Tier.CONVERSATION:
            scene.add_note(scope.key, f"key {mark}", f"A note that says {mark} to itself.")
        if holds_entries:
            scene.add_entries(scope.workspace_id, named_mark)
        for other in (*scopes(), ScopeKey.workspace(OTHER_WORKSPACE_ID)):
            if other != scope:
                scene.fill(other, other_mark)
        back_up(scene)
        scene.add_memories(scope, 5, mark)
        back_up(scene)
    assert scanner.files_with(tmp_path, mark)

    with a_program("idle", str(tmp_path)), opened(tmp_path) as inklings:
        manifest = inklings.scrub.preview(scope, mode)
        outcome = inklings.scrub.execute(scope, mode, token=manifest.token, phrase=manifest.phrase)

        assert outcome.is_finished, outcome.pending
        assert scanner.files_with(tmp_path, mark) == set()
        named_files = scanner.files_with(tmp_path, named_mark)
        assert bool(named_files) == (holds_entries and mode is ScrubMode.KEEP_NAMED)
    assert scanner.files_with(tmp_path, mark) == set()
    assert scanner.files_with(tmp_path, other_mark)
    assert outcome.receipt is not None
    assert outcome.receipt.n_needles > 50
    assert outcome.receipt.n_files > 8
    assert [one.fate for one in manifest.backups] == [BackupFate.REWRITTEN] * 2
    assert outcome.receipt.rewritten == tuple(one.name for one in manifest.backups)
    for path in tmp_path.rglob("*.db"):
        assert integrity_faults(path) == []


def test_a_kept_neighbour_lends_no_removed_text(tmp_path: Path, scanner: ByteScanner) -> None:
    mark = mark_of(4)
    scope = ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[0])
    other = ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[1])
    with scrub_world(tmp_path) as scene:
        for _ in range(10):  # by turns, so that every neighbour in the index is of the other scope
            scene.add_memories(scope, 1, mark)
            scene.add_memories(other, 1, "kept")

        assert scene.scrub(scope).is_finished

        assert scanner.files_with(tmp_path, mark) == set()
        assert integrity_faults(scene.world.path()) == []
        with raw(scene.world.path()) as connection:
            contexts = connection.execute("SELECT context FROM memory_search").fetchall()
        assert any("kept" in context for (context,) in contexts)


def test_old_and_unreadable_backups_are_deleted(tmp_path: Path, scanner: ByteScanner) -> None:
    mark = mark_of(5)
    scope = ScopeKey.workspace(WORKSPACE_ID)
    with scrub_world(tmp_path) as scene:
        scene.fill(scope, mark)
        back_up(scene)
        (sound,) = (tmp_path / "backups" / WORKSPACE_ID).glob("*.db")
        older = sound.with_name("20250101T000000000Z.db")
        shutil.copyfile(sound, older)
        with raw(older) as connection:
            connection.execute("CREATE INDEX of_another_version ON memories (source)")
        unreadable = sound.with_name("20250102T000000000Z.db")
        unreadable.write_bytes(b"not a database, but it says " + mark.encode())
        unfinished = sound.with_name(".new-1-abcd")
        shutil.copyfile(sound, unfinished)

        manifest = scene.preview(scope, ScrubMode.FULL)
        outcome = scene.execute(manifest)

    fates = {one.name: one.fate for one in manifest.backups}
    assert fates == {
        older.name: BackupFate.DELETED,
        unreadable.name: BackupFate.DELETED,
        sound.name: BackupFate.REWRITTEN,
    }
    assert outcome.is_finished
    assert outcome.receipt is not None
    assert outcome.receipt.deleted == (older.name, unreadable.name)
    left = sorted(one.name for one in sound.parent.iterdir() if one.name != ".lock")
    assert left == [sound.name, sound.with_suffix(".json").name]
    assert scanner.files_with(tmp_path, mark) == set()


def test_a_readers_snapshot_keeps_the_purge_open_until_it_is_released(
    tmp_path: Path, scanner: ByteScanner
) -> None:
    mark = mark_of(6)
    scope = ScopeKey.workspace(WORKSPACE_ID)
    with scrub_world(tmp_path) as scene:
        scene.fill(scope, mark, n_memories=60)
        back_up(scene)
    with opened(tmp_path) as inklings, a_program("read", str(tmp_path)) as reader:
        manifest = inklings.scrub.preview(scope, ScrubMode.FULL)
        outcome = inklings.scrub.execute(
            scope, ScrubMode.FULL, token=manifest.token, phrase=manifest.phrase
        )

        assert (outcome.pending, outcome.receipt) == ("snapshot", None)
        assert outcome.verified_number is None
        assert not outcome.is_finished
        (pending,) = inklings.scrub.pending()
        assert pending.event_number == outcome.event_number
        assert kinds(inklings) == [EventKind.SCRUB_EXECUTED]
        time.sleep(1.5)  # the background has tried meanwhile and must not have claimed anything
        assert inklings.scrub.pending()
        assert scanner.files_with(tmp_path, mark)

        tell(reader)
        assert line_of(reader) == "released"
        seconds = wait_until_finished(inklings)

        assert seconds < SECONDS_AFTER_RELEASE
        assert kinds(inklings) == [EventKind.SCRUB_VERIFIED, EventKind.SCRUB_EXECUTED]
        assert scanner.files_with(tmp_path, mark) == set()


def kinds(inklings: Inklings) -> list[EventKind]:
    return [one.kind for one in inklings.log.list(WORKSPACE_ID)]


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_a_killed_scrub_is_finished_at_the_next_start(
    tmp_path: Path, scanner: ByteScanner, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(11)  # noqa: S311  it only chooses when to kill
    n_kills = reduced_or_full(KILLS, KILLS_FULL)
    removed = left_whole = 0
    with scrub_world(tmp_path):
        pass
    with a_program("idle", str(tmp_path)):
        for number in range(n_kills):
            scope, mark = chance.choice(scopes()), mark_of(100 + number)
            with scrub_world(tmp_path, seed=number) as scene:
                scene.fill(scope, mark, n_memories=12)
                back_up(scene)
                n_events = events_of(scene, scope)
            arguments = ("scrub", str(tmp_path), scope.tier.value, scope.key, "full")
            with a_program(*arguments) as program:
                for _ in range(chance.randrange(7)):
                    line_of(program)
                time.sleep(chance.random() * 0.02)
                program.kill()

            with opened(tmp_path) as inklings:
                wait_until_finished(inklings)
                file = scope.workspace_id
                found = inklings.log.list(file, limit=events_more(n_events))
                new = [one for one in found if one.number > n_events]
                manifest = inklings.scrub.preview(scope, ScrubMode.FULL)
                files = scanner.files_with(tmp_path, mark)
                if new:
                    assert [one.kind for one in new] == [
                        EventKind.SCRUB_VERIFIED,
                        EventKind.SCRUB_EXECUTED,
                    ]
                    assert new[0].counts["hits"] == 0
                    assert manifest.n_removed == 0
                    assert files == set(), (number, scope)
                    removed += 1
                else:
                    assert manifest.n_removed >= 12
                    assert files, (number, scope)
                    left_whole += 1
            for path in tmp_path.rglob("*.db"):
                assert integrity_faults(path) == []
            shutil.rmtree(tmp_path / "backups")
    assert removed + left_whole == n_kills
    assert removed > 0


def events_of(scene: ScrubWorld, scope: ScopeKey) -> int:
    with scene.world.store.read(scope.workspace_id) as view:
        latest = view.events.latest(1)
    return latest[0].number if latest else 0


def events_more(n_events: int) -> int:
    return n_events + 10

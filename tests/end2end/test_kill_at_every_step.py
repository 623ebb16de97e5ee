"""Restore, import and scrub, killed before each statement and each file operation they do.

By default a few of the steps are tried; under ``-m endurance`` every one of them is.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.backups.backups import DAMAGED_SUFFIX
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from tests.end2end.byte_scan import a_byte_scanner
from tests.end2end.test_scrub_bytes import back_up, mark_of, opened, wait_until_finished
from tests.storage.keeping import keeping, keeping_as_it_is
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.dumps import Dump, logical_dump
from tests.support.dying import DONE, KILLED, Killer, a_killer
from tests.support.losses import told_as_lost
from tests.support.scrub_world import scrub_world
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import fill, transfer_bench

pytestmark = [pytest.mark.endurance, pytest.mark.slow, pytest.mark.timeout(3_600)]

STEPS_TRIED = 3


@pytest.fixture(scope="module")
def kill() -> Iterator[Killer]:
    with a_killer("tests.end2end.dying_process") as kill:
        yield kill


@pytest.fixture
def chosen_of(reduced_or_full: Callable[[int, int], int]) -> Callable[[int], list[int]]:
    """The steps of so many that are tried: spread from the first to the last, or every one."""

    def chosen(n_steps: int) -> list[int]:
        n_tried = reduced_or_full(STEPS_TRIED, n_steps)
        return [1 + (n_steps - 1) * number // (n_tried - 1) for number in range(n_tried)]

    return chosen


def killed_roots(
    kill: Killer, act: str, made: Path, chosen_of: Callable[[int], list[int]], *arguments: str
) -> Iterator[tuple[int, Path]]:
    """The data root as each kill leaves it, with the number of the step that was not done."""
    whole = made.with_name("whole")
    shutil.copytree(made, whole)
    end, n_steps = kill(act, 0, whole, *arguments)
    assert end == DONE, end
    for step in chosen_of(n_steps):
        root = made.with_name(f"step{step}")
        shutil.copytree(made, root)
        end, _ = kill(act, step, root, *arguments)
        assert end == KILLED, (step, end)
        yield step, root
        shutil.rmtree(root)


@pytest.mark.parametrize("is_damaged", [False, True], ids=["rows", "file"])
def test_a_restore_killed_at_any_step_leaves_the_old_state_or_the_new(
    is_damaged: bool,  # noqa: FBT001  pytest hands it over
    tmp_path: Path,
    kill: Killer,
    chosen_of: Callable[[int], list[int]],
) -> None:
    made = tmp_path / "made"
    with keeping(made) as kept:
        backup = kept.create()
        wanted = logical_dump(kept.path)
        kept.write("written after the backup")
        old, path = logical_dump(kept.path), kept.path.relative_to(made)
    if is_damaged:
        (made / path).write_bytes(b"no database" * 1_000)
    seen = set()

    for step, root in killed_roots(kill, "restore", made, chosen_of, backup.name):
        with keeping_as_it_is(root) as kept:
            try:
                kept.databases.file(WORKSPACE_ID)
            except DatabaseCorruptError:
                seen.add("damaged")
                assert is_damaged, step
            else:
                found = logical_dump(root / path)
                assert found in ((wanted,) if is_damaged else (old, wanted)), step
                seen.add("new" if found == wanted else "old")
            assert told_as_lost(kept.databases) == {}, step
            whole = [one for one in kept.keeper.kept() if not one.name.endswith(DAMAGED_SUFFIX)]
            assert {one.fault for one in whole} == {None}, step
            kept.restore(backup)
            assert logical_dump(root / path) == wanted, step
            assert SqliteLogAudit(kept.databases).verify(WORKSPACE_ID).reason is None, step
            assert told_as_lost(kept.databases) == {}, step
        assert integrity_faults(root / path) == []
        assert left_over(root) == [], step

    assert len(seen) == 2


def left_over(root: Path) -> list[str]:
    """Unfinished files that nobody needs any more."""
    return [one.name for one in root.rglob("*") if ".new-" in one.name or ".restored-" in one.name]


@pytest.mark.parametrize("is_restore", [False, True], ids=["beside", "into_nothing"])
def test_an_import_killed_at_any_step_is_whole_in_each_file_and_can_be_finished(
    is_restore: bool,  # noqa: FBT001  pytest hands it over
    tmp_path: Path,
    kill: Killer,
    chosen_of: Callable[[int], list[int]],
) -> None:
    made, file = tmp_path / "made", tmp_path / "x.json"
    with transfer_bench(tmp_path / "source") as source:
        fill(source, 2, n_memories=8)
        source.export(file)
    with transfer_bench(made) as bench:
        if not is_restore:
            with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.add([a_memory("Something of mine.")])
                unit.commit()
        before = bench.dumps()
    if is_restore:
        shutil.rmtree(made / "workspaces" / WORKSPACE_ID)
    seen = set()

    for step, root in killed_roots(kill, "import", made, chosen_of, str(file), "7"):
        with transfer_bench(root.with_name("whole"), workspace_ids=()) as bench:
            after = bench.dumps()
        with transfer_bench(root, seed=9, workspace_ids=()) as bench:
            found = bench.dumps()
            assert told_as_lost(bench.world.databases) == {}, step
            n_done = sum(found.get(one) == after[one] for one in after)
            for one, dump in found.items():
                if dump not in (before[one], after[one]):
                    with bench.world.store.read(one) as view:
                        assert view.transfers.is_empty(), (step, one)
            assert n_done != 1 or found[None] == before[None], "the account comes last"
            seen.add(n_done)
            bench.bring_in(file)
            finished = bench.dumps()
            if is_restore:
                assert finished == after, step
            assert told(finished) == told(after), step
            assert told_as_lost(bench.world.databases) == {}, step
            for one in after:
                assert integrity_faults(bench.world.path(one)) == []
                with bench.world.store.read(one) as view:
                    assert view.events.first_broken() is None, (step, one)

    assert {0, 2} <= seen


def told(dumps: dict[str | None, Dump]) -> dict[str | None, list[str]]:
    """What the memories of each file say."""
    return {file: sorted(row[6] for row in dump["memories"]) for file, dump in dumps.items()}


def test_a_scrub_killed_at_any_step_is_finished_at_the_next_start(
    tmp_path: Path, kill: Killer, chosen_of: Callable[[int], list[int]]
) -> None:
    made, mark, scope = tmp_path / "made", mark_of(1), ScopeKey.workspace(WORKSPACE_ID)
    with scrub_world(made) as scene:
        scene.fill(scope, mark, n_memories=3)
        back_up(scene)
        before = scene.dump(WORKSPACE_ID)
        with scene.world.store.read(WORKSPACE_ID) as view:
            n_events = view.events.latest(1)[0].number if view.events.latest(1) else 0
    seen = set()
    arguments = ("workspace", WORKSPACE_ID, ScrubMode.FULL.value)

    with a_byte_scanner() as scanner:
        for step, root in killed_roots(kill, "scrub", made, chosen_of, *arguments):
            with opened(root) as inklings:
                wait_until_finished(inklings)
                events = inklings.log.list(WORKSPACE_ID)
                new = [one.kind for one in events if one.number > n_events]
                assert new in ([], [EventKind.SCRUB_VERIFIED, EventKind.SCRUB_EXECUTED]), step
                assert bool(scanner.files_with(root, mark)) == (not new), step
                assert inklings.log.find_lost_writes() == (), step
            with scrub_world(root) as scene:
                if not new:
                    assert scene.dump(WORKSPACE_ID) == before, step
            for path in root.rglob("*.db"):
                assert integrity_faults(path) == [], (step, path)
            seen.add(bool(new))

    assert seen == {False, True}

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    InvalidValueError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.backup import WorkspaceDeletion
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.workspaces import workspace_eraser
from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
from inklings_desktop.usecases.rooms.workspaces import Workspaces
from tests.storage.keeping import N_MEMORIES, Keeping, keeping, keeping_as_it_is
from tests.support.asking import asked_by
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_person
from tests.support.damaging import spoil
from tests.support.dumps import logical_dump
from tests.support.holding import a_holder
from tests.support.page_files import FOLDER, PageFiles
from tests.support.processes import line_of, started
from tests.support.sqlite_store import raw

NAME = "Saltglass Sound"
PHRASE = f"delete {NAME}"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Keeping]:
    """The first workspace has a telling name, memories and two backups; the second one a text."""
    with keeping(tmp_path / "root") as kept:
        kept.world.directory.rename(Workspace(WORKSPACE_ID, NAME, NOON))
        kept.create()
        kept.create()
        kept.keeper.create(None)
        yield kept


def eraser(kept: Keeping) -> SqliteWorkspaceEraser:
    world = kept.world
    return SqliteWorkspaceEraser(world.databases, world.store, world.directory)


def workspaces(kept: Keeping) -> Workspaces:
    return asked_by(a_person(), kept.world, workspace_eraser=eraser(kept)).workspaces


def delete(kept: Keeping, confirm: str = PHRASE) -> WorkspaceDeletion:
    return workspaces(kept).delete(WORKSPACE_ID, confirm=confirm)


def traces(root: Path, *texts: str) -> set[str]:
    """Files and names under the data root that still hold one of these texts."""
    wanted = [text.encode(one) for text in texts for one in ("utf-8", "utf-16-le")]
    found = set()
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        holds = path.is_file() and any(one in path.read_bytes() for one in wanted)
        if holds or any(text in name for text in texts):
            found.add(name)
    return found


def deleted_events(kept: Keeping) -> list[dict[str, object]]:
    with kept.world.store.read(None) as view:
        return [
            {"ids": one.ids, **one.counts}
            for one in view.events.latest(50)
            if one.kind is EventKind.WORKSPACE_DELETED
        ]


def test_nothing_of_a_deleted_workspace_is_left_under_the_data_root(kept: Keeping) -> None:
    other = logical_dump(kept.world.path(OTHER_WORKSPACE_ID), without=())
    before = traces(kept.world.root, "saltglass", "hums", NAME, WORKSPACE_ID)
    assert len(before) > 3

    delete(kept)

    # While the program runs on: the account's log alone names the id.
    with raw(kept.world.path(None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept.databases.close()
    assert traces(kept.world.root, "saltglass", "hums", NAME) == set()
    assert traces(kept.world.root, WORKSPACE_ID) == {"agents.db"}
    assert logical_dump(kept.world.path(OTHER_WORKSPACE_ID), without=()) == other


def test_the_index_of_its_pages_goes_as_well(kept: Keeping) -> None:
    index = kept.world.databases.worlds.of(WORKSPACE_ID)
    files = PageFiles()
    files.put("Page.md", "# Page\n\nWords of the cormorant.\n")
    index.settle(
        FOLDER,
        files.stamps(),
        lambda stamp: files.read(FOLDER, stamp),
        at=NOON,
        report=lambda *_: None,
        goes_on=lambda: True,
    )
    assert traces(kept.world.root, "cormorant") != set()
    delete(kept)
    assert traces(kept.world.root, "cormorant") == set()
    with pytest.raises(NotFoundError):
        index.pages()


def test_what_would_go_is_said_and_nothing_is_changed(kept: Keeping) -> None:
    before = logical_dump(kept.path, without=())

    found = workspaces(kept).preview_deletion(NAME)

    assert (found.workspace_id, found.name, found.phrase) == (WORKSPACE_ID, NAME, PHRASE)
    assert (found.n_memories, found.n_named_entries, found.n_backups) == (N_MEMORIES, 1, 2)
    assert (found.n_conversations, found.n_events, found.event_number) == (0, 1, None)
    assert logical_dump(kept.path, without=()) == before


def test_the_accounts_log_says_what_went(kept: Keeping) -> None:
    deletion = delete(kept)

    assert deleted_events(kept) == [
        {
            "ids": (WORKSPACE_ID,),
            "memories": N_MEMORIES,
            "named_entries": 1,
            "conversations": 0,
            "events": 1,
            "backups": 2,
            "scrubs": 0,
        }
    ]
    audit = SqliteLogAudit(kept.databases)
    assert audit.verify(None).reason is None
    assert WORKSPACE_ID not in audit.noted_workspaces()
    assert deletion.event_number == 1


def test_its_scrubs_are_copied_to_the_accounts_log_first(kept: Keeping) -> None:
    draft = EventDraft(
        EventKind.SCRUB_EXECUTED,
        "Ada",
        "person",
        "window",
        "workspace",
        WORKSPACE_ID,
        ("m1", "m2"),
        {"memories": 2},
        {"digest": "7f3ac21e"},
    )
    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        scrub = unit.events.append(draft, NOON)
        unit.events.append(replace(draft, kind=EventKind.SCRUB_VERIFIED), NOON)
        unit.commit()
    kept.world.clock.advance(hours=5)

    delete(kept)

    with kept.world.store.read(None) as view:
        deleted, verified, executed = view.events.latest(3)
    assert executed.kind is EventKind.SCRUB_EXECUTED
    assert verified.kind is EventKind.SCRUB_VERIFIED
    assert (executed.ids, executed.counts) == ((), {"memories": 2})
    assert executed.marks == {
        "digest": "7f3ac21e",
        "workspace": WORKSPACE_ID,
        "number": str(scrub.number),
        "at": "2026-03-14T12:00:00.000+00:00",
        "chain_hash": scrub.chain_hash,
    }
    assert deleted.counts["scrubs"] == 1


def test_the_record_of_a_scrub_that_damage_left_a_part_of_is_copied_as_far_as_it_goes(
    kept: Keeping,
) -> None:
    draft = EventDraft(EventKind.SCRUB_EXECUTED, "Ada", "person", "cli", "workspace", WORKSPACE_ID)
    with kept.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        scrub = unit.events.append(draft, NOON)
        unit.commit()
    spoil(kept.world.path(), "UPDATE events SET counts = 'Gulls', marks = 'Gulls'")

    delete(kept)

    with kept.world.store.read(None) as view:
        copy, *_ = (one for one in view.events.latest(5) if one.kind is EventKind.SCRUB_EXECUTED)
    assert (copy.counts, copy.marks["chain_hash"]) == ({}, scrub.chain_hash)


@pytest.mark.parametrize("typed", ["", "delete", NAME, f"delete {NAME.lower()}", f"{PHRASE}!"])
def test_another_phrase_deletes_nothing(kept: Keeping, typed: str) -> None:
    before = logical_dump(kept.path, without=())

    with pytest.raises(InvalidValueError) as caught:
        delete(kept, typed)

    assert (caught.value.field, caught.value.rule) == ("confirm", "phrase")
    assert logical_dump(kept.path, without=()) == before
    assert deleted_events(kept) == []


def test_spaces_around_the_phrase_do_not_count(kept: Keeping) -> None:
    delete(kept, f"  {PHRASE}\n")

    with pytest.raises(NotFoundError):
        kept.world.directory.get(NAME)


def test_another_program_lets_go_and_finds_it_gone(kept: Keeping) -> None:
    with a_holder(kept.world.root) as ask:
        assert ask("count") == str(N_MEMORIES)

        delete(kept)

        assert ask("written to a ghost") == "NotFoundError"
        assert ask("count") == "NotFoundError"
    assert not kept.path.parent.exists()
    assert traces(kept.world.root, "ghost", "saltglass") == set()


def test_another_program_keeps_no_ghost_open(kept: Keeping) -> None:
    with a_holder(kept.world.root) as ask:
        assert ask("count") == str(N_MEMORIES)
        assert ask("open") == "1"
        delete(kept)
        deadline = time.monotonic() + 5
        while ask("open") != "0" and time.monotonic() < deadline:
            time.sleep(0.05)

        assert ask("open") == "0"


def test_a_damaged_workspace_can_be_deleted_too(kept: Keeping) -> None:
    kept.databases.close()
    kept.path.write_bytes(b"saltglass " * 900)

    found = workspaces(kept).preview_deletion(WORKSPACE_ID)
    deletion = delete(kept)

    assert found.is_damaged
    assert deletion.event_number == 1
    assert deleted_events(kept) == [{"ids": (WORKSPACE_ID,), "backups": 2, "unreadable": 1}]
    kept.databases.close()
    assert traces(kept.world.root, "saltglass", NAME) == set()
    assert traces(kept.world.root, WORKSPACE_ID) <= {"agents.db", "agents.db-wal"}


def test_a_program_that_is_writing_keeps_it(kept: Keeping) -> None:
    with raw(kept.path) as connection:
        connection.execute("BEGIN IMMEDIATE")

        with pytest.raises(DatabaseBusyError):
            delete(kept)

        connection.execute("ROLLBACK")
    assert deleted_events(kept) == []
    assert not list(kept.path.parent.parent.glob(".delet*"))
    kept.write("still there")


def test_a_full_disk_deletes_nothing(kept: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    before = logical_dump(kept.path, without=())

    def full(*_: object, **__: object) -> object:
        raise DatabaseFullError(kept.world.path(None), "disk full")

    monkeypatch.setattr(kept.world.store, "write", full)

    with pytest.raises(DatabaseFullError):
        delete(kept)

    monkeypatch.undo()
    assert logical_dump(kept.path, without=()) == before
    assert deleted_events(kept) == []
    assert not list(kept.path.parent.parent.glob(".delet*"))


def test_what_cannot_be_removed_now_goes_at_the_next_start(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_folder: Path) -> None:
        raise PermissionError(13, "held open")

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", refused)
        with pytest.raises(StorageError):
            delete(kept)
        assert eraser(kept).finish_all() == 0
    assert WORKSPACE_ID not in {one.id for one in kept.world.directory.workspaces()}

    assert eraser(kept).finish_all() == 1

    assert traces(kept.world.root, "saltglass", NAME) == set()
    assert len(deleted_events(kept)) == 1


@pytest.mark.parametrize("step", ["write_private", "replace_file", "_remove_tree"])
def test_a_kill_before_the_record_undoes_it_and_after_it_carries_it_through(
    kept: Keeping, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Killed(BaseException):
        """What no handler of ours expects."""

    true_step = getattr(workspace_eraser, step)

    def die(*arguments: object) -> None:
        true_step(*arguments)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(workspace_eraser, step, die)
        with pytest.raises(Killed):
            delete(kept)
    was_recorded = bool(deleted_events(kept))

    n_gone = eraser(kept).finish_all()

    assert was_recorded == (step != "write_private")
    assert n_gone == int(was_recorded)
    assert kept.path.exists() != was_recorded
    assert not list(kept.world.root.rglob(".delet*"))
    assert bool(traces(kept.world.root, "saltglass")) != was_recorded


@pytest.mark.endurance
def test_killed_programs_leave_all_of_it_or_nothing(
    kept: Keeping, tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    kept.databases.close()
    master = tmp_path / "master"
    shutil.copytree(kept.world.root, master)
    choose = random.Random(11)  # noqa: S311  when to kill guards nothing
    for n in range(reduced_or_full(2, 100)):
        root = tmp_path / f"root-{n}"
        shutil.copytree(master, root)
        process = started("tests.storage.deleting_process", str(root), WORKSPACE_ID)
        assert line_of(process) == "begin"
        time.sleep(choose.uniform(0.0, 0.12))
        process.kill()
        process.communicate()

        with keeping_as_it_is(root) as left:
            eraser(left).finish_all()
            events = deleted_events(left)
            is_there = left.path.exists()
            assert is_there != bool(events)
            assert len(events) <= 1
            assert not list(root.rglob(".delet*"))
            assert SqliteLogAudit(left.databases).verify(None).reason is None
            if is_there:
                assert logical_dump(left.path) == logical_dump(master / left.path.relative_to(root))
            left.databases.close()
        if not is_there:
            assert traces(root, "saltglass", NAME) == set()
        shutil.rmtree(root)

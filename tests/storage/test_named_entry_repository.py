from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from inklings_desktop.domain.entries.named_entry import EntryAction
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.processes import finished, started
from tests.support.sqlite_store import SqliteWorld, counted_statements, raw, sqlite_world
from tests.support.stopwatch import SLOWNESS, Stopwatch

N_REVISIONS = 200
BODY_BYTES = 60_000


def revised(world: SqliteWorld, number: int) -> None:
    """Give VOICE so many revisions, each of 60 KB."""
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        voice = unit.entries.find("VOICE")
        for version in range(voice.version, number):
            voice = unit.entries.save(
                replace(voice, body=f"{version} ".ljust(BODY_BYTES, "x"), is_template=False),
                expected_version=version,
                action=EntryAction.SAVED,
                saved_by="Ada",
                door="window",
                saved_at=NOON,
            )
        unit.commit()


def show(world: SqliteWorld) -> tuple[list[str], float, int]:
    """Statements, seconds and number of revisions of showing VOICE."""
    with world.store.read(WORKSPACE_ID) as view:
        ref = view.entries.find("VOICE").ref
    with counted_statements(world.databases.file(WORKSPACE_ID).engines.read) as counter:
        watch = Stopwatch()
        shown = world.person.entries.show(ref)
        seconds = watch.seconds
    assert shown.revisions[0].n_characters == shown.entry.n_characters
    return counter.statements, seconds, len(shown.revisions)


def test_two_hundred_revisions_open_without_a_body(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        few, _, n_few = show(world)
        revised(world, N_REVISIONS)
        many, seconds, n_many = show(world)

        assert (n_few, n_many) == (1, N_REVISIONS)
        assert len(many) == len(few) <= 3  # BEGIN, the entry, its revisions
        assert "body" not in many[-1]
        assert seconds < 1.0 * SLOWNESS


def test_the_list_of_revisions_reads_no_body_from_the_disk(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        revised(world, N_REVISIONS)
        path = world.path()
    with raw(path) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(named_entry_revisions)")]
    assert columns[-1] == "body"


def test_two_programs_that_start_at_once_make_one_voice_and_one_soul(tmp_path: Path) -> None:
    root = tmp_path / "root"
    programs = [started("tests.storage.starter_process", str(root)) for _ in range(4)]
    for program in programs:
        finished(program)
    with sqlite_world(root, workspace_ids=()) as world:
        for workspace_id, name in ((None, "SOUL"), ("w1", "VOICE")):
            with raw(world.path(workspace_id)) as connection:
                names = connection.execute("SELECT name FROM named_entries").fetchall()
                (count,) = connection.execute(
                    "SELECT count(*) FROM named_entry_revisions"
                ).fetchone()
            assert names == [(name,)]
            assert count == 1


def test_a_workspace_that_is_opened_again_keeps_its_voice(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        revised(world, 3)
        with world.store.read(WORKSPACE_ID) as view:
            before = view.entries.entries()
    with sqlite_world(tmp_path) as world, world.store.read(WORKSPACE_ID) as view:
        assert view.entries.entries() == before

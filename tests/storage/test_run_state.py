"""What an agent's process keeps by itself in a workspace's file, and what it may not do there."""

from __future__ import annotations

import asyncio
import random
import shutil
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.types import Command

from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    ForeignDatabaseError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.rooms.messages import Allowance
from inklings_desktop.domain.runs.run_rows import (
    MAX_CHECKPOINT_BYTES,
    MAX_DETAIL_BYTES,
    Spent,
    SpentOn,
    StoredCheckpoint,
    StoredWrite,
    run_id_of,
    turn_lease,
)
from inklings_desktop.storage.engine.connecting import held_alone
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.runs.run_file import RunFile
from inklings_desktop.storage.runs.run_state import SqliteRunState
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION
from tests.architecture.fresh_interpreter import run_fresh
from tests.storage.run_state_process import THREAD
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.damaging import folded
from tests.support.processes import finished, line_of, started, tell
from tests.support.run_states import a_bench
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TALK = "c1"
RUN = run_id_of(TALK, "t1")
HALF_A_MEGABYTE = 512 * 1024
TURNS = 60
KILLS = 3
KILLS_ENDURANCE = 100


class Clock:
    now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with sqlite_world(tmp_path) as world:
        return world.path()


@pytest.fixture
def runs(tmp_path: Path, path: Path, clock: Clock) -> Iterator[SqliteRunState]:
    with closing(SqliteRunState(tmp_path, WORKSPACE_ID, clock, busy_timeout_ms=100)) as runs:
        yield runs


def a_checkpoint(id_: str = "a", body: bytes = b"{}", **of: Any) -> StoredCheckpoint:
    return StoredCheckpoint(TALK, of.get("ns", ""), id_, of.get("parent"), 1, body, b"{}")


def test_a_run_is_told_from_its_beginning_to_its_end(runs: SqliteRunState, clock: Clock) -> None:
    runs.begin_run(RUN, TALK, "orchestrator", "receive", model="m", provider="p")
    runs.note_run(RUN, "plan", Spent(10, 5, 1))
    runs.note_run(RUN, "plan", Spent(1, 1, 1, 30, "EUR", 2))
    runs.note_run(RUN, "act", Spent(cost_micro=3))
    clock.now += 5
    runs.end_run(RUN, "failed", "memory_unreachable")

    (run,) = runs.runs(TALK)

    assert runs.run(RUN) == run
    assert (run.state, run.node, run.problem) == ("failed", "act", "memory_unreachable")
    assert (run.started_at, run.ended_at) == (1_000_000, 1_000_005)
    assert run.spent == Spent(11, 6, 2, 33, "EUR", 2)
    assert (run.model, run.provider, run.parent_id) == ("m", "p", None)


def test_what_was_used_is_added_up_by_conversation_by_day_and_by_work(
    runs: SqliteRunState, clock: Clock
) -> None:
    assert runs.spent() == Spent()
    assert runs.spent_on() == ()
    for run, talk, cost in ((RUN, TALK, 30), ("c2:t1", "c2", None), (f"{TALK}:t2", TALK, 12)):
        runs.begin_run(run, talk, "orchestrator")
        runs.note_run(run, "plan", Spent(10, 5, 1, cost, "EUR" if cost else None, 2))
        used = {"input": 10, "output": 5, "cached": 1, "cost_micro": cost, "currency": "EUR"}
        called = {"process": "gate" if cost is None else "orchestrator", "provider": "p"}
        runs.add_trace(run, "plan", "model", called | {"model": "m"} | used)
        runs.add_trace(run, "act", "tool", {"tool": "memory_read"})
        clock.now += 10
    assert runs.spent(TALK) == Spent(20, 10, 2, 42, "EUR", 4)
    assert runs.spent(since=1_000_010) == Spent(20, 10, 2, 12, "EUR", 4)
    assert runs.spent("c2") == Spent(10, 5, 1, None, None, 2)
    assert runs.spent_on() == (
        SpentOn("gate", "p", "m", 1, Spent(10, 5, 1, None, "EUR")),
        SpentOn("orchestrator", "p", "m", 2, Spent(20, 10, 2, 42, "EUR")),
    )
    assert [one.process for one in runs.spent_on(1_000_020)] == ["orchestrator"]


def test_what_a_part_uses_is_told_of_it_and_counted_once(runs: SqliteRunState) -> None:
    runs.begin_run(RUN, TALK, "orchestrator")
    runs.note_run(RUN, "plan", Spent(10, 5, 1, None, None, 1))
    for part in ("1", "2", "1"):  # the one who was cut off goes on
        part_id = f"{RUN}:{part}"
        runs.begin_run(part_id, TALK, "researcher", parent_id=RUN, model="m", provider="p")
        runs.note_run(part_id, "work", Spent(3, 2, 0, 7, "EUR", 1))
    runs.end_run(f"{RUN}:2", "stopped", "limit_reached")
    first, second = runs.parts(RUN)
    assert (first.spent, first.state, first.node) == (
        Spent(6, 4, 0, 14, "EUR", 2),
        "running",
        "work",
    )
    assert (second.state, second.problem, second.model) == ("stopped", "limit_reached", "m")
    [turn] = runs.runs(TALK)
    assert (turn.id, turn.node, turn.spent) == (RUN, "plan", Spent(19, 11, 1, 21, "EUR", 4))
    assert runs.spent(TALK) == runs.spent() == turn.spent
    runs.end_run(RUN, "finished")
    assert [one.state for one in runs.parts(RUN)] == ["finished", "stopped"]


def test_a_parked_run_goes_on_as_the_same_one(runs: SqliteRunState, clock: Clock) -> None:
    runs.begin_run(RUN, TALK, "orchestrator")
    runs.note_run(RUN, "decide", Spent(input_tokens=3))
    runs.end_run(RUN, "parked")
    clock.now += 1
    runs.begin_run(RUN, TALK, "orchestrator")
    runs.begin_run(run_id_of(TALK, "t2"), TALK, "orchestrator")

    latest, first = runs.runs(TALK)

    assert latest.id == run_id_of(TALK, "t2")
    assert (first.state, first.ended_at, first.spent.input_tokens) == ("running", None, 3)
    assert runs.runs("c2") == ()


def test_what_was_scrubbed_does_not_come_back(runs: SqliteRunState, path: Path) -> None:
    runs.begin_run(RUN, TALK, "orchestrator")
    runs.put_checkpoint(a_checkpoint("a"))
    with raw(path) as connection:
        connection.executescript("DELETE FROM runs; DELETE FROM run_checkpoints;")

    with pytest.raises(NotFoundError):
        runs.note_run(RUN, "plan")
    with pytest.raises(NotFoundError):
        runs.add_trace(RUN, "plan", "tool", {})
    with pytest.raises(ConflictError):
        runs.put_checkpoint(a_checkpoint("b", parent="a"))
    with pytest.raises(ConflictError):
        runs.put_writes(TALK, "", "a", [StoredWrite("t", 0, "calls", b"1")])
    runs.end_run(RUN, "stopped")
    assert (runs.runs(TALK), runs.checkpoints(TALK)) == ((), ())


def test_steps_are_numbered_and_keep_what_went_in_and_out(runs: SqliteRunState) -> None:
    runs.begin_run(RUN, TALK, "orchestrator")
    before = {"before": "Der Wächter\ud800", "n": 1.5}
    noise = random.Random(3).randbytes(MAX_DETAIL_BYTES)  # noqa: S311  it is only not to pack

    numbers = [
        runs.add_trace(RUN, "act", "tool", {"tool": "memory_put", "ms": 3}, before),
        runs.add_trace(RUN, "act", "permission", {}, {"text": noise.hex()}),
        runs.add_trace(RUN, "plan", "model", {}, {"text": "x" * 16 * MAX_DETAIL_BYTES}),
        runs.add_trace(RUN, "plan", "model", {}),
    ]

    assert numbers == [1, 2, 3, 4]
    first, *rest = runs.traces(RUN)
    assert (first.step, first.summary, first.detail) == (
        1, {"tool": "memory_put", "ms": 3}, before,
    )  # fmt: skip
    assert [one.detail for one in rest] == [None] * 3
    assert [one.step for one in runs.traces(RUN, after=1, limit=2)] == [2, 3]


@pytest.mark.parametrize(
    "detail",
    [
        b"",
        b"no zlib",
        zlib.compress(b"[1]"),
        zlib.compress(b'"' + b"x" * 2**26),
        zlib.compress(b"{"),
    ],
)
def test_a_detail_that_is_none_is_left_out(runs: SqliteRunState, path: Path, detail: bytes) -> None:
    runs.begin_run(RUN, TALK, "orchestrator")
    runs.add_trace(RUN, "act", "tool", {}, {"a": 1})
    with raw(path) as connection:
        connection.execute("UPDATE run_traces SET detail = ?", (detail,))

    (trace,) = runs.traces(RUN)

    assert trace.detail is None


def test_a_range_is_made_short_once(runs: SqliteRunState) -> None:
    forms = [{"intents": [n]} for n in range(3)]

    numbers = [
        runs.add_compaction(TALK, 10, forms[0], "d", "mechanical"),
        runs.add_compaction(TALK, 20, forms[1], "d", "model", "m"),
        runs.add_compaction(TALK, 10, forms[2], "d", "mechanical"),
    ]

    assert numbers == [1, 2, 1]
    assert [(one.up_to_message, one.compact, one.by) for one in runs.compactions(TALK)] == [
        (10, forms[0], "mechanical"),
        (20, forms[1], "model"),
    ]


def test_a_rule_for_these_arguments_goes_before_one_for_any(runs: SqliteRunState) -> None:
    runs.put_rule(TALK, "memory_forget", "", "reject")
    runs.put_rule(TALK, "memory_forget", "d1", "reject")
    runs.put_rule(TALK, "memory_forget", "d1", "allow")

    assert runs.rule(TALK, "memory_forget", "d1") == "allow"
    assert runs.rule(TALK, "memory_forget", "d2") == "reject"
    assert runs.rule(TALK, "memory_put", "d1") is None
    assert runs.rule("c2", "memory_forget", "d1") is None


def test_what_the_author_takes_back_is_asked_about_at_the_next_call(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world, closing(SqliteRunState(tmp_path, WORKSPACE_ID)) as runs:
        runs.put_rule(TALK, "memory_forget", "", "allow")
        runs.put_rule("c2", "memory_forget", "", "allow")
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            assert unit.messages.take_back(TALK, Allowance("memory_forget"))
            unit.commit()
        assert runs.rule(TALK, "memory_forget", "") is None
        assert runs.rule("c2", "memory_forget", "") == "allow"


def test_a_lease_excludes_others_until_it_ends(runs: SqliteRunState, clock: Clock) -> None:
    name = turn_lease(TALK)
    assert runs.take_lease(name, "a", 60) is None
    clock.now += 15_000
    assert runs.take_lease(name, "a", 60) is None

    held = runs.take_lease(name, "b", 60)

    assert held is not None
    assert held == runs.lease(name)
    assert (held.holder, held.expires_at) == ("a", 1_075_000)
    runs.release_lease(name, "b")
    assert runs.lease(name) == held
    clock.now = held.expires_at
    assert runs.lease(name) is None
    assert runs.take_lease(name, "b", 60) is None
    runs.release_lease(name, "b")
    assert runs.take_lease(name, "c", 60) is None


def test_a_lease_does_not_last_because_the_clock_was_set_back(
    runs: SqliteRunState, clock: Clock
) -> None:
    assert runs.take_lease("run:c1", "a", 60) is None
    clock.now -= 600_000

    assert runs.lease("run:c1") is None
    assert runs.take_lease("run:c1", "b", 60) is None


def test_whoever_attaches_excludes_nobody(runs: SqliteRunState) -> None:
    for holder in ("window", "chat"):
        runs.note_lease("session:c1", holder, 180)
    runs.release_lease("session:c1", "window")

    held = runs.lease("session:c1")

    assert held is not None
    assert held.holder == "chat"


def test_two_processes_and_one_turn(tmp_path: Path, path: Path) -> None:
    module = "tests.storage.run_state_process"
    with started(module, str(tmp_path), "lease", "run:c1", "first") as first:
        assert line_of(first) == "first"
        with started(module, str(tmp_path), "lease", "run:c1", "second") as second:
            assert line_of(second) == "first"
            tell(second)
        first.kill()
    with closing(SqliteRunState(tmp_path, WORKSPACE_ID)) as runs:
        held = runs.lease("run:c1")
        assert held is not None  # a killed one's runs out
        at = held.expires_at
    with closing(SqliteRunState(tmp_path, WORKSPACE_ID, lambda: at)) as later:
        assert later.take_lease("run:c1", "third", 60) is None
    third = started(module, str(tmp_path), "lease", "run:c2", "third")
    tell(third)
    assert finished(third) == ["third"]


def test_what_is_too_long_is_refused_before_anything_is_written(runs: SqliteRunState) -> None:
    long = bytes(MAX_CHECKPOINT_BYTES + 1)
    runs.put_checkpoint(a_checkpoint("a", bytes(MAX_CHECKPOINT_BYTES)))

    with pytest.raises(InvalidValueError):
        runs.put_checkpoint(a_checkpoint("b", long))
    writes = [StoredWrite("t", n, "c", body) for n, body in enumerate([b"1", long])]
    with pytest.raises(InvalidValueError):
        runs.put_writes(TALK, "", "a", writes)

    assert [one.checkpoint_id for one in runs.checkpoints()] == ["a"]
    assert runs.writes(TALK, "", "a") == ()


def test_what_is_cut_off_in_the_middle_leaves_no_transaction_open(
    runs: SqliteRunState, tmp_path: Path, path: Path
) -> None:
    file = RunFile(tmp_path, WORKSPACE_ID)

    def cut_off() -> None:
        with file.transaction() as connection:
            connection.execute("DELETE FROM leases")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    runs.put_checkpoint(a_checkpoint())
    with file.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM run_checkpoints").fetchone() == (1,)
    file.rest()


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM memories", "SELECT parts FROM messages", "DELETE FROM messages",
        "UPDATE meta SET change_seq = 0", "DELETE FROM events", "DROP TABLE runs",
        "CREATE TABLE mine(a)", "CREATE TEMP TABLE mine(a)", "ATTACH ':memory:' AS other",
        "PRAGMA user_version = 9", "PRAGMA secure_delete = OFF", "SELECT * FROM sqlite_schema",
    ],
)  # fmt: skip
def test_it_reaches_no_other_table(tmp_path: Path, path: Path, statement: str) -> None:
    file = RunFile(tmp_path, WORKSPACE_ID)

    with (
        pytest.raises(sqlite_module().DatabaseError, match=r"authorized|prohibited"),
        file.transaction() as connection,
    ):
        connection.execute(statement)
    file.rest()


def test_its_writes_leave_no_bytes_and_wait_for_no_disk(runs: SqliteRunState, path: Path) -> None:
    needle = b"a sentence that nobody may find"
    for number in range(20):
        runs.put_checkpoint(a_checkpoint(f"{number:02}", needle * 500))
        runs.put_writes(TALK, "", f"{number:02}", [StoredWrite("t", 0, "c", needle)])
    runs.delete_thread(TALK)
    assert runs._file._opened is not None
    connection, _ = runs._file._opened
    connection.set_authorizer(None)
    asked = ("secure_delete", "synchronous", "trusted_schema", "journal_mode")
    settings = [connection.execute(f"PRAGMA {one}").fetchone()[0] for one in asked]

    runs.rest()

    folded(path)
    assert settings == [1, 1, 0, "wal"]
    assert needle not in b"".join(one.read_bytes() for one in path.parent.glob("agents.db*"))


def version(number: int) -> str:
    return f"PRAGMA user_version = {number}"


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        (version(SCHEMA_VERSION + 1), DatabaseTooNewError),
        (version(SCHEMA_VERSION - 1), DatabaseTooOldError),
        ("PRAGMA application_id = 7", ForeignDatabaseError),
        (
            "CREATE TRIGGER unseen AFTER INSERT ON run_checkpoints BEGIN DELETE FROM leases; END",
            DatabaseCorruptError,
        ),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(
    runs: SqliteRunState, path: Path, statement: str, error: type[InklingsError]
) -> None:
    with raw(path) as connection:
        connection.execute(statement)
    folded(path)
    before = path.read_bytes()

    with pytest.raises(error):
        runs.take_lease("run:c1", "a", 60)
    with pytest.raises(error):
        runs.runs(TALK)

    assert path.read_bytes() == before


def test_a_file_that_another_program_brings_to_its_version_is_let_go(
    runs: SqliteRunState, path: Path
) -> None:
    runs.put_checkpoint(a_checkpoint())
    with raw(path) as connection:
        connection.execute(version(SCHEMA_VERSION + 1))

    with pytest.raises(DatabaseTooNewError):
        runs.put_checkpoint(a_checkpoint("b"))

    with raw(path) as connection:
        assert connection.execute("SELECT count(*) FROM run_checkpoints").fetchone() == (1,)


def test_what_is_no_workspace_is_refused(tmp_path: Path, path: Path) -> None:
    other = tmp_path / "workspaces" / OTHER_WORKSPACE_ID
    for name, error in (
        ("../account", NotFoundError),
        ("nowhere", NotFoundError),
        (OTHER_WORKSPACE_ID, ForeignDatabaseError),
        ("noise", DatabaseCorruptError),
    ):
        folder = tmp_path / "workspaces" / name
        if name in {"noise", OTHER_WORKSPACE_ID}:
            folder.mkdir()
        if name == "noise":
            (folder / "agents.db").write_bytes(bytes(range(256)) * 16)
        if folder == other:
            folded(path)
            shutil.copy(path, folder)
        with pytest.raises(error):
            SqliteRunState(tmp_path, name).runs(TALK)
    assert not (tmp_path / "workspaces" / "nowhere").exists()


def test_whoever_waits_for_nobody_is_told_at_once(runs: SqliteRunState, path: Path) -> None:
    runs.put_checkpoint(a_checkpoint())
    with raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError):
            runs.put_checkpoint(a_checkpoint("b"), is_patient=False)
        with pytest.raises(DatabaseBusyError):  # after the little time that this one waits
            runs.put_checkpoint(a_checkpoint("b"))
        assert runs.checkpoint(TALK, "") == a_checkpoint()
        other.execute("ROLLBACK")

    runs.put_checkpoint(a_checkpoint("b"), is_patient=False)


def test_a_file_put_in_its_place_is_the_one_that_is_written_to(
    runs: SqliteRunState, path: Path
) -> None:
    runs.put_checkpoint(a_checkpoint())
    folded(path)
    kept = shutil.copy(path, path.with_name("kept"))
    runs.put_checkpoint(a_checkpoint("b"))

    runs.rest()
    with held_alone(path):  # as for a restore
        shutil.move(kept, path)
    runs.put_checkpoint(a_checkpoint("c"))

    assert [one.checkpoint_id for one in runs.checkpoints(TALK)] == ["c", "a"]
    assert integrity_faults(path) == []


def test_growth_of_sixty_turns(tmp_path: Path) -> None:
    async def turns() -> int:
        talk, said = bench.talk(), {"context": {"slices": ["The ferry is late. " * 100]}}
        talk.planning = said
        for number in range(TURNS + 2):
            if number == 2:  # by then the tables have their first pages
                bench.runs.rest()
                size = bench.path.stat().st_size
            await talk.begin(f"t{number}")
            await talk.say(Command(resume="The bell is cracked. " * 60))
        return size

    with a_bench(tmp_path) as bench:
        size = asyncio.run(turns())
        bench.runs.rest()
        folded(bench.path)
        assert 0 <= bench.path.stat().st_size - size <= HALF_A_MEGABYTE


@pytest.mark.endurance
@pytest.mark.slow
def test_a_killed_process_loses_at_most_the_step_it_was_at(
    tmp_path: Path, path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(7)  # noqa: S311  it only chooses when to kill
    for _ in range(reduced_or_full(KILLS, KILLS_ENDURANCE)):
        with started("tests.storage.run_state_process", str(tmp_path), "write") as writer:
            said = [line_of(writer) for _ in range(1 + chance.randrange(40))]
            writer.kill()
            assert writer.stdout is not None
            said += writer.stdout.read().split("\n")[:-1]
        acknowledged = int(said[-1])

        with closing(SqliteRunState(tmp_path, WORKSPACE_ID)) as runs:
            newest = runs.checkpoint(THREAD, "")
            kept = runs.checkpoints(THREAD, "")
        assert newest is not None
        assert int(newest.checkpoint_id) in {acknowledged, acknowledged + 1}
        assert all(one.body == one.checkpoint_id.encode() * 2_000 for one in kept)
        assert integrity_faults(path) == []


def test_the_state_of_runs_is_kept_without_sqlalchemy() -> None:
    program = """
import json, sys
import inklings_desktop.storage.runs.run_state
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""
    assert not {"sqlalchemy", "numpy", "pydantic", "langgraph"} & set(run_fresh(program))

"""Several programs say the same at once: it is stored once."""

from __future__ import annotations

from pathlib import Path

from tests.support.builders import WORKSPACE_ID
from tests.support.processes import finished, started
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world

MODULE = "tests.end2end.capped_writer_process"
N_PROGRAMS = 3
N_MEMORIES = 40


def test_what_several_programs_write_at_once_is_stored_once(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        path = world.path(WORKSPACE_ID)
    arguments = (str(tmp_path), "repeat", "1000", str(N_MEMORIES))
    programs = [started(MODULE, *arguments) for _ in range(N_PROGRAMS)]
    for program in programs:
        finished(program, timeout_seconds=120)
    with raw(path) as connection:
        n_memories, n_texts, n_saves = connection.execute(
            "SELECT count(*), count(DISTINCT content), sum(version) FROM memories"
        ).fetchone()
    assert (n_memories, n_texts) == (N_MEMORIES, N_MEMORIES)
    assert n_saves == N_PROGRAMS * N_MEMORIES, "each of the others confirmed it"
    assert integrity_faults(path) == []

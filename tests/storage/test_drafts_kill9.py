from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.entry_drafts import FindDrafts
from tests.support.builders import WORKSPACE_ID, FixedClock, a_person
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_typing_that_was_kept_outlives_a_killed_program(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    for round_number in range(reduced_or_full(3, 100)):
        program = started("tests.storage.typing_process", str(tmp_path))
        last = 0
        for _ in range(5 + round_number):
            last = int(line_of(program))
        program.kill()
        out, _ = program.communicate()
        said = [int(line) for line in out.split() if line.isdigit()]
        last = max([last, *said])

        with sqlite_world(tmp_path) as world:
            (draft,) = FindDrafts(world.store, FixedClock())(a_person(), WORKSPACE_ID)
            number, _, rest = draft.body.partition(" ")
            assert int(number) in {last, last + 1}
            assert rest == "x" * int(number)
            assert integrity_faults(world.path()) == []

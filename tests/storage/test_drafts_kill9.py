from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.storage.saving_process import WHOLE
from tests.support.builders import WORKSPACE_ID, a_person
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults, sqlite_world


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_typing_that_was_kept_outlives_a_killed_program(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    for round_number in range(reduced_or_full(2, 100)):
        with started("tests.storage.typing_process", str(tmp_path)) as program:
            said = [int(line_of(program)) for _ in range(5 + round_number)]
            program.kill()
            assert program.stdout is not None
            # Through the same reader: what it has taken in already no other would see.
            said += [int(line) for line in program.stdout.read().split("\n")[:-1] if line]
        last = said[-1]

        with sqlite_world(tmp_path) as world:
            (draft,) = world.person.drafts.find(WORKSPACE_ID)
            number, _, rest = draft.body.partition(" ")
            assert int(number) in {last, last + 1}
            assert rest == "x" * int(number)
            assert integrity_faults(world.path()) == []


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_was_saved_when_the_program_was_killed_is_not_offered_again(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(11)  # noqa: S311  it only chooses when to kill
    n_offered = 0
    for run in range(reduced_or_full(2, 150)):
        with started("tests.storage.saving_process", str(tmp_path), f"run{run}") as program:
            assert line_of(program) == "1"
            time.sleep(chance.uniform(0.0, 0.05))
            program.kill()
        with open_inklings(
            tmp_path, caller=a_person(), embedder=NullEmbedder("none", "missing")
        ) as inklings:
            n_offered += _let_go_of_what_is_offered(inklings)
    print(f"{n_offered} texts on offer after the kills")  # noqa: T201


def _let_go_of_what_is_offered(inklings: Inklings) -> int:
    """How many texts were on offer; not one of them was saved already."""
    (workspace,) = inklings.places.workspaces()
    page = inklings.listing.browse([ScopeKey.workspace(workspace.id)], limit=200)
    newest = {text.split()[0]: text for text in (one.content for one in page.entries)}
    typings = inklings.drafts.find_typings(workspace.id)
    for typing in typings:
        number = typing.content.split()[0]
        stored = newest.get(number, "")
        assert stored == ("" if typing.is_new else f"{number} {WHOLE}")
        inklings.drafts.drop_typing(typing.scope, typing.memory_id)
    voice = inklings.entries.find(workspace.id, "VOICE")
    drafts = inklings.drafts.find(workspace.id)
    for draft in drafts:
        assert draft.body.split()[0] != voice.body.split()[0], "it is stored and offered as well"
        assert draft.base_version == voice.version
        inklings.drafts.drop(voice.ref)
    return len(typings) + len(drafts)

"""A skill that an agent wrote, in the inbox: all its files to read, accepted, and taken back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.inbox.deciding import accepted, seen, target_of, view_of
from tests.support.builders import an_agent
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.skills.test_skills_page import files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from inklings_desktop.domain.entries.proposals import Proposal

NAME = "left-and-right"


@pytest.fixture
def bench(tmp_path: Path, qapp: QApplication) -> Iterator[Bench]:
    """A store with one workspace."""
    with a_bench(tmp_path / "data") as made:
        yield made


def asked(bench: Bench, body: str, base: int | None = None) -> Proposal:
    """What an agent asks for."""
    rights = frozenset({Action.READ, Action.PROPOSE})
    agent = an_agent("composer", grants=(Grant(Tier.WORKSPACE, bench.workspace.id, rights),))
    as_agent = bench.inklings.as_caller(agent)
    return as_agent.skill_proposals.propose(
        bench.workspace.id, files(body=body), "It came up twice.", base
    )


def test_a_new_one_is_read_whole_accepted_and_taken_back(bench: Bench) -> None:
    inklings, here = bench.inklings, bench.workspace.id
    proposal = asked(bench, "1. List every left.")
    assert target_of(inklings, proposal) is None
    view = view_of(seen(proposal, None, is_gone=False), inklings.clock(), is_deciding=False)
    assert "left-and-right" in view.wish
    assert (view.edit_label, view.opens_editor) == ("Review\u2026", True)
    assert view.comparison is not None
    text = "\n".join(one.text for one in view.comparison.diff.rows)
    assert "::: file scripts/find.py" in text
    assert "def main(inputs):" in text
    _, step = accepted(inklings, None, partial(inklings.proposals.accept, proposal.ref), "x")
    assert inklings.skills.show(here, NAME).version == 1
    step.take_back(inklings)
    with pytest.raises(NotFoundError):
        inklings.skills.show(here, NAME)
    assert [one.target_name for one in inklings.proposals.list(here) if one.is_undecided] == [NAME]


def test_a_change_is_compared_with_what_is_there_and_taken_back(bench: Bench) -> None:
    inklings, here = bench.inklings, bench.workspace.id
    inklings.skills.save(here, files())
    proposal = asked(bench, "2. Mark each.", base=1)
    target = target_of(inklings, proposal)
    found = seen(proposal, target, is_gone=False)
    assert found.comparison is not None
    changed = [one.text for one in found.comparison.diff.rows if one.kind.name != "SAME"]
    assert "2. Mark each." in changed
    assert not any("def main" in one for one in changed)
    _, step = accepted(inklings, target, partial(inklings.proposals.accept, proposal.ref), "x")  # type: ignore[arg-type]
    assert inklings.skills.show(here, NAME).version == 2
    step.take_back(inklings)
    assert inklings.skills.show(here, NAME).contents.files == files()

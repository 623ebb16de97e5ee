"""Other rates are tried on the memories that are there, and nothing is changed by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.rehearsal import Step
from tests.support.builders import a_memory, an_agent
from tests.ui.presenter_bench import Bench, a_bench

LONG = "The harbour ledger names every ship that owed the glass before the flood. " * 12


def old_and_new(bench: Bench) -> None:
    """Twelve long memories: half of them old and important, half new and less so."""
    now = bench.inklings.clock()
    made = [
        a_memory(
            f"{name} {number}. {LONG}",
            scope=bench.scope,
            importance=importance,
            created_at=now - timedelta(days=days),
        )
        for name, importance, days in (("Old", 0.9, 30), ("New", 0.4, 1))
        for number in range(6)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(made)
        unit.commit()


def test_what_enters_and_leaves_stands_there_with_both_places(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        old_and_new(bench)
        now = bench.inklings.settings.decay
        slower = replace(now, workspace=0.9999)
        found = bench.inklings.orientation.rehearse_rates(bench.workspace.id, slower)
        enters = [one for one in found.moves if one.step is Step.ENTERS]
        leaves = [one for one in found.moves if one.step is Step.LEAVES]
        assert enters
        assert leaves
        assert all(one.entry.content.startswith("Old") for one in enters)
        assert all(one.entry.content.startswith("New") for one in leaves)
        first = enters[0]
        assert first.before.rank is not None
        assert first.after.rank is not None
        assert first.before.rank > first.after.rank
        assert first.before.relevance is not None
        assert first.after.relevance is not None
        assert first.before.relevance < first.after.relevance


def test_each_tier_says_how_many_fade_and_change_their_band(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        old_and_new(bench)
        now = bench.inklings.settings.decay
        faster = replace(now, workspace=0.980)
        found = bench.inklings.orientation.rehearse_rates(bench.workspace.id, faster)
        shift = next(one for one in found.tiers if one.tier is Tier.WORKSPACE)
        assert (shift.n_active, shift.n_gone, shift.n_gone_then) == (12, 0, 6)
        assert shift.n_rebanded >= 6
        assert [one.tier for one in found.tiers][-1] is Tier.ACCOUNT
        still = bench.inklings.orientation.rehearse_rates(bench.workspace.id, now)
        assert not still.moves
        assert not any(one.n_rebanded for one in still.tiers)


def test_a_rehearsal_stores_and_counts_nothing(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        old_and_new(bench)
        heard: list[MemoryChanges] = []
        bench.inklings.feed.subscribe(heard.append)
        other = replace(bench.inklings.settings.decay, workspace=0.98)
        bench.inklings.orientation.rehearse_rates(bench.workspace.id, other)
        bench.inklings.golden.rehearse(bench.workspace.id, other)
        # That the workspace of the bench came may be noticed only now.
        assert [one for one in heard if not one.workspaces] == []
        assert bench.inklings.settings.decay != other


def test_golden_questions_are_asked_under_both(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        entry = bench.put("The lighthouse keeper counts gulls")
        bench.inklings.golden.save(bench.scope, "Who counts the gulls?", must=[entry.id])
        other = replace(bench.inklings.settings.decay, workspace=0.98)
        found = bench.inklings.golden.rehearse(bench.workspace.id, other)
        assert [one.is_right for one in (*found.before, *found.after)] == [True, True]
        assert found.would_break == ()


def test_an_agent_rehearses_nothing(tmp_path: Path) -> None:
    with a_bench(tmp_path) as bench:
        agent = bench.inklings.as_caller(an_agent(workspace_id=bench.workspace.id))
        with pytest.raises(ScopeDeniedError):
            agent.orientation.rehearse_rates(bench.workspace.id, agent.settings.decay)

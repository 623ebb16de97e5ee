"""What is merged unasked with the built-in model: all that says the same, nothing that differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Curator, ScopeKey
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.consolidation.consolidation_plans import Decision, Decisions, Verdict
from tests.support.builders import a_memory
from tests.support.said_twice import DIFFERENT, SAME

Pairs = tuple[tuple[str, str], ...]


def kept(inklings: Inklings, texts: Iterable[str]) -> ScopeKey:
    """A new workspace whose own tier holds what an agent wrote, embedded."""
    world = inklings.workspaces.create("Wend")
    scope = ScopeKey.workspace(world.id)
    made = [
        a_memory(text, scope=scope, curator=Curator.AGENT, created_at=inklings.clock())
        for text in texts
    ]
    with inklings.parts.store.write(world.id, initiator="test") as unit:
        unit.memories.add(made)
        unit.commit()
    inklings.tasks.backfill(world.id)
    return scope


def texts_in(inklings: Inklings, scope: ScopeKey) -> list[str]:
    page = inklings.listing.browse([scope], limit=200)
    return [one.content for one in page.entries]


def every(pairs: Mapping[str, Pairs]) -> list[tuple[str, str]]:
    return [pair for several in pairs.values() for pair in several]


def test_no_pair_that_differs_is_merged_unasked_and_each_is_asked_about_once(
    tmp_path: Path,
) -> None:
    pairs = every(DIFFERENT)
    assert len(pairs) >= 60
    with open_inklings(tmp_path, embed_writes=False) as inklings:
        scope = kept(inklings, dict.fromkeys(text for pair in pairs for text in pair))
        before = texts_in(inklings, scope)
        inklings.consolidation.run(scope, allow_large=True)
        assert texts_in(inklings, scope) == before
        plan = inklings.consolidation.preview(scope)
        asked = {frozenset(one.content for one in group.members) for group in plan.review}
        assert len(asked & {frozenset(pair) for pair in pairs}) > 20
        words = {group.key: Decision(Verdict.SKIP) for group in plan.review}
        inklings.consolidation.run(scope, decisions=Decisions(words))
        assert inklings.consolidation.preview(scope).review == ()
        assert texts_in(inklings, scope) == before


def test_every_pair_that_says_the_same_is_merged_unasked(tmp_path: Path) -> None:
    pairs = every(SAME)
    assert len(pairs) >= 30
    with open_inklings(tmp_path, embed_writes=False) as inklings:
        scope = kept(inklings, (text for pair in pairs for text in pair))
        run = inklings.consolidation.run(scope, allow_large=True)
        assert run.counts == {"merged": len(pairs), "parent": 2 * len(pairs)}
        left = set(texts_in(inklings, scope))
        assert len(left) == len(pairs)
        assert all(left & set(pair) for pair in pairs), "of each pair one text stays whole"

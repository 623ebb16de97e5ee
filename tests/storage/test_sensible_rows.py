"""A row whose numbers mean nothing is damage of a named file, and never quoted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.support.damaging import spoil

TEXT = "Gulls keep accounts."


def _browse(inklings: Inklings, world: str) -> object:
    return inklings.listing.browse([ScopeKey.workspace(world)])


def _overview(inklings: Inklings, world: str) -> object:
    return inklings.search.tiers(world)


@pytest.mark.parametrize(
    ("look", "change"),
    [
        (_browse, "created_at = 'Gulls'"),
        (_overview, "created_at = 'Gulls'"),
    ],
)
def test_values_that_no_file_of_ours_holds_are_damage(
    tmp_path: Path, change: str, look: Callable[[Inklings, str], object]
) -> None:
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        world = inklings.workspaces.create("Saltglass").id
        inklings.memories.put(MemoryDraft(ScopeKey.workspace(world), TEXT))
        path = tmp_path / "workspaces" / world / "agents.db"
        spoil(path, f"UPDATE memories SET {change}")  # noqa: S608  a constant above
        with pytest.raises(DatabaseCorruptError) as caught:
            look(inklings, world)
        findings = inklings.keeping.check_data().findings
    assert {one.kind for one in findings} & {FindingKind.PAGES, FindingKind.INDEX_PAGES}
    assert caught.value.path == path
    assert "Gulls" not in str(caught.value)

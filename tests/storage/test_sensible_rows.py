"""A row that can be read and means nothing is damage of a named file, and never quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

TEXT = "Gulls keep accounts."


def _browse(inklings: Inklings, world: str) -> object:
    return inklings.browse_memories(inklings.caller, [ScopeKey.workspace(world)])


def _overview(inklings: Inklings, world: str) -> object:
    return inklings.tier_overview(inklings.caller, world)


@pytest.mark.parametrize(
    ("look", "change"),
    [
        (_browse, "lifetime = 'Gulls'"),
        (_browse, "derived_from = 'Gulls'"),
        (_overview, "tier = 'Gulls'"),
        (_overview, "created_at = 'Gulls'"),
    ],
)
def test_values_that_no_file_of_ours_holds_are_damage(
    tmp_path: Path, change: str, look: Callable[[Inklings, str], object]
) -> None:
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        world = inklings.create_workspace(inklings.caller, "Saltglass").id
        inklings.put_memory(inklings.caller, MemoryDraft(ScopeKey.workspace(world), TEXT))
        path = tmp_path / "workspaces" / world / "agents.db"
        _spoil(path, change)
        with pytest.raises(DatabaseCorruptError) as caught:
            look(inklings, world)
    assert caught.value.path == path
    assert "Gulls" not in str(caught.value)


def _spoil(path: Path, change: str) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'memories'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(f"UPDATE memories SET {change}")  # noqa: S608  a constant above
        for _, sql in triggers:
            connection.execute(sql)


def test_text_that_is_none_is_damage_and_not_quoted(tmp_path: Path) -> None:
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        world = inklings.create_workspace(inklings.caller, "Saltglass").id
        inklings.put_memory(inklings.caller, MemoryDraft(ScopeKey.workspace(world), TEXT))
        path = tmp_path / "workspaces" / world / "agents.db"
        _spoil(path, "content = CAST(x'47756c6c73ff' AS TEXT)")
        with pytest.raises(DatabaseCorruptError) as caught:
            _browse(inklings, world)
    assert caught.value.path == path
    assert "Gulls" not in str(caught.value)

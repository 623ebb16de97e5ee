"""A file brings a workspace that is not here into a store that is not empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseFullError
from inklings_desktop.domain.memory import Curator, MemoryDraft, ScopeKey
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.import_plan import Decision, RowKind
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from inklings_desktop.usecases.transfer.import_writing import ImportWriting

VOICE_OF_OLD = "Close third, past tense."


def no_model() -> NullEmbedder:
    return NullEmbedder("none", "missing")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Everything of a world whose author wrote its VOICE."""
    path = tmp_path / "all.inklings.json"
    with open_inklings(tmp_path / "theirs", embedder=no_model()) as inklings:
        made = inklings.workspaces.create("Saltglass")
        inklings.memories.put(MemoryDraft(ScopeKey.workspace(made.id), "The bell is silent."))
        inklings.memories.put(MemoryDraft(ScopeKey.account(), "Prefers the Oxford comma."))
        voice = next(one for one in inklings.entries.list(made.id) if one.name == "VOICE")
        inklings.entries.save(voice.ref, VOICE_OF_OLD, expected_version=voice.version)
        inklings.transfer.export(ExportRequest(), path)
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Inklings]:
    with open_inklings(tmp_path / "mine", embedder=no_model()) as inklings:
        made = inklings.workspaces.create("Mine")
        inklings.memories.put(MemoryDraft(ScopeKey.workspace(made.id), "My own."))
        yield inklings


def names(inklings: Inklings) -> set[str]:
    return {one.name for one in inklings.places.workspaces()}


def voice_of(inklings: Inklings, workspace: str) -> str:
    found = inklings.workspaces.find(workspace)
    entries = inklings.entries.list(found.id)
    (voice,) = [one for one in entries if one.name == "VOICE"]
    return inklings.entries.show(voice.ref).entry.body


def test_its_memories_come_in_as_imported_and_its_voice_waits(mine: Inklings, file: Path) -> None:
    preview = mine.transfer.preview_import(file)
    done = mine.transfer.apply_import(preview, {})
    assert (done.created, done.n_added, done.n_entries) == (("Saltglass",), 2, 0)
    here = mine.workspaces.find("Saltglass")
    page = mine.listing.browse([ScopeKey.workspace(here.id)])
    assert [(one.content, one.curator) for one in page.entries] == [
        ("The bell is silent.", Curator.IMPORT)
    ]
    assert voice_of(mine, "Saltglass") != VOICE_OF_OLD


def test_its_voice_takes_the_place_of_the_template_when_it_is_wanted(
    mine: Inklings, file: Path
) -> None:
    preview = mine.transfer.preview_import(file)
    wanted = {
        row.number: row.choices[-1] for row in preview.rows if row.kind is RowKind.NAMED_ENTRY
    }
    assert set(wanted.values()) == {Decision.BOTH}
    done = mine.transfer.apply_import(preview, wanted)
    assert done.n_entries == 1
    assert voice_of(mine, "Saltglass") == VOICE_OF_OLD
    withdrawn = mine.transfer.withdraw_import(done.run_id)
    assert withdrawn.n_removed == 2


def test_an_import_that_fails_at_the_end_leaves_no_workspace_behind(
    mine: Inklings, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = mine.transfer.preview_import(file)
    writing = ImportWriting.write

    def full(self: ImportWriting, *given: object) -> object:
        plan = given[1]
        if plan.target.id is None:  # type: ignore[attr-defined]
            raise DatabaseFullError(file)
        return writing(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(ImportWriting, "write", full)
    with pytest.raises(DatabaseFullError):
        mine.transfer.apply_import(preview, {})
    assert names(mine) == {"Mine"}
    assert all(one.is_whole for one in mine.log.verify())
    monkeypatch.undo()
    again = mine.transfer.preview_import(file)
    assert mine.transfer.apply_import(again, {}).n_added == 2


def test_a_workspace_that_another_import_made_since_the_preview_is_looked_at_again(
    mine: Inklings, file: Path
) -> None:
    """Two imports of one file at once: the second is told to look again, not of a name."""
    first = mine.transfer.preview_import(file)
    second = mine.transfer.preview_import(file)
    mine.transfer.apply_import(first, {})
    with pytest.raises(ImportRefusedError) as caught:
        mine.transfer.apply_import(second, {})
    assert caught.value.reason == "changed"
    assert names(mine) == {"Mine", "Saltglass"}
    again = mine.transfer.preview_import(file)
    assert not mine.transfer.apply_import(again, {}).n_added

"""A file brings a workspace that is not here into a store that is not empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseFullError
from inklings_desktop.domain.memory import Curator, MemoryDraft, ScopeKey
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.import_plan import Decision, RowKind
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from inklings_desktop.usecases.transfer.import_writing import ImportWriting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings

VOICE_OF_OLD = "Close third, past tense."


def no_model() -> NullEmbedder:
    return NullEmbedder("none", "missing")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Everything of a world whose author wrote its VOICE."""
    path = tmp_path / "all.inklings.json"
    with open_inklings(tmp_path / "theirs", embedder=no_model()) as inklings:
        caller = inklings.caller
        made = inklings.create_workspace(caller, "Saltglass")
        inklings.put_memory(caller, MemoryDraft(ScopeKey.workspace(made.id), "The bell is silent."))
        inklings.put_memory(caller, MemoryDraft(ScopeKey.account(), "Prefers the Oxford comma."))
        voice = next(one for one in inklings.list_entries(caller, made.id) if one.name == "VOICE")
        inklings.save_entry(caller, voice.ref, VOICE_OF_OLD, expected_version=voice.version)
        inklings.export_memory(caller, ExportRequest(), path)
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Inklings]:
    with open_inklings(tmp_path / "mine", embedder=no_model()) as inklings:
        made = inklings.create_workspace(inklings.caller, "Mine")
        inklings.put_memory(inklings.caller, MemoryDraft(ScopeKey.workspace(made.id), "My own."))
        yield inklings


def names(inklings: Inklings) -> set[str]:
    return {one.name for one in inklings.list_workspaces(inklings.caller)}


def voice_of(inklings: Inklings, workspace: str) -> str:
    found = inklings.find_workspace(inklings.caller, workspace)
    entries = inklings.list_entries(inklings.caller, found.id)
    (voice,) = [one for one in entries if one.name == "VOICE"]
    return inklings.show_entry(inklings.caller, voice.ref).entry.body


def test_its_memories_come_in_as_imported_and_its_voice_waits(mine: Inklings, file: Path) -> None:
    preview = mine.preview_import(mine.caller, file)
    done = mine.apply_import(mine.caller, preview, {})
    assert (done.created, done.n_added, done.n_entries) == (("Saltglass",), 2, 0)
    here = mine.find_workspace(mine.caller, "Saltglass")
    page = mine.browse_memories(mine.caller, [ScopeKey.workspace(here.id)])
    assert [(one.content, one.curator) for one in page.entries] == [
        ("The bell is silent.", Curator.IMPORT)
    ]
    assert voice_of(mine, "Saltglass") != VOICE_OF_OLD


def test_its_voice_takes_the_place_of_the_template_when_it_is_wanted(
    mine: Inklings, file: Path
) -> None:
    preview = mine.preview_import(mine.caller, file)
    wanted = {
        row.number: row.choices[-1] for row in preview.rows if row.kind is RowKind.NAMED_ENTRY
    }
    assert set(wanted.values()) == {Decision.BOTH}
    done = mine.apply_import(mine.caller, preview, wanted)
    assert done.n_entries == 1
    assert voice_of(mine, "Saltglass") == VOICE_OF_OLD
    withdrawn = mine.withdraw_import(mine.caller, done.run_id)
    assert withdrawn.n_removed == 2


def test_an_import_that_fails_at_the_end_leaves_no_workspace_behind(
    mine: Inklings, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = mine.preview_import(mine.caller, file)
    writing = ImportWriting.write

    def full(self: ImportWriting, *given: object) -> object:
        plan = given[1]
        if plan.target.id is None:  # type: ignore[attr-defined]
            raise DatabaseFullError(file)
        return writing(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(ImportWriting, "write", full)
    with pytest.raises(DatabaseFullError):
        mine.apply_import(mine.caller, preview, {})
    assert names(mine) == {"Mine"}
    assert all(one.is_whole for one in mine.verify_logs(mine.caller))
    monkeypatch.undo()
    again = mine.preview_import(mine.caller, file)
    assert mine.apply_import(mine.caller, again, {}).n_added == 2


def test_a_workspace_that_another_import_made_since_the_preview_is_looked_at_again(
    mine: Inklings, file: Path
) -> None:
    """Two imports of one file at once: the second is told to look again, not of a name."""
    first = mine.preview_import(mine.caller, file)
    second = mine.preview_import(mine.caller, file)
    mine.apply_import(mine.caller, first, {})
    with pytest.raises(ImportRefusedError) as caught:
        mine.apply_import(mine.caller, second, {})
    assert caught.value.reason == "changed"
    assert names(mine) == {"Mine", "Saltglass"}
    again = mine.preview_import(mine.caller, file)
    assert not mine.apply_import(mine.caller, again, {}).n_added

"""Export, then restore into an empty store, is the identity."""

from __future__ import annotations

import json
import stat
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.world.derivations import DerivationKind, SourceState
from inklings_desktop.domain.world.folding import digest_of
from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from inklings_desktop.domain.world.references import to_words
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.cli.test_published_schema import faults
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.sqlite_store import integrity_faults, raw
from tests.support.transfers import TransferBench, fill, transfer_bench
from tests.support.wide import examples

SCHEMA = Path(__file__).parents[2] / "resources" / "schemas" / "export.schema.json"


def document(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@settings(max_examples=examples(12), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_restoring_into_an_empty_store_is_the_identity(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.inklings.json"
        with transfer_bench(Path(folder) / "a") as source:
            fill(source, seed)
            source.export(file)
            wanted = source.dumps()
        with transfer_bench(Path(folder) / "b", workspace_ids=()) as empty:
            done = empty.bring_in(file)
            found = empty.dumps()
            assert done.is_restore
            assert found == wanted
            for one in found:
                assert integrity_faults(empty.world.path(one)) == []
            again = Path(folder) / "again.inklings.json"
            empty.export(again)
        assert document(again) == document(file)


def test_what_is_kept_beside_memories_goes_with_a_whole_workspace_and_returns_by_a_restore(
    tmp_path: Path,
) -> None:
    file = tmp_path / "x.json"
    beside = ("golden_questions", "saved_filters", "proposals")
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 2)
        source.export(file)
        (workspace,) = document(file)["workspaces"]
        assert [len(workspace[name]) for name in (*beside, "messages")] == [2, 2, 2, 6]
        assert [len(document(file)["account"][name]) for name in beside] == [1, 1, 1]
        tier = tmp_path / "tier.json"
        source.export(tier, ExportRequest(scopes=(ScopeKey.workspace(WORKSPACE_ID),)))
        assert not set(beside) & set(document(tier)["workspaces"][0])
        assert document(tier)["workspaces"][0]["messages"] == []
        silent = tmp_path / "silent.json"
        source.export(silent, ExportRequest(with_talk=False))
        assert document(silent)["workspaces"][0]["messages"] == []
        assert source.preview(file).n_beside == 15, "where there is something they stay out"
    older = document(file)
    for part in (older["account"], *older["workspaces"]):
        for name in (*beside, "messages"):
            part.pop(name, None)
    file.write_text(json.dumps(older), encoding="utf-8")
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        assert empty.bring_in(file).is_restore, "a file of an earlier version"


FOLDER = WorldFolder(
    "00000000-0000-4000-8000-00000000f01d",
    "Isles",
    FolderKind.VAULT,
    "/isles",
    "here",
    FolderRules(("Drafts/",), {"lifecycle": {"wip": "draft"}}, {"Old/**": {"weight": "minor"}}),
    takes_proposals=True,
    added_at=NOON,
)


def with_pages(bench: TransferBench) -> None:
    """Link a folder, and let the first memory of the workspace come from everything there is."""
    said = ("The tide comes\nin at noon.", "She lit it. ^lamp")
    kinds = (DerivationKind.BLOCK, DerivationKind.BLOCK, DerivationKind.PAGE, DerivationKind.TEXT)
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.world.save_folder(FOLDER)
        first = unit.transfers.memories(scopes=None, ids=None, forgotten=True, after=0, limit=1)
        rows = [
            replace(to_words(place), kind=kind, target_id=FOLDER.id if place else "")
            for place, kind in enumerate(kinds)
        ]
        at = replace(rows[0], folder_id=FOLDER.id, path="Tides.md", heading="Ebb/Noon")
        seen = digest_of("Another.")
        rows[:2] = [
            replace(at, place=place, base_digest=digest_of(text), seen_digest=seen)
            for place, text in enumerate(said)
        ]
        rows[1] = replace(
            rows[1], target_id=FOLDER.id, own_id="lamp", state=SourceState.CHANGED, changed_at=NOON
        )
        unit.world.put_derivations(
            first[0].entry.id, rows, {digest_of(text): text for text in said}
        )
        unit.commit()


def test_folders_and_sources_come_back_by_a_restore_and_name_no_place(tmp_path: Path) -> None:
    file, tier = tmp_path / "x.json", tmp_path / "tier.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 4)
        with_pages(source)
        source.export(file)
        source.export(tier, ExportRequest(scopes=(ScopeKey.workspace(WORKSPACE_ID),)))
        wanted = source.dumps()
        with source.world.store.read(WORKSPACE_ID) as view:
            (linked,) = view.world.folders()
    (workspace,) = document(file)["workspaces"]
    assert faults(document(file), json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    assert "/isles" not in file.read_text(encoding="utf-8")
    assert "world_folders" not in document(tier)["workspaces"][0]
    assert "The tide comes" not in tier.read_text(encoding="utf-8")
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        done = empty.bring_in(file)
        assert done.is_restore
        found = empty.dumps()
        with empty.world.store.read(WORKSPACE_ID) as view:
            assert view.world.folders() == (
                replace(linked, path="", installation="", takes_proposals=False),
            )
        for table in ("derivations", "derivation_bases", "memories"):
            assert found[WORKSPACE_ID][table] == wanted[WORKSPACE_ID][table]
            assert found[WORKSPACE_ID][table] != []
        again = tmp_path / "again.json"
        empty.export(again)
    assert document(again)["workspaces"] == [workspace]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"kind": "block", "base": ""}, "base"),
        ({"kind": "page"}, "base"),
        ({"folder_id": "../isles"}, "folder_id"),
        ({"seen_digest": "ff"}, "seen_digest"),
        ({"place": 64}, "sources"),
        ({"place": 1}, "sources"),
        ({"path": "x" * 5_000}, "path"),
    ],
)
def test_a_source_that_this_program_does_not_write_is_refused(
    change: dict[str, Any], where: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 4)
        with_pages(source)
        source.export(file)
    found = document(file)
    sources = [one["sources"] for one in found["workspaces"][0]["memories"] if "sources" in one]
    sources[0][0].update(change)
    file.write_text(json.dumps(found), encoding="utf-8")
    with (
        transfer_bench(tmp_path / "b", workspace_ids=()) as empty,
        pytest.raises(ImportRefusedError) as refused,
    ):
        empty.bring_in(file)
    assert refused.value.where.rpartition(".")[2].startswith(where)


def test_a_saved_filter_alone_makes_an_import_none_that_restores(tmp_path: Path) -> None:
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 2)
        source.export(tmp_path / "x.json")
        with source.world.store.read(WORKSPACE_ID) as view:
            saved = view.filters.all()[0]
    with transfer_bench(tmp_path / "b") as other:
        with other.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.filters.put(saved)
            unit.commit()
        assert not other.preview(tmp_path / "x.json").is_restore


def test_the_names_of_who_wrote_come_back_with_every_version(tmp_path: Path) -> None:
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 7, n_memories=40)
        source.export(tmp_path / "x.json")
        wanted = names(source)
        assert {name for _, name in wanted} == {"", "author", "loom", "Manuscript Studio"}
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        empty.bring_in(tmp_path / "x.json")
        assert names(empty) == wanted


def names(bench: TransferBench) -> set[tuple[str, str]]:
    """Every memory and version of the workspace with the name of who wrote it."""
    with raw(bench.world.path()) as connection:
        return set(
            connection.execute(
                "SELECT id, written_by FROM memories"
                " UNION SELECT memory_id || '/' || version, written_by FROM memory_versions"
            )
        )


def test_a_workspace_of_that_name_which_is_empty_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 5)
        source.export(file)
        wanted = source.dumps()[WORKSPACE_ID]
    with transfer_bench(tmp_path / "b", workspace_ids=(OTHER_WORKSPACE_ID,)) as other:
        name = f"World {WORKSPACE_ID[:8]}"
        workspace = other.world.directory.get(OTHER_WORKSPACE_ID)
        other.world.directory.rename(type(workspace)(workspace.id, name, workspace.created_at))
        other.bring_in(file)
        found = other.dumps()[OTHER_WORKSPACE_ID]
    assert found["memory_versions"] == wanted["memory_versions"]
    assert found["named_entry_revisions"] == wanted["named_entry_revisions"]
    assert [row[1] for row in found["memories"]] == [row[1] for row in wanted["memories"]]


def test_an_export_fits_its_published_schema(tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3, n_memories=30)
        source.export(tmp_path / "x.json")
    found = document(tmp_path / "x.json")
    (workspace,) = found["workspaces"]
    assert faults(found, schema, "export") == []
    memory = schema["properties"]["account"]["properties"]["memories"]["items"]
    for row in (*found["account"]["memories"], *workspace["memories"]):
        assert set(row) == set(memory["properties"])
    assert faults(found | {"surprise": 1}, schema, "export") == ["export.surprise is unknown"]


def test_the_file_is_the_owners_alone_and_whole_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("mine", encoding="utf-8")
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        source.export(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert document(file)["format"] == "inklings-export"
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_vectors_history_and_what_is_forgotten_can_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 11, n_memories=40)
        source.export(
            file,
            ExportRequest(with_vectors=False, with_history=False, with_forgotten=False),
        )
    (workspace,) = document(file)["workspaces"]
    assert workspace["memories"]
    for row in workspace["memories"]:
        assert (row["vector"], row["history"], row["forgotten_at"]) == (None, [], None)
    assert all(len(one["revisions"]) == 1 for one in workspace["named_entries"])
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        assert empty.bring_in(file).n_added == len(workspace["memories"]) + len(
            document(file)["account"]["memories"]
        )


def test_a_tier_takes_its_rooms_along_and_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3, n_memories=40)
        with source.world.store.read(WORKSPACE_ID) as view:
            channel = view.conversations.get_channel("map-room")
        scope = ScopeKey.channel(WORKSPACE_ID, channel.id)
        done = source.export(file, ExportRequest(scopes=(scope,)))
        noted = source.asked.list_exports(scope)
        elsewhere = source.asked.list_exports(ScopeKey.workspace(WORKSPACE_ID))
    (workspace,) = document(file)["workspaces"]
    assert {row["scope_key"] for row in workspace["memories"]} == {channel.id}
    assert channel.id in {one["id"] for one in workspace["channels"]}
    assert workspace["named_entries"] == []
    assert document(file)["account"] is None
    assert [(one.path, one.n_memories) for one in noted] == [(str(file), done.n_memories)]
    assert elsewhere == ()

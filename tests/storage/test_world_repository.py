"""Folders, derivations with their bases, retcons and kept versions in a workspace's file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ChosenScope, ScrubMode
from inklings_desktop.domain.world.derivations import (
    DerivationKind,
    KeptVersion,
    PageDerivation,
    Retcon,
    RetconState,
    SourceState,
)
from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.scrub_world import scrub_world
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

BASE, OTHER = b"b" * 16, b"o" * 16
ISLES = WorldFolder(
    "isles", "Isles", FolderKind.VAULT, "/isles", "here",
    FolderRules(("*.tmp",), {"lifecycle": {"wip": "draft"}}, {"Old/**": {"lifecycle": "retired"}}),
    takes_proposals=True, added_at=NOON,
)  # fmt: skip


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[SqliteUnitOfWork]:
    with (
        sqlite_world(tmp_path) as world,
        world.store.write(WORKSPACE_ID, initiator="ada") as unit,
    ):
        yield unit


def derived(memory_id: str, place: int = 0, base: bytes = BASE, **more: Any) -> PageDerivation:
    of = PageDerivation(
        memory_id, place, DerivationKind.BLOCK, "block", "isles", "Nerys.md", "Looks", "", base,
        SourceState.CURRENT, base, None,
    )  # fmt: skip
    return replace(of, **more)


def retcon(id_: str, base: bytes = BASE) -> Retcon:
    return Retcon(
        id_, "isles", "Nerys.md", "block", "changed", base, "Grey.", NOON, RetconState.OPEN
    )


def test_a_folder_comes_back_as_it_was_saved_and_its_name_is_taken(unit: SqliteUnitOfWork) -> None:
    unit.world.save_folder(ISLES)
    assert unit.world.folders() == (ISLES,)
    moved = replace(ISLES, path="/stick/isles", takes_proposals=False)
    unit.world.save_folder(moved)
    assert unit.world.folders() == (moved,)
    with pytest.raises(ConflictError) as caught:
        unit.world.save_folder(replace(ISLES, id="more", name="ISLES"))
    assert (caught.value.kind, caught.value.key) == ("world_folder", "ISLES")


def test_a_base_leaves_with_the_last_that_names_it(unit: SqliteUnitOfWork) -> None:
    one, two = unit.memories.add([a_memory("Nerys is tall."), a_memory("Nerys limps.")])
    for memory in (one, two):
        unit.world.put_derivations(memory.id, [derived(memory.id)], {BASE: "Tall, limping."})
    unit.world.save_retcon(retcon("r"))
    unit.world.put_derivations(one.id, [], {})
    unit.world.put_derivations(two.id, [derived(two.id, base=OTHER)], {OTHER: "Short."})
    assert unit.world.base(BASE) == "Tall, limping."
    unit.world.remove_folder("isles")
    assert (unit.world.base(BASE), unit.world.base(OTHER)) == ("", "Short.")
    with pytest.raises(NotFoundError):
        unit.world.put_derivations("nobody", [], {})


def test_derivations_are_found_by_memory_page_and_target_and_counted(
    unit: SqliteUnitOfWork,
) -> None:
    one, two, gone = unit.memories.add(
        [a_memory("Nerys is tall."), a_memory("Nerys limps."), a_memory("x", forgotten_at=NOON)]
    )
    first = [derived(one.id), derived(one.id, 1, state=SourceState.CHANGED, changed_at=NOON)]
    unit.world.put_derivations(one.id, first, {BASE: "Tall."})
    second = derived(two.id, kind=DerivationKind.PAGE, target_id="page", base_digest=b"")
    unit.world.put_derivations(two.id, [second], {})
    third = derived(gone.id)
    unit.world.put_derivations(gone.id, [third], {})
    assert unit.world.derivations_of([one.id]) == tuple(first)
    assert unit.world.derivations_of([]) == ()
    assert unit.world.derivations_on("isles", "Nerys.md") == (*first, second, third)
    assert unit.world.derivations_to_pages() == (*first, second, third)
    assert unit.world.counts_by_page("isles") == {"Nerys.md": (2, 1)}


def test_unlinking_leaves_what_was_derived_unknown_and_takes_open_retcons(
    unit: SqliteUnitOfWork,
) -> None:
    (one,) = unit.memories.add([a_memory("Nerys is tall.")])
    unit.world.save_folder(ISLES)
    unit.world.put_derivations(one.id, [derived(one.id)], {BASE: "Tall."})
    unit.world.save_retcon(retcon("open"))
    kept = replace(retcon("kept"), state=RetconState.KEPT, decided_at=NOON, decided_by="ada")
    unit.world.save_retcon(kept)
    unit.world.remove_folder("isles")
    assert unit.world.folders() == ()
    assert [one.state for one in unit.world.derivations_of([one.id])] == [SourceState.UNKNOWN]
    assert unit.world.retcons(frozenset(RetconState)) == (kept,)
    assert unit.world.retcon("kept") == kept
    with pytest.raises(NotFoundError):
        unit.world.retcon("open")


def test_the_oldest_kept_versions_leave_beyond_twenty_a_page_and_a_workspaces_bytes(
    unit: SqliteUnitOfWork,
) -> None:
    def keep(number: int, path: str) -> None:
        at = NOON + timedelta(minutes=number)
        version = KeptVersion(f"{path} {number:02}", "isles", path, BASE, 5, at, "proposal")
        unit.world.keep_version(version, b"Tide " + bytes([number]))

    for number in range(22):
        keep(number, "Nerys.md")
    keep(30, "Tides.md")
    kept = unit.world.versions("isles", "Nerys.md")
    assert [one.id for one in kept][:: len(kept) - 1] == ["Nerys.md 21", "Nerys.md 02"]
    assert len(unit.world.versions()) == 21
    assert unit.world.version_bytes("Nerys.md 21") == b"Tide \x15"
    with pytest.raises(NotFoundError):
        unit.world.version_bytes("Nerys.md 01")


def test_a_scrub_takes_what_only_its_memories_come_from(tmp_path: Path) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    with scrub_world(tmp_path) as scene:
        going, staying = scene.add_memories(scope, 2)
        chosen = ChosenScope.of(WORKSPACE_ID, [going.id])

        def write(unit: SqliteUnitOfWork) -> None:
            changed = derived(going.id, base=OTHER, path="Kaya.md", state=SourceState.CHANGED)
            both = [derived(going.id, 1), changed]
            unit.world.save_folder(ISLES)
            unit.world.put_derivations(going.id, both, {BASE: "Tall.", OTHER: "Nobody rows."})
            unit.world.put_derivations(staying.id, [derived(staying.id)], {})
            unit.world.save_retcon(retcon("both"))
            unit.world.save_retcon(replace(retcon("alone", OTHER), path="Kaya.md", block_id="k"))

        scene.write(scope, write)
        outcome = scene.execute(scene.preview(chosen, ScrubMode.KEEP_NAMED))
        assert outcome.is_finished
        with scene.world.store.read(WORKSPACE_ID) as view:
            assert view.world.folders() == (ISLES,)
            assert [one.id for one in view.world.retcons(frozenset(RetconState))] == ["both"]
            assert (view.world.base(BASE), view.world.base(OTHER)) == ("Tall.", "")
            assert [one.memory_id for one in view.world.derivations_on("isles", "Nerys.md")] == [
                staying.id
            ]


def test_a_full_scrub_counts_the_kept_versions_that_go(tmp_path: Path) -> None:
    scope = ScopeKey.workspace(WORKSPACE_ID)
    with scrub_world(tmp_path) as scene:
        scene.add_memories(scope, 1)

        def write(unit: SqliteUnitOfWork) -> None:
            version = KeptVersion("v1", "isles", "Nerys.md", BASE, 5, NOON, "proposal")
            unit.world.keep_version(version, b"Tall.")

        before = scene.preview(scope, ScrubMode.FULL)
        scene.write(scope, write)
        manifest = scene.preview(scope, ScrubMode.FULL)
        assert (before.n_versions, manifest.n_versions) == (0, 1)
        assert manifest.digest != before.digest
        assert scene.preview(scope, ScrubMode.KEEP_NAMED).n_versions == 0
        assert scene.execute(manifest).is_finished
        with scene.world.store.read(WORKSPACE_ID) as view:
            assert view.world.versions() == ()

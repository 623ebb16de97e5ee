"""One memory that cannot be read is set aside; everything else goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action as Right
from inklings_desktop.domain.access.access import Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, UnreadableTextError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.reading_on import read_on
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.damaging import MARKED, NO_TEXT, damage_root, make_unreadable, spoil
from tests.support.sqlite_store import integrity_faults, raw

GOOD = "Herons keep accounts of the tide."
BAD = "Gulls keep accounts of the tide."


@dataclass(frozen=True, slots=True)
class World:
    """A data root with one workspace that holds two memories, the first of them damaged."""

    root: Path
    inklings: Inklings
    scope: ScopeKey
    bad: MemoryEntry
    good: MemoryEntry

    @property
    def path(self) -> Path:
        return self.root / "workspaces" / self.scope.key / "agents.db"

    @property
    def agent(self) -> Caller:
        rights = frozenset({Right.READ, Right.WRITE})
        grant = Grant(Tier.WORKSPACE, self.scope.key, rights)
        return Caller(CallerKind.AGENT, "loom", Door.MCP, (grant,))

    def stored(self, column: str = "content") -> Any:
        with raw(self.path) as connection:
            connection.text_factory = bytes
            statement = f"SELECT {column} FROM memories WHERE id = ?"  # noqa: S608 - names of ours
            return connection.execute(statement, (self.bad.id,)).fetchone()[0]

    def changed(self, patch: MemoryPatch, caller: Caller | None = None) -> MemoryEntry:
        who = caller or self.inklings.caller
        return self.inklings.as_caller(who).memories.update(self.bad.ref, patch, expected_version=1)

    def listed(self, caller: Caller | None = None) -> list[tuple[str, bool]]:
        who = caller or self.inklings.caller
        page = read_on(lambda: self.inklings.as_caller(who).listing.browse([self.scope]))
        return sorted((one.content, one.is_unreadable) for one in page.entries)

    def found(self, caller: Caller | None = None) -> list[str]:
        who = caller or self.inklings.caller
        ask = SearchRequest("accounts tide")
        result = read_on(lambda: self.inklings.as_caller(who).search.find([self.scope], ask))
        return [one.entry.content for one in result.hits]


@contextmanager
def spoilt(root: Path, column: str = "content", value: str = "") -> Iterator[World]:
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("Saltglass").id)
        bad, good = (
            inklings.memories.put(MemoryDraft(scope, text, tags=("sea",))) for text in (BAD, GOOD)
        )
        world = World(root, inklings, scope, bad, good)
        if value:
            spoil(world.path, f"UPDATE memories SET {column} = {value} WHERE sequence = 1")  # noqa: S608
        else:
            make_unreadable(world.path, column=column)
        yield world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with spoilt(tmp_path / "root") as world:
        yield world


def test_the_rest_of_the_workspace_is_listed_and_found(world: World) -> None:
    assert world.listed() == [(MARKED, True), (GOOD, False)]
    assert world.found() == [GOOD]
    assert world.found(world.agent) == [GOOD]
    assert world.listed(world.agent) == [(GOOD, False)]
    assert world.stored() == NO_TEXT


def test_an_agent_that_comes_first_gets_nothing_of_it(world: World) -> None:
    assert world.found(world.agent) == [GOOD]
    with pytest.raises(NotFoundError):
        world.changed(MemoryPatch(importance=0.1), world.agent)


def test_a_call_is_told_once_to_come_again(world: World) -> None:
    browse = world.inklings.listing.browse
    with pytest.raises(UnreadableTextError) as caught:
        browse([world.scope])
    assert caught.value.path == world.path
    assert "Gu" not in str(caught.value)
    assert len(browse([world.scope]).entries) == 2


def test_damage_that_comes_later_is_set_aside_as_well(world: World) -> None:
    world.listed()
    make_unreadable(world.path, where="sequence = 2")
    assert world.found(world.agent) == []
    assert world.listed() == [(MARKED, True), (MARKED, True)]


@contextmanager
def again(world: World) -> Iterator[World]:
    with open_inklings(world.root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        yield replace(world, inklings=inklings)


def test_the_next_start_reads_on(tmp_path: Path) -> None:
    with spoilt(tmp_path) as world:
        world.listed()
    with again(world) as later:
        assert later.listed() == [(MARKED, True), (GOOD, False)]
        assert later.found(later.agent) == [GOOD]


def test_the_log_says_that_it_was_set_aside(world: World) -> None:
    world.listed()
    with raw(world.path) as connection:
        rows = connection.execute("SELECT kind, actor, ids FROM events ORDER BY seq").fetchall()
    assert rows[-1] == (EventKind.MEMORY_SET_ASIDE.value, "Inklings", json.dumps([world.bad.id]))


def test_it_stands_among_what_deserves_a_look(world: World) -> None:
    world.listed()
    look = world.inklings.search.worth_a_look(world.scope.key)
    (mine,) = (one for one in look if one.kind is AttentionKind.UNREADABLE)
    assert mine.by_tier == {Tier.WORKSPACE: 1}


def test_to_write_it_anew_makes_it_readable_and_keeps_the_bytes_in_its_history(
    world: World,
) -> None:
    world.listed()
    inklings = world.inklings
    with pytest.raises(InvalidValueError) as caught:
        inklings.memories.mark([world.bad.ref], MemoryMark.PAUSED, on=False)
    assert (caught.value.field, caught.value.rule) == ("content", "unreadable")

    after = world.changed(MemoryPatch(content=BAD))

    assert (after.content, after.paused, after.is_unreadable) == (BAD, True, False)
    with raw(world.path) as connection:
        connection.text_factory = bytes
        kept = connection.execute("SELECT content FROM memory_versions").fetchall()
    assert kept == [(NO_TEXT,)]
    inklings.memories.mark([world.bad.ref], MemoryMark.PAUSED, on=False)
    assert sorted(world.found(world.agent)) == [BAD, GOOD]
    assert integrity_faults(world.path) == []


def test_no_other_change_touches_its_bytes(world: World) -> None:
    world.listed()
    inklings, ref = world.inklings, world.bad.ref
    world.changed(MemoryPatch(importance=0.9, tags=("new",)))
    inklings.memories.mark([ref], MemoryMark.PINNED, on=True)
    inklings.memories.forget([ref])
    assert world.stored() == NO_TEXT
    restored = inklings.memories.restore([ref])
    assert [one.is_unreadable for one in restored] == [True]
    assert world.stored() == NO_TEXT
    assert world.found(world.agent) == [GOOD]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("tags", "'Gulls'"),
        ("tags", "'{}'"),
        ("derived_from", "'[1]'"),
        ("source", ""),
        ("lifetime", "'Gulls'"),
        ("curator", "'Gulls'"),
        ("imported_curator", "'Gulls'"),
    ],
)
def test_another_damaged_value_of_a_memory_sets_it_aside_too(
    tmp_path: Path, column: str, value: str
) -> None:
    with spoilt(tmp_path / "root", column, value) as world:
        assert world.listed() == [(BAD, True), (GOOD, False)]
        assert world.found(world.agent) == [GOOD]
        look = world.inklings.search.worth_a_look(world.scope.key)
        assert AttentionKind.UNREADABLE in {one.kind for one in look} or value == "'[1]'"
        after = world.changed(MemoryPatch(content="Written anew."))
        assert not after.is_unreadable


@pytest.mark.parametrize(("column", "value"), [("tier", "'Gulls'"), ("scope_key", "")])
def test_a_memory_of_which_nobody_knows_where_it_belongs_is_exported_with_the_rest(
    tmp_path: Path, column: str, value: str
) -> None:
    with spoilt(tmp_path / "root", column, value) as world:
        inklings, path = world.inklings, tmp_path / "out.json"
        assert world.listed() == [(GOOD, False)]
        assert world.found(world.agent) == [GOOD]
        done = read_on(lambda: inklings.transfer.export(ExportRequest(), path))
        assert (done.n_memories, done.n_unreadable) == (2, 1)
        shown = inklings.listing.show(world.bad.ref)
        assert (shown.entry.content, shown.entry.paused) == (BAD, True)
    with open_inklings(tmp_path / "new", embedder=NullEmbedder("none")) as other:
        plan = other.transfer.preview_import(path)
        assert plan is not None


def test_a_damaged_entry_is_shown_to_the_author_alone_and_a_revision_brings_it_back(
    world: World,
) -> None:
    inklings, place = world.inklings, world.scope.key
    whole = inklings.entries.create(Tier.WORKSPACE, place, "TIDES", BAD)
    make_unreadable(world.path, table="named_entries", column="body", where="name = 'TIDES'")

    found = read_on(lambda: inklings.entries.find(place, "TIDES"))
    assert (found.body, found.is_unreadable) == (MARKED, True)
    assert inklings.as_caller(world.agent).entries.find(place, "TIDES").body == ""
    assert inklings.as_caller(world.agent).entries.standing_slice(place) == ()

    again = inklings.entries.restore_revision(whole.ref, 1, expected_version=1)
    assert (again.body, again.is_unreadable) == (BAD, False)
    assert [one.body for one in inklings.as_caller(world.agent).entries.standing_slice(place)] == [
        BAD
    ]


def test_an_export_holds_it_with_marks_and_comes_back(world: World, tmp_path: Path) -> None:
    inklings, path = world.inklings, tmp_path / "out.json"
    done = read_on(
        lambda: inklings.transfer.export(ExportRequest(workspaces=(world.scope.key,)), path)
    )
    (section,) = json.loads(path.read_text(encoding="utf-8"))["workspaces"]
    assert {one["content"]: one["paused"] for one in section["memories"]} == {
        MARKED: True,
        GOOD: False,
    }
    assert (done.n_memories, done.n_unreadable) == (2, 1)


def test_a_backup_and_its_restore_keep_the_bytes(world: World) -> None:
    world.listed()
    inklings = world.inklings
    backup = inklings.keeping.create_backup(world.scope.key)
    world.changed(MemoryPatch(content=BAD))
    inklings.keeping.restore_backup(backup.name)
    assert world.stored() == NO_TEXT
    assert world.listed() == [(MARKED, True), (GOOD, False)]


def test_a_file_that_is_made_again_holds_its_bytes(tmp_path: Path) -> None:
    with spoilt(tmp_path) as world:
        world.listed()
    damage_root(world.path, "memories_by_importance")
    with again(world) as later:
        done = later.inklings.keeping.repair_place(world.scope.key)
        assert (done.is_whole_file, done.n_memories) == (True, 2)
        assert later.stored() == NO_TEXT
        assert later.listed() == [(MARKED, True), (GOOD, False)]


def test_a_scrub_erases_its_bytes(world: World) -> None:
    inklings, scope = world.inklings, world.scope
    plan = read_on(lambda: inklings.scrub.preview(scope, ScrubMode.KEEP_NAMED))
    done = inklings.scrub.execute(scope, ScrubMode.KEEP_NAMED, token=plan.token, phrase=plan.phrase)
    assert done.is_finished
    files = [one for one in world.path.parent.iterdir() if one.is_file()]
    assert not any(NO_TEXT in one.read_bytes() for one in files)


def test_a_repair_leaves_it_alone(world: World) -> None:
    world.listed()
    report = world.inklings.keeping.check_data(repair=True)
    assert [(one.kind.value, one.detail) for one in report.findings] == [
        ("text", f"memories {world.bad.id} content")
    ]
    assert world.stored() == NO_TEXT

"""A data root on a disk that cannot be written to is read, and nothing in it changes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseReadOnlyError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.storage.backups import backup_making
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.engine import connecting
from inklings_desktop.storage.engine.connecting import has_wal
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.usecases.ports.store import Embedder
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import WORKSPACE_ID, FixedClock
from tests.support.fake_publisher import FakePublisher
from tests.support.processes import line_of, started


@pytest.fixture
def no_model() -> Embedder:
    return NullEmbedder("none", "missing")


def contents(root: Path) -> dict[Path, bytes]:
    return {
        one.relative_to(root): one.read_bytes()
        for one in sorted(root.rglob("*"))
        if one.is_file() and "logs" not in one.parts
    }


@pytest.fixture
def root(tmp_path: Path, no_model: Embedder) -> Path:
    with open_inklings(tmp_path, embedder=no_model) as inklings:
        world = inklings.workspaces.create("Saltglass")
        draft = MemoryDraft(ScopeKey.workspace(world.id), "The keeper counts the tides.")
        inklings.memories.put(draft)
    return tmp_path


@pytest.fixture
def sealed(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The disk refuses every write; asked the way that also a superuser is told the truth."""
    monkeypatch.setattr(connecting, "is_writable", lambda _folder: False)
    return root


def test_a_sealed_data_root_is_read_and_stays_as_it_is(sealed: Path, no_model: Embedder) -> None:
    before = contents(sealed)
    with open_inklings(sealed, embedder=no_model, may_only_read=True) as inklings:
        assert inklings.is_read_only
        (world,) = inklings.places.workspaces()
        scope = ScopeKey.workspace(world.id)
        found = inklings.search.find([scope], SearchRequest("tide"))
        (hit,) = found.hits
        shown = inklings.listing.show(hit.entry.ref)
        assert shown.entry.content == "The keeper counts the tides."
        assert inklings.listing.count(world.id).of(scope) == 1
        assert [one.name for one in inklings.entries.list(world.id)] == ["VOICE", "SOUL"]
        assert contents(sealed) == before
        for refused in (
            lambda: inklings.memories.put(MemoryDraft(scope, "More.")),
            lambda: inklings.memories.forget([hit.entry.ref]),
            lambda: inklings.workspaces.create("Another"),
        ):
            with pytest.raises(DatabaseReadOnlyError):
                refused()
    assert contents(sealed) == before


def test_the_logs_of_a_sealed_data_root_are_checked_and_its_files_are_not_called_damaged(
    sealed: Path, no_model: Embedder
) -> None:
    with open_inklings(sealed, embedder=no_model, may_only_read=True) as inklings:
        verdicts = inklings.log.verify()
        assert [one.reason for one in verdicts] == [None, None]
        assert inklings.keeping.check_data().is_clean


def test_without_leave_to_only_read_a_sealed_data_root_is_refused(
    sealed: Path, no_model: Embedder
) -> None:
    with (
        pytest.raises(DatabaseReadOnlyError),
        open_inklings(sealed, embedder=no_model),
    ):
        pass


def test_a_data_root_that_can_be_written_to_is_opened_for_writing(
    root: Path, no_model: Embedder
) -> None:
    with open_inklings(root, embedder=no_model, may_only_read=True) as inklings:
        assert not inklings.is_read_only


def test_what_a_killed_program_left_in_its_wal_is_read(tmp_path: Path) -> None:
    program = started("tests.storage.writer_process", str(tmp_path), "append", "0")
    said = [line_of(program) for _ in range(5)]
    program.kill()
    program.communicate()
    assert has_wal(tmp_path / "workspaces" / WORKSPACE_ID / "agents.db")

    databases = Databases(tmp_path, FixedClock(), is_sealed=True)
    with closing(databases):
        store = SqliteStore(databases, FakePublisher())
        with store.read(WORKSPACE_ID) as view:
            here = ScopeKey.workspace(WORKSPACE_ID)
            assert view.memories.active_count(here) >= len(said)
        with pytest.raises(DatabaseReadOnlyError), store.write(WORKSPACE_ID, initiator="Ada"):
            pass


def test_a_check_works_where_nothing_can_be_written(
    root: Path, monkeypatch: pytest.MonkeyPatch, no_model: Embedder
) -> None:
    with open_inklings(root, embedder=no_model) as inklings:
        (world,) = inklings.places.workspaces()
        inklings.keeping.create_backup(world.id)
    for module in (connecting, backup_making):
        monkeypatch.setattr(module, "is_writable", lambda _folder: False)
    before = contents(root)

    with open_inklings(root, embedder=no_model, may_only_read=True) as inklings:
        sound = inklings.keeping.check_data()

    assert sound.is_clean
    assert (sound.n_files, sound.n_memories, sound.n_backups) == (2, 1, 1)
    assert contents(root) == before

"""The composition root opens, shares and closes in order."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from inklings_desktop import bootstrap, sample_root
from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseCorruptError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.ports.progress import MakingSample, upgrade_unheard
from inklings_desktop.usecases.ports.store import Embedder
from tests.support.builders import NOON, FixedClock
from tests.support.fake_embedder import FakeEmbedder
from tests.support.kept_roots import copied_or_made


def no_model() -> Embedder:
    return NullEmbedder("none", "missing")


def test_a_data_root_is_made_and_closed_without_a_thread_left(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with open_inklings(tmp_path / "data", embedder=no_model()) as inklings:
        assert inklings.workspace is None
        world = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(world.id)
        inklings.memories.put(MemoryDraft(scope, "Tides."))
    assert set(threading.enumerate()) <= before
    with open_inklings(tmp_path / "data", embedder=no_model()) as inklings:
        assert inklings.workspace == world
        assert inklings.listing.browse([scope]).total == 1


def test_a_workspace_is_chosen_by_name_whatever_its_case(tmp_path: Path) -> None:
    with open_inklings(tmp_path, embedder=no_model()) as inklings:
        inklings.workspaces.create("One")
        two = inklings.workspaces.create("Two")
    with open_inklings(tmp_path, workspace="two", embedder=no_model()) as inklings:
        assert inklings.workspace == two
    with (
        pytest.raises(NotFoundError),
        open_inklings(tmp_path, workspace="three", embedder=no_model()),
    ):
        raise AssertionError


def test_what_was_written_has_a_vector_when_the_root_is_closed(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    with open_inklings(tmp_path, embedder=embedder, clock=FixedClock()) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("One").id)
        entry = inklings.memories.put(MemoryDraft(scope, "Tides."))
    with open_inklings(tmp_path, embedder=embedder) as inklings:
        shown = inklings.listing.show(entry.ref)
        assert shown.entry.embedding_model == embedder.model_id


def test_a_foreign_file_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "agents.db").write_bytes(b"SQLite format 3\x00" + bytes(84))
    before = (tmp_path / "agents.db").read_bytes()
    with pytest.raises(StorageError), open_inklings(tmp_path):
        raise AssertionError
    assert (tmp_path / "agents.db").read_bytes() == before
    assert not (tmp_path / "logs").exists()


def test_the_sample_world_is_whole_or_not_there(tmp_path: Path) -> None:
    root = tmp_path / "world"
    loaded = make_sample_world(root)
    assert (loaded.n_memories, loaded.n_embedded) == (119, 109)
    assert {path.name for path in tmp_path.iterdir()} == {"world", "world-pages"}
    with pytest.raises(ConflictError):
        make_sample_world(root)


class MovedClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def youngest_age(root: Path, clock: MovedClock) -> timedelta:
    """How old the memory written last is; opening changes nothing."""
    with open_inklings(root, clock=clock, embedder=no_model()) as inklings:
        (world,) = [one for one in inklings.places.workspaces() if "Saltglass" in one.name]
        scope = ScopeKey.workspace(world.id)
        (newest,) = inklings.listing.browse([scope], limit=1).entries
        return clock() - newest.created_at


def test_time_stands_still_in_a_sample_world_that_nobody_wrote_in(
    tmp_path: Path, kept_roots: Path
) -> None:
    clock, root = MovedClock(), tmp_path / "Inklings-sample"
    copied_or_made(kept_roots / "sample_of_noon", root, lambda: make_sample_world(root, clock))
    fresh = youngest_age(root, clock)
    (root / "settings.toml").write_text("# mine\n")
    clock.now += timedelta(days=30)
    assert sample_root.renew(root, clock, open_inklings)
    assert youngest_age(root, clock) == fresh
    assert (root / "settings.toml").read_text() == "# mine\n"
    assert {one.name for one in tmp_path.iterdir()} == {root.name, f"{root.name}-pages"}
    assert not sample_root.renew(root, clock, open_inklings)


def test_a_sample_world_that_somebody_wrote_in_grows_old(tmp_path: Path, kept_roots: Path) -> None:
    clock, root = MovedClock(), tmp_path / "Inklings-sample"
    copied_or_made(kept_roots / "sample_of_noon", root, lambda: make_sample_world(root, clock))
    clock.now += timedelta(minutes=1)
    with open_inklings(root, clock=clock, embedder=no_model()) as inklings:
        inklings.memories.put(MemoryDraft(ScopeKey.account(), "Mine"))
    clock.now += timedelta(days=30)
    assert not sample_root.renew(root, clock, open_inklings)
    with open_inklings(root, clock=clock, embedder=no_model()) as inklings:
        assert inklings.listing.count(None).by_scope[ScopeKey.account()] == 19


def test_what_the_clock_does_counts_for_nobody_and_a_window_holds_a_sample_world(
    tmp_path: Path, kept_roots: Path
) -> None:
    clock, root = MovedClock(), tmp_path / "Inklings-sample"
    copied_or_made(kept_roots / "sample_of_noon", root, lambda: make_sample_world(root, clock))
    clock.now += timedelta(days=2)
    with open_inklings(root, clock=clock, embedder=FakeEmbedder()) as inklings:
        for world in inklings.places.workspaces():
            inklings.tasks.look(world.id)
            inklings.tasks.backfill(world.id)
            inklings.conversations.forget_closed(world.id)
        inklings.scrub.attend("a window", is_open=True)
        assert not sample_root.renew(root, clock, open_inklings)
        inklings.scrub.attend("a window", is_open=False)
    assert sample_root.renew(root, clock, open_inklings)


def test_the_making_of_a_sample_world_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[object] = []
    root = tmp_path / "Inklings-sample"
    for _ in range(2):  # the second time it is there
        with bootstrap._opener(root, demo=True, ours=True, run_clock=False)(told.append):
            pass
    assert told == [MakingSample(root), None]
    assert capsys.readouterr().err.count(f"Making the sample world in {root}") == 1


@pytest.mark.parametrize("ours", [True, False])
def test_a_sample_world_that_cannot_be_read_is_kept_aside_for_a_new_one(
    built_sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, ours: bool
) -> None:
    root = Path(shutil.copytree(built_sample, tmp_path / "Inklings-sample"))
    with closing(sqlite3.connect(root / "agents.db")) as connection, connection:
        connection.execute("DROP TABLE saved_filters")  # as a draft of the schema had it not yet
    opener = bootstrap._opener(root, demo=True, ours=ours, run_clock=False)
    if not ours:  # somebody's own folder is nobody's to move
        with pytest.raises(DatabaseCorruptError), opener(upgrade_unheard):
            raise AssertionError
        assert [one.name for one in tmp_path.iterdir()] == [root.name]
        return
    with opener(upgrade_unheard) as inklings:
        assert len(inklings.places.workspaces()) == 3
    (kept,) = tmp_path.glob("*-kept-*")
    assert kept.name.startswith("Inklings-sample-kept-")
    assert (kept / "agents.db").exists()
    assert str(kept) in capsys.readouterr().err


def test_missing_system_libraries_are_named_with_the_line_that_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "inklings_desktop.ui.app.display.missing_libraries", lambda: ("libxcb-cursor.so.0",)
    )
    assert run_window(tmp_path / "data", tour=tmp_path / "tour") == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "libxcb-cursor.so.0" in said.err
    assert "apt-get install" in said.err
    assert "dnf install" in said.err
    assert not (tmp_path / "data").exists()


def test_who_takes_the_name_back_signs_as_the_system_user(tmp_path: Path) -> None:
    save = {"person.display_name": "Ada"}
    with open_inklings(tmp_path, embedder=no_model()) as inklings:
        inklings.preferences.save(save)
    with open_inklings(tmp_path, embedder=no_model()) as inklings:
        assert inklings.signer.name == "Ada"
        inklings.preferences.save(dict.fromkeys(save))
        assert inklings.signer.name == inklings.settings.system_name

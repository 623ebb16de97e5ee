"""The pages that lie beside the data root of the sample world, and what it knows of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from inklings_desktop import sample_root
from inklings_desktop.bootstrap import make_sample_world, open_inklings
from inklings_desktop.domain.entries.proposals import ABOUT_PAGES
from inklings_desktop.resource_files import resource
from inklings_desktop.sample_root import told_by
from inklings_desktop.usecases.bundle import Inklings
from tests.support.builders import NOON
from tests.support.fake_embedder import FakeEmbedder
from tests.support.kept_roots import copied_or_made

MOST_AGO = timedelta(hours=3)


@contextmanager
def opened(root: Path, now: datetime = NOON) -> Iterator[tuple[Inklings, str]]:
    with open_inklings(root, clock=lambda: now, embedder=FakeEmbedder()) as inklings:
        (main,) = [one for one in inklings.places.workspaces() if "Saltglass" in one.name]
        yield inklings, main.id


@pytest.fixture
def root(tmp_path: Path, kept_roots: Path) -> Path:
    """A sample world of noon, with its pages beside it."""
    place = tmp_path / "Inklings-sample"
    copied_or_made(
        kept_roots / "sample_of_noon", place, lambda: make_sample_world(place, lambda: NOON)
    )
    return place


def pages_of(root: Path) -> Path:
    return root.with_name(f"{root.name}-pages")


def test_every_page_is_linked_and_read_and_agents_may_propose_there(root: Path) -> None:
    shipped = resource("sample_pages/Timeline.md").parent
    assert told_by(pages_of(root)) == told_by(shipped)
    with opened(root) as (inklings, main_id):
        (look,) = inklings.world.folders(main_id)
        pages = inklings.world.outline(main_id)
    assert (look.folder.name, look.state, look.n_pages) == ("saltglass-world", "ready", 34)
    assert look.folder.takes_proposals
    assert len(pages) == 34
    recent = {one.path for one in pages if NOON - one.changed_at < MOST_AGO}
    assert recent == {
        "Timeline.md",
        "chapters/09-a-letter-from-the-island.md",
        "people/brother-amadi-ruun.md",
    }
    assert all(NOON - one.changed_at > timedelta(days=2) for one in pages if one.path not in recent)


def test_memories_come_from_blocks_and_three_of_these_say_something_else_now(root: Path) -> None:
    document = json.loads(resource("sample_world.json").read_text(encoding="utf-8"))
    told = {one["id"]: one["derivations"] for one in document["memories"] if one["derivations"]}
    with opened(root) as (inklings, main_id):
        (look,) = inklings.world.folders(main_id)
        standing = inklings.derivations.standing(main_id, told)
        cases = inklings.derivations.retcons(main_id)
        counts = inklings.derivations.counts(main_id, look.folder.id)
        begins = next(one for one in cases if one.page_title == "Timeline")
        suggested = inklings.derivations.suggested(begins, begins.memories[0])
    for id_, sources in told.items():
        for source, stands in zip(sources, standing[id_], strict=True):
            assert stands.page_title == source["page"]
            assert bool(stands.block_id) is ("says" in source)
            assert stands.has_changed is ("said" in source)
            assert source["block"] in stands.derivation.heading.split("/") or not source["block"]
    assert {one.page_title for one in cases} == {"Timeline", "Chapter 9", "Brother Amadi Ruun"}
    assert all(NOON - one.retcon.found_at < MOST_AGO for one in cases)
    assert suggested == "The story is set eleven years after the Wend Gate flood."
    assert counts["people/brother-amadi-ruun.md"] == (3, 1)
    assert counts["people/nerys-talwater.md"] == (4, 0)


def test_another_look_finds_nothing_that_the_sample_does_not_say_itself(root: Path) -> None:
    with opened(root, NOON + timedelta(days=1)) as (inklings, main_id):
        before = inklings.derivations.retcons(main_id)
        assert inklings.world.look(main_id) == ()
        assert inklings.derivations.notice(main_id, ()) == ()
        assert inklings.derivations.retcons(main_id) == before


def test_two_changes_of_pages_are_proposed_and_fit_the_pages(root: Path) -> None:
    with opened(root) as (inklings, main_id):
        waiting = [one for one in inklings.proposals.list(main_id) if one.kind in ABOUT_PAGES]
        compared = {one.target_name: inklings.page_proposals.compare(one.ref) for one in waiting}
    assert set(compared) == {"Chapter 12", "Thrennay"}
    for one in compared.values():
        assert (one.is_overtaken, one.is_gone) == (False, False)
        assert one.proposal.reason
    assert "It glittered like a tide" in compared["Chapter 12"].old_text
    assert "like breath off a cellar stair" in compared["Chapter 12"].new_text
    island = compared["Thrennay"]
    added = set(island.new_text.splitlines()) - set(island.old_text.splitlines())
    assert "## How it walks" in added
    assert set(island.old_text.splitlines()) < set(island.new_text.splitlines())


def test_the_pages_are_made_anew_with_the_sample_and_are_as_young_as_it(root: Path) -> None:
    later = NOON + timedelta(days=30)
    assert sample_root.renew(root, lambda: later, open_inklings)
    with opened(root, later) as (inklings, main_id):
        (look,) = inklings.world.folders(main_id)
        timeline = inklings.world.page(main_id, "Timeline").page
        assert len(inklings.derivations.retcons(main_id)) == 3
    assert Path(look.folder.path) == pages_of(root)
    assert later - timeline.changed_at < MOST_AGO
    assert {one.name for one in root.parent.iterdir()} == {root.name, pages_of(root).name}


@pytest.mark.parametrize("written", ["Timeline.md", "people/Somebody new.md"])
def test_a_page_that_the_author_wrote_keeps_the_sample_as_it_is(root: Path, written: str) -> None:
    (pages_of(root) / written).write_text("Mine.\n", encoding="utf-8")
    assert not sample_root.renew(root, lambda: NOON + timedelta(days=30), open_inklings)
    assert (pages_of(root) / written).read_text(encoding="utf-8") == "Mine.\n"


def test_a_folder_that_is_somebodys_is_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "world"
    pages_of(root).mkdir()
    (pages_of(root) / "mine.md").write_text("Mine.\n", encoding="utf-8")
    make_sample_world(root, lambda: NOON)
    assert [one.name for one in pages_of(root).iterdir()] == ["mine.md"]
    with opened(root) as (inklings, main_id):
        (look,) = inklings.world.folders(main_id)
    assert Path(look.folder.path) == tmp_path / "world-pages2"


def test_where_the_disk_refuses_the_pages_the_sample_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("shutil.copyfile", refuse)
    root = tmp_path / "world"
    assert make_sample_world(root, lambda: NOON).n_memories == 119
    assert [one.name for one in tmp_path.iterdir()] == ["world"]
    with opened(root) as (inklings, main_id):
        assert inklings.world.folders(main_id) == ()
        assert inklings.derivations.retcons(main_id) == ()
    assert sample_root.renew(root, lambda: NOON + timedelta(days=30), open_inklings)

"""The noun ``World``: folders, looks and reading, as each caller may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.background.tasks import RunState, world_of
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StoppedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.domain.world.pages import BlockKind, FolderRules
from inklings_desktop.usecases.background.background_work import BUSY
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.leases import leased
from inklings_desktop.worldfiles.local_files import LocalWorldFiles
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_memory,
    an_agent,
    the_clock,
)
from tests.support.page_files import PageFiles

if TYPE_CHECKING:
    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.world.world import World as Noun
    from tests.usecases.world import World

NERYS = (
    "# Nerys\n\nThe ferrywoman, with grey eyes.\n\n> [!question]\n> Who taught her to row? #todo\n"
)


@pytest.fixture
def files(world: World) -> PageFiles:
    """Two pages, which the use cases read."""
    files = PageFiles()
    files.put("People/Nerys.md", NERYS)
    files.put("River.md", "# The river\n\nIt smells of peat.\n")
    indexes = world.databases.worlds
    world.adapters = SimpleNamespace(
        world_files=files, world_indexes=indexes, key=world.databases.key
    )
    return files


@pytest.fixture
def folder(world: World, files: PageFiles, tmp_path: Path) -> WorldFolder:
    """A linked folder that was looked at once."""
    (tmp_path / "vault").mkdir()
    linked = noun(world).link(WORKSPACE_ID, tmp_path / "vault", name="Harrowmere")
    noun(world).look(WORKSPACE_ID)
    return linked


def noun(world: World) -> Noun:
    return world.person.world


def a_reader() -> object:
    return an_agent(tiers=(Tier.WORKSPACE,), actions=frozenset({Action.WORLD_READ}))


def found(world: Inklings | World, text: str, **asked: Any) -> list[str]:
    asked_by: Any = getattr(world, "person", world)
    answer = asked_by.world.search(WORKSPACE_ID, WorldQuery(text, **asked))
    return [hit.page.path for hit in answer.hits]


def test_a_folder_is_linked_looked_at_and_found_in(world: World, folder: WorldFolder) -> None:
    (look,) = noun(world).folders(WORKSPACE_ID)
    assert (look.folder, look.state, look.n_pages) == (folder, "ready", 2)
    assert (look.looked_at, look.way, look.every_seconds) == (NOON, "watched", 6.0)
    noun(world).look(WORKSPACE_ID)
    assert noun(world).folders(WORKSPACE_ID)[0].every_seconds == 30.0
    assert found(world, "peat") == ["River.md"]
    assert found(world, "grey", folder="harrowmere") == ["People/Nerys.md"]
    assert EventKind.WORLD_LINKED in world.kinds()
    assert str(Path(folder.path)) not in repr(world.events())


def test_a_folder_is_linked_once_and_under_one_name(
    world: World, folder: WorldFolder, tmp_path: Path
) -> None:
    world.directory.create(Workspace(OTHER_WORKSPACE_ID, "Other", NOON))
    inside = tmp_path / "vault" / "People"
    inside.mkdir()
    for workspace_id in (WORKSPACE_ID, OTHER_WORKSPACE_ID):
        for place in (tmp_path / "vault", inside, tmp_path):
            with pytest.raises(InvalidValueError) as refused:
                noun(world).link(workspace_id, place)
            assert (refused.value.rule, refused.value.limit) == ("linked", "Harrowmere")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with pytest.raises(ConflictError):
        noun(world).link(WORKSPACE_ID, elsewhere, name="HARROWMERE")
    assert noun(world).link(OTHER_WORKSPACE_ID, elsewhere).name == "elsewhere"
    moved = noun(world).relocate(WORKSPACE_ID, "Harrowmere", tmp_path / "vault" / "People")
    assert moved.path == str(inside)


def test_what_is_set_of_a_folder_holds_at_once(world: World, folder: WorldFolder) -> None:
    rules = FolderRules(folders={"People/**": {"lifecycle": "retired"}})
    noun(world).set_rules(WORKSPACE_ID, folder.id, rules)
    assert found(world, "grey") == []
    assert found(world, "grey", lifecycle="retired") == ["People/Nerys.md"]
    assert noun(world).take_proposals(WORKSPACE_ID, "Harrowmere", allowed=True).takes_proposals
    with pytest.raises(NotFoundError):
        noun(world).set_rules(WORKSPACE_ID, "another", rules)


def test_an_unlinked_folder_is_found_no_more(world: World, folder: WorldFolder) -> None:
    noun(world).unlink(WORKSPACE_ID, "Harrowmere")
    assert noun(world).folders(WORKSPACE_ID) == ()
    assert found(world, "peat") == []
    assert noun(world).outline(WORKSPACE_ID) == ()
    assert noun(world).changes(WORKSPACE_ID) == ()
    assert EventKind.WORLD_UNLINKED in world.kinds()
    assert not world.path().with_name("world.db").exists()


def test_without_a_folder_nothing_is_found_and_no_index_is_made(
    world: World, files: PageFiles
) -> None:
    assert found(world, "peat") == []
    assert noun(world).folders(WORKSPACE_ID) == ()
    assert noun(world).outline(WORKSPACE_ID) == ()
    assert noun(world).changes(WORKSPACE_ID) == ()
    assert noun(world).look(WORKSPACE_ID) == ()
    with pytest.raises(NotFoundError):
        noun(world).page(WORKSPACE_ID, "Nerys")
    assert not world.path().with_name("world.db").exists()


def test_a_page_is_read_by_whatever_names_it(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    files.put("Old/River.md", "# Another river\n\nDry.\n")
    noun(world).look(WORKSPACE_ID)
    whole = noun(world).page(WORKSPACE_ID, "nerys")
    assert noun(world).page(WORKSPACE_ID, whole.page.id) == whole
    with pytest.raises(InvalidValueError) as several:
        noun(world).page(WORKSPACE_ID, "River")
    assert several.value.limit == "Old/River.md, River.md"
    assert noun(world).page(WORKSPACE_ID, "River.md").page.title == "The river"
    with pytest.raises(NotFoundError):
        noun(world).page(WORKSPACE_ID, "nobody")
    question = [one for one in whole.blocks if one.kind is not BlockKind.HEADING][1:]
    assert noun(world).axes(WORKSPACE_ID, whole.page, question).standing.value == "open"
    assert noun(world).axes(WORKSPACE_ID, whole.page, whole.blocks[:1]).lifecycle.value == "draft"


def test_the_page_that_the_author_reads_is_kept(world: World, folder: WorldFolder) -> None:
    assert noun(world).active_page(WORKSPACE_ID) is None
    page = noun(world).page(WORKSPACE_ID, "Nerys").page
    noun(world).read_here(WORKSPACE_ID, page.id)
    reader = world.asked_by(a_reader())  # type: ignore[arg-type]
    assert reader.world.active_page(WORKSPACE_ID) == page
    with pytest.raises(ScopeDeniedError):
        reader.world.read_here(WORKSPACE_ID, None)
    noun(world).read_here(WORKSPACE_ID, None)
    assert noun(world).active_page(WORKSPACE_ID) is None


def test_pages_are_closed_without_their_own_right(
    world: World, folder: WorldFolder, tmp_path: Path
) -> None:
    stranger = world.asked_by(an_agent()).world
    for asked in (
        lambda: stranger.folders(WORKSPACE_ID),
        lambda: stranger.search(WORKSPACE_ID, WorldQuery("peat")),
        lambda: stranger.outline(WORKSPACE_ID),
        lambda: stranger.page(WORKSPACE_ID, "Nerys"),
        lambda: stranger.changes(WORKSPACE_ID),
        lambda: stranger.active_page(WORKSPACE_ID),
        lambda: stranger.look(WORKSPACE_ID),
        lambda: stranger.link(WORKSPACE_ID, tmp_path),
        lambda: stranger.unlink(WORKSPACE_ID, "Harrowmere"),
    ):
        with pytest.raises(ScopeDeniedError):
            asked()
    reader = world.asked_by(a_reader())  # type: ignore[arg-type]
    assert found(reader, "peat") == ["River.md"]
    with pytest.raises(ScopeDeniedError):
        reader.world.unlink(WORKSPACE_ID, "Harrowmere")
    with pytest.raises(ScopeDeniedError):
        reader.world.search(OTHER_WORKSPACE_ID, WorldQuery("peat"))


def test_memories_and_pages_are_searched_apart(world: World, folder: WorldFolder) -> None:
    world.keep(a_memory("The river smells of peat and of iron.", scope=_scope()))
    assert found(world, "peat iron") == ["River.md"]
    world.databases.worlds.close()
    index_path = world.path().with_name("world.db")
    pages = index_path.read_bytes()
    index_path.write_bytes(b"not to be opened")
    result = world.person.search.find([_scope()], SearchRequest("peat"))
    assert [hit.entry.content for hit in result.hits] == ["The river smells of peat and of iron."]
    assert index_path.read_bytes() == b"not to be opened"
    index_path.write_bytes(pages)


def _scope() -> ScopeKey:
    return ScopeKey.workspace(WORKSPACE_ID)


def test_a_look_without_news_writes_nothing_into_the_memory(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    before = world.everything()
    world.clock.advance(hours=1)
    assert noun(world).look(WORKSPACE_ID) == ()
    assert world.everything() == before
    assert noun(world).folders(WORKSPACE_ID)[0].looked_at == world.clock()
    files.put("New.md", "# New\n\nText.\n")
    assert len(noun(world).look(WORKSPACE_ID, "Harrowmere")) == 1


def test_one_process_reads_at_a_time(world: World, files: PageFiles, folder: WorldFolder) -> None:
    files.put("New.md", "# New\n\nText.\n")
    target = world_of(WORKSPACE_ID)
    with (
        leased(world.store, target, "another", world.clock),
        pytest.raises(AlreadyRunningError),
    ):
        noun(world).look(WORKSPACE_ID)
    assert len(noun(world).look(WORKSPACE_ID)) == 1


def test_a_folder_that_is_gone_keeps_its_pages(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    files.is_there = False
    assert noun(world).look(WORKSPACE_ID) == ()
    assert noun(world).folders(WORKSPACE_ID)[0].state == "missing"
    answer = noun(world).search(WORKSPACE_ID, WorldQuery("peat"))
    assert answer.is_stale
    assert len(answer.hits) == 1
    files.is_there = True
    for path in list(files.texts):
        files.remove(path)
    noun(world).look(WORKSPACE_ID)
    assert noun(world).folders(WORKSPACE_ID)[0].state == "missing"
    assert found(world, "peat") == ["River.md"]


def test_an_index_made_anew_finds_the_same(world: World, folder: WorldFolder) -> None:
    done: list[tuple[int, int]] = []
    noun(world).rebuild(WORKSPACE_ID, report=lambda *one: done.append(one))
    assert done[-1] == (2, 2)
    assert found(world, "peat") == ["River.md"]


def test_a_query_is_refused_by_its_figures(world: World, folder: WorldFolder) -> None:
    for query in (WorldQuery("peat", limit=51), WorldQuery("peat", mode="magic")):
        with pytest.raises(InvalidValueError):
            noun(world).search(WORKSPACE_ID, query)
    with pytest.raises(NotFoundError):
        noun(world).search(WORKSPACE_ID, WorldQuery("peat", folder="another"))


def test_the_clock_looks_and_makes_vectors(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    clock = world.asked_by(the_clock()).world
    quiet = clock.tend(WORKSPACE_ID, trigger="interval", is_quiet=lambda: False)
    assert (quiet.state, quiet.problem, quiet.counts["embedded"]) == (RunState.STOPPED, BUSY, 0)
    steps: list[str] = []
    progress = Progress(lambda step, *_: steps.append(step))
    files.put("New.md", "# New\n\nA cormorant.\n")
    assert clock.tend(WORKSPACE_ID, trigger="interval", is_quiet=lambda: False).counts["pages"] == 0
    run = clock.tend(WORKSPACE_ID, trigger="event", progress=progress)
    assert run.state is RunState.FINISHED
    assert run.counts["pages"] == 1
    assert run.counts["embedded"] >= 3
    assert {"read", "embed"} == set(steps)
    assert noun(world).search(WORKSPACE_ID, WorldQuery("peat")).share_compared == 1.0


def test_a_model_that_fails_keeps_no_page_from_being_read(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    world.embedder.fails = True
    files.put("New.md", "# New\n\nA cormorant.\n")
    run = world.asked_by(the_clock()).world.tend(WORKSPACE_ID, trigger="event")
    assert (run.problem, run.counts["pages"]) == ("EmbeddingUnavailableError", 1)
    assert found(world, "cormorant") == ["New.md"]


def test_a_stopped_look_keeps_what_it_read(
    world: World, files: PageFiles, folder: WorldFolder
) -> None:
    for number in range(9):
        files.put(f"{number}.md", f"# Page {number}\n\nText.\n")
    read = files.read_paths.copy()
    progress = Progress(is_cancelled=lambda: len(files.read_paths) >= len(read) + 4)
    with pytest.raises(StoppedError):
        world.asked_by(the_clock()).world.tend(WORKSPACE_ID, trigger="request", progress=progress)
    assert len(noun(world).outline(WORKSPACE_ID)) == 2 + 4


def test_real_files_are_read(world: World, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Nerys.md").write_text("---\nstatus: wip\ntags: [core]\n---\n" + NERYS, "utf-8")
    world.adapters = SimpleNamespace(
        world_files=LocalWorldFiles(world.root),
        world_indexes=world.databases.worlds,
        key=world.databases.key,
    )
    folder = noun(world).link(WORKSPACE_ID, vault)
    rules = replace(folder.rules, axes={"lifecycle": {"wip": "canon"}})
    noun(world).set_rules(WORKSPACE_ID, folder.name, rules)
    noun(world).look(WORKSPACE_ID)
    hit = noun(world).search(WORKSPACE_ID, WorldQuery("ferrywoman")).hits[0]
    assert (hit.axes.lifecycle.value, hit.axes.weight.value) == ("canon", "core")
    assert hit.block.first_line == 7

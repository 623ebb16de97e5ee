"""The index of pages: what is found, which block is which, and that it may be lost at any time."""

from __future__ import annotations

import stat
import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.domain.world.pages import FolderRules, PageEvent, PageState
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.world.settling import BLOCKS_AT_ONCE
from inklings_desktop.storage.world.world_index import SqliteWorldIndexes
from inklings_desktop.usecases.ports.world import LookNote, PageMeaning
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock
from tests.support.fake_embedder import MINILM, FakeEmbedder
from tests.support.page_files import FOLDER, PageFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.domain.world.finding import WorldAnswer, WorldHit
    from inklings_desktop.domain.world.pages import Page, PageChange, WorldFolder
    from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.world.world_index import SqliteWorldIndex

NERYS = """---
status: canon
species: heronkin
---
# Nerys

The ferrywoman of Harrowmere, with grey eyes and a scar across her left hand since the flood.

## Oath

She swore to the river never to carry iron across it again, and nobody knows why she did. #oath

See [[The river]] and ![[Map of the fen]].
"""
RIVER = """# The river

A slow brown water that smells of peat, and in spring it takes the lower houses with it.
"""
NO_MEANING = PageMeaning("none", MINILM, lambda: None)


@pytest.fixture
def files() -> PageFiles:
    """Two pages."""
    files = PageFiles()
    files.put("People/Nerys.md", NERYS)
    files.put("Places/River.md", RIVER)
    return files


@pytest.fixture
def index(tmp_path: Path) -> SqliteWorldIndex:
    """Of a workspace without any page."""
    return made(tmp_path)


def made(root: Path) -> SqliteWorldIndex:
    """The index of a workspace, opened by another program as it were."""
    (root / "workspaces" / WORKSPACE_ID).mkdir(parents=True, exist_ok=True)
    return SqliteWorldIndexes(root, FixedClock()).of(WORKSPACE_ID)


def path_of(root: Path) -> Path:
    return root / "workspaces" / WORKSPACE_ID / "world.db"


def look(
    index: SqliteWorldIndex,
    files: PageFiles,
    folder: WorldFolder = FOLDER,
    *,
    days: int = 0,
    goes_on: Callable[[], bool] = lambda: True,
) -> tuple[PageChange, ...]:
    """One look at all files."""
    return index.settle(
        folder,
        files.stamps(),
        lambda stamp: files.read(folder, stamp),
        at=NOON + timedelta(days=days),
        report=lambda *_: None,
        goes_on=goes_on,
    )


def find(index: SqliteWorldIndex, text: str, **asked: object) -> list[str]:
    """What the found blocks say, the best first."""
    return [one.block.text for one in answer(index, text, **asked).hits]


def answer(index: SqliteWorldIndex, text: str, **asked: object) -> WorldAnswer:
    folders = asked.pop("folders", (FOLDER,))
    return index.search(WorldQuery(text, **asked), folders, NO_MEANING)  # type: ignore[arg-type]


def page_at(index: SqliteWorldIndex, path: str) -> Page:
    (page,) = index.named(path)
    return page


def block_id(index: SqliteWorldIndex, path: str, part: str) -> str:
    """The id of the one block of a page that says this."""
    (found,) = [one for one in index.page(page_at(index, path).id).blocks if part in one.text]
    return found.id


def test_every_word_is_found_with_its_block(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    for word in ("ferrywoman", "iron", "peat", "Oath", "heronkin", "status"):
        assert find(index, word), word
    hit = answer(index, "grey eyes").hits[0]
    assert (hit.page.path, hit.heading, hit.by) == ("People/Nerys.md", "Nerys", "words")
    assert [hit.excerpt[begin:end] for begin, end in hit.spans] == ["grey", "eyes"]
    assert hit.axes.lifecycle.value == "canon"


def test_a_word_of_the_neighbour_is_context_and_weighs_less(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    files.put("Iron.md", "# Iron\n\nWhat the river takes, iron most of all.\n")
    look(index, files)
    assert find(index, "iron")[0].startswith("What the river takes")


def test_an_unchanged_folder_reads_no_file(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    files.read_paths.clear()
    assert look(index, files) == ()
    assert files.read_paths == []


def test_an_edited_block_keeps_its_id_and_the_others_their_vectors(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    oath, eyes = (block_id(index, "People/Nerys.md", one) for one in ("swore", "grey eyes"))
    model = FakeEmbedder()
    missing = index.without_vector(model.model_id, 50)
    vectors = model.embed([text for _, text in missing])
    index.put_vectors(model.model_id, [(one, v) for (one, _), v in zip(missing, vectors)])  # noqa: B905
    n_all = index.vector_counts(model.model_id)[1]
    files.put("People/Nerys.md", NERYS.replace("never to carry iron", "never to carry silver"))
    (change,) = look(index, files)
    assert (change.what, change.counts) == (PageEvent.EDITED, {"edited": 1})
    assert block_id(index, "People/Nerys.md", "silver") == oath
    assert block_id(index, "People/Nerys.md", "grey eyes") == eyes
    assert index.vector_counts(model.model_id) == (n_all - 1, n_all)
    assert find(index, "silver")
    assert not find(index, "iron")


def test_a_renamed_page_is_the_same_page(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    before = page_at(index, "People/Nerys.md")
    files.move("People/Nerys.md", "People/Nerys of the ferry.md")
    (change,) = look(index, files)
    assert (change.what, change.page_id, change.counts) == (PageEvent.MOVED, before.id, {})
    assert page_at(index, "People/Nerys of the ferry.md").id == before.id
    assert index.named("People/Nerys.md") == ()


def test_a_page_written_anew_under_another_name_is_known_by_its_bytes(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    before = page_at(index, "Places/River.md")
    files.remove("Places/River.md")
    look(index, files)
    assert index.page(before.id).page.gone_at == NOON
    assert find(index, "peat") == []
    files.put("River.md", RIVER)
    (change,) = look(index, files, days=1)
    assert (change.what, change.page_id) == (PageEvent.MOVED, before.id)
    assert find(index, "peat")


def test_a_conflict_copy_takes_no_page_away(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    before = page_at(index, "Places/River.md")
    files.remove("Places/River.md")
    files.put("Places/River.sync-conflict-20260314.md", RIVER)
    changes = look(index, files)
    assert {one.what for one in changes} == {PageEvent.ADDED, PageEvent.GONE}
    (copy,) = index.named("Places/River.sync-conflict-20260314.md")
    assert copy.is_copy
    assert copy.id != before.id


def test_an_inode_alone_makes_no_page_another(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    before = page_at(index, "Places/River.md")
    files.move("Places/River.md", "Song.md")
    files.put("Song.md", "# Song\n\nWords that nobody has ever heard in this country before now.\n")
    look(index, files)
    assert page_at(index, "Song.md").id != before.id


def test_a_block_that_moves_to_another_page_keeps_its_id(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    oath = block_id(index, "People/Nerys.md", "swore")
    paragraph = NERYS[NERYS.index("She swore") : NERYS.index("\n\nSee")]
    files.put("People/Nerys.md", NERYS.replace(paragraph, ""))
    files.put("Oaths.md", f"# Oaths\n\n{paragraph}\n")
    changes = look(index, files)
    assert block_id(index, "Oaths.md", "swore") == oath
    edited = next(one for one in changes if one.what is PageEvent.EDITED)
    assert edited.counts.get("moved") == 1
    assert index.changes(edited.number - 1, 1) == (replace(edited, counts={"moved": 1}),)


def test_what_is_gone_is_forgotten_after_some_days(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    before = page_at(index, "Places/River.md")
    files.remove("Places/River.md")
    look(index, files)
    look(index, files, days=8)
    with pytest.raises(NotFoundError):
        index.page(before.id)


def test_a_file_that_cannot_be_read_for_now_keeps_its_text(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    files.put("Places/River.md", RIVER + "\nMore.\n")
    files.unreadable.add("Places/River.md")
    assert look(index, files) == ()
    assert page_at(index, "Places/River.md").state is PageState.UNREADABLE
    assert find(index, "peat")
    files.unreadable.clear()
    (change,) = look(index, files)
    assert change.counts == {"added": 1}


def test_a_cancelled_look_keeps_what_it_read_and_takes_nothing_away(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    files.remove("Places/River.md")
    for number in range(5):
        files.put(f"New {number}.md", f"# New {number}\n\nSomething else about number {number}.\n")
    n_asked = iter(range(9))
    look(index, files, goes_on=lambda: next(n_asked) < 2)
    assert len(index.pages()) == 4
    assert find(index, "peat")
    assert len(look(index, files)) == 4


def test_a_page_of_many_blocks_is_stored_before_the_next_is_read(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    files.put("A long one.md", "One.\n\n" * BLOCKS_AT_ONCE)
    stored: list[int] = []

    def goes_on() -> bool:
        stored.append(len(index.pages()))
        return True

    look(index, files, goes_on=goes_on)
    assert stored[:3] == [0, 1, 1]
    assert len(index.pages()) == 3


def test_retired_pages_are_found_only_when_asked_for(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    files.put("Archive/Old river.md", RIVER.replace("brown", "green"))
    rules = FolderRules(folders={"Archive/**": {"lifecycle": "retired"}})
    folder = replace(FOLDER, rules=rules)
    look(index, files)
    assert [hit.page.path for hit in answer(index, "peat", folders=(folder,)).hits] == [
        "Places/River.md"
    ]
    asked = answer(index, "peat", folders=(folder,), lifecycle="retired")
    assert [hit.page.path for hit in asked.hits] == ["Archive/Old river.md"]


def test_many_retired_pages_hide_no_other(index: SqliteWorldIndex, files: PageFiles) -> None:
    for number in range(150):
        files.put(f"Archive/{number}.md", f"# Peat {number}\n\nPeat, peat and peat.\n")
    folder = replace(FOLDER, rules=FolderRules(folders={"Archive/**": {"lifecycle": "retired"}}))
    look(index, files)
    hits = answer(index, "peat", folders=(folder,)).hits
    assert [hit.page.path for hit in hits] == ["Places/River.md"]


def test_tags_and_folders_narrow_a_search(index: SqliteWorldIndex, files: PageFiles) -> None:
    other = replace(FOLDER, id="other", name="Other")
    look(index, files)
    look(index, PageFiles({}), other)
    assert find(index, "river", tags=("oath",))
    assert find(index, "peat", tags=("oath",)) == []
    assert find(index, "river", folders=(other,)) == []


def test_words_that_are_near_in_meaning_are_found(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    model = FakeEmbedder(same={"boatwoman": "ferrywoman"}, dimension=512)
    missing = index.without_vector(model.model_id, 50)
    vectors = model.embed([text for _, text in missing])
    index.put_vectors(model.model_id, list(zip((one for one, _ in missing), vectors)))  # noqa: B905
    meaning = PageMeaning(
        model.model_id,
        replace(MINILM, shown=0.05),
        lambda: model.embed_question("boatwoman"),
    )
    found = index.search(WorldQuery("boatwoman"), (FOLDER,), meaning)
    assert found.hits[0].by == "meaning"
    assert "ferrywoman" in found.hits[0].block.text
    assert found.share_compared == 1.0
    by_words = index.search(WorldQuery("boatwoman", mode="keyword"), (FOLDER,), meaning)
    assert by_words.hits == ()
    files.remove("People/Nerys.md")
    look(index, files)
    assert not any("ferry" in one.block.text for one in _near(index, meaning))


def _near(index: SqliteWorldIndex, meaning: PageMeaning) -> tuple[WorldHit, ...]:
    return index.search(WorldQuery("boatwoman", mode="semantic"), (FOLDER,), meaning).hits


def test_links_lead_to_pages_by_name_and_back(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    (river,) = index.named("the RIVER")
    whole = index.page(river.id)
    assert [one.path for one in whole.linked_from] == ["People/Nerys.md"]
    assert {one.target for one in index.page(page_at(index, "Nerys").id).links} >= {
        "The river",
        "oath",
    }


def test_two_pages_of_one_name_are_both_named(index: SqliteWorldIndex, files: PageFiles) -> None:
    files.put("Other/River.md", "# Another\n\nText.\n")
    look(index, files)
    assert [one.path for one in index.named("river")] == ["Other/River.md", "Places/River.md"]
    assert [one.path for one in index.named("other/river")] == ["Other/River.md"]


def test_pages_are_listed_by_path(index: SqliteWorldIndex, files: PageFiles) -> None:
    look(index, files)
    assert [one.path for one in index.pages()] == ["People/Nerys.md", "Places/River.md"]
    assert [one.path for one in index.pages(under="People/")] == ["People/Nerys.md"]
    assert [one.path for one in index.pages(after="People/Nerys.md")] == ["Places/River.md"]
    assert index.pages(folder_id="none") == ()


def test_a_name_is_known_and_passages_share_words(
    index: SqliteWorldIndex, files: PageFiles
) -> None:
    look(index, files)
    assert index.knows_name("Harrowmere")
    assert index.knows_name("slow brown water")
    assert not index.knows_name("brown slow")
    assert not index.knows_name("...")
    ((id_, text),) = index.passages_sharing(["carry", "iron", "river"], 1)
    assert id_ == block_id(index, "People/Nerys.md", "swore")
    assert "never to carry iron" in text


def test_a_look_is_told(index: SqliteWorldIndex, files: PageFiles) -> None:
    (unread,) = index.looks((FOLDER,))
    assert (unread.state, unread.looked_at) == ("unread", None)
    index.note_look(FOLDER.id, LookNote("reading", 0, None, True, 30.0))
    look(index, files)
    index.note_look(FOLDER.id, LookNote("ready", 3, NOON, False, 30.0))
    (told,) = index.looks((FOLDER,))
    assert (told.state, told.n_pages, told.n_other, told.way) == ("ready", 2, 3, "looked_at")
    index.note_look(FOLDER.id, LookNote("missing", 0, None, False, 30.0))
    assert answer(index, "peat").is_stale
    assert index.looks((FOLDER,))[0].looked_at == NOON


@pytest.mark.parametrize("damage", ["nonsense", "torn", "foreign", "other workspace", "trigger"])
def test_a_file_that_is_not_sound_is_set_aside_and_made_anew(
    tmp_path: Path, files: PageFiles, damage: str
) -> None:
    index = made(tmp_path)
    look(index, files)
    index.close()
    path = path_of(tmp_path)
    damaged = path.read_bytes()
    if damage == "nonsense":
        path.write_bytes(b"no database at all" * 999)
    elif damage == "torn":
        path.write_bytes(damaged[:4096] + bytes(8192))
    else:
        with sqlite_module().connect(path) as connection:
            match damage:
                case "foreign":
                    connection.execute("PRAGMA application_id = 7")
                case "other workspace":
                    connection.execute("UPDATE meta SET workspace_id = 'another'")
                case _:
                    connection.execute(
                        "CREATE TRIGGER t AFTER INSERT ON pages BEGIN DELETE FROM pages; END"
                    )
        connection.close()
    again = made(tmp_path)
    assert again.looks((FOLDER,))[0].state == "unread"
    look(again, files)
    assert find(again, "peat")
    assert path.with_name("world-aside.db").exists()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_made_anew_answers_the_same_and_counts_on(tmp_path: Path, files: PageFiles) -> None:
    clock = FixedClock()
    (tmp_path / "workspaces" / WORKSPACE_ID).mkdir(parents=True)
    index = SqliteWorldIndexes(tmp_path, clock).of(WORKSPACE_ID)
    last = look(index, files)[-1].number
    questions = ("grey eyes", "river", "iron", "smells of peat")
    before = [find(index, one) for one in questions]
    ids = {one.id for one in index.pages()}
    clock.advance(hours=1)
    index.drop()
    assert not path_of(tmp_path).exists()
    assert find(index, "peat") == []
    assert look(index, files)[0].number > last
    assert [find(index, one) for one in questions] == before
    assert not ids & {one.id for one in index.pages()}


def test_two_programs_share_one_index(tmp_path: Path, files: PageFiles) -> None:
    first, second = made(tmp_path), made(tmp_path)
    look(first, files)
    assert find(second, "peat")
    files.put("New.md", "# New\n\nA word that is new: cormorant.\n")
    look(second, files)
    assert find(first, "cormorant")
    first.drop()
    look(second, files)
    assert find(first, "cormorant")
    assert find(second, "peat")


def test_two_looks_at_once_leave_each_page_once(tmp_path: Path, files: PageFiles) -> None:
    for number in range(120):
        files.put(f"{number}.md", f"# Page {number}\n\nText of number {number}, alone.\n")
    both = [made(tmp_path), made(tmp_path)]
    threads = [threading.Thread(target=look, args=(one, files)) for one in both]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(both[0].pages()) == 122
    assert len(find(both[1], "alone", limit=50)) == 50


def test_an_unlinked_folder_leaves_nothing(tmp_path: Path, files: PageFiles) -> None:
    index = made(tmp_path)
    other = replace(FOLDER, id="other", name="Other")
    look(index, files)
    look(index, files, other)
    index.keep_folders([other.id])
    assert {one.folder_id for one in index.pages()} == {"other"}
    assert find(index, "peat") == []
    assert find(index, "peat", folders=(other,))
    index.keep_folders([])
    index.close()
    with sqlite_module().connect(path_of(tmp_path)) as connection:
        for table in ("pages", "blocks", "passages", "passage_fts", "links", "page_names"):
            rows = connection.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own
            assert rows.fetchone() == (0,), table
    connection.close()


def test_an_index_of_a_workspace_that_is_gone_is_not_made(tmp_path: Path) -> None:
    index = SqliteWorldIndexes(tmp_path, FixedClock()).of(WORKSPACE_ID)
    with pytest.raises(NotFoundError):
        index.pages()


def test_vectors_of_a_file_that_another_program_made_anew_are_read_anew(
    tmp_path: Path, files: PageFiles
) -> None:
    clock, model = FixedClock(), FakeEmbedder(dimension=512)
    near = replace(MINILM, shown=0.01)
    meaning = PageMeaning("fake", near, lambda: model.embed_question("peat"))
    (tmp_path / "workspaces" / WORKSPACE_ID).mkdir(parents=True)
    first, second = (SqliteWorldIndexes(tmp_path, clock).of(WORKSPACE_ID) for _ in range(2))

    def filled(index: SqliteWorldIndex) -> None:
        look(index, files)
        missing = index.without_vector("fake", 50)
        vectors = model.embed([text for _, text in missing])
        index.put_vectors("fake", [(id_, vectors[n]) for n, (id_, _) in enumerate(missing)])

    def nearest(index: SqliteWorldIndex) -> str:
        found = index.search(WorldQuery("peat", mode="semantic"), (FOLDER,), meaning)
        return found.hits[0].page.path

    filled(first)
    assert nearest(second) == "Places/River.md"
    first.drop()
    clock.advance(hours=1)
    files.put("People/Nerys.md", "# Nerys\n\nShe smells of peat, of peat and of peat.\n")
    files.put("Places/River.md", "# The river\n\nA slow brown water.\n")
    filled(first)
    assert nearest(second) == "People/Nerys.md"

"""The tab of pages over pages of a test: tree, reader, pane, keys, where links lead."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QPlainTextEdit

from inklings_desktop.domain.world.derivations import SourceState
from inklings_desktop.ui.kit.page.destinations import ToConversation, ToMemory, ToWorld
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.world.world_double import (
    WorldBench,
    a_folder,
    a_look,
    a_page,
    a_standing,
    linked,
    unlinked,
)

pytestmark = pytest.mark.usefixtures("qapp")

NERYS, THRENNAY = "people/nerys.md", "places/thrennay.md"


def key(bench: WorldBench, name: str, pressed: Qt.Key) -> None:
    QTest.keyClick(bench.named(name), pressed)


async def read_nerys(bench: WorldBench) -> None:
    """Read the page of which two memories come from one block, and one from a changed one."""
    first, second = bench.bench.put("She has no left."), bench.bench.put("Her mother left.")
    changed = a_standing(f"{NERYS}:3", SourceState.CHANGED)
    bench.derivations.of_page = {
        NERYS: [
            (f"{NERYS}:5", first, a_standing(f"{NERYS}:5")),
            (f"{NERYS}:5", second, a_standing(f"{NERYS}:5")),
            (f"{NERYS}:3", second, changed),
        ]
    }
    bench.tab.go_to(NERYS, f"{NERYS}:5")
    await bench.shows("Nerys Talwater")
    await bench.tab.settled()


@scene(linked)
async def test_folders_and_pages_are_read_on_a_reader(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    assert bench.texts()[:4] == ["chapters", "Chapter 9", "Chapter 12", "people"]
    assert bench.named("worldLine").text() == "5 pages in saltglass-world, read again 2 min ago"
    assert all(name.startswith("read") for name in bench.world.threads)
    mark = bench.said.marks[-1]
    assert (mark[0], mark[1].count, mark[1].hint) == ("page:world", 5, "")


@scene(linked)
async def test_while_nothing_is_noticed_no_page_is_listed_again(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    asked = bench.world.asked.count(("outline", "f"))
    bench.tab.read_again()
    await bench.tab.settled()
    assert bench.world.asked.count(("outline", "f")) == asked == 1
    bench.world.wholes["new.md"] = a_page("new.md", "# New")
    bench.world.n_changes += 1
    bench.tab.read_again()
    await until(lambda: "New" in bench.texts())


@scene(linked)
async def test_a_page_shows_its_blocks_what_leans_on_them_and_what_changed(
    bench: WorldBench, /
) -> None:
    await read_nerys(bench)
    text = bench.reader.toPlainText()
    assert "changed 2 h ago" in text
    assert "See" not in bench.named("blockName").text()
    assert bench.named("blockName").text() == "Block 6"
    assert bench.named("blockHeading").text() == "After the flood"
    await until(lambda: bench.named("axesReason").isVisible())
    assert bench.named("axesReason").text() == "canon \u2013 status: Canon, line 4 of nerys.md"
    said = [one.text() for one in bench.named("worldPane").findChildren(QLabel)]
    assert said.count("as the block says") >= 2
    assert bench.texts()[3:5] == ["people", "Nerys Talwater"]


@scene(linked)
async def test_j_and_k_go_by_block_and_enter_to_the_pane(bench: WorldBench, /) -> None:
    await read_nerys(bench)
    key(bench, "worldReader", Qt.Key.Key_K)
    key(bench, "worldReader", Qt.Key.Key_K)
    assert bench.named("blockName").text() == "Block 4"
    assert bench.named("blockHeading").text() == "Before the flood"
    said = [one.text() for one in bench.named("worldPane").findChildren(QLabel)]
    assert "check source" in said
    key(bench, "worldReader", Qt.Key.Key_Home)
    assert bench.named("blockName").text() == "Block 1"
    key(bench, "worldReader", Qt.Key.Key_End)
    assert bench.named("blockName").text() == "Block 7"
    key(bench, "worldReader", Qt.Key.Key_J)
    assert bench.named("blockName").text() == "Block 7"
    key(bench, "worldReader", Qt.Key.Key_Return)
    assert bench.named("writeMemory").hasFocus()


@scene(linked)
async def test_links_between_pages_open_here_and_others_say_where_they_lead(
    bench: WorldBench, /
) -> None:
    await read_nerys(bench)
    bench.reader.anchorClicked.emit(QUrl("world:Thrennay%23The%20harbour"))
    await bench.shows("Thrennay")
    assert bench.named("blockName").text() == "Block 2"
    bench.reader.anchorClicked.emit(QUrl("world:Nobody"))
    await until(lambda: "There is no page called Nobody" in bench.said.sentences)
    bench.reader.anchorClicked.emit(QUrl("https://example.org/"))
    assert bench.said.sentences[-1] == "https://example.org/"
    bench.tab.go_to(NERYS)
    await bench.shows("Nerys Talwater")
    bench.reader.anchorClicked.emit(QUrl("../chapters/09.md"))
    await bench.shows("Chapter 9")


@scene(linked)
async def test_what_is_read_is_told_once_a_page(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.tab.go_to(THRENNAY)
    await bench.shows("Thrennay")
    bench.tab.read_again()
    await bench.tab.settled()
    await until(lambda: len(bench.world.read) >= 2)
    assert bench.world.read == ["Timeline.md", THRENNAY]


@scene(linked)
async def test_the_tree_opens_pages_and_folds(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.tree.row_chosen.emit(NERYS)
    await bench.shows("Nerys Talwater")
    index = bench.tree.model().index(bench.texts().index("people"), 0)
    bench.tree.setCurrentIndex(index)
    key(bench, "worldTree", Qt.Key.Key_Left)
    assert "Nerys Talwater" not in bench.texts()
    key(bench, "worldTree", Qt.Key.Key_Space)
    assert "Nerys Talwater" in bench.texts()


@scene(linked)
async def test_finding_looks_in_titles_at_once_and_in_pages(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.named("worldFind").set_text("Gulls")
    assert bench.texts() == []
    await until(lambda: bench.texts() == ["In the pages", "Thrennay"])
    bench.tree.row_chosen.emit(f"hit:{THRENNAY}:2")
    await bench.shows("Thrennay")
    assert bench.named("blockName").text() == "Block 3"
    bench.named("worldFind").set_text("ti")
    assert bench.texts() == ["Timeline"]
    bench.named("worldFind").set_text("nobody")
    await until(lambda: bench.texts() == ["Nothing is found."])
    bench.named("worldFind").set_text("")
    assert len(bench.texts()) == 8


@scene(linked)
async def test_the_source_is_the_same_text(bench: WorldBench, /) -> None:
    await read_nerys(bench)
    bench.tab.set_mode("source")
    assert bench.named("worldSource").isVisible()
    assert bench.named("worldSource").text().startswith("# Nerys Talwater\n\nCopyist")
    assert bench.named("worldSource").isReadOnly()


@scene(linked)
async def test_a_memory_is_written_from_a_block(bench: WorldBench, /) -> None:
    await read_nerys(bench)
    key(bench, "worldReader", Qt.Key.Key_M)
    dialog = await until_dialog(bench)
    field = dialog.findChild(QPlainTextEdit, "memoryText")
    assert isinstance(field, QPlainTextEdit)
    assert field.toPlainText() == ""
    field.setPlainText("She hides it well.")
    confirm = dialog.findChild(QAbstractButton, "memoryConfirm")
    assert isinstance(confirm, QAbstractButton)
    confirm.click()
    await until(lambda: "Remembered" in bench.said.sentences)
    inklings = bench.bench.inklings
    found = inklings.listing.browse((bench.bench.scope,)).entries
    kept = next(one for one in found if one.content == "She hides it well.")
    assert kept.derived_from[0].target == f"{NERYS}:5"


async def until_dialog(bench: WorldBench) -> QDialog:
    found: list[QDialog] = []

    def is_there() -> bool:
        found[:] = [one for one in bench.view.window().findChildren(QDialog) if one.isVisible()]
        return bool(found)

    await until(is_there)
    return found[0]


@scene(linked)
async def test_what_is_asked_about_a_block_takes_it_along(bench: WorldBench, /) -> None:
    await read_nerys(bench)
    bench.named("askAbout").click()
    way = bench.said.ways[-1]
    assert way == ToConversation(
        "", (f"{NERYS}:5", "Nerys Talwater", "Since then she has no left and no right.")
    )


@scene(linked)
async def test_another_page_leads_to_a_block_here(bench: WorldBench, /) -> None:
    bench.page.arrive(ToWorld("Thrennay", f"{THRENNAY}:2"))
    await bench.shows("Thrennay")
    assert bench.named("blockName").text() == "Block 3"
    bench.page.arrive(ToMemory(bench.bench.put("Elsewhere.")))
    assert bench.named("blockName").text() == "Block 3"


@scene(linked, width=960)
async def test_where_it_is_narrow_one_column_stands_beside_the_page(bench: WorldBench, /) -> None:
    await read_nerys(bench)
    assert not bench.tree.isVisible()
    assert not bench.named("writeMemory").isVisible()
    key(bench, "worldReader", Qt.Key.Key_Return)
    assert bench.named("writeMemory").isVisible()
    bench.tab.focus_reader()
    assert not bench.named("writeMemory").isVisible()
    bench.tab.focus_find()
    assert bench.tree.isVisible()


@scene(unlinked)
async def test_a_long_page_is_read_in_parts(bench: WorldBench, /) -> None:
    look = a_look(a_folder(bench.bench.inklings.data_dir), 1)
    text = "\n\n".join(f"Block {n} *says* so." for n in range(1, 901))
    bench.world.wholes["long.md"] = a_page("long.md", text)
    bench.world.looks = (replace(look, n_pages=1),)
    bench.page.read_again()
    bench.tab.read_again()
    await bench.shows("Block 1 *says* so.")
    first = bench.reader.toPlainText()
    assert "Block 1 says so." in first
    assert "Block 900 says" not in first
    await until(lambda: bench.named("worldParts").isVisible())
    key(bench, "worldReader", Qt.Key.Key_End)
    key(bench, "worldReader", Qt.Key.Key_J)
    assert "Block 1 says so." not in bench.reader.toPlainText()

"""What a person does in the window, and what the window must never do to them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSplitter, QWidget

from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.control.page import ControlView
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedDialog
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.rail.model import RailRole
from inklings_desktop.ui.window import opened_pages
from inklings_desktop.ui.window.main_window import MainWindow
from tests.support.builders import an_agent
from tests.support.scenes import scene
from tests.support.stopwatch import HANG_SECONDS
from tests.ui.page_views import control_view, entries_view
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
ONE_SECOND = 1.0


def three_memories(bench: Bench) -> None:
    for text in ("Gulls keep accounts.", "The harbour smells of rope.", "Tides are counted."):
        bench.put(text)


def nothing(_bench: Bench) -> None:
    """A workspace without memories."""


@scene(drive, three_memories)
async def test_the_window_opens_on_the_workspace_with_its_counts(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    here = bench.memory.shell.surroundings
    assert here is not None
    assert here.count(Place(Tier.WORKSPACE)) == 3
    assert bench.window.windowTitle() == "Memory, Saltglass - Inklings"


@scene(drive, three_memories)
async def test_typing_a_search_narrows_the_list_and_escape_brings_it_back(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    field = bench.window.page.header.search
    QTest.keyClicks(field.edit, "harb")
    await bench.until(lambda: bench.texts() == ["The harbour smells of rope."])
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    await bench.until(lambda: len(bench.texts()) == 3)


@scene(drive, three_memories)
async def test_arrow_keys_step_over_headings(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    first, second = page.rows[1].id, page.rows[2].id
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    assert page.list_cursor.current_id() in {first, second}
    page.list_cursor.select(first)
    QTest.keyClick(page.table, Qt.Key.Key_Up)
    assert page.list_cursor.current_id() == first
    QTest.keyClick(page.table, Qt.Key.Key_J)
    assert page.list_cursor.current_id() == second
    QTest.keyClick(page.table, Qt.Key.Key_K)
    assert page.list_cursor.current_id() == first


@scene(drive, three_memories)
async def test_delete_forgets_and_undo_restores(bench: WindowBench, /) -> None:
    page = bench.window.page
    await bench.until(lambda: len(bench.texts()) == 3)
    page.list_cursor.select_first()
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    await bench.until(lambda: len(bench.texts()) == 2 and page.toast.isVisible())
    assert page.list_cursor.current_id() is not None
    bench.window.menus["undo"].trigger()
    await bench.until(lambda: len(bench.texts()) == 3)
    assert not page.toast.undo.isVisible()


@scene(drive, nothing)
async def test_a_new_memory_is_written_where_the_person_looks(bench: WindowBench, /) -> None:
    await bench.until(bench.window.page.empty.isVisible)
    bench.window.menus["new_memory"].trigger()
    await bench.until(lambda: bench.memory.subject.state.can_revert)
    bench.memory.subject.edit(content="Written by hand.")
    bench.window.menus["save"].trigger()
    await bench.until(lambda: bench.texts() == ["Written by hand."])
    (scope,) = bench.memory.list.request.scopes
    page = bench.bench.inklings.listing.browse([scope])
    assert [entry.curator.value for entry in page.entries] == ["author"]


@scene(drive, three_memories)
async def test_a_commit_by_another_process_appears_within_a_second(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    chosen = page.rows[2].id
    page.list_cursor.select(chosen)
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    bench.memory.subject.edit(content="An edit that is not saved.")
    await asyncio.to_thread(
        subprocess.run,
        [
            *(sys.executable, "-m", "inklings_desktop.cli", "memory", "add"),
            *("From elsewhere.", "--tier", "workspace", "--data-dir", str(tmp_path)),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    took = await bench.until(lambda: "From elsewhere." in bench.texts())
    assert took < ONE_SECOND
    assert page.list_cursor.current_id() == chosen
    state = bench.memory.subject.state
    assert state.draft is not None
    assert state.draft.content == "An edit that is not saved."


@scene(drive, three_memories)
async def test_an_edit_that_collides_shows_both(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    entry = subject.current_entry
    assert entry is not None
    subject.edit(content="Mine.")
    inklings = bench.bench.inklings
    inklings.memories.update(
        entry.ref, MemoryPatch(content="Theirs."), expected_version=entry.version
    )
    await bench.until(lambda: subject.state.conflict is not None)
    conflict = subject.state.conflict
    assert conflict is not None
    assert (conflict.mine, conflict.theirs) == ("Mine.", "Theirs.")
    banner = bench.window.inspector.body.conflict
    banner.compare.click()
    await bench.until(lambda: banner.diff.n_changes() == 1)
    assert banner.diff.change_text(0) == "Line 1 removed: Theirs.. Line 1 added: Mine."


@scene(drive, three_memories)
async def test_leaving_unsaved_text_asks_and_dismissing_stays(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, subject = bench.window.page, bench.memory.subject
    first, second = page.rows[1].id, page.rows[2].id
    page.list_cursor.select(first)
    await bench.until(lambda: subject.current_ref is not None)
    subject.edit(content="Half a thought")
    page.list_cursor.select(second)
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    (dialog,) = bench.window.findChildren(UnsavedDialog)
    dialog.reject()
    await bench.until(lambda: page.list_cursor.current_id() == first)
    assert subject.has_unsaved
    subject.revert()


@scene(drive, three_memories)
async def test_leaving_unsaved_text_can_save_it_first(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, subject = bench.window.page, bench.memory.subject
    first, second = page.rows[1].id, page.rows[2].id
    page.list_cursor.select(first)
    await bench.until(lambda: subject.current_ref is not None)
    subject.edit(content="A whole thought.")
    page.list_cursor.select(second)
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    (dialog,) = bench.window.findChildren(UnsavedDialog)
    save = dialog.findChild(QPushButton, "unsavedSave")
    assert isinstance(save, QPushButton)
    save.click()
    await bench.until(lambda: "A whole thought." in bench.texts())


def test_switching_the_workspace_carries_nothing_over(tmp_path: Path) -> None:
    def two_worlds(bench: Bench) -> None:
        three_memories(bench)
        bench.inklings.workspaces.create("Other")

    async def switch(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        bench.window.page.header.search.set_text("harbour")
        await bench.until(lambda: len(bench.texts()) == 1)
        here = bench.memory.shell.surroundings
        assert here is not None
        other = next(one for one in here.workspaces if one.name == "Other")
        assert bench.window.opened is not None
        bench.window.opened.open_workspace(other.id)
        await bench.until(bench.window.page.empty.isVisible)
        assert bench.window.page.header.search.text() == ""
        assert bench.memory.list.request.scopes == (ScopeKey.workspace(other.id),)

    drive(tmp_path, two_worlds, switch)


@scene(drive, three_memories)
async def test_closing_is_refused_until_unsaved_text_is_settled(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    bench.memory.subject.edit(content="Not saved yet")
    bench.window.close()
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    assert bench.window.isVisible()
    (dialog,) = bench.window.findChildren(UnsavedDialog)
    discard = dialog.findChild(QPushButton, "unsavedDiscard")
    assert isinstance(discard, QPushButton)
    discard.click()
    await bench.until(lambda: not bench.window.isVisible())


@scene(drive, three_memories)
async def test_every_icon_button_has_a_name_and_a_tool_tip(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    from PySide6.QtWidgets import QAbstractButton

    nameless = [
        button.objectName() or type(button).__name__
        for button in bench.window.findChildren(QAbstractButton)
        if button.isVisible() and not (button.accessibleName() or button.text())
    ]
    assert nameless == []
    assert QApplication.focusWidget() is not None


def test_the_window_comes_back_as_high_as_it_was_left(tmp_path: Path) -> None:
    heights = []  # the offscreen screen is narrower than any window of ours

    async def resize(bench: WindowBench) -> None:
        bench.window.resize(1180, 640)
        heights.append(bench.window.height())

    drive(tmp_path, nothing, resize)
    theme = Theme(SchemeChoice.LIGHT)
    again = MainWindow(theme, tmp_path, Appearance())
    heights.append(again.height())
    again.deleteLater()
    assert heights == [640, 640]


@scene(drive, three_memories)
async def test_the_forgotten_filter_reaches_what_was_forgotten_and_restores_it(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    gone = bench.texts()[0]
    page.list_cursor.select_first()
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    await bench.until(page.filters.forgotten.isVisible)
    QTest.mouseClick(page.filters.forgotten, Qt.MouseButton.LeftButton)
    await bench.until(lambda: bench.texts() == [gone])
    page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.state.forgotten is not None)
    bench.window.menus.commands.about_to_show.emit()
    bench.window.menus["restore"].trigger()
    await bench.until(lambda: bench.texts() == [])
    QTest.mouseClick(page.filters.forgotten, Qt.MouseButton.LeftButton)
    await bench.until(lambda: len(bench.texts()) == 3)


def test_an_archived_conversation_is_out_of_the_list_but_in_reach(tmp_path: Path) -> None:
    def an_archived_room(bench: Bench) -> None:
        inklings, workspace = bench.inklings, bench.workspace
        room = inklings.conversations.start(workspace.id, title="Old talk")
        scope = ScopeKey.conversation(workspace.id, room.id)
        said = inklings.memories.put(MemoryDraft(scope, "Said long ago."))
        inklings.conversations.archive(workspace.id, room.id, force=True)
        inklings.memories.restore([said.ref])

    async def reach(bench: WindowBench) -> None:
        here = bench.memory.shell.surroundings
        assert here is not None
        (room,) = here.conversations
        bench.memory.shell.go(Place(Tier.CONVERSATION))
        await bench.until(bench.window.page.empty.isVisible)
        bench.memory.shell.go(Place(Tier.CONVERSATION, room.id))
        await bench.until(lambda: bench.texts() == ["Said long ago."])

    drive(tmp_path, an_archived_room, reach)


@scene(drive, three_memories)
async def test_the_named_entries_page_stands_beside_the_memory_page(bench: WindowBench, /) -> None:
    window = bench.window
    opened_root = window.opened
    assert opened_root is not None
    window.show_page(ENTRIES_PAGE)
    page = entries_view(window)
    assert page is not None
    await bench.until(page.isVisible)
    assert window.windowTitle() == "Named entries, Saltglass - Inklings"
    assert not window.menus["search"].isEnabled()
    assert opened_root.entries is not None
    assert [one.name for one in opened_root.entries.content.entries] == ["VOICE", "SOUL"]
    window.show_page(MEMORY_PAGE)
    assert window.page.isVisible()
    assert window.menus["search"].isEnabled()


@pytest.mark.parametrize(
    ("page_id", "title"),
    [
        (ENTRIES_PAGE, "Named entries, Saltglass - Inklings"),
        (PREVIEW_PAGE, "Next turn preview, Saltglass - Inklings"),
        (CONTROL_PAGE, "Control plane, Saltglass - Inklings"),
    ],
)
def test_a_page_wanted_while_the_data_is_still_opened_is_shown_then(
    tmp_path: Path, page_id: str, title: str
) -> None:
    asked: list[str] = []

    def ask(window: MainWindow) -> None:
        assert window.opened is None
        window.menus[page_id].trigger()
        asked.append(window.windowTitle())

    async def look(bench: WindowBench) -> None:
        assert asked == ["Inklings"]
        await bench.until(lambda: bench.window.windowTitle() == title)

    drive(tmp_path, three_memories, look, while_opening=ask)


def test_a_page_left_again_while_the_data_is_still_opened_stays_left(tmp_path: Path) -> None:
    def ask(window: MainWindow) -> None:
        assert window.opened is None
        window.menus[ENTRIES_PAGE].trigger()
        window.menus[MEMORY_PAGE].trigger()

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        assert bench.window.windowTitle() == "Memory, Saltglass - Inklings"

    drive(tmp_path, three_memories, look, while_opening=ask)


def when_rows_are_on_show(window: MainWindow, act: Callable[[], None]) -> None:
    """Do something as soon as the list shows rows, before anything else is built."""
    found = window.findChild(ListPresenter)
    assert found is not None

    def once() -> None:
        if window.page.rows:
            found.content_changed.disconnect(once)
            act()

    found.content_changed.connect(once)


def test_rows_are_on_show_before_the_inspector_is_built_in_its_place(tmp_path: Path) -> None:
    places: list[tuple[int, int, int]] = []  # of the page its left edge and width, then the pane's

    def note(window: MainWindow) -> None:
        assert window.findChild(QWidget, "inspector") is None
        panes = window.page.parentWidget()
        assert isinstance(panes, QSplitter)
        page, side = panes.sizes()
        places.append((window.page.x(), page, side))

    def watch(window: MainWindow) -> None:
        when_rows_are_on_show(window, partial(note, window))

    async def look(bench: WindowBench) -> None:
        window = bench.window
        assert len(bench.texts()) == 3
        assert window.inspector.isVisible()
        assert places[0] == (window.page.x(), window.page.width(), window.inspector.width())

    drive(tmp_path, three_memories, look, while_opening=watch)


def test_a_row_chosen_while_the_rest_is_built_is_the_one_that_is_opened(tmp_path: Path) -> None:
    def watch(window: MainWindow) -> None:
        def choose() -> None:
            window.page.list_cursor.select(window.page.rows[-1].id)

        when_rows_are_on_show(window, choose)

    async def look(bench: WindowBench) -> None:
        cursor, editor = bench.window.page.list_cursor, bench.window.inspector.editor
        await bench.until(lambda: editor.toPlainText() == "Gulls keep accounts.")
        assert bench.memory.subject.current_ref is not None
        assert cursor.current_id() == bench.memory.subject.current_ref.id

    drive(tmp_path, three_memories, look, while_opening=watch)


def test_what_is_typed_into_the_search_while_the_data_is_opened_is_looked_for(
    tmp_path: Path,
) -> None:
    def ask(window: MainWindow) -> None:
        edit = window.page.header.search.edit
        edit.setFocus()
        QTest.keyClicks(edit, "harb")

    async def look(bench: WindowBench) -> None:
        field = bench.window.page.header.search
        await bench.until(lambda: bench.texts() == ["The harbour smells of rope."])
        assert field.text() == "harb"
        assert field.edit.hasFocus()

    drive(tmp_path, three_memories, look, while_opening=ask)


def test_an_agents_proposal_is_counted_in_the_rail(tmp_path: Path) -> None:
    def a_locked_memory(bench: Bench) -> None:
        entry = bench.put("Written by the author.")
        agent = an_agent(workspace_id=bench.workspace.id)
        with pytest.raises(HeldForReviewError):
            bench.inklings.as_caller(agent).memories.forget([entry.ref])

    async def look(bench: WindowBench) -> None:
        tree = bench.window.rail.tree

        def caps() -> list[str]:
            rows = (tree.model().index(n, 0) for n in range(tree.model().rowCount()))
            return [getattr(row.data(RailRole.ROW), "key_hint", "") for row in rows]

        await bench.until(lambda: "1 to decide" in caps())
        assert bench.texts() == ["Written by the author."]

    drive(tmp_path, a_locked_memory, look)


@scene(drive, three_memories)
async def test_the_control_plane_is_built_when_it_is_first_wanted(bench: WindowBench, /) -> None:
    window = bench.window
    assert window.findChild(QWidget, "controlPage") is None
    QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    await bench.until(lambda: control_view(window) is not None)
    made = control_view(window)
    assert made is not None
    assert made.isVisible()
    assert window.windowTitle() == "Control plane, Saltglass - Inklings"
    assert not window.menus["search"].isEnabled()
    assert window.rail.tree.currentIndex().data(RailRole.ID) == CONTROL_PAGE
    window.show_page(MEMORY_PAGE)
    window.show_page(CONTROL_PAGE)
    assert control_view(window) is made


def test_a_page_asked_for_twice_while_it_is_loaded_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_loaded = threading.Event()
    known: dict[str, object] = {}

    def slowly(name: str) -> ModuleType:
        if threading.current_thread() is not threading.main_thread():
            is_loaded.wait(HANG_SECONDS)
        return import_module(name)

    monkeypatch.setattr(opened_pages, "import_module", slowly)
    monkeypatch.setattr(opened_pages, "sys", SimpleNamespace(modules=known))

    async def ask(bench: WindowBench) -> None:
        window = bench.window
        window.show_page(CONTROL_PAGE)
        known.update(sys.modules)  # a module is known before it is whole
        window.show_page(CONTROL_PAGE)
        # Where it will stand is shown at once, and a way back holds.
        coming = window.pages.stack.currentWidget()
        assert coming is not None
        assert coming.objectName() == "comingPage"
        assert window.windowTitle().startswith("Control plane")
        window.show_page(MEMORY_PAGE)
        assert window.pages.current_id == MEMORY_PAGE
        window.show_page(CONTROL_PAGE)
        is_loaded.set()
        await bench.until(lambda: window.pages.view(CONTROL_PAGE) is not None)
        assert window.pages.stack.currentWidget() is window.pages.view(CONTROL_PAGE)
        assert window.pages.before == MEMORY_PAGE
        assert len(window.findChildren(ControlView)) == 1

    drive(tmp_path, nothing, ask)

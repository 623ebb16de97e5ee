"""Where the keyboard is, goes and stays: rail, empty places, letters in fields, a client's view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit

from inklings_desktop.domain.memory import MemoryRef, Tier
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import (
    CONVERSATION_PAGE,
    ENTRIES_PAGE,
    INBOX_PAGE,
    KNOWLEDGE_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
)
from inklings_desktop.ui.kit.page.destinations import ToMemories
from inklings_desktop.ui.tour.tour import show_workspace
from tests.support.scenes import scene
from tests.ui.access_bench import LOOM, access_tab
from tests.ui.keyboard_hands import NEWEST, SECOND, Hands, thirty
from tests.ui.keyboard_window import with_rooms
from tests.ui.presenter_bench import Bench
from tests.ui.spoken import described, tab_order
from tests.ui.test_long_lists import inspected
from tests.ui.test_view_as import Viewing, a_world_with_secrets
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

LETTERS = "jketlm"
FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit)


def nothing(_bench: Bench) -> None:
    """A workspace without memories."""


def only_one(bench: Bench) -> None:
    """A workspace with one memory."""
    bench.put("The only one.")


async def ready(bench: WindowBench) -> Hands:
    """The window with its list, and the keyboard in it."""
    await bench.until(lambda: bool(bench.texts()))
    bench.window.activateWindow()
    bench.window.page.focus_list()
    return Hands(bench)


@scene(drive, thirty)
async def test_the_window_opens_with_the_keyboard_in_the_list(bench: WindowBench, /) -> None:
    await bench.until(lambda: bool(bench.texts()))
    bench.window.activateWindow()
    await bench.until(bench.window.isActiveWindow)
    hands = Hands(bench)
    assert hands.is_at(hands.page.table)
    assert hands.current == NEWEST


def test_the_window_opens_on_the_memory_that_was_read_last(tmp_path: Path) -> None:
    async def read(bench: WindowBench) -> None:
        hands = await ready(bench)
        hands.press("J", "J", "J")
        await bench.until(lambda: inspected(bench) == "Memory 26.")

    async def look(bench: WindowBench) -> None:
        hands = await ready(bench)
        assert hands.current == "Memory 26."
        assert hands.is_at(hands.page.table)
        await bench.until(lambda: inspected(bench) == "Memory 26.")
        hands.press("Delete")
        await bench.until(lambda: "Memory 26." not in bench.texts())
        bench.memory.subject.show_nothing()

    async def look_again(bench: WindowBench) -> None:
        assert (await ready(bench)).current == NEWEST

    drive(tmp_path, thirty, read)
    drive(tmp_path, nothing, look)
    drive(tmp_path, nothing, look_again)


@scene(drive, nothing)
async def test_an_empty_workspace_opens_with_the_keyboard_on_its_first_card(
    bench: WindowBench, /
) -> None:
    await bench.until(bench.window.page.empty.isVisible)
    bench.window.activateWindow()
    hands = Hands(bench)
    card = hands.page.empty.cards()[0]
    assert hands.is_at(card)
    names = [one.accessibleName() for one in hands.page.empty.cards()]
    assert names == ["Talk to it", "Write a memory", "Connect an agent", "Import"]
    hands.press("Ctrl+F", "Esc", "Esc")
    assert hands.is_at(card)  # there is no list to go back to
    hands.press("F6", "F6")
    assert hands.is_at(card)
    hands.press("Tab", "Space")
    await bench.until(bench.window.inspector.editor.hasFocus)
    bench.window.go(ToMemories(Tier.ACCOUNT))
    title = "Nothing is known about you"
    await bench.until(lambda: hands.page.empty.title() == title)
    assert hands.page.empty.cards()[0].accessibleName() == "Talk to it"


@scene(drive, only_one)
async def test_what_empties_the_list_leaves_the_keyboard_where_something_can_be_done(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: bench.texts() == ["The only one."])
    bench.window.activateWindow()
    hands = Hands(bench)
    hands.page.focus_list()
    hands.press("Delete")
    await bench.until(bench.window.page.empty.isVisible)
    assert hands.is_at(hands.page.empty.cards()[0])
    await bench.until(bench.window.menus["undo"].isEnabled)
    hands.press("Ctrl+Z")
    await bench.until(lambda: bench.texts() == ["The only one."])
    assert hands.is_at(hands.page.table)


class Typing:
    """How soon a letter must follow another to be of one word: no matter of this machine's load."""

    def as_one_word(self) -> None:
        """Letters belong together, however long they take."""
        QApplication.setKeyboardInputInterval(60_000)

    async def anew(self) -> None:
        """The next letter begins another word."""
        QApplication.setKeyboardInputInterval(0)
        await asyncio.sleep(0.01)


@pytest.fixture
def typing(qapp: QApplication) -> Iterator[Typing]:
    before = qapp.keyboardInputInterval()
    yield Typing()
    qapp.setKeyboardInputInterval(before)


@scene(drive, with_rooms)
async def test_who_walks_through_the_rail_sees_each_place_and_walks_on(
    bench: WindowBench, /, typing: Typing
) -> None:
    hands = await ready(bench)
    tree, pages, shell = bench.window.rail.tree, bench.window.pages, bench.memory.shell
    hands.press("Shift+F6", "Home")
    assert hands.is_at(tree)
    seen = [pages.current_id]
    for keys in (*["Down"] * 8, *["Up"] * 7, "End"):
        hands.press(keys)
        await bench.until(lambda: hands.is_at(tree))  # keys wait while a page is loaded
        seen.append(pages.current_id)
        if len(seen) == 9:  # past the heading of the channels
            assert shell.place.tier is Tier.CHANNEL
    assert seen == [
        MEMORY_PAGE,
        ENTRIES_PAGE,
        PREVIEW_PAGE,
        WORLD_PAGE,
        KNOWLEDGE_PAGE,
        SKILLS_PAGE,
        INBOX_PAGE,
        CONVERSATION_PAGE,
        MEMORY_PAGE,
        CONVERSATION_PAGE,
        INBOX_PAGE,
        SKILLS_PAGE,
        KNOWLEDGE_PAGE,
        WORLD_PAGE,
        PREVIEW_PAGE,
        ENTRIES_PAGE,
        SETTINGS_PAGE,
    ]
    typing.as_one_word()
    hands.press("N", "A")  # letters find a place by its name, and stay in the rail
    assert pages.current_id == ENTRIES_PAGE
    assert hands.is_at(tree)
    hands.press("Return")
    assert hands.is_at(hands.entries.list.table)
    await typing.anew()
    hands.press("F6", "F6")
    await bench.until(lambda: hands.is_at(tree))  # keys wait while a page is loaded
    hands.press("M")
    typing.as_one_word()
    hands.press("A")
    assert hands.is_at(tree)
    assert shell.place.tier is Tier.CHANNEL
    hands.press("Return")
    assert not hands.is_at(tree)
    assert hands.page.isAncestorOf(hands.focus)  # type: ignore[arg-type]


@scene(drive, with_rooms)
async def test_a_click_in_the_rail_brings_the_keyboard_to_the_page(bench: WindowBench, /) -> None:
    hands = await ready(bench)
    tree = bench.window.rail.tree
    for row, page in ((1, ENTRIES_PAGE), (0, MEMORY_PAGE)):
        place = tree.visualRect(tree.model().index(row, 0)).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert bench.window.pages.current_id == page
        assert not hands.is_at(tree)
    assert hands.is_at(hands.page.table)


def test_letters_act_in_the_list_alone(sample_world: Path) -> None:
    """In a field they are typed; on a button or a slider they do nothing."""

    async def type_everywhere(bench: WindowBench) -> None:
        window, page = bench.window, bench.window.page
        await show_workspace(bench.memory, window)
        window.activateWindow()
        await bench.until(window.isActiveWindow)
        entry = bench.memory.subject.current_entry
        assert entry is not None
        current = page.list_cursor.current_id()
        stops = tab_order(window, window.finding.field)
        n_fields = 0
        for stop in stops:
            if stop in {page.table, window.rail.tree}:
                continue
            stop.setFocus(Qt.FocusReason.TabFocusReason)
            for letter in (*LETTERS, "[", "]", "/"):
                QTest.keyClicks(stop, letter)
                assert QApplication.focusWidget() is stop, (letter, described(stop))
            if isinstance(stop, FIELDS) and not stop.isReadOnly():
                n_fields += 1
                typed = stop.text() if isinstance(stop, QLineEdit) else stop.toPlainText()
                is_figure = stop.validator() is not None if isinstance(stop, QLineEdit) else False
                assert is_figure or LETTERS in typed, described(stop)
            assert page.list_cursor.current_id() == current, described(stop)
        assert n_fields >= 3  # search, text, tags
        stored = bench.bench.inklings.listing.show(MemoryRef(entry.scope, entry.id)).entry
        assert (stored.importance, stored.lifetime) == (entry.importance, entry.lifetime)
        bench.memory.subject.revert()

    drive(sample_world, nothing, type_everywhere)


async def told_by_sheet(hands: Hands) -> set[str]:
    """Every key on the sheet, which is opened and closed for it."""
    hands.press("F1")
    sheet = hands.window.finding.sheet
    assert sheet is not None
    assert not sheet.lines[Where.CONTROL]
    await hands.until(sheet.isActiveWindow)
    hands.press("Esc")
    assert not sheet.isVisible()
    hands.window.activateWindow()
    await hands.until(hands.window.isActiveWindow)
    return {key for lines in sheet.lines.values() for keys, _ in lines for key in keys}


def look_around(hands: Hands) -> None:
    """Press what looks and goes: it works."""
    window, page = hands.window, hands.page
    page.focus_list()
    before = page.list_cursor.current_id()
    hands.press("End")
    assert page.list_cursor.current_id() != before
    hands.press("Home")
    assert page.list_cursor.current_id() == before
    hands.press("J", "K", "PgDown", "PgUp")
    assert page.list_cursor.current_id() == before
    hands.press("Ctrl+F")
    assert hands.is_at(page.header.search.edit)
    hands.press("Esc")
    assert hands.is_at(page.table)
    for key, shown in (("Alt+2", ENTRIES_PAGE), ("Alt+3", PREVIEW_PAGE), ("Alt+1", MEMORY_PAGE)):
        hands.press(key)
        assert window.pages.current_id == shown
    hands.press("Alt+4")
    assert window.pages.current_id == MEMORY_PAGE
    page.focus_list()
    hands.press("F6", "F6", "F6")
    assert hands.is_at(page.table)
    hands.press("F8", "F9")
    assert not window.rail.isVisible()
    assert not window.inspector.isVisible()
    hands.press("F8", "F9")
    assert window.rail.isVisible()


@scene(drive, a_world_with_secrets)
async def test_the_keys_of_a_client_s_view_look_and_change_nothing(bench: WindowBench, /) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(LOOM)
    window.activateWindow()
    await bench.until(window.isActiveWindow)
    hands = Hands(WindowBench(window, bench.bench))
    told = await told_by_sheet(hands)
    assert not told & {"Space", "Ctrl+A", "Del", "Ctrl+N", "Ctrl+S", "Alt+4", "R", "V", "F2"}
    assert {"J", "K", "Ctrl+F", "F6", "Alt+2", "Alt+3", "Esc", "Ctrl+C"} <= told
    look_around(hands)
    assert viewing.desk.window is window
    page, texts = window.page, hands.bench.texts()
    page.focus_list()
    hands.press("Space", "Shift+Down", "Ctrl+A", "L", "[", "]", "Delete", "Ctrl+Z", "Ctrl+N")
    await asyncio.sleep(0.2)
    assert not page.table.is_checking
    assert hands.bench.texts() == texts
    assert QApplication.activeModalWidget() is None
    page.focus_list()
    hands.press("Esc")
    assert viewing.is_over
    await viewing.desk.close()


@scene(drive, thirty)
async def test_escape_lets_go_of_one_thing_after_the_other_from_everywhere(
    bench: WindowBench, /
) -> None:
    hands = await ready(bench)
    page, window = hands.page, bench.window
    places = (
        page.header.tabs,
        page.filters.source,
        window.inspector.editor,
        window.inspector.body.details.tags.edit,
        window.inspector.body.details.importance.edit,
        window.inspector.body.details.importance.slider,
        window.inspector.footer.forget,
    )
    await hands.opened()
    for place in places:
        place.setFocus(Qt.FocusReason.TabFocusReason)
        assert hands.is_at(place), described(place)
        hands.press("Esc")
        assert hands.is_at(page.table), described(place)
    # The search first, then what is checked, from the bar just so.
    page.header.search.set_text("29")
    await bench.until(lambda: bench.texts() == [NEWEST])
    page.focus_list()
    hands.press("Space")
    await bench.until(page.bulk.isVisible)
    page.bulk.retag.setFocus(Qt.FocusReason.TabFocusReason)
    hands.press("Esc")
    await bench.until(lambda: len(bench.texts()) == 30)
    assert page.header.search.text() == ""
    assert hands.checked() == 1
    page.bulk.retag.setFocus(Qt.FocusReason.TabFocusReason)
    hands.press("Esc")
    assert hands.checked() == 0
    assert hands.is_at(page.table)
    assert hands.current in {NEWEST, SECOND, "Memory 29."}

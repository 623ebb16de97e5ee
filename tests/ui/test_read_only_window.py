"""A window on a disk that cannot be written to: it reads, says why it does not write, and waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from inklings_desktop.ui.control.page import ACCESS_TAB, EVENTS_TAB, TIERS_TAB, ControlView
from inklings_desktop.ui.entries.rows import EntryHeading
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from tests.support.scenes import scene
from tests.ui.page_views import control_view, entries_view
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.read_only_bench import Hands, contents, filled, seal, sealed
from tests.ui.window_bench import WindowBench, drive

WHY = "Read-only: the disk cannot be written to."

pytestmark = pytest.mark.usefixtures("qapp")


def two_memories(bench: Bench) -> None:
    for text in ("Gulls keep accounts.", "Tides are counted."):
        bench.put(text)


@contextmanager
def only_read(root: Path) -> Iterator[Bench]:
    """A store that stands for one on such a disk: the window is told so."""
    with a_bench(root) as bench:
        two_memories(bench)
        yield replace(bench, inklings=replace(bench.inklings, is_read_only=True))


def nothing(_bench: Bench) -> None:
    """It is filled already."""


@scene(drive, nothing, made=only_read)
async def test_the_banner_says_what_still_works_and_editing_is_off(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    window = bench.window
    notice = window.pages.banners.banner
    assert notice.isVisible()
    assert notice.accessibleName() == (
        "Read-only: the disk cannot be written to. You can read, search and export to another "
        "place. Editing is off until the disk is writable."
    )
    buttons = [one.text() for one in notice.findChildren(QPushButton)]
    assert buttons == ["Try again", "Export to\u2026"]
    new = window.page.header.new
    assert not new.isEnabled()
    assert new.toolTip() == "Read-only: the disk cannot be written to."
    for action in (
        window.menus["new_memory"],
        window.menus["forget"],
        window.menus["import_file"],
    ):
        assert not action.isEnabled()
    assert window.menus["export"].isEnabled()

    window.page.list_cursor.select(window.page.rows[1].id)
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    view = window.inspector
    assert view.editor.isReadOnly()
    footer = view.footer
    shown = {one.objectName() for one in footer.findChildren(QPushButton) if one.isVisible()}
    assert shown == {"memoryCopy"}
    footer.copy_text.click()
    assert QGuiApplication.clipboard().text() == view.body.text()
    bench.memory.subject.edit(content="x")
    assert not bench.memory.subject.has_unsaved


@scene(drive, nothing, made=only_read)
async def test_trying_again_reopens_once_the_disk_can_be_written_to(
    bench: WindowBench, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    window, asked = bench.window, list[int]()
    reopening = window.reopening
    retry = window.pages.banners.banner.findChildren(QPushButton)[0]

    def access(*_: object) -> bool:
        asked.append(1)
        return len(asked) > 1

    monkeypatch.setattr("inklings_desktop.ui.window.closing.os.access", access)
    retry.click()
    await bench.until(lambda: len(asked) == 1)
    assert not reopening.wants_reopening
    retry.click()
    await bench.until(lambda: reopening.wants_reopening)


def test_what_stores_is_greyed_out_with_the_reason_and_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path)
    seal(tmp_path, monkeypatch)

    async def look(bench: WindowBench) -> None:
        window, opened_root = bench.window, bench.window.opened
        assert opened_root is not None
        await bench.until(lambda: len(bench.texts()) == 2)
        window.show_page(CONTROL_PAGE)
        await bench.until(lambda: opened_root.control is not None)
        window.show_page(MEMORY_PAGE)
        for name in ("newMemory", "railNewChannel", "newEntry", "scrubMemory"):
            control = window.findChild(QWidget, name)
            assert control is not None, name
            assert not control.isEnabled(), name
            assert control.toolTip() == control.accessibleDescription() == WHY, name
        menus = window.menus
        for action in (
            menus["new_memory"],
            menus["forget"],
            menus["save"],
            menus["import_file"],
            menus["undo"],
        ):
            assert not action.isEnabled()
            assert action.statusTip() == WHY
        row = next(one for one in window.page.rows if isinstance(one, MemoryRow))
        menu = window.page.table._menu_of(row)
        offered = [one.text() for one in menu.actions() if one.isEnabled() and one.text()]
        assert offered == ["Copy text", "Check"]
        here = opened_root.memory.shell.surroundings
        assert here is not None
        for room_id in [one.id for one in here.channels] + [one.id for one in here.conversations]:
            rooms = opened_root.rooms.menu(room_id)
            assert rooms is not None
            possible = {one.text() for one in rooms.actions() if one.isEnabled() and one.text()}
            assert possible <= {"Copy code for the agent"}

    drive(tmp_path, nothing, look, sealed)


@pytest.fixture
def swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this is handed to the system."""
    monkeypatch.setattr(QFileDialog, "open", lambda *_: None)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda *_: True)


@pytest.mark.usefixtures("swallowed")
def test_no_enabled_control_leads_to_a_refused_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path)
    refused = seal(tmp_path, monkeypatch)
    before = contents(tmp_path)

    async def press_everything(bench: WindowBench) -> None:
        window, hands = bench.window, Hands(bench.window, refused)
        opened_root = window.opened
        assert opened_root is not None
        await bench.until(lambda: len(bench.texts()) == 2)
        window.page.list_cursor.select(window.page.rows[1].id)
        await bench.until(lambda: bench.memory.subject.current_entry is not None)
        row = next(one for one in window.page.rows if isinstance(one, MemoryRow))
        await hands.choose_all("row", window.page.table._menu_of(row))
        for menu in (one.menu() for one in window.menuBar().actions()):
            assert isinstance(menu, QMenu)
            await hands.choose_all("bar", menu)
        here = opened_root.memory.shell.surroundings
        assert here is not None
        for room in here.channels:
            rooms = opened_root.rooms.menu(room.id)
            assert rooms is not None
            await hands.choose_all("room", rooms)

        def memory() -> None:
            window.show_page(MEMORY_PAGE)
            window.page.clear_filters_requested.emit()
            window.page.list_cursor.select(row.id)

        def checked() -> None:
            window.show_page(MEMORY_PAGE)
            window.page.clear_filters_requested.emit()
            bench.memory.acts.selection.check([row.id])

        await hands.press_all("memory", memory)
        await hands.press_all("checked", checked)
        bench.memory.acts.selection.clear()
        entries = entries_view(window)
        assert entries is not None
        for entry in entries.list.rows:
            if not isinstance(entry, EntryHeading):
                window.show_page(ENTRIES_PAGE)
                entries.list.select(entry.id)
                await hands.press_all(entry.id, partial(window.show_page, ENTRIES_PAGE))
        await hands.press_all("preview", partial(window.show_page, PREVIEW_PAGE))
        window.show_page(CONTROL_PAGE)
        await bench.until(lambda: opened_root.control is not None)
        for tab in (TIERS_TAB, EVENTS_TAB, ACCESS_TAB):

            def home(tab: str = tab) -> None:
                window.show_page(CONTROL_PAGE)
                cast("ControlView", control_view(window)).show_tab(tab)

            await hands.press_all(tab, home)
        window.menus["text_scale:1.0"].trigger()  # the look is the whole program's
        window.menus["theme:light"].trigger()
        assert hands.blamed == []
        assert refused == []
        assert len(hands.pressed) > 60

    drive(tmp_path, nothing, press_everything, sealed)
    assert contents(tmp_path) == before

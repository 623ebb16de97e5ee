"""The window as a screen reader and the Tab key find it: pages, dialogs, every control."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.ui.consolidation.runs_dialog import RunsDialog
from inklings_desktop.ui.entries.dialogs import DeletedEntriesDialog, NewEntryDialog
from inklings_desktop.ui.inbox.view import RejectDialog
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, MessageDialog, UnsavedDialog
from inklings_desktop.ui.kit.dialogs.copy_dialog import CopyDialog, CopyTarget
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice, NameDialog
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
)
from inklings_desktop.ui.kit.panes.key_columns import KeyboardDialog
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
from inklings_desktop.ui.memory.list.saved_filters_dialog import FilterRow, SavedFiltersDialog
from inklings_desktop.ui.rail.workspaces import EndConversationDialog
from inklings_desktop.ui.tour.tour import show_workspace
from inklings_desktop.ui.transfer.export_choices import about_selection, about_workspace
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.transfer.import_dialog import ImportsDialog
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.palette.dialog import PaletteDialog
from tests.pictures import stops as tour_stops
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.spoken import (
    accessible_name,
    described,
    focusable,
    nameless,
    showing_windows,
    tab_order,
)
from tests.ui.test_dialog_rounds import press, unringed
from tests.ui.test_transfers import opened
from tests.ui.transfer_bench import my_memories
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

NAMED = (
    ("rail", "Places"),
    ("tierTabs", "Memory tiers"),
    ("searchMode", "Search mode"),
    ("memoryList", "Workspace memories"),
    ("memoryContent", "Memory text"),
    ("relevanceChart", "Relevance over time"),
    ("importanceSlider", "Importance"),
)
ORDER = (
    "workspaceCard",
    "rail",
    "tierTabs",
    "newMemory",
    "memorySearch",
    "searchMode",
    "memorySort",
    "filters",
    "savedFilters",
    "memoryList",
    "inspectorPrevious",
    "inspectorNext",
    "inspectorMenu",
    "memoryContent",
    "relevanceChart",
    "importanceSlider",
    "importanceField",
    "lifetimeSwitch",
    "tagEditor",
    "memoryHistory",
    "memoryForget",
    "memoryRevert",
    "memorySave",
    "toast",
)


ROUNDS = (
    "01-memory",
    "01c-conversation-working-notes",
    "new-memory",
    "02-named-entries",
    "02c-named-entries-history",
    "06-orientation-preview",
    "06-orientation-preview-markdown",
    "04a-control-plane",
    "04b-event-log",
    "04c-access",
    "13b-settings-memory",
    "13c-settings-privacy",
    "settings-background",
)


def nothing(_bench: Bench) -> None:
    """The sample world is there already."""


def ancestry(control: QWidget) -> set[str]:
    """Object names of a control and of what it stands in."""
    names = set()
    one: QWidget | None = control
    while one is not None:
        names.add(one.objectName())
        one = one.parentWidget()
    return names


def test_every_control_of_every_page_has_a_name(sample_world: Path) -> None:
    async def walk(bench: WindowBench) -> None:
        found: dict[str, str] = {}
        bench.window.setUpdatesEnabled(False)  # names need no pictures; test_contrast takes those
        for stop in tour_stops.EVERY_STOP:
            bench.window.resize(*stop.size)
            await stop.go(bench.memory, bench.window)
            await asyncio.sleep(0.05)
            for control in nameless(showing_windows()):
                found.setdefault(control, stop.name)
        assert not found

    drive(sample_world, nothing, walk)


def dialogs(theme: Theme, window: MainWindow) -> list[Callable[[], QWidget]]:
    """Every dialog that needs no data to stand up; the tour opens the others."""

    def saved_filters() -> QWidget:
        dialog = SavedFiltersDialog(window, apply=print, rename=print, delete=print)
        dialog.show_rows([FilterRow("1", "Songs", "Workspace", "#song")])
        return dialog

    commands = window.menus.commands
    world = "00000000-0000-4000-8000-000000000000"
    saltglass = Workspace(world, "Saltglass", NOON)
    some = (MemoryRef(ScopeKey.workspace(world), world),)
    targets = (
        CopyTarget(ScopeKey.workspace(world)),
        CopyTarget(ScopeKey.channel(world, "c"), "general"),
    )
    return [
        lambda: NameDialog(window, "New workspace", "A world of its own.", yes="Create"),
        lambda: ConfirmDialog(window, "Really?", "It goes.", yes="Do it", no="Keep"),
        lambda: MessageDialog("It broke.", "Nothing is lost.", "line 1", window),
        lambda: UnsavedDialog(window),
        lambda: DeletedEntriesDialog([Choice("1", "RULES")], window),
        lambda: DeletedEntriesDialog([], window),
        lambda: EndConversationDialog("The toll", "general", n_memories=3, parent=window),
        lambda: ExportDialog(theme, about_workspace(saltglass), window),
        lambda: ExportDialog(theme, about_selection(saltglass, some), window),
        lambda: ImportsDialog([], window),
        lambda: KeyboardDialog(theme, window, commands),
        lambda: NewEntryDialog(theme, {Tier.WORKSPACE: [], Tier.ACCOUNT: []}, window),
        lambda: PaletteDialog(theme, window),
        lambda: ReplaceDialog(theme, 3, window),
        lambda: CopyDialog(theme, ScopeKey.account(), targets, window),
        lambda: RejectDialog("Studio", window),
        lambda: RunsDialog(theme, window, partial(datetime.now, UTC)),
        saved_filters,
    ]


@scene(drive, nothing)
async def test_every_control_of_every_dialog_has_a_name_and_can_be_reached(
    bench: WindowBench, /
) -> None:
    theme, window = bench.window.page.theme, bench.window
    for made in dialogs(theme, window):
        dialog = made()
        dialog.show()
        await asyncio.sleep(0.02)
        assert nameless([dialog]) == set(), described(dialog)
        assert accessible_name(dialog), described(dialog)
        dialog.hide()
        dialog.deleteLater()
        await asyncio.sleep(0)


def test_a_control_without_a_name_would_be_found() -> None:
    window = QWidget()
    window.setObjectName("odd")
    row = QVBoxLayout(window)
    named, unnamed = QLineEdit(), QLineEdit()
    named.setAccessibleName("Name")
    for one in (named, unnamed):
        row.addWidget(one)
    window.show()
    assert nameless([window]) == {"QLineEdit < odd"}
    window.close()
    window.deleteLater()


def test_tab_goes_through_the_memory_page_in_the_order_of_the_specification(
    sample_world: Path,
) -> None:
    async def walk(bench: WindowBench) -> None:
        window = bench.window
        await show_workspace(bench.memory, window)
        assert bench.memory.shell.place == Place(Tier.WORKSPACE)
        window.page.filters.setObjectName("filters")
        window.activateWindow()
        await bench.until(window.isActiveWindow)
        window.page.focus_list()
        QTest.keyClick(window.page.table, Qt.Key.Key_L)
        await bench.until(window.page.toast.undo.isVisible)
        await bench.until(lambda: window.findChild(QWidget, "historyToggle") is not None)
        bench.memory.subject.edit(content="Not saved yet.")
        await bench.until(window.inspector.footer.save.isEnabled)
        # The history is read after the memory itself is on show.
        await bench.until(
            lambda: any("memoryHistory" in ancestry(one) for one in focusable(window))
        )
        order = tab_order(window, window.finding.field)
        places = []
        for name in ORDER:
            at = [n for n, one in enumerate(order) if name in ancestry(one)]
            assert at, f"Tab never reaches {name}"
            places.append(at[0])
        assert places == sorted(places), [described(one) for one in order]
        banner = [n for n, one in enumerate(order) if window.pages.banners.banner.isAncestorOf(one)]
        tabs = next(n for n, one in enumerate(order) if one is window.page.header.tabs)
        assert all(n < tabs for n in banner)
        assert order[-1] is window.page.toast.undo
        back: list[QWidget] = [window.finding.field]
        window.finding.field.setFocus(Qt.FocusReason.BacktabFocusReason)
        while len(back) < len(order):
            here = QApplication.focusWidget()
            assert here is not None
            QTest.keyClick(here, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
            there = QApplication.focusWidget()
            assert there is not None
            back.append(there)
        assert back == [order[0], *reversed(order[1:])]
        press(window, Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier)  # the keyboard leads
        assert unringed(window, [one for one in order if one.property("frameless") is None]) == []
        bench.memory.subject.revert()

    drive(sample_world, nothing, walk)


def test_what_the_specification_names_is_called_that(sample_world: Path) -> None:
    async def listen(bench: WindowBench) -> None:
        window = bench.window
        await show_workspace(bench.memory, window)
        for object_name, name in NAMED:
            control = window.findChild(QWidget, object_name)
            assert control is not None, object_name
            assert control.accessibleName() == name
        search = window.page.header.search.edit
        assert accessible_name(search) == "Search workspace memories"
        spoken = QAccessible.queryAccessibleInterface(window.page.table)
        assert "memories" in spoken.text(QAccessible.Text.Description)
        index = window.page.table.currentIndex()
        row = next(
            one for one in window.page.rows if one.id == window.page.list_cursor.current_id()
        )
        assert index.data(0x0B) == row.excerpt  # type: ignore[union-attr]  # AccessibleTextRole
        said = str(index.data(0x0C))  # AccessibleDescriptionRole
        for word in ("importance", "relevance", "read"):
            assert word in said.lower()

    drive(sample_world, nothing, listen)


def test_every_control_of_the_import_preview_has_a_name(tmp_path: Path) -> None:
    async def walk(bench: WindowBench) -> None:
        transfer, dialog = await opened(bench, tmp_path / "world.inklings.json")
        await bench.until(dialog.confirm.isEnabled)
        assert nameless([dialog]) == set()
        dialog.reject()
        await bench.until(lambda: transfer.dialog is None)

    drive(tmp_path / "root", my_memories, walk)


def test_tab_comes_back_to_its_start_on_every_page(sample_world: Path) -> None:
    """A compound control that is a stop of its own once made a circle that left out the rest."""

    async def walk(bench: WindowBench) -> None:
        window = bench.window
        seen: set[str] = set()
        for stop in tour_stops.EVERY_STOP:
            if stop.name in ROUNDS:
                window.resize(*stop.size)
                await stop.go(bench.memory, window)
                await asyncio.sleep(0.05)
                window.activateWindow()
                await bench.until(window.isActiveWindow)
                order = tab_order(window, window.finding.field)
                assert len(order) > 5, stop.name
                press(window, Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier)
                bare = [one for one in order if one.property("frameless") is None]
                assert unringed(window, bare) == [], stop.name
                seen.add(window.pages.current_id)
        assert seen == {MEMORY_PAGE, ENTRIES_PAGE, PREVIEW_PAGE, CONTROL_PAGE, SETTINGS_PAGE}

    drive(sample_world, nothing, walk)


def test_the_bar_and_the_pane_of_checked_memories_have_names_and_their_place(
    sample_world: Path,
) -> None:
    async def walk(bench: WindowBench) -> None:
        window = bench.window
        await show_workspace(bench.memory, window)
        window.activateWindow()
        window.page.focus_list()
        for keys in (Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space):
            QTest.keyClick(window.page.table, keys)
        await bench.until(window.page.bulk.isVisible)
        await asyncio.sleep(0.1)
        assert nameless([window]) == set()
        order = tab_order(window, window.finding.field)
        at_list = order.index(window.page.table)
        at_bar = [n for n, one in enumerate(order) if window.page.bulk.isAncestorOf(one)]
        at_pane = [n for n, one in enumerate(order) if window.inspector.isAncestorOf(one)]
        assert at_bar
        assert at_pane
        assert at_list < min(at_bar)
        assert max(at_bar) < min(at_pane)

    drive(sample_world, nothing, walk)

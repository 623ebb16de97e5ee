"""Every row of the keyboard map, pressed in the real window; and the sheet that explains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.commands import Where
from inklings_desktop.ui.dialogs.export_dialog import ExportDialog
from inklings_desktop.ui.dialogs.new_entry_dialog import NewEntryDialog
from inklings_desktop.ui.presenters.entry_state import EntryMode
from inklings_desktop.ui.presenters.places import Place
from inklings_desktop.ui.presenters.shell_presenter import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.views.entries_page import EntriesPage
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

    Check = Callable[["Hands"], Awaitable[None]]

pytestmark = pytest.mark.usefixtures("qapp")

W = TypeVar("W", bound=QWidget)
N_MEMORIES = 30
NEWEST, SECOND, OLDEST = "Memory 29.", "Memory 28.", "Memory 0."


def thirty(bench: Bench) -> None:
    for number in range(N_MEMORIES):
        bench.put(f"Memory {number}.", tags=("kept",), importance=0.5)


class Hands:
    """Two hands on the keyboard of a window that shows its list."""

    def __init__(self, bench: WindowBench) -> None:
        self.bench = bench
        self.window = bench.window
        self.page = bench.window.page
        self.until = bench.until

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each as ``Ctrl+K``, wherever the keyboard is."""
        for one in keys:
            combination = QKeySequence(one)[0]  # type: ignore[index]
            QTest.keyClick(self._hearing(), combination.key(), combination.keyboardModifiers())

    def _hearing(self) -> QWidget:
        """What hears a key now: in a popup, in a dialog, in the window."""
        above: QWidget | None = QApplication.activePopupWidget()
        if above is None:
            above = QApplication.activeModalWidget()
        inside: QWidget | None = self.focus if above is None else above.focusWidget()
        if inside is not None:
            return inside
        return self.window if above is None else above

    @property
    def focus(self) -> QWidget | None:
        return QApplication.focusWidget()

    @property
    def current(self) -> str:
        """What the current row says."""
        row = self.page.current_id()
        return next((one.excerpt for one in self.page.rows if one.id == row), "")  # type: ignore[union-attr]

    @property
    def entries(self) -> EntriesPage:
        assert self.window.entries_page is not None
        return self.window.entries_page

    async def shown(self, kind: type[W]) -> W:
        """The dialog of this kind, once it is there."""

        def found() -> W | None:
            every = QApplication.topLevelWidgets()
            return next((one for one in every if isinstance(one, kind) and one.isVisible()), None)

        await self.until(lambda: found() is not None)
        dialog = found()
        assert dialog is not None
        return dialog

    def checked(self) -> int:
        """How many memories are checked."""
        return sum(self.page.table.model().is_checked(one.id) for one in self.page.rows)  # type: ignore[attr-defined]

    def entry(self) -> MemoryEntry:
        """The newest memory as it is stored."""
        inklings, scope = self.bench.bench.inklings, self.bench.bench.scope
        return inklings.browse_memories(inklings.caller, [scope]).entries[0]

    async def opened(self) -> None:
        """Wait until the inspector shows the current memory."""
        await self.until(lambda: self.bench.desk.subject.current_entry is not None)


# -- anywhere -----------------------------------------------------------------------------


async def go_to_or_run(hands: Hands) -> None:
    hands.press("Ctrl+K")
    palette = hands.window.finding.palette
    assert palette is not None
    assert palette.dialog is not None
    assert palette.dialog.isVisible()
    hands.press("Esc")
    assert not palette.dialog.isVisible()


async def pages(hands: Hands) -> None:
    for keys, page in (
        ("Alt+2", ENTRIES_PAGE),
        ("Alt+3", PREVIEW_PAGE),
        ("Alt+4", CONTROL_PAGE),
        ("Alt+1", MEMORY_PAGE),
    ):
        hands.press(keys)
        assert hands.window.pages.current_id == page


async def panes(hands: Hands) -> None:
    inspector, rail = hands.window.inspector, hands.window.rail
    hands.press("F6")
    assert hands.focus is not None
    assert inspector.isAncestorOf(hands.focus)
    hands.press("F6")
    assert rail.isAncestorOf(hands.focus)
    hands.press("F6")
    assert hands.focus is hands.page.table
    hands.press("Shift+F6")
    assert rail.isAncestorOf(hands.focus)


async def rail_and_inspector(hands: Hands) -> None:
    hands.press("F8")
    assert not hands.window.rail.isVisible()
    hands.press("F9")
    assert not hands.window.inspector.isVisible()
    hands.press("F8", "F9")
    assert hands.window.rail.isVisible()
    assert hands.window.inspector.isVisible()


async def undo(hands: Hands) -> None:
    hands.press("Delete")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES - 1)
    await hands.until(hands.window.menus.undo.isEnabled)
    hands.press("Ctrl+Z")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES)
    await hands.until(hands.window.menus.redo.isEnabled)
    hands.press("Ctrl+Shift+Z")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES - 1)
    await hands.until(hands.window.menus.undo.isEnabled)
    hands.press("Ctrl+Z")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES)
    await hands.opened()
    hands.press("E")
    before = hands.window.inspector.editor.toPlainText()
    hands.press("X")
    assert hands.window.inspector.editor.toPlainText() != before
    hands.press("Ctrl+Z")
    assert hands.window.inspector.editor.toPlainText() == before


async def new_memory(hands: Hands) -> None:
    hands.press("Alt+4", "Alt+1", "Ctrl+N")
    await hands.until(lambda: hands.bench.desk.subject.current_entry is None)
    await hands.until(hands.window.inspector.editor.hasFocus)


async def new_named_entry(hands: Hands) -> None:
    hands.press("Ctrl+Shift+N")
    dialog = await hands.shown(NewEntryDialog)
    assert hands.window.pages.current_id == ENTRIES_PAGE
    dialog.reject()


async def next_turn(hands: Hands) -> None:
    hands.press("Ctrl+P")
    assert hands.window.pages.current_id == PREVIEW_PAGE


async def import_and_export(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    assert hands.window.desks is not None
    transfer = hands.window.desks.transfer
    monkeypatch.setattr(transfer, "ask_import", lambda: asked.append("import"))
    hands.press("Ctrl+Shift+I")
    assert asked == ["import"]
    hands.press("Ctrl+Shift+E")
    (await hands.shown(ExportDialog)).reject()


async def keyboard_sheet(hands: Hands) -> None:
    for keys in ("F1", "?"):
        hands.press(keys)
        sheet = hands.window.finding.sheet
        assert sheet is not None
        assert sheet.isVisible()
        hands.press("Esc")
        assert not sheet.isVisible()
    before = hands.window.finding.sheet
    hands.press("/", "?")
    assert hands.page.header.search.text() == "?"  # in a field it is a letter
    assert hands.window.finding.sheet is before


# -- Memory -------------------------------------------------------------------------------


async def tiers(hands: Hands) -> None:
    for keys, tier in zip(("Ctrl+1", "Ctrl+2", "Ctrl+4", "Ctrl+3"), TIERS, strict=True):
        hands.press(keys)
        assert hands.bench.desk.shell.place == Place(tier)


TIERS = (Tier.CONVERSATION, Tier.CHANNEL, Tier.ACCOUNT, Tier.WORKSPACE)


async def search_field(hands: Hands) -> None:
    field = hands.page.header.search.edit
    hands.press("/")
    assert field.hasFocus()
    assert field.text() == ""
    hands.page.focus_list()
    hands.press("Ctrl+F")
    assert field.hasFocus()


async def search_in_log(hands: Hands) -> None:
    hands.press("Alt+4")
    desks = hands.window.desks
    assert desks is not None
    await hands.until(lambda: desks.control is not None)
    control = hands.window.control_page
    assert control is not None
    while control.current_tab() != "events":
        control.focus_tab()
        hands.press("Ctrl+Tab")
    hands.press("Ctrl+F")
    assert hands.focus is not None
    assert hands.focus.accessibleName() != ""
    assert control.isAncestorOf(hands.focus)


async def search_mode(hands: Hands) -> None:
    search = hands.page.header.search
    search.set_mode_enabled("hybrid", enabled=True)
    search.set_mode("hybrid")
    hands.press("Ctrl+F", "Ctrl+Shift+F")
    assert search.mode() == "keyword"
    hands.press("Ctrl+Shift+F")
    assert search.mode() == "hybrid"


async def escape(hands: Hands) -> None:
    search = hands.page.header.search
    search.set_text("29")
    await hands.until(lambda: hands.bench.texts() == [NEWEST])
    hands.page.focus_search()
    hands.page.filters.source.popover_requested.emit()
    popover = QApplication.activePopupWidget()
    assert popover is not None
    hands.press("Esc")
    assert not popover.isVisible()
    assert search.text() == "29"
    hands.press("Esc")
    assert search.text() == ""
    hands.press("Esc")
    assert hands.focus is hands.page.table
    hands.press("E")
    assert hands.window.inspector.editor.hasFocus()
    hands.press("Esc")
    assert hands.focus is hands.page.table


# -- the list -----------------------------------------------------------------------------


async def up_and_down(hands: Hands) -> None:
    for down, up in (("J", "K"), ("Down", "Up")):
        hands.press(down)
        assert hands.current == SECOND
        hands.press(up)
        assert hands.current == NEWEST


async def ends_and_screens(hands: Hands) -> None:
    hands.press("End")
    assert hands.current == OLDEST
    hands.press("Home")
    assert hands.current == NEWEST
    hands.press("PgDown")
    further = hands.current
    assert further not in {NEWEST, SECOND}
    hands.press("PgUp")
    assert hands.current == NEWEST


async def edit(hands: Hands) -> None:
    for keys in ("Return", "E"):
        hands.page.focus_list()
        hands.press(keys)
        await hands.until(hands.window.inspector.editor.hasFocus)


async def check(hands: Hands) -> None:
    hands.press("Space")
    await hands.until(lambda: hands.checked() == 1)
    hands.press("Space")
    await hands.until(lambda: hands.checked() == 0)


async def extend(hands: Hands) -> None:
    hands.press("Shift+Down")
    await hands.until(lambda: hands.checked() == 2)
    hands.press("Shift+Down")
    await hands.until(lambda: hands.checked() == 3)
    hands.press("Ctrl+A")
    await hands.until(lambda: hands.checked() == N_MEMORIES)
    hands.press("Esc")
    await hands.until(lambda: hands.checked() == 0)
    assert hands.focus is hands.page.table


async def lifetime(hands: Hands) -> None:
    before = hands.entry().lifetime
    hands.press("L")
    await hands.until(lambda: hands.entry().lifetime is not before)


async def importance(hands: Hands) -> None:
    async def becomes(value: float) -> None:
        await hands.until(lambda: abs(hands.entry().importance - value) < 1e-9)

    for keys, value in (("]", 0.55), ("[", 0.5), ("[", 0.45)):
        hands.press(keys)
        await becomes(value)


async def edit_tags(hands: Hands) -> None:
    await hands.opened()
    hands.press("T")
    assert hands.focus is hands.window.inspector.body.details.tags.edit


async def copy(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("")
    hands.press("Ctrl+C")
    await hands.until(lambda: QGuiApplication.clipboard().text() == NEWEST)


async def forget(hands: Hands) -> None:
    hands.press("Delete")
    await hands.until(lambda: NEWEST not in hands.bench.texts())
    assert hands.page.toast.isVisible()
    assert hands.page.toast.undo.isVisible()


# -- inspector, editors, other pages ------------------------------------------------------


async def save(hands: Hands) -> None:
    await hands.opened()
    hands.press("E", "X")
    assert hands.bench.desk.subject.has_unsaved
    hands.press("Ctrl+S")
    await hands.until(lambda: not hands.bench.desk.subject.has_unsaved)
    hands.press("Alt+2")
    hands.entries.focus_editor()
    hands.press("X")
    desks = hands.window.desks
    assert desks is not None
    assert desks.entries is not None
    shown = desks.entries
    await hands.until(lambda: shown.entry.has_unsaved)
    hands.press("Ctrl+S")
    await hands.until(lambda: not shown.entry.has_unsaved)


async def previous_and_next(hands: Hands) -> None:
    hands.press("E", "Alt+Down")
    assert hands.current == SECOND
    hands.press("Alt+Up")
    assert hands.current == NEWEST


async def modes(hands: Hands) -> None:
    hands.press("Alt+2")
    for keys, mode in (
        ("Ctrl+1", EntryMode.WRITE),
        ("Ctrl+3", EntryMode.HISTORY),
        ("Ctrl+2", EntryMode.SPLIT),
    ):
        hands.press(keys)
        assert hands.entries.mode is mode


async def formats(hands: Hands) -> None:
    hands.press("Alt+2")
    editor = hands.entries.editor.editor
    for keys, before, after in (
        ("Ctrl+B", "word", "**word**"),
        ("Ctrl+I", "word", "*word*"),
        ("Ctrl+Shift+K", "word", "[word]("),
    ):
        editor.setPlainText(before)
        hands.entries.focus_editor()
        editor.selectAll()
        hands.press(keys)
        assert editor.toPlainText().startswith(after)
    editor.setPlainText("")


async def refresh(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    hands.press("Alt+3", "Alt+4")
    desks = hands.window.desks
    assert desks is not None
    await hands.until(lambda: desks.control is not None and desks.preview is not None)
    asked: list[str] = []
    monkeypatch.setattr(desks.control, "refresh", lambda: asked.append("control"))
    monkeypatch.setattr(desks.preview, "refresh", lambda: asked.append("preview"))
    hands.press("F5")
    assert sorted(asked) == ["control", "preview"]


async def run_task(hands: Hands) -> None:
    hands.press("Alt+4")
    desks = hands.window.desks
    assert desks is not None
    await hands.until(lambda: desks.control is not None)
    control = desks.control
    assert control is not None
    table = hands.window.findChild(QWidget, "taskTable")
    assert table is not None
    asked: list[str] = []
    table.act_requested.connect(asked.append)  # type: ignore[attr-defined]
    await hands.until(lambda: table.model().rowCount() > 0)  # type: ignore[attr-defined]
    table.setFocus()
    hands.press("Home", "R")
    assert len(asked) == 1


async def next_tab(hands: Hands) -> None:
    hands.press("Alt+4")
    desks = hands.window.desks
    assert desks is not None
    await hands.until(lambda: desks.control is not None)
    control = hands.window.control_page
    assert control is not None
    first = control.current_tab()
    control.focus_tab()
    hands.press("Ctrl+Tab")
    assert control.current_tab() != first
    hands.press("Ctrl+Shift+Tab")
    assert control.current_tab() == first


@dataclass(frozen=True)
class MapRow:
    """One row of the keyboard map."""

    keys: str
    where: str
    does: str
    check: Callable[..., Awaitable[None]]


KEYBOARD_MAP = (
    MapRow("Ctrl+K", "anywhere", "go to or run", go_to_or_run),
    MapRow("Ctrl+1, 2, 3, 4", "Memory", "conversation, channel, workspace, account", tiers),
    MapRow("Ctrl+1, 2, 3", "Named entries", "write, split, history", modes),
    MapRow("Alt+1 to Alt+4", "anywhere", "the pages", pages),
    MapRow("F6, Shift+F6", "anywhere", "next, previous pane", panes),
    MapRow("F8, F9", "anywhere", "rail, inspector on and off", rail_and_inspector),
    MapRow("/ or Ctrl+F", "Memory", "search field", search_field),
    MapRow("/ or Ctrl+F", "log", "search field", search_in_log),
    MapRow("Ctrl+Shift+F", "search field", "switch hybrid and keyword", search_mode),
    MapRow("Esc", "layered", "popover, search, back to the list", escape),
    MapRow("J, K or Down, Up", "list", "move", up_and_down),
    MapRow("Home, End, PgUp, PgDn", "list", "usual", ends_and_screens),
    MapRow("Enter, E", "list", "edit in the inspector", edit),
    MapRow("Space", "list", "check the row", check),
    MapRow("Shift+move, Ctrl+A", "list", "extend, all in view", extend),
    MapRow("T", "list", "edit tags", edit_tags),
    MapRow("L", "list", "short-term or long-term", lifetime),
    MapRow("[ and ]", "list", "importance down, up by 0.05", importance),
    MapRow("Ctrl+C", "list", "copy text", copy),
    MapRow("Delete", "list", "forget, with undo", forget),
    MapRow("Ctrl+Z, Ctrl+Shift+Z", "anywhere", "undo, redo; text inside an editor", undo),
    MapRow("Ctrl+N", "anywhere", "new memory", new_memory),
    MapRow("Ctrl+Shift+N", "anywhere", "new named entry", new_named_entry),
    MapRow("Ctrl+S", "editors", "save", save),
    MapRow("Alt+Up, Alt+Down", "inspector", "previous, next memory", previous_and_next),
    MapRow("Ctrl+B, Ctrl+I, Ctrl+Shift+K", "Markdown", "bold, italic, link", formats),
    MapRow("Ctrl+P", "anywhere", "next turn preview", next_turn),
    MapRow("Ctrl+Shift+I, Ctrl+Shift+E", "anywhere", "import, export", import_and_export),
    MapRow("F5", "preview, control plane", "rebuild, refresh", refresh),
    MapRow("R", "control plane", "run or cancel the selected task", run_task),
    MapRow("Ctrl+Tab", "control plane", "next tab", next_tab),
    MapRow("F1, ?", "anywhere but editors", "keyboard sheet", keyboard_sheet),
)


@pytest.mark.parametrize("row", KEYBOARD_MAP, ids=lambda row: f"{row.keys} ({row.where})")
def test_the_keys_do_what_the_map_says(
    tmp_path: Path, row: MapRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def pressed(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == N_MEMORIES)
        hands = Hands(bench)
        hands.window.activateWindow()
        hands.page.focus_list()
        needs_patching = "monkeypatch" in row.check.__annotations__
        await (row.check(hands, monkeypatch) if needs_patching else row.check(hands))

    drive(tmp_path, thirty, pressed)


def test_the_sheet_has_every_key_of_the_register_once(tmp_path: Path) -> None:
    async def read(bench: WindowBench) -> None:
        bench.window.menus.keyboard.trigger()
        sheet = bench.window.finding.sheet
        assert sheet is not None
        commands = bench.window.menus.commands
        for where in Where:
            lines = sheet.lines[where]
            assert len(lines) == len(set(lines))
            named = {one.keys for one in commands.with_keys(where)}
            handled = {one.keys for one in commands.handled() if one.where is where}
            assert {keys for keys, _ in lines} == named | handled
        assert sheet.lines[Where.WINDOW]
        assert sheet.lines[Where.LIST]
        assert all(text for lines in sheet.lines.values() for _, text in lines)
        inner = sheet.area.widget()
        assert inner is not None
        await bench.until(lambda: inner.width() <= sheet.area.viewport().width())
        sheet.close_button.click()
        assert not sheet.isVisible()

    drive(tmp_path, thirty, read)


def test_no_two_commands_of_one_place_share_a_key(tmp_path: Path) -> None:
    async def compare(bench: WindowBench) -> None:
        commands = bench.window.menus.commands
        for where in Where:
            nearby = {Where.WINDOW, where}
            keys = [key for one in commands.all() if one.where in nearby for key in one.keys]
            assert len(keys) == len(set(keys)), sorted(keys)

    drive(tmp_path, thirty, compare)


def test_every_entry_of_every_menu_is_in_the_register(tmp_path: Path) -> None:
    async def compare(bench: WindowBench) -> None:
        commands = bench.window.menus.commands
        known = {one.action for one in commands.all()}
        every = [
            action
            for menu in bench.window.menuBar().findChildren(QMenu)
            for action in menu.actions()
        ]
        assert every
        for action in every:
            if not action.isSeparator() and not isinstance(action.menu(), QMenu):
                assert action in known, action.text()

    drive(tmp_path, thirty, compare)

"""The keyboard map in the real window: what acts anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.entries.dialogs import NewEntryDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    INBOX_PAGE,
    KNOWLEDGE_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
)
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from tests.ui.keyboard_hands import (
    N_MEMORIES,
    SECOND,
    MapRow,
    on,
    thirty,
)

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.panes.key_columns import KeyboardDialog
    from tests.ui.keyboard_hands import Hands
    from tests.ui.presenter_bench import Bench

WINDOW, ENTRIES = Where.WINDOW, Where.ENTRIES


def with_rooms(bench: Bench) -> None:
    """Thirty memories, a second channel and a conversation with a memory of its own."""
    thirty(bench)
    inklings, world = bench.inklings, bench.workspace
    inklings.channels.create(world.id, "map-room")
    talk = inklings.conversations.start(world.id, title="Lamp oil")
    bench.put("Whale oil.", scope=ScopeKey.conversation(world.id, talk.id))


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
        ("Alt+6", WORLD_PAGE),
        ("Alt+7", KNOWLEDGE_PAGE),
        ("Alt+8", SKILLS_PAGE),
        ("Alt+0", INBOX_PAGE),
        ("Alt+4", CONTROL_PAGE),
        ("Alt+5", SETTINGS_PAGE),
        ("Alt+2", ENTRIES_PAGE),
        ("Ctrl+,", SETTINGS_PAGE),
        ("Alt+1", MEMORY_PAGE),
    ):
        hands.press(keys)
        assert hands.window.pages.current_id == page
        shown = hands.window.pages.stack.currentWidget()
        assert shown is not None
        assert hands.focus is not None
        assert shown.isAncestorOf(hands.focus)
    hands.press("J")
    assert hands.current == SECOND


async def panes(hands: Hands) -> None:
    inspector, rail, toast = hands.window.inspector, hands.window.rail, hands.page.toast
    hands.press("F6")
    assert hands.focus is not None
    assert inspector.isAncestorOf(hands.focus)
    hands.press("F6")
    assert rail.isAncestorOf(hands.focus)
    hands.press("F6")
    assert hands.is_at(hands.page.table)
    hands.press("Shift+F6")
    assert rail.isAncestorOf(hands.focus)
    hands.press("F6", "Delete")
    await hands.until(toast.undo.isVisible)
    hands.press("Shift+F6", "Shift+F6")
    assert hands.is_at(toast.undo)
    left = toast.seconds_left()
    toast._on_clock_timeout()  # a second goes by
    assert toast.seconds_left() == left
    hands.press("Space")  # presses what has the keyboard
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES)
    assert hands.is_at(hands.page.table)
    hands.press("Space")
    await hands.until(lambda: hands.checked() == 1)
    hands.press("F6")
    assert inspector.many.isAncestorOf(hands.focus)
    await hands.until(lambda: not toast.undo.isVisible())
    hands.press("F6")  # a note without a button is no pane
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
    await hands.until(hands.window.menus["undo"].isEnabled)
    hands.press("Ctrl+Z")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES)
    await hands.until(hands.window.menus["redo"].isEnabled)
    hands.press("Ctrl+Shift+Z")
    await hands.until(lambda: len(hands.bench.texts()) == N_MEMORIES - 1)
    await hands.until(hands.window.menus["undo"].isEnabled)
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
    for page in ("Alt+1", "Alt+4", "Alt+2"):
        hands.press(page, "Ctrl+N")
        await hands.until(lambda: hands.bench.memory.subject.current_entry is None)
        await hands.until(hands.window.inspector.editor.hasFocus)
        assert hands.window.pages.current_id == MEMORY_PAGE
        hands.press("Esc")


async def new_named_entry(hands: Hands) -> None:
    hands.press("Ctrl+Shift+N")
    dialog = await hands.shown(NewEntryDialog)
    assert hands.window.pages.current_id == ENTRIES_PAGE
    dialog.reject()


async def next_turn(hands: Hands) -> None:
    hands.press("Ctrl+P")
    assert hands.window.pages.current_id == PREVIEW_PAGE


async def import_and_export(hands: Hands) -> None:
    hands.press("Ctrl+Shift+E")
    (await hands.shown(ExportDialog)).reject()
    hands.window.activateWindow()
    await hands.until(hands.window.isActiveWindow)
    hands.press("Ctrl+Shift+I")
    chooser = await hands.shown(QFileDialog)
    assert chooser.fileMode() is QFileDialog.FileMode.ExistingFiles
    chooser.reject()


async def link_folder(hands: Hands) -> None:
    hands.press("Ctrl+O")
    chooser = await hands.shown(QFileDialog)
    assert hands.window.pages.current_id == WORLD_PAGE
    assert chooser.fileMode() is QFileDialog.FileMode.Directory
    chooser.reject()


async def text_sizes(hands: Hands) -> None:
    theme, menus = hands.page.theme, hands.window.menus
    for keys, scale in (
        ("Ctrl++", 1.1),
        ("Ctrl+=", 1.25),
        ("Ctrl+-", 1.1),
        ("Ctrl+0", 1.0),
        ("Ctrl+-", 0.9),
        ("Ctrl+-", 0.9),
    ):
        hands.press(keys)
        assert theme.text_scale == scale
        assert menus[f"text_scale:{scale}"].isChecked()
    on_pad = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.KeypadModifier
    QTest.keyClick(hands.page.table, Qt.Key.Key_Plus, on_pad)
    assert theme.text_scale == 1.0
    for _ in range(6):
        hands.press("Ctrl++")
    assert theme.text_scale == 1.4
    hands.press("/", "Ctrl+0")  # in a field as well
    assert theme.text_scale == 1.0


async def leave_the_program(hands: Hands) -> None:
    hands.press("Ctrl+Q")
    await hands.window.closed()


async def rename_a_room(hands: Hands) -> None:
    hands.press("Shift+F6")
    hands.press("M")  # type-ahead: the channel map-room
    await hands.until(lambda: hands.bench.memory.shell.place.tier is Tier.CHANNEL)
    hands.press("F2")
    dialog = await hands.shown(NameDialog)
    assert dialog.name == "map-room"
    hands.press("Esc")


async def keyboard_sheet(hands: Hands) -> None:
    for keys in ("F1", "?"):
        hands.press(keys)
        sheet = sheet_of(hands)
        assert sheet is not None
        assert sheet.isVisible()
        hands.press("Esc")
        assert not sheet.isVisible()
        assert sheet_of(hands) is None
    hands.press("/", "?")
    assert hands.page.header.search.text() == "?"  # in a field it is a letter
    assert sheet_of(hands) is None


def sheet_of(hands: Hands) -> KeyboardDialog | None:
    return hands.window.finding.sheet


MAP = (
    MapRow("Ctrl+K", "anywhere", "go to or run", go_to_or_run, on(WINDOW, "Ctrl+K")),
    MapRow(
        "Alt+1 to Alt+8, Alt+0, Ctrl+,",
        "anywhere",
        "the pages",
        pages,
        on(WINDOW, *(f"Alt+{n}" for n in range(9)), "Ctrl+,"),
    ),
    MapRow(
        "F6, Shift+F6",
        "anywhere",
        "next, previous pane",
        panes,
        on(WINDOW, "F6", "Shift+F6"),
        is_alone=True,
    ),
    MapRow(
        "F8, F9",
        "anywhere",
        "rail, inspector on and off",
        rail_and_inspector,
        on(WINDOW, "F8", "F9"),
    ),
    MapRow(
        "Ctrl+Z, Ctrl+Shift+Z",
        "anywhere",
        "undo, redo; text inside an editor",
        undo,
        on(WINDOW, "Ctrl+Z", "Ctrl+Shift+Z"),
    ),
    MapRow("Ctrl+N", "anywhere", "new memory", new_memory, on(WINDOW, "Ctrl+N")),
    MapRow(
        "Ctrl+Shift+N", "anywhere", "new named entry", new_named_entry, on(ENTRIES, "Ctrl+Shift+N")
    ),
    MapRow("Ctrl+P", "anywhere", "next turn preview", next_turn, on(WINDOW, "Ctrl+P")),
    MapRow(
        "Ctrl+Shift+I, Ctrl+Shift+E",
        "anywhere",
        "import, export",
        import_and_export,
        on(WINDOW, "Ctrl+Shift+I", "Ctrl+Shift+E"),
    ),
    MapRow("Ctrl+O", "anywhere", "link a folder", link_folder, on(WINDOW, "Ctrl+O")),
    MapRow(
        "Ctrl++, Ctrl+-, Ctrl+0",
        "anywhere",
        "larger, smaller, usual text",
        text_sizes,
        on(WINDOW, "Ctrl++", "Ctrl+=", "Ctrl+-", "Ctrl+0"),
    ),
    MapRow("F2", "rail", "rename the room", rename_a_room, on(WINDOW, "F2"), prepare=with_rooms),
    MapRow(
        "F1, ?", "anywhere but editors", "keyboard sheet", keyboard_sheet, on(WINDOW, "F1", "?")
    ),
    MapRow("Ctrl+Q", "anywhere", "quit", leave_the_program, on(WINDOW, "Ctrl+Q"), is_alone=True),
)

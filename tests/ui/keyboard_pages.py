"""The keyboard map in the real window: Named entries, the next turn, the Control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.control.page import ACCESS_TAB, EVENTS_TAB, SCHEDULE_TAB, TIERS_TAB
from inklings_desktop.ui.entries.opened import EntryMode
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import (
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    SETTINGS_PAGE,
)
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.settings.groups import MEMORY
from inklings_desktop.ui.turn.rows import CandidateRow, SectionRow
from tests.support.fake_embedder import FakeEmbedder
from tests.ui.access_bench import LOOM, four_clients, table_of
from tests.ui.keyboard_hands import MapRow, on, thirty
from tests.ui.page_views import access_of, events_of
from tests.ui.presenter_bench import Heard
from tests.ui.test_event_log_desk import recorded
from tests.ui.test_task_desk import unembedded, with_clock

if TYPE_CHECKING:
    from inklings_desktop.ui.settings.page import SettingsPage
    from inklings_desktop.ui.turn.view import TurnView
    from tests.ui.keyboard_hands import Hands
    from tests.ui.presenter_bench import Bench

ENTRIES, MARKDOWN, PREVIEW, CONTROL = (
    Where.ENTRIES,
    Where.MARKDOWN,
    Where.PREVIEW,
    Where.CONTROL,
)


def a_turn(bench: Bench) -> None:
    """A conversation with one memory, thirty of the workspace, and a VOICE."""
    inklings, world = bench.inklings, bench.workspace
    talk = inklings.conversations.start(world.id, title="The toll at Wend Gate")
    bench.put("The toll is paid in glass.", scope=ScopeKey.conversation(world.id, talk.id))
    thirty(bench)
    voice = inklings.entries.find(world.id, "VOICE")
    inklings.entries.save(voice.ref, "Plain and dry.\n\nNo jokes.", expected_version=voice.version)


def clients(bench: Bench) -> None:
    """Four clients beside thirty memories."""
    thirty(bench)
    four_clients(bench)


# -- Named entries ------------------------------------------------------------------------


async def save_entry(hands: Hands) -> None:
    hands.press("Alt+2")
    hands.entries.focus_editor()
    hands.press("X")
    opened_root = hands.window.opened
    assert opened_root is not None
    assert opened_root.entries is not None
    shown = opened_root.entries
    await hands.until(lambda: shown.entry.has_unsaved)
    hands.press("Ctrl+S")
    await hands.until(lambda: not shown.entry.has_unsaved)
    inklings, world = hands.bench.bench.inklings, hands.bench.bench.workspace
    bodies = [one.body for one in inklings.entries.list(world.id)]
    assert any("x" in body for body in bodies)


async def modes(hands: Hands) -> None:
    hands.press("Alt+2")
    for keys, mode in (
        ("Ctrl+1", EntryMode.WRITE),
        ("Ctrl+3", EntryMode.HISTORY),
        ("Ctrl+2", EntryMode.SPLIT),
    ):
        hands.press(keys)
        assert hands.entries.mode is mode


async def find_in_text(hands: Hands) -> None:
    hands.press("Alt+2")
    hands.entries.focus_editor()
    bar = hands.entries.editor.find_bar
    hands.press("Ctrl+F")
    assert bar.isVisible()
    assert hands.is_at(bar.find_edit)
    assert not bar.replace_edit.isVisible()
    hands.press("Esc")
    assert not bar.isVisible()
    assert hands.is_at(hands.entries.editor.editor)
    hands.press("Ctrl+H")
    assert bar.replace_edit.isVisible()
    hands.press("Esc")
    assert not bar.isVisible()


async def focus_mode(hands: Hands) -> None:
    hands.press("Alt+2")
    hands.entries.focus_editor()
    hands.press("F11")
    assert not hands.window.rail.isVisible()
    assert not hands.entries.list.isVisible()
    assert hands.entries.editor.editor.hasFocus()
    hands.press("F11")
    assert hands.window.rail.isVisible()
    assert hands.entries.list.isVisible()


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


# -- the next turn ------------------------------------------------------------------------


def rows_on_show(page: TurnView) -> int:
    return sum(isinstance(row, CandidateRow) for row in page.table.rows)


async def preview_rows(hands: Hands) -> None:
    page, _ = await hands.preview()
    table = page.table
    assert hands.is_at(table)
    stops = [table.current_id()]
    for _ in range(4):
        hands.press("J")
        stops.append(table.current_id())
    assert len(set(stops)) == 5
    for before in reversed(stops[:-1]):
        hands.press("K")
        assert table.current_id() == before
    hands.press("Down", "Up")
    assert table.current_id() == stops[0]
    hands.press("End")
    assert isinstance(table.rows[table.currentIndex().row()], CandidateRow)
    hands.press("Home")
    assert table.current_id() == stops[0]


async def show_all(hands: Hands) -> None:
    page, _ = await hands.preview()
    section = next(row for row in page.table.rows if isinstance(row, SectionRow) and row.link)
    while page.table.current_id() != section.id:
        hands.press("J")
    few = rows_on_show(page)
    for opens, folds in (("Right", "Left"), ("Space", "Space"), ("Return", "Return")):
        hands.press(opens)
        assert rows_on_show(page) > few
        assert page.table.current_id() == section.id
        hands.press(folds)
        assert rows_on_show(page) == few


async def open_memory(hands: Hands) -> None:
    page, _ = await hands.preview()
    hands.press("End")
    chosen = page.table.current_id()
    row = page.table.rows[page.table.currentIndex().row()]
    assert isinstance(row, CandidateRow)
    QGuiApplication.clipboard().setText("")
    hands.press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == row.excerpt
    hands.press("Return")
    await hands.until(lambda: hands.window.pages.current_id == MEMORY_PAGE)
    await hands.until(lambda: hands.page.list_cursor.current_id() == chosen)
    assert hands.is_at(hands.page.table)


async def markdown_as_sent(hands: Hands) -> None:
    page, _ = await hands.preview()
    hands.press("M")
    assert page.markdown.isVisible()
    assert hands.is_at(page.markdown)
    hands.press("M")
    assert not page.markdown.isVisible()
    assert hands.is_at(page.table)


async def sample_message(hands: Hands) -> None:
    page, desk = await hands.preview()
    for view in (page.table, page.markdown):
        hands.press("/")
        assert hands.is_at(page.message.edit)
        assert page.message.text() == ""
        hands.press("M", "J", "K")  # letters now
        assert page.message.text() == "mjk"
        assert hands.window.pages.current_id == PREVIEW_PAGE
        hands.press("Esc", "Esc")
        assert page.message.text() == ""
        await desk.settled()
        hands.press("M")
        assert not hands.is_at(view)


async def refresh(hands: Hands) -> None:
    _, preview = await hands.preview()
    _, control = await hands.control()
    hands.press("Alt+3")
    await preview.settled()
    before = preview.content
    hands.press("F5")
    await hands.until(lambda: preview.content is not before)
    hands.press("Alt+4")
    await control.tiers.settled()
    counted = control.tiers.content
    hands.press("F5")
    await hands.until(lambda: control.tiers.content is not counted)


# -- the Control plane --------------------------------------------------------------------


async def next_tab(hands: Hands) -> None:
    page, _ = await hands.control()
    assert page.current_tab() == TIERS_TAB
    for tab in (SCHEDULE_TAB, EVENTS_TAB, ACCESS_TAB, TIERS_TAB):
        hands.press("Ctrl+Tab")
        assert page.current_tab() == tab
        assert hands.focus is not None
        assert page.isAncestorOf(hands.focus)
    for tab in (ACCESS_TAB, EVENTS_TAB, SCHEDULE_TAB, TIERS_TAB):
        hands.press("Ctrl+Shift+Tab")
        assert page.current_tab() == tab


async def run_task(hands: Hands) -> None:
    _, control = await hands.control()
    table = control.tiers.view.tasks.table
    await hands.until(lambda: bool(table.rows))
    while not hands.is_at(table):
        hands.press("Tab")
    while table.current_key() != "backfill":
        hands.press("J")
    hands.press("R")

    def last() -> str:
        return next(row.last for row in table.rows if row.key == "backfill")

    await hands.until(lambda: last() == "<1 min ago, 60 embedded")
    assert hands.is_at(table)


async def search_log(hands: Hands) -> None:
    page, control = await hands.control()
    for _ in range(2):
        hands.press("Ctrl+Tab")
    await hands.until(lambda: events_of(control).content is not None)
    await events_of(control).settled()
    view = page.findChild(EventLogView)
    assert isinstance(view, EventLogView)
    search = view.bar.search
    view.focus_table()
    for keys in ("/", "Ctrl+F"):
        hands.press(keys)
        assert hands.is_at(search.edit)
        assert search.text() == ""
        hands.press("R", "V")  # letters now
        assert search.text() == "rv"
        hands.press("Esc", "Esc")
        assert search.text() == ""
        assert hands.is_at(view.table)
    QGuiApplication.clipboard().setText("")
    hands.press("Ctrl+C")
    assert QGuiApplication.clipboard().text() != ""


async def see_as_client(hands: Hands) -> None:
    page, control = await hands.control()
    hands.press("Ctrl+Shift+Tab")
    assert page.current_tab() == ACCESS_TAB
    await hands.until(lambda: access_of(control).content is not None)
    matrix = table_of(access_of(control).view)
    wanted = Heard()
    hands.window.view_wanted.connect(lambda name, _world: wanted.payloads.append(name))
    matrix.setFocus()
    matrix.show_current(LOOM)
    hands.press("V")
    assert wanted.payloads == [LOOM]


# -- settings -----------------------------------------------------------------------------


async def rates(hands: Hands) -> None:
    hands.press("Alt+2", "Ctrl+,")
    opened_root = hands.window.opened
    assert opened_root is not None
    page = cast("SettingsPage", opened_root.pages.page(SETTINGS_PAGE))
    hands.window.go(ToSettings(MEMORY, "rateWorkspace"))
    await hands.until(lambda: getattr(page.group(MEMORY), "rates", None) is not None)
    hands.press("[", "[", "]")
    inklings = hands.bench.bench.inklings
    assert inklings.settings.decay.workspace == 0.995
    hands.press("Ctrl+S")
    await hands.until(lambda: inklings.settings.decay.workspace == 0.9945)
    hands.press("Esc")
    assert hands.window.pages.current_id == ENTRIES_PAGE


MAP = (
    MapRow("Ctrl+S", "Named entries", "save", save_entry, on(ENTRIES, "Ctrl+S")),
    MapRow(
        "Ctrl+1, 2, 3",
        "Named entries",
        "write, split, history",
        modes,
        on(ENTRIES, "Ctrl+1", "Ctrl+2", "Ctrl+3"),
    ),
    MapRow(
        "Ctrl+F, Ctrl+H",
        "Named entries",
        "find, find and replace",
        find_in_text,
        on(ENTRIES, "Ctrl+F", "Ctrl+H"),
    ),
    MapRow("F11", "Named entries", "focus mode", focus_mode, on(ENTRIES, "F11")),
    MapRow(
        "Ctrl+B, Ctrl+I, Ctrl+Shift+K",
        "Markdown",
        "bold, italic, link",
        formats,
        on(MARKDOWN, "Ctrl+B", "Ctrl+I", "Ctrl+Shift+K"),
    ),
    MapRow(
        "J, K or Down, Up", "preview", "move", preview_rows, on(PREVIEW, "J", "K"), prepare=a_turn
    ),
    MapRow(
        "Right, Left",
        "preview",
        "show all, fold",
        show_all,
        on(PREVIEW, "Right", "Left"),
        prepare=a_turn,
    ),
    MapRow(
        "Enter, Ctrl+C",
        "preview",
        "open, copy the memory",
        open_memory,
        on(PREVIEW, "Enter", "Ctrl+C"),
        prepare=a_turn,
    ),
    MapRow("M", "preview", "Markdown", markdown_as_sent, on(PREVIEW, "M"), prepare=a_turn),
    MapRow("/", "preview", "sample message", sample_message, on(PREVIEW, "/"), prepare=a_turn),
    MapRow("F5", "preview, control plane", "rebuild, refresh", refresh, on(Where.WINDOW, "F5")),
    MapRow(
        "Ctrl+Tab", "control plane", "next tab", next_tab, on(CONTROL, "Ctrl+Tab", "Ctrl+Shift+Tab")
    ),
    MapRow(
        "R",
        "control plane tasks",
        "run or cancel the selected task",
        run_task,
        on(CONTROL, "R"),
        prepare=unembedded(60),
        made=with_clock(FakeEmbedder()),
    ),
    MapRow(
        "/ or Ctrl+F, Ctrl+C",
        "log",
        "search field, copy",
        search_log,
        on(CONTROL, "/", "Ctrl+F", "Ctrl+C"),
        prepare=lambda bench: recorded(bench, 8),
    ),
    MapRow("V", "access", "as a client", see_as_client, on(CONTROL, "V"), prepare=clients),
    MapRow(
        "[, ], Ctrl+S, Esc",
        "settings",
        "rate down, up; save rates; back",
        rates,
        on(Where.SETTINGS, "[", "]", "Ctrl+S", "Esc"),
    ),
)

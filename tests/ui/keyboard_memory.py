"""The keyboard map in the real window: the Memory page, its list and the inspector."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.words.places import Place
from tests.ui.keyboard_hands import (
    N_MEMORIES,
    NEWEST,
    OLDEST,
    SECOND,
    MapRow,
    on,
)
from tests.ui.test_long_lists import N_MEMORIES as N_MANY
from tests.ui.test_long_lists import inspected, many

if TYPE_CHECKING:
    from tests.ui.keyboard_hands import Hands
    from tests.ui.presenter_bench import Bench

WINDOW, MEMORY, LIST, INSPECTOR = Where.WINDOW, Where.MEMORY, Where.LIST, Where.INSPECTOR
TIERS = (Tier.CONVERSATION, Tier.CHANNEL, Tier.ACCOUNT, Tier.WORKSPACE)


# -- Memory -------------------------------------------------------------------------------


async def tiers(hands: Hands) -> None:
    for keys, tier in zip(("Ctrl+1", "Ctrl+2", "Ctrl+4", "Ctrl+3"), TIERS, strict=True):
        hands.press(keys)
        assert hands.bench.memory.shell.place == Place(tier)


async def search_field(hands: Hands) -> None:
    field = hands.page.header.search.edit
    hands.press("/")
    assert field.hasFocus()
    assert field.text() == ""
    hands.page.focus_list()
    hands.press("Ctrl+F")
    assert field.hasFocus()


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
    assert hands.is_at(hands.page.table)
    hands.press("E")  # about the rows that are listed without the search
    editor = hands.window.inspector.editor
    await hands.until(lambda: hands.window.focusWidget() is editor)
    hands.window.activateWindow()  # offscreen, no window is any more once a popover has gone
    await hands.until(editor.hasFocus)
    hands.press("Esc")
    assert hands.is_at(hands.page.table)


# -- the list -----------------------------------------------------------------------------


async def up_and_down(hands: Hands) -> None:
    for down, up in (("J", "K"), ("Down", "Up")):
        hands.press(down)
        assert hands.current == SECOND
        hands.press(up)
        assert hands.current == NEWEST


async def ends_and_screens(hands: Hands) -> None:
    table, page = hands.page.table, hands.page
    hands.press("End")
    assert hands.current == OLDEST
    hands.press("Home")
    assert hands.current == NEWEST
    seen = [table.currentIndex().row()]
    while hands.current != OLDEST:
        hands.press("PgDown")
        seen.append(table.currentIndex().row())
        assert table.viewport().rect().contains(table.visualRect(table.currentIndex()))
    steps = [later - earlier for earlier, later in pairwise(seen)]
    assert len(steps) > 2
    fit = table.viewport().height() // table.rowHeight(seen[0])
    assert all(fit - 1 <= step <= fit for step in steps[:-1]), (fit, steps)
    while page.list_cursor.current_id() is not None and hands.current != NEWEST:
        before = table.currentIndex().row()
        hands.press("PgUp")
        assert table.currentIndex().row() < before
    assert hands.current == NEWEST  # and not the heading above it


async def many_pages(hands: Hands) -> None:
    table = hands.page.table
    await hands.until(lambda: table.model().rowCount() > N_MANY)
    last = f"Memory number {N_MANY - 1:04}"
    hands.press("End")
    await hands.until(lambda: inspected(hands.bench) == last)
    hands.press("PgUp")
    place = table.currentIndex().row()
    assert place < table.model().rowCount() - 2
    await hands.until(lambda: inspected(hands.bench) not in {"", last})
    hands.press("PgDown", "PgDown")
    await hands.until(lambda: inspected(hands.bench) == last)
    hands.press("Home")
    await hands.until(lambda: inspected(hands.bench) == "Memory number 0000")
    seen: set[int] = set()
    for _ in range(40):
        hands.press("PgDown")
        assert table.currentIndex().row() not in seen
        assert not table.currentIndex().data(RowRole.IS_HEADING)
        seen.add(table.currentIndex().row())
    hands.press("Home", "Shift+End")
    await hands.until(lambda: len(hands.bench.memory.acts.selection) == N_MANY)


async def edit(hands: Hands) -> None:
    for keys in ("Return", "E", "F9", "E"):
        hands.page.focus_list()
        hands.press(keys)
        if keys != "F9":  # what was put away comes back where it is wanted
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
    hands.press("Esc", "Home", "Shift+PgDown")
    fit = hands.page.table.currentIndex().row()
    assert fit > 2
    await hands.until(lambda: hands.checked() == fit)
    hands.press("Shift+PgUp")
    assert hands.current == NEWEST
    hands.press("Esc", "Shift+End")
    await hands.until(lambda: hands.checked() == N_MEMORIES)
    assert hands.current == OLDEST
    hands.press("Esc", "K", "K", "Shift+Home")
    await hands.until(lambda: hands.checked() == N_MEMORIES - 2)
    hands.press("Esc", "Shift+Up")
    await hands.until(lambda: hands.checked() == 1)  # nothing stands above
    hands.press("Ctrl+A")
    await hands.until(lambda: hands.checked() == N_MEMORIES)
    hands.press("Esc")
    await hands.until(lambda: hands.checked() == 0)
    assert hands.is_at(hands.page.table)


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
    field = hands.window.inspector.body.details.tags.edit
    assert hands.is_at(field)
    hands.press("T", "L", "E")  # letters now
    assert field.text() == "tle"


async def copy(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("")
    hands.press("Ctrl+C")
    await hands.until(lambda: QGuiApplication.clipboard().text() == NEWEST)


async def forget(hands: Hands) -> None:
    hands.press("Delete")
    await hands.until(lambda: NEWEST not in hands.bench.texts())
    await hands.until(hands.page.toast.undo.isVisible)


# -- inspector ----------------------------------------------------------------------------


async def save(hands: Hands) -> None:
    await hands.opened()
    hands.press("E", "X")
    assert hands.bench.memory.subject.has_unsaved
    hands.press("Ctrl+S")
    await hands.until(lambda: not hands.bench.memory.subject.has_unsaved)
    assert hands.entry().content == f"{NEWEST}x"


async def previous_and_next(hands: Hands) -> None:
    await hands.opened()
    hands.press("E", "Alt+Down")
    assert hands.current == SECOND
    assert hands.window.inspector.editor.hasFocus()
    await hands.until(lambda: inspected(hands.bench) == SECOND)
    hands.press("Alt+Up")
    assert hands.current == NEWEST


def said_twice(bench: Bench) -> None:
    bench.put("The harbour sings. Of harbours nobody else does.")


async def words_of_the_search(hands: Hands) -> None:
    hands.press("/", "H", "A", "R", "B", "O", "U", "R", "Down")
    await hands.opened()
    editor = hands.window.inspector.editor
    await hands.until(lambda: len(editor.extraSelections()) == 2)
    hands.press("E")
    for keys, word in (("F3", "harbour"), ("F3", "harbours"), ("F3", "harbour")):
        hands.press(keys)
        assert editor.textCursor().selectedText() == word
    hands.press("Shift+F3")
    assert editor.textCursor().selectedText() == "harbours"


MAP = (
    MapRow(
        "F3, Shift+F3",
        "inspector",
        "next, previous word of the search",
        words_of_the_search,
        on(INSPECTOR, "F3", "Shift+F3"),
        prepare=said_twice,
    ),
    MapRow(
        "Ctrl+1, 2, 3, 4",
        "Memory",
        "conversation, channel, workspace, account",
        tiers,
        on(MEMORY, "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4"),
        is_alone=True,
    ),
    MapRow("/ or Ctrl+F", "Memory", "search field", search_field, on(MEMORY, "/", "Ctrl+F")),
    MapRow(
        "Ctrl+Shift+F",
        "search field",
        "switch hybrid and keyword",
        search_mode,
        on(MEMORY, "Ctrl+Shift+F"),
    ),
    MapRow("Esc", "layered", "popover, search, back to the list", escape, on(WINDOW, "Esc")),
    MapRow("J, K or Down, Up", "list", "move", up_and_down, on(LIST, "J", "K")),
    MapRow(
        "Home, End, PgUp, PgDn",
        "list",
        "usual",
        ends_and_screens,
        on(LIST, "Home", "End", "PgUp", "PgDown"),
    ),
    MapRow("Home, End, PgUp, PgDn", "long list", "usual", many_pages, prepare=many),
    MapRow("Enter, E", "list", "edit in the inspector", edit, on(LIST, "Enter", "E")),
    MapRow("Space", "list", "check the row", check, on(LIST, "Space")),
    MapRow(
        "Shift+move, Ctrl+A",
        "list",
        "extend, all in view",
        extend,
        on(
            LIST,
            "Shift+Down",
            "Shift+Up",
            "Shift+PgDown",
            "Shift+PgUp",
            "Shift+End",
            "Shift+Home",
            "Ctrl+A",
        ),
    ),
    MapRow("T", "list", "edit tags", edit_tags, on(LIST, "T"), is_alone=True),
    MapRow("L", "list", "short-term or long-term", lifetime, on(LIST, "L")),
    MapRow("[ and ]", "list", "importance down, up by 0.05", importance, on(LIST, "[", "]")),
    MapRow("Ctrl+C", "list", "copy text", copy, on(LIST, "Ctrl+C")),
    MapRow("Delete", "list", "forget, with undo", forget, on(LIST, "Delete"), is_alone=True),
    MapRow("Ctrl+S", "inspector", "save", save, on(INSPECTOR, "Ctrl+S"), is_alone=True),
    MapRow(
        "Alt+Up, Alt+Down",
        "inspector",
        "previous, next memory",
        previous_and_next,
        on(INSPECTOR, "Alt+Up", "Alt+Down"),
    ),
)

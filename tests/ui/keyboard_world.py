"""The keyboard map in the real window: the author's pages, and what is decided of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QWidget

from inklings_desktop.domain.memory import Derivation, MemoryDraft
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import WORLD_PAGE
from inklings_desktop.ui.kit.page.destinations import ToWorld
from tests.ui.keyboard_hands import MapRow, on, thirty
from tests.ui.world.tab_bench import save

if TYPE_CHECKING:
    from tests.ui.keyboard_hands import Hands
    from tests.ui.presenter_bench import Bench

SHUT = "# Gate\n\nThe gate of the harbour is shut at every hour of the night.\n"


def a_gate(bench: Bench) -> None:
    """Thirty memories and one that leans on a page, which changed since and is to change again."""
    thirty(bench)
    inklings, here = bench.inklings, bench.workspace.id
    pages = inklings.data_dir.parent / "gate-pages"
    save(pages / "gate.md", SHUT)
    inklings.world.link(here, pages)
    inklings.world.look(here)
    source = (Derivation("Gate#Gate"),)
    inklings.memories.put(MemoryDraft(bench.scope, "It is shut.", derived_from=source))
    save(pages / "gate.md", SHUT.replace("shut", "open"))
    inklings.world.look(here)
    inklings.page_proposals.propose(here, page="gate.md", text="# Gate\n", reason="Shorter.")


async def tab_of(hands: Hands, key: str) -> Any:
    """A tab of the World page, once it has read something."""
    hands.window.go(ToWorld(tab=key))
    opened = hands.window.opened
    assert opened is not None
    await hands.until(lambda: opened.pages.page(WORLD_PAGE) is not None)
    tab: Any = opened.pages.page(WORLD_PAGE).tabs[key]  # type: ignore[union-attr]
    await hands.until(lambda: tab.content is not None and tab.view.isVisible())
    return tab


async def pages(hands: Hands) -> None:
    tab = await tab_of(hands, "pages")
    await hands.until(lambda: tab.shown is not None)
    tab.focus_reader()
    first = tab.block_id
    hands.press("J")
    assert tab.block_id != first
    hands.press("K")
    assert tab.block_id == first
    hands.press("M")
    (await hands.shown(QDialog)).reject()
    hands.window.activateWindow()
    await hands.until(hands.window.isActiveWindow)
    tab.focus_reader()
    hands.press("Enter")
    assert hands.is_at(part(tab, "writeMemory"))
    hands.press("/")
    assert part(tab, "worldFind").isAncestorOf(hands.focus)


async def next_tab(hands: Hands) -> None:
    tab = await tab_of(hands, "pages")
    tab.focus_reader()
    for keys, key in (("Ctrl+Tab", "changed"), ("Ctrl+Shift+Tab", "pages")):
        hands.press(keys)
        assert (await shown_tab(hands)).key == key
        (await shown_tab(hands)).bring_focus(None)


async def shown_tab(hands: Hands) -> Any:
    """The tab on show."""
    opened = hands.window.opened
    assert opened is not None
    world: Any = opened.pages.page(WORLD_PAGE)
    return next(one for one in world.tabs.values() if one.view.isVisible())


async def decides(hands: Hands, key: str, *letters: str) -> None:
    """Each letter is heard by the list, and means a button; what those do is tried elsewhere."""
    tab = await tab_of(hands, key)
    await hands.until(lambda: bool(tab.current))
    heard: list[str] = []
    part(tab, f"{key}List").letter_pressed.connect(heard.append)
    for letter in letters:
        tab.focus_list()
        button = part(tab, tab.buttons[letter])
        button.setEnabled(False)
        hands.press(letter)
    assert heard == list(letters)


async def source_changed(hands: Hands) -> None:
    await decides(hands, "changed", "S", "U", "Del", "O")


async def proposed(hands: Hands) -> None:
    await decides(hands, "proposed", "Y", "E", "N")


def part(tab: Any, name: str) -> Any:
    """A part of a tab."""
    return tab.view.findChild(QWidget, name)


WORLD = Where.WORLD
MAP = (
    MapRow(
        "J, K, Enter, M, /",
        "World, pages",
        "blocks, what derives, memory from a block, find",
        pages,
        on(WORLD, "J", "K", "Enter", "M", "/"),
        prepare=a_gate,
    ),
    MapRow(
        "Ctrl+Tab",
        "World",
        "next tab",
        next_tab,
        on(WORLD, "Ctrl+Tab", "Ctrl+Shift+Tab"),
        prepare=a_gate,
    ),
    MapRow(
        "S, U, Del, O",
        "World, source changed",
        "true, update, forget, page",
        source_changed,
        on(WORLD, "S", "U", "Del", "O"),
        prepare=a_gate,
    ),
    MapRow(
        "Y, E, N",
        "World, proposed",
        "accept, edit, reject",
        proposed,
        on(WORLD, "Y", "E", "N"),
        prepare=a_gate,
    ),
)

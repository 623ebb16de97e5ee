"""The command palette in the real window: what it offers, what Enter does, what it remembers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.window.last_time import save_recent, stored_recent
from inklings_desktop.ui.window.palette.dialog import PaletteDialog
from inklings_desktop.ui.window.palette.opening import CommandPalette
from inklings_desktop.ui.window.palette.rows import MOST_ROWS, N_RECENT, PaletteHeading, PaletteItem
from inklings_desktop.ui.window.register import page_specs
from tests.support.scenes import scene
from tests.ui.page_views import turn_view
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

OTHER_PAGES = [
    one.title
    for one in sorted(page_specs(), key=lambda page: int(page.keys[0][-1]) or 10)
    if one.id != MEMORY_PAGE
]
"""What can be gone to from the Memory page, in the order of the keys."""


def a_world(bench: Bench) -> None:
    inklings = bench.inklings
    court = inklings.channels.create(bench.workspace.id, "court-of-tides")
    bench.put("The Provost fears the tide tables.", tags=("provost",))
    bench.put("Gulls keep accounts.", tags=("gulls",))
    bench.put("The court sits at low tide.", scope=ScopeKey.channel(bench.workspace.id, court.id))
    inklings.conversations.start(
        bench.workspace.id, channel=court.id, title="What the Provost wants"
    )
    words = FilterWords(MemoryFilter(tags=frozenset({"gulls"})))
    inklings.search.save_filter(bench.workspace.id, Tier.WORKSPACE, "Only birds", words)


class Palette:
    """The palette of a window, while a test types into it."""

    def __init__(self, bench: WindowBench) -> None:
        self.bench = bench
        assert bench.window.finding.palette is not None
        self.desk: CommandPalette = bench.window.finding.palette

    @property
    def dialog(self) -> PaletteDialog:
        assert self.desk.dialog is not None
        return self.desk.dialog

    async def opened(self, text: str = "") -> None:
        """Press its key, type, and wait for everything that is found."""
        self.bench.window.activateWindow()
        await self.bench.until(self.bench.window.isActiveWindow)
        QTest.keyClick(self.bench.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        await self.bench.until(lambda: self.desk.dialog is not None and self.dialog.isVisible())
        await self.desk.presenter.settled()
        QTest.keyClicks(self.dialog.field, text)
        await self.desk.presenter.settled()

    def items(self) -> list[PaletteItem]:
        return [one for one in self.dialog.model.rows if isinstance(one, PaletteItem)]

    def texts(self) -> list[str]:
        return [one.text for one in self.items()]

    def headings(self) -> list[str]:
        return [one.text for one in self.dialog.model.rows if isinstance(one, PaletteHeading)]

    async def took(self, key: str, *, alone: bool = False) -> None:
        """Go down to a row and press Enter."""
        wanted = next(one.key for one in self.items() if one.key.startswith(key))
        for _ in self.items():
            if self.dialog.current_key == wanted:
                break
            QTest.keyClick(self.dialog.field, Qt.Key.Key_Down)
        assert self.dialog.current_key == wanted
        modifiers = Qt.KeyboardModifier.ControlModifier if alone else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(self.dialog.field, Qt.Key.Key_Return, modifiers)
        assert not self.dialog.isVisible()


def played(root: Path, action: Callable[[Palette], Awaitable[None]]) -> None:
    async def act(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        await action(Palette(bench))

    drive(root, a_world, act)


@scene(played)
async def test_it_offers_pages_and_commands_before_anything_is_typed(palette: Palette, /) -> None:
    await palette.opened()
    assert palette.headings() == ["Go to", "Run"]
    assert palette.texts()[: len(OTHER_PAGES)] == OTHER_PAGES
    assert len(palette.items()) == len(OTHER_PAGES) + N_RECENT
    assert palette.dialog.field.hasFocus()
    QTest.keyClick(palette.dialog.field, Qt.Key.Key_Escape)
    assert not palette.dialog.isVisible()


def test_a_command_is_found_by_a_few_letters_run_and_remembered(tmp_path: Path) -> None:
    async def run(palette: Palette) -> None:
        window = palette.bench.window
        assert not palette.bench.memory.subject.has_unsaved
        await palette.opened("nm")
        assert palette.items()[0].text == "New memory"
        assert palette.items()[0].keys == "Ctrl N"
        await palette.took("command:New memory")
        await palette.bench.until(window.inspector.editor.hasFocus)  # it is there to be written
        await palette.opened()
        assert palette.headings() == ["Go to", "Used last"]
        assert palette.texts()[len(OTHER_PAGES) :] == ["New memory"]  # nothing that was not used
        palette.dialog.reject()

    played(tmp_path, run)
    assert stored_recent(tmp_path)[0] == "command:New memory"


@scene(played)
async def test_every_enabled_command_of_the_menus_can_be_reached(palette: Palette, /) -> None:
    commands = palette.bench.window.menus.commands
    await palette.opened(">")
    assert palette.headings() == ["Run"]
    offered = {one.text for one in palette.desk.presenter.known.commands}
    pages = {"Memory", *OTHER_PAGES}
    assert {one.name for one in commands.all() if one.can_run} == offered | pages
    assert "Undo forgetting" not in offered  # nothing to undo
    assert not any("scrub" in one.lower() for one in offered)


@scene(played)
async def test_what_would_change_nothing_is_left_out(palette: Palette, /) -> None:
    bench = palette.bench
    bench.window.page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    await palette.opened(">pin")
    assert "Pin: never fades" in palette.texts()
    assert "Unpin" not in palette.texts()
    await palette.took("command:Pin")
    row = bench.window.page.table.current_row
    await bench.until(lambda: (now := row()) is not None and now.pinned)
    await palette.opened(">pin")
    assert "Unpin" in palette.texts()
    assert "Pin: never fades" not in palette.texts()
    await palette.took("command:Unpin")
    await bench.until(lambda: (now := row()) is not None and not now.pinned)


@scene(played)
async def test_scrubbing_is_offered_on_the_control_plane_alone(palette: Palette, /) -> None:
    window, opened_root = palette.bench.window, palette.bench.window.opened
    assert opened_root is not None
    window.show_page(CONTROL_PAGE)
    await palette.bench.until(lambda: opened_root.control is not None)
    control = opened_root.control
    assert control is not None
    await palette.opened("scrub")
    await palette.took("command:Scrub memory")
    await palette.bench.until(lambda: opened_root.scrub.dialog is not None)
    assert opened_root.scrub.dialog is not None
    opened_root.scrub.dialog.reject()
    await palette.bench.until(lambda: opened_root.scrub.dialog is None)
    window.show_page(MEMORY_PAGE)
    await palette.opened(">scrub")
    assert palette.items() == []
    palette.dialog.reject()


@scene(played)
async def test_channels_entries_rooms_filters_and_tags_are_gone_to(palette: Palette, /) -> None:
    bench, window = palette.bench, palette.bench.window
    await palette.opened("#tid")
    assert palette.headings() == ["Channels"]
    await palette.took("channel:")
    await bench.until(lambda: bench.texts() == ["The court sits at low tide."])
    await palette.opened("provost wants")
    await palette.took("conversation:")
    await bench.until(lambda: bench.memory.shell.place.tier is Tier.CONVERSATION)
    await palette.opened("@voi")
    await palette.took("entry:")
    assert window.pages.current_id == ENTRIES_PAGE
    await palette.opened("birds")
    await palette.took("filter:")
    assert window.pages.current_id == MEMORY_PAGE
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    await palette.opened("tagged provost")
    await palette.took("tag:provost")
    await bench.until(lambda: bench.texts() == ["The Provost fears the tide tables."])
    await palette.opened("control")
    await palette.took(CONTROL_PAGE)
    assert window.pages.current_id == CONTROL_PAGE


@scene(played)
async def test_memories_of_every_tier_are_found_by_words_and_by_id(palette: Palette, /) -> None:
    bench = palette.bench
    await palette.opened("tide")
    found = [one for one in palette.items() if one.is_memory]
    assert {one.text for one in found} == {
        "The Provost fears the tide tables.",
        "The court sits at low tide.",
    }
    assert len(palette.items()) <= MOST_ROWS
    in_court = next(one for one in found if one.text.startswith("The court"))
    assert in_court.hint == "court-of-tides"
    await palette.took(in_court.key)
    await bench.until(lambda: bench.texts() == ["The court sits at low tide."])
    await bench.until(lambda: bench.window.page.list_cursor.current_id() is not None)
    memory_id = in_court.key.removeprefix("memory:")
    bench.memory.shell.go(Place(Tier.WORKSPACE))
    await bench.until(lambda: len(bench.texts()) == 2)
    await palette.opened(memory_id[:8])
    assert [one.key for one in palette.items() if one.is_memory] == [f"memory:{memory_id}"]
    await palette.took("memory:", alone=True)
    await bench.until(
        lambda: (
            bench.memory.subject.current_entry is not None
            and bench.memory.subject.current_entry.id == memory_id
        )
    )
    assert len(bench.texts()) == 2  # the list stays where it was


@scene(played)
async def test_the_words_themselves_can_be_searched_written_and_previewed(
    palette: Palette, /
) -> None:
    bench, window = palette.bench, palette.bench.window
    await palette.opened("gulls")
    await palette.took("do:filter")
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    assert window.page.header.search.text() == "gulls"
    await palette.opened("Lanterns at sea")
    await palette.took("do:preview")
    await bench.until(lambda: window.pages.current_id == PREVIEW_PAGE)
    preview = turn_view(window)
    assert preview is not None
    await bench.until(lambda: preview.message.text() == "Lanterns at sea")
    await palette.opened("Lanterns at sea")
    await palette.took("do:new")
    await bench.until(lambda: bench.memory.subject.has_unsaved)


def test_what_is_paused_or_forgotten_is_told_of_and_shown(tmp_path: Path) -> None:
    def set_aside(bench: Bench) -> None:
        a_world(bench)
        inklings = bench.inklings
        paused = bench.put("The tide bell is silent.")
        mine = bench.put("Reads tide tables for pleasure.", scope=ScopeKey.account())
        inklings.memories.mark([paused.ref], MemoryMark.PAUSED, on=True)
        inklings.memories.forget([mine.ref])
        gone = bench.put("Lanterns were banned.")
        inklings.memories.forget([gone.ref])

    async def find(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        palette = Palette(bench)
        await palette.opened("tide")
        keys = [one.key for one in palette.items()]
        aside = palette.items()[keys.index("do:aside")]
        assert aside.text == "1 paused memory and 1 forgotten match too"
        assert aside.hint == "Show them"
        assert keys[keys.index("do:aside") - 1].startswith("memory:")
        assert len(keys) <= MOST_ROWS
        await palette.took("do:aside")
        await bench.until(lambda: len(bench.texts()) == 4)
        assert bench.texts()[-2:] == [
            "The tide bell is silent.",
            "Reads tide tables for pleasure.",
        ]
        assert bench.window.page.header.search.text() == "tide"
        await palette.opened("lanterns")
        assert palette.items()[0].key == "do:aside", "nothing else says it"
        assert "Memories" in palette.headings()
        assert palette.texts()[0] == "1 forgotten memory matches too"
        palette.dialog.field.clear()
        await palette.desk.presenter.settled()
        assert "do:aside" not in [one.key for one in palette.items()]
        QTest.keyClicks(palette.dialog.field, "gulls")
        await palette.desk.presenter.settled()
        assert "do:aside" not in [one.key for one in palette.items()]
        palette.dialog.reject()

    drive(tmp_path, set_aside, find)


@scene(played)
async def test_what_means_nothing_is_said_and_enter_does_nothing_else(palette: Palette, /) -> None:
    await palette.opened("#zzzz")
    assert palette.dialog.nothing.isVisible()
    QTest.keyClick(palette.dialog.field, Qt.Key.Key_Return)
    assert palette.dialog.isVisible()


def test_only_commands_and_pages_are_remembered(tmp_path: Path) -> None:
    assert stored_recent(tmp_path) == ()
    save_recent(tmp_path, ("command:Save", "page:control"))
    assert stored_recent(tmp_path) == ("command:Save", "page:control")
    save_recent(tmp_path, ("command:Save",))
    assert stored_recent(tmp_path) == ("command:Save",)

    async def remember(palette: Palette) -> None:
        palette.desk.remember(["tag:secret", "command:Save", "memory:1"])
        assert palette.desk.recent == ("command:Save",)

    played(tmp_path, remember)

"""Links from other programs: to a memory, a named entry, a conversation, a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from inklings_desktop.domain.links import parse_link
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.window.main_window import MainWindow
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def one_memory(bench: Bench) -> None:
    bench.put("Tides are counted.")


def open_name(bench: WindowBench) -> str:
    here = bench.memory.shell.surroundings
    return here.workspace.name if here is not None else ""


def shown_id(bench: WindowBench) -> str:
    ref = bench.memory.subject.current_ref
    return ref.id if ref is not None else ""


def test_a_memory_of_another_workspace_is_gone_to(tmp_path: Path) -> None:
    ids: list[str] = []

    def prepare(bench: Bench) -> None:
        one_memory(bench)
        other = bench.inklings.workspaces.create("Ashfall")
        ids.append(bench.put("The kiln is cold.", scope=ScopeKey.workspace(other.id)).id)

    async def follow(bench: WindowBench) -> None:
        bench.window.show_page(ENTRIES_PAGE)
        bench.window.come_forward(f"inklings://memory/{ids[0]}")
        await bench.until(lambda: shown_id(bench) == ids[0])
        assert open_name(bench) == "Ashfall"
        assert bench.window.pages.current_id == MEMORY_PAGE
        await bench.until(lambda: bench.texts() == ["The kiln is cold."])

    drive(tmp_path, prepare, follow)


def test_what_is_wanted_while_the_data_opens_is_gone_to_then(tmp_path: Path) -> None:
    ids: list[str] = []

    def prepare(bench: Bench) -> None:
        ids.append(bench.put("Tides are counted.").id)
        one_memory(bench)

    def want(window: MainWindow) -> None:
        window.come_forward(f"inklings://memory/{ids[0]}")

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: shown_id(bench) == ids[0])

    drive(tmp_path, prepare, look, while_opening=want)


def test_entry_conversation_and_page_are_gone_to(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        one_memory(bench)
        bench.inklings.conversations.start(bench.workspace.id, title="The kiln")

    async def follow(bench: WindowBench) -> None:
        window, inklings = bench.window, bench.bench.inklings
        voice = inklings.entries.find(bench.bench.workspace.id, "VOICE", tier=Tier.WORKSPACE)
        window.come_forward(f"inklings://entry/{voice.id}")
        await bench.until(lambda: window.pages.current_id == ENTRIES_PAGE)
        (talk,) = inklings.places.conversations(bench.bench.workspace.id)
        window.come_forward(f"inklings://conversation/{talk.ref_code}")
        wanted = Place(Tier.CONVERSATION, talk.id)
        await bench.until(lambda: bench.memory.shell.place == wanted)
        assert window.pages.current_id == MEMORY_PAGE
        window.come_forward("inklings://page/control")
        await bench.until(lambda: window.pages.current_id == CONTROL_PAGE)

    drive(tmp_path, prepare, follow)


@scene(drive, one_memory)
async def test_a_link_to_what_is_open_leads_back_to_it(bench: WindowBench, /) -> None:
    window = bench.window

    def copied() -> str:
        window.menus["copy_link"].trigger()
        return QGuiApplication.clipboard().text()

    await bench.until(lambda: bool(shown_id(bench)))
    assert copied() == f"inklings://memory/{shown_id(bench)}"
    window.come_forward("inklings://page/entries")
    await bench.until(lambda: copied().startswith("inklings://entry/"))
    voice = bench.bench.inklings.entries.list(bench.bench.workspace.id)
    assert parse_link(copied()).key in {one.id for one in voice}
    window.come_forward("inklings://page/control")
    await bench.until(lambda: copied() == "inklings://page/control")


NOT_THERE = {
    "inklings://memory/00000000-0000-4000-8000-000000000000": "The memory of this link",
    "inklings://entry/none": "This named entry is not here",
    "inklings://conversation/none": "This conversation is not here",
    "inklings://page/none": "There is no such page",
    "inklings://scrub/everything": "This link cannot be opened",
}


@scene(drive, one_memory)
async def test_what_is_not_there_is_said_and_nothing_moves(bench: WindowBench, /) -> None:
    heard = bench.messages(shown=False)
    for link, title in NOT_THERE.items():
        heard.clear()
        bench.window.come_forward(link)
        await bench.until(lambda: bool(heard))
        assert heard[0].title.startswith(title), link
        assert bench.window.pages.current_id == MEMORY_PAGE

"""The window opens where it was closed: workspace, page, place and memory, and its size."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow

from inklings_desktop.domain.memory import Lifetime, ScopeKey, Tier
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import BEGINNING, Place
from inklings_desktop.ui.window.last_time import (
    LastTime,
    restore_geometry,
    save_last_time,
    stored_last_time,
)
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

PAGE_OF_ROWS = 200


def nothing(_bench: Bench) -> None:
    """The store is as the last window left it."""


def two_worlds(bench: Bench) -> None:
    bench.put("Tides are counted.")
    made = bench.inklings.workspaces.create("Ashfall")
    talk = bench.inklings.conversations.start(made.id, title="The kiln")
    bench.put(
        "The kiln is cold.",
        scope=ScopeKey.conversation(made.id, talk.id),
        lifetime=Lifetime.CONVERSATION,
    )


def test_workspace_page_place_and_memory_are_there_again(tmp_path: Path) -> None:
    seen: list[LastTime] = []

    async def leave(bench: WindowBench) -> None:
        here = bench.memory.shell
        assert here.surroundings is not None
        other = next(one for one in here.surroundings.workspaces if one.name == "Ashfall")
        await here.open_workspace(other.id)
        here.go(Place(Tier.CONVERSATION, here.surroundings.conversations[0].id))
        await bench.until(lambda: bench.texts() == ["The kiln is cold."])
        bench.window.page.list_cursor.select_first()
        await bench.until(lambda: bench.memory.subject.current_ref is not None)
        bench.window.show_page(ENTRIES_PAGE)
        await bench.until(lambda: bench.window.pages.current_id == ENTRIES_PAGE)

    async def come_back(bench: WindowBench) -> None:
        here = bench.memory.shell.surroundings
        assert here is not None
        assert here.workspace.name == "Ashfall"
        assert bench.window.pages.current_id == ENTRIES_PAGE
        assert bench.memory.shell.place.tier is Tier.CONVERSATION
        await bench.until(lambda: bench.texts() == ["The kiln is cold."])
        await bench.until(lambda: bench.memory.subject.current_ref is not None)
        seen.append(stored_last_time(tmp_path))

    drive(tmp_path, two_worlds, leave)
    drive(tmp_path, nothing, come_back)
    assert seen[0].page_id == ENTRIES_PAGE
    assert seen[0].memory_id


def test_a_memory_far_down_the_list_is_on_show_again(tmp_path: Path) -> None:
    first: list[str] = []

    def many(bench: Bench) -> None:
        first.append(bench.put("The oldest of all.").id)
        for number in range(PAGE_OF_ROWS):
            bench.put(f"Stone {number} is counted.")
        save_last_time(tmp_path, LastTime(bench.workspace.id, memory_id=first[0]))

    async def look(bench: WindowBench) -> None:
        def shown() -> str:
            ref = bench.memory.subject.current_ref
            return ref.id if ref is not None else ""

        await bench.until(lambda: shown() == first[0])
        assert bench.window.page.list_cursor.current_id() == first[0]

    drive(tmp_path, many, look)


@pytest.mark.parametrize(
    "gone",
    [
        LastTime("no-such-workspace", MEMORY_PAGE, Place(Tier.CHANNEL, "no-such-room"), "none"),
        LastTime("", "page:of-another-version", BEGINNING, "none"),
    ],
)
def test_what_is_gone_by_now_is_passed_over(tmp_path: Path, gone: LastTime) -> None:
    def prepare(bench: Bench) -> None:
        bench.put("Tides are counted.")
        save_last_time(tmp_path, gone)

    async def look(bench: WindowBench) -> None:
        heard = bench.messages()
        assert bench.memory.shell.place == BEGINNING
        assert bench.window.pages.current_id == MEMORY_PAGE
        assert bench.texts() == ["Tides are counted."]
        assert not heard

    drive(tmp_path, prepare, look)


def test_the_first_window_takes_nine_tenths_of_the_screen(tmp_path: Path) -> None:
    window = QMainWindow()
    restore_geometry(window, tmp_path)
    screen = window.screen().availableGeometry()
    assert abs(window.width() - max(screen.width() * 0.9, 960)) <= 1
    assert abs(window.height() - max(screen.height() * 0.9, 600)) <= 1


def test_a_file_that_says_nonsense_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "window.ini").write_text("[last]\ntier=attic\nworkspace=a, b\n")
    assert stored_last_time(tmp_path) == LastTime()

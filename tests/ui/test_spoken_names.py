"""What a screen reader is told, row by row of the specification, and what it is told unasked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6 import QtGui
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow, NoteRow
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.kit.panes.banner import Banner, BannerContent
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.tour import tour
from tests.pictures import control as tour_control
from tests.pictures import memory as tour_memory
from tests.support.fake_embedder import FakeEmbedder
from tests.ui.keyboard_hands import thirty
from tests.ui.test_task_desk import SlowEmbedder, opened, unembedded, with_clock
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

pytestmark = pytest.mark.usefixtures("qapp")

BROWSING = (
    ("rail", "Places", ""),
    # Qt answers for a tab bar with its chosen tab, whatever the bar itself is called.
    ("tierTabs", "Workspace, 74 memories", ""),
    ("memorySearch", "Search workspace memories", "By (meaning|words)"),
    ("searchMode", "Search mode", ""),
    ("memoryList", "Workspace memories", "74 memories, newest first"),
    ("memoryContent", "Memory text", ""),
    (
        "relevanceChart",
        "Relevance over time",
        r"Now \d\.\d\d; \d\.\d\d in 7 days; half gone every \d+\.\d days",
    ),
    ("importanceSlider", "Importance", r"0\.\d\d"),
)
ROW = (
    r"((Fact|House rule), )?(Agent|Author|Import), [\w-]+, (short|long)-term, "
    r"relevance (<0\.01|\d+\.\d\d) [\w ]+, "
    r"importance \d\.\d\d, (never read|read once|read \d+ times?), [\d.]+ \w+ old(, .+)?"
)


@pytest.fixture(autouse=True)
def a_screen_reader() -> Iterator[None]:
    """Views keep their accessible rows up to date only while somebody listens."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def nothing(_bench: Bench) -> None:
    """The sample world is there already."""


def told(control: QWidget | None) -> tuple[str, str]:
    """Name and description of a control, as a screen reader asks for them."""
    assert control is not None
    interface = QAccessible.queryAccessibleInterface(control)
    return (
        interface.text(QAccessible.Text.Name),
        interface.text(QAccessible.Text.Description),
    )


def told_of_row(bench: WindowBench, place: int) -> tuple[str, str]:
    """Name and description of a row of the list."""
    table = QAccessible.queryAccessibleInterface(bench.window.page.table)
    cell = table.child(2 * place + 3)  # headers are children too: a row has one, all rows have one
    assert cell.role() is QAccessible.Role.Cell
    return cell.text(QAccessible.Text.Name), cell.text(QAccessible.Text.Description)


def test_every_control_of_the_table_says_what_it_is(sample_world: Path) -> None:
    async def listen(bench: WindowBench) -> None:
        window = bench.window
        await tour.show_workspace(bench.memory, window)
        for name, called, described in BROWSING:
            heard = told(window.findChild(QWidget, name))
            assert re.fullmatch(called, heard[0]), (name, heard)
            assert re.fullmatch(described, heard[1]), (name, heard)
        rows = list(enumerate(window.page.rows))
        memories = [(place, row) for place, row in rows if isinstance(row, MemoryRow)]
        assert len(memories) > 20
        for place, row in memories:
            name, description = told_of_row(bench, place)
            assert name == row.excerpt
            assert re.fullmatch(ROW, description), description
        said = [told_of_row(bench, place)[1] for place, _row in memories]
        assert any(", tags " in one for one in said)
        await tour_memory.show_search(bench.memory, window)
        count = len([row for row in window.page.rows if isinstance(row, MemoryRow)])
        heard = told(window.findChild(QWidget, "memorySearch"))
        assert re.fullmatch(rf"By (meaning|words), {count} found( by words)?", heard[1])
        assert told(window.page.table)[1] == f"{count} memories, best match first"
        window.page.header.search.set_text("")
        await bench.memory.list.settled()
        await tour_memory.show_conversation(bench.memory, window)
        notes = [(n, one) for n, one in enumerate(window.page.rows) if isinstance(one, NoteRow)]
        assert notes
        for place, _note in notes:
            name, description = told_of_row(bench, place)
            assert re.match(r"\w+ = .+", name), name
            assert re.fullmatch(r"Working Note, read-only, written \d+ \w+ ago", description)
        window.show_page(ENTRIES_PAGE)
        heard = told(window.findChild(QWidget, "contextMeter"))
        assert heard[0] == "Always in context"
        assert re.fullmatch(r"[\d,]+ of [\d,]+ characters, \d+ entries", heard[1]), heard

    drive(sample_world, nothing, listen)


def test_the_gate_of_a_scrub_says_what_it_waits_for(sample_world: Path) -> None:
    async def listen(bench: WindowBench) -> None:
        window = bench.window
        await tour.show_control(bench.memory, window)
        await tour_control.show_scrub_scope(bench.memory, window)
        await tour_control.count_scrub(bench.memory, window)
        await tour_control.confirm_scrub(bench.memory, window)
        assert told(window.findChild(QWidget, "scrubPhrase")) == (
            "Confirmation phrase",
            "Type scrub workspace 89",
        )
        assert told(window.findChild(QWidget, "scrubExecute")) == (
            "Scrub 89 entries",
            "Unavailable until the phrase matches",
        )
        await tour_control.leave_scrub(bench.memory, window)

    drive(sample_world, nothing, listen)


def test_a_task_says_how_far_it_is(tmp_path: Path) -> None:
    model = SlowEmbedder()

    async def run(bench: WindowBench) -> None:
        control = await opened(bench)
        model.gate.clear()
        control.tiers.view.tasks.table.act_requested.emit("backfill")
        await bench.until(lambda: bench.window.findChild(QWidget, "taskBackfill") is not None)
        heard = told(bench.window.findChild(QWidget, "taskBackfill"))
        model.gate.set()
        assert heard[0] == "Preparing for search"
        assert re.fullmatch(r"Running, (begins|\d+ of \d+)", heard[1]), heard

    drive(tmp_path, unembedded(60), run, with_clock(model))


class Reader:
    """Stands in for the accessibility bus, and keeps what is announced."""

    AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.heard: list[tuple[str, bool]] = []
        monkeypatch.setattr(QtGui, "QAccessible", self)  # imported where it speaks

    def updateAccessibility(self, event: object) -> None:  # noqa: N802 - Qt calls it so
        """Take an announcement."""
        assert isinstance(event, QAccessibleAnnouncementEvent)
        is_urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
        self.heard.append((event.message(), is_urgent))

    def polite(self) -> list[str]:
        """What was said without interrupting."""
        return [text for text, is_urgent in self.heard if not is_urgent]

    def urgent(self) -> list[str]:
        """What interrupted."""
        return [text for text, is_urgent in self.heard if is_urgent]


def test_what_changes_by_itself_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(monkeypatch)

    async def listen(bench: WindowBench) -> None:
        window, page = bench.window, bench.window.page
        await bench.until(lambda: len(bench.texts()) == 30)
        banner = window.findChild(Banner)
        assert banner is not None
        for words, count, said in (
            ("29", 1, "1 found by words"),
            ("memory", 30, "30 found by words"),
            ("nowhere", 0, "Nothing matches \u201cnowhere\u201d"),
        ):
            page.header.search.set_text(words)
            await bench.until(lambda count=count: len(bench.texts()) == count)  # type: ignore[misc]
            await bench.memory.list.settled()
            assert said in reader.polite(), reader.heard
        n_said = len(reader.heard)
        bench.memory.list.refresh()
        await bench.memory.list.settled()
        assert len(reader.heard) == n_said  # the same again is not said again
        page.header.search.set_text("")
        await bench.until(lambda: len(bench.texts()) == 30)
        page.focus_list()
        bench.memory.acts.selection.check([row.id for row in page.rows[1:3]])
        window.menus["forget"].trigger()
        await bench.until(page.toast.undo.isVisible)
        heard = told(page.toast)
        assert heard[0] == "Forgot 2 memories"
        assert re.fullmatch(r"Undo is available for \d+ seconds", heard[1])
        assert "Forgot 2 memories" in reader.polite()
        banner.show_content(BannerContent("lapis", "Catching up.", "New here.", ()))
        assert any("Catching up." in one for one in reader.polite())
        banner.show_content(BannerContent("madder", "Only read.", "The disk is full.", ()))
        assert any("Only read." in one for one in reader.urgent())
        page.show_failure(Message("The list cannot be read.", "Try again."))
        assert "The list cannot be read." in reader.urgent()

    drive(tmp_path, thirty, listen)


def test_the_end_of_a_task_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(monkeypatch)

    async def run(bench: WindowBench) -> None:
        control = await opened(bench)
        control.tiers.view.tasks.table.act_requested.emit("backfill")
        await bench.until(lambda: any("mbed" in one for one in reader.polite()))

    drive(tmp_path, unembedded(60), run, with_clock(FakeEmbedder()))

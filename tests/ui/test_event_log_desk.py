"""The Event log tab over a real store in the real window: what happens stands there at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from qasync import QEventLoop

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.log.events import EventDraft, EventFilter, EventKind
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.control.page import EVENTS_TAB
from inklings_desktop.ui.events.page import EventsPage
from inklings_desktop.ui.events.state import NO_FACETS, EventRequest, LogChoice
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEvent
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.usecases.bundle import Inklings
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, an_agent
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.fake_log import FakeLog
from tests.ui.page_bench import a_context
from tests.ui.page_views import control_view, events_of
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

LIVE_SECONDS = 1.0 * SLOWNESS
PAINTED_EVENTS = 10_000


def recorded(bench: Bench, n_events: int, kind: EventKind = EventKind.MEMORY_CONFIRMED) -> None:
    """Append events to the workspace's log, in one commit."""
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="Ada") as unit:
        for number in range(n_events):
            draft = EventDraft(
                kind,
                "Ada",
                "person",
                "cli",
                "workspace",
                bench.workspace.id,
                counts={"memories": number + 2},
            )
            unit.events.append(draft, bench.inklings.clock() - timedelta(hours=n_events - number))
        unit.commit()


class Tab:
    """The tab in the window, while a test drives it."""

    def __init__(self, bench: WindowBench) -> None:
        assert bench.window.opened is not None
        control = bench.window.opened.control
        assert control is not None
        page = control_view(bench.window)
        assert page is not None
        self.bench = bench
        self.control = control
        self.page = page
        self.desk = events_of(control)
        view = page.findChild(EventLogView)
        assert isinstance(view, EventLogView)
        self.view = view

    @property
    def inklings(self) -> Inklings:
        return self.bench.bench.inklings

    def numbers(self) -> list[int]:
        return [row.number for row in self.view.rows]

    def top(self) -> str:
        return str(self.view.table.indexAt(QPoint(4, 1)).data())


def look(
    root: Path, prepare: Callable[[Bench], None], action: Callable[[Tab], Awaitable[None]]
) -> None:
    """Open the window on its Event log tab and let the test act."""

    async def opened(bench: WindowBench) -> None:
        bench.window.show_page(CONTROL_PAGE)
        opened_root = bench.window.opened
        await bench.until(lambda: opened_root is not None and opened_root.control is not None)
        tab = Tab(bench)
        tab.page.show_tab(EVENTS_TAB)
        await bench.until(lambda: tab.desk.content is not None)
        await tab.desk.settled()
        await action(tab)

    drive(root, prepare, opened)


@scene(look, lambda bench: recorded(bench, 8))
async def test_the_tab_opens_on_the_newest_event_with_its_details(tab: Tab, /) -> None:
    assert tab.numbers() == list(range(8, 0, -1))
    assert tab.view.table.current_number() == 8
    await tab.bench.until(lambda: tab.view.pane.title.text() == "Event 8")
    assert tab.view.bar.total.text() == "Newest first, 8 events"


@scene(look, lambda bench: recorded(bench, 300))
async def test_what_happens_stands_on_top_within_a_second_and_moves_nothing(tab: Tab, /) -> None:
    tab.view.table.select(150)
    tab.view.table.verticalScrollBar().setValue(34 * 60)
    top = tab.top()
    tab.bench.bench.put("One.")
    entries = [tab.bench.bench.put(f"Memory {number}.") for number in range(3)]
    tab.inklings.memories.forget([one.ref for one in entries])
    seconds = await tab.bench.until(lambda: tab.numbers()[0] == 301)
    assert seconds < LIVE_SECONDS
    assert tab.view.rows[0].kind == "memory.forgotten"
    assert tab.view.rows[0].what == "3 memories, workspace"
    assert tab.top() == top
    assert tab.view.table.current_number() == 150
    assert tab.view.pane.title.text() == "Event 150"


@scene(look, lambda _: None)
async def test_a_refusal_stands_in_the_account_log_at_once(tab: Tab, /) -> None:
    tab.view.bar.log.choose("account")
    await tab.desk.settled()
    before = len(tab.numbers())
    draft = MemoryDraft(ScopeKey.account(), "I know you.")
    with pytest.raises(ScopeDeniedError):
        tab.inklings.as_caller(an_agent("Dice Relay")).memories.put(draft)
    await tab.bench.until(lambda: len(tab.numbers()) == before + 1, seconds=LIVE_SECONDS)
    assert tab.view.rows[0].actor == "Dice Relay"
    assert tab.view.rows[0].what.startswith("Not allowed: memory.put")


def test_a_scrub_and_its_check_lead_to_each_other(tmp_path: Path) -> None:
    def scrubbed(bench: Bench) -> None:
        for number in range(4):
            bench.put(f"The salt remembers tide number {number}.")
        manifest = bench.inklings.scrub.preview(bench.scope, ScrubMode.KEEP_NAMED)
        bench.inklings.scrub.execute(
            bench.scope, ScrubMode.KEEP_NAMED, token=manifest.token, phrase=manifest.phrase
        )
        recorded(bench, 3)

    async def follow(tab: Tab) -> None:
        kinds = {row.kind: row for row in tab.view.rows}
        executed, verified = kinds["scrub.executed"], kinds["scrub.verified"]
        assert executed.is_permanent
        assert executed.what == "Workspace, keep_named, 4 removed"
        tab.control.arrive(ToEvent(tab.bench.bench.workspace.id, verified.number))
        await tab.bench.until(lambda: tab.view.pane.title.text() == f"Event {verified.number}")
        detail = tab.view.pane.detail
        assert detail is not None
        receipt = {fact.name: fact.text for fact in detail.receipt}
        assert receipt["Hits"] == "0"
        assert int(receipt["Files searched"]) > 0
        assert detail.links[0].number == executed.number
        tab.view.pane.link_requested.emit(executed.number)
        await tab.bench.until(lambda: tab.view.pane.title.text() == f"Event {executed.number}")
        assert tab.view.table.current_number() == executed.number
        detail = tab.view.pane.detail
        assert detail is not None
        assert "kind      memory 4" in detail.summary

    look(tmp_path, scrubbed, follow)


@scene(look, lambda bench: recorded(bench, 500))
async def test_an_event_is_shown_although_a_filter_hides_it(
    tab: Tab, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab.view.bar.search.set_text("nowhere")
    await tab.bench.until(lambda: tab.numbers() == [])
    here = tab.bench.bench.workspace.id
    tab.control.arrive(ToEvent(here, 12))
    await tab.bench.until(lambda: tab.view.table.current_number() == 12)
    assert tab.view.bar.search.text() == ""
    assert len(tab.numbers()) >= 489
    assert tab.view.table.hasFocus()
    missed: list[Message] = []
    monkeypatch.setattr(tab.bench.window.notices, "show_message", missed.append)
    for workspace_id, number in ((OTHER_WORKSPACE_ID, 1), (here, 9_999)):
        missed.clear()
        tab.control.arrive(ToEvent(workspace_id, number))
        await tab.bench.until(lambda: bool(missed))
        assert missed[-1].title == "This is gone."


@scene(look, lambda bench: recorded(bench, 5))
async def test_the_chain_is_checked_over_the_real_logs(tab: Tab, /) -> None:
    tab.view.foot.check.click()
    await tab.bench.until(lambda: tab.view.foot.text.text().startswith("Verified: "))
    assert not tab.view.foot.show_broken.isVisible()


def test_names_are_those_of_now(tmp_path: Path) -> None:
    def started(bench: Bench) -> None:
        channel = bench.inklings.channels.create(bench.workspace.id, "map-room")
        scope = ScopeKey.channel(bench.workspace.id, channel.id)
        memories = [bench.put(f"Reef {number}.", scope=scope) for number in range(2)]
        bench.inklings.memories.forget([one.ref for one in memories])

    async def rename(tab: Tab) -> None:
        assert tab.view.rows[0].what == "2 memories, #map-room"
        workspace_id = tab.bench.bench.workspace.id
        tab.inklings.channels.rename(workspace_id, "map-room", "chart-room")
        # The new name is an event of its own, above the one that tells it now.
        await tab.bench.until(lambda: tab.view.rows[0].kind == "channel.renamed")
        await tab.bench.until(lambda: tab.view.rows[1].what == "2 memories, #chart-room")

    look(tmp_path, started, rename)


@scene(look, lambda bench: recorded(bench, 5))
async def test_another_workspace_shows_its_own_log(tab: Tab, /) -> None:
    assert len(tab.numbers()) == 5
    other = tab.inklings.workspaces.create("Field notes")
    assert tab.bench.window.opened is not None
    tab.bench.window.opened.open_workspace(other.id)
    await tab.bench.until(lambda: tab.numbers() == [])
    assert tab.view.bar.request == EventRequest(LogChoice.WORKSPACE)


@scene(look, lambda bench: recorded(bench, 5))
async def test_f6_and_f5_know_the_tab(tab: Tab, /) -> None:
    tab.view.focus_table()
    tab.bench.window.menus["next_pane"].trigger()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert tab.view.pane.isAncestorOf(focus)
    tab.bench.window.menus["previous_pane"].trigger()
    assert tab.view.table.hasFocus()
    before = tab.desk.content
    tab.bench.window.menus["refresh"].trigger()
    await tab.desk.settled()
    assert tab.desk.content is not before


def test_ten_thousand_events_scroll_without_a_query_while_painting() -> None:
    log = FakeLog()
    log.fill(PAINTED_EVENTS)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []
    longest = 0.0

    async def scrolled() -> None:
        nonlocal longest
        background = Background(bugs.append)
        window = QMainWindow()
        context, _said, _unsubscribe = a_context(background, log.inklings(), theme, window)
        desk = EventsPage(context, window)
        view = desk.view
        window.setCentralWidget(view)
        window.resize(1212, 800)
        try:
            window.show()
            await desk.open(WORKSPACE_ID)
            assert await desk.reveal(LogChoice.WORKSPACE, 1)
            assert len(view.rows) == PAINTED_EVENTS
            await desk.settled()
            log.calls.clear()
            bar = view.table.verticalScrollBar()
            for step in range(60):
                bar.setValue(bar.maximum() * step // 59)
                watch = Stopwatch()
                view.table.viewport().grab()
                longest = max(longest, watch.seconds)
            QTest.keyClick(view.table, Qt.Key.Key_Home)
            await desk.settled()
            shown = [call for call in log.calls if not call.startswith(("show", "describe"))]
            assert shown == [], "only the details of the event that was chosen are read"
        finally:
            window.hide()
            await background.close()
            window.deleteLater()
        await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(scrolled())
    assert not bugs, bugs
    assert longest < 1.0 * SLOWNESS, f"one picture took {longest:.3f} s"


@scene(drive, lambda bench: recorded(bench, 5))
async def test_an_unseen_tab_reads_nothing(bench: WindowBench, /) -> None:
    bench.window.show_page(CONTROL_PAGE)
    opened_root = bench.window.opened
    await bench.until(lambda: opened_root is not None and opened_root.control is not None)
    tab = Tab(bench)
    recorded(bench.bench, 2)
    await tab.desk.settled()
    assert tab.desk.content is None
    tab.page.show_tab(EVENTS_TAB)
    await bench.until(lambda: tab.numbers() == [7, 6, 5, 4, 3, 2, 1])


def test_the_store_agrees_with_the_filters_of_the_tab(tmp_path: Path) -> None:
    async def ask(tab: Tab) -> None:
        request = EventRequest(kinds=frozenset({EventKind.DENIED}))
        tab.view.bar.show_request(request, NO_FACETS)
        tab.view.bar.request_changed.emit(request)
        await tab.desk.settled()
        wanted = tab.inklings.log.list(
            tab.bench.bench.workspace.id, EventFilter(kinds=frozenset({EventKind.DENIED}))
        )
        assert tab.numbers() == [event.number for event in wanted] == [8, 7, 6]

    def prepared(bench: Bench) -> None:
        recorded(bench, 5)
        recorded(bench, 3, EventKind.DENIED)
        recorded(bench, 2)

    look(tmp_path, prepared, ask)

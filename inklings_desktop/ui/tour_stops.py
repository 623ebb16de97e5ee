"""The pictures of the tour: what each is called and how the window comes to show it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance, Slot

from inklings_desktop.domain.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.models.preview_rows import CandidateRow, EntryRow, SectionRow
from inklings_desktop.ui.presenters.entry_state import EntryMode
from inklings_desktop.ui.presenters.list_content import selectable_ids
from inklings_desktop.ui.presenters.places import Place
from inklings_desktop.ui.presenters.shell_presenter import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.tour_clock import TourClock
from inklings_desktop.ui.tour_finding import show_operators, show_palette, show_sheet
from inklings_desktop.ui.views.control_page import ACCESS_TAB
from inklings_desktop.ui.views.preview_page import MARKDOWN

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from typing import Any

    from inklings_desktop.ui.control_desk import ControlDesk
    from inklings_desktop.ui.main_window import MainWindow
    from inklings_desktop.ui.memory_desk import MemoryDesk
    from inklings_desktop.ui.scrub_desk import ScrubDesk

FULL = (1440, 900)
NARROW = (1024, 700)
ANSWER_SECONDS = 20.0
PAUSE_SECONDS = 0.05
SETTLE_ROUNDS = 8
SEARCHED = "harbour glass"
CHECKED, TAG = 3, "atlas"
ASKED = "What does Nerys notice first when the keeper tilts the plate?"


@dataclass(frozen=True, slots=True)
class Stop:
    """One state, drawn in both themes.

    Attributes:
        name: File name without theme and ending.
        go: Brings the window into the state to be drawn.
        size: Width and height of the window in pixels.
    """

    name: str
    go: Callable[[MemoryDesk, MainWindow], Awaitable[None]]
    size: tuple[int, int] = FULL


async def _workspace(desk: MemoryDesk, window: MainWindow) -> None:
    await _go(desk, Place(Tier.WORKSPACE))
    await _select(desk, window, 3)


async def _as_it_is(_desk: MemoryDesk, _window: MainWindow) -> None:
    return


async def _conversation(desk: MemoryDesk, window: MainWindow) -> None:
    here = desk.shell.surroundings
    rooms = here.open_conversations if here else ()
    await _go(desk, Place(Tier.CONVERSATION, rooms[0].id if rooms else None))
    await _select(desk, window, 0)


async def _search(desk: MemoryDesk, window: MainWindow) -> None:
    await _go(desk, Place(Tier.WORKSPACE))
    answer = _Once(desk.list.content_changed)
    window.page.header.search.set_text(SEARCHED)
    await answer
    await _select(desk, window, 0)


async def _many(desk: MemoryDesk, window: MainWindow) -> None:
    desk.acts.selection.check(selectable_ids(window.page.rows)[:CHECKED])
    window.inspector.many.field.added.emit(TAG)
    await _as_it_is(desk, window)


async def _all_tiers(desk: MemoryDesk, window: MainWindow) -> None:
    desk.acts.selection.clear()
    answer = _Once(desk.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer


async def _missing(desk: MemoryDesk, window: MainWindow) -> None:
    why = window.desks.why if window.desks is not None else None
    if why is None:
        return
    answer = _Once(desk.list.content_changed)
    window.page.foot.toggle_everywhere()
    await answer
    answer = _Once(why.missing.candidates_changed)
    window.page.foot.missing.click()
    await answer
    if why.popover is not None and why.popover.list.count():
        answer = _Once(why.missing.answered)
        why.popover.list.setCurrentRow(0)
        await answer
    await _as_it_is(desk, window)


async def _missing_left(_desk: MemoryDesk, window: MainWindow) -> None:
    why = window.desks.why if window.desks is not None else None
    if why is not None and why.popover is not None:
        why.popover.close()


async def _channels(desk: MemoryDesk, window: MainWindow) -> None:
    answer = _Once(desk.list.content_changed)
    window.page.header.search.set_text("")
    await answer
    await _go(desk, Place(Tier.CHANNEL))
    answer = _Once(desk.list.content_changed)
    window.page.header.sort_chosen.emit(MemorySort.RELEVANCE)
    await answer
    await _select(desk, window, 4)


async def _account(desk: MemoryDesk, window: MainWindow) -> None:
    await _go(desk, Place(Tier.ACCOUNT))
    await _select(desk, window, 0)


async def _new(desk: MemoryDesk, _window: MainWindow) -> None:
    await _go(desk, Place(Tier.WORKSPACE))
    answer = _Once(desk.subject.state_changed)
    desk.new_memory()
    await answer


async def _entries(_desk: MemoryDesk, window: MainWindow) -> None:
    window.show_page(ENTRIES_PAGE)


async def _entry_history(desk: MemoryDesk, window: MainWindow) -> None:
    entries = window.desks.entries if window.desks is not None else None
    if entries is not None:
        answer = _Once(entries.history.state_changed)
        entries.show_mode(EntryMode.HISTORY)
        await answer
    window.show_page(ENTRIES_PAGE)
    await _as_it_is(desk, window)


async def _preview(_desk: MemoryDesk, window: MainWindow) -> None:
    window.show_page(PREVIEW_PAGE)
    async with asyncio.timeout(ANSWER_SECONDS):
        while window.desks is not None and window.desks.preview is None:  # noqa: ASYNC110 - loading
            await asyncio.sleep(0.01)
    page = window.pages.preview
    preview = window.desks.preview if window.desks is not None else None
    if preview is None or page is None:
        return
    answer = _Once(preview.presenter.content_changed)
    page.message.set_text(ASKED)
    await answer
    found = [row.id for row in page.table.rows if isinstance(row, CandidateRow)]
    scored = [one for one in found if (at := preview.presenter.place_of(one)) and at.why.order]
    if scored:
        page.table.select(scored[len(scored) // 2])


async def _preview_opened(_desk: MemoryDesk, window: MainWindow) -> None:
    page = window.pages.preview
    if page is not None:
        for row in page.table.rows:
            if isinstance(row, SectionRow) and row.link:
                page.toggle(row.id)
        await settle()
        page.table.scroll_to_row("cut:section:channel")


async def _preview_entry(_desk: MemoryDesk, window: MainWindow) -> None:
    page = window.pages.preview
    if page is not None:
        await _preview_opened(_desk, window)
        entry = next((row.id for row in page.table.rows if isinstance(row, EntryRow)), None)
        if entry is not None:
            page.toggle(entry)
        page.table.scrollToTop()


async def _preview_markdown(_desk: MemoryDesk, window: MainWindow) -> None:
    page = window.pages.preview
    if page is not None:
        page.show_view(MARKDOWN)


async def _control(_desk: MemoryDesk, window: MainWindow) -> None:
    window.show_page(CONTROL_PAGE)
    async with asyncio.timeout(ANSWER_SECONDS):
        while window.desks is not None and window.desks.control is None:  # noqa: ASYNC110 - loading
            await asyncio.sleep(0.01)
    control = window.desks.control if window.desks is not None else None
    if control is not None:
        counted, read = _Once(control.overview.content_changed), _Once(control.tasks.refreshed)
        control.refresh()
        await counted
        await read


async def _scrub_scope(desk: MemoryDesk, window: MainWindow) -> None:
    scrub, here = _scrub(window), desk.shell.surroundings
    if scrub is not None and here is not None:
        answer = _Once(scrub.presenter.state_changed)
        scrub.open(here.workspace.id)
        await answer


async def _scrub_dry_run(_desk: MemoryDesk, window: MainWindow) -> None:
    scrub = _scrub(window)
    if scrub is not None:
        await scrub.presenter.count()


async def _scrub_confirm(_desk: MemoryDesk, window: MainWindow) -> None:
    """All but the last character: the tour shows the gate and never opens it."""
    scrub = _scrub(window)
    if scrub is not None:
        await scrub.presenter.go_on()
        manifest = scrub.presenter.state.manifest
        scrub.presenter.type_phrase(manifest.phrase[:-1] if manifest is not None else "")
        scrub.presenter.tick(has_read=True)


async def _scrub_left(_desk: MemoryDesk, window: MainWindow) -> None:
    scrub = _scrub(window)
    if scrub is not None and scrub.dialog is not None:
        scrub.dialog.reject()


def _scrub(window: MainWindow) -> ScrubDesk | None:
    control = window.desks.control if window.desks is not None else None
    return control.scrub if control is not None else None


async def _background_work(_desk: MemoryDesk, window: MainWindow) -> None:
    """The same page while something runs; nothing does, as nothing may change on a tour."""
    desks = window.desks
    here = desks.memory.shell.surroundings if desks is not None else None
    if desks is not None and here is not None and isinstance(desks.tasks.clock, TourClock):
        answer = _Once(desks.tasks.presenter.strip_changed)
        desks.tasks.clock.say_running(here.workspace.id)
        await answer


async def _work_done(_desk: MemoryDesk, window: MainWindow) -> None:
    desks = window.desks
    if desks is not None and isinstance(desks.tasks.clock, TourClock):
        answer = _Once(desks.tasks.presenter.strip_changed)
        desks.tasks.clock.say_nothing()
        await answer


async def _scrub_scope_after_work(desk: MemoryDesk, window: MainWindow) -> None:
    await _work_done(desk, window)
    await _scrub_scope(desk, window)


async def _review(desk: MemoryDesk, window: MainWindow) -> None:
    control, here = _control_of(window), desk.shell.surroundings
    if control is not None and here is not None:
        presenter = control.tidying.review.presenter
        control.tidying.review_scope(here.scopes(Place(Tier.WORKSPACE))[0])
        await _until(lambda: presenter.state.plan is not None)


async def _golden(_desk: MemoryDesk, window: MainWindow) -> None:
    control = _control_of(window)
    if control is not None:
        review, golden = control.tidying.review, control.tidying.golden
        if review.dialog is not None:
            review.dialog.reject()
            await _until(lambda: review.dialog is None)
        control.tidying.show_golden()
        await _until(lambda: golden.presenter.state.is_read)
        presenter = golden.presenter
        presenter.start_new()
        presenter.write(ASKED)
        await _until(lambda: bool(presenter.state.found))
        for memory_id, _ in presenter.state.found[:1]:
            presenter.expect(memory_id, must=True)


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, but not for ever."""
    for _ in range(round(ANSWER_SECONDS / PAUSE_SECONDS)):
        if holds():
            return
        await asyncio.sleep(PAUSE_SECONDS)


def _control_of(window: MainWindow) -> ControlDesk | None:
    return window.desks.control if window.desks is not None else None


async def _event_log(_desk: MemoryDesk, window: MainWindow) -> None:
    control = window.desks.control if window.desks is not None else None
    if control is not None:
        if control.tidying.golden.dialog is not None:
            control.tidying.golden.presenter.start_new()  # an empty one is dropped unasked
            control.tidying.golden.dialog.reject()
            await settle()
        answer = _Once(control.log.log.content_changed)
        control.show_log()
        control.log.refresh()
        await answer


async def _access(_desk: MemoryDesk, window: MainWindow) -> None:
    control = window.desks.control if window.desks is not None else None
    if control is not None and window.control_page is not None:
        answer = _Once(control.access.access.content_changed)
        window.control_page.show_tab(ACCESS_TAB)
        control.access.refresh()
        await answer


async def _connections(_desk: MemoryDesk, window: MainWindow) -> None:
    """How a client is connected; nothing is tested on a tour."""
    control = _control_of(window)
    if control is not None:
        access = control.access
        access.view.connect_requested.emit()
        await _until(lambda: access.connection.state.configuration != "")


async def _connections_left(_desk: MemoryDesk, window: MainWindow) -> None:
    control = _control_of(window)
    if control is not None and control.access.dialog is not None:
        control.access.dialog.reject()
        await settle()


async def _worth_a_look(desk: MemoryDesk, window: MainWindow) -> None:
    control = window.desks.control if window.desks is not None else None
    rows = control.tiers.look.rows if control is not None else ()
    if rows:
        answer = _Once(desk.list.content_changed)
        kind, (tier, *_) = rows[0].facts.kind, rows[0].facts.tiers[-1]
        rows[0].chosen.emit(kind, tier)
        await answer


async def _worth_a_look_after_connections(desk: MemoryDesk, window: MainWindow) -> None:
    await _connections_left(desk, window)
    await _worth_a_look(desk, window)


async def _empty(desk: MemoryDesk, window: MainWindow) -> None:
    window.show_page(MEMORY_PAGE)
    desk.subject.show_nothing()
    here = desk.shell.surroundings
    if here is not None:
        answer = _Once(desk.list.content_changed)
        await desk.shell.open_workspace(here.workspaces[-1].id)
        await answer


STOPS = (
    Stop("01-memory", _workspace),
    Stop("01c-conversation-working-notes", _conversation),
    Stop("01d-search", _search),
    Stop("01d-search-multiselect", _many),
    Stop("01d-search-all-tiers", _all_tiers),
    Stop("01d-search-missing", _missing),
    Stop("01d-search-narrow", _missing_left, size=NARROW),
    Stop("08-channel-narrow", _channels, size=NARROW),
    Stop("account", _account),
    Stop("new-memory", _new),
    Stop("02-named-entries", _entries),
    Stop("02c-named-entries-history", _entry_history),
    Stop("06-orientation-preview", _preview),
    Stop("06-orientation-preview-narrow", _as_it_is, size=NARROW),
    Stop("06-orientation-preview-cut", _preview_opened),
    Stop("06-orientation-preview-entry", _preview_entry),
    Stop("06-orientation-preview-markdown", _preview_markdown),
    Stop("04a-control-plane", _control),
    Stop("04a-background-work", _background_work),
    Stop("08-background-work-narrow", _as_it_is, size=NARROW),
    Stop("03a-scrub-scope", _scrub_scope_after_work),
    Stop("03b-scrub-dry-run", _scrub_dry_run),
    Stop("03c-scrub-confirm", _scrub_confirm),
    Stop("03c-scrub-confirm-narrow", _as_it_is, size=NARROW),
    Stop("04a-control-plane-narrow", _scrub_left, size=NARROW),
    Stop("review-plan", _review),
    Stop("golden-questions", _golden),
    Stop("04b-event-log", _event_log),
    Stop("04c-access", _access),
    Stop("04c-connections", _connections),
    Stop("04a-worth-a-look", _worth_a_look_after_connections),
    Stop("09b-command-palette", show_palette),
    Stop("keyboard-sheet", show_sheet),
    Stop("01d-search-operators", show_operators),
    Stop("07a-empty-workspace", _empty),
)


class _Once(QObject):
    """The next time a signal is emitted, to be awaited."""

    def __init__(self, signal: SignalInstance) -> None:
        super().__init__()
        self._signal = signal
        self._heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        signal.connect(self._on_heard)

    def __await__(self) -> Generator[Any, None, None]:
        """Wait for the signal, but not for ever."""
        return asyncio.wait_for(self._heard, ANSWER_SECONDS).__await__()

    @Slot()
    def _on_heard(self) -> None:
        self._signal.disconnect(self._on_heard)
        if not self._heard.done():
            self._heard.set_result(None)


async def _go(desk: MemoryDesk, place: Place) -> None:
    if desk.shell.place == place:
        return
    answer = _Once(desk.list.content_changed)
    desk.shell.go(place)
    await answer


async def _select(desk: MemoryDesk, window: MainWindow, place: int) -> None:
    """Open the memory or note at a place of the list, or the last there is."""
    ids = selectable_ids(window.page.rows)
    if not ids:
        return
    wanted = ids[min(place, len(ids) - 1)]
    if window.page.current_id() == wanted:
        return
    shown = desk.subject.current_ref
    if shown is not None and shown.id == wanted:  # open already: nothing more will be said of it
        window.page.select(wanted, scroll=False)
        return
    answer = _Once(desk.subject.state_changed)
    window.page.select(wanted, scroll=False)
    await answer


async def settle() -> None:
    """Let layouts and queued signals come to rest."""
    for _ in range(SETTLE_ROUNDS):
        await asyncio.sleep(0.01)

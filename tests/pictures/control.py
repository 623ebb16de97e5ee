"""States of the tour in the Control plane, with its dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.page import ACCESS_TAB, EVENTS_TAB
from inklings_desktop.ui.kit.page.destinations import ToGolden
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.tour.tour import ASKED, Once, settle, until
from tests.pictures.clock import PosedClock
from tests.pictures.memory import show_worth_a_look
from tests.pictures.steps import consolidation_of, control_of, scrub_of

if TYPE_CHECKING:
    from inklings_desktop.ui.access.page import AccessPage
    from inklings_desktop.ui.events.page import EventsPage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow


async def show_scrub_scope(memory: MemoryPage, window: MainWindow) -> None:
    """The first step of a scrub."""
    scrub, here = scrub_of(window), memory.shell.surroundings
    if scrub is not None and here is not None:
        answer = Once(scrub.state_changed)
        scrub.open(here.workspace.id)
        await answer


async def count_scrub(_memory: MemoryPage, window: MainWindow) -> None:
    """The second step: what would go."""
    scrub = scrub_of(window)
    if scrub is not None:
        await scrub.count()


async def confirm_scrub(_memory: MemoryPage, window: MainWindow) -> None:
    """All but the last character: the tour shows the gate and never opens it."""
    scrub = scrub_of(window)
    if scrub is not None:
        await scrub.go_on()
        manifest = scrub.state.manifest
        scrub.type_phrase(manifest.phrase[:-1] if manifest is not None else "")
        scrub.tick(True)


async def leave_scrub(_memory: MemoryPage, window: MainWindow) -> None:
    """Keep everything and close the dialog."""
    scrub = scrub_of(window)
    if scrub is not None and scrub.dialog is not None:
        scrub.dialog.reject()


async def show_background_work(_memory: MemoryPage, window: MainWindow) -> None:
    """The same page while something runs; nothing does, as nothing may change on a tour."""
    opened_root = window.opened
    here = opened_root.memory.shell.surroundings if opened_root is not None else None
    if (
        opened_root is not None
        and here is not None
        and isinstance(opened_root.tasks.clock, PosedClock)
    ):
        answer = Once(opened_root.tasks.presenter.strip_changed)
        opened_root.tasks.clock.say_running(here.workspace.id)
        await answer


async def end_work(_memory: MemoryPage, window: MainWindow) -> None:
    """Let the background work end."""
    opened_root = window.opened
    if opened_root is not None and isinstance(opened_root.tasks.clock, PosedClock):
        answer = Once(opened_root.tasks.presenter.strip_changed)
        opened_root.tasks.clock.say_nothing()
        await answer


async def show_scrub_scope_after_work(memory: MemoryPage, window: MainWindow) -> None:
    """The first step of a scrub, once nothing runs."""
    await end_work(memory, window)
    await show_scrub_scope(memory, window)


async def show_review(memory: MemoryPage, window: MainWindow) -> None:
    """The plan of a consolidation."""
    made, here = consolidation_of(window), memory.shell.surroundings
    if made is not None and here is not None:
        made.review.open(here.scopes(Place(Tier.WORKSPACE))[0])
        await until(lambda: made.review.state.plan is not None)


async def show_golden(_memory: MemoryPage, window: MainWindow) -> None:
    """Golden questions, with a new one half written."""
    made = consolidation_of(window)
    if made is not None:
        review, golden = made.review, made.golden
        if review.dialog is not None:
            review.dialog.reject()
            await until(lambda: review.dialog is None)
        made.open(ToGolden())
        await until(lambda: golden.state.is_read)
        golden.start_new()
        golden.write(ASKED)
        await until(lambda: bool(golden.state.found))
        for memory_id, _ in golden.state.found[:1]:
            golden.expect(memory_id, must=True)


async def show_event_log(_memory: MemoryPage, window: MainWindow) -> None:
    """The event log."""
    control, made = control_of(window), consolidation_of(window)
    if control is not None and made is not None:
        if made.golden.dialog is not None:
            made.golden.start_new()  # an empty one is dropped unasked
            made.golden.dialog.reject()
            await settle()
        control.view.show_tab(EVENTS_TAB)
        events = cast("EventsPage", control.tab(EVENTS_TAB))
        events.refresh()
        await events.settled()


async def show_access(_memory: MemoryPage, window: MainWindow) -> None:
    """Clients and their grants."""
    control = control_of(window)
    if control is not None:
        control.view.show_tab(ACCESS_TAB)
        control.tab(ACCESS_TAB).refresh()
        await control.tab(ACCESS_TAB).settled()


async def show_connections(_memory: MemoryPage, window: MainWindow) -> None:
    """How a client is connected; nothing is tested on a tour."""
    control = control_of(window)
    if control is not None:
        access = cast("AccessPage", control.tab(ACCESS_TAB))
        access.connect_new()
        await until(lambda: access.connection.state.configuration != "")


async def leave_connections(_memory: MemoryPage, window: MainWindow) -> None:
    """Close the help on connecting."""
    control = control_of(window)
    access = cast("AccessPage", control.tab(ACCESS_TAB)) if control is not None else None
    if access is not None and access.connection.dialog is not None:
        access.connection.dialog.reject()
        await settle()


async def show_worth_a_look_after_connections(memory: MemoryPage, window: MainWindow) -> None:
    """A list worth a look, once the help on connecting is closed."""
    await leave_connections(memory, window)
    await show_worth_a_look(memory, window)

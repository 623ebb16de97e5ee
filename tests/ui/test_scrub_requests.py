"""A scrub that an agent asks for, in the real window: from the band to the outcome."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import (
    NoWindowError,
    ScrubRequest,
    ScrubRequestState,
)
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.scrub.requests import DECLINE, LOOK, ScrubRequests
from inklings_desktop.ui.scrub.state import ScrubStep
from inklings_desktop.ui.window.closing import Tray
from inklings_desktop.ui.window.viewing import ViewAs
from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.test_scrub_desk import three_memories
from tests.ui.window_bench import WindowBench, drive

LOOM = "loom"
WITHIN_SECONDS = 1.0 * SLOWNESS
"""What another process asks for is on show so soon; the watcher looks four times a second."""


def with_an_agent(bench: Bench) -> None:
    three_memories(bench)
    inklings, workspace_id = bench.inklings, bench.workspace.id
    rights = [
        Right(Tier.WORKSPACE, workspace_id, action)
        for action in (
            Action.READ,
            Action.SCRUB_PREVIEW,
            Action.SCRUB_KEEP_NAMED,
            Action.SCRUB_FULL,
        )
    ]
    inklings.clients.grant(LOOM, rights, kind=ClientKind.EXTERNAL)


def ask(bench: Bench, mode: ScrubMode = ScrubMode.KEEP_NAMED) -> ScrubRequest:
    """What the agent's own process does, over files of its own."""
    with open_inklings(
        bench.inklings.data_dir, embedder=NullEmbedder("none"), embed_writes=False
    ) as theirs:
        agent = theirs.clients.admit(LOOM, bench.workspace.id)
        place = ScrubPlace(bench.workspace.id, Tier.WORKSPACE)
        counted = theirs.as_caller(agent).scrub.count(place, mode)
        return theirs.as_caller(agent).scrub.ask(
            place, mode, token=counted.token, phrase=counted.phrase
        )


def state_of(bench: WindowBench, request: ScrubRequest) -> ScrubRequestState:
    inklings = bench.bench.inklings
    agent = inklings.clients.admit(LOOM, bench.bench.workspace.id)
    return inklings.as_caller(agent).scrub.follow(request.id).state


async def attending(bench: WindowBench) -> ScrubRequests:
    """The window says that it is there, as it does when a person opened it."""
    assert bench.window.opened is not None
    desk = bench.window.opened.requests
    desk.attend()
    inklings = bench.bench.inklings
    store = inklings.parts.store

    def is_noted() -> bool:
        with store.read(None) as view:
            return view.scrub_requests.has_window(inklings.clock())

    await bench.until(is_noted)
    return desk


def asks(bench: WindowBench) -> bool:
    """Whether the banner on show is a request's."""
    slot = bench.window.pages.banners
    return slot.banner.isVisible() and slot.cause is BannerCause.SCRUB_REQUEST


def press(bench: WindowBench, key: str) -> None:
    band = bench.window.pages.banners.banner
    next(one for one in band.findChildren(PushButton) if one.property("action") == key).click()


async def looked_at(bench: WindowBench) -> None:
    press(bench, LOOK)
    assert bench.window.opened is not None
    opened_root = bench.window.opened
    await bench.until(lambda: opened_root.control is not None)
    assert opened_root.control is not None
    scrub = opened_root.scrub
    await bench.until(lambda: scrub.dialog is not None)


@scene(drive, with_an_agent)
async def test_a_request_is_on_show_within_a_second_and_carried_out_by_hand(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await attending(bench)
    band = bench.window.pages.banners.banner
    assert not asks(bench)
    request = await asyncio.to_thread(ask, bench.bench)
    took = await bench.until(lambda: asks(bench))
    assert took < WITHIN_SECONDS
    assert band.content is not None
    assert band.content.title == "loom asks you to delete memories for good."
    assert "3 entries from Workspace" in band.content.text
    await looked_at(bench)
    assert bench.window.opened is not None
    assert bench.window.opened.control is not None
    scrub = bench.window.opened.scrub
    dialog = scrub.dialog
    assert dialog is not None
    assert scrub.state.step is ScrubStep.DRY_RUN
    foot = dialog.manifest_foot
    assert (foot.back.isHidden(), foot.decline.isHidden()) == (True, False)
    scrub.back()
    assert scrub.state.step is ScrubStep.DRY_RUN
    foot.go_on.click()
    await bench.until(lambda: scrub.state.step is ScrubStep.CONFIRM)
    QTest.keyClicks(dialog.confirm.field, "scrub workspace 3")
    dialog.confirm.box.click()
    dialog.confirm_foot.execute.click()
    await bench.until(lambda: scrub.state.step is ScrubStep.RESULT, seconds=60)
    await bench.until(lambda: not asks(bench))
    assert state_of(bench, request) is ScrubRequestState.EXECUTED
    dialog.outcome_foot.done.click()


@scene(drive, with_an_agent)
async def test_several_requests_queue_and_are_declined_one_by_one(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    desk = await attending(bench)
    first = await asyncio.to_thread(ask, bench.bench)
    second = await asyncio.to_thread(ask, bench.bench, ScrubMode.FULL)
    band = bench.window.pages.banners.banner
    await bench.until(lambda: len(desk.waiting) == 2)
    assert band.content is not None
    assert "1 more request waits." in band.content.text
    press(bench, DECLINE)
    await bench.until(lambda: len(desk.waiting) == 1)
    assert state_of(bench, first) is ScrubRequestState.DECLINED
    assert "named entries included" in band.content.text
    await looked_at(bench)
    assert bench.window.opened is not None
    assert bench.window.opened.control is not None
    scrub = bench.window.opened.scrub
    assert scrub.dialog is not None
    scrub.dialog.reject()
    assert asks(bench)
    await looked_at(bench)
    assert scrub.dialog is not None
    scrub.dialog.manifest_foot.decline.click()
    await bench.until(lambda: scrub.dialog is None)
    await bench.until(lambda: not asks(bench))
    assert state_of(bench, second) is ScrubRequestState.DECLINED
    assert len(bench.texts()) == 3


@scene(drive, with_an_agent)
async def test_what_changes_while_one_reads_ends_the_request(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await attending(bench)
    request = await asyncio.to_thread(ask, bench.bench)
    await bench.until(lambda: asks(bench))
    await looked_at(bench)
    assert bench.window.opened is not None
    assert bench.window.opened.control is not None
    scrub = bench.window.opened.scrub
    dialog = scrub.dialog
    assert dialog is not None
    dialog.manifest_foot.go_on.click()
    await bench.until(lambda: scrub.state.step is ScrubStep.CONFIRM)
    await asyncio.to_thread(bench.bench.put, "A fourth one")
    QTest.keyClicks(dialog.confirm.field, "scrub workspace 3")
    dialog.confirm.box.click()
    dialog.confirm_foot.execute.click()
    await bench.until(lambda: state_of(bench, request) is ScrubRequestState.CHANGED)
    await bench.until(lambda: scrub.state.step is ScrubStep.DRY_RUN)
    await bench.until(dialog.manifest_foot.go_on.isHidden)
    assert "Memory changed since loom asked." in dialog.manifest.notice.accessibleName()
    assert dialog.manifest_foot.close_it.text() == "Close, keep everything"
    dialog.reject()
    await bench.until(lambda: not asks(bench))
    await bench.until(lambda: len(bench.texts()) == 4)


@scene(drive, with_an_agent)
async def test_a_window_that_was_closed_is_asked_no_more(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    desk = await attending(bench)
    await desk.leave()
    refused = False
    try:
        await asyncio.to_thread(ask, bench.bench)
    except NoWindowError:
        refused = True
    assert refused
    assert not asks(bench)


@scene(drive, with_an_agent)
async def test_a_request_brings_the_author_back_from_a_clients_eyes(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await attending(bench)
    assert bench.window.opened is not None
    viewing = ViewAs(
        bench.window.opened._background,
        bench.bench.inklings,
        theme=bench.window._theme,
        author=bench.window,
    )
    viewing.look_as(LOOM, bench.bench.workspace.id)
    await viewing.settled()
    seen = viewing.window
    assert seen is not None
    assert not bench.window.isVisible()
    theirs = seen.opened
    assert theirs is not None
    await asyncio.to_thread(ask, bench.bench)
    await bench.until(bench.window.isVisible)
    assert viewing.window is None
    assert asks(bench)
    assert theirs.requests.waiting == ()
    await viewing.close()


def test_a_window_in_the_tray_says_that_an_agent_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setattr(Tray, "is_there", staticmethod(lambda: True))
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(Tray, "tell", lambda _tray, title, text: told.append((title, text)))

    async def scene(bench: WindowBench) -> None:
        await attending(bench)
        assert bench.window.closing.tray is not None
        bench.window.hide()
        await asyncio.to_thread(ask, bench.bench)
        await bench.until(lambda: len(told) == 1)
        assert told[0][0] == "loom asks you to delete memories for good."
        bench.window.closing.tray.icon.messageClicked.emit()
        await bench.until(bench.window.isVisible)
        assert asks(bench)
        await asyncio.to_thread(ask, bench.bench, ScrubMode.FULL)
        assert bench.window.opened is not None
        waiting = bench.window.opened.requests
        await bench.until(lambda: len(waiting.waiting) == 2)
        assert len(told) == 1

    drive(tmp_path, with_an_agent, scene, partial(a_bench, with_clock=True))


@scene(drive, with_an_agent)
async def test_a_long_command_does_not_make_the_window_look_closed(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    assert bench.window.opened is not None
    done = threading.Event()
    command = asyncio.ensure_future(bench.window.opened._background.write(done.wait))
    try:
        await attending(bench)
        await asyncio.to_thread(ask, bench.bench)
        await bench.until(lambda: asks(bench))
    finally:
        done.set()
        await command

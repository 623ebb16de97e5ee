"""What the clock set aside by itself, in the real window: said, shown, and restored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.scheduler.tasks import clock_caller
from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.window.banners.words import SHOW, UNDO
from inklings_desktop.usecases.bundle import Inklings
from tests.support.scenes import scene
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

CLOCK = "conversation_close"


def late(inklings: Inklings, here: str, n: int) -> None:
    """Memories that reach a conversation after it was closed; the clock clears them."""
    room = inklings.conversations.start(here, title="The toll")
    scope = ScopeKey.conversation(here, room.id)
    for number in range(n):
        inklings.memories.put(MemoryDraft(scope, f"Said at the toll, {number}."))
    with inklings.parts.store.write(here, initiator="test") as unit:
        unit.conversations.save(unit.conversations.get(room.id).fallen_silent())
        unit.commit()
    with inklings.parts.store.write(here, initiator="test") as unit:
        silent = unit.conversations.get(room.id)
        unit.conversations.save(replace(silent, ended_at=inklings.clock()))
        unit.commit()


def run(inklings: Inklings, here: str, trigger: str) -> None:
    clock = inklings.as_caller(clock_caller(CLOCK))
    clock.conversations.forget_closed(here, trigger=trigger)


def says(bench: WindowBench) -> str:
    slot = bench.window.pages.banners
    content = slot.banner.content
    return content.title if slot.cause is BannerCause.SET_ASIDE and content is not None else ""


def press(bench: WindowBench, key: str) -> None:
    band = bench.window.pages.banners.banner
    next(one for one in band.findChildren(PushButton) if one.property("action") == key).click()


def active(bench: WindowBench) -> int:
    counts = bench.bench.inklings.listing.count(bench.bench.workspace.id)
    return sum(counts.by_scope.values())


@scene(drive, lambda _bench: None)
async def test_what_the_clock_set_aside_is_said_shown_and_brought_back(
    bench: WindowBench, /
) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    before = active(bench)
    late(inklings, here, 3)
    run(inklings, here, "start")
    await bench.until(lambda: says(bench) == "3 memories archived.")
    assert active(bench) == before
    press(bench, UNDO)
    await bench.until(lambda: active(bench) == before + 3)
    await bench.until(lambda: not says(bench))
    run(inklings, here, "start")  # what a person restored stays
    assert active(bench) == before + 3


@scene(drive, lambda _bench: None)
async def test_show_lists_exactly_those_and_the_note_goes(bench: WindowBench, /) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    late(inklings, here, 2)
    run(inklings, here, "event")
    await bench.until(lambda: says(bench) == "2 memories archived.")
    press(bench, SHOW)
    page = bench.memory
    await bench.until(lambda: page.list.request.where.state is MemoryState.FORGOTTEN)
    await bench.until(lambda: len(bench.texts()) == 2)
    assert not says(bench)
    late(inklings, here, 4)
    run(inklings, here, "start")
    await bench.until(lambda: says(bench) == "4 memories archived.")
    cross = bench.window.pages.banners.banner.findChildren(IconButton)
    cross[-1].click()
    assert not says(bench)
    late(inklings, here, 1)
    run(inklings, here, "start")
    await bench.until(lambda: says(bench) == "One memory archived.")

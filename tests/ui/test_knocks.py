"""A client that knocks, in the real window: from the banner to its rights."""

from __future__ import annotations

import asyncio

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import Client, ClientCall, ClientKind, preset_rights
from inklings_desktop.domain.errors import NotLetInError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.window.banners.words import LET_IN, NOT_NOW
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

LOOM = "loom"

pytestmark = pytest.mark.usefixtures("qapp")


def knock(bench: Bench, name: str = LOOM) -> None:
    """What the client's own process does, over files of its own."""
    with open_inklings(
        bench.inklings.data_dir, embedder=NullEmbedder("none"), embed_writes=False
    ) as theirs:
        with pytest.raises(NotLetInError):
            theirs.clients.admit(name, bench.workspace.id)
        here, now = bench.workspace.id, theirs.clock()
        theirs.clients.note_call(
            ClientCall(name, now, "memory_read", Tier.WORKSPACE, here, "refused", 0, "not_let_in")
        )


def client(bench: Bench) -> Client:
    return bench.inklings.clients.show(LOOM).client


def is_asked(bench: WindowBench) -> bool:
    slot = bench.window.pages.banners
    return slot.banner.isVisible() and slot.cause is BannerCause.KNOCK


def press(bench: WindowBench, key: str) -> None:
    band = bench.window.pages.banners.banner
    next(one for one in band.findChildren(PushButton) if one.property("action") == key).click()


@scene(drive, lambda _bench: None)
async def test_a_client_that_knocks_is_let_in_from_the_banner(bench: WindowBench, /) -> None:
    assert not is_asked(bench)
    await asyncio.to_thread(knock, bench.bench)
    await bench.until(lambda: is_asked(bench))
    content = bench.window.pages.banners.banner.content
    assert content is not None
    assert content.title == f"loom wants to read {bench.bench.workspace.name}."
    press(bench, LET_IN)
    await bench.until(lambda: not is_asked(bench))
    here = bench.bench.workspace.id
    assert client(bench.bench).rights == preset_rights(ClientKind.EXTERNAL, here)


@scene(drive, knock)
async def test_one_that_knocked_while_no_window_was_open_is_on_show_at_once(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: is_asked(bench))


@scene(drive, lambda bench: knock(bench, "Auth0r"))
async def test_a_name_that_could_be_taken_for_another_is_said(bench: WindowBench, /) -> None:
    await bench.until(lambda: is_asked(bench))
    content = bench.window.pages.banners.banner.content
    assert content is not None
    assert content.text.startswith("Its name could be taken for author. It can read nothing")


@scene(drive, knock)
async def test_not_now_holds_however_often_it_knocks_that_day(bench: WindowBench, /) -> None:
    await bench.until(lambda: is_asked(bench))
    press(bench, NOT_NOW)
    assert not is_asked(bench)
    assert bench.window.banners is not None
    await asyncio.to_thread(knock, bench.bench)
    bench.window.banners.knocks.refresh()
    await bench.window.banners.knocks.settled()
    assert not is_asked(bench)
    assert client(bench.bench).kind is ClientKind.UNKNOWN

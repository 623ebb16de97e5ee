"""A conversation that fell silent, in the real window: from the banner to the decision."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.window.banners.words import CLOSE, KEEP
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def fall_silent(bench: Bench) -> None:
    """Two conversations that nobody ended, with a memory each."""
    inklings, here = bench.inklings, bench.workspace.id
    for title in ("The toll", "The bell"):
        room = inklings.conversations.start(here, title=title)
        draft = MemoryDraft(ScopeKey.conversation(here, room.id), f"Said in {title}.")
        inklings.memories.put(draft)
        with inklings.parts.store.write(here, initiator="test") as unit:
            unit.conversations.save(room.fallen_silent())
            unit.commit()


def says(bench: WindowBench) -> str:
    """Title of the banner about a silence; empty while there is none."""
    slot = bench.window.pages.banners
    content = slot.banner.content
    return content.title if slot.cause is BannerCause.SILENCE and content is not None else ""


def press(bench: WindowBench, key: str) -> None:
    band = bench.window.pages.banners.banner
    next(one for one in band.findChildren(PushButton) if one.property("action") == key).click()


def held(bench: WindowBench) -> int:
    inklings = bench.bench.inklings
    return len(inklings.conversations.list_silent(bench.bench.workspace.id))


@scene(drive, fall_silent)
async def test_each_silent_conversation_is_kept_or_closed_after_a_look(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: bool(says(bench)))
    first, second = "The bell has fallen silent.", "The toll has fallen silent."
    assert says(bench) == first
    press(bench, KEEP)
    await bench.until(lambda: says(bench) == second)
    press(bench, CLOSE)
    await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
    (dialog,) = bench.window.findChildren(ConfirmDialog)
    assert any("Said in The toll." in one.text() for one in dialog.findChildren(QLabel))
    dialog.confirm.click()
    await bench.until(lambda: not says(bench))
    assert held(bench) == 0

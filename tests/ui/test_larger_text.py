"""The Memory page at every text size: nothing of its head is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.ui.kit.look.theme import MAX_TEXT_SCALE
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_tabs_stand_whole_at_every_text_size(tmp_path: Path) -> None:
    def one_memory(bench: Bench) -> None:
        bench.put("The tide bell rings.")

    async def grow(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        page = bench.window.page
        tabs = page.header.tabs
        for scale in (1.0, 1.1, 1.2, 1.3, MAX_TEXT_SCALE, 1.0):
            page.theme.set_text_scale(scale)
            await bench.until(lambda: tabs.needed_width() <= tabs.width())
            assert tabs.tabRect(0).left() == 0, scale
            assert tabs.tabRect(tabs.count() - 1).right() < tabs.width(), scale

    drive(tmp_path, one_memory, grow)

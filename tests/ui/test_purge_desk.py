"""A scrub that could not be finished is told above every page, also by a window opened later."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.window.banners import bands
from tests.support.old_reader import an_old_reader
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def test_an_open_purge_is_on_show_until_the_reader_lets_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bands, "LOOK_AFTER_MS", 50)
    with ExitStack() as reading:

        def scrubbed_beside_a_reader(bench: Bench) -> None:
            bench.put("The bell of Wend is never rung at noon.")
            inklings = bench.inklings
            database = inklings.data_dir / "workspaces" / bench.workspace.id / "agents.db"
            reading.enter_context(an_old_reader(database))
            manifest = inklings.scrub.preview(bench.scope, ScrubMode.KEEP_NAMED)
            outcome = inklings.scrub.execute(
                bench.scope, ScrubMode.KEEP_NAMED, token=manifest.token, phrase=manifest.phrase
            )
            assert outcome.pending == "snapshot"

        async def scene(bench: WindowBench) -> None:
            slot = bench.window.pages.banners
            await bench.until(lambda: slot.cause is BannerCause.PURGE)
            assert slot.banner.isVisible()
            reading.close()
            await bench.until(lambda: slot.cause is not BannerCause.PURGE)

        drive(tmp_path, scrubbed_beside_a_reader, scene)

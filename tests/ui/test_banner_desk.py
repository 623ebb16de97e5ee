"""What the window says above every page: low disk and catching up, as they come and go."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.domain.errors import DatabaseFullError
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.window.banners import opened_data as catch_up_presenter
from tests.support.asking import asked_by
from tests.support.stand_ins import stood_in
from tests.ui.fake_clock import ACCOUNT_BACKFILL, BACKFILL, FakeClock
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

MB = 1_000_000
PLENTY = DiskRoom(900 * MB)


@dataclass
class FakeProbe:
    """A disk as a test wants it."""

    found: DiskRoom = PLENTY
    n_looks: int = field(default=0, init=False)

    def room(self) -> DiskRoom:
        self.n_looks += 1
        return self.found


def nothing(_bench: Bench) -> None:
    """An empty workspace does."""


def with_parts(
    probe: FakeProbe, clock: FakeClock | None = None
) -> Callable[[Path], AbstractContextManager[Bench]]:
    @contextmanager
    def made(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:
            inklings = stood_in(
                replace(bench.inklings, background=clock),
                {
                    "keeping.measure_disk": asked_by(
                        bench.inklings.caller, disk=probe
                    ).keeping.measure_disk
                },
            )
            yield replace(bench, inklings=inklings)

    return made


def press(bench: WindowBench, name: str) -> None:
    banner = bench.window.pages.banners.banner
    next(one for one in banner.findChildren(QAbstractButton) if one.text() == name).click()


def cause(bench: WindowBench) -> BannerCause | None:
    return bench.window.pages.banners.cause


def test_a_disk_that_fills_is_told_on_every_page_until_there_is_room_again(
    tmp_path: Path,
) -> None:
    probe = FakeProbe()

    async def fill(bench: WindowBench) -> None:
        window = bench.window
        await bench.until(lambda: probe.n_looks == 1)
        assert cause(bench) is BannerCause.KEYWORD_ONLY
        probe.found = DiskRoom(143 * MB)
        assert window.banners is not None
        window.banners.disk.refresh()
        await bench.until(lambda: cause(bench) is BannerCause.LOW_DISK)
        banner = window.pages.banners.banner
        assert banner.accessibleName().startswith("The disk is nearly full. 143.0 MB are left.")
        assert banner.width() == window.page.width()  # the inspector keeps its height
        for page in (ENTRIES_PAGE, PREVIEW_PAGE, CONTROL_PAGE):
            window.show_page(page)
            assert banner.isVisible()
            assert not window.page.isAncestorOf(banner)
        press(bench, "Look again")
        await bench.until(lambda: probe.n_looks == 3)
        assert cause(bench) is BannerCause.LOW_DISK
        probe.found = PLENTY
        press(bench, "Look again")
        await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY)

    drive(tmp_path, nothing, fill, with_parts(probe))


def test_a_write_that_found_no_room_has_the_disk_looked_at(tmp_path: Path) -> None:
    probe = FakeProbe()

    async def write(bench: WindowBench) -> None:
        await bench.until(lambda: probe.n_looks == 1)
        probe.found = DiskRoom(0)
        background = bench.window.banners._background  # type: ignore[union-attr]

        def fails() -> None:
            raise DatabaseFullError(tmp_path, "test")

        with pytest.raises(DatabaseFullError):
            await background.write(fails)
        await bench.until(lambda: cause(bench) is BannerCause.LOW_DISK)

    drive(tmp_path, nothing, write, with_parts(probe))


def test_the_folder_of_the_memories_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe, shown = FakeProbe(DiskRoom(1)), list[str]()

    def show(url: object) -> bool:
        shown.append(url.toLocalFile())  # type: ignore[attr-defined]
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", show)

    async def ask(bench: WindowBench) -> None:
        await bench.until(lambda: cause(bench) is BannerCause.LOW_DISK)
        press(bench, "Open the folder")
        assert shown == [str(tmp_path)]

    drive(tmp_path, nothing, ask, with_parts(probe))


def test_catching_up_is_told_with_its_progress_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catch_up_presenter, "YOUNG_SECONDS", 0.0)
    monkeypatch.setattr(catch_up_presenter, "LINGER_SECONDS", 0.2)
    clock = FakeClock()

    async def run(bench: WindowBench) -> None:
        window, slot = bench.window, bench.window.pages.banners
        press_away = slot.banner.findChildren(QAbstractButton)[-1]
        press_away.click()  # keyword only
        assert slot.cause is None
        clock.start(BACKFILL, reason="interval", step="embed", done=1, total=9)
        clock.finish(BACKFILL)
        clock.start(ACCOUNT_BACKFILL, reason="start", step="embed", done=6, total=16)
        await bench.until(lambda: slot.cause is BannerCause.CATCH_UP)
        assert "Preparing for search: 6 of 16." in slot.banner.accessibleName()
        clock.go_on(ACCOUNT_BACKFILL, 7, 16)
        await bench.until(lambda: "7 of 16" in slot.banner.accessibleName())
        press(bench, "Cancel")
        assert ("cancel", ACCOUNT_BACKFILL) in clock.asked
        press(bench, "Show the tasks")
        await bench.until(lambda: window.pages.current_id == CONTROL_PAGE)
        clock.finish(ACCOUNT_BACKFILL)
        clock.start(BACKFILL, reason="start", step="embed", done=0, total=3)
        await bench.until(lambda: "0 of 3" in slot.banner.accessibleName())
        clock.finish(BACKFILL)
        await bench.until(lambda: slot.cause is None)

    drive(tmp_path, nothing, run, with_parts(FakeProbe(), clock))


def test_a_run_that_is_over_at_once_moves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()

    async def run(bench: WindowBench) -> None:
        desk, told = bench.window.banners, list[object]()
        assert desk is not None
        monkeypatch.setattr(desk.catch_up, "say", lambda: told.append(desk.catch_up.content()))
        clock.start(BACKFILL, reason="start")
        await asyncio.sleep(0.25)
        clock.finish(BACKFILL)
        await asyncio.sleep(0.25)
        assert told == []
        assert cause(bench) is BannerCause.KEYWORD_ONLY

    drive(tmp_path, nothing, run, with_parts(FakeProbe(), clock))


def test_data_that_others_may_open_is_told_and_closed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with a_bench(root):
        pass
    root.chmod(0o755)

    async def close(bench: WindowBench) -> None:
        await bench.until(lambda: cause(bench) is BannerCause.OPEN_FILES)
        banner = bench.window.pages.banners.banner
        assert banner.accessibleName().startswith("Other users of this machine could open")
        press(bench, "")
        assert cause(bench) is not BannerCause.OPEN_FILES
        root.chmod(0o755)
        bench.window.banners.open_files.refresh()  # type: ignore[union-attr]
        await bench.until(lambda: cause(bench) is BannerCause.OPEN_FILES)
        assert "1 file or folder is open to them." in banner.accessibleName()
        press(bench, "Close to others")
        await bench.until(lambda: stat.S_IMODE(root.stat().st_mode) == 0o700)

    drive(root, nothing, close)

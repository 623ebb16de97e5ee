"""Closing the window: the end, or going on out of sight with an icon in the tray."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSystemTrayIcon

from inklings_desktop.settings import load_settings
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedDialog
from inklings_desktop.ui.window.closing import Tray, WindowClosing
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def tray_there(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the system has a tray; the offscreen platform has none of its own."""
    there = [True]
    monkeypatch.setattr(Tray, "is_there", staticmethod(lambda: there[0]))
    return there


def one_memory(bench: Bench) -> None:
    bench.put("Tides are counted.")


def drive_with_clock(root: Path, action: Callable[[WindowBench], Awaitable[None]]) -> None:
    drive(root, one_memory, action, partial(a_bench, with_clock=True))


def tray_of(closing: WindowClosing) -> Tray:
    assert closing.tray is not None
    return closing.tray


@scene(drive_with_clock)
async def test_where_there_is_no_tray_there_is_no_choice(bench: WindowBench, /) -> None:
    assert not Tray.is_there()
    assert not bench.window.menus["keep_running"].isVisible()
    bench.window.menus["keep_running"].setChecked(True)
    bench.window.close()
    assert bench.window.closing.closed.is_set()


@scene(drive_with_clock)
async def test_it_is_off_at_first_and_closing_ends_the_program(
    bench: WindowBench, /, tray_there: list[bool]
) -> None:
    closing = bench.window.closing
    assert bench.window.menus["keep_running"].isVisible()
    assert not bench.window.menus["keep_running"].isChecked()
    assert not tray_of(closing).icon.isVisible()
    bench.window.close()
    assert closing.closed.is_set()


@scene(drive_with_clock)
async def test_the_window_hides_and_comes_back_as_it_was(
    bench: WindowBench, /, tmp_path: Path, tray_there: list[bool]
) -> None:
    window, closing = bench.window, bench.window.closing
    window.menus["keep_running"].trigger()
    await bench.until(lambda: load_settings(tmp_path).keep_running)
    tray = tray_of(closing)
    assert tray.icon.isVisible()
    await bench.until(lambda: len(bench.texts()) == 1)
    window.page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    bench.memory.subject.edit(content="Half a thought")
    window.close()
    await bench.until(lambda: not window.isVisible())
    assert not closing.closed.is_set()
    assert not window.findChildren(UnsavedDialog)
    bench.bench.put("Written meanwhile.")
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert window.isVisible()
    await bench.until(lambda: "Written meanwhile." in bench.texts())
    assert bench.memory.subject.has_unsaved
    bench.memory.subject.revert()
    window.menus["keep_running"].trigger()
    await bench.until(lambda: not load_settings(tmp_path).keep_running)
    assert not tray.icon.isVisible()


@scene(drive_with_clock)
async def test_the_menu_pauses_and_quits(bench: WindowBench, /, tray_there: list[bool]) -> None:
    window, closing = bench.window, bench.window.closing
    window.menus["keep_running"].trigger()
    tray = tray_of(closing)
    window.close()
    tray.pause.trigger()
    await bench.until(lambda: tray.pause.text() == "Resume")
    assert tray.icon.toolTip() == "Inklings\nBackground work paused"
    clock = bench.bench.inklings.background
    assert clock is not None
    assert clock.status().is_paused
    tray.pause.trigger()
    await bench.until(lambda: tray.pause.text() == "Pause all")
    assert not clock.status().is_paused
    tray.quit.trigger()
    await bench.until(closing.closed.is_set)


@scene(drive_with_clock)
async def test_quitting_out_of_sight_asks_about_unsaved_text_where_it_can_be_seen(
    bench: WindowBench, /, tray_there: list[bool]
) -> None:
    window, closing = bench.window, bench.window.closing
    window.menus["keep_running"].trigger()
    await bench.until(lambda: len(bench.texts()) == 1)
    window.page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    bench.memory.subject.edit(content="Half a thought")
    window.close()
    tray_of(closing).quit.trigger()
    await bench.until(lambda: bool(window.findChildren(UnsavedDialog)))
    assert window.isVisible()
    (dialog,) = window.findChildren(UnsavedDialog)
    dialog.reject()
    await bench.until(lambda: not closing._is_asking)
    assert not closing.closed.is_set()
    # Who stays has not quit: the next closing hides the window again.
    window.close()
    await bench.until(lambda: not window.isVisible())
    assert not closing.closed.is_set()
    tray_of(closing).quit.trigger()
    await bench.until(lambda: any(one.isVisible() for one in dialogs(bench)))
    shown = next(one for one in dialogs(bench) if one.isVisible())
    discard = shown.findChild(QPushButton, "unsavedDiscard")
    assert isinstance(discard, QPushButton)
    discard.click()
    await bench.until(closing.closed.is_set)


@scene(drive_with_clock)
async def test_a_tag_that_still_stands_in_its_field_is_asked_about(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    bench.window.page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    QTest.keyClicks(bench.window.inspector.body.details.tags.edit, "sea")
    bench.window.close()
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    (dialog,) = bench.window.findChildren(UnsavedDialog)
    draft = bench.memory.subject.state.draft
    assert draft is not None
    assert draft.tags == ("sea",)
    dialog.reject()
    await bench.until(lambda: not bench.window.closing._is_asking)
    assert not bench.window.closing.closed.is_set()


@scene(drive_with_clock)
async def test_a_tray_that_went_away_keeps_no_window_out_of_reach(
    bench: WindowBench, /, tray_there: list[bool]
) -> None:
    bench.window.menus["keep_running"].trigger()
    tray_there[0] = False
    bench.window.close()
    assert bench.window.closing.closed.is_set()


@scene(drive_with_clock)
async def test_the_end_of_the_session_ends_the_program(
    bench: WindowBench, /, tray_there: list[bool]
) -> None:
    bench.window.menus["keep_running"].trigger()
    bench.window.closing._on_commit_data_request()
    bench.window.close()
    assert bench.window.closing.closed.is_set()


@scene(drive_with_clock)
async def test_the_choice_that_cannot_be_kept_is_told(
    bench: WindowBench, /, tmp_path: Path, tray_there: list[bool]
) -> None:
    (tmp_path / "settings.toml").write_text("not [ toml", encoding="utf-8")
    told = bench.messages(shown=False)
    bench.window.menus["keep_running"].trigger()
    await bench.until(lambda: bool(told))
    assert "settings.toml" in told[0].title
    assert not bench.window.menus["keep_running"].isChecked(), "it says what holds"
    assert (tmp_path / "settings.toml").read_text(encoding="utf-8") == "not [ toml"


def dialogs(bench: WindowBench) -> list[UnsavedDialog]:
    return bench.window.findChildren(UnsavedDialog)


@scene(drive, one_memory)
async def test_who_stays_after_all_leaves_for_nothing(bench: WindowBench, /) -> None:
    window = bench.window
    await bench.until(lambda: len(bench.texts()) == 1)
    window.page.list_cursor.select_first()
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    bench.memory.subject.edit(content="Half a thought")
    window.menus["open_sample"].trigger()
    await bench.until(lambda: bool(dialogs(bench)))
    dialogs(bench)[0].reject()
    await bench.until(lambda: not window.closing._is_asking)
    bench.memory.subject.revert()
    window.close()
    assert window.closing.closed.is_set()
    assert not window.reopening.wants_sample

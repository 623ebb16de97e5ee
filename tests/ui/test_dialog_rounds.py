"""Tab walked round inside every dialog and card: where it begins, what it reaches, the way out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QScrollArea, QWidget
from shiboken6 import isValid

from inklings_desktop.ui.kit.controls.sliders import RangeSlider
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from tests.support.stopwatch import Stopwatch
from tests.ui.dialog_doors import DOORS, Door, nothing, on_top
from tests.ui.spoken import accessible_name, described, focusable, nameless
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

MOST_STOPS = 120
N_A_WINDOW = 5
STILL_SECONDS = 0.2


def press(window: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    """Press a key as a person does: whatever has the keyboard in the window gets it."""
    handle = window.windowHandle()
    assert handle is not None
    # Not by QTest, which lets other tasks of the loop run within this one.
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(handle, QKeyEvent(kind, key, modifier))


def at() -> QWidget:
    """What has the keyboard."""
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def walked(dialog: QWidget, key: Qt.Key) -> list[QWidget]:
    """Where Tab or Shift+Tab stops, from the first stop on until it comes back to that.

    A control of two parts, as a range with two ends, is one stop.
    """
    back = key is Qt.Key.Key_Backtab
    modifier = Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier
    start = at()
    found = [start]
    for _ in range(MOST_STOPS):
        press(dialog, key, modifier)
        now = at()
        assert now.window() is dialog, f"left for {described(now)}"
        if now is start and (len(found) > 1 or not isinstance(start, RangeSlider)):
            return found
        if now is not found[-1]:
            assert now not in found, "\n".join(map(described, [*found, now]))
            found.append(now)
    raise AssertionError("\n".join(map(described, found)))


def called(control: QWidget | None) -> set[str]:
    """What a control can be named by."""
    return set() if control is None else {control.objectName(), accessible_name(control)}


def place(control: QWidget, dialog: QWidget) -> QRect:
    """Where a control stands in its dialog; a choice of several stands where the first does."""
    rect = QRect(control.mapTo(dialog, QPoint(0, 0)), control.size())
    above: QWidget | None = control.parentWidget()
    for area in dialog.findChildren(QScrollArea):
        inner = area.widget()
        if inner is not None and inner.isAncestorOf(control):  # wherever it is scrolled to
            share = min(1.0, area.height() / inner.height())
            rect.moveTop(area.mapTo(dialog, QPoint(0, 0)).y())
            rect.translate(0, round(share * control.mapTo(inner, QPoint(0, 0)).y()))
            rect.setHeight(max(1, round(share * rect.height())))
    if isinstance(control, QAbstractButton) and control.autoExclusive() and above is not None:
        first = min(one.y() for one in above.findChildren(type(control)))
        rect.setTop(above.mapTo(dialog, QPoint(0, first)).y())
    return rect


def turns_back(order: list[QWidget], dialog: QWidget) -> list[str]:
    """Where the way goes up or left again, beside the one time that it begins anew.

    From a tall pane one goes up to what stands beside it.
    """
    found = []
    for before, after in pairwise([*order, order[0]]):
        here, there = place(before, dialog), place(after, dialog)
        is_above = there.bottom() < here.top()
        is_beside = there.top() <= here.bottom() and there.bottom() >= here.top()
        if is_above or (is_beside and there.right() < here.left()):
            found.append(f"{described(before)} -> {described(after)}")
    return found


def unringed(dialog: QWidget, order: list[QWidget]) -> list[str]:
    """Stops that look with the keyboard as they look without it."""
    found = []
    for one in order:
        at().clearFocus()
        one.setFocus(Qt.FocusReason.TabFocusReason)
        for area in dialog.findChildren(QScrollArea):
            if area.isAncestorOf(one):
                area.ensureWidgetVisible(one)  # as Tab does
        around = QRect(one.mapTo(dialog, QPoint(0, 0)), one.size()).adjusted(-4, -4, 4, 4)
        around &= dialog.rect()
        here = dialog.grab(around).toImage()
        one.clearFocus()
        away = dialog.grab(around).toImage()
        one.setFocus(Qt.FocusReason.TabFocusReason)
        if away == here:
            found.append(f"{accessible_name(one)}: {described(one)}")
    return found


def destroying(dialog: QWidget) -> list[QPushButton]:
    """The buttons that take something away."""
    return [
        one
        for one in dialog.findChildren(QPushButton)
        if str(one.property("kind")) in {"danger", "dangerOutline", "quietDanger"}
    ]


async def opened(bench: WindowBench, door: Door) -> QWidget:
    """Open it by key: the keyboard leads."""
    await bench.until(lambda: bool(bench.texts()))
    window = bench.window
    window.activateWindow()
    await bench.until(window.isActiveWindow)
    window.page.focus_list()
    press(window, Qt.Key.Key_J, Qt.KeyboardModifier.NoModifier)
    await door.open(bench)
    await bench.until(lambda: on_top() is not None)
    dialog = on_top()
    assert dialog is not None
    dialog.activateWindow()
    await bench.until(lambda: door.start in called(QApplication.focusWidget()))
    await filled(bench, dialog)
    return dialog


async def filled(bench: WindowBench, dialog: QWidget) -> None:
    """Wait until what a dialog shows has been read, and its controls stay what they are."""
    before = list(focusable(dialog))
    watch = Stopwatch()

    def stands() -> bool:
        nonlocal before, watch
        if watch.seconds < STILL_SECONDS:
            return False
        now = list(focusable(dialog))
        if now == before:
            return True
        before, watch = now, Stopwatch()
        return False

    await bench.until(stands)


async def rest(bench: WindowBench, seconds: float) -> None:
    """Let the loop turn for so long, however busy the machine is with others."""
    watch = Stopwatch()
    await bench.until(lambda: watch.seconds > seconds)


def in_rounds() -> Iterator[tuple[Door, ...]]:
    """The doors of each window: several in one where each leaves the world as it was."""
    several = [one for one in DOORS if one.prepare is nothing and one.leaves and not one.takes]
    for first in range(0, len(several), N_A_WINDOW):
        yield tuple(several[first : first + N_A_WINDOW])
    yield from ((door,) for door in DOORS if door not in several)


@pytest.mark.parametrize(
    "doors", tuple(in_rounds()), ids=lambda doors: ", ".join(d.name for d in doors)
)
def test_tab_goes_round_and_escape_leaves(sample_world: Path, doors: tuple[Door, ...]) -> None:
    async def walk(bench: WindowBench) -> None:
        for door in doors:
            try:
                bench.window.show_page(MEMORY_PAGE)
                await walk_round(bench, door)
            except BaseException as error:
                error.add_note(f"in {door.name}")
                raise

    drive(sample_world, doors[0].prepare, walk)


async def walk_round(bench: WindowBench, door: Door) -> None:
    dialog = await opened(bench, door)
    order = walked(dialog, Qt.Key.Key_Tab)
    assert [described(one) for one in focusable(dialog) if one not in order] == []
    assert len(turns_back(order, dialog)) <= 1, turns_back(order, dialog)
    assert walked(dialog, Qt.Key.Key_Backtab) == [order[0], *reversed(order[1:])]
    assert nameless([dialog]) == set()
    assert accessible_name(dialog)
    bare = [one for one in order if one.property("frameless") != "true"]  # but for a caret
    assert unringed(dialog, bare) == []
    # Enter never takes anything away, wherever the keyboard is.
    pressed: list[str] = []
    for button in destroying(dialog):
        button.clicked.connect(partial(pressed.append, button.text()))
        assert not button.isDefault()
        assert not button.autoDefault()
    for one in order:
        if isinstance(one, QAbstractButton) and one not in destroying(dialog):
            continue
        if destroying(dialog) and dialog.isVisible():
            one.setFocus(Qt.FocusReason.TabFocusReason)
            press(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert pressed == []
    # Escape is the safe choice.
    await rest(bench, 0.1)
    texts, stood = bench.texts(), isValid(dialog) and dialog.isVisible()
    for _ in range(2):  # a field may be left first
        if isValid(dialog) and dialog.isVisible():
            order[0].setFocus(Qt.FocusReason.TabFocusReason)
            press(dialog, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    if door.leaves:
        await bench.until(lambda: not (isValid(dialog) and dialog.isVisible()))
    else:
        await rest(bench, STILL_SECONDS)
        assert isValid(dialog)
        assert dialog.isVisible()
    if stood:  # Enter may have answered one with what keeps everything
        assert bench.texts() == texts

"""Changing the theme again and again keeps nothing of the looks before."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections import Counter
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

N_CHANGES = 14
MOST_KEPT_BYTES = 9 << 10
"""Of each change; a window that kept its pictures kept 15 KiB."""


class _Allocated(ctypes.Structure):
    """What glibc says of its heaps; bytes."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def allocated_bytes() -> int:
    """Memory that somebody has asked for and not freed; 0 where the C library does not say."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return 0
    ask.restype = _Allocated
    said = ask()
    return int(said.uordblks + said.hblkhd)


def objects(window: QObject) -> Counter[str]:
    """Qt's objects and ours, by class."""
    gc.collect()
    found = Counter(f"{type(one).__module__}.{type(one).__name__}" for one in gc.get_objects())
    ours = {
        name: n for name, n in found.items() if name.startswith(("PySide6.", "inklings_desktop."))
    }
    qt = Counter(one.metaObject().className() for one in window.findChildren(QObject))
    return Counter(ours) + qt + Counter({"widgets": len(QApplication.allWidgets())})


async def change(theme: Theme, n_times: int) -> None:
    for _ in range(n_times):
        theme.set_choice(SchemeChoice.LIGHT if theme.is_dark else SchemeChoice.DARK)
        await asyncio.sleep(0.05)  # painted
    await asyncio.sleep(0.3)


def test_changes_of_theme_keep_nothing(tmp_path: Path, qapp: QApplication) -> None:
    def prepare(bench: Bench) -> None:
        for number in range(30):
            bench.put(f"The harbour light number {number} is whale oil.")

    async def action(at: WindowBench) -> None:
        await at.until(lambda: bool(at.texts()))
        theme = at.window._theme
        await change(theme, 4)
        objects(at.window)  # looking at an object for the first time makes another
        before, n_bytes = objects(at.window), allocated_bytes()
        await change(theme, N_CHANGES)
        after = objects(at.window)
        assert theme.generation >= N_CHANGES
        assert after - before == Counter()
        assert allocated_bytes() - n_bytes < N_CHANGES * MOST_KEPT_BYTES

    drive(tmp_path, prepare, action)


def test_each_widget_is_dressed_once(qapp: QApplication) -> None:
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(qapp)
    outer = inner = QWidget()
    for _ in range(6):  # deep: Qt would dress the innermost once for each that it stands in
        inner = QWidget(inner)
    label = QLabel("Tam", inner)
    outer.show()
    told = Told(label)

    theme.set_choice(SchemeChoice.DARK)

    assert told.n_times == 1
    assert label.palette().color(QPalette.ColorRole.WindowText) == theme.color("ink")


class Told(QObject):
    """How often a widget was told of another style."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.n_times = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.n_times += event.type() is QEvent.Type.StyleChange
        return False

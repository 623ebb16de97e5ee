"""Hands at the memories of the real window: what they press, and what is stored of it then."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

LETTERS = "let it be"  # in the list: lifetime, edit, tags


def three(bench: Bench) -> None:
    """Three memories of the workspace."""
    for number in range(3):
        bench.put(f"Memory {number}.", tags=("sea",))


def hearing(window: QWidget) -> QWidget:
    """What a key goes to now."""
    above = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    window = above or window
    focus: QWidget | None = window.focusWidget()
    return window if focus is None else focus


def press(bench: WindowBench, *keys: str) -> None:
    """Press keys such as ``Ctrl+N`` at once."""
    press_in(bench.window, *keys)


def press_in(window: QWidget, *keys: str) -> None:
    """Press keys in a window that may still be opening."""
    for one in keys:
        combination = QKeySequence(one)[0]  # type: ignore[index]
        QTest.keyClick(hearing(window), combination.key(), combination.keyboardModifiers())


def types(bench: WindowBench, text: str) -> None:
    """Type a text at once."""
    types_in(bench.window, text)


def types_in(window: QWidget, text: str) -> None:
    """Type a text in a window that may still be opening."""
    for letter in text:
        QTest.keyClicks(hearing(window), letter)


def play(window: QWidget, keys: str) -> None:
    """Press and type at once, as ``Ctrl+N "let it be" Ctrl+S`` says."""
    for one in re.findall(r'"[^"]*"|\S+', keys):
        if one.startswith('"'):
            types_in(window, one[1:-1])
        else:
            press_in(window, one)


async def at_the_list(bench: WindowBench, n_rows: int = 3) -> None:
    """Stand at the first of so many memories, with all of it on show."""
    await bench.until(lambda: len(bench.texts()) == n_rows)
    bench.window.activateWindow()
    bench.window.page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)


def stored(bench: WindowBench) -> list[MemoryEntry]:
    """The memories of the workspace that are not forgotten, newest first."""
    inklings = bench.bench.inklings
    return list(inklings.listing.browse([bench.bench.scope]).entries)


def contents(bench: WindowBench) -> list[str]:
    """What they say."""
    return [one.content for one in stored(bench)]


async def dialog_of(bench: WindowBench, kind: type[QDialog]) -> QDialog:
    """The dialog of a kind, once it is there."""
    await bench.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    return dialog

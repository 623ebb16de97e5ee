"""Shows the page that docs/adding-a-page.md builds in the real window, and prints what is seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

import inklings_desktop
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from tests.ui.presenter_bench import Bench

HELLO = "page:hello"


def say(*words: object) -> None:
    """Tell the test, a line at a time."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def one_conversation(bench: Bench) -> None:
    """Something to count."""
    bench.inklings.conversations.start(bench.workspace.id, title="Tides")


async def look(bench: WindowBench) -> None:
    """Show it by its key and print where it is found."""
    window = bench.window
    QTest.keyClick(
        window, Qt.Key.Key_8, Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
    )
    await bench.until(lambda: window.pages.current_id == HELLO)
    assert window.opened is not None
    page = window.opened.pages.page(HELLO)
    assert page is not None
    await bench.until(lambda: page.content is not None)
    say("title:", window.windowTitle())
    sentence, greet = page.view.findChild(QLabel), page.view.findChild(QPushButton)
    assert sentence is not None
    assert greet is not None
    say("sentence:", sentence.text())
    one_conversation(bench.bench)
    await bench.until(lambda: "2" in sentence.text())
    say("after another:", sentence.text())
    say("status bar:", window.status.keys_told())
    rows = window.rail.tree.model()
    names = [str(rows.index(row, 0).data()) for row in range(rows.rowCount())]
    say("rail:", next(name for name in names if "Hello" in name))
    action = window.menus[HELLO]
    say("menu and keys:", action.text(), action.shortcut().toString())
    window.show_page("page:memory")
    found = [one.name for one in window.menus.commands.all() if one.action is action]
    say("palette:", *found)
    window.show_page(HELLO)
    greet.click()
    say("passing note:", window.status.currentMessage())


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    say("from", Path(inklings_desktop.__file__).parent)
    drive(Path(sys.argv[1]), one_conversation, look)

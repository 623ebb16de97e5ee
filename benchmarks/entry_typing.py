"""How long the window's thread is busy while a person types in a 60 KB named entry and saves it.

python -m benchmarks.entry_typing [--kilobytes 60] [--revisions 200] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from benchmarks.window_responsiveness import Heartbeat, summary
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.entries.opened import EntryMode
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.usecases.bundle import Inklings

PARAGRAPH = (
    "The tide-keepers of **Wend** count in bells, never in hours; whoever asks for the hour is "
    "from elsewhere, and is told the price of rope instead.\n\n"
)
TYPED = "Smell before sight. Sound last. "
KEY_SECONDS = 0.04
SAVE_EVERY = 16
N_ROUNDS = 6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kilobytes", type=int, default=60)
    parser.add_argument("--revisions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        app = QApplication([])
        app.setQuitOnLastWindowClosed(False)
        theme = Theme(SchemeChoice.LIGHT)
        theme.apply(app)
        person = Caller.person("Ada", Door.WINDOW)
        with (
            open_inklings(root, caller=person) as inklings,
            asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
        ):
            voice = written(inklings, chosen.kilobytes * 1024, chosen.revisions)
            figures = runner.run(measured(theme, root, inklings, voice))
    document = {
        "kilobytes": chosen.kilobytes,
        "revisions": chosen.revisions,
        "activities": figures,
    }
    if chosen.json:
        print(json.dumps(document, indent=2))
        return
    print(f"{chosen.kilobytes} KB, {chosen.revisions} revisions; milliseconds the thread was busy")
    for name, row in figures.items():
        print(f"{name:28} p95 {row['p95_ms']:7.2f}   longest {row['max_ms']:7.2f}   n {row['n']}")


def written(inklings: Inklings, n_bytes: int, n_revisions: int) -> NamedEntry:
    """VOICE with a long body and many revisions."""
    workspace = inklings.workspaces.create("Measured")
    voice = inklings.entries.list(workspace.id)[0]
    body = (PARAGRAPH * (n_bytes // len(PARAGRAPH) + 1))[:n_bytes]
    for number in range(n_revisions):
        voice = inklings.entries.save(
            voice.ref, f"# Revision {number}\n\n{body}", expected_version=voice.version
        )
    return voice


async def measured(
    theme: Theme, root: Path, inklings: Inklings, voice: NamedEntry
) -> dict[str, dict[str, float]]:
    """Figures per activity, over the real window."""
    background = Background(lambda error: print("bug:", repr(error)))
    window = MainWindow(theme, root, Appearance())
    window.show()
    await window.attach(background, inklings)
    window.show_page(ENTRIES_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    assert opened_root.entries is not None
    entries, beat = opened_root.entries, Heartbeat()
    while entries.entry.entry is None or entries.entry.entry.ref != voice.ref:  # noqa: ASYNC110 - states have no event
        await asyncio.sleep(0.01)
    figures = {}
    try:
        for mode in (EntryMode.WRITE, EntryMode.SPLIT):
            entries.show_mode(mode)
            await asyncio.sleep(0.5)
            with beat.listening() as gaps:
                await typed(window)
            figures[f"typing and saving, {mode.value}"] = summary(gaps)
        begun = time.perf_counter()
        with beat.listening() as gaps:
            entries.show_mode(EntryMode.HISTORY)
            while entries.history.state.comparison is None:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.005)
            seconds = time.perf_counter() - begun
            await asyncio.sleep(0.5)
        figures["opening the history"] = summary(gaps) | {"seconds": round(seconds, 3)}
    finally:
        window.detach()
        window.hide()
        await background.close()
        window.deleteLater()
    return figures


async def typed(window: MainWindow) -> None:
    """Press key after key; save in between, as often as nobody does."""
    opened_root = window.opened
    assert opened_root is not None
    assert opened_root.entries is not None
    page = opened_root.entries.view
    editor = page.editor.editor
    n_keys = 0
    for _ in range(N_ROUNDS):
        for character in TYPED:
            QTest.keyClicks(editor, character)
            n_keys += 1
            if n_keys % SAVE_EVERY == 0:
                opened_root.entries.save()
            await asyncio.sleep(KEY_SECONDS)
    await asyncio.sleep(1.0)


if __name__ == "__main__":
    main()

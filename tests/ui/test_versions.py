"""History in the real window: a step is opened, compared, and a version comes back."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedDialog
from inklings_desktop.ui.markdown.diff_view import DiffView
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def an_edited_memory(bench: Bench) -> None:
    inklings = bench.inklings
    entry = bench.put("Nerys walks to the gate.", tags=("nerys",))
    for content in ("Nerys rides to the gate.", "Nerys sails to the gate."):
        entry = inklings.memories.update(
            entry.ref, MemoryPatch(content=content), expected_version=entry.version
        )


async def with_history(bench: WindowBench) -> list[QAbstractButton]:
    """Open the memory; what opens the steps of its history, newest first."""
    await bench.until(lambda: len(bench.texts()) == 1)
    page = bench.window.page
    page.list_cursor.select(page.rows[1].id)
    history = bench.window.inspector.body.history
    await bench.until(lambda: len(history.findChildren(QAbstractButton, "historyToggle")) == 3)
    return history.findChildren(QAbstractButton, "historyToggle")


@scene(drive, an_edited_memory)
async def test_an_earlier_version_is_compared_and_brought_back(bench: WindowBench, /) -> None:
    steps = await with_history(bench)
    history = bench.window.inspector.body.history
    steps[0].click()
    (diff,) = history.findChildren(DiffView)
    await bench.until(lambda: diff.n_changes() == 1)
    assert "rides" in diff.change_text(0)
    assert "sails" in diff.change_text(0)
    steps[2].click()
    created = history.findChildren(DiffView)[-1]
    await bench.until(lambda: created.n_changes() == 1)
    assert "walks" in created.change_text(0)

    history.findChildren(QAbstractButton, "versionRestore")[-1].click()

    await bench.until(lambda: bench.texts() == ["Nerys walks to the gate."])
    subject = bench.memory.subject
    await bench.until(lambda: subject.state.history[0].title == "Earlier version restored")
    assert subject.current_entry is not None
    assert subject.current_entry.version == 4
    toast = bench.window.page.toast
    assert toast.accessibleName() == "Restored an earlier version"

    toast.undo.click()
    await bench.until(lambda: bench.texts() == ["Nerys sails to the gate."])
    bench.window.menus["redo"].trigger()
    await bench.until(lambda: bench.texts() == ["Nerys walks to the gate."])


@scene(drive, an_edited_memory)
async def test_unsaved_text_is_decided_on_before_a_version_comes_back(
    bench: WindowBench, /
) -> None:
    steps = await with_history(bench)
    steps[1].click()
    bench.memory.subject.edit(content="Typed and not saved.")
    history = bench.window.inspector.body.history
    restore = history.findChildren(QAbstractButton, "versionRestore")[0]
    restore.click()
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    bench.window.findChildren(UnsavedDialog)[0].reject()
    await bench.until(lambda: not bench.window.findChildren(UnsavedDialog))
    assert bench.memory.subject.has_unsaved
    assert bench.texts() == ["Nerys sails to the gate."]
    bench.memory.subject.revert()


@scene(drive, an_edited_memory)
async def test_a_memory_that_somebody_saved_first_is_looked_at_again(bench: WindowBench, /) -> None:
    (_, _, created) = await with_history(bench)
    created.click()
    history, inklings = bench.window.inspector.body.history, bench.bench.inklings
    (restore,) = history.findChildren(QAbstractButton, "versionRestore")
    heard = bench.messages()
    entry = bench.memory.subject.current_entry
    assert entry is not None
    foreign = MemoryPatch(content="Nerys flies to the gate.")
    inklings.memories.update(entry.ref, foreign, expected_version=entry.version)
    restore.click()
    await bench.until(lambda: bool(heard))
    assert heard[-1].text.startswith("Nothing was restored.")
    await bench.until(lambda: bench.texts() == ["Nerys flies to the gate."])

"""Deleting a workspace: what is shown, what confirms, what opens next."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.ui.rail.workspaces import DeleteWorkspaceDialog
from tests.support.scenes import scene
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench
from tests.ui.rail_bench import RailBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


async def asked(bench: RailBench) -> DeleteWorkspaceDialog:
    """The question, as the switcher opens it."""
    bench.rail.card.switcher().delete.click()
    await bench.until(lambda: bench.window.findChild(DeleteWorkspaceDialog) is not None)
    dialog = bench.window.findChild(DeleteWorkspaceDialog)
    assert isinstance(dialog, DeleteWorkspaceDialog)
    return dialog


def names(bench: RailBench) -> list[str]:
    inklings = bench.bench.inklings
    return [one.name for one in inklings.places.workspaces()]


def two_worlds(bench: Bench) -> None:
    bench.put("The tide is counted in bells.")
    bench.inklings.workspaces.create("Hollow Crown")


def one_world(bench: Bench) -> None:
    bench.put("Only here.")


@scene(drive, two_worlds)
async def test_a_typed_phrase_deletes_and_the_next_workspace_opens(bench: RailBench, /) -> None:
    dialog = await asked(bench)
    phrase = f"delete {bench.bench.workspace.name}"
    assert not dialog.delete.isEnabled()
    QTest.keyClicks(dialog.field, phrase)
    assert dialog.delete.isEnabled()
    dialog.delete.click()
    await bench.until(lambda: names(bench) == ["Hollow Crown"])
    await bench.until(lambda: bench.here.workspace.name == "Hollow Crown")


@pytest.mark.parametrize(
    "key",
    mostly_wide(
        (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter),
        every_day=lambda key: key is Qt.Key.Key_Return,
    ),
)
@scene(drive, two_worlds)
async def test_no_key_but_those_of_the_phrase_deletes(bench: RailBench, /, key: Qt.Key) -> None:
    before = names(bench)
    dialog = await asked(bench)
    QTest.keyClicks(dialog.field, f"delete {bench.bench.workspace.name}")
    QTest.keyClick(dialog.field, key)
    QTest.keyClick(dialog, key)
    assert names(bench) == before
    if key is not Qt.Key.Key_Escape:
        assert dialog.isVisible()
        dialog.reject()
    await bench.until(lambda: not dialog.isVisible())
    assert names(bench) == before


@scene(drive, two_worlds)
async def test_pasting_is_refused_with_a_word(bench: RailBench, /) -> None:
    dialog = await asked(bench)
    QTest.keyClick(dialog.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert dialog.hint.text() == "Please type it"
    assert dialog.field.text() == ""
    dialog.reject()


@scene(drive, one_world)
async def test_the_last_workspace_leaves_an_empty_one(bench: RailBench, /) -> None:
    dialog = await asked(bench)
    QTest.keyClicks(dialog.field, f"delete {bench.bench.workspace.name}")
    dialog.delete.click()
    await bench.until(lambda: names(bench) == ["My world"])
    await bench.until(lambda: bench.here.workspace.name == "My world")

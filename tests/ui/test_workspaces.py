"""The switcher: counts, what cannot be read, names, folders, other programs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.rail.workspace_switcher import WorkspaceSwitcher
from inklings_desktop.ui.rail.workspaces import DeleteWorkspaceDialog
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.rail_bench import RailBench, drive
from tests.ui.window_bench import WindowBench
from tests.ui.window_bench import drive as drive_window

pytestmark = pytest.mark.usefixtures("qapp")


def two_worlds(bench: Bench) -> None:
    bench.put("The tide is counted in bells.")
    bench.put("Salt is currency.")
    bench.inklings.workspaces.create("Hollow Crown")


def nothing(_bench: Bench) -> None:
    """The workspace that every bench begins with."""


def lines(switcher: WorkspaceSwitcher) -> list[tuple[str, str]]:
    """Name and description of each row, as a screen reader hears them."""
    rows = [switcher.list.item(row) for row in range(switcher.list.count())]
    return [
        (
            one.data(Qt.ItemDataRole.AccessibleTextRole),
            one.data(Qt.ItemDataRole.AccessibleDescriptionRole),
        )
        for one in rows
    ]


@scene(drive, two_worlds)
async def test_each_workspace_says_how_much_it_holds(bench: RailBench, /) -> None:
    switcher = bench.rail.card.switcher()
    wanted = [("Saltglass", "open now, 2 memories"), ("Hollow Crown", "0 memories")]
    await bench.until(lambda: lines(switcher) == wanted)
    assert switcher.list.hasFocus()
    switcher.close()


@scene(drive, two_worlds)
async def test_one_that_cannot_be_read_says_why_and_hides_none(bench: RailBench, /) -> None:
    inklings = bench.bench.inklings
    (other,) = [one for one in inklings.workspaces.survey() if not one.n_memories]
    (other.folder / "agents.db").rename(other.folder / "kept.db")
    (other.folder / "agents.db").write_bytes(b"not a database" * 400)
    switcher = bench.rail.card.switcher()
    await bench.until(lambda: "could not be read" in lines(switcher)[1][1])
    assert lines(switcher)[0] == ("Saltglass", "open now, 2 memories")
    QTest.keyClick(switcher.list, Qt.Key.Key_Down)
    QTest.keyClick(switcher.list, Qt.Key.Key_Return)
    await bench.until(lambda: bool(bench.said.messages))
    details = dict(bench.said.messages[-1].details)
    assert any(str(other.folder) in value for value in details.values())
    assert bench.here.workspace.name == "Saltglass"


@scene(drive, two_worlds)
async def test_enter_opens_the_marked_one(bench: RailBench, /) -> None:
    switcher = bench.rail.card.switcher()
    QTest.keyClick(switcher.list, Qt.Key.Key_Down)
    QTest.keyClick(switcher.list, Qt.Key.Key_Return)
    await bench.until(lambda: bench.here.workspace.name == "Hollow Crown")


@scene(drive, two_worlds)
async def test_f2_names_the_marked_one_anew(bench: RailBench, /) -> None:
    switcher = bench.rail.card.switcher()
    QTest.keyClick(switcher.list, Qt.Key.Key_F2)
    await bench.until(lambda: bench.window.findChild(NameDialog) is not None)
    dialog = bench.window.findChild(NameDialog)
    assert isinstance(dialog, NameDialog)
    assert dialog.name == "Saltglass"
    assert not dialog.confirm.isEnabled()  # the same name changes nothing
    dialog.field.setText("Saltglass Cartographers")
    dialog.confirm.click()
    await bench.until(lambda: bench.here.workspace.name == "Saltglass Cartographers")
    assert bench.rail.card.text() == "Saltglass Cartographers"


@scene(drive_window, two_worlds)
async def test_a_name_that_is_taken_is_asked_for_again(bench: WindowBench, /) -> None:
    def asked() -> list[NameDialog]:
        return [one for one in bench.window.findChildren(NameDialog) if one.isVisible()]

    bench.window.menus["new_workspace"].trigger()
    await bench.until(lambda: bool(asked()))
    asked()[0].field.setText("hollow CROWN")
    asked()[0].confirm.click()
    await bench.until(lambda: bool(asked()) and asked()[0].refusal.isVisible())
    assert asked()[0].name == "hollow CROWN"
    asked()[0].field.setText("Third world")
    asked()[0].confirm.click()
    await bench.until(lambda: "Third world" in bench.window.windowTitle())
    assert bench.memory.shell.surroundings is not None
    assert len(bench.memory.shell.surroundings.workspaces) == 3


def test_a_folder_from_elsewhere_is_opened_as_a_copy(tmp_path: Path) -> None:
    with open_inklings(tmp_path / "theirs") as other:
        made = other.workspaces.create("From elsewhere")
    folder = tmp_path / "theirs" / "workspaces" / made.id

    async def action(bench: RailBench) -> None:
        async def choose() -> None:
            bench.rail.card.switcher().adopt.click()
            await bench.until(lambda: bool(bench.window.findChildren(QFileDialog)))
            asked = bench.window.findChildren(QFileDialog)[0]
            field = asked.findChild(QLineEdit)
            assert field is not None
            field.setText(str(folder))
            asked.accept()
            await bench.until(lambda: not bench.window.findChildren(QFileDialog))

        await choose()
        await bench.until(lambda: bench.here.workspace.name == "From elsewhere")
        assert len(bench.here.workspaces) == 3
        await choose()
        await bench.until(lambda: bool(bench.said.messages))
        assert bench.said.messages[0].title == "This workspace is here already."
        assert len(bench.here.workspaces) == 3

    drive(tmp_path / "mine", two_worlds, action)


class Shown(QObject):
    """Stands in for the desktop's file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.folders: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.folders.append(url.toLocalFile())


def test_the_folder_is_shown_by_the_desktop(tmp_path: Path) -> None:
    shown = Shown()
    # The stub asks for bytes, the call takes text alone.
    QDesktopServices.setUrlHandler("file", shown, "show")  # type: ignore[arg-type]

    async def action(bench: RailBench) -> None:
        bench.rail.card.switcher().folder.click()
        await bench.until(lambda: bool(shown.folders))
        folder = tmp_path / "workspaces" / bench.bench.workspace.id
        assert shown.folders == [str(folder)]

    try:
        drive(tmp_path, nothing, action)
    finally:
        QDesktopServices.unsetUrlHandler("file")


@scene(drive, nothing)
async def test_what_another_program_makes_and_names_appears_by_itself(
    bench: RailBench, /, tmp_path: Path
) -> None:
    switcher = bench.rail.card.switcher()
    with open_inklings(tmp_path, embed_writes=False) as other:
        made = other.workspaces.create("Hollow Crown")
        await bench.until(lambda: [one for one, _ in lines(switcher)][1:] == ["Hollow Crown"])
        other.workspaces.rename(made.id, "Hollow Crowns")
        await bench.until(lambda: [one for one, _ in lines(switcher)][1:] == ["Hollow Crowns"])
        other.workspaces.rename(bench.bench.workspace.id, "Saltmarsh")
    await bench.until(lambda: bench.here.workspace.name == "Saltmarsh")
    switcher.close()


@scene(drive_window, two_worlds)
async def test_an_open_workspace_that_another_program_deletes_is_left_with_a_word(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    workspace = bench.bench.workspace
    with open_inklings(tmp_path, embed_writes=False) as other:
        other.workspaces.delete(workspace.id, confirm="delete Saltglass")
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())
    await bench.until(lambda: bench.window.findChild(MessageDialog) is not None)
    dialog = bench.window.findChild(MessageDialog)
    assert isinstance(dialog, MessageDialog)
    assert "Saltglass is gone" in dialog.windowTitle()
    dialog.close()
    await bench.until(lambda: bench.texts() == [])


@scene(drive, two_worlds)
async def test_another_than_the_open_one_is_deleted_from_the_list(bench: RailBench, /) -> None:
    switcher = bench.rail.card.switcher()
    QTest.keyClick(switcher.list, Qt.Key.Key_Down)
    QTest.keyClick(switcher.list, Qt.Key.Key_Delete)
    await bench.until(lambda: bench.window.findChild(DeleteWorkspaceDialog) is not None)
    dialog = bench.window.findChild(DeleteWorkspaceDialog)
    assert isinstance(dialog, DeleteWorkspaceDialog)
    QTest.keyClicks(dialog.field, "delete Hollow Crown")
    dialog.delete.click()
    inklings = bench.bench.inklings
    await bench.until(lambda: len(inklings.places.workspaces()) == 1)
    await bench.until(lambda: len(bench.here.workspaces) == 1)
    assert bench.here.workspace.name == "Saltglass"


@scene(drive, two_worlds)
async def test_a_count_that_was_under_way_does_not_bring_the_old_workspace_back(
    bench: RailBench, /
) -> None:
    inklings, shell = bench.bench.inklings, bench.shell
    crown = inklings.workspaces.find("Hollow Crown")
    for _ in range(5):
        shell.refresh()
        await shell.open_workspace(crown.id)
        await asyncio.sleep(0.05)
        assert shell.surroundings is not None
        assert shell.surroundings.workspace == crown
        await shell.open_workspace(bench.bench.workspace.id)

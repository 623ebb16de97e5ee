"""The frame of the World page: no folder yet, linking, reading, a folder that is gone, its menu."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
)

from inklings_desktop.domain.background.tasks import world_of
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.panes.banner import Banner
from inklings_desktop.usecases.background.background_work import TaskStatus
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.world.world_double import WorldBench, a_page, linked, unlinked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("qapp")


async def dialog_of(bench: WorldBench) -> QDialog:
    """The dialog over the window, once it is there."""
    found: list[QDialog] = []

    def is_there() -> bool:
        found[:] = [one for one in bench.view.window().findChildren(QDialog) if one.isVisible()]
        return bool(found)

    await until(is_there)
    return found[0]


def press(dialog: QDialog, name: str) -> None:
    button = dialog.findChild(QAbstractButton, name)
    assert isinstance(button, QAbstractButton)
    button.click()


def action(bench: WorldBench, text: str) -> QAction:
    """An entry of the menu of folders."""
    assert bench.page.content is not None
    menu = bench.page.acts.menu(bench.page.content.looks)
    return next(one for one in menu.actions() if one.text() == text)


@scene(unlinked)
async def test_without_a_folder_the_page_says_how_one_is_linked(bench: WorldBench, /) -> None:
    assert bench.named("worldLine").text() == "no folder linked"
    assert bench.named("linkFolder").isVisible()
    assert not bench.named("worldPages").isVisible()
    assert bench.page.key_hints()[0].keys == ("Ctrl O",)
    bench.page.bring_focus(Qt.FocusReason.ShortcutFocusReason)
    assert bench.named("linkFolder").hasFocus()


@scene(unlinked)
async def test_a_chosen_folder_is_linked_and_read_with_a_bar(
    bench: WorldBench, /, tmp_path: Path
) -> None:
    folder = tmp_path / "saltglass-world"
    folder.mkdir()
    bench.named("linkFolder").click()
    dialog = await dialog_of(bench)
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(folder))
    dialog.accept()
    await until(lambda: bench.page.acts.progress == (0, 34))
    said = [one.text() for one in bench.view.findChildren(QAbstractButton) if one.isVisible()]
    assert "Cancel" in said
    assert any(one.isVisible() for one in bench.view.findChildren(ShareBar))
    bench.world.gate.set()
    await bench.shows("Timeline")
    assert bench.page.acts.progress is None
    await until(lambda: bool(bench.said.sentences))
    assert bench.said.sentences == ["3 files are not Markdown and are left alone."]
    assert bench.named("worldLine").text() == "5 pages in saltglass-world, read again 2 min ago"


@scene(unlinked)
async def test_a_reading_is_cancelled(bench: WorldBench, /, tmp_path: Path) -> None:
    bench.page.acts.link(tmp_path)
    await until(lambda: bench.world.goes_on is not None)
    assert bench.world.goes_on is not None
    assert bench.world.goes_on()
    bench.page.acts.cancel()
    assert not bench.world.goes_on()
    bench.world.gate.set()
    await until(lambda: bench.page.acts.progress is None)
    await until(lambda: bench.named("linkFolder").isVisible())


@scene(unlinked)
async def test_a_dropped_folder_is_linked_and_a_file_is_not(
    bench: WorldBench, /, tmp_path: Path
) -> None:
    (tmp_path / "page.md").write_text("x")
    bench.world.gate.set()
    for path, is_taken in ((tmp_path / "page.md", False), (tmp_path, True)):
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton)
        none = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPointF(9, 9).toPoint(), *how, none)
        enter.ignore()
        QApplication.sendEvent(bench.view, enter)
        assert enter.isAccepted() is is_taken
        drop = QDropEvent(QPointF(9, 9), *how, none)
        QApplication.sendEvent(bench.view, drop)
    await until(lambda: len(bench.world.looks) == 1)
    await bench.shows("Timeline")


@scene(linked)
async def test_the_rail_and_the_tree_say_what_changed(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.derivations.counts = lambda *_: {"Timeline.md": (2, 1)}  # type: ignore[method-assign]
    bench.page.read_again()
    await until(lambda: bench.said.marks[-1][1].short_hint == "1")
    assert bench.said.marks[-1][1].told == "5 pages, 1 changed"


@scene(linked)
async def test_a_folder_that_is_gone_may_be_chosen_again(
    bench: WorldBench, /, tmp_path: Path
) -> None:
    await bench.shows("Timeline")
    bench.world.looks = tuple(replace(one, state="missing") for one in bench.world.looks)
    bench.page.read_again()
    banner = bench.named("worldBanner")
    assert isinstance(banner, Banner)
    await until(banner.isVisible)
    assert banner.content is not None
    assert banner.content.title == "The folder cannot be found."
    assert bench.named("worldPages").isVisible()
    banner.action_requested.emit("relocate")
    dialog = await dialog_of(bench)
    assert isinstance(dialog, QFileDialog)
    bench.world.gate.set()
    dialog.setDirectory(str(tmp_path))
    dialog.accept()
    await until(lambda: ("relocate", "f", str(tmp_path)) in bench.world.asked)
    await until(lambda: ("look", "f") in bench.world.asked)


@scene(linked)
async def test_a_folder_is_unlinked_once_that_is_confirmed(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    action(bench, "Unlink\u2026").trigger()
    dialog = await dialog_of(bench)
    said = " ".join(one.text() for one in dialog.findChildren(QLabel))
    assert "Its pages stay as they are" in said
    next(one for one in dialog.findChildren(QAbstractButton) if one.text() == "Unlink").click()
    await until(lambda: bench.named("linkFolder") is not None)
    assert bench.named("linkFolder").isVisible()


@scene(linked)
async def test_proposals_are_taken_and_a_folder_is_looked_at_again(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.world.gate.set()
    takes = action(bench, "Agents may propose changes")
    assert not takes.isChecked()
    takes.trigger()
    await until(lambda: ("take", "f", "True") in bench.world.asked)
    action(bench, "Look again").trigger()
    await until(lambda: ("look", "f") in bench.world.asked)
    await until(lambda: bench.page.acts.progress is None)
    bench.page.refresh()
    await until(lambda: ("look", "") in bench.world.asked)


@scene(linked)
async def test_rules_that_say_nothing_are_named_and_right_ones_kept(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.world.gate.set()
    action(bench, "Rules\u2026").trigger()
    dialog = await dialog_of(bench)
    field = dialog.findChild(QPlainTextEdit, "rulesText")
    assert isinstance(field, QPlainTextEdit)
    field.setPlainText("wip = nonsense")
    press(dialog, "rulesConfirm")
    assert dialog.isVisible()
    field.setPlainText("Drafts/**")
    press(dialog, "rulesConfirm")
    await until(lambda: ("rules", "f", "Drafts/**") in bench.world.asked)
    await until(lambda: ("look", "f") in bench.world.asked)


@scene(linked)
async def test_what_the_clock_read_is_shown(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")
    bench.world.wholes["new.md"] = a_page("new.md", "# New")
    bench.world.n_changes += 1
    bench.page._on_task_finished(TaskStatus(world_of(bench.bench.workspace.id)))
    await until(lambda: "New" in bench.texts())


@scene(linked)
async def test_who_comes_back_sees_the_pages_as_they_are(bench: WorldBench, /) -> None:
    await bench.shows("Timeline")

    def is_looked_at(n_times: int) -> bool:
        """Whether they were, once somebody came back; while they are, coming back adds nothing."""
        QApplication.sendEvent(bench.view, QEvent(QEvent.Type.WindowActivate))
        return bench.world.asked.count(("look", "")) >= n_times

    await until(lambda: is_looked_at(2))
    bench.world.is_read_elsewhere = True
    n_asked = bench.world.asked.count(("look", ""))
    await until(lambda: is_looked_at(n_asked + 2))
    assert bench.said.messages == []

    def is_refused() -> bool:
        bench.page.refresh()
        return bool(bench.said.messages)

    await until(is_refused)
    assert bench.said.messages[0].title == "This is being done right now."

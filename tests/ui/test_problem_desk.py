"""What helps a data root that cannot be opened is offered where that is said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from qasync import QEventLoop

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import DatabaseCorruptError, DatabaseTooNewError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, MessageDialog
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.problem_help import ProblemHelp
from inklings_desktop.usecases.bundle import Inklings
from tests.support.damaging import damage_root, folded
from tests.support.stopwatch import until

pytestmark = pytest.mark.usefixtures("qapp")


def opener(root: Path) -> Callable[[], AbstractContextManager[Inklings]]:
    return partial(
        open_inklings,
        root,
        embedder=NullEmbedder("none"),
        embed_writes=False,
        require_account=False,
    )


def on_stage(
    root: Path,
    play: Callable[[MainWindow, ProblemHelp], Awaitable[None]],
    text_scale: float = 1.0,
) -> None:
    """A window without data, and its desk."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(SchemeChoice.LIGHT, text_scale=text_scale, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted() -> None:
        background, window = Background(bugs.append), MainWindow(theme, root, Appearance())
        try:
            window.show()
            await play(window, ProblemHelp(background, window, root, opener(root)))
        finally:
            window.hide()
            await background.close()
            window.deleteLater()
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(acted())
    assert not bugs, bugs


def a_world(root: Path) -> str:
    with opener(root)() as inklings:
        world = inklings.workspaces.create("Saltglass")
        draft = MemoryDraft(ScopeKey.workspace(world.id), "Gulls keep accounts.")
        inklings.memories.put(draft)
        return world.id


def offered(window: MainWindow) -> tuple[bool, bool]:
    page = window.problem.page
    assert page is not None
    return page.open_copy.isVisible(), page.export.isVisible()


def test_what_can_be_read_is_exported_though_nothing_is_open(tmp_path: Path) -> None:
    root = tmp_path / "root"
    world = a_world(root)
    path = root / "workspaces" / world / "agents.db"
    damage_root(path, "channels")
    file = tmp_path / "readable.json"

    async def play(window: MainWindow, desk: ProblemHelp) -> None:
        await desk.show(DatabaseCorruptError(path, "test"))
        assert offered(window) == (False, True)
        assert desk._place is not None
        await desk.rescue.export_to(desk._place.workspace_id, file)
        (dialog,) = window.findChildren(MessageDialog)
        assert dialog.windowTitle() == "Exported 1 memory to readable.json"

    on_stage(root, play)
    (found,) = json.loads(file.read_text(encoding="utf-8"))["workspaces"]
    assert [one["content"] for one in found["memories"]] == ["Gulls keep accounts."]


def test_damaged_indexes_are_repaired_though_nothing_is_open(tmp_path: Path) -> None:
    root = tmp_path / "root"
    a_world(root)
    path = root / "agents.db"
    with opener(root)() as inklings:
        inklings.keeping.create_backup(None)
    damage_root(path, "memories_by_change")

    async def play(window: MainWindow, desk: ProblemHelp) -> None:
        await desk.show(DatabaseCorruptError(path, "test"))
        page = window.problem.page
        assert page is not None
        await until(page.repair.isVisible)
        assert offered(window) == (False, True)
        assert "A repair loses nothing" in page.details()
        page.repair.click()
        page.repair.click()
        await until(lambda: bool(window.findChildren(ConfirmDialog)))
        await asyncio.sleep(0)
        (asked,) = window.findChildren(ConfirmDialog)
        asked.confirm.click()
        await until(lambda: bool(window.findChildren(MessageDialog)))
        (dialog,) = window.findChildren(MessageDialog)
        assert dialog.windowTitle() == "Repaired the database of your account"

    on_stage(root, play)
    with opener(root)() as inklings:
        assert inklings.keeping.check_data().findings == ()


def test_of_what_is_no_database_no_file_is_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    a_world(root)
    folded(root / "agents.db")
    (root / "agents.db").write_bytes(b"Dear diary,\n" * 900)

    async def play(window: MainWindow, desk: ProblemHelp) -> None:
        await desk.show(DatabaseCorruptError(root / "agents.db", "test"))
        assert desk._place is not None
        await desk.rescue.export_to(desk._place.workspace_id, tmp_path / "readable.json")
        (dialog,) = window.findChildren(MessageDialog)
        assert dialog.windowTitle() == "Nothing in the database could be read."

    on_stage(root, play)
    assert not (tmp_path / "readable.json").exists()


def test_the_card_holds_its_words_in_the_largest_text_and_the_smallest_window(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    a_world(root)
    with opener(root)() as inklings:
        inklings.keeping.create_backup(None)

    async def play(window: MainWindow, desk: ProblemHelp) -> None:
        window.resize(960, 600)
        await desk.show(DatabaseCorruptError(root / "agents.db", "test"))
        assert offered(window) == (True, True)
        await asyncio.sleep(0.05)
        page = window.problem.page
        assert page is not None
        for button in (page.retry, page.open_copy, page.export):
            assert button.width() >= button.sizeHint().width()
        for label in page.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                assert label.height() >= label.heightForWidth(label.width())

    on_stage(root, play, text_scale=1.4)


def test_a_file_that_is_only_newer_is_offered_no_rescue(tmp_path: Path) -> None:
    root = tmp_path / "root"
    a_world(root)

    async def play(window: MainWindow, desk: ProblemHelp) -> None:
        await desk.show(DatabaseCorruptError(root / "agents.db", "test"))
        assert offered(window) == (False, True)
        await desk.show(DatabaseTooNewError(root / "agents.db", 9, 7))
        assert offered(window) == (False, False)

    on_stage(root, play)

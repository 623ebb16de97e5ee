"""A window on a disk that cannot be written to: it reads, says why it does not write, and waits."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.ui.presenter_bench import a_bench
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def two_memories(bench: Bench) -> None:
    for text in ("Gulls keep accounts.", "Tides are counted."):
        bench.put(text)


@contextmanager
def only_read(root: Path) -> Iterator[Bench]:
    """A store that stands for one on such a disk: the window is told so."""
    with a_bench(root) as bench:
        two_memories(bench)
        yield replace(bench, inklings=replace(bench.inklings, is_read_only=True))


def nothing(_bench: Bench) -> None:
    """It is filled already."""


def test_the_banner_says_what_still_works_and_editing_is_off(tmp_path: Path) -> None:
    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        window = bench.window
        notice = window.pages.banners.banner
        assert notice.isVisible()
        assert notice.accessibleName() == (
            "Read-only: the disk cannot be written to. You can read, search and export to another "
            "place. Editing is off until the disk is writable."
        )
        buttons = [one.text() for one in notice.findChildren(QPushButton)]
        assert buttons == ["Try again", "Export to\u2026"]
        new = window.page.header.new
        assert not new.isEnabled()
        assert new.toolTip() == "Read-only: the disk cannot be written to."
        for action in (window.menus.new_memory, window.menus.forget, window.menus.import_file):
            assert not action.isEnabled()
        assert window.menus.export.isEnabled()

        window.page.list_cursor.select(window.page.rows[1].id)
        await bench.until(lambda: bench.desk.subject.current_entry is not None)
        view = window.inspector
        assert view.editor.isReadOnly()
        footer = view.footer
        shown = {one.objectName() for one in footer.findChildren(QPushButton) if one.isVisible()}
        assert shown == {"memoryCopy"}
        footer.copy_text.click()
        assert QGuiApplication.clipboard().text() == view.body.text()
        bench.desk.subject.edit(content="x")
        assert not bench.desk.subject.has_unsaved

    drive(tmp_path, nothing, look, only_read)


def test_trying_again_reopens_once_the_disk_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def try_again(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 2)
        window, asked = bench.window, list[int]()
        reopening = window.reopening
        retry = window.pages.banners.banner.findChildren(QPushButton)[0]

        def access(*_: object) -> bool:
            asked.append(1)
            return len(asked) > 1

        monkeypatch.setattr("inklings_desktop.ui.window_reopening.os.access", access)
        retry.click()
        await bench.until(lambda: len(asked) == 1)
        assert not reopening.wants_reopening
        retry.click()
        await bench.until(lambda: reopening.wants_reopening)

    drive(tmp_path, nothing, try_again, only_read)

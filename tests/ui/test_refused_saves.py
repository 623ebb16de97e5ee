"""A save that the disk or another program refuses: what is said, and that nothing typed is lost.

The refusals are SQLite's own: the database may not grow by a page, or another connection holds it
while it writes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inklings_desktop.domain.errors import DatabaseFullError
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.ui.entries.view import COPY_TEXT, SAVE_AGAIN
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.usecases.memories.values import Edit
from tests.support.scenes import scene
from tests.support.sqlite_store import raw
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import HANG_SECONDS
from tests.ui.page_views import entries_view
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

MOST_PAGES = 1_000_000
LONG = "Salt and slack water. " * 2_500 + "Ebb."
BODY = LONG[:5_000]
FULL = {"Not saved: the disk is full.", "Your text is still in the editor."}


@contextmanager
def a_full_disk(bench: WindowBench) -> Iterator[None]:
    """The open workspace's database may not grow, as on a disk without a free page."""
    store = cast("SqliteStore", bench.bench.inklings.parts.store)
    engines = store._databases.file(bench.bench.workspace.id).engines
    with ExitStack() as stack:
        held = []
        for engine in (engines.durable, engines.relaxed):
            with engine.connect() as connection:  # the pool hands out the same one again
                driver = connection.connection.dbapi_connection
                assert driver is not None
                held.append(driver)
        for one in held:
            one.set_authorizer(None)  # the program itself may set nothing
            (n_pages,) = one.execute("PRAGMA page_count").fetchone()
            one.execute(f"PRAGMA max_page_count = {n_pages}")
            stack.callback(one.execute, f"PRAGMA max_page_count = {MOST_PAGES}")
        yield


def one_memory(bench: Bench) -> None:
    bench.put("Gulls keep accounts.")


def words(widget: QWidget) -> set[str]:
    return {one.text() for one in widget.findChildren(QLabel) if one.isVisible()}


def press(widget: QWidget, name: str) -> None:
    button = widget.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    assert button.isVisible()
    button.click()


def contents(bench: WindowBench) -> list[str]:
    inklings, scope = bench.bench.inklings, bench.bench.scope
    page = inklings.listing.browse([scope])
    return [one.content for one in page.entries]


@pytest.mark.parametrize("is_new", [False, True])
def test_a_memory_that_finds_no_room_is_kept_in_the_editor_and_saved_later(
    tmp_path: Path, *, is_new: bool
) -> None:
    async def save(bench: WindowBench) -> None:
        await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
        inspector, subject = bench.window.inspector, bench.memory.subject
        if is_new:
            bench.memory.new_memory()
        else:
            bench.window.page.list_cursor.select_next()
            await bench.until(lambda: subject.current_ref is not None)
        with a_full_disk(bench):
            subject.edit(content=LONG)
            inspector.request_save()
            await bench.until(lambda: words(inspector) >= FULL)
            press(inspector, "diskFullCopy")
            assert QGuiApplication.clipboard().text() == LONG
            press(inspector, "diskFullRetry")
            await bench.until(lambda: subject.state.is_disk_full)
            assert words(inspector) >= FULL
            assert LONG not in contents(bench)
        press(inspector, "diskFullRetry")
        await bench.until(lambda: LONG in contents(bench))
        await bench.until(lambda: not FULL & words(inspector))
        await bench.until(lambda: not subject.has_unsaved)

    drive(tmp_path, one_memory, save)


@scene(drive, one_memory)
async def test_a_named_entry_that_finds_no_room_is_kept_in_the_editor_and_saved_later(
    bench: WindowBench, /
) -> None:
    window, opened_root = bench.window, bench.window.opened
    assert opened_root is not None
    window.show_page(ENTRIES_PAGE)
    page = entries_view(window)
    await bench.until(
        lambda: opened_root.entries is not None and opened_root.entries.entry.entry is not None
    )
    assert page is not None
    assert opened_root.entries is not None
    presenter = opened_root.entries.entry
    with a_full_disk(bench):
        page.editor.editor.setFocus()
        page.editor.editor.insertPlainText(BODY)
        opened_root.entries.save()
        await bench.until(lambda: words(page) >= FULL)
        press(page, COPY_TEXT)
        assert BODY in QGuiApplication.clipboard().text()
    press(page, SAVE_AGAIN)
    await bench.until(lambda: not presenter.has_unsaved)
    assert not FULL & words(page)


@scene(drive, one_memory)
async def test_a_save_beside_a_program_that_writes_says_so_and_loses_nothing(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    subject = bench.memory.subject
    bench.window.page.list_cursor.select_next()
    await bench.until(lambda: subject.current_ref is not None)
    path = tmp_path / "workspaces" / bench.bench.workspace.id / "agents.db"
    with raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        subject.edit(content="Typed beside it.")
        bench.window.inspector.request_save()
        await bench.until(lambda: bool(bench.window.findChildren(MessageDialog)), seconds=40)
        (dialog,) = bench.window.findChildren(MessageDialog)
        assert dialog.windowTitle() == "Another program is writing just now"
        dialog.accept()
        assert contents(bench) == ["Gulls keep accounts."]  # reading goes on meanwhile
        assert subject.has_unsaved
        other.execute("ROLLBACK")
    bench.window.inspector.request_save()
    await bench.until(lambda: contents(bench) == ["Typed beside it."])


def test_news_that_came_during_a_refused_save_are_told(tmp_path: Path) -> None:
    may_end = threading.Event()

    @contextmanager
    def full(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:

            def updated(*_asked: Any, **_named: Any) -> Any:
                assert may_end.wait(HANG_SECONDS)
                raise DatabaseFullError(root / "workspace.db", "test")

            inklings = stood_in(bench.inklings, {"memories.update": updated})
            yield replace(bench, inklings=inklings)

    async def save(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        page, subject = bench.window.page, bench.memory.subject
        page.list_cursor.select(page.rows[-1].id)
        await bench.until(lambda: subject.current_entry is not None)
        subject.edit(content="Mine.")
        bench.memory.save()
        await bench.until(lambda: subject.is_saving)
        inklings, before = bench.bench.inklings, subject.current_entry
        assert before is not None
        change = Edit(before.ref, MemoryPatch(content="Theirs."), before.version)
        inklings.memories.edit_each([change])
        await bench.until(lambda: getattr(subject._shown, "is_stale", False))
        may_end.set()
        await bench.until(lambda: subject.state.conflict is not None)
        assert subject.state.is_disk_full
        subject.revert()

    drive(tmp_path, one_memory, save, full)

"""Writes that a file has lost are told above every page until the author knows of it."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from inklings_desktop.domain.log.events import EventKind, LostWrites
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.window.banners.words import loss_banner, loss_message
from tests.support.builders import NOON, WORKSPACE_ID
from tests.ui.presenter_bench import a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

WORLD = Workspace(WORKSPACE_ID, "Saltglass", NOON)
LATER = NOON + timedelta(minutes=5)


def an_older_copy_put_back(root: Path) -> None:
    """A workspace whose last two memories are lost."""
    with a_bench(root) as bench:
        bench.put("Gulls keep accounts.")
        path = root / "workspaces" / bench.workspace.id / "agents.db"
    older = shutil.copyfile(path, root.with_name("older.db"))
    with a_bench(root) as bench:
        for text in ("The bell is cracked.", "Nobody rings it."):
            bench.put(text)
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    shutil.copyfile(older, path)


def press(bench: WindowBench, name: str) -> None:
    banner = bench.window.pages.banners.banner
    next(one for one in banner.findChildren(QAbstractButton) if one.text() == name).click()


def test_a_workspace_that_lost_its_last_writes_says_so_until_the_author_knows(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    an_older_copy_put_back(root)

    async def scene(bench: WindowBench) -> None:
        slot = bench.window.pages.banners
        await bench.until(lambda: slot.cause is BannerCause.LOST_WRITES)
        assert slot.banner.isVisible()
        assert slot.banner.content is not None
        assert slot.banner.content.title == "2 writes that were stored are missing."

        press(bench, "What is missing")
        (dialog,) = bench.window.findChildren(MessageDialog)
        said = " ".join(one.text() for one in dialog.findChildren(QLabel))
        assert "Saltglass: 2 writes, stored between" in said
        assert "No backup has any of them." in said
        dialog.accept()

        press(bench, "I know")
        await bench.until(lambda: slot.cause is not BannerCause.LOST_WRITES)
        inklings = bench.bench.inklings
        newest = inklings.log.list(bench.bench.workspace.id, limit=1)[0]
        assert (newest.kind, newest.counts["writes"]) == (EventKind.LOG_ANCHORED, 2)

    drive(root, lambda _bench: None, scene)

    async def opened_again(bench: WindowBench) -> None:
        assert bench.window.banners is not None
        await bench.window.banners.losses.settled()
        assert bench.window.pages.banners.cause is not BannerCause.LOST_WRITES

    drive(root, lambda _bench: None, opened_again)


def test_a_backup_that_is_brought_back_meanwhile_answers_the_loss(tmp_path: Path) -> None:
    root = tmp_path / "root"
    an_older_copy_put_back(root)

    async def scene(bench: WindowBench) -> None:
        slot = bench.window.pages.banners
        await bench.until(lambda: slot.cause is BannerCause.LOST_WRITES)
        inklings = bench.bench.inklings
        made = inklings.keeping.create_backup(bench.bench.workspace.id)
        inklings.keeping.restore_backup(made.name)
        await bench.until(lambda: slot.cause is not BannerCause.LOST_WRITES)

    drive(root, lambda _bench: None, scene)


def test_what_is_missing_is_told_with_the_backup_and_the_scrubs_that_are_undone() -> None:
    backup = "w1/20260312T101500000Z.db"
    found = (
        (None, LostWrites(1, NOON, NOON)),
        (WORLD, LostWrites(1_204, NOON, LATER, 2, backup, 14)),
    )
    banner, message = loss_banner(found), loss_message(found)
    assert banner.title == message.title == "1,205 writes that were stored are missing."
    assert banner.text.startswith("Missing in your account, Saltglass.")
    assert [one.label for one in banner.actions] == ["What is missing", "I know"]
    of_account, of_world, _ = message.text.split("\n\n")
    assert of_account == (
        f"In your account: 1 write, stored between {exact_time(NOON)} and {exact_time(NOON)}. "
        "No backup has any of them."
    )
    assert of_world == (
        f"In Saltglass: 1,204 writes, stored between {exact_time(NOON)} and {exact_time(LATER)}. "
        f"The backup {backup} has 14 of them; the command in the details restores it. "
        "2 scrubs were undone: what they removed may be back. Scrub again."
    )
    assert message.details == (("Saltglass", f"inklings backup restore {backup}"),)


def test_one_lost_write_and_one_undone_scrub_are_told_in_the_singular() -> None:
    message = loss_message(((WORLD, LostWrites(1, NOON, NOON, 1)),))
    assert message.title == "1 write that was stored is missing."
    assert "A scrub was undone: what it removed may be back" in message.text

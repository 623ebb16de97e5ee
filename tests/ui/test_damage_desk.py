"""A database that cannot be read as a whole is told above every page until it is whole again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.log.disk_room import DiskRoom
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, MessageDialog
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.transfer.exports import Exports
from inklings_desktop.ui.window.banners import damage as damage_presenter
from inklings_desktop.ui.window.banners.words import low_disk_banner, read_only_banner
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from tests.support.damaging import damage_root, damage_where, folded
from tests.support.scenes import scene
from tests.support.sqlite_store import raw
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

GULLS = "Gulls keep accounts."
TITLE = "Part of the database could not be read."


def filled(bench: Bench) -> None:
    """A workspace of several pages; the one with this text stands on one of them."""
    bench.put(GULLS)
    for number in range(40):
        bench.put(f"Tide {number} is counted. " + "Salt and slack water. " * 30)


def backed_up(bench: Bench) -> None:
    filled(bench)
    bench.inklings.keeping.create_backup(bench.workspace.id)
    bench.put("Written after the copy.")


def file_of(root: Path, workspace_id: str | None) -> Path:
    folder = root if workspace_id is None else root / "workspaces" / workspace_id
    return folder / "agents.db"


def break_open(bench: WindowBench, root: Path) -> bytes:
    """Damage the file of the open workspace under the window; what it holds then."""
    path = file_of(root, bench.bench.workspace.id)
    damage_where(path, GULLS)
    return path.read_bytes()


def meet_it(bench: WindowBench) -> None:
    """Look elsewhere and here again, so that the list is read anew."""
    bench.memory.shell.go(Place(Tier.ACCOUNT))
    bench.memory.shell.go(Place(Tier.WORKSPACE))


def cause(bench: WindowBench) -> BannerCause | None:
    return bench.window.pages.banners.cause


def name_of_banner(bench: WindowBench) -> str:
    return bench.window.pages.banners.banner.accessibleName()


def buttons(bench: WindowBench) -> list[str]:
    banner = bench.window.pages.banners.banner
    return [one.text() for one in banner.findChildren(QAbstractButton) if not one.isHidden()]


def press(bench: WindowBench, name: str) -> None:
    banner = bench.window.pages.banners.banner
    next(one for one in banner.findChildren(QAbstractButton) if one.text() == name).click()


def said_in_dialogs(bench: WindowBench) -> list[str]:
    return [one.windowTitle() for one in bench.window.findChildren(MessageDialog)]


@contextmanager
def two_worlds(root: Path, *, with_copy: bool) -> Iterator[Bench]:
    """A sound workspace, opened, beside a damaged older one."""
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        caller = inklings.caller
        damaged = inklings.workspaces.create("Tide tables")
        inklings.memories.put(MemoryDraft(ScopeKey.workspace(damaged.id), GULLS))
        if with_copy:
            inklings.keeping.create_backup(damaged.id)
        inklings.workspaces.create("Saltglass")
    path = file_of(root, damaged.id)
    folded(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + path.read_bytes()[8:])
    with a_bench(root) as bench:
        sound = next(
            w for w in bench.inklings.as_caller(caller).places.workspaces() if w.id != damaged.id
        )
        yield Bench(bench.inklings, sound)


def ignored(_answer: object) -> None:
    """For lambdas that answer nothing."""


def nothing(_bench: Bench) -> None:
    """What there is was made before."""


@scene(drive, filled)
async def test_damage_that_is_met_while_the_window_is_open_is_told_on_every_page(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    window = bench.window
    await bench.until(lambda: len(bench.texts()) > 10)
    assert cause(bench) is BannerCause.KEYWORD_ONLY
    content = break_open(bench, tmp_path)
    meet_it(bench)
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    assert name_of_banner(bench) == (
        f"{TITLE} Nothing has been repaired yet. There is no good copy of it."
    )
    assert buttons(bench) == ["Export what can be read"]
    banner = window.pages.banners.banner
    for page in (ENTRIES_PAGE, PREVIEW_PAGE, CONTROL_PAGE):
        window.show_page(page)
        assert banner.isVisible()
    assert file_of(tmp_path, bench.bench.workspace.id).read_bytes() == content


def test_the_copy_takes_the_place_of_the_damaged_database_once_that_is_wanted(
    tmp_path: Path,
) -> None:
    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) > 10)
        content = break_open(bench, tmp_path)
        meet_it(bench)
        await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
        assert "The last good copy is from " in name_of_banner(bench)
        assert buttons(bench) == ["Open the copy", "Export what can be read"]

        press(bench, "Open the copy")
        press(bench, "Open the copy")  # asks once, however fast
        await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
        await asyncio.sleep(0)
        (dialog,) = bench.window.findChildren(ConfirmDialog)
        assert dialog.windowTitle().startswith("Open the copy from ")
        dialog.keep.click()
        await bench.until(lambda: not bench.window.findChildren(ConfirmDialog))
        assert cause(bench) is BannerCause.DAMAGE
        assert file_of(tmp_path, bench.bench.workspace.id).read_bytes() == content

        press(bench, "Open the copy")
        await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
        bench.window.findChildren(ConfirmDialog)[0].confirm.click()
        await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY, seconds=30)
        await bench.until(
            lambda: len(bench.texts()) > 10 and "Written after the copy." not in bench.texts()
        )
        assert said_in_dialogs(bench) == []
        (aside,) = (tmp_path / "backups").glob("*/*.damaged")
        assert aside.read_bytes() == content

    drive(tmp_path, backed_up, look)
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        assert inklings.keeping.check_data().is_damaged is False


def test_damaged_indexes_are_repaired_without_a_loss_and_it_is_said_what_was_done(
    tmp_path: Path,
) -> None:
    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) > 10)
        world = bench.bench.workspace
        path = file_of(tmp_path, world.id)
        damage_root(path, "memories_by_creation")
        content = path.read_bytes()
        meet_it(bench)
        await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
        await bench.until(lambda: "Repair" in buttons(bench))
        assert buttons(bench) == ["Repair", "Export what can be read"]
        assert name_of_banner(bench) == (
            f"{TITLE} Only indexes are damaged. A repair loses nothing."
        )

        press(bench, "Repair")
        await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
        bench.window.findChildren(ConfirmDialog)[0].keep.click()
        await bench.until(lambda: not bench.window.findChildren(ConfirmDialog))
        assert path.read_bytes() == content
        assert cause(bench) is BannerCause.DAMAGE

        press(bench, "Repair")
        await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
        bench.window.findChildren(ConfirmDialog)[0].confirm.click()
        await bench.until(lambda: bool(said_in_dialogs(bench)), seconds=30)
        assert said_in_dialogs(bench) == [f"Repaired the database of {world.name}"]
        (dialog,) = bench.window.findChildren(MessageDialog)
        words = " ".join(one.text() for one in dialog.findChildren(QLabel))
        assert "Every index was rebuilt." in words
        assert "All its 42 memories are there." in words
        (aside,) = (tmp_path / "backups").glob("*/*.damaged")
        assert f"kept as backups/{aside.parent.name}/{aside.name}." in words
        assert aside.read_bytes() == content
        await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY)
        dialog.close()
        await bench.until(lambda: "Written after the copy." in bench.texts())

    drive(tmp_path, backed_up, look)
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        assert inklings.keeping.check_data().findings == ()


@scene(drive, backed_up)
async def test_a_repair_that_another_program_keeps_out_says_what_to_close(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: len(bench.texts()) > 10)
    path = file_of(tmp_path, bench.bench.workspace.id)
    damage_root(path, "memories_by_creation")
    meet_it(bench)
    await bench.until(lambda: "Repair" in buttons(bench))
    content = path.read_bytes()
    with raw(path) as other:
        other.execute("SELECT count(*) FROM meta").fetchone()
        press(bench, "Repair")
        await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
        bench.window.findChildren(ConfirmDialog)[0].confirm.click()
        await bench.until(lambda: bool(said_in_dialogs(bench)), seconds=30)
    assert said_in_dialogs(bench) == ["Another program has this database open"]
    (dialog,) = bench.window.findChildren(MessageDialog)
    words = " ".join(one.text() for one in dialog.findChildren(QLabel))
    assert "Nothing was changed. Close other windows and agents, then try again." in words
    assert path.read_bytes() == content
    assert "Repair" in buttons(bench)
    dialog.close()


@scene(drive, backed_up, made=partial(a_bench, with_clock=True))
async def test_a_window_that_reads_on_does_not_keep_the_copy_out(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: len(bench.texts()) > 10)
    break_open(bench, tmp_path)
    meet_it(bench)
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    press(bench, "Open the copy")
    await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
    bench.window.findChildren(ConfirmDialog)[0].confirm.click()

    def is_over() -> bool:
        meet_it(bench)
        bench.memory.shell.refresh()
        return cause(bench) is BannerCause.KEYWORD_ONLY or bool(said_in_dialogs(bench))

    await bench.until(is_over, seconds=30)
    assert said_in_dialogs(bench) == []


def test_what_can_be_read_is_exported_and_the_rest_is_counted(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = tmp_path_factory.mktemp("elsewhere") / "readable.json"

    async def asked(*_: object) -> Path:
        return wanted

    monkeypatch.setattr(Exports, "asked_path", asked)

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) > 10)
        break_open(bench, tmp_path)
        meet_it(bench)
        await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
        press(bench, "Export what can be read")
        await bench.until(lambda: bool(said_in_dialogs(bench)))
        (world,) = json.loads(wanted.read_text(encoding="utf-8"))["workspaces"]
        n_kept = len(world["memories"])
        assert 20 < n_kept < 41
        (dialog,) = bench.window.findChildren(MessageDialog)
        assert said_in_dialogs(bench) == [f"Exported {n_kept} memories to readable.json"]
        words = " ".join(one.text() for one in dialog.findChildren(QLabel))
        assert f"{41 - n_kept} memories could not be read." in words
        assert cause(bench) is BannerCause.DAMAGE

    drive(tmp_path, filled, look)


@scene(drive, nothing, made=partial(two_worlds, with_copy=True))
async def test_a_damaged_workspace_beside_the_open_one_is_named(bench: WindowBench, /) -> None:
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    assert bench.window.windowTitle() == "Memory, Saltglass - Inklings"
    assert name_of_banner(bench).startswith(f"{TITLE} It is the workspace Tide tables. Nothing")
    assert said_in_dialogs(bench) == []
    press(bench, "Open the copy")
    await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
    bench.window.findChildren(ConfirmDialog)[0].confirm.click()
    await bench.until(lambda: bench.window.windowTitle() == "Memory, Tide tables - Inklings")
    await bench.until(lambda: bench.texts() == [GULLS])
    await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY)


@scene(drive, lambda bench: ignored(bench.put(GULLS)))
async def test_damage_that_the_switcher_finds_is_told_too(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    await bench.until(lambda: bench.texts() == [GULLS])
    inklings = bench.bench.inklings
    other = inklings.workspaces.create("Tide tables")
    card = bench.window.rail.card
    await bench.window.opened.memory.shell.refreshed()  # type: ignore[union-attr]
    path = file_of(tmp_path, other.id)
    folded(path)
    with path.open("r+b") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
    assert cause(bench) is BannerCause.KEYWORD_ONLY
    card.survey_wanted.emit()
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    assert "It is the workspace Tide tables." in name_of_banner(bench)


@scene(drive, nothing, made=partial(two_worlds, with_copy=False))
async def test_a_damaged_workspace_that_is_deleted_is_told_no_more(bench: WindowBench, /) -> None:
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    assert "There is no good copy of it." in name_of_banner(bench)
    inklings = bench.bench.inklings
    damaged = next(
        one for one in inklings.places.workspaces() if one.id != bench.bench.workspace.id
    )
    inklings.workspaces.delete(damaged.id, confirm=f"delete {damaged.name}")
    await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY)


def test_a_file_that_another_program_put_right_is_told_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damage_presenter, "LOOK_MS", 50)

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) > 10)
        path = file_of(tmp_path, bench.bench.workspace.id)
        folded(path)
        content = path.read_bytes()
        break_open(bench, tmp_path)
        meet_it(bench)
        await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
        with path.open("r+b") as file:
            file.write(content)
        await bench.until(lambda: cause(bench) is BannerCause.KEYWORD_ONLY)

    drive(tmp_path, filled, look)


@scene(drive, filled)
async def test_the_account_s_database_is_told_of_as_such(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) > 10)
    assert bench.window.banners is not None
    desk = bench.window.banners.damage
    target = TaskTarget(TaskKind.BACKFILL, None)
    desk.on_task_failed(TaskStatus(target, TaskPhase.WAITING, problem="DatabaseBusyError"))
    assert desk.told is None
    desk.on_task_failed(TaskStatus(target, TaskPhase.WAITING, problem="DatabaseCorruptError"))
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    assert "It is the database of your account" in name_of_banner(bench)


@scene(drive, nothing, made=partial(two_worlds, with_copy=False))
async def test_damage_stands_behind_a_disk_that_refuses_and_before_the_rest(
    bench: WindowBench, /
) -> None:
    slot = bench.window.pages.banners
    slot.say(BannerCause.LOW_DISK, low_disk_banner(DiskRoom(1)))
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    slot.say(BannerCause.READ_ONLY, read_only_banner())
    assert cause(bench) is BannerCause.READ_ONLY
    slot.say(BannerCause.READ_ONLY, None)
    assert cause(bench) is BannerCause.DAMAGE


@scene(drive, nothing, made=partial(two_worlds, with_copy=True))
async def test_its_buttons_are_reached_and_pressed_by_the_keyboard(bench: WindowBench, /) -> None:
    await bench.until(lambda: cause(bench) is BannerCause.DAMAGE)
    banner = bench.window.pages.banners.banner
    first = next(
        one for one in banner.findChildren(QAbstractButton) if one.text() == "Open the copy"
    )
    assert first.focusPolicy() & Qt.FocusPolicy.TabFocus
    first.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    focused = bench.window.focusWidget()
    assert isinstance(focused, QAbstractButton)
    assert focused.text() == "Export what can be read"
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    await bench.until(lambda: bool(bench.window.findChildren(ConfirmDialog)))
    bench.window.findChildren(ConfirmDialog)[0].keep.click()

"""Backups and data among the settings: what is listed, made, kept, deleted, compared, set back."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.domain.log.backup import (
    Backup,
    BackupFault,
    BackupHoldings,
    BackupReason,
    CheckReport,
    Finding,
    FindingKind,
)
from inklings_desktop.domain.log.backup_comparison import Comparison, ScrubbedSince
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.ui.settings.backups.group import BackupsGroup
from inklings_desktop.ui.settings.backups.words import (
    CompareState,
    Health,
    backup_row,
    checked_words,
    compare_rows,
    head_words,
    headline,
    health_words,
    made_words,
    reason_words,
    scrub_words,
)
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.settings_bench import Settled, found, settings_page

pytestmark = pytest.mark.usefixtures("qapp")

A_BACKUP = Backup(
    f"{WORKSPACE_ID}/1.db",
    WORKSPACE_ID,
    NOON,
    4_200_000,
    reason=BackupReason.DAILY,
    holdings=BackupHoldings(119, 4, 7),
)
FIRST, SECOND = "Keeper tips the plate two-handed.", "Ask about the spelling of Wend Gate."


def lived_in(bench: Bench) -> None:
    """Two memories and a backup; then one went and another came."""
    bench.put(FIRST)
    gone = bench.put(SECOND)
    bench.inklings.keeping.create_backup(bench.workspace.id)
    bench.inklings.memories.forget([MemoryRef(gone.scope, gone.id)])
    bench.put("The bell is cracked.")


async def opened(settled: Settled) -> BackupsGroup:
    group: BackupsGroup = await settled.group("data")
    await group.settled()
    await until(lambda: group.content is not None or bool(settled.said.messages))
    assert settled.said.messages == []
    return group


async def compared(group: BackupsGroup) -> Any:
    found(group, "backups").setFocus()
    QTest.keyClick(found(group, "backups"), Qt.Key.Key_Return)
    await until(
        lambda: group.comparing.state is not None and group.comparing.state.comparison is not None
    )
    return group.comparing.dialog


def inside(dialog: Any, name: str) -> Any:
    """What the comparison calls so."""
    return dialog.findChild(QWidget, f"compare{name}")


async def pressed(name: str) -> None:
    """Press a button of the question on show, once it is there."""

    def button() -> QPushButton | None:
        dialogs = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog)]
        buttons = [
            each
            for dialog in dialogs
            if dialog.isVisible()
            for each in dialog.findChildren(QPushButton)
            if each.text() == name
        ]
        return buttons[0] if buttons else None

    await until(lambda: button() is not None)
    wanted = button()
    assert wanted is not None
    wanted.click()


@scene(settings_page, prepare=lived_in)
async def test_backups_are_listed_newest_first_with_why_and_what_they_hold(
    settled: Settled, /
) -> None:
    group = await opened(settled)
    (row,) = found(group, "backups").rows
    assert (row.why, row.holds) == ("by hand, kept", "2 memories")
    assert row.made.startswith("today ")
    found(group, "whoseBackups").choose("you")
    assert found(group, "backups").rows == ()
    assert not found(group, "backups").isVisible()


@scene(settings_page, prepare=lived_in)
async def test_back_up_now_keeps_the_world_and_what_belongs_to_the_person(
    settled: Settled, /
) -> None:
    group = await opened(settled)
    found(group, "backUpNow").click()
    await until(lambda: bool(settled.said.sentences))
    assert settled.said.sentences == ["This world and your account are backed up."]
    await until(lambda: len(found(group, "backups").rows) == 2)
    assert group.content is not None
    assert len(group.content.you) == 1
    assert found(group, "backUpNow").isEnabled()


@scene(settings_page, prepare=lived_in)
async def test_a_backup_under_way_can_be_stopped(settled: Settled, /) -> None:
    group = await opened(settled)
    begun: list[bool] = []

    def slow(_workspace_id: str | None, progress: Any) -> None:
        begun.append(True)
        progress.report("copy", 1, 2)
        while not progress.is_cancelled():
            pass
        raise StoppedError

    group.inklings = stood_in(group.inklings, {"keeping.create_backup": slow})
    found(group, "backUpNow").click()
    await until(lambda: bool(begun) and found(group, "stopBackup").isVisible())
    assert not found(group, "backUpNow").isEnabled()
    found(group, "stopBackup").click()
    await until(lambda: bool(settled.said.sentences))
    assert settled.said.sentences[0].startswith("Stopped.")
    assert not found(group, "stopBackup").isVisible()


@scene(settings_page, prepare=lived_in)
async def test_a_difference_is_set_back_and_the_state_before_is_kept(settled: Settled, /) -> None:
    group = await opened(settled)
    dialog = await compared(group)
    assert [one.badge for one in inside(dialog, "List").rows] == ["only now", "only in the backup"]
    assert inside(dialog, "Restore").text() == "Restore 2 differences"
    inside(dialog, "Choice").choose("leave")
    assert inside(dialog, "Restore").text() == "Restore 1 difference"
    assert inside(dialog, "List").rows[0].meta == "stays"
    inside(dialog, "Restore").click()
    await until(lambda: bool(settled.said.sentences))
    assert settled.said.sentences == [
        "One difference was restored. The state before is kept as a backup."
    ]
    assert group.comparing.dialog is None
    await until(lambda: len(found(group, "backups").rows) == 2)
    assert found(group, "backups").rows[0].why == "before a restore"
    browse = settled.bench.inklings.listing.browse
    texts = {one.content for one in browse([settled.bench.scope]).entries}
    assert texts == {FIRST, SECOND, "The bell is cracked."}


def test_many_differences_can_be_filtered(tmp_path: Path) -> None:
    def much(bench: Bench) -> None:
        lived_in(bench)
        for number in range(201):
            bench.put(f"Bell number {number} rings at its own hour.")

    async def look(settled: Settled) -> None:
        group = await opened(settled)
        dialog = await compared(group)
        assert inside(dialog, "Sides").isVisible()
        inside(dialog, "Sides").choose("only_then")
        assert [one.text for one in inside(dialog, "List").rows] == [SECOND]
        assert inside(dialog, "Restore").text() == "Restore 203 differences"
        inside(dialog, "Sides").choose("all")
        assert len(inside(dialog, "List").rows) == 203
        group.comparing.leave()

    settings_page(tmp_path, look, prepare=much)


@scene(settings_page, prepare=lived_in)
async def test_closing_the_comparison_changes_nothing(settled: Settled, /) -> None:
    group = await opened(settled)
    dialog = await compared(group)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert group.comparing.dialog is None
    assert settled.said.sentences == []
    assert len(settled.bench.inklings.keeping.list_backups(settled.bench.workspace.id)) == 1


@scene(settings_page, prepare=lived_in)
async def test_a_backup_that_is_not_whole_says_so_and_offers_nothing(settled: Settled, /) -> None:
    group = await opened(settled)
    (backup,) = settled.bench.inklings.keeping.list_backups(settled.bench.workspace.id)
    path = settled.bench.inklings.data_dir / "backups" / backup.name
    content = bytearray(path.read_bytes())
    content[8_192:16_384] = bytes(8_192)
    path.write_bytes(content)
    found(group, "backups").compare_wanted.emit(backup.name)
    await until(
        lambda: group.comparing.state is not None and group.comparing.state.problem is not None
    )
    dialog = group.comparing.dialog
    assert dialog is not None
    assert not inside(dialog, "Restore").isVisible()
    group.comparing.leave()


@scene(settings_page, prepare=lived_in)
async def test_everything_of_a_backup_is_restored_once_it_is_meant(settled: Settled, /) -> None:
    group = await opened(settled)
    settled.page.spawn(group.restore(found(group, "backups").rows[0].name))
    await pressed("Restore all of it")
    await until(lambda: bool(settled.said.sentences))
    browse = settled.bench.inklings.listing.browse
    texts = {one.content for one in browse([settled.bench.scope]).entries}
    assert texts == {FIRST, SECOND}


def test_a_backup_is_kept_let_go_and_deleted_from_its_menu(tmp_path: Path) -> None:
    def daily(bench: Bench) -> None:
        bench.put(FIRST)
        bench.inklings.keeping.back_up_changes(bench.workspace.id)

    async def use(settled: Settled) -> None:
        group = await opened(settled)
        name = found(group, "backups").rows[0].name

        def act(words: str) -> QAction:
            actions = group.menu_of(name).actions()
            return next(one for one in actions if one.text() == words)

        act("Keep").trigger()
        await until(lambda: found(group, "backups").rows[0].stays)
        assert found(group, "backups").rows[0].why == "automatically, kept"
        assert "Delete\u2026" in [one.text() for one in group.menu_of(name).actions()]
        act("Keep no longer").trigger()
        await until(lambda: not found(group, "backups").rows[0].stays)
        QTest.keyClick(found(group, "backups"), Qt.Key.Key_Delete)
        await pressed("Delete the backup")
        await until(lambda: not found(group, "backups").rows)

    settings_page(tmp_path, use, prepare=daily)


def test_a_file_is_taken_among_the_backups_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"

    def kept_elsewhere(bench: Bench) -> None:
        bench.put(FIRST)
        made = bench.inklings.keeping.create_backup(bench.workspace.id)
        shutil.move(bench.inklings.data_dir / "backups" / made.name, path)
        bench.put(SECOND)

    async def restore(settled: Settled) -> None:
        group = await opened(settled)
        await group.restore_from_file(path)
        await until(
            lambda: (
                group.comparing.state is not None and group.comparing.state.comparison is not None
            )
        )
        dialog = group.comparing.dialog
        assert dialog is not None
        assert [getattr(one, "badge", "") for one in inside(dialog, "List").rows] == ["only now"]
        group.comparing.leave()
        await until(lambda: [one.why for one in found(group, "backups").rows] == ["from a file"])

    settings_page(tmp_path / "root", restore, prepare=kept_elsewhere)


@scene(settings_page, prepare=lived_in)
async def test_a_check_says_what_it_found_and_when(settled: Settled, /) -> None:
    group = await opened(settled)
    await group.check()
    assert found(group, "checkNow").isEnabled()
    health = group._health
    assert health.report is not None
    assert health.report.is_clean
    assert checked_words(health, group.inklings.clock()).startswith("today ")


def test_health_is_said_in_words_that_name_what_to_do() -> None:
    later = NOON + timedelta(days=1)
    clean = Health(CheckReport(2, 3, 4, 1, ()), later, NOON)
    assert health_words(clean) == ("check-circle", "accent", "no damage found")
    assert checked_words(clean, later) == "today 12:00"
    copied = Health(copied_at=NOON)
    assert health_words(copied)[2] == "no damage found"
    assert checked_words(copied, later) == "14 Mar, 12:00, for the backup"
    assert health_words(Health())[2] == "not looked at yet"
    assert checked_words(Health(), later) == "not yet"
    lost = Finding(FindingKind.PAGES, None, 1)
    assert health_words(Health(CheckReport(2, 3, 4, 1, (lost,)), later))[1] == "madder"
    drifted = Finding(FindingKind.FULL_TEXT, None, 1)
    assert (
        "inklings check --repair"
        in health_words(Health(CheckReport(2, 3, 4, 1, (drifted,)), later))[2]
    )


def test_times_of_this_year_leave_the_year_out() -> None:
    assert made_words(NOON, NOON + timedelta(hours=1)).startswith("today ")
    assert made_words(NOON, NOON + timedelta(days=2)) == "14 Mar, 12:00"
    assert made_words(NOON, NOON + timedelta(days=400)) == "14 Mar 2026, 12:00"


def test_every_reason_has_its_words() -> None:
    words = [reason_words(one) for one in BackupReason]
    assert len(set(words)) == len(words)
    row = backup_row(A_BACKUP, NOON + timedelta(days=1))
    assert row.spoken == "14 Mar, 12:00, automatically, 119 memories, 4.2 MB"
    lame = backup_row(Backup("a/1.db", None, NOON, 10, BackupFault.DAMAGED), NOON)
    assert (lame.holds, lame.can_restore) == ("damaged", False)


def test_the_same_in_both_and_scrubs_since_are_said() -> None:
    scrub = ScrubbedSince(9, NOON, "workspace", WORKSPACE_ID, 14)
    found = Comparison(A_BACKUP, (), 0, 119, 4, (scrub,))
    state = CompareState(A_BACKUP, "Saltglass", NOON + timedelta(days=1), found)

    assert headline(state)[0] == "This backup is the same as today."
    assert head_words(state)[1] == "Saltglass, backup made automatically, 4.2 MB, checked and whole"
    (row,) = compare_rows(state)
    assert (row.text, row.badge) == ("14 entries", "deleted for good since")
    assert "it can\u2019t be restored" in scrub_words(scrub, state.now)[1]

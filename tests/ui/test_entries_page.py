"""What a person does on the Named entries page, and what the page must never do to them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.ui.entries.dialogs import DeletedEntriesDialog, NewEntryDialog
from inklings_desktop.ui.entries.opened import EntryMode, NoticeKind
from inklings_desktop.ui.entries.rows import EntryRow
from inklings_desktop.ui.entries.view import COMPARE, KEEP_MINE, TAKE_THEIRS
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, UnsavedAnswer, UnsavedDialog
from tests.support.scenes import scene
from tests.ui.entries_bench import VOICE, EntriesBench, a_world, drive, stored, typed, written
from tests.ui.presenter_bench import Bench, Heard

pytestmark = pytest.mark.usefixtures("qapp")


def rows(bench: EntriesBench) -> list[EntryRow]:
    return [row for row in bench.view.list.rows if isinstance(row, EntryRow)]


def names(bench: EntriesBench) -> list[str]:
    return [one.name for one in bench.page.content.entries]


@scene(drive, a_world)
async def test_the_page_opens_on_the_first_entry_and_counts(bench: EntriesBench, /) -> None:
    assert bench.view.list.current_id() == bench.entry("VOICE").id
    assert bench.view.editor.text() == VOICE
    assert "How this book sounds" in bench.view.editor.preview.toPlainText()
    bench.page.read_again()
    await bench.page.settled()
    assert bench.counts == (3, "")
    figures = [bench.view.footer.characters, bench.view.footer.words]
    assert [label.text() for label in figures] == ["37 characters", "6 words"]


@scene(drive, a_world)
async def test_typing_shows_at_once_and_saving_stores_it(bench: EntriesBench, /) -> None:
    unsaved: list[bool] = []
    bench.page.told.connect(lambda: unsaved.append(bench.page.has_unsaved))
    typed(bench, "My ")
    assert unsaved == [True]
    await bench.until(lambda: bench.view.footer.characters.text() == "40 characters")
    assert bench.view.footer.save.isEnabled()
    bench.view.footer.save.click()
    await bench.until(lambda: stored(bench, "VOICE") == "My " + VOICE)
    await bench.until(lambda: not bench.page.entry.has_unsaved)
    assert unsaved == [True, False]
    await bench.until(lambda: "My # How" in bench.view.editor.preview.toPlainText())
    await bench.until(lambda: "40 chars" in [row.length_label for row in rows(bench)])


@scene(drive, a_world)
async def test_the_keys_of_the_page_choose_modes_and_save(bench: EntriesBench, /) -> None:
    actions = bench.view.actions_of
    actions.write.trigger()
    assert bench.view.mode is EntryMode.WRITE
    assert not bench.view.editor.preview.isVisible()
    actions.history.trigger()
    assert bench.view.history.isVisible()
    assert not actions.find.isEnabled()
    actions.split.trigger()
    assert bench.view.editor.preview.isVisible()
    typed(bench, "x")
    actions.save.trigger()
    await bench.until(lambda: stored(bench, "VOICE").startswith("x#"))
    bench.view.hide()
    heard = [action for action in actions.all() if action.isEnabled()]
    assert heard == [actions.new]  # which is there in every page
    bench.view.show()


@scene(drive, a_world)
async def test_a_change_from_outside_never_discards_typed_text(bench: EntriesBench, /) -> None:
    typed(bench, "Mine. ")
    entry = bench.entry("VOICE")
    bench.bench.inklings.as_caller(Caller.person("Ada", Door.CLI)).entries.save(
        entry.ref, "Theirs.\n", expected_version=entry.version
    )
    await bench.until(bench.view.notice.isVisible)
    assert bench.view.editor.text() == "Mine. " + VOICE
    keys = [button.property("action") for button in bench.view.notice.buttons()]
    assert keys == [COMPARE, TAKE_THEIRS, KEEP_MINE]
    bench.view.notice.action_requested.emit(COMPARE)
    await bench.until(bench.view.comparison.isVisible)
    bench.view.notice.action_requested.emit(KEEP_MINE)
    await bench.until(lambda: stored(bench, "VOICE") == "Mine. " + VOICE)
    await bench.until(bench.view.editor.isVisible)
    assert not bench.view.notice.isVisible()


@scene(drive, a_world)
async def test_a_change_from_outside_is_shown_where_nothing_was_typed(
    bench: EntriesBench, /
) -> None:
    entry = bench.entry("VOICE")
    bench.bench.inklings.as_caller(Caller.person("Ada", Door.CLI)).entries.save(
        entry.ref, "Theirs.\n", expected_version=entry.version
    )
    await bench.until(lambda: bench.view.editor.text() == "Theirs.\n")
    assert not bench.view.notice.isVisible()
    assert len(bench.shown.revisions) == 3


@scene(drive, a_world)
async def test_leaving_unsaved_text_asks_and_dismissing_stays(bench: EntriesBench, /) -> None:
    typed(bench, "Half a thought")
    bench.view.list.select(bench.entry("CAST").id)
    (await bench.dialog(UnsavedDialog)).reject()
    await bench.until(lambda: bench.view.list.current_id() == bench.entry("VOICE").id)
    assert bench.view.editor.text() == "Half a thought" + VOICE
    bench.view.list.select(bench.entry("CAST").id)
    (await bench.dialog(UnsavedDialog)).done(UnsavedAnswer.SAVE.value)
    await bench.until(lambda: bench.name == "CAST")
    assert stored(bench, "VOICE") == "Half a thought" + VOICE


@scene(drive, a_world)
async def test_leaving_the_page_can_let_go_of_what_was_typed(bench: EntriesBench, /) -> None:
    assert await bench.page.may_leave()
    typed(bench, "Half a thought")
    bench.view.editor.editor.report_rest()
    asked = asyncio.ensure_future(bench.page.may_leave())
    dialog = await bench.dialog(UnsavedDialog)
    discard = dialog.findChild(QPushButton, "unsavedDiscard")
    assert isinstance(discard, QPushButton)
    discard.click()
    assert await asked
    assert bench.view.editor.text() == VOICE
    inklings = bench.bench.inklings
    assert inklings.drafts.find(bench.bench.workspace.id) == ()


@scene(drive, a_world)
async def test_a_new_companion_is_named_by_the_rules_and_opened(bench: EntriesBench, /) -> None:
    bench.page.new_entry()
    dialog = await bench.dialog(NewEntryDialog)
    QTest.keyClicks(dialog.field, "magic system")
    assert dialog.name == "MAGIC_SYSTEM"
    dialog.confirm.click()
    await bench.until(lambda: bench.name == "MAGIC_SYSTEM")
    assert bench.view.list.current_id() == bench.entry("MAGIC_SYSTEM").id
    assert bench.view.editor.editor.placeholderText()


@scene(drive, a_world)
async def test_a_deleted_companion_can_be_taken_back_at_once_or_later(
    bench: EntriesBench, /
) -> None:
    await bench.open("CAST")
    bench.page.delete_entry()
    (await bench.dialog(ConfirmDialog)).confirm.click()
    await bench.until(bench.view.toast.isVisible)
    await bench.until(lambda: names(bench) == ["VOICE", "SOUL"])
    assert bench.view.nothing.isVisible()
    bench.view.toast.undo.click()
    await bench.until(lambda: bench.name == "CAST")
    bench.page.delete_entry()
    (await bench.dialog(ConfirmDialog)).confirm.click()
    await bench.until(bench.view.nothing.isVisible)
    bench.page.restore_deleted()
    dialog = await bench.dialog(DeletedEntriesDialog)
    assert "CAST" in dialog.list.item(0).text()
    dialog.confirm.click()
    await bench.until(lambda: bench.name == "CAST")
    assert stored(bench, "CAST") == "# Cast\n\nNerys.\n"


def test_a_companion_that_is_gone_has_no_other_deleted_in_its_place(tmp_path: Path) -> None:
    """Its menu may stand open while another process deletes it."""

    async def delete(bench: EntriesBench) -> None:
        await bench.open("CAST")
        await bench.page._delete("the one that is gone")
        assert not bench.view.window().findChildren(ConfirmDialog)
        assert stored(bench, "CAST")

    drive(tmp_path, a_world, delete)


@scene(drive, a_world)
async def test_keeping_a_companion_deletes_nothing(bench: EntriesBench, /) -> None:
    await bench.open("CAST")
    bench.page.delete_entry()
    dialog = await bench.dialog(ConfirmDialog)
    assert dialog.keep.isDefault()
    dialog.reject()
    assert stored(bench, "CAST")
    await bench.open("VOICE")
    assert not bench.view.header.delete.isVisible()


@scene(drive, a_world)
async def test_more_than_is_good_for_the_context_is_asked_about_once(
    bench: EntriesBench, /
) -> None:
    bench.view.editor.editor.insertPlainText("Long. " * 1_100)
    await bench.until(bench.view.footer.bar.is_over)
    assert bench.view.list.foot.meter.is_over()
    bench.page.save()
    (await bench.dialog(ConfirmDialog)).reject()
    assert stored(bench, "VOICE") == VOICE
    assert bench.page.entry.has_unsaved
    bench.page.save()
    (await bench.dialog(ConfirmDialog)).confirm.click()
    await bench.until(lambda: not bench.page.entry.has_unsaved)
    assert len(stored(bench, "VOICE")) == len(VOICE) + 6_600, "nothing is cut"
    typed(bench, "Even longer.")
    bench.page.save()
    await bench.until(lambda: not bench.page.entry.has_unsaved)


def test_the_history_compares_restores_and_copies(tmp_path: Path) -> None:
    def two_saves(bench: Bench) -> None:
        a_world(bench)
        written(bench, "VOICE", "Only this.\n")

    async def restore(bench: EntriesBench) -> None:
        bench.view.actions_of.history.trigger()
        await bench.until(bench.view.history.restore.isEnabled)
        assert [row.number for row in bench.page.history.state.rows] == [3, 2, 1]
        QTest.mouseClick(bench.view.history.copy, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == VOICE
        bench.view.history.restore.click()
        await bench.until(lambda: stored(bench, "VOICE") == VOICE)
        await bench.until(lambda: len(bench.page.history.state.rows) == 4)
        bench.view.actions_of.split.trigger()
        assert bench.view.editor.text() == VOICE

    drive(tmp_path, two_saves, restore)


def test_control_and_a_click_choose_the_newer_side(tmp_path: Path) -> None:
    def two_saves(bench: Bench) -> None:
        a_world(bench)
        written(bench, "VOICE", "Only this.\n")

    async def compare(bench: EntriesBench) -> None:
        bench.view.actions_of.history.trigger()
        await bench.page.history.settled()
        table = bench.view.history.table
        place = table.visualRect(table.model().index(2, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await bench.until(lambda: bench.page.history.older == 1)
        place = table.visualRect(table.model().index(1, 0)).center()
        control = Qt.KeyboardModifier.ControlModifier
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, control, place)
        await bench.page.history.settled()
        rows = bench.page.history.state.rows
        assert [(row.is_older, row.is_newer) for row in rows] == [
            (False, False),
            (False, True),
            (True, False),
        ]

    drive(tmp_path, two_saves, compare)


@scene(drive, a_world)
async def test_focus_mode_shows_the_text_alone_until_escape(bench: EntriesBench, /) -> None:
    changed = Heard().to(bench.view.focus_mode_changed)
    bench.view.actions_of.focus.trigger()
    assert changed.payloads == [True]
    assert not bench.view.list.isVisible()
    assert not bench.view.header.isVisible()
    assert not bench.view.editor.preview.isVisible()
    assert bench.view.editor.editor.isVisible()
    QTest.keyClick(bench.view.editor.editor, Qt.Key.Key_Escape)
    assert changed.payloads == [True, False]
    assert bench.view.list.isVisible()
    assert bench.view.editor.preview.isVisible()


@scene(drive, a_world)
async def test_find_and_replace_open_over_the_text(bench: EntriesBench, /) -> None:
    bench.view.actions_of.replace.trigger()
    assert bench.view.editor.find_bar.isVisible()
    QTest.keyClicks(bench.view.editor.find_bar.find_edit, "third")
    await bench.until(lambda: bench.view.editor.find_bar.n_matches() == 1)
    bench.view.editor.find_bar.close_bar()
    bench.view.actions_of.find.trigger()
    assert bench.view.editor.find_bar.isVisible()


ODD = "one\r\ntwo\rthree\n\u2028four\u2029\u200b\t \x0b\x0c\x85\u00a0\U0001f600e\u0301\u202e\n\n "


def test_looking_at_a_text_changes_none_of_its_characters(tmp_path: Path) -> None:
    def odd(bench: Bench) -> None:
        a_world(bench)
        written(bench, "CAST", ODD)

    async def look(bench: EntriesBench) -> None:
        await bench.open("CAST")
        assert bench.view.editor.text() == ODD
        for mode in EntryMode:
            bench.page.show_mode(mode)
        assert await bench.page.may_leave(), "nothing was typed, so nothing is asked"
        bench.page.show_mode(EntryMode.WRITE)
        typed(bench, "x")
        bench.page.save()
        await bench.until(lambda: stored(bench, "CAST") == "x" + ODD)

    drive(tmp_path, odd, look)


@scene(drive, a_world)
async def test_a_template_says_that_the_agent_does_not_read_it(bench: EntriesBench, /) -> None:
    await bench.open("SOUL")
    notice = bench.shown.notice
    assert notice is not None
    assert notice.kind is NoticeKind.TEMPLATE
    assert bench.view.notice.isVisible()
    typed(bench, "Call me Ottoline. ")
    assert not bench.view.notice.isVisible()


@scene(drive, a_world)
async def test_every_button_has_a_name(bench: EntriesBench, /) -> None:
    for mode in EntryMode:
        bench.page.show_mode(mode)
        nameless = [
            button.objectName() or type(button).__name__
            for button in bench.view.findChildren(QAbstractButton)
            if button.isVisible() and not (button.accessibleName() or button.text())
        ]
        assert nameless == []

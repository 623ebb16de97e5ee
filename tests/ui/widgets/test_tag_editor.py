from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.retag_field import RetagField
from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel, TagChip, TagEditor
from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def known() -> KnownTagsModel:
    return KnownTagsModel()


@pytest.fixture
def editor(theme: Theme, known: KnownTagsModel, qtbot: QtBot) -> TagEditor:
    editor = TagEditor(theme, known)
    qtbot.addWidget(editor)
    editor.resize(260, 60)
    editor.set_tags(["timeline", "ch12"])
    editor.show()
    return editor


def chip_of(editor: TagEditor, tag: str) -> TagChip:
    return next(chip for chip in editor.findChildren(TagChip) if chip.tag == tag)


def test_enter_and_comma_add_tags_without_hash_or_double(editor: TagEditor, qtbot: QtBot) -> None:
    QTest.keyClicks(editor.edit, "#yev")
    with qtbot.waitSignal(editor.tags_changed, timeout=1000) as changed:
        QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert changed.args == [("timeline", "ch12", "yev")]
    QTest.keyClicks(editor.edit, "rtl,")
    assert editor.tags() == ("timeline", "ch12", "yev", "rtl")
    with qtbot.assertNotEmitted(editor.tags_changed):
        QTest.keyClicks(editor.edit, "yev,")
        QTest.keyClicks(editor.edit, " ")
        QTest.keyClick(editor.edit, Qt.Key.Key_Return)


def test_backspace_in_the_empty_field_takes_the_last_tag(editor: TagEditor) -> None:
    QTest.keyClick(editor.edit, Qt.Key.Key_Backspace)
    assert editor.tags() == ("timeline",)
    QTest.keyClicks(editor.edit, "ab")
    QTest.keyClick(editor.edit, Qt.Key.Key_Backspace)
    assert editor.tags() == ("timeline",)


def test_the_cross_and_delete_take_a_tag_away(editor: TagEditor, qtbot: QtBot) -> None:
    chip = chip_of(editor, "timeline")
    place = QPoint(chip.width() - 8, chip.height() // 2)
    with qtbot.waitSignal(editor.tags_changed, timeout=1000) as changed:
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert changed.args == [("ch12",)]
    QTest.keyClick(chip_of(editor, "ch12"), Qt.Key.Key_Delete)
    assert editor.tags() == ()


def test_setting_tags_is_silent(editor: TagEditor, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(editor.tags_changed):
        editor.set_tags(["one"])
    assert editor.tags() == ("one",)


def test_known_tags_are_offered_with_their_counts(
    editor: TagEditor, known: KnownTagsModel, qtbot: QtBot
) -> None:
    known.show_tags([("harbour", 4), ("sensory", 2)])
    completer = editor.edit.completer()
    assert completer is not None
    completer.setCompletionPrefix("harb")
    assert completer.currentCompletion() == "harbour"
    assert completer.currentIndex().data() == "harbour  4"
    with qtbot.waitSignal(editor.tags_changed, timeout=1000):
        completer.activated.emit("harbour")
    assert editor.tags()[-1] == "harbour"


def test_read_only_tags_have_no_cross(editor: TagEditor) -> None:
    chip = chip_of(editor, "timeline")
    before = chip.sizeHint().width()
    editor.set_read_only(read_only=True)
    assert chip.sizeHint().width() < before
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    assert "timeline" in editor.tags()
    assert not editor.edit.isVisible()


def test_a_tag_wider_than_the_pane_keeps_its_cross(editor: TagEditor, qtbot: QtBot) -> None:
    tag = "donaudampfschifffahrtsgesellschaftskapitaenswitwenrente-und-mehr"
    editor.set_tags([tag])
    editor.resize(260, 60)
    qtbot.waitUntil(lambda: chip_of(editor, tag).width() == 260)
    chip = chip_of(editor, tag)
    end = QRect(chip.width() - 20, 0, 20, chip.height())
    with_cross = chip.grab(end).toImage()
    chip.set_removable(removable=False)
    assert chip.grab(end).toImage() != with_cross
    chip.set_removable(removable=True)
    place = QPoint(chip.width() - 8, chip.height() // 2)
    with qtbot.waitSignal(editor.tags_changed, timeout=1000) as changed:
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert changed.args == [()]


def test_completion_shows_tags_whole_and_tab_takes_the_first(
    editor: TagEditor, known: KnownTagsModel, qtbot: QtBot
) -> None:
    known.show_tags([("the drowned harbour of the north", 12), ("charts", 3)])
    popup = editor.edit.completer().popup()
    assert popup is not None
    assert popup is not None
    QTest.keyClicks(editor.edit, "harb")
    qtbot.waitUntil(popup.isVisible)
    assert popup.width() >= popup.sizeHintForColumn(0)
    QTest.keyClick(popup, Qt.Key.Key_Tab)
    assert not popup.isVisible()
    assert editor.tags()[-1] == "the drowned harbour of the north"
    assert editor.edit.text() == ""


def test_a_tag_that_comes_later_is_reached_before_the_field(
    theme: Theme, known: KnownTagsModel, qtbot: QtBot
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    before, editor, after = QLineEdit(page), TagEditor(theme, known, page), QLineEdit(page)
    editor.set_tags(["one", "two"])
    editor.set_tags(["three", "four"])
    first, second = (chip_of(editor, tag) for tag in ("three", "four"))
    page.show()
    order = [before, first, second, editor.edit, after]
    reached: list[QWidget | None] = [before]
    while len(reached) < len(order):
        here = reached[-1]
        assert here is not None
        there = here.nextInFocusChain()
        while there is not None and there not in order:
            there = there.nextInFocusChain()
        reached.append(there)
    assert reached == order


def test_enter_takes_the_offered_tag_that_begins_so_and_a_comma_what_was_typed(
    editor: TagEditor, known: KnownTagsModel, qtbot: QtBot
) -> None:
    editor.set_tags([])
    known.show_tags([("harbour", 4)])
    editor.activateWindow()
    editor.edit.setFocus()
    QTest.keyClicks(editor.edit, "Harb")
    popup = editor.edit.completer().popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert editor.tags() == ("harbour",)
    QTest.keyClicks(editor.edit, "harb,")
    assert editor.tags() == ("harbour", "harb")


def test_a_click_beside_the_tags_brings_the_keyboard(
    editor: TagEditor, theme: Theme, known: KnownTagsModel, qtbot: QtBot
) -> None:
    retag = RetagField(theme, known)
    qtbot.addWidget(retag)
    retag.resize(300, 40)
    retag.show()
    for field, edit in ((editor, editor.edit), (retag, retag.edit)):
        edit.clearFocus()
        place = QPoint(field.width() - 6, field.height() - 6)
        QTest.mouseClick(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        assert field.window().focusWidget() is edit

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.writing_text_edit import (
    LEAST_HEIGHT,
    MOST_BYTES,
    MOST_MARKUP,
    GrowingTextEdit,
)


@pytest.fixture
def edit(theme: Theme, qtbot: QtBot) -> GrowingTextEdit:
    edit = GrowingTextEdit(theme)
    qtbot.addWidget(edit)
    edit.resize(352, 84)
    edit.set_room(800)
    edit.show()
    return edit


def test_a_short_text_has_the_least_height(edit: GrowingTextEdit) -> None:
    edit.set_plain_text("The story is set nine years after.")
    assert edit.height() == LEAST_HEIGHT


def test_a_long_text_grows_up_to_two_fifths_of_the_pane(edit: GrowingTextEdit) -> None:
    edit.set_plain_text("word " * 60)
    middle = edit.height()
    edit.set_plain_text("word " * 2000)
    assert LEAST_HEIGHT < middle < edit.height() == 320


def test_a_set_text_counts_as_unmodified_and_cannot_be_undone(
    edit: GrowingTextEdit, qtbot: QtBot
) -> None:
    edit.set_plain_text("First.")
    with qtbot.assertNotEmitted(edit.textChanged):
        edit.set_plain_text("Second.\nTwo lines.")
    assert edit.toPlainText() == "Second.\nTwo lines."
    assert not edit.document().isModified()
    assert not edit.document().isUndoAvailable()


def test_pasted_text_is_plain(edit: GrowingTextEdit) -> None:
    rich = QMimeData()
    rich.setHtml("<b>bold</b><img src='file:///etc/passwd'>")
    rich.setText("bold")
    edit.set_plain_text("")
    edit.insertFromMimeData(rich)
    assert edit.toPlainText() == "bold"
    assert "font-weight" not in edit.toHtml().split("<body")[1].split("bold")[1]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("text/html", b"<p>bold</p><img src='file:///etc/passwd'><script>x</script>"),
        ("text/rtf", rb"{\rtf1\ansi {\fonttbl\f0 Times;}\b bold\b0}"),
        ('application/x-qt-windows-mime;value="Rich Text Format"', rb"{\rtf1 bold}"),
    ],
)
def test_what_was_copied_without_plain_text_is_pasted_by_its_own(
    edit: GrowingTextEdit, kind: str, data: bytes
) -> None:
    rich = QMimeData()
    rich.setData(kind, data)
    assert not rich.hasText()
    edit.set_plain_text("A  word")
    cursor = edit.textCursor()
    cursor.setPosition(2)
    edit.setTextCursor(cursor)
    assert edit.canInsertFromMimeData(rich)
    edit.insertFromMimeData(rich)
    assert edit.toPlainText() == "A bold word"
    edit.undo()
    assert edit.toPlainText() == "A  word"


def test_only_a_text_that_becomes_invalid_is_dressed_anew(
    edit: GrowingTextEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every key says how the text is; each new dress would lay all of it out anew."""
    dressed: list[bool] = []

    def note(_self: GrowingTextEdit) -> None:
        dressed.append(True)

    monkeypatch.setattr(GrowingTextEdit, "_set_face", note)
    for invalid in (False, False, True, True, False):
        edit.set_invalid(invalid=invalid)
        assert edit.property("invalid") == ("true" if invalid else "false")
    assert len(dressed) == 3


def test_what_has_no_text_cannot_be_pasted(edit: GrowingTextEdit) -> None:
    picture = QMimeData()
    picture.setData("image/png", b"x")
    assert not edit.canInsertFromMimeData(picture)


def test_far_more_than_can_be_stored_is_not_pasted(edit: GrowingTextEdit, qtbot: QtBot) -> None:
    copied = QMimeData()
    copied.setText("\u00fc" * (MOST_BYTES // 2 - 1))
    edit.set_plain_text("ab")
    with qtbot.assertNotEmitted(edit.paste_refused):
        edit.insertFromMimeData(copied)
    whole = edit.toPlainText()
    assert len(whole) == MOST_BYTES // 2 + 1
    with qtbot.waitSignal(edit.paste_refused) as refused:
        edit.insertFromMimeData(copied)
    assert refused.args == [2 * MOST_BYTES - 2]
    assert edit.toPlainText() == whole
    edit.selectAll()
    with qtbot.assertNotEmitted(edit.paste_refused):  # it takes the place of what is chosen
        edit.insertFromMimeData(copied)
    assert edit.toPlainText() == copied.text()


@pytest.mark.parametrize("kind", ["text/html", "text/rtf"])
def test_markup_without_end_is_not_even_read(
    edit: GrowingTextEdit, qtbot: QtBot, kind: str
) -> None:
    huge = QMimeData()
    huge.setData(kind, b"<p>" * (MOST_MARKUP // 3 + 1))
    with qtbot.waitSignal(edit.paste_refused) as refused:
        edit.insertFromMimeData(huge)
    assert refused.args is not None
    assert refused.args[0] > MOST_MARKUP


def test_lines_stand_as_far_apart_as_the_design_says(edit: GrowingTextEdit) -> None:
    edit.set_plain_text("one\ntwo\nthree")
    layout = edit.document().documentLayout()
    tops = [
        layout.blockBoundingRect(edit.document().findBlockByNumber(number)).top()
        for number in range(3)
    ]
    assert [later - sooner for sooner, later in itertools.pairwise(tops)] == [25, 25]


def test_an_invalid_text_is_marked(edit: GrowingTextEdit) -> None:
    edit.set_invalid(invalid=True)
    assert edit.property("invalid") == "true"
    edit.set_invalid(invalid=False)
    assert edit.property("invalid") == "false"


def test_larger_type_keeps_an_unmodified_text_unmodified(
    edit: GrowingTextEdit, theme: Theme
) -> None:
    edit.set_plain_text("word " * 60)
    before = edit.height()
    theme.set_text_scale(1.4)
    assert edit.height() > before
    assert not edit.document().isModified()


def test_larger_text_stays_large_after_a_refusal(edit: GrowingTextEdit, theme: Theme) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app)
    try:
        theme.set_text_scale(1.4)
        edit.set_invalid(invalid=True)
        edit.set_invalid(invalid=False)
        wanted = theme.font("editor").pixelSize()
        assert edit.font().pixelSize() == wanted
        assert edit.document().defaultFont().pixelSize() == wanted
    finally:
        theme.set_text_scale(1.0)
        app.setStyleSheet("")

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.diff_view import DiffLayout, DiffView
from tests.support.stopwatch import SLOWNESS, Stopwatch

OLD = "# Title\nShort sentences.\n" + "same\n" * 100 + "last line"
NEW = "# Title\nLong sentences.\n" + "same\n" * 100 + "last line\n"


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> DiffView:
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.show()
    return view


def test_removed_and_added_lines_stand_on_their_grounds(view: DiffView, theme: Theme) -> None:
    view.show_diff(diff_lines(OLD, NEW))
    image = view.viewport().grab().toImage()
    right = view.viewport().width() - 4
    grounds = [image.pixelColor(right, 10 + 25 * row + 12) for row in range(4)]
    assert grounds == [
        theme.color("surface"),
        theme.color("diffDel"),
        theme.color("diffAdd"),
        theme.color("surface"),
    ]


def test_signs_say_what_the_colours_say(view: DiffView, theme: Theme) -> None:
    view.show_diff(diff_lines("gone\nsame\n", "same\n"))
    image = view.viewport().grab().toImage()

    def inked(row: int) -> bool:
        ground = image.pixel(85, 10 + 25 * row + 2)
        return any(
            image.pixel(x, 10 + 25 * row + y) != ground for x in range(86, 97) for y in range(25)
        )

    assert inked(0)
    assert not inked(1)


def test_next_and_previous_go_round_the_changes(view: DiffView, qtbot: QtBot) -> None:
    view.show_diff(diff_lines(OLD, NEW))
    gone_to: list[int] = []
    assert view.n_changes() == 2
    for go in (view.go_to_next_change, view.go_to_next_change, view.go_to_next_change):
        go()
        gone_to.append(view.current_change())
    assert gone_to == [0, 1, 0]
    view.go_to_previous_change()
    assert view.verticalScrollBar().value() > 0
    assert view.current_change() == 1


def test_a_change_can_be_heard(view: DiffView) -> None:
    view.show_diff(diff_lines(OLD, NEW))
    assert view.change_text(0) == "Line 2 removed: Short sentences.. Line 2 added: Long sentences."
    assert view.accessibleDescription() == "2 lines added, 2 lines removed, 2 changes"


def test_keys_scroll(view: DiffView) -> None:
    view.show_diff(diff_lines(OLD, NEW))
    bar = view.verticalScrollBar()
    places = []
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Space,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_Home,
    ):
        QTest.keyClick(view, key)
        places.append(bar.value())
    assert places[0] == 25
    assert places[0] < places[1] < places[2] == bar.maximum()
    assert places[3] < places[2]
    assert places[4] == 0


def test_a_last_line_without_an_end_shows_it(view: DiffView, qtbot: QtBot) -> None:
    plain = DiffView(view._theme)
    qtbot.addWidget(plain)
    plain.resize(600, 500)
    plain.show_diff(diff_lines("one\n", "one\n"))
    view.show_diff(diff_lines("one", "one\n"))
    assert view._text_of(0) == "one \u27e8no line end\u27e9"
    assert view._text_of(1) == "one \u27e8LF\u27e9"
    assert plain._text_of(0) == "one"


def test_wrapping_anew_keeps_the_uppermost_line(view: DiffView) -> None:
    view.show_diff(diff_lines("many words in a line " * 8 + "\n", "x\n" + "many words " * 900))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    view.resize(900, 500)
    assert 0 < bar.value() <= bar.maximum()


def test_nothing_to_show_is_no_trouble(view: DiffView) -> None:
    view.show_diff(diff_lines("", ""))
    view.go_to_next_change()
    assert view.current_change() == -1
    assert not view.grab().isNull()


def test_larger_type_makes_rows_higher(view: DiffView, theme: Theme) -> None:
    view.show_diff(diff_lines(OLD, NEW))
    before = view.verticalScrollBar().maximum()
    theme.set_text_scale(1.4)
    assert view.verticalScrollBar().maximum() > before


def test_two_thousand_lines_open_and_scroll_without_delay(
    view: DiffView, qapp: QApplication
) -> None:
    old = "\n".join(f"The sea does not want anything, said {number}." for number in range(2_000))
    diff = diff_lines(old, old.replace("anything, said 5", "a coin, said 5"))
    watch = Stopwatch()
    view.show_diff(diff)
    qapp.processEvents()
    assert watch.seconds < 0.2 * SLOWNESS
    watch = Stopwatch()
    for _ in range(20):
        QTest.keyClick(view, Qt.Key.Key_PageDown)
        qapp.processEvents()
    assert watch.seconds / 20 < 0.016 * SLOWNESS


@pytest.mark.parametrize(
    ("letters", "room"),
    [("word ", 20_000), ("\u202e", 5_000), ("a\u05e9 ", 5_000), ("\U0001f469\u200d", 5_000)],
    ids=["words", "overrides", "writing that turns round", "joined emoji"],
)
def test_of_a_very_long_line_the_head_is_shown_and_more_when_asked_for(
    letters: str, room: int, view: DiffView
) -> None:
    text = (letters * 50_000)[: 2 * room + 3]
    view.show_diff(diff_lines("", text))
    head = view._text_of(0)

    assert head.startswith(text[:room])
    assert head.removeprefix(text[:room]).startswith(f"\u2026 {room + 3:,} more characters: click")
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert view._text_of(0).startswith(text[: 2 * room] + "\u2026 3 more character")
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view._text_of(0).startswith(text)
    view.show_diff(diff_lines("", text))
    assert view._text_of(0) == head


def test_lines_in_any_writing_that_fit_are_one_line_high(theme: Theme) -> None:
    texts = ["\u05e9\u05dc\u05d5\u05dd", "a\u202eb", "\u9418 bell", "a\u2028b"]
    rows = diff_lines("", "\n".join(texts)).rows
    layout = DiffLayout(rows, texts, theme.font("editor"))
    layout.fit(300, 25)
    assert [layout.top(number) for number in range(5)] == [0, 25, 50, 75, 125]

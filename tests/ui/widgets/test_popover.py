from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.popover import (
    ChecklistPopover,
    CheckOption,
    Popover,
    RangePopover,
)
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.theme import Theme

OPTIONS = [CheckOption(f"s{number}", f"source {number}", str(number)) for number in range(12)]


def test_ticking_tells_all_ticked_keys(theme: Theme, qtbot: QtBot) -> None:
    popover = ChecklistPopover(theme, "Source", OPTIONS[:3])
    qtbot.addWidget(popover)
    boxes = popover.findChildren(CheckBox)
    with qtbot.waitSignal(popover.choice_changed, timeout=1000):
        boxes[2].click()
    with qtbot.waitSignal(popover.choice_changed, timeout=1000) as chosen:
        boxes[0].click()
    assert chosen.args == [("s0", "s2")]


def test_long_lists_can_be_searched(theme: Theme, qtbot: QtBot) -> None:
    popover = ChecklistPopover(theme, "Source", OPTIONS, search_placeholder="Find a source")
    qtbot.addWidget(popover)
    search = popover.findChild(QLineEdit)
    assert search is not None
    search.setText("SOURCE 1")
    shown = [box.text() for box in popover.findChildren(CheckBox) if not box.isHidden()]
    assert shown == ["source 1", "source 10", "source 11"]


def test_of_ten_thousand_values_the_search_finds_any_and_ticks_are_kept(
    theme: Theme, qtbot: QtBot
) -> None:
    options = [CheckOption(f"t{n}", f"#tag {n}", "1", n == 9_000) for n in range(10_000)]
    popover = ChecklistPopover(theme, "Tags", options, search_placeholder="Find")
    qtbot.addWidget(popover)
    boxes = popover.findChildren(CheckBox)
    # Ten thousand boxes kept the window from answering for half a minute.
    assert len(boxes) == 200
    assert [one.key for one in popover.shown_options()[:3]] == ["t9000", "t0", "t1"]
    assert boxes[0].isChecked()
    notes = [one.text() for one in popover.findChildren(QLabel) if not one.isHidden()]
    assert f"{9_800:,} more: type to find them" in notes
    search = popover.findChild(QLineEdit)
    assert search is not None
    search.setText("tag 7654")
    assert [box.text() for box in boxes if not box.isHidden()] == ["#tag 7654"]
    assert not boxes[0].isChecked()
    with qtbot.waitSignal(popover.choice_changed, timeout=1000) as chosen:
        boxes[0].click()
    assert chosen.args == [("t7654", "t9000")]
    search.setText("")
    assert [one.key for one in popover.shown_options()[:2]] == ["t7654", "t9000"]
    assert [box.isChecked() for box in boxes[:3]] == [True, True, False]
    with qtbot.waitSignal(popover.choice_changed, timeout=1000) as chosen:
        boxes[1].click()
    assert chosen.args == [("t7654",)]


def test_short_lists_have_no_search(theme: Theme, qtbot: QtBot) -> None:
    popover = ChecklistPopover(theme, "Source", OPTIONS[:3], search_placeholder="Find")
    qtbot.addWidget(popover)
    assert popover.findChildren(QLineEdit) == []


def test_it_opens_below_its_control_and_says_when_it_closes(theme: Theme, qtbot: QtBot) -> None:
    anchor = QWidget()
    qtbot.addWidget(anchor)
    anchor.setGeometry(100, 100, 80, 26)
    anchor.show()
    popover = ChecklistPopover(theme, "Source", OPTIONS[:3])
    qtbot.addWidget(popover)
    popover.popup_below(anchor)
    assert popover.isVisible()
    assert popover.y() >= 100
    with qtbot.waitSignal(popover.closed, timeout=1000):
        QTest.keyClick(popover, Qt.Key.Key_Escape)


def test_the_range_can_be_narrowed_and_lifted(theme: Theme, qtbot: QtBot) -> None:
    popover = RangePopover(theme, "Importance", (0.0, 1.0), any_label="Any")
    qtbot.addWidget(popover)
    with qtbot.waitSignal(popover.range_changed, timeout=1000) as narrowed:
        popover.slider.set_range(0.5, 1.0)
    assert narrowed.args == [0.5, 1.0]
    lift = popover.findChild(QPushButton)
    assert lift is not None
    with qtbot.waitSignal(popover.range_changed, timeout=1000) as lifted:
        lift.click()
    assert lifted.args == [0.0, 1.0]


def test_a_card_higher_than_the_room_above_its_button_begins_on_the_screen(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    screen = window.screen().availableGeometry()
    window.setGeometry(screen.left(), screen.top(), 400, screen.height())
    window.show()
    anchor = QPushButton("Why", window)
    anchor.move(10, window.height() - 120)
    anchor.show()
    popover = Popover(theme, "Why", window)
    popover.setMinimumHeight(screen.height() - 60)
    popover.popup_below(anchor)
    assert popover.y() >= screen.top() - 7, "its title can be read"
    popover.close()


def test_keys_lead_from_the_search_to_boxes_that_stand_together(theme: Theme, qtbot: QtBot) -> None:
    anchor = QPushButton("Tags")
    qtbot.addWidget(anchor)
    anchor.show()
    popover = ChecklistPopover(theme, "Source", OPTIONS, search_placeholder="Find", parent=anchor)
    popover.popup_below(anchor)
    search = popover.findChild(QLineEdit)
    assert search is not None
    search.setText("source 1 ")
    boxes = [box for box in popover.findChildren(CheckBox) if not box.isHidden()]
    assert [box.text() for box in boxes] == ["source 1", "source 10", "source 11"]
    qtbot.waitUntil(lambda: boxes[1].y() - boxes[0].y() <= boxes[0].height() + 4)
    search.setFocus()
    QTest.keyClick(search, Qt.Key.Key_Down)
    assert boxes[0].hasFocus()
    popover.close()


def test_where_there_is_nothing_to_choose_it_says_so(theme: Theme, qtbot: QtBot) -> None:
    popover = ChecklistPopover(theme, "Tags", [], search_placeholder="Find")
    qtbot.addWidget(popover)
    assert "None yet" in [one.text() for one in popover.findChildren(QLabel)]

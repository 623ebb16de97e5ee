from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.buttons import IconButton, PushButton
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.control_marks import paint_check_box
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import ElidedLabel


def test_icon_buttons_have_a_name_and_room_to_hit(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton(theme, "x", "Clear search", size=14)
    qtbot.addWidget(button)
    assert button.toolTip() == button.accessibleName() == "Clear search"
    assert min(button.width(), button.height()) >= 24
    button.set_icon_name("caret-down", "Next memory")
    assert button.toolTip() == button.accessibleName() == "Next memory"


def test_push_buttons_say_their_kind_to_the_style(theme: Theme, qtbot: QtBot) -> None:
    button = PushButton(theme, "Forget", kind="quietDanger", icon="eraser", small=True)
    qtbot.addWidget(button)
    assert button.property("kind") == "quietDanger"
    assert button.property("small") == "true"
    assert not button.icon().isNull()


def test_a_check_box_is_ticked_by_its_label(theme: Theme, qtbot: QtBot) -> None:
    box = CheckBox(theme, "orchestrator")
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(60, 12))
    assert box.isChecked()
    assert not box.grab().isNull()


def test_check_marks_differ_in_all_three_states(theme: Theme) -> None:
    pictures = []
    for state in Qt.CheckState:
        image = QImage(16, 16, QImage.Format.Format_RGB32)
        image.fill(theme.color("surface"))
        painter = QPainter(image)
        paint_check_box(painter, QRectF(0, 0, 16, 16), theme, state)
        painter.end()
        pictures.append(image)
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]


def test_a_cut_label_shows_the_whole_text_in_its_tool_tip(qtbot: QtBot) -> None:
    label = ElidedLabel("The Saltglass Cartographers and what they measured")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    label.grab()
    assert label.is_elided()
    assert label.text() in label.toolTip()
    label.resize(900, 20)
    label.grab()
    assert label.toolTip() == ""


def test_items_flow_onto_as_many_lines_as_they_need(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    flow = FlowLayout(page, gap=6, line_gap=4)
    boxes = [QWidget(page) for _ in range(3)]
    for box in boxes:
        box.setFixedSize(50, 20)
        flow.addWidget(box)
    assert flow.heightForWidth(170) == 20
    assert flow.heightForWidth(110) == 44
    assert flow.heightForWidth(50) == 68
    flow.setGeometry(QRect(0, 0, 110, 44))
    assert [box.pos() for box in boxes] == [QPoint(0, 0), QPoint(56, 0), QPoint(0, 24)]
    assert flow.count() == 3
    assert flow.itemAt(9) is None
    assert flow.takeAt(9) is None


def test_sentences_can_be_read_aloud(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    announce(page, "6 found")
    announce(page, "Not saved", urgent=True)
    assert page.accessibleName() == ""

"""Check boxes and radio marks grow with the text, and are as designed at text scale 1."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.controls.toggles import CheckBox, PlateFrame, RadioPlate
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.theme import MAX_TEXT_SCALE, MIN_TEXT_SCALE, Theme
from inklings_desktop.ui.memory.acts.bulk_bar import BulkBar
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_memory

SCALES = [(MIN_TEXT_SCALE, 14), (1.0, 16), (1.2, 19), (MAX_TEXT_SCALE, 22)]


def inked(image: QImage, colour: str, within: QRect | None = None) -> QRect:
    """The rectangle around every point of exactly this colour."""
    return _around(image, within or image.rect(), lambda found: found == colour)


def marked(image: QImage, ground: str) -> QRect:
    """The rectangle around every point that is not the ground."""
    return _around(image, image.rect(), lambda found: found != ground)


def _around(image: QImage, area: QRect, counts: Callable[[str], bool]) -> QRect:
    points = [
        QPoint(x, y)
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
        if counts(image.pixelColor(x, y).name())
    ]
    xs, ys = [one.x() for one in points], [one.y() for one in points]
    return QRect(QPoint(min(xs), min(ys)), QPoint(max(xs), max(ys)))


@pytest.mark.parametrize(("scale", "edge"), SCALES)
def test_a_check_box_is_as_large_as_its_words(
    theme: Theme, qtbot: QtBot, scale: float, edge: int
) -> None:
    box = CheckBox(theme, "Vectors too")
    qtbot.addWidget(box)
    box.setChecked(True)
    before = box.sizeHint()
    theme.set_text_scale(scale)
    box.resize(box.sizeHint())
    found = inked(box.grab().toImage(), theme.color("accent").name())
    assert (found.width(), found.height()) == (edge, edge)
    assert abs(found.center().y() - box.rect().center().y()) <= 1
    assert (box.sizeHint().width() > before.width()) == (scale > 1)


@pytest.mark.parametrize(("scale", "edge"), SCALES)
@pytest.mark.parametrize("at", [QPoint(25, -1), QPoint(25, 24)])
def test_a_radio_mark_grows_and_leaves_its_words_alone(
    theme: Theme, qtbot: QtBot, scale: float, edge: int, at: QPoint
) -> None:
    theme.set_text_scale(scale)
    parent = QWidget()
    qtbot.addWidget(parent)
    plate = RadioPlate(theme, "Workspace", frame=PlateFrame.ROW, mark_at=at, parent=parent)
    row = QHBoxLayout(plate)
    row.setContentsMargins(45, 4, 16, 4)
    row.addWidget(QLabel("Workspace", plate))
    plate.setChecked(True)
    plate.resize(240, 64)
    found = marked(plate.grab(QRect(0, 0, 45, 64)).toImage(), theme.color("selected").name())
    # A circle of an odd edge, or around the middle of a point, has a blend at either end.
    assert edge <= found.width() <= edge + 1
    assert edge <= found.height() <= edge + 1
    assert found.right() < 45
    assert abs(found.center().x() - 25) <= 1


@pytest.mark.parametrize(("scale", "edge"), SCALES)
def test_the_boxes_of_the_list_grow_beside_the_stroke(
    theme: Theme, qtbot: QtBot, scale: float, edge: int
) -> None:
    theme.set_text_scale(scale)
    model, delegate = MemoryListModel(), MemoryDelegate(theme)
    table = RowTable(delegate)
    table.setModel(model)
    qtbot.addWidget(table)
    row = a_memory(1)
    model.replace_rows([row])
    model.set_checked({row.id})
    delegate.set_checking(checking=True)
    table.resize(820, 200)
    table.show()
    left_of_stroke = QRect(0, 0, 50, delegate.row_height)
    image = table.viewport().grab().toImage()
    found = inked(image, theme.color("accent").name(), left_of_stroke)
    assert (found.width(), found.height()) == (edge, edge)
    assert found.left() == 17
    middle = {0.9: 27, 1.0: 30, 1.2: 36, 1.4: 42}[scale]  # of the first line of the text
    assert abs(found.center().y() - middle) <= 1
    assert delegate.is_on_box(found.right())


def test_the_box_of_the_bulk_bar_is_never_cut(theme: Theme, qtbot: QtBot) -> None:
    bar = BulkBar(theme)
    qtbot.addWidget(bar)
    for scale, edge in SCALES:
        theme.set_text_scale(scale)
        assert bar.box.width() == edge + 2


def test_the_marks_of_menus_grow(theme: Theme) -> None:
    assert "QMenu::indicator { width: 14px; height: 14px;" in theme.style_sheet()
    theme.set_text_scale(MAX_TEXT_SCALE)
    assert "QMenu::indicator { width: 20px; height: 20px;" in theme.style_sheet()

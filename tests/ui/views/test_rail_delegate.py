from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHeaderView, QTreeView
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.rail.delegate import RailDelegate
from inklings_desktop.ui.rail.model import RailModel, RailPage
from tests.ui.models.test_rail_model import a_rail


class Rail:
    """A rail on show, with what it is made of."""

    def __init__(self, theme: Theme, qtbot: QtBot, *, compact: bool = False) -> None:
        self.model = RailModel()
        self.delegate = RailDelegate(theme)
        self.delegate.set_compact(compact=compact)
        self.tree = QTreeView()
        qtbot.addWidget(self.tree)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self.delegate)
        self.tree.setHeaderHidden(True)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        self.tree.setIndentation(0)
        self.model.replace_rows(a_rail())
        self.tree.expandAll()
        self.tree.resize(56 if compact else 208, 400)
        self.tree.show()

    def height_of(self, row_id: str) -> int:
        return self.tree.visualRect(self.model.index_of(row_id)).height()

    def picture(self) -> QImage:
        return self.tree.viewport().grab().toImage()


def test_rows_have_the_heights_of_the_design(theme: Theme, qtbot: QtBot) -> None:
    rail = Rail(theme, qtbot)
    heights = [rail.height_of(row) for row in ("memory", "channels", "c1", "t1", "settings")]
    assert heights == [32, 38, 27, 26, 44]


def test_the_narrow_rail_shows_pages_and_one_place_for_all_rooms(
    theme: Theme, qtbot: QtBot
) -> None:
    rail = Rail(theme, qtbot, compact=True)
    heights = [rail.height_of(row) for row in ("memory", "channels", "settings")]
    assert heights == [36, 56, 36]  # a rule stands below the rooms
    assert rail.height_of("t1") <= 1


@pytest.mark.parametrize("row_id", ["memory", "c2", "t1"])
def test_the_current_place_has_an_accent_bar(theme: Theme, qtbot: QtBot, row_id: str) -> None:
    rail = Rail(theme, qtbot)
    index = rail.model.index_of(row_id)
    rail.tree.setCurrentIndex(index)
    place = rail.tree.visualRect(index)
    picture = rail.picture()
    assert picture.pixelColor(1, place.center().y()) == theme.color("accent")
    assert picture.pixelColor(place.right() - 3, place.center().y()) == theme.color("selected")


def test_what_waits_behind_a_count_is_a_lozenge_beside_it(theme: Theme, qtbot: QtBot) -> None:
    rail = Rail(theme, qtbot)
    for short_hint, has_lozenge in (("", False), ("3", True)):
        pages = [RailPage("world", "World", "book-open-text", 34, short_hint=short_hint)]
        rail.model.replace_rows(pages)
        picture = rail.picture()
        ochre, rect = theme.color("ochre"), rail.tree.visualRect(rail.model.index_of("world"))
        y = rect.center().y()
        inked = any(picture.pixelColor(x, y) == ochre for x in range(rect.width()))
        assert inked is has_lozenge

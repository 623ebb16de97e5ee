from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QColor, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.veil import Shadow
from inklings_desktop.ui.kit.marks.toast import Toast


class Page(QWidget):
    """Counts how often it is laid out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.n_resized = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.n_resized += 1


@pytest.fixture
def pages(qtbot: QtBot) -> QStackedWidget:
    pages = QStackedWidget()
    qtbot.addWidget(pages)
    pages.resize(800, 600)
    for _ in range(2):
        pages.addWidget(Page(pages))
    pages.show()
    qtbot.waitExposed(pages)
    return pages


def test_a_note_lays_out_no_page_that_is_not_on_show(
    theme: Theme, pages: QStackedWidget, qtbot: QtBot
) -> None:
    seen, unseen = pages.widget(0), pages.widget(1)
    assert isinstance(seen, Page)
    assert isinstance(unseen, Page)
    toast = Toast(theme, seen)
    toast.show_message("Saved")
    qtbot.waitUntil(toast.isVisible)
    pages.repaint()
    assert seen.n_resized > 0
    assert unseen.n_resized == 0
    toast.close_note()


def test_a_shadow_follows_what_casts_it(pages: QStackedWidget) -> None:
    page = pages.widget(0)
    assert page is not None
    card = QWidget(page)
    card.setGeometry(100, 100, 200, 44)
    shadow = Shadow(card, 8)
    card.show()
    assert shadow.isVisible()
    below = QRect(100, 106, 200, 44)
    assert shadow.geometry() == below.adjusted(-24, -24, 24, 24)
    card.move(300, 200)
    assert shadow.geometry().center() == below.center() + QPoint(200, 100)
    card.hide()
    assert not shadow.isVisible()


def test_a_shadow_is_darkest_under_the_card_and_fades_out(pages: QStackedWidget) -> None:
    page = pages.widget(0)
    assert page is not None
    page.setStyleSheet("background: white")
    card = QWidget(page)
    card.setGeometry(100, 100, 200, 44)
    shadow = Shadow(card, 8)
    card.show()
    card.lower()  # so that what lies under it is seen
    shadow.raise_()
    picture = page.grab().toImage()
    lightness = [QColor(picture.pixel(200, y)).lightness() for y in (128, 150, 160, 190)]
    assert lightness == sorted(lightness)
    assert lightness[0] < 210
    assert lightness[-1] == 255


def test_a_screen_reader_finds_no_shadow(pages: QStackedWidget) -> None:
    page = pages.widget(0)
    assert page is not None
    card = QWidget(page)
    card.setAccessibleName("Card")
    Shadow(card, 8)
    card.show()
    told = QAccessible.queryAccessibleInterface(page)
    names = [told.child(n).text(QAccessible.Text.Name) for n in range(told.childCount())]
    assert names == ["Card"]

"""An empty page in little room: cards fold, the drawing goes, nothing is cut off."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState

ACTIONS = tuple(
    EmptyAction(key, title, "What happens next, in about as many words as these.", "pen-nib")
    for key, title in (("write", "Write a memory"), ("import", "Import"), ("open", "Open a world"))
)


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize(("width", "height"), [(820, 760), (564, 460), (440, 420)])
def test_no_card_is_cut_off(
    theme: Theme, qtbot: QtBot, scale: float, width: int, height: int
) -> None:
    theme.set_text_scale(scale)
    page = EmptyState(theme)
    qtbot.addWidget(page)
    page.resize(width, height)
    page.show_state("Nothing is remembered here yet", "It is new.", ACTIONS)
    page.show()
    qtbot.waitUntil(lambda: all(card.height() > 0 for card in page.cards()))
    for card in page.cards():
        assert card.width() <= width - 48
        assert card.height() >= card.heightForWidth(card.width())
    lefts = {card.x() for card in page.cards()}
    is_column = len(lefts) == 1
    assert is_column == (3 * theme.scaled(160) + 24 > width - 48)
    assert page.drawing.isVisible() == (height >= theme.scaled(540))


def test_four_cards_stand_two_by_two_in_the_window_as_it_first_opens(
    theme: Theme, qtbot: QtBot
) -> None:
    page = EmptyState(theme)
    qtbot.addWidget(page)
    page.resize(676, 644)
    actions = (*ACTIONS, EmptyAction("talk", "Talk to it", "Built in, works offline.", "planet"))
    page.show_state("Nothing is remembered here yet", "It is new.", actions)
    page.show()
    qtbot.waitUntil(lambda: all(card.height() > 0 for card in page.cards()))
    lefts = [card.x() for card in page.cards()]
    assert lefts == [lefts[0], lefts[1]] * 2
    assert lefts[0] < lefts[1]
    assert page.drawing.isVisible()
    last = page.cards()[-1]
    assert last.mapTo(page, last.rect().bottomLeft()).y() < page.height()


def test_a_failure_has_no_drawing_however_high_it_stands(theme: Theme, qtbot: QtBot) -> None:
    page = EmptyState(theme)
    qtbot.addWidget(page)
    page.show_state("It cannot be read", "Try again.", ACTIONS[:1], drawn=False)
    page.resize(900, 900)
    page.show()
    assert not page.drawing.isVisible()

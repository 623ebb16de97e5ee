"""The counts beside the tiers, and what of them is on show."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.table.header import MemoryHeader
from tests.ui.test_places import surroundings


def test_an_archived_room_is_no_part_of_its_tiers_count(theme: Theme, qtbot: QtBot) -> None:
    header = MemoryHeader(theme)
    qtbot.addWidget(header)
    here = surroundings()

    def spoken(place: Place) -> str:
        header.show_place(here, place)
        return header.tabs.accessibleTabName(list(Tier).index(Tier.CONVERSATION))

    assert spoken(Place(Tier.CONVERSATION)) == "Conversation, 1 memory"
    assert spoken(Place(Tier.CONVERSATION, "t1")) == "Conversation, 1 of 1 memories"
    assert spoken(Place(Tier.CONVERSATION, "t2")) == "Conversation, 9 memories"

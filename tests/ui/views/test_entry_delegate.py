"""The rows of the named entries list are painted, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.entries.frame import EntryActions
from inklings_desktop.ui.entries.list_pane import EntriesList
from inklings_desktop.ui.entries.rows import (
    ContextShare,
    EntryHeading,
    EntryListRow,
    EntryRow,
)
from inklings_desktop.ui.kit.look.theme import Theme

HEADING = EntryHeading("h1", "This workspace", 3, "tierWorkspace")
VOICE = EntryRow(
    "e1", 1, "VOICE", "How it sounds", "edited 2 h ago", "590 chars", "spoken", is_built_in=True
)
CAST = EntryRow("e2", 1, "CAST", "Cast", "edited 3 d ago", "12 chars", "spoken")


@pytest.fixture
def pane(theme: Theme) -> Iterator[EntriesList]:
    page = QWidget()
    pane = EntriesList(theme, EntryActions(page), page)
    pane.setFixedSize(288, 600)
    page.show()
    yield pane
    page.hide()
    page.deleteLater()


def row_picture(pane: EntriesList, rows: list[EntryListRow], place: int) -> QImage:
    """What the list shows of one row."""
    pane.show_rows(rows)
    rect = pane.table.visualRect(pane.table.model().index(place, 0))
    return pane.table.viewport().grab(rect).toImage()


@pytest.mark.parametrize(
    "row",
    [
        replace(VOICE, is_built_in=False),
        replace(VOICE, n_proposals=2),
        replace(VOICE, state_label="template, not sent"),
        replace(VOICE, state_label="draft not saved", is_urgent=True),
        replace(VOICE, name="A_NAME_OF_FORTY_CHARACTERS_AS_LONG_AS_IT_"),
        replace(VOICE, heading="\u05e9\u05dc\u05d5\u05dd \u6f6e\u306e\u97f3 \U0001f30a " * 9),
    ],
)
def test_everything_a_row_can_say_shows(pane: EntriesList, row: EntryRow) -> None:
    plain = row_picture(pane, [HEADING, VOICE], 1)
    assert plain.height() == 83
    assert row_picture(pane, [HEADING, row], 1) != plain


def test_the_entry_with_unsaved_text_has_a_dot(pane: EntriesList) -> None:
    plain = row_picture(pane, [HEADING, VOICE], 1)
    pane.show_unsaved("e1")
    assert row_picture(pane, [HEADING, VOICE], 1) != plain
    pane.show_unsaved("")
    assert row_picture(pane, [HEADING, VOICE], 1) == plain


def test_the_current_row_stays_current_without_being_announced_again(pane: EntriesList) -> None:
    chosen: list[str] = []
    pane.row_chosen.connect(chosen.append)
    pane.show_rows([HEADING, VOICE, CAST])
    assert pane.select("e2")
    pane.show_rows([EntryHeading("h0", "Before", 4, "tierAccount"), HEADING, VOICE, CAST])
    assert pane.current_id() == "e2"
    assert chosen == ["e2"]
    QTest.keyClick(pane.table, Qt.Key.Key_Up)
    assert chosen == ["e2", "e1"]
    QTest.keyClick(pane.table, Qt.Key.Key_Up)
    assert pane.current_id() == "e1", "headings are passed over"
    pane.select("e2", quietly=True)
    assert (pane.current_id(), chosen) == ("e2", ["e2", "e1"])
    assert not pane.select("elsewhere")
    pane.clear_selection()
    assert pane.current_id() is None
    pane.focus_list()
    assert pane.current_id() == "e1"


def test_the_foot_says_how_much_is_always_read(pane: EntriesList) -> None:
    shares = [
        ContextShare("e1", "VOICE", 590, "tierWorkspace", is_second=False),
        ContextShare("e2", "CAST", 968, "tierWorkspace", is_second=True),
    ]
    pane.foot.show_shares(shares)
    assert pane.foot.figures.text() == "1,558 of 6,000 chars"
    assert pane.foot.meaning.text().startswith("About 390 tokens at every turn.")
    pane.foot.show_shares([replace(shares[0], n_characters=6_001)])
    assert "That is long" in pane.foot.meaning.text()

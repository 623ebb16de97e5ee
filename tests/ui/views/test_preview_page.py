"""The page as a person sees and drives it; no presenter behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.turn.delegate import first_line_left
from inklings_desktop.ui.turn.facts import place_facts, standing_facts
from inklings_desktop.ui.turn.rows import CandidateRow, SectionRow
from inklings_desktop.ui.turn.view import TurnView
from tests.support.builders import a_companion
from tests.ui.presenter_bench import Heard
from tests.ui.preview_scene import VOICE, a_busy_preview, a_document, found, kept, shown

WORKSPACE = "section:workspace"


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> Iterator[TurnView]:
    page = TurnView(theme)
    qtbot.addWidget(page)
    page.resize(1212, 800)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.show_content(a_busy_preview())
    yield page
    page.hide()


def press(page: TurnView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.table, key)


def candidates(page: TurnView) -> list[str]:
    return [row.id for row in page.table.rows if isinstance(row, CandidateRow)]


def test_everything_has_a_name(page: TurnView) -> None:
    assert page.table.accessibleName() == "What the agent will see"
    assert "characters" in page.table.accessibleDescription()
    assert page.message.edit.accessibleName() == "Sample message of the next turn"
    assert page.views.accessibleName() == "How the document is shown"
    assert page.markdown.accessibleName() == "Markdown as sent"
    assert page.budget.meter.accessibleName() == "Budget of the turn"
    assert "Workspace" in page.budget.meter.accessibleDescription()
    assert page.pane.accessibleName() == "Why this memory"
    model = page.table.model()
    texts = [
        model.index(place, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        for place in range(model.rowCount())
    ]
    assert texts[0] == "Named entries, always first"
    assert all(texts)


def test_j_and_k_stop_where_something_can_be_opened_or_explained(page: TurnView) -> None:
    page.focus_list()
    assert page.table.current_id() == VOICE.id
    press(page, Qt.Key.Key_J)
    assert page.table.current_id() == "m30"
    press(page, Qt.Key.Key_J, Qt.Key.Key_J)
    assert page.table.current_id() == WORKSPACE
    press(page, Qt.Key.Key_K)
    assert page.table.current_id() == "m31"


def test_enter_opens_sections_and_entries_in_place_and_memories_elsewhere(
    page: TurnView,
) -> None:
    wanted = Heard().to(page.table.memory_opened)
    page.table.select(WORKSPACE)
    press(page, Qt.Key.Key_Return)
    assert len(candidates(page)) == 2 + 21
    assert page.table.current_id() == WORKSPACE
    press(page, Qt.Key.Key_Left)
    assert len(candidates(page)) == 2 + 2
    press(page, Qt.Key.Key_Right)
    assert len(candidates(page)) == 2 + 21
    page.table.select("m7")
    press(page, Qt.Key.Key_Return)
    assert wanted.payloads == ["m7"]
    page.table.select(VOICE.id)
    press(page, Qt.Key.Key_Space)
    assert [row.id for row in page.table.rows].count(f"body:{VOICE.id}") == 1


def test_clicks_on_a_link_and_on_an_entry_open_them(page: TurnView) -> None:
    table = page.table
    place = next(n for n, row in enumerate(table.rows) if isinstance(row, SectionRow) and row.link)
    rect = table.visualRect(table.model().index(place, 0))
    middle = QPoint(rect.left() + 200, rect.center().y())
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert len(candidates(page)) == 4
    link = QPoint(rect.right() - 40, rect.center().y())
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert len(candidates(page)) == 23


def test_an_opened_entry_is_as_high_as_its_text_at_any_width_and_size(
    page: TurnView, theme: Theme
) -> None:
    long = a_companion("LORE", "The sea does not want anything. " * 60, entry_id="lore")
    page.show_content(shown(a_document(entries=(long,), budget_tokens=2_000)))
    page.table.toggle("lore")
    place = [row.id for row in page.table.rows].index("body:lore")
    wide = page.table.rowHeight(place)
    page.resize(900, 800)
    QApplication.processEvents()
    narrow = page.table.rowHeight(place)
    assert narrow > wide > 100
    theme.set_text_scale(1.4)
    QApplication.processEvents()
    assert page.table.rowHeight(place) > narrow


def test_m_shows_the_exact_markdown_and_goes_back(page: TurnView) -> None:
    page.focus_list()
    press(page, Qt.Key.Key_M)
    assert page.is_markdown
    assert page.markdown.isVisible()
    assert page.markdown.toPlainText() == a_busy_preview().markdown
    assert page.markdown.hasFocus()
    QTest.keyClick(page.markdown, Qt.Key.Key_M)
    assert page.table.isVisible()
    assert page.table.hasFocus()


def test_copy_puts_the_exact_markdown_on_the_clipboard(page: TurnView) -> None:
    page.copy.click()
    assert QGuiApplication.clipboard().text() == a_busy_preview().markdown


def test_an_answer_leaves_selection_opened_sections_and_scroll_alone(page: TurnView) -> None:
    page.table.toggle(WORKSPACE)
    page.table.select("m12")
    bar = page.table.verticalScrollBar()
    before = page.table.visualRect(page.table.currentIndex()).top()
    assert bar.value() > 0
    fresh = a_document(
        [found(kept(99)), *(found(kept(n)) for n in range(21))],
        conversation=[],
        budget_tokens=265,
    )
    page.show_content(shown(fresh))
    assert page.table.current_id() == "m12"
    after = page.table.visualRect(page.table.currentIndex()).top()
    assert after == before


def test_the_pane_says_why_and_offers_to_edit(page: TurnView) -> None:
    document = a_busy_preview().document
    facts = place_facts(document, "m0", DecayConfig())
    assert facts is not None
    page.pane.show_place(facts)
    assert page.pane.badge.text() == "workspace, 1st"
    assert page.pane.quote.text.text() == "Tide note number 0."
    part = page.pane.part
    assert part.order.formula.text().startswith("0.760")
    assert not part.order.formula.isVisible()
    labels = [label.text() for label in part.found.findChildren(QLabel)]
    assert "1st" in labels
    assert "BM25 3.25" in labels
    standing = standing_facts(document, VOICE.id)
    assert standing is not None
    page.pane.show_entry(standing)
    assert page.pane.title.text() == "VOICE"
    assert not page.pane.edit.isVisible()


def test_escape_leads_from_the_reasons_back_to_the_list(page: TurnView) -> None:
    page.table.select("m0")
    page.pane.details.setFocus()
    QTest.keyClick(page.pane.details, Qt.Key.Key_Escape)
    assert page.table.hasFocus()
    assert page.table.current_id() == "m0"


def test_an_empty_document_says_so(page: TurnView) -> None:
    page.show_content(shown(a_document(entries=())))
    assert page.empty.isVisible()
    assert not page.table.isVisible()


def test_too_long_entries_are_told_above_the_list(page: TurnView) -> None:
    assert not page.notice.isVisible()
    long = a_companion("LORE", "word " * 500)
    page.show_content(shown(a_document([found(kept(1))], entries=(long,))))
    assert page.notice.isVisible()
    assert "fill the whole budget" in page.notice.text.text()


def test_the_frame_fits_a_narrow_window(page: TurnView) -> None:
    page.resize(904, 600)
    QApplication.processEvents()
    assert page.width() == 904
    assert page.pane.width() == 340
    assert page.table.width() >= 440


def test_a_first_line_takes_the_room_that_large_type_leaves(theme: Theme) -> None:
    assert first_line_left(theme, 0, 120, 700) == theme.scaled(312), "below one another"
    assert first_line_left(theme, 0, 400, 700) > 400, "a long name is never written over"
    theme.set_text_scale(1.4)
    try:
        assert first_line_left(theme, 0, 134, 545) < 200
        assert first_line_left(theme, 0, 134, 900) == theme.scaled(312)
    finally:
        theme.set_text_scale(1.0)

"""The table of the Event log tab as a person sees and drives it; no presenter behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from inklings_desktop.ui.events.state import (
    EventLogContent,
    EventRequest,
    LogChoice,
    LogEmptiness,
)
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.lists.event_list_model import EventColumn, EventTone
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.words.messages import Message
from tests.ui.presenter_bench import Heard
from tests.ui.views.event_log_scene import DETAIL, FACETS, a_row, rows, some


def picture(view: EventLogView, place: int) -> QImage:
    table = view.table
    rect = table.visualRect(table.model().index(place, 0))
    rect.setWidth(table.viewport().width())
    return table.viewport().grab(rect).toImage()


def test_rows_are_34_high_under_a_header_that_names_the_columns(view: EventLogView) -> None:
    assert view.table.rowHeight(0) == 34
    assert view.table.horizontalHeader().isVisible()
    assert view.table.accessibleName() == "Event log of this workspace"
    assert view.table.accessibleDescription() == "Newest first, 60 events"
    assert view.bar.total.text() == "Newest first, 60 events"


def test_columns_fill_the_table_at_every_width_and_size(view: EventLogView, theme: Theme) -> None:
    header = view.table.horizontalHeader()
    for width in (700, 904, 1052, 1212, 1692):
        for scale in (0.9, 1.0, 1.4):
            theme.set_text_scale(scale)
            view.resize(width, 700)
            QApplication.processEvents()
            total = sum(header.sectionSize(column) for column in EventColumn)
            assert total == view.table.viewport().width(), (width, scale)
            assert header.sectionSize(EventColumn.WHAT) >= 60, (width, scale)


@pytest.mark.parametrize(
    "change",
    [
        {"tone": EventTone.PERMANENT},
        {"tone": EventTone.REFUSED},
        {"actor": "A client with a name that is far too long for its column"},
        {"what": "\u05e9\u05dc\u05d5\u05dd \u6f6e\u306e\u97f3 \U0001f30a " * 30},
        {"age": "7 d ago"},
        {"kind": "named_entry.restored"},
        {"number_text": "1,204,112"},
    ],
)
def test_everything_a_row_can_say_shows(view: EventLogView, change: dict[str, object]) -> None:
    plain = picture(view, 0)
    view.show_content(replace(some(), rows=(a_row(60, **change), *rows(59))))
    assert picture(view, 0) != plain


def test_the_row_under_the_mouse_and_the_one_reached_by_keys_are_marked(
    view: EventLogView,
) -> None:
    plain = picture(view, 2)
    table = view.table
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(2, 3)).center())
    QApplication.processEvents()
    hovered = picture(view, 2)
    assert hovered != plain
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(6, 3)).center())
    QTest.mouseClick(
        table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.visualRect(table.model().index(1, 2)).center(),
    )
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.current_number() == 58
    ringed = picture(view, 2)
    QTest.mouseClick(
        table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.visualRect(table.model().index(2, 2)).center(),
    )
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(6, 3)).center())
    assert ringed != picture(view, 2), "a click takes the ring away"


def test_keys_go_through_the_rows(view: EventLogView) -> None:
    chosen = Heard().to(view.event_chosen)
    view.focus_table()
    assert chosen.last == 60
    for key, number in (
        (Qt.Key.Key_Down, 59),
        (Qt.Key.Key_J, 58),
        (Qt.Key.Key_K, 59),
        (Qt.Key.Key_End, 1),
        (Qt.Key.Key_Up, 2),
        (Qt.Key.Key_Home, 60),
    ):
        QTest.keyClick(view.table, key)
        assert chosen.last == number
    selected = view.table.selectionModel().selectedIndexes()
    assert {index.row() for index in selected} == {0}
    assert len(selected) == len(EventColumn)


def test_slash_and_ctrl_f_lead_to_the_field_and_down_leads_back(view: EventLogView) -> None:
    for keys, modifier in (
        (Qt.Key.Key_Slash, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier),
    ):
        view.focus_table()
        QTest.keyClick(view.table, keys, modifier)
        assert view.bar.search.edit.hasFocus()
        QTest.keyClick(view.bar.search.edit, Qt.Key.Key_Down)
        assert view.table.hasFocus()


def test_ctrl_c_copies_the_row_as_text(view: EventLogView) -> None:
    view.focus_table()
    QTest.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == (
        "60\t8 Mar 2026, 10:42\tmemory.created\torchestrator\t2 memories, #map-room"
    )


def test_there_is_no_verb_that_removes_anything(view: EventLogView) -> None:
    view.show_detail(DETAIL)
    buttons = [*view.findChildren(QPushButton), *view.findChildren(QToolButton)]
    words = " ".join(button.text() + button.toolTip() for button in buttons).casefold()
    for verb in ("delete", "remove", "forget", "erase", "scrub"):
        assert verb not in words
    view.focus_table()
    QTest.keyClick(view.table, Qt.Key.Key_Delete)
    assert len(view.rows) == 60
    assert view.table.contextMenuPolicy() is Qt.ContextMenuPolicy.DefaultContextMenu


# -- new answers ---------------------------------------------------------------------------------


def test_what_is_new_on_top_moves_neither_selection_nor_what_is_read(view: EventLogView) -> None:
    view.table.select(30)
    bar = view.table.verticalScrollBar()
    bar.setValue(600)
    top = view.table.indexAt(QPoint(4, 1)).row()
    chosen = Heard().to(view.event_chosen)
    view.show_content(some(newest=63))
    assert view.table.indexAt(QPoint(4, 1)).row() == top + 3
    assert view.table.current_number() == 30
    assert view.table.selectionModel().isRowSelected(33)
    assert chosen.payloads == []


def test_at_the_top_new_events_come_into_view(view: EventLogView) -> None:
    assert view.table.verticalScrollBar().value() == 0
    view.show_content(some(newest=63))
    assert view.table.verticalScrollBar().value() == 0
    assert view.table.indexAt(QPoint(4, 1)).data() == "63"


def test_one_more_page_is_asked_for_at_the_end_and_put_below(view: EventLogView) -> None:
    asked = Heard()
    view.events.more_requested.connect(lambda: asked.payloads.append(1))
    view.show_content(replace(some(), rows=rows(60, 21), has_more=True))
    view.table.scrollToBottom()
    QApplication.processEvents()
    assert asked.payloads == [1]
    view.show_content(some())
    assert len(view.rows) == 60


def test_a_question_that_hides_the_current_event_lets_go_of_it(view: EventLogView) -> None:
    view.table.select(2)
    view.show_content(replace(some(request=EventRequest(text="x")), rows=rows(60, 50)))
    assert view.table.current_number() is None
    assert view.table.verticalScrollBar().value() == 0


# -- empty and failing ----------------------------------------------------------------------------


def test_an_empty_answer_says_why_and_how_to_go_on(view: EventLogView) -> None:
    asked = Heard().to(view.bar.request_changed)
    request = EventRequest(text="nowhere")
    view.bar.search.set_text("nowhere")
    view.show_content(EventLogContent(request, facets=FACETS, emptiness=LogEmptiness.NO_MATCH))
    assert view.empty.isVisible()
    texts = [label.text() for label in view.empty.findChildren(QLabel)]
    assert any("No events like that" in text for text in texts)
    assert any("Try more dates or types" in text for text in texts)
    (clear,) = view.empty.cards()
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert asked.last == EventRequest()
    assert view.bar.search.text() == ""
    view.show_content(some())
    assert view.table.isVisible()


def test_a_log_that_cannot_be_read_offers_another_try(view: EventLogView) -> None:
    retried = Heard()
    view.retry_requested.connect(lambda: retried.payloads.append(1))
    view.show_content(EventLogContent(EventRequest(), failure=Message("No luck", "Try later.")))
    (again,) = view.empty.cards()
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    assert retried.payloads == [1]


@pytest.mark.parametrize("log", list(LogChoice))
def test_a_log_without_events_says_what_will_stand_there(
    view: EventLogView, log: LogChoice
) -> None:
    content = EventLogContent(EventRequest(log), emptiness=LogEmptiness.NOTHING_YET)
    view.show_content(content)
    assert view.empty.cards() == ()
    texts = " ".join(label.text() for label in view.empty.findChildren(QLabel))
    assert "Nothing is recorded here yet" in texts
    assert ("account memory" in texts) is (log is LogChoice.ACCOUNT)


def test_where_there_is_no_row_the_keyboard_goes_to_the_field(view: EventLogView) -> None:
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    assert view.table.hasFocus()
    view.show_content(EventLogContent(EventRequest(), emptiness=LogEmptiness.NOTHING_YET))
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    assert view.bar.search.edit.hasFocus()

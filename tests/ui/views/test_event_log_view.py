"""The Event log tab as a person sees and drives it; no presenter behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from inklings_desktop.domain.events import EventFacets, EventKind
from inklings_desktop.ui.messages import Message
from inklings_desktop.ui.models.event_list_model import EventColumn, EventRow, EventTone
from inklings_desktop.ui.presenters.event_log_state import (
    ChainState,
    EventDetail,
    EventFact,
    EventLink,
    EventLogContent,
    EventPage,
    EventRequest,
    LogChoice,
    LogEmptiness,
    Period,
)
from inklings_desktop.ui.views.event_log_view import EventLogView
from inklings_desktop.ui.widgets.popover import ChecklistPopover
from tests.ui.presenter_bench import Heard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.theme import Theme

FACETS = EventFacets(
    (("memory.created", 1_200), ("access.denied", 3), ("from.elsewhere", 1)),
    (("orchestrator", 1_203), ("Ada", 1)),
    (("workspace", 1_200), ("channel", 4)),
    1_204,
)
DETAIL = EventDetail(
    LogChoice.WORKSPACE,
    7,
    "Event 7",
    (
        EventFact("Type", "scrub.executed", is_fixed=True),
        EventFact("Scope", "no longer there, 0e8f2a4c", is_gone=True),
    ),
    is_permanent=True,
    summary_title="Manifest summary",
    summary=("tier      channel 143", "named     0 kept"),
    receipt=(EventFact("Receipt code", "9c1f-44d2", is_fixed=True, copies="9c1f44d2" * 8),),
    note="A scrub record is final. It cannot be edited, hidden or scrubbed.",
    links=(EventLink("After this", "Check, 3 minutes later", 8),),
    reference="Saltglass, event 7",
)


def a_row(number: int, **values: object) -> EventRow:
    row = EventRow(
        number,
        f"{number:,}",
        "6 d ago",
        "8 Mar 2026, 10:42",
        "memory.created",
        "orchestrator",
        "2 memories, #map-room",
        f"event {number}",
    )
    return replace(row, **values)  # type: ignore[arg-type]  # fields of the row by name


def rows(newest: int, oldest: int = 1) -> tuple[EventRow, ...]:
    return tuple(a_row(number) for number in range(newest, oldest - 1, -1))


def some(newest: int = 60, request: EventRequest | None = None) -> EventLogContent:
    return EventLogContent(
        request or EventRequest(),
        rows(newest),
        total=f"Newest first, {newest} events",
        facets=FACETS,
    )


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> Iterator[EventLogView]:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app)
    view = EventLogView(theme)
    qtbot.addWidget(view)
    view.resize(1212, 700)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.show_content(some())
    yield view
    view.hide()


def picture(view: EventLogView, place: int) -> QImage:
    table = view.table
    rect = table.visualRect(table.model().index(place, 0))
    rect.setWidth(table.viewport().width())
    return table.viewport().grab(rect).toImage()


# -- table -------------------------------------------------------------------------------------


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
    view.more_requested.connect(lambda: asked.payloads.append(1))
    view.show_content(replace(some(), rows=rows(60, 21), has_more=True))
    view.table.scrollToBottom()
    QApplication.processEvents()
    assert asked.payloads == [1]
    view.append_page(EventPage(rows(20), has_more=False, total="Newest first, 60 events"))
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
    assert any("widen the dates or the type" in text for text in texts)
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


# -- what is asked ---------------------------------------------------------------------------------


def open_list(view: EventLogView) -> ChecklistPopover:
    return next(one for one in view.findChildren(ChecklistPopover) if one.isVisible())


def test_chips_offer_the_values_in_use_with_their_counts(view: EventLogView, qtbot: QtBot) -> None:
    asked = Heard().to(view.bar.request_changed)
    QTest.mouseClick(view.bar.kinds, Qt.MouseButton.LeftButton)
    popover = open_list(view)
    offered = [(option.label, option.count_text) for option, _, _ in popover._boxes]
    assert offered == [("memory.created", "1,200"), ("access.denied", "3")]
    popover._boxes[1][1].click()
    assert asked.last.kinds == frozenset({EventKind.DENIED})
    popover.close()
    QTest.mouseClick(view.bar.tiers, Qt.MouseButton.LeftButton)
    popover = open_list(view)
    popover._boxes[1][1].click()
    popover.close()
    assert asked.last == EventRequest(
        kinds=frozenset({EventKind.DENIED}), tiers=frozenset({"channel"})
    )
    assert view.bar.kinds.value == "access.denied"
    assert view.bar.tiers.value == "Channel"
    assert view.bar.clear_all.isVisible()
    QTest.mouseClick(view.bar.clear_all, Qt.MouseButton.LeftButton)
    assert asked.last == EventRequest()
    assert not view.bar.clear_all.isVisible()


def test_the_period_is_one_of_six(view: EventLogView) -> None:
    asked = Heard().to(view.bar.request_changed)
    menu = view.bar.period_menu()
    assert [action.text() for action in menu.actions()] == [
        "Any time",
        "Last 24 hours",
        "Last 7 days",
        "Last 30 days",
        "Last 60 days",
        "Last 365 days",
    ]
    menu.actions()[4].trigger()
    assert asked.last == EventRequest(period=Period.TWO_MONTHS)
    assert view.bar.period.value == "last 60 days"
    QTest.keyClick(view.bar.period, Qt.Key.Key_Delete)
    assert asked.last == EventRequest()


def test_what_is_typed_is_asked_once_it_rests(view: EventLogView, qtbot: QtBot) -> None:
    asked = Heard().to(view.bar.request_changed)
    QTest.keyClicks(view.bar.search.edit, "48,112 ")
    qtbot.waitUntil(lambda: bool(asked.payloads))
    assert [one.text for one in asked.payloads] == ["48,112"]


def test_typing_survives_an_answer_that_comes_meanwhile(view: EventLogView) -> None:
    QTest.keyClicks(view.bar.search.edit, "half a wo")
    view.show_content(some(newest=61))
    assert view.bar.search.text() == "half a wo"


def test_the_other_log_keeps_what_is_looked_for_and_drops_its_own_values(
    view: EventLogView,
) -> None:
    asked = Heard().to(view.bar.request_changed)
    view.bar.show_request(
        EventRequest(kinds=frozenset({EventKind.DENIED}), period=Period.WEEK, text="dice"),
        FACETS,
    )
    view.bar.log.choose("account")
    assert asked.last == EventRequest(LogChoice.ACCOUNT, period=Period.WEEK, text="dice")


def test_the_chips_get_a_line_of_their_own_where_one_is_too_short(
    view: EventLogView, theme: Theme
) -> None:
    def is_below() -> bool:
        chip = view.bar.kinds.mapTo(view.bar, QPoint(0, 0)).y()
        return chip > view.bar.search.mapTo(view.bar, QPoint(0, 0)).y() + 20

    QApplication.processEvents()
    assert not is_below()
    theme.set_text_scale(1.4)
    view.resize(904, 500)
    QApplication.processEvents()
    assert is_below()
    assert view.bar.total.isVisible()
    theme.set_text_scale(1.0)
    view.resize(1212, 700)
    QApplication.processEvents()
    assert not is_below()


# -- details ---------------------------------------------------------------------------------------


def test_details_stand_beside_the_table_and_can_be_copied(view: EventLogView) -> None:
    assert view.pane.isVisible()
    assert view.pane.width() == 328
    assert not view.pane.copy.isVisible()
    view.show_detail(DETAIL)
    assert view.pane.title.text() == "Event 7"
    assert view.pane.permanent.isVisible()
    texts = [label.text() for label in view.pane.findChildren(QLabel)]
    assert "scrub.executed" in texts
    well = view.pane.findChild(QLabel, "manifestSummary")
    assert isinstance(well, QLabel)
    assert well.accessibleName() == "tier channel 143, named 0 kept"
    QTest.mouseClick(view.pane.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Saltglass, event 7"
    code = view.pane.findChild(QToolButton, "copyCode")
    assert isinstance(code, QToolButton)
    code.click()
    assert QGuiApplication.clipboard().text() == "9c1f44d2" * 8


def test_a_link_leads_to_the_event_that_belongs_to_it(view: EventLogView) -> None:
    wanted = Heard().to(view.pane.link_requested)
    view.show_detail(DETAIL)
    link = view.pane.findChild(QPushButton, "eventLink")
    assert isinstance(link, QPushButton)
    assert link.text() == "Check, 3 minutes later"
    link.click()
    assert wanted.payloads == [8]


def test_hostile_names_stay_plain_text(view: EventLogView) -> None:
    hostile = "<img src='file:///etc/passwd'><b>x</b>"
    view.show_detail(
        replace(DETAIL, facts=(EventFact("Actor", hostile),), summary=(f"source {hostile}",))
    )
    labels = {label.text(): label for label in view.pane.findChildren(QLabel)}
    assert labels[hostile].textFormat() is Qt.TextFormat.PlainText
    well = view.pane.findChild(QLabel, "manifestSummary")
    assert isinstance(well, QLabel)
    assert "&lt;img" in well.text()


def test_where_there_is_little_room_details_lie_over_the_table(view: EventLogView) -> None:
    view.resize(904, 500)
    QApplication.processEvents()
    view.show_detail(DETAIL)
    assert not view.pane.isVisible()
    assert view.table.viewport().width() > 850
    view.focus_table()
    assert not view.pane.isVisible(), "moving alone does not cover the table"
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert view.pane.isVisible()
    assert view.pane.geometry().right() == view.width() - 1
    QTest.keyClick(view.table, Qt.Key.Key_Down)
    assert view.pane.isVisible()
    view.focus_pane()
    assert view.pane.details.hasFocus()
    QTest.keyClick(view.pane.details, Qt.Key.Key_Escape)
    assert not view.pane.isVisible()
    assert view.table.hasFocus()
    place = view.table.visualRect(view.table.model().index(3, 1)).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.pane.isVisible()
    QTest.mouseClick(view.pane.close_button, Qt.MouseButton.LeftButton)
    assert not view.pane.isVisible()
    view.resize(1212, 700)
    QApplication.processEvents()
    assert view.pane.isVisible()
    assert not view.pane.close_button.isVisible()


def test_f6_finds_the_table_and_the_details(view: EventLogView) -> None:
    (table, to_table), (pane, to_pane) = view.panes()
    to_pane()
    assert pane is view.pane
    assert view.pane.details.hasFocus()
    to_table()
    assert table.isAncestorOf(view.table)
    assert view.table.hasFocus()


# -- the chain ----------------------------------------------------------------------------------


def test_the_check_is_asked_for_and_its_verdict_stands_below(view: EventLogView) -> None:
    foot = view.foot
    asked, shown = Heard(), Heard()
    foot.check_requested.connect(lambda: asked.payloads.append(1))
    foot.broken_requested.connect(lambda: shown.payloads.append(1))
    QTest.mouseClick(foot.check, Qt.MouseButton.LeftButton)
    assert asked.payloads == [1]
    foot.show_state(ChainState(is_running=True))
    assert not foot.check.isEnabled()
    assert foot.text.text() == "Reading every log\u2026"
    foot.show_state(ChainState("The chain is whole: 21 events in 2 logs are what was written."))
    assert foot.text.property("textStyle") == "meta"
    assert not foot.show_broken.isVisible()
    foot.show_state(
        ChainState(
            "The log of Saltglass: event 5 is not what was written.",
            is_broken=True,
            broken_number=5,
        )
    )
    assert foot.text.property("textStyle") == "error"
    QTest.mouseClick(foot.show_broken, Qt.MouseButton.LeftButton)
    assert shown.payloads == [1]


@pytest.mark.parametrize("scale", [0.9, 1.4])
def test_another_text_size_and_scheme_are_taken_up(
    view: EventLogView, theme: Theme, scale: float
) -> None:
    view.show_detail(DETAIL)
    theme.set_text_scale(scale)
    QApplication.processEvents()
    assert view.table.rowHeight(0) == round(34 * scale)
    assert view.pane.width() == round(328 * scale)

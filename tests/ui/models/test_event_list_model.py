from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.event_list_model import (
    EventColumn,
    EventListModel,
    EventRow,
    EventTone,
)
from tests.ui.presenter_bench import Heard


def an_event(number: int, *, age: str = "6 d ago") -> EventRow:
    return EventRow(
        number,
        f"{number:,}",
        age,
        "8 Mar 2026, 10:42",
        "scrub.executed",
        "Ottoline Marsh",
        "#first-draft-ideas, full, 143 removed",
        f"event {number}, scrub.executed, permanent record",
        EventTone.PERMANENT,
    )


def cells(model: EventListModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in EventColumn]


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_events_come_and_go(qtmodeltester: Any, *, force_py: bool) -> None:
    model = EventListModel()
    model.replace_rows([an_event(2), an_event(1)], has_more=True)
    qtmodeltester.check(model, force_py=force_py)
    for numbers in ([3, 2, 1], [5, 4, 3, 2, 1], [5], [], [9, 8]):
        model.replace_rows([an_event(number) for number in numbers])
        assert [row.number for row in model.rows] == numbers
    model.replace_rows([an_event(number) for number in (9, 8, 7, 6)], has_more=False)
    assert [row.number for row in model.rows] == [9, 8, 7, 6]


def test_every_column_has_a_name_and_a_cell() -> None:
    model = EventListModel()
    model.replace_rows([an_event(48112)])
    names = [model.headerData(column, Qt.Orientation.Horizontal) for column in EventColumn]
    assert names == ["Event", "When", "Type", "By", "What happened"]
    assert cells(model, 0) == [
        "48,112",
        "6 d ago",
        "scrub.executed",
        "Ottoline Marsh",
        "#first-draft-ideas, full, 143 removed",
    ]
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.columnCount(model.index(0, 0)) == 0


def test_a_row_is_read_aloud_as_a_whole_and_told_exactly_in_tool_tips() -> None:
    model = EventListModel()
    model.replace_rows([an_event(48112)])
    described = model.index(0, EventColumn.WHAT).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert described == "event 48112, scrub.executed, permanent record"
    spoken = model.index(0, EventColumn.WHEN).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "6 d ago"
    tip = model.index(0, EventColumn.WHEN).data(Qt.ItemDataRole.ToolTipRole)
    assert "8 Mar 2026, 10:42" in tip
    assert model.index(0, EventColumn.NUMBER).data(Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(QModelIndex()) is None


def test_markup_in_names_is_shown_as_it_is() -> None:
    model = EventListModel()
    model.replace_rows([replace(an_event(1), actor="<b>Dice</b> Relay")])
    tip = model.index(0, EventColumn.ACTOR).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;Dice&lt;/b&gt; Relay" in tip


def test_what_is_new_on_top_leaves_the_rest_alone(qtbot: QtBot) -> None:
    model = EventListModel()
    rows = [an_event(2), an_event(1)]
    model.replace_rows(rows)
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.assertNotEmitted(model.rowsRemoved),
        qtbot.waitSignal(model.rowsInserted, timeout=1000) as inserted,
    ):
        model.replace_rows([an_event(4), an_event(3), *rows])
    assert inserted.args is not None
    assert inserted.args[1:] == [0, 1]


def test_another_age_is_announced_in_every_column(qtbot: QtBot) -> None:
    model = EventListModel()
    model.replace_rows([an_event(2), an_event(1)])
    with qtbot.waitSignal(model.dataChanged, timeout=1000) as changed:
        model.replace_rows([an_event(2, age="7 d ago"), an_event(1)])
    assert changed.args is not None
    first, last = changed.args[:2]
    assert (first.row(), first.column()) == (0, EventColumn.NUMBER)
    assert (last.row(), last.column()) == (0, EventColumn.WHAT)


def test_a_page_is_asked_for_once() -> None:
    model = EventListModel()
    heard = Heard()
    model.more_requested.connect(lambda: heard.payloads.append(1))
    model.replace_rows([an_event(2)], has_more=True)
    model.fetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert len(heard.payloads) == 1
    model.replace_rows([an_event(2), an_event(1)], has_more=False)
    assert not model.canFetchMore(QModelIndex())


def test_a_row_is_copied_as_text_with_its_exact_time() -> None:
    assert an_event(48112).as_text == (
        "48,112\t8 Mar 2026, 10:42\tscrub.executed\tOttoline Marsh"
        "\t#first-draft-ideas, full, 143 removed"
    )

"""The table of background work as a person and a screen reader meet it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.background.tasks import TaskState
from inklings_desktop.ui.control.task_rows import TaskScene, task_rows
from inklings_desktop.ui.control.task_table import (
    TaskAct,
    TaskColumn,
    TaskRow,
    TasksCard,
    TaskTone,
    WorkFacts,
)
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from inklings_desktop.usecases.background.tasks import TaskSituation
from tests.support.builders import NOON
from tests.ui.fake_clock import BACKFILL, EVERYTHING
from tests.ui.presenter_bench import Heard

SCENE = TaskScene(
    NOON,
    BackgroundConfig(),
    situations=tuple(TaskSituation(one, TaskState(NOON)) for one in EVERYTHING),
    live={},
)
RUNNING = replace(SCENE, live={BACKFILL: TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 6, 16)})


def a_card(theme: Theme, qtbot: QtBot, rows: tuple[TaskRow, ...], width: int = 740) -> TasksCard:
    card = TasksCard(theme)
    qtbot.addWidget(card)
    card.show_work(WorkFacts(rows, is_paused=False, can_pause=True, tiers=frozenset()))
    card.resize(width, card.sizeHint().height())
    card.show()
    card.activateWindow()
    qtbot.waitUntil(card.isActiveWindow)
    return card


def test_every_cell_can_be_read(theme: Theme, qtbot: QtBot) -> None:
    card = a_card(theme, qtbot, task_rows(RUNNING))
    table = card.table
    model = table.model()
    assert table.accessibleName() == "Background work"
    names = [
        model.headerData(column, Qt.Orientation.Horizontal) for column in range(len(TaskColumn))
    ]
    assert names == ["Task", "Runs", "Last run", "Next", ""]
    cells = [model.index(0, column).data() for column in range(len(TaskColumn))]
    assert cells[:4] == [
        "Preparing for search",
        "every 30 min",
        "6 of 16 now",
        "after this run",
    ]
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "running, 6 of 16" in spoken
    assert [table.cell(row.key).button.accessibleName() for row in table.rows[:2]] == [
        "Cancel: Preparing for search",
        "Run now: Consolidate conversation",
    ]


def test_r_does_what_the_button_of_the_current_row_says(theme: Theme, qtbot: QtBot) -> None:
    card = a_card(theme, qtbot, task_rows(SCENE))
    heard = Heard().to(card.table.act_requested)
    card.table.setFocus()
    QTest.keyClick(card.table, Qt.Key.Key_R)
    assert (heard.payloads, card.table.current_key()) == (["backfill"], "backfill")
    heard.payloads.clear()
    QTest.keyClick(card.table, Qt.Key.Key_Down)
    QTest.keyClick(card.table, Qt.Key.Key_R)
    QTest.keyClick(card.table, Qt.Key.Key_J)
    QTest.keyClick(card.table, Qt.Key.Key_Return)
    QTest.keyClick(card.table, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert heard.payloads == ["conversation", "channel"]


def test_a_button_keeps_the_keyboard_when_its_word_changes(theme: Theme, qtbot: QtBot) -> None:
    card = a_card(theme, qtbot, task_rows(SCENE))
    heard = Heard().to(card.table.act_requested)
    button = card.table.cell("backfill").button
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert (heard.payloads, card.table.current_key()) == (["backfill"], "backfill")
    card.show_work(
        WorkFacts(task_rows(RUNNING), is_paused=False, can_pause=True, tiers=frozenset())
    )
    assert button.text() == "Cancel"
    assert QApplication.focusWidget() is button


def test_a_refusal_takes_the_place_of_the_button(theme: Theme, qtbot: QtBot) -> None:
    card = a_card(theme, qtbot, task_rows(replace(SCENE, has_model=False)))
    cell = card.table.cell("backfill")
    assert cell.refusal.isVisible()
    assert cell.refusal.text() == "no model"
    assert not cell.button.isVisible()
    assert card.table.cell("channel").button.isVisible()


def test_the_switch_says_what_it_would_do(theme: Theme, qtbot: QtBot) -> None:
    card = a_card(theme, qtbot, task_rows(SCENE))
    toggled: list[bool] = []
    card.pause.clicked.connect(lambda: toggled.append(True))
    QTest.mouseClick(card.pause, Qt.MouseButton.LeftButton)
    assert (toggled, card.pause.text()) == ([True], "Pause all")
    card.show_work(WorkFacts(task_rows(SCENE), is_paused=True, can_pause=True, tiers=frozenset()))
    assert card.pause.text() == "Resume"
    card.show_work(WorkFacts(task_rows(SCENE), is_paused=False, can_pause=False, tiers=frozenset()))
    assert not card.pause.isVisible()


def test_all_rows_are_on_show_and_nothing_scrolls(theme: Theme, qtbot: QtBot) -> None:
    for width in (600, 740, 1100):
        card = a_card(theme, qtbot, task_rows(RUNNING), width)
        table = card.table
        last = table.visualRect(table.model().index(table.model().rowCount() - 1, TaskColumn.ACT))
        room = table.viewport().rect()
        assert (last.right(), last.bottom()) == (room.right(), room.bottom())
        header = table.horizontalHeader()
        assert header.length() == table.viewport().width()


def test_what_went_wrong_is_cut_last_and_else_when_it_runs(theme: Theme, qtbot: QtBot) -> None:
    rows = tuple(
        replace(
            one,
            last="stopped: another program was writing",
            act=TaskAct.RUN,
            tone=TaskTone.WARNING,
        )
        for one in task_rows(SCENE)
    )
    card = a_card(theme, qtbot, rows, 640)
    header = card.table.horizontalHeader()
    assert header.sectionSize(TaskColumn.LAST) > 1.4 * header.sectionSize(TaskColumn.RUNS)
    calm = tuple(replace(one, tone=TaskTone.PLAIN) for one in rows)
    card.show_work(WorkFacts(calm, is_paused=False, can_pause=True, tiers=frozenset()))
    assert header.sectionSize(TaskColumn.RUNS) == card.table._wanted(TaskColumn.RUNS)

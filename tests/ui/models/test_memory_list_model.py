from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.memory_row_layout import Row
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_heading, a_memory, a_note


def ids(model: MemoryListModel) -> list[str]:
    return [str(model.index(row, 0).data(RowRole.ID)) for row in range(model.rowCount())]


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = MemoryListModel()
    first: list[Row] = [a_heading(), a_memory(1), a_memory(2), a_note(), a_memory(3)]
    steps: list[list[Row]] = [
        first,
        [first[0], a_memory(9), *first[1:]],
        [first[0], a_memory(1, version=2), first[2], first[4]],
        [a_memory(4)],
        [],
        first,
    ]
    model.replace_rows(first)
    # The tester keeps watching the model after this call.
    qtmodeltester.check(model, force_py=force_py)
    for rows in steps:
        model.replace_rows(rows)
        assert ids(model) == [row.id for row in rows]


def test_a_changed_memory_is_announced_alone(qtbot: QtBot) -> None:
    model = MemoryListModel()
    rows = [a_memory(number) for number in range(6)]
    model.replace_rows(rows)
    changed = [*rows[:3], a_memory(3, excerpt="Other words."), *rows[4:]]
    with (
        qtbot.assertNotEmitted(model.rowsInserted),
        qtbot.assertNotEmitted(model.rowsRemoved),
        qtbot.waitSignal(model.dataChanged, timeout=1000) as changes,
    ):
        model.replace_rows(changed)
    assert changes.args is not None
    assert (changes.args[0].row(), changes.args[1].row()) == (3, 3)


def test_selection_survives_a_new_and_a_forgotten_memory() -> None:
    model = MemoryListModel()
    rows = [a_memory(number) for number in range(6)]
    model.replace_rows(rows)
    selection = QItemSelectionModel(model)
    selection.setCurrentIndex(
        model.index_of("m4"), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    kept = QPersistentModelIndex(selection.currentIndex())
    model.replace_rows([a_memory(9), *rows])
    assert kept.data(RowRole.ID) == "m4"
    model.replace_rows([a_memory(9), *rows[:2], *rows[3:]])
    assert kept.data(RowRole.ID) == "m4"
    assert selection.currentIndex().data(RowRole.ID) == "m4"


def test_headings_can_be_read_but_not_chosen() -> None:
    model = MemoryListModel()
    model.replace_rows([a_heading(), a_memory()])
    heading, memory = model.index(0, 0), model.index(1, 0)
    assert model.flags(heading) == Qt.ItemFlag.ItemIsEnabled
    assert model.flags(memory) & Qt.ItemFlag.ItemIsSelectable
    assert heading.data(RowRole.IS_HEADING) is True
    assert memory.data(RowRole.IS_HEADING) is False


def test_rows_say_aloud_what_they_show() -> None:
    model = MemoryListModel()
    model.replace_rows([a_heading(), replace(a_memory(), tooltip="All of it"), a_note()])
    spoken = Qt.ItemDataRole.AccessibleTextRole
    described = Qt.ItemDataRole.AccessibleDescriptionRole
    assert model.index(0, 0).data(spoken) == "March 2026, 1"
    assert model.index(1, 0).data(spoken) == "Memory number 1."
    assert model.index(1, 0).data(described) == "Agent, orchestrator, short-term"
    assert model.index(2, 0).data(spoken) == 'toll = ["knots"]'
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "All of it"
    assert model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole) is None


def test_an_unknown_id_is_nowhere() -> None:
    model = MemoryListModel()
    model.replace_rows([a_memory(1)])
    assert model.index_of("m1").row() == 0
    assert not model.index_of("m2").isValid()
    assert model.row_at(QModelIndex()) is None


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_memories_are_checked_and_rows_change(
    qtmodeltester: Any, *, force_py: bool
) -> None:
    model = MemoryListModel()
    first: list[Row] = [a_heading(), a_memory(1), a_memory(2), a_note(), a_memory(3)]
    model.replace_rows(first)
    watching = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    qtmodeltester.check(model, force_py=force_py)
    checked = Qt.CheckState.Checked

    def boxes() -> list[object]:
        places = [model.index(row, 0) for row in range(model.rowCount())]
        return [place.data(Qt.ItemDataRole.CheckStateRole) for place in places]

    model.set_checked({"m2", "not loaded"})
    assert boxes() == [None, Qt.CheckState.Unchecked, checked, None, Qt.CheckState.Unchecked]
    model.replace_rows([first[0], a_memory(9), first[2], first[4]])
    assert boxes()[2] == checked
    model.replace_rows([first[0], a_memory(9), first[2], first[4], a_memory(7)])
    model.set_checked({"m7", "m9"})
    assert boxes()[1:] == [checked, Qt.CheckState.Unchecked, Qt.CheckState.Unchecked, checked]
    # A list of which only the head is loaded, and a page far down.
    model.show_list(first, n_rows=40, headings={0: first[0]}, far={})
    model.place_rows({30: a_memory(30), 31: a_memory(31)})
    model.set_checked({"m31"})
    assert boxes()[30:33] == [Qt.CheckState.Unchecked, checked, None]
    model.set_checked(set())
    assert boxes() == [None] * 40
    assert watching.model() is model

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.memory_row_layout import Row
from inklings_desktop.ui.kit.lists.row_list_model import MOST_FAR_ROWS, RowRole
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_heading, a_memory


def a_long_list(model: MemoryListModel, n_rows: int = 12) -> None:
    head: list[Row] = [a_heading(), a_memory(1), a_memory(2)]
    headings: dict[int, Row] = {0: a_heading(), 6: a_heading()}
    model.show_list(head, n_rows=n_rows, headings=headings, far={})


def ids(model: MemoryListModel) -> list[str | None]:
    return [model.index(row, 0).data(RowRole.ID) for row in range(model.rowCount())]


@pytest.mark.parametrize("force_py", [False, True])
def test_the_model_is_sound_while_its_tail_fills_and_goes(
    qtmodeltester: Any, *, force_py: bool
) -> None:
    model = MemoryListModel()
    a_long_list(model)
    # The tester keeps watching the model after this call.
    qtmodeltester.check(model, force_py=force_py)
    model.place_rows({9: a_memory(9), 10: a_memory(10)})
    a_long_list(model)
    a_long_list(model, 20)
    model.show_list([a_memory(1)], n_rows=0, headings={}, far={})
    assert ids(model) == ["m1"]
    model.replace_rows([a_memory(1), a_memory(2)])
    assert ids(model) == ["m1", "m2"]
    a_long_list(model)
    model.replace_rows([a_memory(5)])
    assert ids(model) == ["m5"]


def test_a_row_is_awaited_until_it_is_placed(qtbot: QtBot) -> None:
    model = MemoryListModel()
    a_long_list(model)
    heading = a_heading().id
    assert ids(model) == [heading, "m1", "m2", *[None] * 3, heading, *[None] * 5]
    assert [place for place in range(12) if model.is_awaited(place)] == [3, 4, 5, 7, 8, 9, 10, 11]
    assert list(model.heading_places(0, 11)) == [0, 6]
    assert not model.index_of("m9").isValid()
    with qtbot.waitSignal(model.rows_placed) as placed:
        model.place_rows({9: a_memory(9), 2: a_memory(77), 40: a_memory(40)})
    assert placed.args == [9, 9]  # the head stays as it is, and nothing stands beyond the end
    assert model.index_of("m9").row() == 9
    assert ids(model)[2] == "m2"
    model.place_rows({place: a_memory(place) for place in (3, 4, 5)})
    assert ids(model)[:8] == [heading, "m1", "m2", "m3", "m4", "m5", heading, None]
    assert model.rowCount() == 12


def test_rows_far_from_where_one_looks_are_let_go() -> None:
    model = MemoryListModel()
    a_long_list(model, 100_000)
    for start in range(1_000, 1_000 + 2 * MOST_FAR_ROWS, 200):
        model.place_rows({place: a_memory(place) for place in range(start, start + 200)})
    held = [place for place in range(100_000) if not model.is_awaited(place)]
    assert len(held) <= MOST_FAR_ROWS + 4
    assert max(held) == 1_000 + 2 * MOST_FAR_ROWS - 1
    assert model.index_of("m1000").row() == -1

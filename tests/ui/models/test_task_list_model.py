from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.task_table import (
    TaskAct,
    TaskColumn,
    TaskListModel,
    TaskRow,
    TaskTone,
)

BACKFILL = TaskRow(
    "backfill", "Embed memories", None, "every 30 min", "", "not yet", "", "in 30 min", "",
    TaskAct.RUN, "", "Embed memories, not yet",
)  # fmt: skip
CHANNEL = TaskRow(
    "channel", "Consolidate channel", Tier.CHANNEL, "12 new", "", "2 h ago", "", "paused", "",
    TaskAct.NONE, "paused", "Consolidate channel, paused",
)  # fmt: skip


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = TaskListModel()
    running = replace(BACKFILL, tone=TaskTone.RUNNING, share=0.5, act=TaskAct.CANCEL)
    model.replace_rows([BACKFILL, CHANNEL])
    qtmodeltester.check(model, force_py=force_py)
    for rows in ([running, CHANNEL], [CHANNEL], [], [BACKFILL, CHANNEL]):
        model.replace_rows(rows)
        assert [model.row_at(model.index(row, 0)) for row in range(model.rowCount())] == rows


def test_the_cell_of_the_button_has_a_name_for_screen_readers_and_no_text() -> None:
    model = TaskListModel()
    model.replace_rows([BACKFILL, CHANNEL])
    spoken = Qt.ItemDataRole.AccessibleTextRole
    act = [model.index(row, TaskColumn.ACT) for row in range(2)]
    assert [index.data() for index in act] == ["", "paused"]
    assert [index.data(spoken) for index in act] == ["Embed memories", "paused"]

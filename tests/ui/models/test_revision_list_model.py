from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.entries.history_pane import RevisionListModel, RevisionRow


def a_revision(number: int) -> RevisionRow:
    return RevisionRow(
        number, f"{number} Mar 2026, 10:36", "Saved", "author", "Author", "9 chars", "Saved, Author"
    )


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = RevisionListModel()
    model.replace_rows([a_revision(2), a_revision(1)])
    qtmodeltester.check(model, force_py=force_py)
    for numbers in ([3, 2, 1], [3, 2, 1], [], [1]):
        model.replace_rows([a_revision(number) for number in numbers])
        assert [row.number for row in model.rows] == numbers


def test_another_choice_is_announced_without_a_reset(qtbot: QtBot) -> None:
    model = RevisionListModel()
    rows = [a_revision(2), a_revision(1)]
    model.replace_rows(rows)
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignal(model.dataChanged, timeout=1000) as changes,
    ):
        model.replace_rows([rows[0], replace(rows[1], is_older=True)])
    assert changes.args is not None
    assert changes.args[0].row() == 1
    described = model.index(0, 0).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert described == "Saved, Author"

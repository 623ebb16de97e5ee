from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.entries.rows import EntryHeading, EntryListModel, EntryListRow, EntryRow
from inklings_desktop.ui.kit.lists.row_list_model import RowRole

HEADING = EntryHeading("heading:workspace", "This workspace", 3, "tierWorkspace")
VOICE = EntryRow("e1", 1, "VOICE", "How it sounds", "edited 2 h ago", "590 chars", "built in")
CAST = EntryRow("e2", 1, "CAST", "Cast", "edited 3 d ago", "12 chars", "three days old")


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = EntryListModel()
    steps: list[list[EntryListRow]] = [
        [HEADING, VOICE, CAST],
        [replace(HEADING, id="heading:account"), HEADING, VOICE, CAST],
        [HEADING, replace(VOICE, version=2), CAST],
        [],
        [HEADING, VOICE],
    ]
    model.replace_rows(steps[0])
    qtmodeltester.check(model, force_py=force_py)
    for rows in steps:
        model.replace_rows(rows)
        shown = [model.index(row, 0).data(RowRole.ID) for row in range(model.rowCount())]
        assert shown == [row.id for row in rows]


def test_an_entry_that_changed_is_announced_alone(qtbot: QtBot) -> None:
    model = EntryListModel()
    model.replace_rows([HEADING, VOICE, CAST])
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignal(model.dataChanged, timeout=1000) as changes,
    ):
        model.replace_rows([HEADING, VOICE, replace(CAST, version=2)])
    assert changes.args is not None
    assert (changes.args[0].row(), changes.args[1].row()) == (2, 2)


def test_headings_cannot_be_chosen_and_rows_say_what_they_are() -> None:
    model = EntryListModel()
    model.replace_rows([HEADING, VOICE, CAST])
    heading, voice, cast = (model.index(row, 0) for row in range(3))
    assert not model.flags(heading) & Qt.ItemFlag.ItemIsSelectable
    assert model.flags(voice) & Qt.ItemFlag.ItemIsSelectable
    spoken = Qt.ItemDataRole.AccessibleDescriptionRole
    assert [index.data() for index in (heading, voice, cast)] == [
        "This workspace",
        "VOICE",
        "CAST",
    ]
    assert [index.data(spoken) for index in (voice, cast)] == ["built in", "three days old"]
    assert model.index_of("e2") == cast
    assert not model.index_of("elsewhere").isValid()

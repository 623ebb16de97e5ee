from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.turn.rows import (
    BodyRow,
    CandidateRow,
    EntryRow,
    LineKind,
    LineRow,
    PreviewListModel,
    PreviewRow,
    SectionRow,
)

STANDING = SectionRow("standing", "Named entries", "", link="Show all")
VOICE = EntryRow("e1", "VOICE", "How it sounds", "590", Tier.WORKSPACE, "590 characters")
BODY = BodyRow("e1:body", "How it sounds, in full.")
WORKSPACE = SectionRow("workspace", "Workspace", "by relevance", Tier.WORKSPACE)
GULLS = CandidateRow(
    "m1", "1", "You noted", "Gulls keep accounts.", "agent", "agent", ".91", "", True, "", "sent"
)
CUT = LineRow("cut", LineKind.CUT, "The budget ends here")


@pytest.mark.parametrize("force_py", [False, True])
def test_model_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = PreviewListModel()
    steps: list[list[PreviewRow]] = [
        [STANDING, VOICE, WORKSPACE, GULLS],
        [STANDING, replace(VOICE, is_open=True), BODY, WORKSPACE, GULLS, CUT],
        [],
        [WORKSPACE, CUT, GULLS],
    ]
    model.replace_rows(steps[0])
    qtmodeltester.check(model, force_py=force_py)
    for rows in steps:
        model.replace_rows(rows)
        assert [model.row_at(model.index(row, 0)) for row in range(model.rowCount())] == rows


def test_only_what_can_be_opened_or_explained_stops_the_keyboard() -> None:
    model = PreviewListModel()
    rows: list[PreviewRow] = [STANDING, VOICE, BODY, WORKSPACE, GULLS, CUT]
    model.replace_rows(rows)
    selectable = [
        bool(model.flags(model.index(row, 0)) & Qt.ItemFlag.ItemIsSelectable)
        for row in range(len(rows))
    ]
    assert selectable == [True, True, False, False, True, False]

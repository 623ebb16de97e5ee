from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.rail.model import (
    RailChannel,
    RailConversation,
    RailModel,
    RailPage,
    RailRole,
    RailSection,
    RailTop,
)


def a_rail(*, memories: int = 119, open_channel: bool = True) -> tuple[RailTop, ...]:
    talks = (
        RailConversation("t1", "The toll at Wend Gate", "active"),
        RailConversation("t2", "Chapter 11", "idle"),
    )
    return (
        RailPage("memory", "Memory", "stack", memories),
        RailSection(
            "channels",
            "Channels",
            (
                RailChannel("c1", "general", 2),
                RailChannel("c2", "drafting-desk", 7, talks if open_channel else ()),
            ),
        ),
        RailPage("settings", "Settings", "gear-six", key_hint="Ctrl ,"),
    )


def drawing(model: RailModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    parent = parent or QModelIndex()
    lines = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        lines.append("  " * depth + str(index.data()))
        lines.extend(drawing(model, index, depth + 1))
    return lines


@pytest.mark.parametrize("force_py", [False, True])
def test_tree_is_sound_while_rows_change(qtmodeltester: Any, *, force_py: bool) -> None:
    model = RailModel()
    model.replace_rows(a_rail())
    # The tester keeps watching the model after this call.
    qtmodeltester.check(model, force_py=force_py)
    for rows in (
        a_rail(),
        a_rail(memories=3),
        a_rail(open_channel=False),
        (),
        a_rail(),
    ):
        model.replace_rows(rows)
        assert model.rowCount() == len(rows)


def test_tree_reads_from_top_to_bottom() -> None:
    model = RailModel()
    model.replace_rows(a_rail())
    assert drawing(model) == [
        "Memory",
        "Channels",
        "  general",
        "  drafting-desk",
        "    The toll at Wend Gate",
        "    Chapter 11",
        "Settings",
    ]


def test_another_count_is_no_other_tree(qtbot: QtBot) -> None:
    model = RailModel()
    model.replace_rows(a_rail())
    kept = model.index_of("t2")
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignal(model.dataChanged, timeout=1000),
    ):
        model.replace_rows(a_rail(memories=120))
    assert kept.data(RailRole.ID) == "t2"
    row = model.row_at(model.index_of("memory"))
    assert isinstance(row, RailPage)
    assert row.count == 120


def test_the_section_is_passed_over_by_the_arrow_keys() -> None:
    model = RailModel()
    model.replace_rows(a_rail())
    assert model.flags(model.index_of("channels")) == Qt.ItemFlag.ItemIsEnabled
    assert model.flags(model.index_of("c1")) & Qt.ItemFlag.ItemIsSelectable
    assert not model.index_of("nowhere").isValid()

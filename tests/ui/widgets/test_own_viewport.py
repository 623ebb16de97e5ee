"""A viewport that Python made is like the one that Qt makes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QTableView, QTreeView
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.layouts import own_viewport


def facts(area: QAbstractScrollArea) -> dict[str, object]:
    """What can be told of a viewport by its widget."""
    viewport = area.viewport()
    found: dict[str, object] = {one.name: viewport.testAttribute(one) for one in Qt.WidgetAttribute}
    return found | {
        "name": viewport.objectName(),
        "roles": (viewport.backgroundRole(), viewport.foregroundRole()),
        "is_filled": viewport.autoFillBackground(),
        "is_tracked": viewport.hasMouseTracking(),
        "focus": (viewport.focusPolicy(), viewport.focusProxy() is area),
        "place": viewport.geometry(),
        "is_child": viewport.parent() is area,
    }


@pytest.mark.parametrize("kind", [QTableView, QTreeView, QScrollArea])
def test_it_differs_in_nothing(kind: type[QAbstractScrollArea], qtbot: QtBot) -> None:
    areas = [kind(), kind()]
    own_viewport(areas[1])
    for area in areas:
        qtbot.addWidget(area)
        area.setMouseTracking(True)
        area.resize(300, 200)
        area.show()
    theirs, ours = map(facts, areas)
    assert ours == theirs

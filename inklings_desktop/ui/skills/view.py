"""Pieces of the Skills page: its two lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStyle

from inklings_desktop.ui.kit.lists.badge_list import CellList
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.cells import Badge, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.skills.state import (
    AnySkillRow,
    ArtifactRow,
    SkillHeading,
    SkillRow,
    TraceRow,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.cells import Cell
    from inklings_desktop.ui.kit.look.theme import Theme

ROW_PX = 37
"""Height of a file in its list, at the usual size of text."""
_ROW, _HEADING, _SIDE = 76, 28, 20
_FIRST, _SECOND, _THIRD = 18, 40, 60
_KIND, _WHEN, _OF, _COST, _NEAR = 150, 64, 112, 76, 8
TRACE_PX = 34
"""Height of a run in its list, likewise."""


class SkillList(CellList[AnySkillRow]):
    """Skills below the places where they are kept."""

    def __init__(self, theme: Theme, spoken: str, parent: QWidget) -> None:
        painter = CellDelegate(theme, _said, _ROW, _HEADING)
        super().__init__(theme, spoken, _SkillModel(), painter, parent=parent)
        self.setProperty("ground", "surface")


class _SkillModel(RowListModel[AnySkillRow]):
    def __init__(self) -> None:
        super().__init__(
            lambda row: row.id,
            text=lambda row: row.text,
            description=lambda row: row.told if isinstance(row, SkillRow) else row.count,
            tool_tip=lambda row: plain_tool_tip(row.line) if isinstance(row, SkillRow) else None,
        )

    def is_heading(self, row: AnySkillRow) -> bool:
        return isinstance(row, SkillHeading)


def _said(row: AnySkillRow, _state: QStyle.StateFlag) -> Said:
    if isinstance(row, SkillHeading):
        cells = (
            Icon(row.icon, "inkSoft", 15),
            Text(row.text, "inkSoft", "label", gap=8),
            Text(row.count, "inkFaint", px=12, gap=8),
        )
        return Said((Line(cells),), _SIDE, _SIDE, Ground("canvas"), None)
    role = "inkSoft" if row.is_off else "ink"
    lock = (Icon("lock-simple", "inkSoft", 15),) if row.is_locked else ()
    lines = (
        Line((Text(row.text, role, "reading", weight=600),), lock, at=_FIRST),
        Line((Text(row.line, role),), at=_SECOND),
        Line((Text(row.told, "inkSoft", px=12),), at=_THIRD),
    )
    return Said(lines, _SIDE, _SIDE, Ground("surface"))


class ArtifactList(CellList[ArtifactRow]):
    """The files of a skill: what each is for, how it begins, how long it is."""

    def __init__(self, theme: Theme, spoken: str, parent: QWidget) -> None:
        model = RowListModel[ArtifactRow](
            lambda row: row.id,
            text=lambda row: row.text,
            description=lambda row: ", ".join(
                filter(None, (row.gist, row.size, _states().get(row.state)))
            ),
            tool_tip=lambda row: plain_tool_tip(row.id),
        )
        painter = CellDelegate(theme, _artifact_said, ROW_PX)
        super().__init__(theme, spoken, model, painter, parent=parent)
        self.setProperty("ground", "surface")


def _states() -> dict[str, str]:
    return {
        "new": tr("new"),
        "changed": tr("changed"),
        "gone": tr("goes"),
        "same": tr("same"),
        "left": tr("left"),
    }


def _artifact_said(row: ArtifactRow, state: QStyle.StateFlag) -> Said:
    is_current = bool(state & QStyle.StateFlag.State_Selected)
    slot = 0 if row.state else _KIND
    kind = Text(row.text, weight=600 if is_current else None, gap=10, slot=slot)
    word = _states().get(row.state, row.size)
    end: Cell = Text(word, "inkSoft", gap=10)
    if row.state in _BADGES:
        ink, ground = _BADGES[row.state]
        end = Badge(Text(word, ink, "label"), ground, gap=10)
    line = Line((Icon(row.icon, "inkSoft", 16), kind, Text(row.gist, gap=8)), (end,))
    return Said((line,), _SIDE, _SIDE, Ground("surface"))


_BADGES = {
    "new": ("diffAddInk", "diffAdd"),
    "changed": ("graphite", "graphiteSoft"),
    "gone": ("diffDelInk", "diffDel"),
}


class TraceList(CellList[TraceRow]):
    """Runs of a skill: when, of which file, how each ended, how long it took, what it cost."""

    def __init__(self, theme: Theme, spoken: str, parent: QWidget) -> None:
        model = RowListModel[TraceRow](
            lambda row: row.id,
            text=lambda row: f"{row.exact}, {row.artifact}",
            description=lambda row: f"{row.outcome}, {row.took}, {row.cost}",
            tool_tip=lambda row: plain_tool_tip(row.exact),
        )
        painter = CellDelegate(theme, _trace_said, TRACE_PX)
        super().__init__(theme, spoken, model, painter, parent=parent)
        self.setProperty("ground", "canvas")


def _trace_said(row: TraceRow, _state: QStyle.StateFlag) -> Said:
    cells = (
        Text(row.when, "inkSoft", slot=_WHEN),
        Text(row.artifact, slot=_OF),
        Text(row.outcome, "inkSoft" if row.is_good else "madder", gap=8),
    )
    ends = (Text(row.took, "inkSoft"), Text(row.cost, "inkSoft", gap=12, slot=_COST))
    return Said((Line(cells, ends),), _NEAR, 0)

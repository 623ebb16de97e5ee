"""The state of the tour that shows controls, marks and rows in all their states side by side.

Everything on the sheet is the real control or the real delegate, posed; nothing on it acts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QStyle,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from inklings_desktop.domain.memory import Curator
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import CheckBox, Switch
from inklings_desktop.ui.kit.lists.memory_row_layout import (
    CurveNumbers,
    HeadingRow,
    MemoryRow,
    NoteRow,
    curator_mark,
)
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left
from inklings_desktop.ui.kit.marks.badges import Badge
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label
from inklings_desktop.ui.kit.words.memory_facts import curator_label
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.pictures.looks import at_rest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.lists.memory_row_layout import Row
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

_SIZE = QSize(1440, 900)
_MARGIN = 24
_Flag = QStyle.StateFlag
_REST = _Flag.State_Enabled | _Flag.State_Active
_HOVER = _REST | _Flag.State_MouseOver
_PRESSED = _HOVER | _Flag.State_Sunken
_SELECTED = _REST | _Flag.State_Selected
_FOCUSED = _REST | _Flag.State_HasFocus

_PLAIN = MemoryRow(
    id="plain",
    version=1,
    excerpt="Core theme, in her words: \u201cwhat you measure, you owe.\u201d",
    curator="author",
    writer_label="Author",
    source="user",
    lifetime_label="Long-term",
    age_label="read 2 d ago",
    relevance=2.97,
    importance=0.96,
    curve=CurveNumbers(48.0, 3.4, 0.997),
    accessible_description="",
    tags=("theme",),
    access_count=17,
)
_AGENT = replace(
    _PLAIN,
    id="agent",
    excerpt="Smell before sight in every harbour paragraph.",
    curator="agent",
    writer_label="loom",
    source="consolidation",
    tags=("harbour",),
    relevance=0.31,
    importance=0.55,
    curve=CurveNumbers(264.0, 1.15, 0.995),
    access_count=2,
)
_LONG = (
    "Long note kept whole at her request. The harbour of Wend is to be felt before it is seen, "
    "and seen before it is named; on the first visit the reader should have the rope in hand."
)


class _PosedButton(PushButton):
    """A button that always looks as it would in one state."""

    def __init__(self, theme: Theme, text: str, kind: str, pose: QStyle.StateFlag) -> None:
        super().__init__(theme, text, kind=kind, icon="eraser" if kind == "quietDanger" else "")
        self._pose = pose

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the button as if the pointer, or nothing, were on it."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.state = option.state | self._pose
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


class _PosedRows(QWidget):
    """Rows of the memory list, each in its own state."""

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[tuple[Row, QStyle.StateFlag]],
        *,
        compact: bool = False,
        checking: bool = False,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._states = [state for _, state in rows]
        self._model = MemoryListModel(self)
        self._model.replace_rows([row for row, _ in rows])
        self._model.set_checked({row.id for row, state in rows if checking and state == _SELECTED})
        self._delegate = MemoryDelegate(theme, compact=compact, parent=self)
        self._delegate.set_ring(shown=True)
        self._delegate.set_checking(checking=checking)
        self._heights = [
            self._delegate.sizeHint(QStyleOptionViewItem(), self._model.index(place, 0)).height()
            for place in range(self._model.rowCount())
        ]
        self.setFixedHeight(sum(self._heights))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Lets the delegate paint every row."""
        painter = QPainter(self)
        top = 0
        for place, (height, state) in enumerate(zip(self._heights, self._states, strict=True)):
            option = QStyleOptionViewItem()
            option.rect = QRect(0, top, self.width(), height)
            option.state = state
            self._delegate.paint(painter, option, self._model.index(place, 0))
            top += height
        painter.end()


class ComponentSheet(QDialog):
    """Controls and rows of the Memory page in all their states."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self.setWindowTitle(self.tr("Components"))
        self.setFixedSize(_SIZE.boundedTo(window.size()))
        self.move(window.mapToGlobal(window.rect().topLeft()))
        columns = hbox(self, margins=(_MARGIN, 16, _MARGIN, 0), spacing=_MARGIN)
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for column in (self._left, self._right):
            column.setSpacing(8)
            columns.addLayout(column, 1)
        self._add_buttons()
        self._add_fields()
        self._add_marks()
        self._add_rows()
        for column in (self._left, self._right):
            column.addStretch(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the ground of a page."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("canvas"))
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _add_line(self, title: str, parts: Sequence[QWidget]) -> None:
        if title:
            self._left.addWidget(plain_label(title, "label", self))
        line = hbox(None, *parts, STRETCH, spacing=8)
        self._left.addLayout(line)

    def _add_buttons(self) -> None:
        theme = self._theme
        off = PushButton(theme, "Save", kind="primary", parent=self)
        off.setEnabled(False)
        poses = (_REST, _HOVER, _PRESSED)
        self._add_line(
            self.tr("Buttons: rest, hover, pressed, disabled"),
            [
                *(_PosedButton(theme, "Save", "primary", pose) for pose in poses),
                off,
                *(_PosedButton(theme, "Revert", "plain", pose) for pose in poses),
            ],
        )
        self._add_line(
            "",
            [
                *(_PosedButton(theme, "Forget 43", "dangerOutline", pose) for pose in poses),
                *(_PosedButton(theme, "Forget", "quietDanger", pose) for pose in poses[:2]),
                *(_PosedButton(theme, "Copy", "quiet", pose) for pose in poses[:2]),
            ],
        )

    def _add_fields(self) -> None:
        theme = self._theme
        fields = []
        for text in ("Rest", "Invalid", "Disabled", "Read-only"):
            field = QLineEdit(text, self)
            field.setFixedWidth(104)
            field.setAccessibleName(text)
            fields.append(field)
        fields[1].setProperty("invalid", "true")
        fields[2].setEnabled(False)
        fields[3].setReadOnly(True)
        modes = [Segment("hybrid", "Hybrid", "intersect"), Segment("keyword", "Keyword")]
        mode = SegmentedSwitch(theme, modes, "Mode", parent=self)
        self._add_line(self.tr("Fields, filter chips, switches"), [*fields, mode])
        chips = [FilterChip(theme, "Source", parent=self) for _ in range(3)]
        chips[1].set_value("user")
        chips[2].setEnabled(False)
        toggle = FilterChip(theme, "No embedding", icon="circle-dashed", toggles=True, parent=self)
        on = FilterChip(theme, "No embedding", icon="circle-dashed", toggles=True, parent=self)
        on.set_on(on=True)
        switches = [Switch(theme, "Switch", self) for _ in range(2)]
        switches[1].show_on(on=True)
        self._add_line("", [*chips, toggle, on, *switches])

    def _add_marks(self) -> None:
        theme = self._theme
        boxes = [CheckBox(theme, "", self) for _ in range(3)]
        for box, state in zip(boxes, Qt.CheckState, strict=True):
            box.setTristate(True)
            box.setCheckState(state)
            box.setAccessibleName("Box")
        tiers = [
            TierMark(theme, inked=n, role=role, parent=self) for n, role in TIER_MARKS.values()
        ]
        curators = []
        for curator in Curator:
            mark = curator_mark(curator.value, curator_label(curator))
            label = IconLabel(theme, parent=self)
            label.show_mark(mark.icon, mark.role, mark.text, inked=True)
            curators.append(label)
        note = Badge(theme, "Working Note", "notepad", parent=self)
        self._add_line(self.tr("Badges and marks"), [*boxes, *tiers, *curators, note])
        self._left.addSpacing(8)

    def _add_rows(self) -> None:
        hebrew = (
            "\u05d4\u05e2\u05e8\u05ea \u05e7\u05d5\u05e8\u05d0\u05ea: "
            "\u05d4\u05d2\u05d9\u05d1\u05d5\u05e8."
        )
        cjk = "\u6d77\u56f3\u306f\u89aa\u6307\u3067\u8aad\u3080\u3002 \U0001f9ed\u26f5 \ud574\ub3c4"
        hidden = "A plain\u200b name\u202e, or so\u202c it seems\U000e0041."
        rows: list[tuple[Row, QStyle.StateFlag]] = [
            (HeadingRow("h", "Memory row", "in every state", captions=True), _REST),
            (replace(_PLAIN, id="rest", highlights=((0, 4),)), _REST),
            (replace(_AGENT, id="hover", relevance=0.11), _HOVER),
            (replace(_AGENT, id="selected", check_source=True), _SELECTED),
            (replace(_AGENT, id="focus", relevance=0.004, has_embedding=False), _FOCUSED),
            (NoteRow("note", "left_right_words", '{"found": 11}', "written 6 min ago"), _REST),
            (
                replace(_PLAIN, id="rtl", excerpt=hebrew, rtl=reads_right_to_left(hebrew)),
                _REST,
            ),
            (
                replace(
                    _PLAIN,
                    id="cjk",
                    excerpt=cjk,
                    curator="import",
                    writer_label="Import",
                    source="import",
                ),
                _REST,
            ),
        ]
        compact: list[tuple[Row, QStyle.StateFlag]] = [
            (replace(_AGENT, id="long", excerpt=_LONG, derivation_count=2), _REST),
            (replace(_PLAIN, id="pinned", pinned=True, locked=True), _REST),
            (replace(_AGENT, id="paused", paused=True), _REST),
            (replace(_PLAIN, id="hidden", excerpt=hidden), _REST),
            (
                replace(_AGENT, id="gone", forgotten=True, forgotten_label="forgotten 2 d ago"),
                _REST,
            ),
        ]
        checked: list[tuple[Row, QStyle.StateFlag]] = [
            (replace(_AGENT, id="checked"), _SELECTED),
            (replace(_PLAIN, id="unchecked"), _REST),
        ]
        theme = self._theme
        self._right.addWidget(_PosedRows(theme, rows, parent=self))
        self._left.addWidget(_PosedRows(theme, compact, compact=True, parent=self))
        self._left.addWidget(_PosedRows(theme, checked, compact=True, checking=True, parent=self))


async def show_components(memory: MemoryPage, window: MainWindow) -> None:
    """The sheet of components over the window."""
    await at_rest(memory, window)
    ComponentSheet(window.page.theme, window).show()

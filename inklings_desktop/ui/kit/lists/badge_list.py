"""Lists of two lines with a badge, of which one row is current."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPointF,
    Signal,
    Slot,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.cell_rows import CellDelegate
from inklings_desktop.ui.kit.lists.memory_row_layout import lay_excerpt
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel, RowRole
from inklings_desktop.ui.kit.lists.row_table import WHOLE_ROW, RowTable
from inklings_desktop.ui.kit.look.cells import (
    Badge,
    Cell,
    Check,
    Icon,
    Line,
    Rings,
    Said,
    Text,
)
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.mirror import upright
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QKeyEvent, QPainter
    from PySide6.QtWidgets import QStyle, QWidget

    from inklings_desktop.ui.kit.look.theme import Theme


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class BadgeHeading:
    """A line that is only read, above a group of rows or, with an icon, in their place.

    Attributes:
        detail: How many rows there are, or what became of this one.
    """

    id: str
    text: str
    detail: str = ""
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class BadgeRow:
    """One row; every text is final.

    Attributes:
        id: Names it within the list.
        text: First line.
        meta: Second line.
        badge: One or two words at the right; empty for none.
        role: Colour role of the badge; its ground is the soft one of the same name.
        meta_role: Colour role of the second line.
        is_remembered: Whether the first line is text of a memory, in the reading face.
        description: Read aloud after the first line.
        rings: Of a tier before the second line: how many are inked, and in which role.
        glyph: Icon before the second line; empty for none.
        end: At the right of the second line.
        is_checked: Whether its box is; None for no box.
    """

    id: str
    text: str
    meta: str
    badge: str = ""
    role: str = "graphite"
    meta_role: str = "inkSoft"
    is_remembered: bool = True
    description: str = ""
    rings: tuple[int, str] | None = None
    glyph: str = ""
    end: str = ""
    is_checked: bool | None = None


AnyBadgeRow = BadgeHeading | BadgeRow


class BadgeListModel(RowListModel[AnyBadgeRow]):
    """Headings and rows in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(attrgetter("id"), parent, text=_text, description=_description)

    def is_heading(self, row: AnyBadgeRow) -> bool:
        return isinstance(row, BadgeHeading)


def _text(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return f"{row.text}, {row.detail}" if row.detail else row.text
    return row.text


def _description(row: AnyBadgeRow) -> str:
    if isinstance(row, BadgeHeading):
        return row.detail
    checked = tr("checked") if row.is_checked else ""
    said = row.description, checked, row.badge, row.meta, row.end
    return ", ".join(part for part in (said[:2] if row.description else said) if part)


_RIGHT = 14
_FIRST, _SECOND, _HEADING, _BOX = 19.0, 39.0, 15.0, 10
_ROW_HEIGHT, _HEADING_HEIGHT = 56, 30
_TALL_FIRST, _TALL_SECOND, _TALL, _STEP, _PX = 33.0, 69.0, 88, 22, 15


@dataclass(frozen=True, slots=True)
class _TwoLines(Cell):
    """Text of a memory on up to two lines, about their middle."""

    text: str

    def width(self, theme: Theme) -> float:  # noqa: ARG002 - it takes the room that is left
        return 0

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        step = theme.scaled(_STEP)
        font = theme.font("reading", px=_PX)
        is_rtl = reads_right_to_left(self.text)
        laid = lay_excerpt(
            self.text, font=font, line_px=step, width=room.width(), max_lines=2, rtl=is_rtl
        )
        place = QPointF(room.left(), room.top() - laid.n_lines * step / 2)
        painter.setPen(theme.color("ink"))
        with upright(painter, room.center().x()):
            laid.layout.draw(painter, place)
        return room.right()


def _said(left: int, is_tall: bool, row: AnyBadgeRow, _state: QStyle.StateFlag) -> Said:  # noqa: FBT001 - part of a delegate
    if isinstance(row, BadgeHeading) and not row.glyph:
        words = Text(row.text, "inkSoft", "label")
        detail = Text(row.detail, "inkFaint", px=12, gap=8)
        return Said((Line((words, detail), at=_HEADING),), left, 0, Ground("canvas"), None)
    if isinstance(row, BadgeHeading):
        cells = Icon(row.glyph, "accent"), Text(row.text, "inkSoft", "reading", px=13, gap=8)
        ends = (Text(row.detail, "inkSoft", px=12, gap=8),)
        return Said((Line(cells, ends, at=_HEADING),), left, _RIGHT, hovered=None)
    face = "reading" if row.is_remembered else "body"
    gap = 0 if row.is_checked is None else _BOX
    text = Text(row.text, style=face, px=14, is_read=True, gap=gap)
    marks: list[Cell] = [] if row.rings is None else [Rings(*row.rings)]
    marks += [Icon(row.glyph, gap=8 if marks else 0)] if row.glyph else []
    meta = Text(row.meta, row.meta_role, px=12, is_read=True, gap=8 if marks else 0)
    end = (Text(row.end, "inkSoft", px=12, gap=8),) if row.end else ()
    badge = Badge(Text(row.badge, row.role, "label"), f"{row.role}Soft", gap=10)
    ends = (*end, badge) if row.badge else end
    box = () if row.is_checked is None else (Check(row.is_checked),)
    first = (*box, _TwoLines(row.text, gap=gap) if is_tall else text)
    lines = (
        Line(first, at=_TALL_FIRST if is_tall else _FIRST),
        Line((*marks, meta), ends, at=_TALL_SECOND if is_tall else _SECOND),
    )
    return Said(lines, left, _RIGHT)


class CellList(RowTable, Generic[R]):
    """Shows rows and says which one became current, and which letter was pressed on it.

    Signals:
        row_chosen: Id of the row that became current.
        letter_pressed: A single letter, in upper case, that was pressed on a row.
    """

    row_chosen = Signal(str)
    letter_pressed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        name: str,
        model: RowListModel[R],
        painter: CellDelegate[R],
        *,
        letters: str = "",
        parent: QWidget,
    ) -> None:
        """Build the list.

        Args:
            name: Read aloud for it.
            model: Its rows, told apart by their ids.
            painter: What they say.
            letters: Upper-case letters that act on the current row.
        """
        super().__init__(painter, parent=parent)
        self._letters = letters
        self._list_model = model
        model.setParent(self)
        self.setAccessibleName(name)
        self.setFrameShape(RowTable.Shape.NoFrame)
        self.setModel(model)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        theme.changed.connect(self.refresh_heights)

    @property
    def rows(self) -> tuple[R, ...]:
        """What is on show, top to bottom."""
        return self._list_model.rows

    def show_rows(self, rows: Sequence[R], current: str) -> None:
        """Show other rows; the one with this id becomes current, without a word."""
        if tuple(rows) == self._list_model.rows and current == self.current_id():
            return
        with self.unmoved():
            self._list_model.replace_rows(rows)
            if self._painter.fits_rows:
                self.refresh_heights()
            index = self._list_model.index_of(current)
            is_other = index != self.currentIndex()
            self.selectionModel().setCurrentIndex(index, WHOLE_ROW)
        if is_other and index.isValid():
            self.scrollTo(index)

    def show_said(self, said: tuple[Sequence[R], str]) -> None:
        """The same of both together, as a view says them."""
        self.show_rows(*said)

    def current_id(self) -> str:
        """Id of the current row; empty for none."""
        return self._id_at(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hears its letters; everything else is the table's own."""
        letter = event.text().upper()
        if letter and letter in self._letters and not event.modifiers() and self.current_id():
            self.letter_pressed.emit(letter)
            return
        super().keyPressEvent(event)

    def _id_at(self, index: QModelIndex) -> str:
        return "" if index.data(RowRole.IS_HEADING) else str(index.data(RowRole.ID) or "")

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if found := self._id_at(current):
            self.row_chosen.emit(found)


class BadgeList(CellList[AnyBadgeRow]):
    """Rows of two lines, each perhaps with a badge."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        left: int = 28,
        letters: str = "",
        is_tall: bool = False,
        parent: QWidget,
    ) -> None:
        """Build the list.

        Args:
            name: Read aloud for it.
            left: Where words begin, in pixels.
            letters: Upper-case letters that act on the current row.
            is_tall: Whether the text of each row, a memory's, has two lines.
        """
        said, height = partial(_said, left, is_tall), _TALL if is_tall else _ROW_HEIGHT
        painter = CellDelegate(theme, said, height, _HEADING_HEIGHT)
        super().__init__(theme, name, BadgeListModel(), painter, letters=letters, parent=parent)

"""Paints the rows of the orientation preview: heads of sections, entries, memories, cut lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.memory_row_layout import (
    Excerpt,
    Mark,
    curator_mark,
    hidden_in,
    lay_excerpt,
)
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.lists.row_table import RowDelegate
from inklings_desktop.ui.kit.look.hidden_marks import paint_places
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import begin_cell, upright
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left, wrap_mode
from inklings_desktop.ui.turn.rows import (
    BodyRow,
    CandidateRow,
    EntryRow,
    LineKind,
    LineRow,
    PreviewRow,
    SectionRow,
    is_stop,
)

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

GUTTER = 24
ENTRY_HEIGHT = 32
LINE_HEIGHT = 30

_MARK = 16
_MOST_MARK = 20  # before a name, which begins at one place
_TEXT_LEFT = 58
_NAME_LEFT = 80
_FIRST_LINE_LEFT, _LEAST_FIRST_LINE = 312, 150
_SIDE = 96
_SIDE_GAP = 18
_CARET = 14
_BODY_PAD = 10
_MOST_BODY_LINES = 400
_LONGEST_CACHE = 400
_STROKE = 3
_DASH = (3.0, 3.0)


@dataclass(frozen=True, slots=True)
class _Laid:
    """What was measured for one memory or body at one width."""

    row: PreviewRow
    key: tuple[int, int]
    text: Excerpt


def first_line_left(theme: Theme, left: float, name_end: float, end: float) -> float:
    """Where the first line of a named entry begins, in pixels.

    First lines stand below one another while that leaves them room; else each follows its name.

    Args:
        theme: Says how large the type is.
        left: Of the row.
        name_end: Where the name ends.
        end: Where the first line has to end.
    """
    aligned = left + theme.scaled(_FIRST_LINE_LEFT)
    has_room = end - aligned >= theme.scaled(_LEAST_FIRST_LINE)
    return max(aligned if has_room else left, name_end + _SIDE_GAP)


class PreviewDelegate(RowDelegate):
    """Draws every row itself; text layouts are kept per row and width."""

    row_px = 62
    heading_px = 28

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._laid: dict[str, _Laid] = {}
        theme.changed.connect(self._on_theme_changed)

    def height_of(self, row: PreviewRow, width: int) -> int:
        """Height of a row in pixels where the list is this wide."""
        match row:
            case SectionRow():
                return self.heading_height
            case EntryRow():
                return self._theme.scaled(ENTRY_HEIGHT)
            case LineRow():
                return self._theme.scaled(LINE_HEIGHT)
            case BodyRow():
                n_lines = self._body(row, width).n_lines
                return n_lines * self._theme.line("body") + 2 * _BODY_PAD
            case CandidateRow():
                return self.row_height

    def link_rect(self, row: SectionRow, rect: QRectF) -> QRectF:
        """Where the link of a head stands."""
        width = QFontMetricsF(self._theme.font("meta", px=12)).horizontalAdvance(row.link)
        return QRectF(rect.right() - GUTTER - width, rect.top(), width, rect.height())

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """The height of a row; the list gives it its width."""
        return QSize(0, self.height_of(index.data(RowRole.ROW), option.rect.width()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one row."""
        row: PreviewRow = index.data(RowRole.ROW)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
        is_ringed = self._ring and is_stop(row) and has_focus
        begin_cell(painter, option.rect)
        painter.fillRect(rect, self._ground(row, state))
        match row:
            case SectionRow():
                self._paint_section(painter, rect, row)
            case EntryRow():
                self._paint_entry(painter, rect, row)
            case BodyRow():
                self._paint_body(painter, rect, row)
            case CandidateRow():
                has_bar = bool(state & QStyle.StateFlag.State_Selected) and not is_ringed
                self._paint_candidate(painter, rect, row, has_bar=has_bar)
            case LineRow():
                self._paint_line(painter, rect, row)
        self.paint_hairline(painter, rect)
        if is_ringed:
            self.paint_ring(painter, rect)
        painter.restore()

    # -- one kind of row each -------------------------------------------------------------------

    def _paint_section(self, painter: QPainter, rect: QRectF, row: SectionRow) -> None:
        theme = self._theme
        middle = rect.center().y() - 0.5
        x = rect.left() + GUTTER
        if row.tier is not None:
            inked, role = TIER_MARKS[row.tier]
            edge = theme.icon_px(_MARK)
            mark = QRectF(x, middle - edge / 2, edge, edge)
            paint_tier_mark(painter, mark, inked, theme.color(role))
            x += edge + 8
        label, small = theme.font("label"), theme.font("meta", px=12, tabular=True)
        self.write(painter, x, middle, row.text, label, "inkSoft")
        x += QFontMetricsF(label).horizontalAdvance(row.text) + 8
        end = rect.right() - GUTTER
        if row.link:
            link = self.link_rect(row, rect)
            self.write(painter, link.left(), middle, row.link, small, "lapis")
            end = link.left() - _SIDE_GAP
        self.write(painter, x, middle, row.detail, small, "inkFaint", room=end - x)

    def _paint_entry(self, painter: QPainter, rect: QRectF, row: EntryRow) -> None:
        theme = self._theme
        middle = rect.center().y() - 0.5
        caret = "caret-down" if row.is_open else "caret-right"
        self._icon(painter, rect.left() + GUTTER, middle, caret, "inkSoft", _CARET)
        inked, role = TIER_MARKS[row.tier]
        edge = min(theme.icon_px(_MARK), _MOST_MARK)
        mark = QRectF(rect.left() + GUTTER + 26, middle - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, inked, theme.color(role))
        name = theme.font("reading", px=14, weight=600)
        x = rect.left() + _NAME_LEFT - 4
        figure = theme.font("meta", tabular=True)
        figure_width = QFontMetricsF(figure).horizontalAdvance(row.figure)
        end = rect.right() - GUTTER
        self.write(painter, end - figure_width, middle, row.figure, figure, "inkSoft")
        end -= figure_width + _SIDE_GAP
        name_width = min(QFontMetricsF(name).horizontalAdvance(row.name), end - x)
        self.write(painter, x, middle, row.name, name, "ink", room=name_width + 1)
        first = QFont(theme.font("reading", px=14))
        first.setItalic(True)
        start = first_line_left(theme, rect.left(), x + name_width, end)
        if not row.is_open:
            self.write(painter, start, middle, row.first_line, first, "inkSoft", room=end - start)

    def _paint_body(self, painter: QPainter, rect: QRectF, row: BodyRow) -> None:
        body = self._body(row, int(rect.width()))
        bar = QRectF(rect.left() + GUTTER + 33, rect.top() + _BODY_PAD, 2, rect.height())
        bar.setBottom(rect.bottom() - _BODY_PAD - 1)
        painter.fillRect(bar, self._theme.color("line"))
        painter.setPen(self._theme.color("ink"))
        place = QPointF(rect.left() + _NAME_LEFT - 4, rect.top() + _BODY_PAD)
        with upright(painter, place.x() + self._body_room(int(rect.width())) / 2):
            body.layout.draw(painter, place)
            paint_places(painter, self._theme, body.hidden, place)

    def _paint_candidate(
        self, painter: QPainter, rect: QRectF, row: CandidateRow, *, has_bar: bool
    ) -> None:
        theme = self._theme
        if has_bar:
            stroke = QRectF(rect.left(), rect.top(), _STROKE, rect.height() - 1)
            painter.fillRect(stroke, theme.color("accent"))
        text = self._candidate_text(row, int(rect.width()))
        line = float(theme.line("reading"))
        # Short texts begin where long ones do, beside the curator.
        top = rect.top() + (rect.height() - 1) / 2 - line
        first = top + line / 2
        rank = theme.font("meta", tabular=True)
        self._text_to(painter, rect.left() + _TEXT_LEFT - 14, first, row.rank, rank, "inkFaint")
        painter.setPen(theme.color("ink" if row.is_sent else "inkFaint"))
        place = QPointF(rect.left() + _TEXT_LEFT, top)
        with upright(painter, place.x() + self._candidate_room(int(rect.width())) / 2):
            text.layout.draw(painter, place)
            paint_places(painter, self._theme, text.hidden, place)
        if row.remark:
            below = first + text.n_lines * line
            x = rect.left() + _TEXT_LEFT
            self._icon(painter, x, below, "warning", "ochre", 14)
            x += theme.icon_px(14) + 6
            room = rect.right() - GUTTER - _SIDE - _SIDE_GAP - x
            self.write(painter, x, below, row.remark, theme.font("meta"), "ochre", room=room)
        self._paint_side(painter, rect, row)

    def _paint_side(self, painter: QPainter, rect: QRectF, row: CandidateRow) -> None:
        """Who vouches for it above, its figure below; both end at the right edge."""
        theme = self._theme
        line = float(theme.line("reading"))
        first = rect.top() + (rect.height() - 1) / 2 - line / 2
        right = rect.right() - GUTTER
        mark: Mark = curator_mark(row.curator, row.curator_label)
        meta = theme.font("meta")
        role = mark.role if row.is_sent else "inkFaint"
        self._text_to(painter, right, first, mark.text, meta, role)
        width = QFontMetricsF(meta).horizontalAdvance(mark.text)
        edge = theme.icon_px(14)
        self._icon(painter, right - width - 4 - edge, first, mark.icon, role, 14)
        figure = theme.font("meta", weight=600 if row.is_sent else 400, tabular=True)
        figure_role = "ink" if row.is_sent else "inkFaint"
        self._text_to(painter, right, first + line, row.figure, figure, figure_role)

    def _paint_line(self, painter: QPainter, rect: QRectF, row: LineRow) -> None:
        theme = self._theme
        middle = rect.center().y() - 0.5
        font = theme.font("meta", px=12)
        left, right = rect.left() + GUTTER, rect.right() - GUTTER
        if row.kind is LineKind.REMARK:
            x = rect.left() + _TEXT_LEFT
            self.write(painter, x, middle, row.text, font, "inkFaint", room=right - x)
            return
        is_cut = row.kind is LineKind.CUT
        bold = theme.font("label") if is_cut else font
        width = QFontMetricsF(bold).horizontalAdvance(row.text)
        centre = rect.center().x()
        pen = QPen(theme.color("controlBorder" if is_cut else "lineStrong"), 1)
        if is_cut:
            pen.setDashPattern(list(_DASH))
        painter.setPen(pen)
        y = round(middle) + 0.5
        painter.drawLine(QPointF(left, y), QPointF(centre - width / 2 - 12, y))
        painter.drawLine(QPointF(centre + width / 2 + 12, y), QPointF(right, y))
        role = "inkSoft" if is_cut else "inkFaint"
        self.write(painter, centre - width / 2, middle, row.text, bold, role)

    # -- pieces -----------------------------------------------------------------------------------

    def _ground(self, row: PreviewRow, state: QStyle.StateFlag) -> QColor:
        theme = self._theme
        if isinstance(row, BodyRow | LineRow):
            return theme.color("surface" if isinstance(row, BodyRow) else "canvas")
        if is_stop(row) and state & QStyle.StateFlag.State_Selected:
            return theme.color("selected")
        if is_stop(row) and state & QStyle.StateFlag.State_MouseOver:
            return theme.color("hover")
        return theme.color("canvas" if isinstance(row, SectionRow) else "surface")

    def _candidate_room(self, width: int) -> int:
        return max(40, width - _TEXT_LEFT - GUTTER - _SIDE - _SIDE_GAP)

    def _candidate_text(self, row: CandidateRow, width: int) -> Excerpt:
        theme = self._theme
        known = self._known(row.id, row, width)
        if known is not None:
            return known
        phrase = QTextCharFormat()
        phrase.setFontItalic(True)
        phrase.setForeground(theme.color("inkSoft" if row.is_sent else "inkFaint"))
        lead = QTextLayout.FormatRange()
        lead.start, lead.length, lead.format = 0, len(row.phrase), phrase
        text = lay_excerpt(
            f"{row.phrase} {row.excerpt}",
            font=theme.font("reading"),
            line_px=float(theme.line("reading")),
            width=self._candidate_room(width),
            max_lines=1 if row.remark else 2,
            formats=(lead,),
        )
        return self._keep(row.id, row, width, text)

    def _body_room(self, width: int) -> int:
        return max(40, width - _NAME_LEFT - GUTTER)

    def _body(self, row: BodyRow, width: int) -> Excerpt:
        theme = self._theme
        known = self._known(row.id, row, width)
        if known is not None:
            return known
        font = theme.font("reading", px=14)
        room = self._body_room(width)
        option = QTextOption()
        option.setWrapMode(wrap_mode(row.text))
        if reads_right_to_left(row.text):
            option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        layout = QTextLayout(row.text.replace("\n", "\u2028"), font)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        step, metrics = theme.line("body"), QFontMetricsF(font)
        baseline = (step - metrics.height()) / 2 + metrics.ascent()
        layout.beginLayout()
        for number in range(_MOST_BODY_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room)
            line.setPosition(QPointF(0, number * step + baseline - line.ascent()))
        layout.endLayout()
        text = Excerpt(
            layout, max(layout.lineCount(), 1), (), elided=False, hidden=hidden_in(layout)
        )
        return self._keep(row.id, row, width, text)

    def _known(self, row_id: str, row: PreviewRow, width: int) -> Excerpt | None:
        known = self._laid.get(row_id)
        if known is not None and known.key == (width, self._theme.generation) and known.row == row:
            return known.text
        return None

    def _keep(self, row_id: str, row: PreviewRow, width: int, text: Excerpt) -> Excerpt:
        if len(self._laid) >= _LONGEST_CACHE:
            del self._laid[next(iter(self._laid))]
        self._laid[row_id] = _Laid(row, (width, self._theme.generation), text)
        return text

    def _text_to(
        self, painter: QPainter, right: float, middle: float, text: str, font: QFont, role: str
    ) -> None:
        width = QFontMetricsF(font).horizontalAdvance(text)
        self.write(painter, right - width, middle, text, font, role)

    def _icon(
        self, painter: QPainter, x: float, middle: float, name: str, role: str, size: int
    ) -> None:
        self._theme.draw_icon(painter, (round(x), middle), name, role, size)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._laid.clear()

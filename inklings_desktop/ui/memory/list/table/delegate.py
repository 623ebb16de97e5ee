"""Paints the rows of the memory list: headings, memories and working notes."""

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.memory_row_layout import (
    BLOCK_GAP,
    BLOCK_WIDTH,
    CHECK_SHIFT,
    GUTTER,
    NARROW_GUTTER,
    STROKE_LEFT,
    TEXT_LEFT,
    Excerpt,
    HeadingRow,
    Mark,
    MemoryRow,
    NoteRow,
    RowMeasures,
    lay_excerpt,
    row_marks,
)
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowRole
from inklings_desktop.ui.kit.lists.row_table import RowDelegate, RowInk
from inklings_desktop.ui.kit.look.control_marks import box_edge, paint_check_box
from inklings_desktop.ui.kit.look.hidden_marks import paint_places
from inklings_desktop.ui.kit.look.memory_marks import (
    BAR_HEIGHT,
    CURVE_HEIGHT,
    CURVE_WIDTH,
    STROKE_WIDTH,
    band_colour,
    figure_of,
    paint_decay_curve,
    paint_dotted_stroke,
    paint_importance_bar,
    paint_ink_stroke,
)
from inklings_desktop.ui.kit.look.mirror import begin_cell, upright
from inklings_desktop.ui.kit.look.motion import blended
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.badges import AGENT_ONLY
from inklings_desktop.ui.kit.words.memory_facts import reads_label

if TYPE_CHECKING:
    from collections.abc import Callable

HEADING_HEIGHT = 28

_LONGEST_CACHE = 600
_STROKE_MARGIN = 22
_FIGURE_DROP = 14.0
_HOVER_BOX_MIDDLE = 19
_BOX_AIR = 4


@dataclass(frozen=True, slots=True)
class _Laid:
    """What was measured for one memory at one width."""

    row: MemoryRow
    key: tuple[int, int]
    excerpt: Excerpt
    marks: tuple[Mark, ...]


class MemoryDelegate(RowDelegate):
    """Draws every row of the memory list itself, from values that need no further work.

    All rows but headings have the same height. Text layouts are kept per memory and width and
    dropped when the theme changes.
    """

    def __init__(
        self, theme: Theme, *, compact: bool = False, parent: QObject | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._compact = compact
        self.glow_of: Callable[[str], float] = _no_glow
        """How strongly a row glows just now, by its id: 0 up to 1."""
        self._checking = False
        self._offers_boxes = True
        self._heading_left = GUTTER
        self._right = 0.0
        self._measures = RowMeasures(theme, compact=compact)
        self._ink = RowInk(theme, self._measures)
        self._laid: dict[str, _Laid] = {}
        theme.changed.connect(self._on_theme_changed)

    @property
    def row_height(self) -> int:
        return self._measures.row_height

    @property
    def heading_height(self) -> int:
        return self._theme.scaled(HEADING_HEIGHT)

    def set_compact(self, *, compact: bool) -> None:
        """Give one line of text to each memory instead of two."""
        if compact != self._compact:
            self._compact = compact
            self._on_theme_changed()

    def set_narrow(self, *, narrow: bool) -> None:
        """Let headings begin at the gutter of a narrow window."""
        self._heading_left = NARROW_GUTTER if narrow else GUTTER

    def set_checking(self, *, checking: bool) -> None:
        """Show a check box before each memory; the ground then shows what is checked."""
        if checking != self._checking:
            self._checking = checking
            self._laid.clear()

    def withhold_boxes(self) -> None:
        """Draw no check box under the pointer: nothing can be checked."""
        self._offers_boxes = False

    def is_on_box(self, x: float) -> bool:
        """Whether a place in a row, from its left edge, belongs to the check box."""
        return x < (TEXT_LEFT + CHECK_SHIFT - _BOX_AIR if self._checking else TEXT_LEFT - _BOX_AIR)

    def editorEvent(
        self,
        _event: QEvent,
        _model: QAbstractItemModel,
        _option: QStyleOptionViewItem,
        _index: AnyIndex,
    ) -> bool:
        """Leaves checking to the table: Qt would look for the box in another place."""
        return False

    def is_elided(self, row: MemoryRow) -> bool:
        """Whether a memory's text was cut when it was last painted, so that a tool tip helps."""
        laid = self._laid.get(row.id)
        return laid is not None and laid.excerpt.elided

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """The height of a row; the list gives it its width."""
        heading = bool(index.data(RowRole.IS_HEADING))
        return QSize(0, self.heading_height if heading else self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one row."""
        row = index.data(RowRole.ROW)
        rect = QRectF(option.rect)
        # Figures end at the gutter of the page: the scroll bar stands in it.
        self._right = rect.right() - GUTTER + _taken_by_bar(option.widget)
        state: QStyle.StateFlag = option.state
        begin_cell(painter, option.rect)
        if isinstance(row, HeadingRow):
            self._paint_heading(painter, rect, row)
        else:
            check = index.data(Qt.ItemDataRole.CheckStateRole)
            ground = self._ground(state, "" if row is None else row.id, check)
            painter.fillRect(rect, ground)
            if isinstance(row, MemoryRow):
                is_checked = check is Qt.CheckState.Checked
                self._paint_memory(painter, rect, row, ground, state, is_checked=is_checked)
            elif isinstance(row, NoteRow):
                self._paint_note(painter, rect, row)
            else:
                self._paint_awaited(painter, rect)
        self.paint_hairline(painter, rect)
        if self._ring and state & QStyle.StateFlag.State_HasFocus:
            self.paint_ring(painter, rect)
        painter.restore()

    # -- one kind of row each -------------------------------------------------------------

    def _paint_awaited(self, painter: QPainter, rect: QRectF) -> None:
        """A row whose memory is being read: where its text will stand."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken"))
        left = rect.left() + GUTTER + 14
        width = self._right - BLOCK_WIDTH - 26 - left
        for part, share in ((0.34, 0.72), (0.62, 0.38)):
            bar = QRectF(left, rect.top() + rect.height() * part - 4, width * share, 8)
            painter.drawRoundedRect(bar, 4, 4)

    def _paint_heading(self, painter: QPainter, rect: QRectF, row: HeadingRow) -> None:
        measures = self._measures
        painter.fillRect(rect, self._theme.color("canvas"))
        centre = rect.center().y()
        x = rect.left() + self._heading_left
        self._ink.text(painter, x, centre, row.text, measures.badge, "inkFaint")
        x += measures.metrics(measures.badge).horizontalAdvance(row.text) + 8
        self._ink.text(painter, x, centre, row.detail, measures.small, "inkFaint")
        if row.captions:
            right = self._right
            block = right - BLOCK_WIDTH
            relevance = tr("Relevance")
            decay = tr("Decay and importance")
            self._ink.text_to(painter, right, centre, relevance, measures.small)
            # Larger type pushes the first caption away from the second.
            width = measures.metrics(measures.small).horizontalAdvance(relevance)
            end = min(block + CURVE_WIDTH, right - width - 16)
            self._ink.text_to(painter, end, centre, decay, measures.small)

    def _paint_memory(
        self,
        painter: QPainter,
        rect: QRectF,
        row: MemoryRow,
        ground: QColor,
        state: QStyle.StateFlag,
        *,
        is_checked: bool,
    ) -> None:
        measures = self._measures
        shift = CHECK_SHIFT if self._checking else 0
        left = rect.left() + TEXT_LEFT + shift
        right = self._right - BLOCK_WIDTH - BLOCK_GAP
        room = max(40, int(right - left))
        laid = self._lay(row, room)
        on_selected = bool(state & QStyle.StateFlag.State_Selected) and not self._checking
        centre = rect.center().y() - 0.5
        is_under = bool(state & QStyle.StateFlag.State_MouseOver)
        offers_box = self._offers_boxes and not self._checking and is_under
        text_height = (laid.excerpt.n_lines - 1) * measures.line_px
        first = centre - (text_height + measures.meta_step) / 2
        edge = box_edge(self._theme)
        top = round(first - edge / 2)  # beside the first line of the text
        if self._checking or offers_box:
            left_of_box = STROKE_LEFT if self._checking else _HOVER_BOX_MIDDLE - edge // 2
            box = QRectF(rect.left() + left_of_box, top, edge, edge)
            check = Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked
            paint_check_box(painter, box, self._theme, check)
        stroke = self._stroke_rect(rect, shift)
        if offers_box:
            stroke.setTop(top + edge + 6)
        if row.forgotten or row.paused:
            paint_dotted_stroke(painter, stroke, self._theme.color("graphite"))
        else:
            paint_ink_stroke(
                painter, stroke, band_colour(self._theme, row.relevance), row.relevance
            )
        ink = "inkFaint" if row.paused else "ink"
        origin = QPointF(left, first - measures.line_px / 2)
        with upright(painter, left + room / 2):
            self._paint_excerpt(painter, origin, laid.excerpt, ink)
        line = first + text_height + measures.meta_step
        for mark in laid.marks:
            self._ink.mark(
                painter, left + mark.x, line, mark, on_selected=on_selected or is_checked
            )
        self._paint_age(painter, right, line, row)
        self._paint_block(painter, rect, row, ground)

    def _paint_excerpt(
        self, painter: QPainter, origin: QPointF, excerpt: Excerpt, role: str
    ) -> None:
        for ground in excerpt.grounds:
            box = ground.translated(origin)
            painter.fillRect(box, self._theme.color("ochreSoft"))
            painter.fillRect(
                QRectF(box.left(), box.bottom() - 1.5, box.width(), 1.5), self._theme.color("ochre")
            )
        painter.setPen(self._theme.color(role))
        excerpt.layout.draw(painter, origin)
        paint_places(painter, self._theme, excerpt.hidden, origin)

    def _paint_age(self, painter: QPainter, right: float, centre: float, row: MemoryRow) -> None:
        meta = self._measures.meta
        if not row.forgotten:
            self._ink.text_to(painter, right, centre, row.age_label, meta)
            return
        self._ink.text_to(painter, right, centre, row.forgotten_label, meta, "graphite")
        width = self._measures.metrics(meta).horizontalAdvance(row.forgotten_label)
        edge = self._measures.icon_px
        self._ink.icon(painter, right - width - 4 - edge, centre, "eraser", "graphite")

    def _paint_block(self, painter: QPainter, rect: QRectF, row: MemoryRow, ground: QColor) -> None:
        """The figures at the right: curve and relevance above, importance and reads below."""
        theme, measures = self._theme, self._measures
        right = self._right
        left = right - BLOCK_WIDTH
        centre = rect.center().y() - 0.5
        drop = (_FIGURE_DROP if not self._compact else _FIGURE_DROP - 2.5) * theme.text_scale
        is_quiet = row.forgotten or row.paused
        colour = theme.color("graphite") if is_quiet else band_colour(theme, row.relevance)
        above, below = centre - drop, centre + drop
        # A low row has no room above the figure: its curve stands lower, clear of the row's edge.
        lift = -2 if self._compact else 4
        curve = QRectF(left, above - CURVE_HEIGHT / 2 - lift, CURVE_WIDTH, CURVE_HEIGHT)
        with upright(painter, curve.center().x()):
            paint_decay_curve(
                painter,
                curve,
                hours_since_base=row.curve.hours_since_base,
                start=row.curve.start,
                rate_per_hour=row.curve.rate_per_hour,
                colour=colour,
                ground=ground,
                axis=theme.color("line"),
            )
        bar = QRectF(left, below - BAR_HEIGHT / 2, CURVE_WIDTH, BAR_HEIGHT)
        paint_importance_bar(
            painter, bar, row.importance, track=theme.color("line"), fill=theme.color("inkFaint")
        )
        painter.setPen(colour)
        self._ink.text_to(painter, right, above, figure_of(row.relevance), measures.figure, None)
        self._ink.text_to(painter, right, below, reads_label(row.access_count), measures.small)

    def _paint_note(self, painter: QPainter, rect: QRectF, row: NoteRow) -> None:
        measures, theme = self._measures, self._theme
        shift = CHECK_SHIFT if self._checking else 0
        left = rect.left() + TEXT_LEFT + shift
        right = self._right - BLOCK_WIDTH - BLOCK_GAP
        centre = rect.center().y() - 0.5
        first = centre - measures.meta_step / 2
        line = first + measures.meta_step
        paint_dotted_stroke(painter, self._stroke_rect(rect, shift), theme.color("graphite"))
        self._ink.text(painter, left, first, row.key, measures.note_key, "ink")
        x = left + measures.metrics(measures.note_key).horizontalAdvance(row.key)
        value = f" = {row.value_line}"
        room = right - x
        metrics = measures.metrics(measures.note_value)
        shown = metrics.elidedText(value, Qt.TextElideMode.ElideRight, room)
        self._ink.text(painter, x, first, shown, measures.note_value, "ink")
        badge = tr("Working Note")
        width = measures.metrics(measures.badge).horizontalAdvance(badge) + measures.icon_px + 20
        height = measures.chip_height + 1
        box = QRectF(left, line - height / 2, width, height)
        AGENT_ONLY.paint_in(painter, box, theme)
        self._ink.icon(painter, box.left() + 8, line, "notepad", "inkSoft")
        self._ink.text(
            painter, box.left() + 12 + measures.icon_px, line, badge, measures.badge, "inkSoft"
        )
        age_width = measures.metrics(measures.meta).horizontalAdvance(row.age_label)
        lock = Mark(tr("read-only, kept by the agent"), "inkFaint", "lock-simple")
        if box.right() + 10 + measures.mark_width(lock) + 10 + age_width <= right:
            self._ink.mark(painter, box.right() + 10, line, lock, on_selected=False)
        self._ink.text_to(painter, right, line, row.age_label, measures.meta)
        self._ink.text_to(painter, self._right, centre, tr("not ranked"), measures.small)

    # -- pieces ---------------------------------------------------------------------------

    def _ground(self, state: QStyle.StateFlag, row_id: str, check: object) -> QColor:
        is_current = state & QStyle.StateFlag.State_Selected and not self._checking
        role = "surface"
        if is_current or check is Qt.CheckState.Checked:
            role = "selected"
        elif state & QStyle.StateFlag.State_MouseOver:
            role = "hover"
        ground, strength = self._theme.color(role), self.glow_of(row_id)
        return (
            ground if not strength else blended(self._theme.color("accentSoft"), ground, strength)
        )

    def _stroke_rect(self, rect: QRectF, shift: int) -> QRectF:
        height = rect.height() - 1 - _STROKE_MARGIN
        top = rect.top() + _STROKE_MARGIN / 2
        return QRectF(rect.left() + STROKE_LEFT + shift, top, STROKE_WIDTH, height)

    def _lay(self, row: MemoryRow, width: int) -> _Laid:
        key = (width, self._theme.generation)
        known = self._laid.get(row.id)
        if known is not None and known.key == key and (known.row is row or known.row == row):
            return known
        measures = self._measures
        excerpt = lay_excerpt(
            row.excerpt,
            font=measures.reading,
            line_px=measures.line_px,
            width=width,
            max_lines=measures.max_lines,
            rtl=row.rtl,
            highlights=row.highlights,
        )
        age = row.forgotten_label if row.forgotten else row.age_label
        age_width = measures.metrics(measures.meta).horizontalAdvance(age) + 12
        if row.forgotten:
            age_width += measures.icon_px + 4
        marks = measures.placed(row_marks(row), width - age_width)
        if len(self._laid) >= _LONGEST_CACHE:
            del self._laid[next(iter(self._laid))]
        laid = self._laid[row.id] = _Laid(row, key, excerpt, marks)
        return laid

    @Slot()
    def _on_theme_changed(self) -> None:
        self._measures = RowMeasures(self._theme, compact=self._compact)
        self._ink = RowInk(self._theme, self._measures)
        self._laid.clear()


def _taken_by_bar(view: QWidget | None) -> int:
    """How much of the page's right gutter the scroll bar of a view stands in, in pixels."""
    bar = view.verticalScrollBar() if isinstance(view, QAbstractItemView) else None
    return bar.width() if bar is not None and bar.isVisible() else 0


def _no_glow(_row_id: str) -> float:
    return 0.0

"""The rows of the memory list: what stands in each, and where it goes, measured once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.hidden_marks import hidden_places
from inklings_desktop.ui.kit.look.text_layout import shortened
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme

CuratorName = Literal["author", "agent", "import"]


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """A line above a group of rows; ``captions`` names the columns of figures beside it."""

    id: str
    text: str
    detail: str
    captions: bool = False


@dataclass(frozen=True, slots=True)
class CurveNumbers:
    """What a decay curve is drawn from.

    Relevance ``h`` hours after the base instant is ``start * rate_per_hour ** h``; a rate of 1
    means that nothing fades.
    """

    hours_since_base: float
    start: float
    rate_per_hour: float

    @property
    def level(self) -> bool:
        """Whether the curve never falls."""
        return self.rate_per_hour >= 1.0


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory as the list shows it; every text is final.

    ``highlights`` are start and length of the matches inside ``excerpt``. ``agent_id`` is set for
    a memory that belongs to one agent alone. ``version`` changes whenever the memory does. A note's
    ``kind_label`` is empty.
    """

    id: str
    version: int
    excerpt: str
    curator: CuratorName
    writer_label: str
    source: str
    lifetime_label: str
    age_label: str
    relevance: float
    importance: float
    curve: CurveNumbers
    accessible_description: str
    rtl: bool = False
    highlights: tuple[tuple[int, int], ...] = ()
    tags: tuple[str, ...] = ()
    tooltip: str = ""
    access_count: int = 0
    derivation_count: int = 0
    has_embedding: bool = True
    check_source: bool = False
    agent_id: str | None = None
    forgotten: bool = False
    forgotten_label: str = ""
    paused: bool = False
    unreadable: bool = False
    pinned: bool = False
    locked: bool = False
    kind_label: str = ""
    kind_icon: str = ""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One working note as the list shows it; ``value_line`` is its JSON on one line."""

    id: str
    key: str
    value_line: str
    age_label: str
    accessible_description: str = ""


Row = HeadingRow | MemoryRow | NoteRow


GUTTER = 20
NARROW_GUTTER = 14
STROKE_LEFT = 17
TEXT_LEFT = 34
CHECK_SHIFT = 34
BLOCK_WIDTH = 158
BLOCK_GAP = 14
ELISION = "\u2026"
LONGEST_NAME = 28
"""Characters of a tag, a source or an agent; a longer one would push all the others out."""

# Who goes first when a row is narrow: the highest; 0 stays.
DROP_STATE = 2
_DROP_FIRST_TAG = 1
_MOST_TAGS = 3
_DROP_DERIVATIONS = 2
_DROP_SOURCE = 3
_DROP_LIFETIME = 4
_DROP_TAGS = 5

_GAP = 10
_ENDLESS = 10_000.0
_JOINER = "\u200d"
_CUT_TRIES = 3
_ICON_GAP = 4
_CHIP_PADDING = 7
_CHIP_HEIGHT = 18
_META_STEP = 24.5
_COMPACT_META_STEP = 22.5
_NARROW_COMPACT = 480
_CURATOR_MARKS = {
    "author": ("pen-nib", "ink"),
    "agent": ("planet", "lapis"),
    "import": ("download-simple", "tyrian"),
}


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A laid-out excerpt, its places measured from its own top left.

    Attributes:
        layout: The lines.
        n_lines: How many.
        grounds: Where its matches stand.
        elided: Whether something is left out.
        hidden: Where characters stand that do not show.
    """

    layout: QTextLayout
    n_lines: int
    grounds: tuple[QRectF, ...]
    elided: bool
    hidden: tuple[QRectF, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """One piece of the line below an excerpt: an icon, a word, or both, perhaps on a chip."""

    text: str
    role: str
    icon: str = ""
    chip: bool = False
    x: float = 0.0
    width: float = 0.0
    drop: int = 0

    @property
    def is_tag(self) -> bool:
        """Whether it names a tag, after a number sign."""
        return self.text.startswith("#") and not self.chip and not self.icon


def curator_mark(curator: str, label: str) -> Mark:
    """The mark that says whom to trust; it is never dropped."""
    icon, role = _CURATOR_MARKS[curator]
    return Mark(label, role, icon)


def lay_excerpt(
    text: str,
    *,
    font: QFont,
    line_px: float,
    width: float,
    max_lines: int,
    rtl: bool = False,
    highlights: Sequence[tuple[int, int]] = (),
    formats: Sequence[QTextLayout.FormatRange] = (),
) -> Excerpt:
    """Up to ``max_lines`` lines of one text, elided at the end if more remains.

    The whole text stays one layout, so that runs of mixed direction keep their order.

    Args:
        text: Without line breaks.
        font: Reading face.
        line_px: Distance between baselines.
        width: Room in pixels.
        max_lines: At least 1.
        rtl: Base direction of the text.
        highlights: Start and length of each match, in characters of ``text``.
        formats: Parts of the text in another face or colour, in UTF-16 units.
    """
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if rtl else Qt.LayoutDirection.LeftToRight
    )
    side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    setting = _Setting(font, option, width, max_lines, line_px, tuple(formats))
    layout = setting.laid(text)
    last = layout.lineAt(layout.lineCount() - 1)
    elided = last.textStart() + last.textLength() < _units(text)
    whole, joiner = text, -1
    if elided:
        text, layout = _cut(setting, text, last.textStart())
        joiner = _added_joiner(whole, text)
    grounds = tuple(
        ground
        for start, length in highlights
        for ground in _grounds(layout, text, start, length, line_px)
    )
    hidden = tuple(at for one, at in hidden_places(layout) if one.position != joiner)
    return Excerpt(layout, layout.lineCount(), grounds, elided, hidden)


def _added_joiner(whole: str, cut: str) -> int:
    """Where the cut put a joiner, so that an Arabic letter keeps its shape; -1 for nowhere.

    It is not in the memory, and so it is nothing to warn of.
    """
    at = cut.rfind(_JOINER)
    return at if at >= 0 and whole[at : at + 1] != _JOINER else -1


def hidden_in(layout: QTextLayout) -> tuple[QRectF, ...]:
    """Where characters stand in a layout that do not show."""
    return tuple(place for _, place in hidden_places(layout))


def _cut(setting: _Setting, text: str, last_line: int) -> tuple[str, QTextLayout]:
    """The text elided in its last line, which begins at a place in UTF-16 units."""
    head = _python_index(text, last_line)
    metrics = QFontMetricsF(setting.font)
    room = setting.width - 2
    for _ in range(_CUT_TRIES):
        rest = metrics.elidedText(text[head:], Qt.TextElideMode.ElideRight, room)
        shown = text[:head] + rest
        # What was cut to fit must not wrap again because a rounding differs.
        layout = setting.laid(shown, cut_from=last_line)
        excess = layout.lineAt(layout.lineCount() - 1).naturalTextWidth() - setting.width
        if excess <= 0:
            break
        room -= excess
    return shown, layout


@dataclass(frozen=True, slots=True)
class _Setting:
    """How a text is set in lines."""

    font: QFont
    option: QTextOption
    width: float
    max_lines: int
    line_px: float
    formats: tuple[QTextLayout.FormatRange, ...] = ()

    def laid(self, text: str, *, cut_from: int | None = None) -> QTextLayout:
        """The text in lines; from ``cut_from`` on, in UTF-16 units, everything is one line."""
        metrics = QFontMetricsF(self.font)
        baseline = (self.line_px - metrics.height()) / 2 + metrics.ascent()
        layout = QTextLayout(text, self.font)
        layout.setTextOption(self.option)
        layout.setCacheEnabled(True)
        if self.formats:
            layout.setFormats(list(self.formats))
        layout.beginLayout()
        for number in range(self.max_lines):
            line = layout.createLine()
            if not line.isValid():
                break
            cut = line.textStart() == cut_from
            width = _ENDLESS if cut else self.width
            line.setLineWidth(width)
            rtl = self.option.textDirection() == Qt.LayoutDirection.RightToLeft
            left = self.width - width if rtl else 0.0
            # Other scripts bring taller faces; the baselines must not move for them.
            line.setPosition(QPointF(left, number * self.line_px + baseline - line.ascent()))
        layout.endLayout()
        return layout


def _grounds(
    layout: QTextLayout, text: str, start: int, length: int, line_px: float
) -> list[QRectF]:
    """The grounds of one match, one per line that it touches."""
    shown = len(text) - 1 if text.endswith(ELISION) else len(text)
    first, end = _units(text[:start]), _units(text[: min(start + length, shown)])
    grounds = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        one = max(first, line.textStart())
        other = min(end, line.textStart() + line.textLength())
        if one >= other:
            continue
        left, right = _cursor_x(line.cursorToX(one)), _cursor_x(line.cursorToX(other))
        left, right = min(left, right), max(left, right)
        grounds.append(QRectF(left - 1, number * line_px, right - left + 2, line_px - 1))
    return grounds


def _cursor_x(answer: object) -> float:
    """The place alone; the binding may return it together with the cursor."""
    return float(answer[0]) if isinstance(answer, tuple) else float(str(answer))


def _units(text: str) -> int:
    """Length in UTF-16 units, as Qt counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _python_index(text: str, units: int) -> int:
    """The code point at a place that Qt counted in UTF-16 units."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


class RowMeasures:
    """Fonts and measures of all rows at one text size; made anew when the theme changes."""

    def __init__(self, theme: Theme, *, compact: bool) -> None:
        self.compact = compact
        self.row_height = theme.px("rowCompact" if compact else "rowComfortable")
        self.max_lines = 1 if compact else 2
        self.line_px = float(theme.line("reading"))
        self.meta_step = (_COMPACT_META_STEP if compact else _META_STEP) * theme.text_scale
        self.reading = theme.font("reading")
        self.meta = theme.font("meta")
        self.chip = theme.font("meta", px=12)
        self.badge = theme.font("label")
        self.figure = theme.font("numeral")
        self.small = theme.font("meta", px=12, tabular=True)
        self.note_value = theme.font("mono", px=13)
        self.note_key = theme.font("mono", px=13, weight=600)
        self.icon_px = theme.icon_px(14)
        self.chip_height = float(theme.scaled(_CHIP_HEIGHT))
        self._metrics: dict[str, QFontMetricsF] = {}

    def metrics(self, font: QFont) -> QFontMetricsF:
        """Metrics of one of these fonts."""
        key = font.key()
        known = self._metrics.get(key)
        if known is None:
            known = self._metrics[key] = QFontMetricsF(font)
        return known

    def baseline(self, font: QFont, centre: float) -> float:
        """Where text stands so that it looks centred on a height."""
        metrics = self.metrics(font)
        return round(centre + (metrics.ascent() - metrics.descent()) / 2)

    def mark_width(self, mark: Mark) -> float:
        """How much room one mark takes."""
        width = self.metrics(self.chip if mark.chip else self.meta).horizontalAdvance(mark.text)
        if mark.icon:
            width += self.icon_px + (_ICON_GAP if mark.text else 0)
        return width + 2 * _CHIP_PADDING if mark.chip else width

    def placed(self, marks: Sequence[Mark], room: float) -> tuple[Mark, ...]:
        """The marks that fit, left to right, each with its place.

        Marks with the highest ``drop`` go first when room runs out; 0 stays whatever happens.
        """
        kept = list(marks)
        if self.compact and room < _NARROW_COMPACT:
            kept = [mark for mark in kept if mark.drop < _DROP_LIFETIME]
        widths = {id(mark): self.mark_width(mark) for mark in kept}
        total = sum(widths.values()) + _GAP * (len(kept) - 1)
        while total > room:
            victim = max(kept, key=lambda mark: mark.drop, default=None)
            if victim is None or victim.drop == 0:
                break
            kept.remove(victim)
            total -= widths[id(victim)] + _GAP
        for mark in reversed(kept[1:]):
            if total <= room or not (mark.icon and mark.text):
                continue
            # A warning never goes; where there is no room for its words its icon says it.
            short = replace(mark, text="")
            kept[kept.index(mark)] = short
            total -= widths[id(mark)] - self.mark_width(short)
            widths[id(short)] = self.mark_width(short)
        x = 0.0
        result = []
        for mark in kept:
            width = widths[id(mark)]
            result.append(Mark(mark.text, mark.role, mark.icon, mark.chip, x, width, mark.drop))
            x += width + _GAP
        return tuple(result)


def source_mark(source: str) -> Mark:
    """The chip that says which part of the machinery wrote a memory."""
    return Mark(source, "inkSoft", chip=True, drop=_DROP_SOURCE)


def lifetime_mark(label: str) -> Mark:
    """The lifetime as a quiet word."""
    return Mark(label, "inkFaint", drop=_DROP_LIFETIME)


def tag_marks(tags: Sequence[str]) -> list[Mark]:
    """The first tags; the first of them is dropped last."""
    return [
        Mark(f"#{tag}", "inkSoft", drop=_DROP_TAGS + number if number else _DROP_FIRST_TAG)
        for number, tag in enumerate(tags[:_MOST_TAGS])
    ]


def derivations_mark(count: int) -> Mark:
    """How many pages a memory derives from."""
    return Mark(str(count), "inkFaint", "link-simple", drop=_DROP_DERIVATIONS)


def row_marks(row: MemoryRow) -> list[Mark]:
    """Everything that is said of a memory in a mark, in the order in which it stands."""
    marks = [curator_mark(row.curator, shortened(row.writer_label, LONGEST_NAME))]
    if row.kind_label:
        marks.append(Mark(row.kind_label, "accent", row.kind_icon, chip=True))
    if row.source:
        marks.append(source_mark(shortened(row.source, LONGEST_NAME)))
    if row.agent_id is not None:
        only = tr("only {0}").format(shortened(row.agent_id, LONGEST_NAME))
        marks.append(Mark(only, "lapis", "user-focus"))
    if row.lifetime_label:
        marks.append(lifetime_mark(row.lifetime_label))
    if row.pinned:
        marks.append(Mark(tr("pinned"), "inkSoft", "push-pin", drop=DROP_STATE))
    if row.unreadable:
        marks.append(Mark(tr("damaged text"), "ochre", "warning"))
    if row.paused:
        marks.append(Mark(tr("paused"), "inkSoft", "pause", drop=DROP_STATE))
    marks.extend(tag_marks([shortened(tag, LONGEST_NAME) for tag in row.tags]))
    if not row.has_embedding:
        marks.append(Mark(tr("words only"), "ochre", "circle-dashed"))
    if row.check_source:
        marks.append(Mark(tr("check source"), "ochre", "warning"))
    elif row.derivation_count:
        marks.append(derivations_mark(row.derivation_count))
    return marks

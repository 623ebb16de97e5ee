"""The named entries list: headings and entries as finished rows, as Qt sees and paints them."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel, RowRole
from inklings_desktop.ui.kit.lists.row_table import RowDelegate
from inklings_desktop.ui.kit.look.memory_marks import paint_tier_mark
from inklings_desktop.ui.kit.look.mirror import begin_cell
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import RailMark
from inklings_desktop.ui.kit.words.entry_facts import characters_label, tier_group
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age, spoken_age

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.entries.named_entry import EntryDraft, NamedEntry
    from inklings_desktop.ui.kit.look.theme import Theme


@dataclass(frozen=True, slots=True)
class EntryHeading:
    """A line above a group of rows; ``inked`` rings in the colour of ``role`` stand before it."""

    id: str
    text: str
    inked: int
    role: str


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One named entry as the list shows it; every text is final.

    ``version`` changes whenever the entry does. ``state_label`` takes the place of the age where
    something is to be known first, such as a draft that was not saved; it is ochre when
    ``is_urgent``.
    """

    id: str
    version: int
    name: str
    heading: str
    age_label: str
    length_label: str
    accessible_description: str
    is_built_in: bool = False
    n_proposals: int = 0
    state_label: str = ""
    is_urgent: bool = False
    tooltip: str = ""


EntryListRow = EntryHeading | EntryRow

_RINGS = {Tier.WORKSPACE: (3, "tierWorkspace"), Tier.ACCOUNT: (4, "tierAccount")}


@dataclass(frozen=True, slots=True)
class ContextShare:
    """How much of the context one named entry takes.

    Attributes:
        entry_id: The named entry.
        name: Its name.
        n_characters: Length of what agents read; 0 for what they do not read.
        role: Colour role of its tier.
        is_second: Whether another entry of its tier stands before it, which makes it paler.
    """

    entry_id: str
    name: str
    n_characters: int
    role: str
    is_second: bool


@dataclass(frozen=True, slots=True)
class EntriesContent:
    """What the page's list shows.

    Attributes:
        rows: Top to bottom.
        shares: What each entry adds to the head of every turn.
        entries: In the order in which agents read them.
        proposals: The undecided ones.
        drafts: Texts that were typed and not saved.
    """

    rows: tuple[EntryListRow, ...] = ()
    shares: tuple[ContextShare, ...] = ()
    entries: tuple[NamedEntry, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    drafts: tuple[EntryDraft, ...] = ()

    def entry(self, entry_id: str) -> NamedEntry | None:
        """The entry with this id."""
        return next((one for one in self.entries if one.id == entry_id), None)

    def total_with(self, entry_id: str, text: str) -> int:
        """Characters at the head of every turn if an entry had this text."""
        others = (share.n_characters for share in self.shares if share.entry_id != entry_id)
        return sum(others) + len(text)


def entry_list_rows(
    entries: Sequence[NamedEntry],
    proposals: Sequence[Proposal],
    drafts: Sequence[EntryDraft],
    now: datetime,
) -> tuple[EntryListRow, ...]:
    """The list, top to bottom: the entries of both tiers.

    Args:
        entries: In the order in which agents read them.
        proposals: The undecided ones.
        drafts: Texts that were typed and not saved.
        now: Ages are counted up to here.
    """
    rows: list[EntryListRow] = []
    n_asked = Counter(one.target_id for one in proposals if one.kind is ProposalKind.NAMED_BODY)
    drafted = {one.entry_id: one for one in drafts}
    for tier, (inked, role) in _RINGS.items():
        group = [entry for entry in entries if entry.tier is tier]
        if group:
            rows.append(EntryHeading(f"heading:{tier.value}", tier_group(tier), inked, role))
            rows += (
                _entry_row(entry, n_asked[entry.id], drafted.get(entry.id), now) for entry in group
            )
    return tuple(rows)


def rail_mark(content: EntriesContent) -> RailMark:
    """How many entries there are, as the rail tells it."""
    n_entries = len(content.entries)
    return RailMark(n_entries, told=counted(n_entries, "1 entry", "{n} entries"))


def context_shares(entries: Iterable[NamedEntry]) -> tuple[ContextShare, ...]:
    """What each entry adds to the head of every turn."""
    seen: Counter[Tier] = Counter()
    shares = []
    for entry in entries:
        role = _RINGS[entry.tier][1]
        length = entry.n_characters if entry.is_standing else 0
        shares.append(ContextShare(entry.id, entry.name, length, role, bool(seen[entry.tier])))
        seen[entry.tier] += 1
    return tuple(shares)


def _entry_row(
    entry: NamedEntry, n_proposals: int, draft: EntryDraft | None, now: datetime
) -> EntryRow:
    at = entry.edited_at or entry.created_at
    state, is_urgent = "", False
    if draft is not None:
        state, is_urgent = tr("draft not saved"), True
    elif entry.is_template:
        state = tr("template, not sent")
    elif not entry.is_standing:
        state = tr("empty, not sent")
    age = tr("edited {age} ago") if entry.edited_at else tr("written {age} ago")
    heading = "" if entry.is_template else spelled_out(entry.heading)
    return EntryRow(
        id=entry.id,
        version=entry.version,
        name=entry.name,
        heading=heading or _unwritten(entry),
        age_label=age.format(age=relative_age(now - at)),
        length_label=characters_label(entry.n_characters),
        accessible_description=_described(entry, n_proposals, state, age, now),
        is_built_in=entry.is_built_in,
        n_proposals=n_proposals,
        state_label=state,
        is_urgent=is_urgent,
        tooltip=plain_tool_tip(tr("Last edit: {time}").format(time=exact_time(at))),
    )


def _unwritten(entry: NamedEntry) -> str:
    if not entry.is_built_in:
        return tr("Nothing written yet")
    if entry.tier is Tier.ACCOUNT:
        return tr("Say who the agent is with you")
    return tr("Say how this world should sound")


def _described(entry: NamedEntry, n_proposals: int, state: str, age: str, now: datetime) -> str:
    at = entry.edited_at or entry.created_at
    parts = [tier_group(entry.tier)]
    if entry.heading and not entry.is_template:
        parts.append(spelled_out(entry.heading))
    if entry.is_built_in:
        parts.append(tr("built in"))
    if state:
        parts.append(state)
    if n_proposals:
        parts.append(counted(n_proposals, "1 proposal", "{n} proposals"))
    parts.append(age.format(age=spoken_age(now - at)))
    n = entry.n_characters
    parts.append(counted(n, "1 character", "{n} characters"))
    return ", ".join(parts)


class EntryListModel(RowListModel[EntryListRow]):
    """Headings and named entries in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("id"), parent, text=_text, description=_description, tool_tip=_tooltip
        )

    def is_heading(self, row: EntryListRow) -> bool:
        return isinstance(row, EntryHeading)


def _text(row: EntryListRow) -> str:
    return row.name if isinstance(row, EntryRow) else row.text


def _description(row: EntryListRow) -> str:
    return row.accessible_description if isinstance(row, EntryRow) else ""


def _tooltip(row: EntryListRow) -> str | None:
    return None if isinstance(row, EntryHeading) else row.tooltip or None


_GUTTER = 20
_BAR = 3
_MARK = 14
_FIRST, _SECOND, _THIRD = 22.0, 42.0, 62.5
_BADGE_HEIGHT = 18
_BADGE_PADDING = 7
_GAP = 8


class EntryDelegate(RowDelegate):
    """Draws every row itself, from values that need no further work."""

    row_px = 83
    heading_px = 28

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._unsaved_id = ""

    def set_unsaved(self, entry_id: str) -> None:
        """Mark the entry whose text in the editor is not saved; none if empty."""
        self._unsaved_id = entry_id

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws one row."""
        row = index.data(RowRole.ROW)
        rect = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        theme = self._theme
        is_ringed = self._ring and bool(state & QStyle.StateFlag.State_HasFocus)
        begin_cell(painter, option.rect)
        if isinstance(row, EntryHeading):
            self._paint_heading(painter, rect, row)
        else:
            selected = bool(state & QStyle.StateFlag.State_Selected)
            if selected:
                painter.fillRect(rect, theme.color("selected"))
                if not is_ringed:  # the ring runs where the bar would be
                    bar = QRectF(rect.left(), rect.top(), _BAR, rect.height() - 1)
                    painter.fillRect(bar, theme.color("accent"))
            elif state & QStyle.StateFlag.State_MouseOver:
                painter.fillRect(rect, theme.color("hover"))
            if isinstance(row, EntryRow):
                self._paint_entry(painter, rect, row, selected=selected)
        self.paint_hairline(painter, rect)
        if is_ringed:
            self.paint_ring(painter, rect)
        painter.restore()

    # -- one kind of row each -------------------------------------------------------------

    def _paint_heading(self, painter: QPainter, rect: QRectF, row: EntryHeading) -> None:
        theme = self._theme
        left, middle = rect.left() + _GUTTER, rect.center().y() - 0.5
        edge = theme.icon_px(_MARK)
        mark = QRectF(left, middle - edge / 2, edge, edge)
        paint_tier_mark(painter, mark, row.inked, theme.color(row.role))
        font = theme.font("label")
        x = left + edge + _GAP
        self.write(painter, x, middle, row.text, font, "inkSoft")

    def _paint_entry(
        self, painter: QPainter, rect: QRectF, row: EntryRow, *, selected: bool
    ) -> None:
        left, right = rect.left() + _GUTTER, rect.right() - _GUTTER
        first, second, third = self._lines(rect)
        end = right
        if row.is_built_in:
            end = self._badge(painter, right, first, tr("built in"), selected=selected)
        width = self._name(painter, left, first, end - left, row.name)
        if row.id == self._unsaved_id:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("ochre"))
            painter.drawEllipse(QPointF(left + width + 9, first + 1), 3.5, 3.5)
        end = right
        if row.n_proposals:
            end = self._proposals(painter, right, second, row.n_proposals)
        self._elided(painter, left, second, end - left, row.heading, "inkSoft")
        small = self._theme.font("meta", px=12)
        length = QFontMetricsF(small).horizontalAdvance(row.length_label)
        self.write(painter, right - length, third, row.length_label, small, "inkFaint")
        room = right - length - _GAP - left
        if not row.state_label:
            self._elided(painter, left, third, room, row.age_label, "inkFaint")
            return
        icon, role = ("warning", "ochre") if row.is_urgent else ("circle-dashed", "inkFaint")
        edge = self._theme.draw_icon(painter, (round(left), third), icon, role, 14)
        self._elided(painter, left + edge + 5, third, room - edge - 5, row.state_label, role)

    # -- pieces ---------------------------------------------------------------------------

    def _lines(self, rect: QRectF) -> tuple[float, float, float]:
        """The middles of the three lines of a row."""
        scale = self._theme.text_scale
        first, second, third = (rect.top() + line * scale for line in (_FIRST, _SECOND, _THIRD))
        return first, second, third

    def _name(self, painter: QPainter, left: float, middle: float, room: float, text: str) -> float:
        font = self._theme.font("tab", px=16)
        return self.write(painter, left, middle, text, font, "ink", room=room) - left

    def _badge(
        self, painter: QPainter, right: float, middle: float, text: str, *, selected: bool
    ) -> float:
        """A word on a ground, ending at ``right``; returns where the name must end."""
        theme = self._theme
        font = theme.font("meta", px=12)
        width = QFontMetricsF(font).horizontalAdvance(text) + 2 * _BADGE_PADDING
        height = theme.scaled(_BADGE_HEIGHT)
        box = QRectF(right - width, middle - height / 2, width, height)
        theme.draw_box(painter, box, "surface" if selected else "graphiteSoft", "chip")
        self.write(painter, box.left() + _BADGE_PADDING, middle, text, font, "inkSoft")
        return box.left() - _GAP

    def _pill(self, painter: QPainter, right: float, middle: float, text: str) -> float:
        theme = self._theme
        font = theme.font("meta", px=12, weight=600, tabular=True)
        height = theme.scaled(_BADGE_HEIGHT)
        width = max(height, QFontMetricsF(font).horizontalAdvance(text) + 12)
        box = QRectF(right - width, middle - height / 2, width, height)
        theme.draw_box(painter, box, "lapisSoft", height / 2)
        x = box.center().x() - QFontMetricsF(font).horizontalAdvance(text) / 2
        self.write(painter, x, middle, text, font, "lapis")
        return box.left() - _GAP

    def _proposals(self, painter: QPainter, right: float, middle: float, count: int) -> float:
        told = counted(count, "1 proposal", "{n} proposals")
        return self._pill(painter, right, middle, told)

    def _elided(
        self,
        painter: QPainter,
        left: float,
        middle: float,
        room: float,
        text: str,
        role: str,
    ) -> None:
        font = self._theme.font("meta", px=13 if role == "inkSoft" else 12)
        self.write(painter, left, middle, text, font, role, room=room)

"""The named entries list: headings and entries as finished rows, as Qt sees and paints them."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStyle

from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.cells import Badge, Dot, Icon, Line, Rings, Said, Text
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import RailMark
from inklings_desktop.ui.kit.words.entry_facts import characters_label, tier_group
from inklings_desktop.ui.kit.words.memory_facts import exact_time, relative_age, spoken_age

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.entries.named_entry import EntryDraft, NamedEntry
    from inklings_desktop.ui.kit.look.cells import Cell


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
ROW_HEIGHT, HEADING_HEIGHT = 83, 28
_FIRST, _SECOND, _THIRD = 22.0, 42.0, 62.5


def said(unsaved_id: str, row: EntryListRow, state: QStyle.StateFlag) -> Said:
    """What a row of the list says.

    Args:
        unsaved_id: Id of the entry whose text in the editor is not saved; empty for none.
        row: The row.
        state: How it stands.
    """
    if isinstance(row, EntryHeading):
        cells = (Rings(row.inked, row.role), Text(row.text, "inkSoft", "label", gap=8))
        return Said((Line(cells),), _GUTTER, _GUTTER, hovered=None)
    return Said(
        (
            Line(_name(row, unsaved_id), _built_in(row, state), at=_FIRST),
            Line((Text(row.heading, "inkSoft", px=13),), _asked(row), at=_SECOND),
            Line(_state(row), (Text(row.length_label, "inkFaint", px=12, gap=8),), at=_THIRD),
        ),
        _GUTTER,
        _GUTTER,
    )


def _name(row: EntryRow, unsaved_id: str) -> tuple[Cell, ...]:
    name = Text(row.name, style="tab", px=16)
    return (name, Dot("ochre", gap=5.5)) if row.id == unsaved_id else (name,)


def _built_in(row: EntryRow, state: QStyle.StateFlag) -> tuple[Cell, ...]:
    words = Text(tr("built in"), "inkSoft", px=12)
    ground = "surface" if state & QStyle.StateFlag.State_Selected else "graphiteSoft"
    return (Badge(words, ground, height=18, gap=8),) if row.is_built_in else ()


def _asked(row: EntryRow) -> tuple[Cell, ...]:
    told = counted(row.n_proposals, "1 proposal", "{n} proposals")
    words = Text(told, "lapis", px=12, weight=600, tabular=True)
    pill = Badge(words, "lapisSoft", radius=None, height=18, padding=6, gap=8)
    return (pill,) if row.n_proposals else ()


def _state(row: EntryRow) -> tuple[Cell, ...]:
    if not row.state_label:
        return (Text(row.age_label, "inkFaint", px=12),)
    icon, role = ("warning", "ochre") if row.is_urgent else ("circle-dashed", "inkFaint")
    return (Icon(icon, role), Text(row.state_label, role, px=12, gap=5))

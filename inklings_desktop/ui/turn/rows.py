"""What the next turn holds, and the rows of it that are on show: sections, entries, memories."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.memory import MemoryEntry, Tier
    from inklings_desktop.domain.rooms.orientation import Orientation
    from inklings_desktop.ui.kit.lists.memory_row_layout import CuratorName
    from inklings_desktop.ui.kit.marks.meters import MeterShare
    from inklings_desktop.ui.kit.why.facts import WhyFacts


class LineKind(Enum):
    """What a thin line between memories says."""

    CUT = "cut"
    TURN = "turn"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class SectionRow:
    """The head of the standing slice or of one tier.

    Attributes:
        id: Unique in the list.
        text: Its name.
        detail: Its ranking rule and how much of it is sent.
        tier: Whose mark stands before it; the standing slice has none.
        link: What revealing or hiding the rest is called; empty where nothing is hidden.
        is_open: Whether the rest is on show.
    """

    id: str
    text: str
    detail: str
    tier: Tier | None = None
    link: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One named entry, folded to its first line.

    Attributes:
        id: Of the entry.
        name: In capitals.
        first_line: How it begins, without marks.
        figure: How many characters it takes.
        tier: Workspace or account.
        accessible_description: What a screen reader says beside the name.
        is_open: Whether its text stands below.
    """

    id: str
    name: str
    first_line: str
    figure: str
    tier: Tier
    accessible_description: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class BodyRow:
    """The whole text of the named entry above, as it is sent."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One memory of a section.

    Attributes:
        id: Of the memory.
        rank: Its place in the section.
        phrase: How it is introduced.
        excerpt: Its text on one line.
        curator: For the mark.
        curator_label: Who vouches for it.
        figure: Its age, score or relevance.
        figure_tip: What the figure is.
        is_sent: Whether the agent gets it.
        remark: Why it is not sent, where the line above does not say so.
        accessible_description: Everything beside the text.
    """

    id: str
    rank: str
    phrase: str
    excerpt: str
    curator: CuratorName
    curator_label: str
    figure: str
    figure_tip: str
    is_sent: bool
    remark: str
    accessible_description: str


@dataclass(frozen=True, slots=True)
class LineRow:
    """Something said between memories."""

    id: str
    kind: LineKind
    text: str


PreviewRow = SectionRow | EntryRow | BodyRow | CandidateRow | LineRow


def is_stop(row: PreviewRow) -> bool:
    """Whether the keyboard stops at a row: something can be opened or explained there."""
    return isinstance(row, EntryRow | CandidateRow) or (
        isinstance(row, SectionRow) and bool(row.link)
    )


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """What the document is built for.

    Attributes:
        workspace_id: The open workspace; empty before one is open.
        conversation: Id; None before any conversation.
        message: What the turn asks; empty without a message.
    """

    workspace_id: str = ""
    conversation: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class BudgetFacts:
    """How much of the budget is taken, and by what.

    Attributes:
        title: ``7,874 of 8,000 characters``.
        detail: The same in tokens, and what is left.
        shares: Named entries and every tier, in the order of the document.
        limit: Characters of the budget.
        notice: What is left out because the named entries take everything; usually empty.
    """

    title: str
    detail: str
    shares: tuple[MeterShare, ...]
    limit: int
    notice: str


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """One tier of the document.

    Attributes:
        tier: The tier.
        title: Its name.
        detail: Its ranking rule and how much of it is sent.
        candidates: Sent and left out, in order.
        n_matched: How many of them the message found; the others follow by relevance.
        n_sent: How many the agent gets.
        n_not_sent: How many of the tier it does not get, looked at or not.
        remark: Said of those that are not among the candidates; may be empty.
        empty: Said where there are none at all; else empty.
    """

    tier: Tier
    title: str
    detail: str
    candidates: tuple[CandidateRow, ...]
    n_matched: int
    n_sent: int
    n_not_sent: int
    remark: str
    empty: str


@dataclass(frozen=True, slots=True)
class PreviewContent:
    """The document and everything said about it.

    Attributes:
        request: What it was built for.
        budget: How much of the budget it takes.
        entries: The standing slice, folded.
        bodies: The text of each of its entries, by id.
        rules: The house rules that are sent.
        facts: The facts that are sent.
        sections: The tiers that are read.
        markdown: The exact text that is sent.
        document: What the engine returned.
        is_empty: Whether there is nothing at all to send.
    """

    request: PreviewRequest
    budget: BudgetFacts
    entries: tuple[EntryRow, ...]
    bodies: dict[str, str]
    rules: tuple[CandidateRow, ...]
    facts: tuple[CandidateRow, ...]
    sections: tuple[SectionFacts, ...]
    markdown: str
    document: Orientation = field(repr=False)
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """Why one memory stands where it stands in the document.

    Attributes:
        entry: The memory.
        badge: Tier and place: ``workspace, 1st``.
        content: Its text.
        why: How it was found, how strong it is, what put it there.
        sent: Whether the agent gets it, and if not, why not.
        is_sent: The same as a flag.
        phrase: How it is introduced.
        phrasing: Why that phrase.
    """

    entry: MemoryEntry
    badge: str
    content: str
    why: WhyFacts
    sent: str
    is_sent: bool
    phrase: str
    phrasing: str


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """Why a named entry is in the document.

    Attributes:
        name: Of the entry.
        badge: Its tier.
        text: Why it is sent.
    """

    name: str
    badge: str
    text: str


SECTION = "section:"
STANDING = f"{SECTION}standing"
SETTLED = f"{SECTION}settled"
AT_A_GLANCE = 2
"""Memories of a folded section; it folds only what would not fit into this many rows."""


def section_id(section: SectionFacts) -> str:
    """The row id of a tier's head."""
    return f"{SECTION}{section.tier.value}"


def is_section(row_id: str) -> bool:
    """Whether a row id is that of a section's head."""
    return row_id.startswith(SECTION)


def preview_rows(content: PreviewContent, opened: Collection[str]) -> tuple[PreviewRow, ...]:
    """The rows on show, top to bottom.

    Args:
        content: The document.
        opened: Row ids of the sections and entries that a person opened.
    """
    return (*_standing(content, opened), *_settled(content), *_tiers(content, opened))


def _settled(content: PreviewContent) -> Iterator[PreviewRow]:
    """Role, house rules, what the agent keeps and facts, in their order."""
    told = content.document.settled
    if not told.markdown:
        return
    rules = counted(len(told.rules), "1 house rule", "{n} house rules")
    facts = counted(len(told.facts), "1 fact", "{n} facts")
    yield SectionRow(SETTLED, tr("What is settled"), f"{rules}, {facts}")
    if told.role:
        yield LineRow(f"line:{SETTLED}", LineKind.REMARK, told.role)
    yield from content.rules
    if told.kept:
        yield BodyRow(f"body:{SETTLED}", told.kept)
    yield from content.facts


def _standing(content: PreviewContent, opened: Collection[str]) -> Iterator[PreviewRow]:
    yield SectionRow(STANDING, tr("Named entries"), tr("always first"))
    if not content.entries:
        yield LineRow("line:standing", LineKind.REMARK, tr("No named entry has text yet."))
    for entry in content.entries:
        if entry.id not in opened:
            yield entry
            continue
        yield replace(entry, is_open=True)
        yield BodyRow(f"body:{entry.id}", content.bodies[entry.id])


def _tiers(content: PreviewContent, opened: Collection[str]) -> Iterator[PreviewRow]:
    for section in content.sections:
        key = section_id(section)
        is_open = key in opened
        folded = _at_a_glance(section)
        hides = len(folded) < len(section.candidates)
        yield SectionRow(
            key,
            section.title,
            section.detail,
            section.tier,
            _link(section, folded, is_open=is_open) if hides else "",
            is_open=is_open and hides,
        )
        if section.empty:
            yield LineRow(f"line:{key}", LineKind.REMARK, section.empty)
        elif is_open or not hides:
            yield from _all(section, key)
        else:
            yield from folded


def _at_a_glance(section: SectionFacts) -> tuple[CandidateRow, ...]:
    sent = tuple(one for one in section.candidates if one.is_sent)
    return sent[:AT_A_GLANCE]


def _all(section: SectionFacts, key: str) -> Iterator[PreviewRow]:
    is_cut = False
    for place, row in enumerate(section.candidates):
        if not row.is_sent and not row.remark and not is_cut:
            is_cut = True
            yield LineRow(f"cut:{key}", LineKind.CUT, tr("Not sent: no room left"))
        if place == section.n_matched > 0:
            text = tr("The message did not find these; the most relevant first")
            yield LineRow(f"turn:{key}", LineKind.TURN, text)
        yield row
    if section.remark:
        yield LineRow(f"line:{key}", LineKind.REMARK, section.remark)


def _link(section: SectionFacts, folded: tuple[CandidateRow, ...], *, is_open: bool) -> str:
    if is_open:
        return tr("Show fewer")
    left_out = grouped(section.n_not_sent)
    if len(folded) == section.n_sent:
        return tr("Show {n} not sent").format(n=left_out)
    if not section.n_not_sent:
        return tr("Show all {n}").format(n=grouped(section.n_sent))
    return tr("Show all {n}, and {rest} not sent").format(n=grouped(section.n_sent), rest=left_out)


class PreviewListModel(RowListModel[PreviewRow]):
    """Sections, named entries and memories, in the order in which they are sent."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("id"), parent, text=_text, description=_description, tool_tip=_tool_tip
        )

    def is_heading(self, row: PreviewRow) -> bool:
        return not is_stop(row)


def _text(row: PreviewRow) -> str:
    match row:
        case SectionRow():
            return f"{row.text}, {row.detail}" if row.detail else row.text
        case EntryRow():
            return row.name
        case CandidateRow():
            return f"{row.rank}. {row.phrase} {row.excerpt}"
        case BodyRow() | LineRow():
            return row.text


def _description(row: PreviewRow) -> str:
    match row:
        case SectionRow():
            return row.link
        case EntryRow() | CandidateRow():
            return row.accessible_description
        case BodyRow() | LineRow():
            return ""


def _tool_tip(row: PreviewRow) -> str | None:
    return plain_tool_tip(row.figure_tip) if isinstance(row, CandidateRow) else None

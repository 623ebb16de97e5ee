"""Memories, working notes and why a search found them as rows; pure, run off the UI thread."""

from __future__ import annotations

import math
import re
from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from inklings_desktop.domain.memories.decay import age_hours, effective_rate, relevance_of
from inklings_desktop.domain.memories.listing import MemorySort, RelevanceBand, group_key
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.domain.words.query_text import match_spans
from inklings_desktop.ui.kit.lists.memory_row_layout import (
    CurveNumbers,
    HeadingRow,
    MemoryRow,
    NoteRow,
    Row,
)
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, reads_right_to_left
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import (
    KIND_ICONS,
    accessible_description,
    band_label,
    kind_label,
    lifetime_label,
    relative_age,
    tier_title,
    writer_label,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.listing import GroupCount
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.domain.search.explanation import Explanation
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.usecases.search.search_memories import SearchResult

EXCERPT_CHARACTERS = 400
TOOLTIP_CHARACTERS = 600
LEAD_CHARACTERS = 40
FIRST_LINES_CHARACTERS = 150
NOTE_ID_PREFIX = "note:"
HEADING_ID_PREFIX = "heading:"
LEARNED = "learned"
NOTES = "notes"

# None of these may begin anew inside what it has read already: every row of a list is an excerpt.
_BLOCK_MARK = re.compile(
    r"^[^\S\n]{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|\|?[^\S\n]*:?-{3,}.*$)", re.MULTILINE
)
_INLINE_MARK = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^)]{0,300}\)")
_BLANKS = re.compile(r"[ \t\r\f\v]+")


def _band_range(band: RelevanceBand) -> str:
    """Where a band of relevance lies."""
    return {
        RelevanceBand.VIVID: tr("1.00 and above"),
        RelevanceBand.STEADY: tr("0.30 to 1.00"),
        RelevanceBand.FADING: tr("0.01 to 0.30"),
        RelevanceBand.NEARLY_GONE: tr("below 0.01"),
    }[band]


@dataclass(frozen=True, slots=True)
class RowStyle:
    """How the rows of one list are made.

    Attributes:
        sort: Order of the list; decides headings and which age is shown.
        decay: Rates in force.
        as_of: The instant that ages and relevance are for.
        tier: Tier of the list.
        query: What was searched for; None while browsing.
        group_counts: Entries under each heading of the whole list.
    """

    sort: MemorySort
    decay: DecayConfig
    as_of: datetime
    tier: Tier
    query: KeywordQuery | None = None
    group_counts: Mapping[str, int] = field(default_factory=dict)


def memory_rows(entries: Iterable[MemoryEntry], style: RowStyle) -> tuple[Row, ...]:
    """The rows of one page, a heading above each new group.

    Args:
        entries: In list order.
        style: How to make them.
    """
    rows: list[Row] = []
    group = None
    for entry in entries:
        relevance = relevance_of(entry, style.decay, style.as_of)
        key = _group(entry, style, relevance)
        if key is not None and key != group:
            rows.append(_heading(key, style, captions=group is None))
            group = key
        rows.append(memory_row(entry, style, relevance))
    return tuple(rows)


def regrouped(rows: Iterable[Row], style: RowStyle, gone: Collection[str]) -> tuple[Row, ...]:
    """Rows of one page under the headings that they have by now.

    Args:
        rows: In list order, under those that they had.
        style: How many stand under each heading now; one above none goes.
        gone: Ids of rows that are left out.
    """
    found: list[Row] = []
    captions = True
    for row in rows:
        if row.id in gone:
            continue
        key = row.id.removeprefix(HEADING_ID_PREFIX) if isinstance(row, HeadingRow) else NOTES
        if key == NOTES:
            found.append(row)
        elif key == LEARNED or style.group_counts.get(key):
            found.append(_heading(key, style, captions=captions))
            captions = False
    return tuple(found)


def group_of(entry: MemoryEntry, style: RowStyle) -> str:
    """Among which of the counted ones a memory is."""
    return group_key(entry, style.sort, relevance_of(entry, style.decay, style.as_of))


def heading_places(style: RowStyle, groups: Sequence[GroupCount], n_above: int) -> dict[int, Row]:
    """The headings of a whole list by their places, from how many entries stand under each.

    Args:
        style: How to make them.
        groups: In list order.
        n_above: Rows above the first heading.
    """
    if style.tier is Tier.CONVERSATION:
        return {n_above: _heading(LEARNED, style, captions=True)} if groups else {}
    found: dict[int, Row] = {}
    place = n_above
    for group in groups:
        found[place] = _heading(group.key, style, captions=not found)
        place += 1 + group.count
    return found


def tier_heading(tier: Tier, count: int, *, captions: bool) -> HeadingRow:
    """The heading of one tier where all of them are searched."""
    detail = QLocale().toString(count) if count else tr("nothing here says that")
    return HeadingRow(
        f"{HEADING_ID_PREFIX}{tier.value}", tier_title(tier), detail, captions=captions
    )


def memory_row(entry: MemoryEntry, style: RowStyle, relevance: float) -> MemoryRow:
    """One memory, ready to paint."""
    text = excerpt(entry.content)
    spans = match_spans(text, style.query) if style.query else ()
    text, spans = _windowed(text, spans)
    rate = effective_rate(entry, style.decay)
    forgotten_label = ""
    if entry.forgotten_at is not None:
        forgotten_label = tr("forgotten {age} ago").format(
            age=relative_age(style.as_of - entry.forgotten_at)
        )
    return MemoryRow(
        id=entry.id,
        version=entry.version,
        excerpt=text,
        curator=entry.curator.value,
        writer_label=spelled_out(writer_label(entry)),
        source=spelled_out(entry.source),
        lifetime_label=lifetime_label(entry.lifetime),
        age_label=_age_label(entry, style),
        relevance=relevance,
        importance=entry.importance,
        curve=CurveNumbers(
            age_hours(entry, style.as_of),
            entry.importance * (1.0 + math.log1p(entry.access_count)),
            rate,
        ),
        accessible_description=accessible_description(entry, relevance, style.as_of),
        rtl=reads_right_to_left(text),
        highlights=spans,
        tags=tuple(map(spelled_out, entry.tags)),
        tooltip=_tooltip(entry.content),
        access_count=entry.access_count,
        derivation_count=len(entry.derived_from),
        has_embedding=entry.embedding_model is not None,
        agent_id=entry.agent_id and spelled_out(entry.agent_id),
        forgotten=entry.is_forgotten,
        forgotten_label=forgotten_label,
        paused=entry.paused,
        unreadable=entry.is_unreadable,
        pinned=entry.pinned,
        locked=entry.locked,
        kind_label=kind_label(entry.kind),
        kind_icon=KIND_ICONS[entry.kind],
    )


def note_rows(notes: Sequence[WorkingNote], as_of: datetime) -> tuple[Row, ...]:
    """Working notes under their own heading; nothing when there are none."""
    if not notes:
        return ()
    heading = HeadingRow(
        f"{HEADING_ID_PREFIX}{NOTES}",
        tr("Working Notes"),
        counted(
            len(notes),
            "1, kept by the agent while it works",
            "{n}, kept by the agent while it works",
        ),
    )
    return (heading, *(note_row(note, as_of) for note in notes))


def note_id(note: WorkingNote) -> str:
    """The row id of a working note."""
    return f"{NOTE_ID_PREFIX}{note.conversation_id}:{note.key}"


def excerpt(content: str) -> str:
    """The text on one line: Markdown marks gone, line breaks as a middle dot, blanks folded."""
    head = content[: EXCERPT_CHARACTERS * 10]
    plain = _INLINE_MARK.sub("", _LINK.sub(r"\1", _BLOCK_MARK.sub("", head)))
    lines = (line.strip() for line in plain.replace("|", " ").split("\n"))
    plain = " \u00b7 ".join(filter(None, lines))
    return _BLANKS.sub(" ", plain).strip(" \u00b7") or content.strip()[:EXCERPT_CHARACTERS]


def _windowed(
    text: str, spans: tuple[tuple[int, int], ...]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of a long text that a row can show, begun near the first match."""
    start = 0
    if spans and spans[0][0] > FIRST_LINES_CHARACTERS:
        start = max(text.rfind(" ", 0, spans[0][0] - LEAD_CHARACTERS) + 1, 0)
    lead = "\u2026 " if start else ""
    shown = lead + text[start : start + EXCERPT_CHARACTERS]
    moved = (
        (position - start + len(lead), length) for position, length in spans if position >= start
    )
    return shown, tuple(span for span in moved if sum(span) <= len(shown))


def _group(entry: MemoryEntry, style: RowStyle, relevance: float) -> str | None:
    if style.query is not None:
        return None
    if style.tier is Tier.CONVERSATION:
        return LEARNED
    return group_key(entry, style.sort, relevance)


def _heading(key: str, style: RowStyle, *, captions: bool) -> HeadingRow:
    locale = QLocale()
    count = sum(style.group_counts.values()) if key == LEARNED else style.group_counts.get(key)
    # Months before the last 200 years of a list are counted as one: rather no figure than 0.
    title, detail = key, "" if count is None else locale.toString(count)
    if key == LEARNED:
        title = tr("Learned in this conversation")
    elif key == "never":
        title = tr("Never read")
    elif style.sort is MemorySort.RELEVANCE:
        band = RelevanceBand(key)
        title, detail = band_label(band), f"{_band_range(band)}, {detail}"
    elif style.sort is MemorySort.IMPORTANCE:
        low = float(key)
        title = tr("Importance {low} to {high}").format(
            low=locale.toString(low, "f", 1), high=locale.toString(low + 0.1, "f", 1)
        )
    else:
        year, month = map(int, key.split("-"))
        title = locale.toString(QDate(year, month, 1), "MMMM yyyy")
    return HeadingRow(f"{HEADING_ID_PREFIX}{key}", title, detail, captions=captions)


def _age_label(entry: MemoryEntry, style: RowStyle) -> str:
    by_creation = style.sort in {MemorySort.NEWEST, MemorySort.OLDEST} and style.query is None
    if by_creation:
        return tr("{age} old").format(age=relative_age(style.as_of - entry.created_at))
    if entry.accessed_at is None:
        return tr("never read")
    return tr("read {age} ago").format(age=relative_age(style.as_of - entry.accessed_at))


def note_row(note: WorkingNote, as_of: datetime) -> NoteRow:
    """One working note, ready to paint."""
    age = tr("written {age} ago").format(age=relative_age(as_of - note.updated_at))
    return NoteRow(
        note_id(note),
        spelled_out(note.key),
        spelled_out(_BLANKS.sub(" ", note.value_json.replace("\n", " "))[:EXCERPT_CHARACTERS]),
        age,
        tr("Working Note, read-only, {age}").format(age=age),
    )


def _tooltip(content: str) -> str:
    if len(content) <= TOOLTIP_CHARACTERS:
        return plain_tool_tip(content)
    return plain_tool_tip(content[: TOOLTIP_CHARACTERS - 1] + "\u2026")


_LONGEST = 60


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One memory of the table.

    Attributes:
        name: How its text begins.
        by: What it was found by: words, meaning or both.
    """

    name: str
    by: str


def found_lines(results: Iterable[SearchResult], ids: AbstractSet[str]) -> tuple[FoundLine, ...]:
    """The lines of these memories, in the order of the hits."""
    return tuple(
        FoundLine(excerpt(hit.entry.content)[:_LONGEST], _found_by(hit.explanation))
        for result in results
        for hit in result.hits
        if hit.entry.id in ids
    )


def found_title(sought: str) -> str:
    """What stands above the table."""
    shown = sought if len(sought) <= _LONGEST // 2 else f"{sought[: _LONGEST // 2 - 1]}\u2026"
    return tr("Why \u201c{text}\u201d found these").format(text=shown)


def _found_by(explanation: Explanation) -> str:
    if explanation.keyword_rank is None:
        return tr("meaning")
    return tr("words") if explanation.semantic_rank is None else tr("words and meaning")

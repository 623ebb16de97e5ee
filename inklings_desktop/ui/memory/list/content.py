"""What the memory list is asked for, what it shows, and what stands beside the hits of a search."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import EVERYTHING, Facets, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_lines import RowStyle, memory_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.search_memories import SearchRequest


SEARCH_LIMIT = 200


class Emptiness(Enum):
    """Why a list shows nothing."""

    NOTHING_HERE = "nothing_here"
    NO_MATCH = "no_match"


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What the list is asked to show.

    Attributes:
        scopes: Scope keys of one tier.
        where: Filters.
        sort: Order while browsing.
        text: What is searched for; empty means browsing.
        mode: By words and meaning, or by words alone.
        with_notes: Whether working notes are shown (conversation tier).
        with_memories: Whether learned memories are shown beside them.
        elsewhere: Scope keys of the other tiers, a tuple for each, that a search looks through as
            well; every tier is a list of its own. Empty while one tier is searched, and while
            browsing.
        with_set_aside: Whether what a search would have found, were it not paused, forgotten or
            in an archived room, stands below what it found.
    """

    scopes: tuple[ScopeKey, ...] = ()
    where: MemoryFilter = EVERYTHING
    sort: MemorySort = MemorySort.NEWEST
    text: str = ""
    mode: SearchMode = SearchMode.HYBRID
    with_notes: bool = True
    with_memories: bool = True
    elsewhere: tuple[tuple[ScopeKey, ...], ...] = ()
    with_set_aside: bool = False

    @property
    def tier(self) -> Tier:
        """Tier of the list; workspace while nothing is asked for."""
        return self.scopes[0].tier if self.scopes else Tier.WORKSPACE

    @property
    def is_search(self) -> bool:
        """Whether a text is looked for."""
        return bool(self.sought)

    @property
    def sought(self) -> str:
        """What is looked for: the text, and the words of the phrases that are asked for."""
        return " ".join((*filter(None, [self.text.strip()]), *sorted(self.where.phrases)))


@dataclass(frozen=True, slots=True)
class Beside:
    """What a search did not find although it says what was looked for.

    Attributes:
        archived: In archived rooms of the tier, while all its open rooms are searched.
        paused: Paused, in rooms of either kind.
        forgotten: Forgotten, in rooms of either kind.
        is_complete: Whether there is no more of it.
    """

    archived: tuple[MemoryEntry, ...] = ()
    paused: tuple[MemoryEntry, ...] = ()
    forgotten: tuple[MemoryEntry, ...] = ()
    is_complete: bool = True

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """All of them, in the order in which they are shown."""
        return self.archived + self.paused + self.forgotten


@dataclass(frozen=True, slots=True)
class ListContent:
    """What the list shows.

    Attributes:
        rows: From the top: all of them, or the first page of ``n_rows``.
        n_memories: Memories in the whole list, or found.
        n_notes: Working notes of the place.
        emptiness: Why nothing is shown; None while something is.
        answered_by: Search mode that answered; None while browsing.
        facets: Values by which this place can be filtered.
        counted: Those among what a search found, to be chosen from; None while browsing.
        request: What was asked for.
        n_rows: How long the whole list is, headings included; 0 where ``rows`` is all of it.
        headings: The headings of the whole list by their places; empty where ``rows`` is all of it.
        is_cut: Whether a search found more than it shows: these are the best of them.
        far: Rows below the first page that were looked at before, read anew, by their places.
        lacks_facets: Whether the values are read after it; so far it is known how many memories are
            forgotten, or that some are: nothing on show gives way when the rest comes.
        set_aside: How many memories at the end are no hits, but say what was searched for.
    """

    rows: tuple[Row, ...]
    n_memories: int
    n_notes: int
    emptiness: Emptiness | None
    answered_by: SearchMode | None
    facets: Facets
    request: ListRequest
    n_rows: int = 0
    headings: Mapping[int, Row] = field(default_factory=dict)
    far: Mapping[int, Row] = field(default_factory=dict)
    is_cut: bool = False
    lacks_facets: bool = False
    set_aside: int = 0
    counted: Facets | None = None


def selectable_ids(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Ids of the rows that can be opened, top to bottom."""
    return tuple(row.id for row in rows if isinstance(row, MemoryRow | NoteRow))


def beside_of(
    inklings: Inklings, lists: Sequence[tuple[ScopeKey, ...]], asked: SearchRequest
) -> Beside:
    """What stands beside the hits of a search; runs on a reader.

    Args:
        inklings: The opened data root; whoever looks through an agent's eyes is told of nothing.
        lists: The scope keys of each list that the search made.
        asked: What was looked for.
    """
    found = Beside()
    if inklings.caller.is_agent:
        return found
    for scopes in lists:
        archived = _archived_rooms(inklings, scopes)
        aside = inklings.search.find_set_aside((*scopes, *archived), asked)
        # By words alone: what is beside the hits need not be ranked against them.
        by_words = replace(asked, mode=SearchMode.KEYWORD)
        hits = inklings.search.find(archived, by_words).hits
        found = Beside(
            found.archived + tuple(hit.entry for hit in hits),
            found.paused + aside.paused,
            found.forgotten + aside.forgotten,
            found.is_complete and aside.is_complete,
        )
    return found


def beside_line(found: Beside) -> str:
    """``2 paused memories match too``; empty if there is nothing to tell."""
    parts = []
    if n := len(found.paused):
        parts.append(counted(n, "1 paused memory", "{n} paused memories"))
    if n := len(found.forgotten):
        parts.append(
            counted(n, "1 forgotten", "{n} forgotten")
            if parts
            else counted(n, "1 forgotten memory", "{n} forgotten memories")
        )
    if n := len(found.archived):
        parts.append(
            counted(n, "1 in an archived room", "{n} in archived rooms")
            if parts
            else counted(n, "1 memory in an archived room", "{n} memories in archived rooms")
        )
    if not parts:
        return ""
    *first, last = parts
    listed = tr("{first} and {last}").format(first=", ".join(first), last=last) if first else last
    line = counted(len(found.entries), "{what} matches too", "{what} match too").format(what=listed)
    return line if found.is_complete else tr("{line}, among the latest").format(line=line)


def beside_rows(found: Beside, style: RowStyle) -> tuple[Row, ...]:
    """Each kind under a heading of its own, to stand below what was found."""
    parts = (
        ("archived", tr("In archived rooms"), found.archived),
        ("paused", tr("Paused: never retrieved until resumed"), found.paused),
        ("forgotten", tr("Forgotten: never retrieved"), found.forgotten),
    )
    rows: tuple[Row, ...] = ()
    for key, title, entries in parts:
        if entries:
            rows += (HeadingRow(f"heading:{key}", title, grouped(len(entries))),)
            rows += memory_rows(entries, style)
    return rows


def _archived_rooms(inklings: Inklings, scopes: Sequence[ScopeKey]) -> tuple[ScopeKey, ...]:
    """The archived rooms of a tier of which every open room is searched; none else."""
    workspace_id = scopes[0].workspace_id if scopes else None
    if workspace_id is None or scopes[0].tier is Tier.WORKSPACE:
        return ()
    searched = {scope.key for scope in scopes}
    place: Callable[[str, str], ScopeKey]
    if scopes[0].tier is Tier.CHANNEL:
        channels = inklings.places.channels(workspace_id, include_archived=True)
        rooms = {one.id: one.archived_at is not None for one in channels}
        place = ScopeKey.channel
    else:
        talks = inklings.places.conversations(workspace_id, include_archived=True)
        rooms = {one.id: one.state is ConversationState.ARCHIVED for one in talks}
        place = ScopeKey.conversation
    if not searched.issuperset(one for one, is_archived in rooms.items() if not is_archived):
        return ()  # one room alone is searched
    return tuple(
        place(workspace_id, one)
        for one, is_archived in rooms.items()
        if is_archived and one not in searched
    )

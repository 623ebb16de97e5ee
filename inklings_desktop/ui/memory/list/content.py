"""What the memory list is asked for, and what it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    MemoryFilter,
    MemorySort,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.lists.memory_rows import MemoryRow, NoteRow, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.memories.listing import Facets
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey


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


def selectable_ids(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Ids of the rows that can be opened, top to bottom."""
    return tuple(row.id for row in rows if isinstance(row, MemoryRow | NoteRow))

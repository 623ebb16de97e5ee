"""Which memories a search would have found, were they not paused or forgotten; the person's."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.query_text import (
    holds_any,
    keyword_query,
    match_spans,
    openings_of,
)
from inklings_desktop.usecases.search.one_file import one_file_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.search.search_memories import SearchRequest

LOOKED_THROUGH = 1_000
"""Most paused and most forgotten memories that one search looks through, the latest first."""
MOST_SHOWN = 100
"""Most of each that it hands out."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """What says a searched word and is never retrieved; the latest written first.

    Attributes:
        paused: Memories that are active and paused.
        forgotten: Memories that are forgotten.
        is_complete: Whether there is no more of it among what is set aside.
    """

    paused: tuple[MemoryEntry, ...] = ()
    forgotten: tuple[MemoryEntry, ...] = ()
    is_complete: bool = True

    def __len__(self) -> int:
        return len(self.paused) + len(self.forgotten)


def set_aside(asked: Asked, scopes: Sequence[ScopeKey], request: SearchRequest) -> SetAside:
    """The memories that say one of the words and meet the filter of the request."""
    caller = asked.caller
    authorize_management(caller)
    authorize(caller, Action.READ, *scopes)
    query = keyword_query(request.text, last_word_is_open=request.last_word_is_open)
    where = request.where
    if query.is_empty or not scopes or where.attention is not None:
        return SetAside()  # what is worth a look is active
    with asked.store.read(one_file_of(scopes)) as view:
        held = [
            view.memories.set_aside(scopes, paused=paused, limit=LOOKED_THROUGH + 1)
            for paused in (True, False)
        ]
    paused, forgotten = (
        tuple(islice(_meant(entries[:LOOKED_THROUGH], query, where), MOST_SHOWN + 1))
        for entries in held
    )
    is_complete = (
        max(map(len, held)) <= LOOKED_THROUGH and max(len(paused), len(forgotten)) <= MOST_SHOWN
    )
    return SetAside(paused[:MOST_SHOWN], forgotten[:MOST_SHOWN], is_complete)


def _meant(
    entries: Sequence[MemoryEntry], query: KeywordQuery, where: MemoryFilter
) -> Iterator[MemoryEntry]:
    openings = openings_of(query)
    for entry in entries:
        texts = (entry.content, " ".join(entry.tags))
        likely = [text for text in texts if holds_any(text, openings)]
        if any(match_spans(text, query) for text in likely) and where.admits(entry):
            yield entry

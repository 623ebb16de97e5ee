"""Pages of one tier: what to show, in which order, and where a page ends."""

from __future__ import annotations

import base64
import json
import math
import string
from collections import Counter
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import month_key, month_number
from inklings_desktop.domain.words.phrases import says

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inklings_desktop.domain.memories.decay import AttentionKind
    from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, MemoryKind

PAGE_LIMIT = 200
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class MemorySort(StrEnum):
    """Orders of a list; equal keys fall back to the later written first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LAST_READ = "last_read"
    RELEVANCE = "relevance"
    IMPORTANCE = "importance"


class MemoryState(StrEnum):
    """Which memories a list holds."""

    ACTIVE = "active"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What a memory must be to be listed or found; empty sets do not filter.

    Attributes:
        sources: One of these sources.
        curators: One of these curators.
        writers: Written by one of these, as ``MemoryEntry.by`` names them: clients, or ``author``.
        lifetimes: One of these lifetimes.
        tags: At least one of these tags, in whatever case.
        importance_min: Importance at least this.
        importance_max: Importance at most this.
        written_since: Written at this instant or later.
        written_before: Written before this instant.
        phrases: Every one of these stands word by word in its text or its tags.
        state: Active or forgotten.
        without_embedding: Only entries without a vector.
        attention: Only what stands in this list of things worth a look.
        kinds: One of these kinds.
        domains: In one of these domains, by id.
        topic: A fact of this topic, or of one that begins with it and a stroke; as it is compared.
        sequences: Only these memories: what stood in that list when it was looked up. Set by the
            use cases, which know model and rates; a repository refuses ``attention`` without it.

    Raises:
        InvalidValueError: The importance bounds are not numbers from 0 to 1.
    """

    sources: frozenset[str] = frozenset()
    curators: frozenset[Curator] = frozenset()
    writers: frozenset[str] = frozenset()
    lifetimes: frozenset[Lifetime] = frozenset()
    tags: frozenset[str] = frozenset()
    importance_min: float = 0.0
    importance_max: float = 1.0
    written_since: datetime | None = None
    written_before: datetime | None = None
    phrases: frozenset[str] = frozenset()
    state: MemoryState = MemoryState.ACTIVE
    without_embedding: bool = False
    attention: AttentionKind | None = None
    kinds: frozenset[MemoryKind] = frozenset()
    domains: frozenset[str] = frozenset()
    topic: str = ""
    sequences: frozenset[int] | None = None

    def __post_init__(self) -> None:
        for bound in (self.importance_min, self.importance_max):
            if not math.isfinite(bound) or not 0.0 <= bound <= 1.0:
                raise InvalidValueError("importance", "range")

    @property
    def without_values(self) -> MemoryFilter:
        """The same, whatever source, curator, writer, lifetime, tags and kind a memory has."""
        none: frozenset[Any] = frozenset()
        return replace(
            self, sources=none, curators=none, writers=none, lifetimes=none, tags=none, kinds=none
        )

    def admits(self, entry: MemoryEntry) -> bool:
        """Whether a memory's values are what is asked for, its state left aside."""
        return (
            (not self.sources or entry.source in self.sources)
            and (not self.curators or entry.curator in self.curators)
            and (not self.writers or entry.by in self.writers)
            and (not self.lifetimes or entry.lifetime in self.lifetimes)
            and (not self.tags or not self.tag_forms.isdisjoint(map(ascii_lower, entry.tags)))
            and self.importance_min <= entry.importance <= self.importance_max
            and (self.written_since is None or entry.created_at >= self.written_since)
            and (self.written_before is None or entry.created_at < self.written_before)
            and all(_is_said(phrase, entry) for phrase in self.phrases)
            and (not self.kinds or entry.kind in self.kinds)
            and (not self.domains or entry.domain_id in self.domains)
            and not (self.without_embedding and entry.embedding_model is not None)
        )

    @property
    def tag_forms(self) -> frozenset[str]:
        """How its tags are written, each in the usual cases, as ``ascii_lower`` leaves them."""
        cases = (str, str.lower, str.upper, str.title, str.capitalize, str.casefold)
        return frozenset(ascii_lower(case(tag)) for tag in self.tags for case in cases)

    @property
    def selects_by_value(self) -> bool:
        """Whether anything but the state is filtered."""
        return bool(
            self.sources
            or self.curators
            or self.writers
            or self.lifetimes
            or self.tags
            or self.without_embedding
            or self.attention is not None
            or self.sequences is not None
            or self.written_since is not None
            or self.written_before is not None
            or self.phrases
            or self.importance_min > 0.0
            or self.importance_max < 1.0
            or self.kinds
            or self.domains
            or self.topic
        )

    @property
    def selects_by_kind_alone(self) -> bool:
        """Whether it asks for certain kinds, and for nothing else but a state."""
        return bool(self.kinds) and not replace(self, kinds=frozenset()).selects_by_value


def ascii_lower(text: str) -> str:
    """Text with the letters A to Z in lower case, as the database folds it."""
    return text.translate(_ASCII_LOWER)


def _is_said(phrase: str, entry: MemoryEntry) -> bool:
    return says(entry.content, phrase) or says(" ".join(entry.tags), phrase)


EVERYTHING = MemoryFilter()


@dataclass(frozen=True, slots=True)
class PageCursor:
    """Where the next page begins.

    Attributes:
        value: Sort value of the last row shown.
        sequence: Its sequence, which breaks ties.
        as_of: The instant that relevance was computed for; every page of one list shares it.
    """

    value: float
    sequence: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class PageOffset:
    """Where a page begins that is jumped to, rather than reached page by page.

    Attributes:
        n_before: Memories of the list that stand before it.
        as_of: The instant that relevance was computed for; every page of one list shares it.
    """

    n_before: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class GroupCount:
    """How many entries share one heading, in list order.

    Attributes:
        key: ``2026-03`` for dates (by the wall clock of this machine), ``never`` for entries never
            read, band name for relevance, ``0.9`` for tenths of importance.
        count: Entries in the whole list under this heading.
    """

    key: str
    count: int


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One page of a list.

    Attributes:
        entries: In list order.
        next: Where the next page begins; None at the end.
        total: Entries in the whole list; None on pages after the first.
        groups: Headings with their counts; empty on pages after the first.
        as_of: The instant that relevance was computed for.
    """

    entries: tuple[MemoryEntry, ...]
    next: PageCursor | None
    total: int | None
    groups: tuple[GroupCount, ...]
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Facets:
    """Values in use in one tier, with how many active memories carry each; most used first."""

    sources: tuple[tuple[str, int], ...]
    curators: tuple[tuple[str, int], ...]
    writers: tuple[tuple[str, int], ...]
    lifetimes: tuple[tuple[str, int], ...]
    tags: tuple[tuple[str, int], ...]
    without_embedding: int
    forgotten: int
    kinds: tuple[tuple[str, int], ...] = ()

    def without(self, gone: Sequence[MemoryEntry]) -> Facets:
        """The same once these active memories are forgotten."""
        return Facets(
            _less(self.sources, map(attrgetter("source"), gone)),
            _less(self.curators, map(attrgetter("curator.value"), gone)),
            _less(self.writers, map(attrgetter("by"), gone)),
            _less(self.lifetimes, map(attrgetter("lifetime.value"), gone)),
            _less(self.tags, chain.from_iterable(map(attrgetter("tags"), gone))),
            self.without_embedding - sum(one.embedding_model is None for one in gone),
            self.forgotten + len(gone),
            _less(self.kinds, map(attrgetter("kind.value"), gone)),
        )


def facets_among(entries: Sequence[MemoryEntry], where: MemoryFilter) -> Facets:
    """Values among some active memories, each counted as if its own kind were not filtered by.

    What is ticked in one kind leaves the others to choose from in that kind counted.

    Args:
        entries: What could be listed were nothing asked of sources, curators, writers, lifetimes,
            tags and kinds.
        where: What is asked.
    """
    none: frozenset[Any] = frozenset()

    def counted(
        others: MemoryFilter, values: Callable[[MemoryEntry], Iterable[str]]
    ) -> tuple[tuple[str, int], ...]:
        return most_used_first(
            Counter(value for one in entries if others.admits(one) for value in values(one))
        )

    return Facets(
        counted(replace(where, sources=none), lambda one: (one.source,)),
        counted(replace(where, curators=none), lambda one: (one.curator.value,)),
        counted(replace(where, writers=none), lambda one: (one.by,)),
        counted(replace(where, lifetimes=none), lambda one: (one.lifetime.value,)),
        counted(replace(where, tags=none), lambda one: one.tags),
        sum(where.admits(one) and one.embedding_model is None for one in entries),
        0,
        counted(replace(where, kinds=none), lambda one: (one.kind.value,)),
    )


def most_used_first(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Values with how many carry each; those that nobody carries are left out."""
    used = +Counter(counts)
    return tuple(sorted(used.items(), key=lambda item: (-item[1], item[0])))


def _less(values: tuple[tuple[str, int], ...], gone: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts = Counter(dict(values))
    counts.subtract(gone)
    return most_used_first(counts)


class RelevanceBand(StrEnum):
    """The four bands by which relevance is drawn and grouped."""

    VIVID = "vivid"
    STEADY = "steady"
    FADING = "fading"
    NEARLY_GONE = "nearly_gone"


BAND_FLOORS = {
    RelevanceBand.VIVID: 1.0,
    RelevanceBand.STEADY: 0.3,
    RelevanceBand.FADING: 0.01,
    RelevanceBand.NEARLY_GONE: 0.0,
}


def band_of(relevance: float) -> RelevanceBand:
    """The band of a relevance; floors belong to the band above."""
    for band, floor in BAND_FLOORS.items():
        if relevance >= floor:
            return band
    return RelevanceBand.NEARLY_GONE


def group_key(entry: MemoryEntry, sort: MemorySort, relevance: float) -> str:
    """The heading an entry stands under in this order."""
    if sort is MemorySort.RELEVANCE:
        return band_of(relevance).value
    if sort is MemorySort.IMPORTANCE:
        return f"{min(math.floor(entry.importance * 10 + 1e-9), 9) / 10:.1f}"
    if sort is MemorySort.LAST_READ:
        return "never" if entry.accessed_at is None else month_key(month_number(entry.accessed_at))
    return month_key(month_number(entry.created_at))


MAX_SEQUENCE = 2**63 - 1


def token_of(cursor: PageCursor, sort: MemorySort) -> str:
    """The end of a page as one word that goes through any shell."""
    parts = [sort.value, cursor.value, cursor.sequence, cursor.as_of.isoformat()]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def cursor_of(token: str, sort: MemorySort) -> PageCursor:
    """The end of the page that gave this token.

    Raises:
        InvalidValueError: No page gave it, or one of another order.
    """
    try:
        padded = token + "=" * (-len(token) % 4)
        order, value, sequence, as_of = json.loads(base64.urlsafe_b64decode(padded))
        cursor = PageCursor(float(value), int(sequence), datetime.fromisoformat(as_of))
    except (ValueError, TypeError, OverflowError):
        raise InvalidValueError("page", "unknown") from None
    is_possible = not math.isnan(cursor.value) and 0 <= cursor.sequence <= MAX_SEQUENCE
    if not is_possible or cursor.as_of.tzinfo is None:
        raise InvalidValueError("page", "unknown")
    if order != sort.value:
        raise InvalidValueError("page", "other_order")
    return cursor

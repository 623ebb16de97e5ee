"""What stands under a scope key, as a scrub counts it: what goes, what stays, and their digest.

The digest covers kind, id and version alone. Reading a memory or letting its relevance fade
changes nothing in it, so a dry run stays good until somebody writes.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import (
    CHOSEN_SAMPLE,
    MEMORY_KINDS,
    RUN_KINDS,
    SAMPLE_SIZE,
    Breakdown,
    ChosenScope,
    ScrubKind,
    ScrubSample,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.domain.scrub.manifest import ScrubMode

BEGINS_CHARACTERS = 120
PROPOSAL, DRAFT, QUESTION = "proposal", "draft", "golden_question"
FILTER, PAGE_VERSION = "saved_filter", "page_version"
"""Words for what goes alongside."""
WELL_KNOWN_SOURCES = frozenset({
    "agent", "consolidation", "import", "orchestrator", "researcher", "summary", "system", "user",
})  # fmt: skip
"""Sources that the event log may name; any other is free text, and counts as ``other``."""
OTHER_SOURCE = "other"

Said = tuple[tuple[str, str], ...]
"""Ids of memories, each with a text that it has or had."""
_OF_A_TIER = MEMORY_KINDS | {ScrubKind.WORKING_NOTE}
_ORDER = {
    ScrubKind.NAMED_ENTRY: 0,
    **dict.fromkeys(MEMORY_KINDS, 1),
    ScrubKind.DOMAIN: 2,
    ScrubKind.WORKING_MEMORY: 2,
    ScrubKind.SKILL: 2,
    ScrubKind.ACTIVITY: 2,
    ScrubKind.WORKING_NOTE: 2,
    ScrubKind.MESSAGE: 3,
    **dict.fromkeys(RUN_KINDS, 4),
}


@dataclass(frozen=True, slots=True)
class Doomed:
    """One of the things that would go.

    Attributes:
        kind: What it is.
        id: Its id; the key of a working note.
        version: Changes with every write to it, and with nothing else.
        begins: The beginning of its text, as stored.
        curator: ``author``, ``agent`` or ``import``.
        source: Who produced a memory; None for the rest.
        lifetime: Of a memory; None for the rest.
        relevance: A memory's, today; None for the rest.
        is_forgotten: Whether a memory was forgotten, or a named entry deleted, before.
        tier: Of a memory or working note; None for the rest.
    """

    kind: ScrubKind
    id: str
    version: int
    begins: str
    curator: str
    source: str | None = None
    lifetime: str | None = None
    relevance: float | None = None
    is_forgotten: bool = False
    tier: Tier | None = None

    @property
    def sample(self) -> ScrubSample:
        """As a person recognises it."""
        begins = " ".join(self.begins.split())[:BEGINS_CHARACTERS]
        return ScrubSample(
            self.id, self.kind, begins, self.curator, self.relevance, self.is_forgotten
        )


@dataclass(frozen=True, slots=True)
class Spared:
    """A named entry of the tier that stays.

    Attributes:
        id: Its id.
        version: Its version.
        name: Its name.
        is_deleted: Whether it is only there to be brought back.
    """

    id: str
    version: int
    name: str
    is_deleted: bool = False


@dataclass(frozen=True, slots=True)
class ScrubContents:
    """Everything one scrub is about, in one state of the file.

    Attributes:
        scope: The tier and scope key.
        mode: What is spared.
        going: What would go and counts in the phrase.
        alongside: What goes with it without being counted, drafts, proposals, golden questions,
            saved filters and kept versions of pages: word, id and version.
        spared: Named entries of the tier that stay.
    """

    scope: ScopeKey
    mode: ScrubMode
    going: tuple[Doomed, ...]
    alongside: tuple[tuple[str, str, int], ...]
    spared: tuple[Spared, ...]

    @property
    def n_proposals(self) -> int:
        """Proposals about what would go."""
        return sum(word == PROPOSAL for word, _, _ in self.alongside)

    @property
    def n_questions(self) -> int:
        """Golden questions asked of what would go."""
        return sum(word == QUESTION for word, _, _ in self.alongside)

    @property
    def n_filters(self) -> int:
        """Saved filters of what would go."""
        return sum(word == FILTER for word, _, _ in self.alongside)

    @property
    def n_versions(self) -> int:
        """Kept versions of pages; the pages stay as they are."""
        return sum(word == PAGE_VERSION for word, _, _ in self.alongside)

    @property
    def digest(self) -> str:
        """SHA-256 over scope, mode, and kind, id and version of what goes and what stays."""
        scope = (self.scope.tier.value, self.scope.workspace_id or "", self.scope.key)
        digest = hashlib.sha256("\t".join((*scope, self.mode.value)).encode())
        for line in sorted(self._lines()):
            digest.update(f"\n{line}".encode())
        return digest.hexdigest()

    @property
    def memories(self) -> tuple[Doomed, ...]:
        """The memories that would go."""
        return tuple(one for one in self.going if one.kind in MEMORY_KINDS)

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the named entries that stay and are there."""
        return tuple(one.name for one in self.spared if not one.is_deleted)

    def by_kind(self) -> Breakdown:
        """Counts of everything that would go."""
        return breakdown(one.kind.value for one in self.going)

    def by_tier(self) -> Breakdown:
        """Memories and working notes by tier."""
        tier = self.scope.tier
        return breakdown((one.tier or tier).value for one in self.going if one.kind in _OF_A_TIER)

    def sample(self) -> tuple[ScrubSample, ...]:
        """The first of them: named entries, then the most relevant memories, then working notes."""
        most = CHOSEN_SAMPLE if isinstance(self.scope, ChosenScope) else SAMPLE_SIZE
        return tuple(one.sample for one in heapq.nsmallest(most, self.going, key=_weight))

    def event_counts(self) -> dict[str, int]:
        """What the event log says of it: nothing in it can be free text."""
        counts = {
            "removed": len(self.going),
            "forgotten_before": sum(one.is_forgotten for one in self.memories),
            "proposals": self.n_proposals,
            "golden_questions": self.n_questions,
            "saved_filters": self.n_filters,
            "page_versions": self.n_versions,
            "kept": len(self.kept),
        }
        parts = (
            ("kind", self.by_kind()),
            ("tier", self.by_tier()),
            ("curator", breakdown(one.curator for one in self.memories)),
            ("lifetime", breakdown(one.lifetime or "" for one in self.memories)),
            ("source", breakdown(_well_known(one.source) for one in self.memories)),
        )
        return counts | {
            f"{name}:{value}": count for name, found in parts for value, count in found
        }

    def _lines(self) -> Iterator[str]:
        for one in self.going:
            yield f"goes\t{one.kind.value}\t{one.id}\t{one.version}"
        for word, id_, version in self.alongside:
            yield f"goes\t{word}\t{id_}\t{version}"
        for named in self.spared:
            yield f"stays\t{ScrubKind.NAMED_ENTRY.value}\t{named.id}\t{named.version}"


def breakdown(values: Iterable[str]) -> Breakdown:
    """Values with how many carry each; most frequent first, ties by value."""
    return tuple(sorted(Counter(values).items(), key=lambda one: (-one[1], one[0])))


def _well_known(source: str | None) -> str:
    return source if source in WELL_KNOWN_SOURCES else OTHER_SOURCE


def _weight(one: Doomed) -> tuple[int, bool, float, str]:
    return _ORDER[one.kind], one.is_forgotten, -(one.relevance or 0.0), one.id

"""What the use cases need of the memories of one file: rows, both indexes, figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import AttentionKind, DecayConfig
    from inklings_desktop.domain.memories.listing import (
        Facets,
        MemoryFilter,
        MemoryPage,
        MemorySort,
        PageCursor,
        PageOffset,
    )
    from inklings_desktop.domain.memories.overview import TierOverview
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import (
        MemoryAction,
        MemoryEntry,
        MemoryRef,
        MemoryVersion,
        ScopeKey,
        Tier,
    )
    from inklings_desktop.domain.rooms.rehearsal import TierShift
    from inklings_desktop.domain.search.hits import Candidates, Hits, Traits
    from inklings_desktop.domain.words.query_text import KeywordQuery


class MemoryRepository(Protocol):
    """The memories of one database file."""

    def add(self, entries: Sequence[MemoryEntry]) -> tuple[MemoryEntry, ...]:
        """Store new memories and index their text; they come back with their sequence."""
        ...

    def get(self, ref: MemoryRef, visible_to: frozenset[str] | None) -> MemoryEntry:
        """One memory of one scope, forgotten ones included.

        Args:
            ref: Scope and id.
            visible_to: Walls behind which it is asked: what lies behind another one does not
                exist (``MemoryEntry.wall``). None shows everything.

        Raises:
            NotFoundError: Not in this scope; an id of another scope gives the same answer.
        """
        ...

    def locate(self, id_prefix: str) -> MemoryEntry:
        """The memory whose id begins so, anywhere in this file; for a person's doors only.

        Raises:
            NotFoundError: No id begins so.
            InvalidValueError: Several do, or fewer than four characters were given.
        """
        ...

    def beginning_with(self, id_prefix: str, *, limit: int) -> tuple[MemoryEntry, ...]:
        """The first memories of this file whose id begins so, whatever their scope."""
        ...

    def get_many(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Memories by id, whatever their scope; unknown ids are left out."""
        ...

    def save(
        self,
        entry: MemoryEntry,
        *,
        expected_version: int,
        action: MemoryAction,
        changed_by: str,
        door: str,
        changed_at: datetime,
        extra: str = "{}",
    ) -> MemoryEntry:
        """Replace a memory's state and keep the earlier one as a version.

        Index and neighbours follow in the same transaction; a new text clears the vector.

        Returns:
            The entry with its new version.

        Raises:
            NotFoundError: It is not there.
            ConflictError: Its version is no longer the expected one.
        """
        ...

    def history(self, memory_id: str) -> tuple[MemoryVersion, ...]:
        """Earlier states of a memory, newest first."""
        ...

    def add_history(self, versions: Sequence[MemoryVersion]) -> None:
        """Store earlier states that came with a memory from elsewhere."""
        ...

    def page(
        self,
        scopes: Sequence[ScopeKey],
        *,
        where: MemoryFilter,
        sort: MemorySort,
        limit: int,
        after: PageCursor | PageOffset | None,
        decay: DecayConfig,
        as_of: datetime,
        visible_to: frozenset[str] | None,
    ) -> MemoryPage:
        """One page of the memories of these scope keys, all of one tier and this file."""
        ...

    def facets(self, scopes: Sequence[ScopeKey], visible_to: frozenset[str] | None) -> Facets:
        """Values in use among the memories of these scope keys."""
        ...

    def active_counts(self) -> Mapping[ScopeKey, int]:
        """Active memories of every scope key in this file that has any."""
        ...

    def active_count(self, scope: ScopeKey) -> int:
        """Active memories of one scope key."""
        ...

    def note_count(self, scope: ScopeKey) -> int:
        """Active notes of one scope key: its cap counts neither facts nor house rules."""
        ...

    def least_relevant(
        self, scope: ScopeKey, limit: int, decay: DecayConfig, as_of: datetime
    ) -> tuple[MemoryEntry, ...]:
        """Active memories that the cap may forget, in the order it would.

        Unpinned, unlocked, made by an agent or import; short-term before long-term, then the
        least relevant first, then the oldest sequence.
        """
        ...

    def set_aside(
        self, scopes: Sequence[ScopeKey], *, paused: bool, limit: int
    ) -> tuple[MemoryEntry, ...]:
        """Memories that no search finds, the latest written first.

        Args:
            scopes: Scope keys of one tier.
            paused: Whether active ones that are paused are wanted; else the forgotten ones.
            limit: Most memories wanted.
        """
        ...

    def latest_changed(
        self, scopes: Sequence[ScopeKey], limit: int, visible_to: frozenset[str] | None
    ) -> tuple[MemoryEntry, ...]:
        """Memories of these scope keys, forgotten ones too, the latest written to first.

        A vector that is stored is written to its memory as well.
        """
        ...

    def active_of_conversation(self, scope: ScopeKey) -> tuple[MemoryEntry, ...]:
        """Every active memory of one scope key, in order of writing."""
        ...

    def by_writer(self, name: str) -> tuple[MemoryEntry, ...]:
        """Every active memory of this file that this client wrote, in order of writing.

        What was imported is not its: that name came from elsewhere.
        """
        ...

    def count_rewritten(self, name: str) -> int:
        """Active memories of this file whose text the author put in place of this client's."""
        ...

    def said_like(self, scope: ScopeKey, text: str) -> tuple[MemoryEntry, ...]:
        """Active memories of one scope key that may say the same as a text, oldest first.

        Paused ones and other agents' own are among them; ``says_the_same`` decides.
        """
        ...

    def forgotten_like(self, scope: ScopeKey, texts: Sequence[str]) -> tuple[MemoryEntry, ...]:
        """Forgotten memories of one scope key that may say the same as one of these texts.

        The last forgotten first; ``says_the_same`` decides.
        """
        ...

    def count_reads(self, ids: Sequence[str], at: datetime) -> None:
        """Raise the read counter of each memory by exactly one and note the time.

        Versions stay as they are.
        """
        ...

    def without_vector(
        self, model_id: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Id and content of retrievable memories that lack a vector of this model.

        Args:
            model_id: The model in use.
            limit: Most entries wanted.
            ids: Only among these; None asks for any, oldest sequence first.
        """
        ...

    def n_without_vector(self, model_id: str) -> int:
        """Retrievable memories of this file that lack a vector of this model."""
        ...

    def put_vectors(self, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]) -> int:
        """Store vectors for memories whose text is still what was embedded.

        Args:
            model_id: Model that made them.
            vectors: Id, the content that was embedded, the vector.

        Returns:
            How many were stored; edited, forgotten or gone memories are passed over.

        Raises:
            InvalidValueError: A vector is not finite or not of unit length.
        """
        ...


class FullTextIndex(Protocol):
    """Keyword search over the retrievable memories of one file."""

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: frozenset[str] | None,
        limit: int,
    ) -> Mapping[ScopeKey, Hits]:
        """Each scope key's matches, best first; ties by id.

        Args:
            scopes: Scope keys of one tier; one that holds no match may be missing in the answer.
            query: Any of its terms makes a match.
            where: Masks applied before the best are picked.
            visible_to: As for ``MemoryRepository.get``.
            limit: Most hits wanted of each scope key.
        """
        ...


class VectorIndex(Protocol):
    """Nearest neighbours among the retrievable memories of one file."""

    def nearest(
        self,
        scopes: Sequence[ScopeKey],
        vector: FloatVector,
        model_id: str,
        *,
        where: MemoryFilter,
        visible_to: frozenset[str] | None,
        limit: int,
    ) -> Mapping[ScopeKey, Hits]:
        """The memories of the scope keys, each key's most similar first; ties by id.

        Args:
            scopes: Scope keys of one tier; one that holds no vector may be missing in the answer.
            vector: float32, shape (dimension,), length 1.
            model_id: Only vectors of this model are compared.
            where: Masks applied before the best are picked.
            visible_to: As for ``MemoryRepository.get``.
            limit: Most hits wanted, of several scope keys together: how near is near does not
                depend on where a memory lies. Those as near as the last may come beside them.

        Raises:
            DimensionMismatchError: The stored vectors of this model have another length.
        """
        ...

    def prepare(self, scopes: Sequence[ScopeKey], model_id: str, where: MemoryFilter) -> None:
        """Get ready for ``nearest`` of these, while its vector is being made."""
        ...

    def answering(self) -> str:
        """The model whose vectors are compared in this file; empty while it has none.

        After another model is selected it stays the former one, until nearly all memories have a
        vector of the new one.
        """
        ...


class TraitsReader(Protocol):
    """What ranking weighs of the memories of one file, without their rows."""

    def of(
        self,
        scope: ScopeKey,
        found: Candidates,
        model_id: str,
        vector: FloatVector | None,
    ) -> Traits:
        """Traits of these candidates, in any order.

        Args:
            scope: Memories of others are left out.
            found: Any; unknown, forgotten and paused ones are left out.
            model_id: Whose vectors are compared; a vector of another model counts as missing.
            vector: The query's; None where meaning is not compared. What the candidates know of
                their cosines is to it, and to this model.
        """
        ...

    def texts_of_repeats(self, ids: Sequence[str]) -> Mapping[str, str]:
        """What those of these memories say that may say the same as another of them.

        Within one scope key; ``says_the_same`` decides.
        """
        ...


class OverviewIndex(Protocol):
    """Figures of whole tiers of one file; the number of statements is fixed."""

    def tiers(
        self,
        open_rooms: Sequence[ScopeKey],
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> tuple[TierOverview, ...]:
        """Every tier that this kind of file can hold, from the innermost outwards.

        Args:
            open_rooms: Channels and conversations that are not archived.
            decay: The rates in force.
            model_id: Whose vectors count.
            as_of: Now.
        """
        ...

    def shifts(
        self, before: DecayConfig, after: DecayConfig, *, model_id: str, as_of: datetime
    ) -> tuple[TierShift, ...]:
        """How far every tier that this kind of file can hold would fade under other rates.

        Args:
            before: The rates that hold.
            after: Those that are tried.
            model_id: Of the model in use.
            as_of: Now.
        """
        ...

    def attention(
        self, scopes: Sequence[ScopeKey], *, decay: DecayConfig, model_id: str, as_of: datetime
    ) -> Mapping[AttentionKind, Mapping[Tier, int]]:
        """How many memories of these scope keys stand in each list; nothing for none."""
        ...

    def deserving(
        self,
        scopes: Sequence[ScopeKey],
        kind: AttentionKind,
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> frozenset[int]:
        """Sequences of the memories of these scope keys that stand in a list."""
        ...

"""The memories of one file in memory, by the same promises as in SQLite."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import (
    Facets,
    GroupCount,
    MemoryPage,
    MemorySort,
    MemoryState,
    PageCursor,
    PageOffset,
    group_key,
)
from inklings_desktop.domain.memory import (
    AUTHOR,
    Curator,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
)
from tests.support.fake_file import (
    FakeChanges,
    FakeFile,
    answering,
    is_visible,
    matches,
    may_know_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryRef, ScopeKey

EDITS = {
    MemoryAction.EDITED,
    MemoryAction.RETAGGED,
    MemoryAction.REWEIGHTED,
    MemoryAction.RELABELLED,
}
MIN_ID_PREFIX = 4
NEVER_READ = -1.0


class FakeMemoryRepository:
    """The ``MemoryRepository`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, changes: FakeChanges, workspace_id: str | None) -> None:
        self._file = file
        self._changes = changes
        self._workspace_id = workspace_id

    def add(self, entries: Sequence[MemoryEntry]) -> tuple[MemoryEntry, ...]:
        """Store new memories."""
        last = max((one.sequence for one in self._file.memories.values()), default=0)
        stored = []
        for sequence, entry in enumerate(entries, start=last + 1):
            if entry.scope.workspace_id != self._workspace_id:
                raise InvalidValueError("scope", "other_file")
            if entry.id in self._file.memories:
                raise ConflictError("memory", entry.id)
            one = replace(entry, sequence=sequence, embedding_model=None)
            self._file.memories[one.id] = one
            self._changes.touch(one, "added")
            stored.append(one)
        return tuple(stored)

    def get(self, ref: MemoryRef, visible_to: str | None) -> MemoryEntry:
        """One memory of one scope."""
        entry = self._file.memories.get(ref.id)
        if entry is None or entry.scope != ref.scope or not may_know_of(entry, visible_to):
            raise NotFoundError("memory", ref.id)
        return entry

    def locate(self, id_prefix: str) -> MemoryEntry:
        """The memory whose id begins so."""
        if len(id_prefix) < MIN_ID_PREFIX:
            raise InvalidValueError("id", "too_short", MIN_ID_PREFIX)
        found = self.beginning_with(id_prefix, limit=2)
        if not found:
            raise NotFoundError("memory", id_prefix)
        if len(found) > 1 and found[0].id != id_prefix:
            raise InvalidValueError("id", "ambiguous")
        return found[0]

    def beginning_with(self, id_prefix: str, *, limit: int) -> tuple[MemoryEntry, ...]:
        """The first memories whose id begins so."""
        ids = sorted(key for key in self._file.memories if key.startswith(id_prefix))
        return tuple(self._file.memories[key] for key in ids[:limit])

    def get_many(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Memories by id."""
        return {one: self._file.memories[one] for one in ids if one in self._file.memories}

    def save(
        self,
        entry: MemoryEntry,
        *,
        expected_version: int,
        action: MemoryAction,
        changed_by: str,
        door: str,
        changed_at: datetime,
    ) -> MemoryEntry:
        """Replace a memory's state and keep the earlier one."""
        before = self._file.memories.get(entry.id)
        if before is None or before.scope != entry.scope:
            raise NotFoundError("memory", entry.id)
        if before.version != expected_version:
            raise ConflictError("memory", entry.id, expected_version, before.version)
        is_new_text = before.content != entry.content
        if is_new_text:
            self._file.vectors.pop(entry.id, None)
            self._file.coming.pop(entry.id, None)
        after = replace(
            entry,
            sequence=before.sequence,
            version=before.version + 1,
            agent_id=before.agent_id,
            source_conversation=before.source_conversation,
            created_at=before.created_at,
            edited_at=changed_at if action in EDITS else before.edited_at,
            accessed_at=before.accessed_at,
            access_count=before.access_count,
            embedding_model=None if is_new_text else before.embedding_model,
        )
        earlier = MemoryVersion(
            before.id,
            before.version,
            before.content if is_new_text else None,
            before.importance,
            before.lifetime,
            before.tags,
            action,
            changed_at,
            changed_by,
            door,
            before.written_by,
        )
        self._file.versions[entry.id] = (earlier, *self._file.versions.get(entry.id, ()))
        self._file.memories[entry.id] = after
        is_newly_forgotten = after.is_forgotten and not before.is_forgotten
        self._changes.touch(after, "forgotten" if is_newly_forgotten else "updated")
        return after

    def history(self, memory_id: str) -> tuple[MemoryVersion, ...]:
        """Earlier states, newest first."""
        return self._file.versions.get(memory_id, ())

    def add_history(self, versions: Sequence[MemoryVersion]) -> None:
        """Store earlier states."""
        for version in versions:
            known = (*self._file.versions.get(version.memory_id, ()), version)
            self._file.versions[version.memory_id] = tuple(
                sorted(known, key=lambda one: -one.version)
            )

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
        visible_to: str | None,
    ) -> MemoryPage:
        """One page of these scope keys."""
        instant = as_of if after is None else after.as_of
        held = [
            (entry, relevance_of(entry, decay, instant))
            for entry in self._in(scopes, visible_to)
            if entry.is_forgotten == (where.state is MemoryState.FORGOTTEN)
            and matches(entry, where)
        ]
        rising = sort is MemorySort.OLDEST
        keyed = sorted(
            ((_sort_value(entry, sort, figure), entry.sequence, entry, figure)
             for entry, figure in held),
            key=lambda one: one[:2],
            reverse=not rising,
        )  # fmt: skip
        groups = Counter(group_key(entry, sort, figure) for _, _, entry, figure in keyed)
        if isinstance(after, PageOffset):
            keyed = keyed[after.n_before :]
        elif after is not None:
            last = (after.value, after.sequence)
            keyed = [one for one in keyed if (one[:2] > last if rising else one[:2] < last)]
        shown = keyed[:limit]
        cursor = None
        if len(keyed) > limit and shown:
            cursor = PageCursor(shown[-1][0], shown[-1][1], instant)
        return MemoryPage(
            tuple(entry for _, _, entry, _ in shown),
            cursor,
            len(held) if after is None else None,
            tuple(itertools.starmap(GroupCount, groups.items())) if after is None else (),
            instant,
        )

    def by_writer(self, name: str) -> tuple[MemoryEntry, ...]:
        """What this client wrote, in order of writing."""
        found = (
            one
            for one in self._file.memories.values()
            if one.written_by == name and one.curator is Curator.AGENT and not one.is_forgotten
        )
        return tuple(sorted(found, key=lambda one: one.sequence))

    def count_rewritten(self, name: str) -> int:
        """What the author put own words into."""
        return sum(
            one.written_by == AUTHOR
            and not one.is_forgotten
            and any(version.written_by == name for version in self.history(one.id))
            for one in self._file.memories.values()
        )

    def facets(self, scopes: Sequence[ScopeKey], visible_to: str | None) -> Facets:
        """Values in use."""
        entries = list(self._in(scopes, visible_to))
        active = [one for one in entries if not one.is_forgotten]
        return Facets(
            _counted(one.source for one in active),
            _counted(one.curator.value for one in active),
            _counted(one.by for one in active),
            _counted(one.lifetime.value for one in active),
            _counted(tag for one in active for tag in one.tags),
            sum(one.embedding_model is None for one in active),
            len(entries) - len(active),
        )

    def active_counts(self) -> Mapping[ScopeKey, int]:
        """Active memories per scope key."""
        return Counter(one.scope for one in self._file.memories.values() if not one.is_forgotten)

    def active_count(self, scope: ScopeKey) -> int:
        """Active memories of one scope key."""
        return self.active_counts().get(scope, 0)

    def least_relevant(
        self, scope: ScopeKey, limit: int, decay: DecayConfig, as_of: datetime
    ) -> tuple[MemoryEntry, ...]:
        """What the cap may forget, in the order it would."""
        leaving = [
            one
            for one in self._in([scope], None)
            if not (one.is_forgotten or one.pinned or one.locked) and not one.is_authors
        ]
        leaving.sort(
            key=lambda one: (
                one.lifetime is Lifetime.LONG_TERM,
                relevance_of(one, decay, as_of),
                one.sequence,
            )
        )
        return tuple(leaving[:limit])

    def set_aside(
        self, scopes: Sequence[ScopeKey], *, paused: bool, limit: int
    ) -> tuple[MemoryEntry, ...]:
        """Memories that no search finds, the latest written first."""
        found = [
            one
            for one in self._in(scopes, None)
            if (one.paused and not one.is_forgotten if paused else one.is_forgotten)
        ]
        return tuple(sorted(found, key=lambda one: -one.sequence)[:limit])

    def latest_changed(
        self, scopes: Sequence[ScopeKey], limit: int, visible_to: str | None
    ) -> tuple[MemoryEntry, ...]:
        """Memories of these scope keys, the latest written to first."""

        def changed(one: MemoryEntry) -> tuple[datetime, int]:
            versions = self._file.versions.get(one.id, ())
            return max([one.created_at, *(each.changed_at for each in versions)]), one.sequence

        found = [one for scope in scopes for one in self._in([scope], visible_to)]
        return tuple(sorted(found, key=changed, reverse=True)[:limit])

    def active_of_conversation(self, scope: ScopeKey) -> tuple[MemoryEntry, ...]:
        """Active memories of one scope key, in order of writing."""
        return tuple(one for one in self._in([scope], None) if not one.is_forgotten)

    def said_like(self, scope: ScopeKey, text: str) -> tuple[MemoryEntry, ...]:
        """Active memories that may say the same as a text."""
        found = [
            one
            for one in self._file.memories.values()
            if one.scope == scope and not one.is_forgotten and key_of(one.content) == key_of(text)
        ]
        return tuple(sorted(found, key=lambda one: one.sequence))

    def forgotten_like(self, scope: ScopeKey, texts: Sequence[str]) -> tuple[MemoryEntry, ...]:
        """Forgotten memories that may say the same as one of these texts."""
        keys = {key_of(one) for one in texts}
        found = [
            (one.forgotten_at, one.sequence, one)
            for one in self._file.memories.values()
            if one.scope == scope and one.forgotten_at is not None and key_of(one.content) in keys
        ]
        return tuple(one for *_, one in sorted(found, key=lambda one: one[:2], reverse=True))

    def count_reads(self, ids: Sequence[str], at: datetime) -> None:
        """Raise each read counter by one."""
        for one in self.get_many(ids).values():
            read = replace(one, access_count=one.access_count + 1, accessed_at=at)
            self._file.memories[one.id] = read
            self._changes.touch(read, "updated")

    def without_vector(
        self, model_id: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Id and content of retrievable memories that lack a vector of this model."""
        missing = [
            (one.id, one.content)
            for one in self._file.memories.values()
            if one.is_retrievable
            and one.embedding_model != model_id
            and self._file.coming.get(one.id, ("", None))[0] != model_id
            and (ids is None or one.id in ids)
        ]
        return tuple(missing[:limit])

    def n_without_vector(self, model_id: str) -> int:
        """Retrievable memories that lack a vector of this model."""
        return len(self.without_vector(model_id, len(self._file.memories)))

    def put_vectors(self, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]) -> int:
        """Store vectors for memories whose text is still the same."""
        n_stored = 0
        is_coming = answering(self._file) not in {"", model_id}
        for id_, content, vector in vectors:
            norm = math.sqrt(sum(float(x) ** 2 for x in vector))
            if not abs(norm - 1.0) <= 1e-3:
                raise InvalidValueError("vector", "norm")
            one = self._file.memories.get(id_)
            if one is None or not one.is_retrievable or one.content != content:
                continue
            n_stored += 1
            if is_coming:
                self._file.coming[id_] = (model_id, vector)
            else:
                self._embed(one, model_id, vector)
        n_all = sum(one.is_retrievable for one in self._file.memories.values())
        if is_coming and self.n_without_vector(model_id) <= 0.05 * n_all:
            for id_ in self._file.vectors:
                self._file.memories[id_] = replace(self._file.memories[id_], embedding_model=None)
            self._file.vectors.clear()
            for id_, (coming, vector) in self._file.coming.items():
                if coming == model_id:
                    self._embed(self._file.memories[id_], model_id, vector)
            self._file.coming.clear()
        return n_stored

    def _embed(self, one: MemoryEntry, model_id: str, vector: FloatVector) -> None:
        self._file.vectors[one.id] = (model_id, vector)
        self._file.memories[one.id] = replace(one, embedding_model=model_id)
        self._changes.touch(one, "updated")

    def _in(self, scopes: Sequence[ScopeKey], visible_to: str | None) -> Iterator[MemoryEntry]:
        if len({scope.tier for scope in scopes}) > 1:
            raise InvalidValueError("scope", "one_tier")
        for one in sorted(self._file.memories.values(), key=lambda entry: entry.sequence):
            if one.scope in scopes and is_visible(one, visible_to):
                yield one


def _counted(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


def _sort_value(entry: MemoryEntry, sort: MemorySort, relevance: float) -> float:
    if sort is MemorySort.RELEVANCE:
        return relevance
    if sort is MemorySort.IMPORTANCE:
        return entry.importance
    if sort is MemorySort.LAST_READ:
        return NEVER_READ if entry.accessed_at is None else _milliseconds(entry.accessed_at)
    return _milliseconds(entry.created_at)


def _milliseconds(instant: datetime) -> float:
    return float(int(instant.timestamp() * 1000))

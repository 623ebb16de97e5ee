"""What each row of a file is, seen from here: new, duplicate, conflict or refused."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.likeness.sameness import key_of, says_the_same
from inklings_desktop.domain.memory import MemoryEntry, MemoryKind, Tier
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import (
    WITHDRAWN_REASON,
    EntryRecord,
    MemoryRecord,
    RefusedMemory,
)
from inklings_desktop.domain.transfer.import_plan import (
    ImportReason,
    ImportRow,
    ImportStatus,
    Mine,
    RowKind,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.transfer.document import StoredVector

    Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Here:
    """What stands in one scope already.

    Attributes:
        memories: Active memories with their vectors.
        alike_above: By model, the cosine above which two are close enough that a person decides;
            vectors of other models are not compared.
    """

    memories: Sequence[MemoryRecord]
    alike_above: Mapping[str, float]
    _by_key: dict[bytes, list[MemoryEntry]] = field(init=False)
    _by_model: dict[tuple[str, int], tuple[list[MemoryEntry], Floats]] = field(init=False)
    _nearest: dict[StoredVector, tuple[MemoryEntry, float]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        put = object.__setattr__
        by_key: dict[bytes, list[MemoryEntry]] = {}
        models: dict[tuple[str, int], list[MemoryRecord]] = {}
        for one in self.memories:
            by_key.setdefault(key_of(one.entry.content), []).append(one.entry)
            if one.vector is not None and one.vector.model_id in self.alike_above:
                models.setdefault((one.vector.model_id, one.vector.dimension), []).append(one)
        put(self, "_by_key", by_key)
        by_model = {
            key: (
                [one.entry for one in group],
                _matrix([one.vector for one in group if one.vector is not None]),
            )
            for key, group in models.items()
        }
        put(self, "_by_model", by_model)

    def same_text(self, theirs: MemoryEntry) -> MemoryEntry | None:
        """The one that this repeats."""
        found = self._by_key.get(key_of(theirs.content), ())
        return next((one for one in found if is_repeat(one, theirs)), None)

    def compare(self, vectors: Sequence[StoredVector]) -> None:
        """Find what is nearest to each of these, all at once: one product costs less than many."""
        self._nearest.clear()
        groups: dict[tuple[str, int], list[StoredVector]] = {}
        for one in vectors:
            groups.setdefault((one.model_id, one.dimension), []).append(one)
        for key, group in groups.items():
            found = self._by_model.get(key)
            if found is None:
                continue
            entries, matrix = found
            cosines = _matrix(group) @ matrix.T
            places = cosines.argmax(axis=1).tolist()
            for row, (one, place) in enumerate(zip(group, places, strict=True)):
                self._nearest[one] = entries[place], float(cosines[row, place])

    def most_alike(self, vector: StoredVector | None) -> tuple[MemoryEntry, float] | None:
        """The one whose meaning is nearest, with the cosine; None where none is alike."""
        found = None if vector is None else self._nearest.get(vector)
        if vector is None or found is None or found[1] <= self.alike_above[vector.model_id]:
            return None
        return found


def is_repeat(mine: MemoryEntry, theirs: MemoryEntry) -> bool:
    """Whether two memories are the same words in the same place.

    Tags say what the words are about: where none is shared, they are about something else.
    """
    ours, others = ({tag.casefold() for tag in one.tags} for one in (mine, theirs))
    is_elsewhere = ours and others and not ours & others
    return not is_elsewhere and says_the_same(mine.content, theirs.content)


def joined_tags(mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """The tags of both, each once whatever its case."""
    known = {tag.casefold() for tag in mine}
    return (*mine, *(tag for tag in theirs if tag.casefold() not in known))


def restored_row(
    number: int, record: MemoryRecord | RefusedMemory, place: str, target: ScopeKey
) -> ImportRow:
    """A row of a restore: there is nothing here that it could meet."""
    if isinstance(record, RefusedMemory):
        return _refused(number, record, place)
    return _row(number, record, ImportStatus.NEW, ImportReason.RESTORED, place, target)


def memory_row(
    number: int,
    record: MemoryRecord | RefusedMemory,
    place: str,
    target: ScopeKey,
    by_id: Mapping[str, MemoryEntry],
    here: Here,
    *,
    gone: Mapping[str, MemoryEntry],
) -> ImportRow:
    """A row beside what is here.

    Args:
        place: Name of its room.
        target: The scope here that it would go to.
        by_id: Memories of the same ids here, whatever their scope or state.
        here: What is in the scope, compared with the row's vector already.
        gone: By their text, what the person forgot in the scope.
    """
    if isinstance(record, RefusedMemory):
        return _refused(number, record, place)
    entry = record.entry
    mine = by_id.get(entry.id)
    if mine is not None and mine.scope != target:
        mine = None  # the id of something else: the row gets one of its own
    if mine is not None and mine.forgotten_reason == WITHDRAWN_REASON:
        mine = None
    status, likeness = ImportStatus.DUPLICATE, None
    if mine is not None and mine.is_forgotten:
        reason = ImportReason.FORGOTTEN_HERE
    elif mine is not None and _is_equal(mine, entry):
        reason = ImportReason.SAME_TEXT
    elif mine is not None:
        status, reason = ImportStatus.CONFLICT, ImportReason.CHANGED
    elif (same := here.same_text(entry)) is not None and (
        len(tags := joined_tags(same.tags, entry.tags)) <= MAX_TAGS
    ):
        mine = same
        reason = ImportReason.SAME_TEXT if tags == same.tags else ImportReason.MORE_TAGS
    elif entry.content in gone:
        reason, mine = ImportReason.FORGOTTEN_HERE, gone[entry.content]
    elif (near := here.most_alike(record.vector)) is not None:
        status, reason = ImportStatus.CONFLICT, ImportReason.ALIKE
        mine, likeness = near
    else:
        status, reason = ImportStatus.NEW, ImportReason.NEW
    return _row(number, record, status, reason, place, target, mine=mine, likeness=likeness)


def entry_row(number: int, record: EntryRecord, mine: NamedEntry | None) -> ImportRow:
    """A named entry beside the one of its name here; it never comes in unasked."""
    entry = record.entry
    if mine is None:
        status, reason = ImportStatus.NEW, ImportReason.NEEDS_CONSENT
    elif mine.body == entry.body:
        status, reason = ImportStatus.DUPLICATE, ImportReason.SAME_TEXT
    else:
        status, reason = ImportStatus.CONFLICT, ImportReason.CHANGED
    return _entry(number, record, status, reason, mine)


def restored_entry_row(number: int, record: EntryRecord) -> ImportRow:
    """A named entry of a restore."""
    return _entry(number, record, ImportStatus.NEW, ImportReason.RESTORED, None)


def _is_equal(mine: MemoryEntry, theirs: MemoryEntry) -> bool:
    """Whether text and figures of two memories are equal."""
    return (
        mine.content == theirs.content
        and mine.importance == theirs.importance
        and mine.tags == theirs.tags
        and mine.lifetime is theirs.lifetime
    )


def _refused(number: int, record: RefusedMemory, place: str) -> ImportRow:
    return ImportRow(
        number,
        RowKind.MEMORY,
        ImportStatus.REFUSED,
        ImportReason.FAULTS,
        record.tier,
        place,
        record.content,
        importance=record.importance,
        faults=record.faults,
        origin=record.origin,
    )


def _row(
    number: int,
    record: MemoryRecord,
    status: ImportStatus,
    reason: ImportReason,
    place: str,
    scope: ScopeKey,
    *,
    mine: MemoryEntry | None = None,
    likeness: float | None = None,
) -> ImportRow:
    entry = record.entry
    return ImportRow(
        number,
        RowKind.MEMORY,
        status,
        reason,
        entry.scope.tier,
        place,
        entry.content,
        importance=entry.importance,
        changed_at=entry.edited_at or entry.created_at,
        mine=None if mine is None else _mine(mine, mine.content),
        likeness=None if likeness is None else round(min(likeness, 1.0), 2),
        is_forgotten=entry.is_forgotten,
        scope=scope,
        origin=record.origin,
        is_paused=entry.paused,
        tags=entry.tags,
        is_secret=bool(secrets_in(entry.content, *entry.tags)),
        is_note=entry.kind is MemoryKind.NOTE,
    )


def _entry(
    number: int,
    record: EntryRecord,
    status: ImportStatus,
    reason: ImportReason,
    mine: NamedEntry | None,
) -> ImportRow:
    entry = record.entry
    return ImportRow(
        number,
        RowKind.NAMED_ENTRY,
        status,
        reason,
        Tier.ACCOUNT if entry.workspace_id is None else Tier.WORKSPACE,
        "",
        entry.body,
        name=entry.name,
        changed_at=entry.edited_at or entry.created_at,
        mine=None if mine is None else _mine(mine, mine.body),
    )


def _mine(one: MemoryEntry | NamedEntry, text: str) -> Mine:
    return Mine(one.id, one.version, text, one.edited_at or one.created_at)


def _matrix(vectors: Sequence[StoredVector]) -> Floats:
    import numpy as np

    blob = b"".join(one.blob for one in vectors)
    return np.frombuffer(blob, dtype="<f4").astype(np.float32).reshape(len(vectors), -1)

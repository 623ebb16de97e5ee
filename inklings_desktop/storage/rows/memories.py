"""Rows and domain objects, in both directions; vectors as checked little-endian float32."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import lru_cache, wraps
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from inklings_desktop.domain.errors import DatabaseCorruptError, InvalidValueError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    MemoryVersion,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.rooms.conversation import (
    Channel,
    Conversation,
    ConversationState,
    WorkingNote,
)
from inklings_desktop.storage.engine.driver import NO_TEXT
from inklings_desktop.storage.engine.maintenance import LossyText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    from sqlalchemy import Row

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector

    Mask = npt.NDArray[np.bool_]

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MIN_NORM = 1e-3
MAX_NORM = 1e3
UNIT_TOLERANCE = 1e-3
SCOPES_KEPT = 256
"""Scope keys that are not made again for every row; a page of rows has a few."""

_TIERS = {tier.value: tier for tier in Tier}
_LIFETIMES = {lifetime.value: lifetime for lifetime in Lifetime}
_ACTIONS = {action.value: action for action in MemoryAction}
_STATES = {state.value: state for state in ConversationState}
_KINDS = {kind.value: kind for kind in MemoryKind}
_CURATORS = {curator.value: curator for curator in Curator}
_NONSENSE = (InvalidValueError, KeyError, ValueError, TypeError, ArithmeticError)
# ``json.dumps`` makes an encoder anew for every call that is not its usual one.
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_FIELDS = tuple(one.name for one in fields(MemoryEntry))
_values_of = attrgetter(*_FIELDS)


def of_sensible_rows(read: Callable[P, T]) -> Callable[P, T]:
    """Let whoever makes something of a row call values that no file of ours holds damage.

    Which file it was is not known here; the store that hands the rows out adds that.
    """

    @wraps(read)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except _NONSENSE as error:
            # Only what kind: the value may be somebody's text.
            raise DatabaseCorruptError(detail=type(error).__name__) from error

    return checked


def sensible(rows: Iterable[R], read: Callable[[R], T]) -> Iterator[T]:
    """What these rows mean; one of which damage made nonsense is left out, and stays as it is.

    For rows that nothing is lost with until somebody looks: the check names each of them.

    Args:
        rows: Of one table.
        read: Makes something of one; ``of_sensible_rows`` stands before it.
    """
    for row in rows:
        try:
            found = read(row)
        except DatabaseCorruptError:
            continue
        yield found


def to_ms(instant: datetime) -> int:
    """Whole milliseconds since 1970, UTC; what is finer is cut off."""
    return (instant - EPOCH) // timedelta(milliseconds=1)


def from_ms(ms: int) -> datetime:
    """The instant, aware, in UTC."""
    return EPOCH + timedelta(milliseconds=ms)


def to_ms_or_none(instant: datetime | None) -> int | None:
    """``to_ms`` where the instant may be missing."""
    return None if instant is None else to_ms(instant)


def from_ms_or_none(ms: int | None) -> datetime | None:
    """``from_ms`` where the instant may be missing."""
    return None if ms is None else from_ms(ms)


def columns_of(record: object, names: str) -> dict[str, Any]:
    """Some values of a record as a file keeps them; the names are read as ``row_of`` does."""
    return row_of(record, names, _kept)


def _kept(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case bool():
            return int(value)
        case datetime():
            return to_ms(value)
        case tuple():
            return words_json(value)
    return value


def words_json(words: Sequence[str]) -> str:
    """A list of words as a JSON array."""
    return _ENCODER.encode(list(words)) if words else "[]"


def entry_values(entry: MemoryEntry, changed_seq: int) -> dict[str, Any]:
    """The columns of a memory, its sequence included."""
    return state_values(entry, changed_seq) | {"said": key_of(entry.content)}


def state_values(entry: MemoryEntry, changed_seq: int) -> dict[str, Any]:
    """The same but for what follows from the text alone, and costs most."""
    return {
        "sequence": entry.sequence,
        "id": entry.id,
        "version": entry.version,
        "tier": entry.scope.tier.value,
        "scope_key": entry.scope.key,
        "agent_id": entry.agent_id,
        "content": entry.content,
        "lifetime": entry.lifetime.value,
        "source": entry.source,
        "curator": entry.curator.value,
        "written_by": entry.written_by,
        "importance": float(entry.importance),
        "tags": words_json(entry.tags),
        "source_conversation": entry.source_conversation,
        "derived_from": _derivations_json(entry.derived_from),
        "created_at": to_ms(entry.created_at),
        "edited_at": to_ms_or_none(entry.edited_at),
        "accessed_at": to_ms_or_none(entry.accessed_at),
        "access_count": entry.access_count,
        "confirmed_at": to_ms_or_none(entry.confirmed_at),
        "imported_at": to_ms_or_none(entry.imported_at),
        "imported_curator": None
        if entry.imported_curator is None
        else entry.imported_curator.value,
        "pinned": int(entry.pinned),
        "paused": int(entry.paused),
        "locked": int(entry.locked),
        "forgotten_at": to_ms_or_none(entry.forgotten_at),
        "forgotten_reason": entry.forgotten_reason,
        "successor_id": entry.successor_id,
        "run_id": entry.run_id,
        "kind": entry.kind.value,
        "domain_id": entry.domain_id,
        "topic": entry.topic,
        "changed_seq": changed_seq,
        "read_seq": 0,
    }


def as_stored(entry: MemoryEntry, values: Mapping[str, Any]) -> MemoryEntry:
    """A memory as it would be read back, without reading it.

    Args:
        entry: As it was handed over.
        values: Its columns, from ``entry_values``, with the sequence it got.
    """
    # What ``replace`` of the library does, at less than half of what it costs for so many fields.
    own = dict(zip(_FIELDS, _values_of(entry), strict=True))
    own |= {
        "sequence": values["sequence"],
        "importance": values["importance"],
        "created_at": from_ms(values["created_at"]),
        "edited_at": from_ms_or_none(values["edited_at"]),
        "accessed_at": from_ms_or_none(values["accessed_at"]),
        "confirmed_at": from_ms_or_none(values["confirmed_at"]),
        "imported_at": from_ms_or_none(values["imported_at"]),
        "forgotten_at": from_ms_or_none(values["forgotten_at"]),
    }
    return MemoryEntry(**own)


def entry_of(row: Row[*tuple[Any, ...]] | Sequence[Any], workspace_id: str | None) -> MemoryEntry:
    """The memory of a row of ``SELECT_ENTRY``, if it may be handed out.

    Args:
        row: Values in the order of ``SELECT_ENTRY``; more may follow.
        workspace_id: Whose file it came from; None for the account's.

    Raises:
        DatabaseCorruptError: It cannot be read, and was not paused for that yet.
    """
    entry = any_entry_of(row, workspace_id)
    if entry.is_unreadable and not entry.paused:
        raise DatabaseCorruptError(detail=NO_TEXT)
    return entry


@of_sensible_rows
def any_entry_of(
    row: Row[*tuple[Any, ...]] | Sequence[Any], workspace_id: str | None
) -> MemoryEntry:
    """The same for whoever pauses it, or replaces what cannot be read.

    Words of the program's own that are none stand for the most careful ones: it stays long, and
    nobody vouches for it. One of which nobody knows where it belongs is found in the widest scope.
    """
    (
        sequence, id_, version, tier, scope_key, agent_id, content, lifetime, source, curator,
        written_by, importance, tags, source_conversation, derived_from, created_at, edited_at,
        accessed_at, access_count, confirmed_at, imported_at, imported_curator, pinned, paused,
        locked, forgotten_at, forgotten_reason, successor_id, run_id, kind, domain_id, topic,
        _changed_seq, _read_seq, _said, model_id,
    ) = row[:36]  # fmt: skip
    words, sources = _parts(tags, str), _parts(derived_from, list)
    is_text = type(scope_key) is not LossyText
    scope = _scope_of(tier, scope_key, workspace_id) if is_text else None
    kept, by = _LIFETIMES.get(lifetime), _CURATORS.get(curator)
    what = _KINDS.get(kind)
    first_by = None if imported_curator is None else _CURATORS.get(imported_curator)
    is_whole = (
        words is not None
        and sources is not None
        and scope is not None
        and kept is not None
        and by is not None
        and what is not None
        and (first_by is None) == (imported_curator is None)
        and LossyText not in map(type, row)
    )
    return MemoryEntry(
        id=id_,
        sequence=sequence,
        version=version,
        scope=scope or _widest_scope(workspace_id),
        content=content,
        lifetime=kept or Lifetime.LONG_TERM,
        source=source,
        curator=by or Curator.IMPORT,
        importance=importance,
        tags=tuple(words or ()),
        created_at=from_ms(created_at),
        written_by=written_by,
        agent_id=agent_id,
        source_conversation=source_conversation,
        derived_from=tuple(starmap(Derivation, sources or ())),
        edited_at=from_ms_or_none(edited_at),
        accessed_at=from_ms_or_none(accessed_at),
        access_count=access_count,
        confirmed_at=from_ms_or_none(confirmed_at),
        imported_at=from_ms_or_none(imported_at),
        imported_curator=first_by,
        pinned=bool(pinned),
        paused=bool(paused),
        locked=bool(locked),
        forgotten_at=from_ms_or_none(forgotten_at),
        forgotten_reason=forgotten_reason,
        successor_id=successor_id,
        run_id=run_id,
        embedding_model=model_id,
        is_unreadable=not is_whole,
        kind=what or MemoryKind.NOTE,
        domain_id=domain_id,
        topic=topic,
    )


def version_values(version: MemoryVersion) -> dict[str, Any]:
    """The columns of an earlier state."""
    return {
        "memory_id": version.memory_id,
        "version": version.version,
        "content": version.content,
        "importance": float(version.importance),
        "lifetime": version.lifetime.value,
        "tags": words_json(version.tags),
        "action": version.action.value,
        "changed_at": to_ms(version.changed_at),
        "changed_by": version.changed_by,
        "door": version.door,
        "written_by": version.written_by,
        "extra": version.extra,
    }


@of_sensible_rows
def version_of(row: Row[*tuple[Any, ...]]) -> MemoryVersion:
    """The earlier state of a row of ``memory_versions``."""
    (
        memory_id,
        version,
        content,
        importance,
        lifetime,
        tags,
        action,
        changed_at,
        by,
        door,
        pen,
        extra,
    ) = row
    return MemoryVersion(
        memory_id,
        version,
        content,
        importance,
        # The text is what matters of it, so a word that is none does not take it away.
        lifetime_of(lifetime),
        tags_of(tags),
        _ACTIONS.get(action, MemoryAction.EDITED),
        from_ms(changed_at),
        by,
        door,
        pen,
        extra,
    )


@of_sensible_rows
def channel_of(row: Row[*tuple[Any, ...]]) -> Channel:
    """The channel of a row: id, name, description, created, archived."""
    id_, name, description, created_at, archived_at = row
    return Channel(id_, name, description, from_ms(created_at), from_ms_or_none(archived_at))


@of_sensible_rows
def conversation_of(row: Row[*tuple[Any, ...]]) -> Conversation:
    """The conversation of a row: id, ref code, channel, title, state, started, ended, heard."""
    id_, ref_code, channel_id, title, state, started_at, ended_at, heard_at = row
    return Conversation(
        id_,
        ref_code,
        channel_id,
        title,
        # What takes nothing new is safe; its memories are read as before.
        _STATES.get(state, ConversationState.ARCHIVED),
        from_ms(started_at),
        from_ms_or_none(ended_at),
        from_ms_or_none(heard_at),
    )


@of_sensible_rows
def note_of(row: Row[*tuple[Any, ...]]) -> WorkingNote:
    """The working note of a row: conversation, key, value, created, updated."""
    conversation_id, key, value_json, created_at, updated_at = row
    json.loads(value_json)  # whoever reads it makes something of it
    return WorkingNote(conversation_id, key, value_json, from_ms(created_at), from_ms(updated_at))


def lifetime_of(word: str) -> Lifetime:
    """A stored lifetime; the longest where damage left no such word."""
    return _LIFETIMES.get(word, Lifetime.LONG_TERM)


@lru_cache(maxsize=4_096)
def tags_of(text: str) -> tuple[str, ...]:
    """The words of a JSON array; none where damage left no such array."""
    return tuple(_parts(text, str) or ())


def vector_blobs(vectors: Sequence[FloatVector]) -> list[bytes]:
    """Vectors as they are stored.

    Args:
        vectors: float32, shape (dimension,), length 1; all of one dimension.

    Raises:
        InvalidValueError: One is not one-dimensional or of another dimension, not finite, or not
            of length 1.
    """
    import numpy as np

    if not vectors:
        return []
    if len({np.shape(one) for one in vectors}) > 1:
        raise InvalidValueError("vector", "shape")
    plain = np.ascontiguousarray(vectors, dtype="<f4")
    if plain.ndim != 2 or plain.size == 0:  # noqa: PLR2004  # rows of numbers
        raise InvalidValueError("vector", "shape")
    norms = np.sqrt(np.einsum("ij,ij->i", plain, plain, dtype=np.float64))
    if not (np.abs(norms - 1.0) <= UNIT_TOLERANCE).all():  # NaN and infinity fail this, too
        raise InvalidValueError("vector", "norm")
    return [row.tobytes() for row in plain]


def vectors_of(blobs: Sequence[tuple[int, bytes | None]]) -> list[FloatVector | None]:
    """The vectors of stored blobs; None in the place of each that cannot be trusted.

    Args:
        blobs: Dimension and little-endian float32, or None where nothing is stored.

    Returns:
        float32, shape (dimension,) each; finite and of length 1. A stored one is brought to it
        unless its norm is outside [1e-3, 1e3]: a longer vector must not win by its length.
    """
    found: list[FloatVector | None] = [None] * len(blobs)
    places: dict[int, list[int]] = {}
    for place, (dimension, blob) in enumerate(blobs):
        if blob is not None and dimension > 0 and len(blob) == 4 * dimension:
            places.setdefault(dimension, []).append(place)
    for dimension, whose in places.items():
        matrix, sound = unit_rows([blobs[place][1] or b"" for place in whose], dimension)
        for row, place in enumerate(whose):
            if sound[row]:
                found[place] = matrix[row]
    return found


def unit_rows(blobs: Sequence[bytes], dimension: int) -> tuple[FloatMatrix, Mask]:
    """Vectors of one dimension as a matrix, and which of them can be trusted.

    Args:
        blobs: Little-endian float32, each of 4 times ``dimension`` bytes.
        dimension: At least 1.

    Returns:
        float32, shape (n, dimension), every trusted row of length 1; bool, shape (n,).
    """
    import numpy as np

    matrix = np.frombuffer(b"".join(blobs), dtype="<f4").astype(np.float32, copy=False)
    matrix = matrix.reshape(len(blobs), dimension)
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    sound = (norms >= MIN_NORM) & (norms <= MAX_NORM)  # NaN fails both comparisons
    uneven = sound & (np.abs(norms - 1.0) > UNIT_TOLERANCE)
    if uneven.any():
        matrix = matrix.copy()  # what was read from bytes cannot be written to
        matrix[uneven] /= norms[uneven, None]
    return matrix, sound


@lru_cache(maxsize=SCOPES_KEPT)
def _scope_of(tier: str, key: str, workspace_id: str | None) -> ScopeKey | None:
    """Where a memory belongs; None where damage left no such place."""
    try:
        return ScopeKey(_TIERS[tier], workspace_id, key)
    except (KeyError, InvalidValueError):
        return None


def _widest_scope(workspace_id: str | None) -> ScopeKey:
    return ScopeKey.account() if workspace_id is None else ScopeKey.workspace(workspace_id)


def _derivations_json(derivations: Sequence[Derivation]) -> str:
    if not derivations:
        return "[]"
    return json.dumps([[one.target, one.block] for one in derivations], ensure_ascii=False)


def _parts(text: str, kind: type[T]) -> Sequence[T] | None:
    """A JSON array of such parts; None where damage left no such array."""
    if text == "[]":
        return ()
    try:
        found = json.loads(text)
    except ValueError:
        return None
    is_one = isinstance(found, list) and set(map(type, found)) <= {kind}
    return found if is_one else None

"""Rows of the event log, and the chain of one: a keyed hash over every event and all before it."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.domain.log.events import Event, EventKind, LogFault
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.rows.memories import from_ms, of_sensible_rows, to_ms, words_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import TypeAlias

    from inklings_desktop.domain.log.events import EventDraft

    Row: TypeAlias = Sequence[Any]
    Fetch: TypeAlias = Callable[[str, tuple[int, ...]], Iterable[Row]]
    """Runs a statement on one consistent view of the file."""

D = TypeVar("D", list[Any], dict[str, Any])

_KINDS = {kind.value: kind for kind in EventKind}


def event_values(draft: EventDraft, number: int, at: datetime) -> dict[str, Any]:
    """The columns of an event but for its hash, in the order in which they are hashed."""
    return {
        "seq": number,
        "at": to_ms(at),
        "kind": draft.kind.value,
        "actor": draft.actor,
        "actor_kind": draft.actor_kind,
        "door": draft.door,
        "tier": draft.tier,
        "scope_key": draft.scope_key,
        "ids": words_json(draft.ids),
        "counts": json.dumps(dict(draft.counts), sort_keys=True),
        "marks": json.dumps(dict(draft.marks), sort_keys=True),
    }


@of_sensible_rows
def event_of(row: Row) -> Event:
    """The event of a row of ``events``; a kind from elsewhere is shown as unknown.

    Of lists and figures that are none nothing is shown: the chain tells that the row was altered.
    """
    number, at, kind, actor, actor_kind, door, tier, scope_key, ids, counts, marks, digest = row
    return Event(
        _KINDS.get(kind, EventKind.UNKNOWN),
        actor,
        actor_kind,
        door,
        tier,
        scope_key,
        tuple(document_of(ids, list)),
        document_of(counts, dict),
        document_of(marks, dict),
        number,
        from_ms(at),
        digest,
    )


def document_of(text: str, kind: type[D]) -> D:
    """The JSON document of a column; an empty one where damage left none of this kind."""
    try:
        found = json.loads(text)
    except ValueError:
        return kind()
    return found if isinstance(found, kind) else kind()


GENESIS = "0" * 64

_COLUMNS = "seq, at, kind, actor, actor_kind, door, tier, scope_key, ids, counts, marks, chain_hash"
_ALL = f"SELECT {_COLUMNS} FROM events ORDER BY seq"  # noqa: S608  a constant
_FROM = f"SELECT {_COLUMNS} FROM events WHERE seq >= ? ORDER BY seq LIMIT 2"  # noqa: S608
_LAST_TWO = f"SELECT {_COLUMNS} FROM events ORDER BY seq DESC LIMIT 2"  # noqa: S608
_ADOPTIONS = f"SELECT seq FROM events WHERE kind = '{EventKind.LOG_ADOPTED}' ORDER BY seq DESC"  # noqa: S608
_RESTORED = f"SELECT marks FROM events WHERE kind = '{EventKind.BACKUP_RESTORED}'"  # noqa: S608
_LOST_HEAD = "lost_head"
_MARKS = 10

# A value that no event of ours holds, such as a blob, becomes some text: the hash tells.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr).encode


@dataclass(frozen=True, slots=True)
class Head:
    """How far a log has come.

    Attributes:
        number: Of its last event; 0 while it is empty.
        digest: Chain hash of that event.
        is_anew: Whether it was noted although an earlier head had to be there and was not.
    """

    number: int = 0
    digest: str = GENESIS
    is_anew: bool = False


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """What the check of one chain found; attributes as in ``LogVerdict``."""

    n_events: int
    first_broken: int | None = None
    reason: LogFault | None = None
    n_segments: int = 1


def lost_head(noted: Head, n_lost: int) -> dict[str, str]:
    """What a restore that could not save the end of a log says in it of the head it gives up."""
    return {_LOST_HEAD: noted.digest} if n_lost else {}


def gave_up(fetch: Fetch, key: bytes, held: Head) -> bool:
    """Whether a restore by us has replaced the log whose head this is; only a whole log tells."""
    # Read as text: who forged the log may have left no JSON there, which is for the check to tell.
    said = json.dumps(lost_head(held, held.number)).strip("{}")
    is_said = any(said in str(marks) for (marks,) in fetch(_RESTORED, ()))
    return is_said and check_chain(fetch, key).reason is None


def chained(key: bytes, previous: str, values: Mapping[str, object]) -> str:
    """The hash of an event: HMAC-SHA256 over the hash before it and all its values.

    Args:
        previous: Chain hash of the event before; ``GENESIS`` for the first.
        values: Its columns but for the hash, in the order of the table.
    """
    return hmac.digest(key, _bytes([previous, *values.values()]), "sha256").hex()


def last_head(fetch: Fetch) -> Head:
    """Number and hash of the last event of a log."""
    found = list(fetch(_LAST_TWO, ()))
    return Head(found[0][0], found[0][-1]) if found else Head()


def digest_of(fetch: Fetch, number: int) -> str | None:
    """The hash of an event of a log; None where it has no such number."""
    found = list(fetch(_FROM, (number,)))
    return str(found[0][-1]) if found and found[0][0] == number else None


def is_ours(fetch: Fetch, key: bytes) -> bool | None:
    """Whether the last event of a log was appended by this installation; None when it is empty."""
    found = list(fetch(_LAST_TWO, ()))
    if not found:
        return None
    before = found[1][-1] if len(found) > 1 else GENESIS
    return _fits(key, before, found[0])


def adopted_marks(fetch: Fetch) -> tuple[int, dict[str, str]]:
    """How many events a log holds, and what a new segment after them says of them."""
    rows = hashlib.sha256()
    number, previous = 0, GENESIS
    for row in fetch(_ALL, ()):
        rows.update(_bytes(row))
        number, previous = row[0], row[-1]
    return number, {"previous": previous, "rows": rows.hexdigest()}


def check_chain(fetch: Fetch, key: bytes, head: Head | None = None) -> ChainCheck:
    """Whether every event is what was appended, in its place, and none is gone.

    What stands before the event with which this installation adopted the log was hashed with a
    key that is not here: it is compared with what the adoption noted of it.

    Args:
        fetch: Reads the log; always the same state of it.
        head: Its head as it was noted elsewhere: the log may be longer, never shorter or another.
    """
    start, marks, n_segments = _own_segment(fetch, key)
    earlier = hashlib.sha256()
    number, previous = 0, GENESIS

    def broken(reason: LogFault, at: int | None = None) -> ChainCheck:
        n_events = sum(1 for _ in fetch("SELECT seq FROM events", ()))
        return ChainCheck(n_events, at, reason, n_segments)

    for row in fetch(_ALL, ()):
        number += 1
        if row[0] != number:
            return broken(LogFault.GAP, number)
        if number < start:
            earlier.update(_bytes(row))
        elif number == start and start > 1 and marks.get("rows") != earlier.hexdigest():
            return broken(LogFault.ADOPTED_EDITED)
        elif not _fits(key, previous, row):
            is_foreign = number == 1 and not is_ours(fetch, key)
            return broken(LogFault.FOREIGN if is_foreign else LogFault.EDITED, number)
        previous = row[-1]
        if head is not None and head.number == number and head.digest != previous:
            return broken(LogFault.REPLACED, number)
    if head is not None and head.number > number:
        return ChainCheck(number, number + 1, LogFault.CUT, n_segments)
    return ChainCheck(number, n_segments=n_segments)


def _own_segment(fetch: Fetch, key: bytes) -> tuple[int, dict[str, Any], int]:
    """Number of the event with which this installation's part begins, its marks, and the parts."""
    adoptions = [row[0] for row in fetch(_ADOPTIONS, ())]
    for number in adoptions:
        found = list(fetch(_FROM, (number - 1,)))
        if len(found) > 1 and _fits(key, found[0][-1], found[1]):
            marks = json.loads(found[1][_MARKS])
            if marks.get("previous") == found[0][-1]:
                return number, marks, len(adoptions) + 1
    return 1, {}, len(adoptions) + 1


def _fits(key: bytes, previous: object, row: Row) -> bool:
    expected = hmac.digest(key, _bytes([previous, *row[:-1]]), "sha256").hex()
    return bool(row[-1] == expected)


def _bytes(values: Iterable[object]) -> bytes:
    return _encode(list(values)).encode("utf-8", "surrogateescape")

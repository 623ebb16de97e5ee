"""Rows of the event log and events, in both directions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.domain.log.events import Event, EventKind
from inklings_desktop.storage.rows.memories import from_ms, of_sensible_rows, to_ms, words_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Row

    from inklings_desktop.domain.log.events import EventDraft

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
def event_of(row: Row[*tuple[Any, ...]] | Sequence[Any]) -> Event:
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

"""One memory of an export file: its fields, its vector, its history."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import (
    MAX_DERIVATIONS,
    NOTHING_MORE,
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    MemoryVersion,
    Tier,
    checked_derivations,
    checked_lifetime,
)
from inklings_desktop.domain.memory_values import (
    checked_agent,
    checked_content,
    checked_importance,
    checked_reason,
    checked_source,
    checked_tags,
)
from inklings_desktop.domain.transfer.document import (
    Fault,
    MemoryRecord,
    RefusedMemory,
    StoredVector,
    memory_scope,
)
from inklings_desktop.domain.transfer.transfer_knowledge import settled_of
from inklings_desktop.domain.transfer.transfer_world import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from inklings_desktop.domain.transfer.transfer_fields import Fields

MAX_DIMENSION = 8192
MAX_VERSIONS = 10_000
SHOWN_OF_REFUSED = 2_000

_UNIT_TOLERANCE = 1e-3
_DEFAULT_IMPORTANCE = 0.5
_DEFAULT_SOURCE = "import"


def memory_of(
    fields: Fields,
    workspace_id: str | None,
    rooms: Collection[tuple[Tier, str]],
    domain_ids: Collection[str],
    unknown: set[str],
) -> MemoryRecord | RefusedMemory:
    """The memory of a row, or why its values cannot be kept.

    Args:
        workspace_id: Of the section it stands in; None for the account's.
        rooms: Channels and conversations of the section.
        domain_ids: Of the domains of the section.
        unknown: Takes the names of fields that nobody knows.

    Raises:
        ImportRefusedError: The row is not of the shape that this program writes.
    """
    tier = fields.word("tier", Tier)
    if (tier is Tier.ACCOUNT) != (workspace_id is None):
        raise fields.wrong("tier", "foreign")
    key = fields.text("scope_key", "")
    if tier in {Tier.CHANNEL, Tier.CONVERSATION} and (tier, key) not in rooms:
        raise fields.wrong("scope_key", "foreign")
    scope = memory_scope(tier, workspace_id, key)
    if key not in {"", scope.key}:
        raise fields.wrong("scope_key", "foreign")
    faults: list[Fault] = []
    kept = _Kept(faults)
    content = fields.text("content", "")
    importance = fields.number("importance", _DEFAULT_IMPORTANCE)
    lifetime = fields.word("lifetime", Lifetime, _own(tier))
    source = fields.text("source", _DEFAULT_SOURCE)
    tags = tuple(fields.texts("tags"))
    derived = _derivations(fields)
    agent = fields.text_or_none("agent_id")
    reason = fields.text_or_none("forgotten_reason", None)
    forgotten_at = fields.time_or_none("forgotten_at")
    version = fields.count("version", 1, least=1)
    memory_id = fields.id()
    conversation = fields.id_or_none("source_conversation")
    sources = sources_of(fields, memory_id, unknown)
    settled = settled_of(fields, domain_ids, unknown)
    entry = MemoryEntry(
        id=memory_id,
        sequence=fields.count("sequence", 0),
        version=version,
        scope=scope,
        content=kept(content, checked_content),
        lifetime=kept(lifetime, lambda one: checked_lifetime(one, tier)),
        source=kept(source, checked_source),
        curator=fields.word("curator", Curator, Curator.IMPORT),
        importance=kept(importance, checked_importance),
        tags=kept(tags, checked_tags),
        created_at=fields.time("created_at"),
        written_by=_writer(fields, kept),
        agent_id=None if agent is None else kept(agent, checked_agent),
        source_conversation=conversation,
        derived_from=kept(derived, checked_derivations),
        edited_at=fields.time_or_none("edited_at"),
        accessed_at=fields.time_or_none("accessed_at"),
        access_count=fields.count("access_count", 0),
        confirmed_at=fields.time_or_none("confirmed_at"),
        imported_at=fields.time_or_none("imported_at"),
        imported_curator=_curator_or_none(fields),
        pinned=fields.flag("pinned"),
        paused=fields.flag("paused"),
        locked=fields.flag("locked"),
        forgotten_at=forgotten_at,
        forgotten_reason=None if reason is None else kept(reason, checked_reason),
        successor_id=fields.id_or_none("successor_id"),
        run_id=fields.id_or_none("run_id"),
        kind=settled.kind,
        domain_id=settled.domain_id,
        topic=settled.topic,
    )
    is_elsewhere = tier is not Tier.WORKSPACE or agent is not None or conversation is not None
    if settled.kind is not MemoryKind.NOTE and is_elsewhere:
        raise fields.wrong("kind", "foreign")
    if forgotten_at is None and (reason is not None or entry.successor_id is not None):
        faults.append(Fault("forgotten_at", "missing"))
    if tier is Tier.ACCOUNT and (conversation is not None or derived or sources):
        faults.append(Fault("scope", "account_holds_preferences_only"))
    vector = _vector(fields, faults, unknown)
    history = _history(fields, memory_id, version, kept, unknown)
    unknown |= fields.unknown("memory")
    if faults:
        shown = content.replace("\x00", "")[:SHOWN_OF_REFUSED]
        return RefusedMemory(tier, scope.key, shown, importance, tuple(dict.fromkeys(faults)))
    return MemoryRecord(entry, vector, history, sources=sources, details=settled.details)


class _Kept:
    """Checks values, and notes what is wrong with them instead of stopping at the first."""

    def __init__(self, faults: list[Fault]) -> None:
        self._faults = faults

    def __call__(self, value: Any, check: Callable[[Any], Any]) -> Any:
        """The value tidied; as it is when it breaks a rule."""
        try:
            return check(value)
        except InvalidValueError as error:
            self._faults.append(Fault(error.field, error.rule))
            return value


def _writer(fields: Fields, kept: _Kept) -> str:
    name = fields.text("written_by", "")
    return name and kept(name, checked_agent)


def _own(tier: Tier) -> Lifetime:
    return Lifetime.CONVERSATION if tier is Tier.CONVERSATION else Lifetime.SHORT_TERM


def _curator_or_none(fields: Fields) -> Curator | None:
    if fields.raw("imported_curator") is None:
        return None
    return fields.word("imported_curator", Curator)


def _derivations(fields: Fields) -> tuple[Derivation, ...]:
    found = fields.objects("derived_from")
    if len(found) > MAX_DERIVATIONS:
        raise fields.wrong("derived_from", "too_many")
    return tuple(Derivation(one.text("target"), one.text("block", "")) for one in found)


def _vector(fields: Fields, faults: list[Fault], unknown: set[str]) -> StoredVector | None:
    inner = fields.object_or_none("vector")
    if inner is None:
        return None
    model_id = inner.text("model_id", limit=200)
    dimension = inner.count("dimension", least=1)
    text = inner.text("float32")
    unknown |= inner.unknown("vector")
    try:
        blob = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise inner.wrong("float32", "base64") from None
    if dimension > MAX_DIMENSION or len(blob) != 4 * dimension:
        raise inner.wrong("dimension", "number")
    if not _is_unit(blob):
        faults.append(Fault("vector", "norm"))
    return StoredVector(model_id, blob)


def _is_unit(blob: bytes) -> bool:
    import numpy as np

    plain = np.frombuffer(blob, dtype="<f4").astype(np.float64)
    return bool(np.isfinite(plain).all()) and abs(float(np.sqrt(plain @ plain)) - 1.0) <= (
        _UNIT_TOLERANCE
    )


def _extra(text: str) -> str:
    """What else a fact or a rule had: an object in JSON.

    Raises:
        InvalidValueError: It is none.
    """
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InvalidValueError("extra", "json")
    return text


def _history(
    fields: Fields, memory_id: str, version: int, kept: _Kept, unknown: set[str]
) -> tuple[MemoryVersion, ...]:
    found = fields.objects("history")
    if len(found) > MAX_VERSIONS:
        raise fields.wrong("history", "too_many")
    versions = []
    last = 0
    for one in found:
        number = one.count("version", least=1)
        if not last < number < version:
            raise one.wrong("version", "order")
        last = number
        content = one.text_or_none("content", None)
        versions.append(
            MemoryVersion(
                memory_id,
                number,
                None if content is None else kept(content, checked_content),
                kept(one.number("importance", _DEFAULT_IMPORTANCE), checked_importance),
                one.word("lifetime", Lifetime),
                kept(tuple(one.texts("tags")), checked_tags),
                one.word("action", MemoryAction),
                one.time("changed_at"),
                one.text("changed_by", limit=200),
                one.text("door", limit=20),
                _writer(one, kept),
                one.checked("extra", _extra, NOTHING_MORE),
            )
        )
        unknown |= one.unknown("history")
    return tuple(versions)

"""What a scrub would remove from one file, the removal itself, and the markers of open purges."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memories.decay import relevance
from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import (
    ChosenScope,
    PendingScrub,
    ScrubKind,
    ScrubMode,
)
from inklings_desktop.domain.scrub.scrub_contents import Doomed, Said, ScrubContents, Spared
from inklings_desktop.storage.repositories.scrub_rows import ScrubRows, stored_texts
from inklings_desktop.storage.repositories.scrub_skills import quoting_traces
from inklings_desktop.storage.repositories.scrub_talk import QuotedRows, chosen_in
from inklings_desktop.storage.rows.memories import from_ms, of_sensible_rows, to_ms
from inklings_desktop.storage.schema.entry_schema import named_entries
from inklings_desktop.storage.schema.purge_schema import REMOVED, REMOVING, purges
from inklings_desktop.storage.schema.tables import channels, conversations, memories
from inklings_desktop.storage.search.conditions import among

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Row

    from inklings_desktop.domain.likeness.needles import Hashes, NeedleHasher
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.schema.schema_rules import TemplateSource

SALT_BYTES = 32
_BEGINNING = 400
_MS_PER_HOUR = 3_600_000.0

_MEMORIES = select(
    memories.c.id,
    memories.c.version,
    func.substr(memories.c.content, 1, _BEGINNING),
    memories.c.curator,
    memories.c.source,
    memories.c.lifetime,
    memories.c.importance,
    memories.c.access_count,
    memories.c.pinned,
    memories.c.created_at,
    memories.c.accessed_at,
    memories.c.confirmed_at,
    memories.c.imported_at,
    memories.c.forgotten_at,
    memories.c.tier,
    memories.c.kind,
).where(
    ((memories.c.tier == bindparam("tier")) & (memories.c.scope_key == bindparam("key")))
    | among(memories.c.id, "chosen")
)
_ENTRIES = (
    select(
        named_entries.c.id,
        named_entries.c.version,
        named_entries.c.name,
        named_entries.c.curator,
        named_entries.c.deleted_at,
        func.substr(named_entries.c.body, 1, _BEGINNING),
    )
    .where(named_entries.c.tier == bindparam("tier"))
    .order_by(named_entries.c.is_built_in.desc(), named_entries.c.name, named_entries.c.id)
)
_ROOMS = {
    Tier.CONVERSATION: select(exists().where(conversations.c.id == bindparam("key"))),
    Tier.CHANNEL: select(exists().where(channels.c.id == bindparam("key"))),
}
_SPEAKERS = {
    "user": Curator.AUTHOR.value,
    "assistant": Curator.AGENT.value,
    "notice": Curator.AGENT.value,
}
_KINDS = {"note": ScrubKind.MEMORY, "fact": ScrubKind.FACT, "policy": ScrubKind.HOUSE_RULE}
_STAMP_NOTES = (
    update(conversations)
    .where(conversations.c.id == bindparam("whose"))
    .values(notes_seq=bindparam("stamp"))
)
_BEGIN_PURGE = insert(purges)
_REMOVED = (
    update(purges)
    .where(purges.c.number == bindparam("which"))
    .values(state=REMOVED, needles=bindparam("found"))
)
_OPEN = select(
    purges.c.number,
    purges.c.tier,
    purges.c.scope_key,
    purges.c.mode,
    purges.c.executed_at,
    purges.c.n_removed,
).order_by(purges.c.number)
_CLOSE = delete(purges).where(purges.c.number == bindparam("which"))


class SqliteScrubRepository:
    """The ``ScrubRepository`` of one transaction."""

    def __init__(self, transaction: Transaction, key: bytes, template_of: TemplateSource) -> None:
        """Work in this transaction.

        Args:
            transaction: Open.
            key: The installation's key, for the needles.
            template_of: Body that a built-in named entry begins anew with.
        """
        self._transaction = transaction
        self._connection = transaction.connection
        self._key = key
        self._template_of = template_of

    def contents(
        self, scope: ScopeKey, mode: ScrubMode, decay: DecayConfig, as_of: datetime
    ) -> ScrubContents:
        """Everything a scrub of this scope is about, as this transaction sees it.

        Raises:
            NotFoundError: There is no such conversation or channel.
        """
        self._require_room(scope)
        rows = ScrubRows.of(scope, mode)
        place = {"tier": rows.tier, "key": rows.key}
        going = [] if rows.is_of_runs else list(self._memories(rows, decay, as_of))
        going += [
            Doomed(
                ScrubKind.WORKING_NOTE,
                key,
                version,
                begins,
                Curator.AGENT.value,
                tier=Tier.CONVERSATION,
            )
            for key, begins, version, _ in rows.noted(self._connection.exec_driver_sql)
        ]
        going += [
            Doomed(ScrubKind.MESSAGE, one.id, one.version, one.begins, _SPEAKERS[one.role])
            for one in rows.talk.spoken(self._connection.exec_driver_sql)
        ]
        going += [
            Doomed(kind, id_, version, begins, Curator.AGENT.value)
            for kind, id_, version, begins in rows.talk.counted(self._connection.exec_driver_sql)
        ]
        going += [
            Doomed(kind, id_, version, begins, Curator.AGENT.value)
            for kind, id_, version, begins in rows.beside(self._connection.exec_driver_sql)
        ]
        if rows.is_of_runs:
            return ScrubContents(scope, mode, tuple(going), (), ())
        entry_ids = frozenset(rows.entry_ids(self._connection.exec_driver_sql))
        spared = []
        for id_, version, name, curator, deleted_at, body in self._connection.execute(
            _ENTRIES, place
        ):
            is_deleted = deleted_at is not None
            if id_ in entry_ids:
                begins = f"{name}: {body}"
                kind = ScrubKind.NAMED_ENTRY
                going.append(Doomed(kind, id_, version, begins, curator, is_forgotten=is_deleted))
            else:
                spared.append(Spared(id_, version, name, is_deleted))
        alongside = rows.alongside(self._connection.exec_driver_sql, entry_ids)
        return ScrubContents(scope, mode, tuple(going), tuple(alongside), tuple(spared))

    def said(self, scope: ScopeKey) -> Said:
        rows = ScrubRows.of(scope, ScrubMode.FULL)
        return rows.talk.saying(self._connection.exec_driver_sql)

    def quoting(self, said: Said) -> tuple[Doomed, ...]:
        """What was said in this file, or came of a skill, that holds memories of the account's."""
        talk, run = QuotedRows(said).talk, self._connection.exec_driver_sql
        found = [
            Doomed(ScrubKind.MESSAGE, one.id, one.version, one.begins, _SPEAKERS[one.role])
            for one in talk.spoken(run)
        ]
        found += [
            Doomed(ScrubKind.TRACE, id_, 1, "", Curator.AGENT.value)
            for id_ in quoting_traces(run, talk.holding(run))
        ]
        return tuple(found)

    def unquote(self, said: Said) -> None:
        stamp = self._transaction.change_seq
        QuotedRows(said).delete(self._connection.exec_driver_sql, None, 0, stamp)
        self._transaction.rooms_changed()

    def remove(self, contents: ScrubContents, number: int, at: datetime) -> None:
        from inklings_desktop.domain.likeness.needles import Candidates

        scope, connection = contents.scope, self._connection
        rows, run = ScrubRows.of(scope, contents.mode), connection.exec_driver_sql
        stamp = self._transaction.change_seq
        salt = secrets.token_bytes(SALT_BYTES)
        connection.execute(
            _BEGIN_PURGE,
            {
                "number": number,
                "state": REMOVING,
                "tier": rows.tier,
                "scope_key": rows.key,
                "mode": contents.mode.value,
                "executed_at": to_ms(at),
                "n_removed": len(contents.going),
                "salt": salt,
                "needles": b"",
                "rewritten": "[]",
                "deleted": "[]",
            },
        )
        noted = {talk for *_, talk in rows.noted(run)}
        candidates = Candidates(needle_hasher(self._key, salt), rows.texts(run))
        rows.delete(run, self._template_of, to_ms(at), stamp)
        needles = candidates.needles(stored_texts(run))
        connection.execute(_REMOVED, {"which": number, "found": needle_blob(needles)})
        for talk in noted:
            connection.execute(_STAMP_NOTES, {"whose": talk, "stamp": stamp})
            self._transaction.notes_changed(talk)
        self._transaction.require_reload()

    def pending(self) -> tuple[PendingScrub, ...]:
        return tuple(map(self._pending_of, self._connection.execute(_OPEN)))

    def close(self, number: int) -> bool:
        self._transaction.take_number()
        return self._connection.execute(_CLOSE, {"which": number}).rowcount > 0

    @of_sensible_rows
    def _pending_of(self, row: Row[*tuple[Any, ...]]) -> PendingScrub:
        number, tier, key, mode, executed_at, n_removed = row
        if chosen_in(key) == key:
            scope: ScopeKey = ChosenScope.of(self._transaction.workspace_id, json.loads(key))
        else:
            scope = self._transaction.scope(tier, key)
        return PendingScrub(scope, ScrubMode(mode), number, from_ms(executed_at), n_removed)

    def _memories(self, rows: ScrubRows, decay: DecayConfig, as_of: datetime) -> Iterator[Doomed]:
        now = to_ms(as_of)
        place = {"tier": rows.tier, "key": rows.key, "chosen": chosen_in(rows.key)}
        for row in self._connection.execute(_MEMORIES, place):
            (
                id_, version, begins, curator, source, lifetime, importance, access_count, pinned,
                created_at, accessed_at, confirmed_at, imported_at, forgotten_at, tier, kind,
            ) = row  # fmt: skip
            base = created_at if accessed_at is None else accessed_at
            hours = (now - max(base, confirmed_at or base, imported_at or base)) / _MS_PER_HOUR
            rate = 1.0 if pinned else decay.rate(Tier(tier))
            worth = relevance(importance, rate, hours, access_count)
            yield Doomed(
                _KINDS[kind],
                id_,
                version,
                begins,
                curator,
                source,
                lifetime,
                worth,
                is_forgotten=forgotten_at is not None,
                tier=Tier(tier),
            )

    def _require_room(self, scope: ScopeKey) -> None:
        room: Any = _ROOMS.get(scope.tier)
        if room is not None and not self._connection.execute(room, {"key": scope.key}).scalar():
            raise NotFoundError(scope.tier.value, scope.key)


def needle_hasher(key: bytes, salt: bytes) -> NeedleHasher:
    """Hashes the needles of one purge; without the installation's key they tell nothing."""
    from inklings_desktop.domain.likeness.needles import NeedleHasher

    return NeedleHasher(hmac.new(key, b"needles" + salt, hashlib.sha256).digest())


def needle_blob(needles: Hashes) -> bytes:
    """Hashes as they are stored: little-endian, eight bytes each."""
    return needles.astype("<u8").tobytes()


def needles_of(blob: bytes) -> Hashes:
    """The hashes of a blob."""
    import numpy as np

    return np.frombuffer(blob, "<u8").astype(np.uint64)

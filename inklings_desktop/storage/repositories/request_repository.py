"""Writes of one file that their clients may send again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.access.access import KeptRequest, RequestMark
from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.rooms.retention import REQUESTS_KEPT_FOR
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.schema.talk_schema import request_keys

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.storage.rows.transaction import Transaction

_OWN = (
    request_keys.c.client == bindparam("of_client"),
    request_keys.c.key == bindparam("of_key"),
)
_FIND = select(request_keys.c.tool, request_keys.c.digest, request_keys.c.outcome).where(*_OWN)
_KEEP = upsert(request_keys)
_KEEP = _KEEP.on_conflict_do_update(
    index_elements=[request_keys.c.client, request_keys.c.key],
    set_={"outcome": _KEEP.excluded.outcome},
)
_EXPIRE = delete(request_keys).where(request_keys.c.at < bindparam("before"))


class SqliteRequestRepository:
    """The ``RequestRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def find(self, client: str, key: str) -> KeptRequest | None:
        row = self._connection.execute(_FIND, {"of_client": client, "of_key": key}).one_or_none()
        if row is None:
            return None
        tool, digest, outcome = row
        done = tuple((word, tuple(ids)) for word, ids in json.loads(outcome))
        return KeptRequest(RequestMark(key, tool, digest), done)

    def keep(
        self, client: str, mark: RequestMark, word: str, ids: tuple[str, ...], at: datetime
    ) -> None:
        before = self.find(client, mark.key)
        if before is None:
            self._connection.execute(_EXPIRE, {"before": to_ms(at - REQUESTS_KEPT_FOR)})
        elif self._transaction.request != mark:
            raise ConflictError("request", mark.key)
        self._transaction.request = mark
        outcome = [*(before.outcome if before else ()), (word, ids)]
        self._connection.execute(
            _KEEP,
            {
                "client": client,
                "key": mark.key,
                "tool": mark.tool,
                "digest": mark.digest,
                "outcome": json.dumps(outcome),
                "at": to_ms(at),
            },
        )
        self._transaction.take_number()

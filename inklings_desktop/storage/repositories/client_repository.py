"""The programs that agents come in by, their rights and their latest requests."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import (
    MAX_CALLS_KEPT,
    WRITES_COUNTED_FOR,
    Client,
    ClientActivity,
    ClientCall,
    ClientKind,
    Right,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    of_sensible_rows,
    sensible,
    to_ms,
)
from inklings_desktop.storage.schema.client_schema import client_calls, client_rights, clients

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

_CLIENTS = select(clients.c.name, clients.c.kind, clients.c.created_at).order_by(
    clients.c.created_at, clients.c.name
)
_CALLS = select(
    client_calls.c.client,
    client_calls.c.at,
    client_calls.c.tool,
    client_calls.c.tier,
    client_calls.c.workspace_id,
    client_calls.c.answer,
    client_calls.c.n_entries,
    client_calls.c.error,
    client_calls.c.milliseconds,
    client_calls.c.is_write,
)
_KINDS = {kind.value: kind for kind in ClientKind}
_KEPT_OF_A_CALL = (
    "client", "at", "tool", "tier", "workspace_id", "answer", "n_entries", "error",
    "milliseconds", "is_write",
)  # fmt: skip
_of_client = client_calls.c.client == bindparam("client")
# Every request is noted: these are on the way of each.
_NOTE = Prepared(insert(client_calls).values({one: bindparam(one) for one in _KEPT_OF_A_CALL}))
_DROP_OLD = Prepared(
    delete(client_calls).where(
        _of_client,
        client_calls.c.sequence
        <= select(client_calls.c.sequence)
        .where(_of_client)
        .order_by(client_calls.c.sequence.desc())
        .limit(1)
        .offset(MAX_CALLS_KEPT)
        .scalar_subquery(),
        # Writes stay for as long as they count against the limit of writes.
        or_(client_calls.c.is_write == 0, client_calls.c.at < bindparam("counting_since")),
    )
)
_TOUCH = Prepared(
    update(clients)
    .where(clients.c.name == bindparam("client"))
    .values(changed_seq=bindparam("change_seq"))
    .returning(clients.c.name)
)


class SqliteClientRepository:
    """The ``ClientRepository`` of one transaction on the account's file."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def clients(self) -> tuple[Client, ...]:
        rights: dict[str, set[Right]] = defaultdict(set)
        # A right that damage made nonsense of is none.
        for name, right in sensible(self._connection.execute(select(client_rights)), _right_of):
            rights[name].add(right)
        return tuple(
            Client(
                row.name,
                _KINDS.get(row.kind, ClientKind.UNKNOWN),  # to which nothing is open
                from_ms(row.created_at),
                frozenset(rights[row.name]),
            )
            for row in self._connection.execute(_CLIENTS)
        )

    def get(self, name: str) -> Client:
        for client in self.clients():
            if client.name == name:
                return client
        raise NotFoundError("client", name)

    def save(self, client: Client) -> None:
        values = {
            **columns_of(client, "name kind created_at"),
            "changed_seq": self._transaction.change_seq,
        }
        statement = upsert(clients).values(values)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=[clients.c.name],
                set_={"kind": values["kind"], "changed_seq": values["changed_seq"]},
            )
        )
        of_client = client_rights.c.client == client.name
        self._connection.execute(delete(client_rights).where(of_client))
        if client.rights:
            self._connection.execute(
                insert(client_rights),
                [
                    {
                        "client": client.name,
                        "workspace_id": one.workspace_id or "",
                        "tier": one.tier.value,
                        "action": one.action.value,
                        "channel_id": one.channel_id or "",
                    }
                    for one in sorted(client.rights, key=lambda one: one.sort_key)
                ],
            )
        self._transaction.clients_changed()

    def drop(self, name: str) -> None:
        for column in (client_calls.c.client, client_rights.c.client, clients.c.name):
            self._connection.execute(delete(column.table).where(column == name))
        self._transaction.clients_changed()

    def note_call(self, call: ClientCall) -> None:
        """Keep a request among the latest of its client; the oldest leave.

        Nothing is kept of a client that was never let in.
        """
        name = {"client": call.client}
        is_known = _TOUCH.rows(
            self._connection, name | {"change_seq": self._transaction.change_seq}
        )
        if not is_known:
            return
        _NOTE.rows(
            self._connection,
            name
            | columns_of(
                call, "at tool tier workspace_id answer n_entries error milliseconds is_write"
            ),
        )
        counting_since = to_ms(call.at - WRITES_COUNTED_FOR)
        _DROP_OLD.rows(self._connection, name | {"counting_since": counting_since})
        self._transaction.clients_changed()

    def writes_since(self, name: str, since: datetime) -> int:
        statement = select(func.count()).where(
            client_calls.c.client == name,
            client_calls.c.is_write == 1,
            client_calls.c.at >= to_ms(since),
        )
        return self._connection.execute(statement).scalar_one()

    def activity(self, name: str, limit: int) -> ClientActivity:
        latest_first = client_calls.c.sequence.desc()
        of_client = client_calls.c.client == name
        rows = self._connection.execute(
            _CALLS.where(of_client).order_by(latest_first).limit(limit)
        ).all()
        failed = self._connection.execute(
            _CALLS.where(of_client, client_calls.c.error != "").order_by(latest_first).limit(1)
        ).one_or_none()
        return ClientActivity(
            last_call_at=from_ms(rows[0].at) if rows else None,
            last_error="" if failed is None else failed.error,
            last_error_at=None if failed is None else from_ms(failed.at),
            calls=tuple(sensible(rows, _call_of)),
        )


@of_sensible_rows
def _right_of(row: Row[*tuple[Any, ...]]) -> tuple[str, Right]:
    place, room = row.workspace_id or None, row.channel_id or None
    return row.client, Right(Tier(row.tier), place, Action(row.action), room)


@of_sensible_rows
def _call_of(row: Row[*tuple[Any, ...]]) -> ClientCall:
    return ClientCall(
        row.client,
        from_ms(row.at),
        row.tool,
        None if row.tier is None else Tier(row.tier),
        row.workspace_id,
        row.answer,
        row.n_entries,
        row.error,
        row.milliseconds,
        bool(row.is_write),
    )

"""Scrubs that agents ask for, and the windows that could confirm them; in the account's file."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, exists, select
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import (
    MAX_REQUESTS_KEPT,
    OPEN_STATES,
    ScrubRequest,
    ScrubRequestState,
)
from inklings_desktop.storage.rows.memories import (
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
    to_ms_or_none,
)
from inklings_desktop.storage.schema.purge_schema import scrub_requests
from inklings_desktop.storage.schema.task_schema import leases

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

_WINDOW = "window:"
_OPEN = [state.value for state in sorted(OPEN_STATES)]
_REQUESTS = select(scrub_requests).order_by(scrub_requests.c.sequence)
_ONE = _REQUESTS.where(scrub_requests.c.id == bindparam("wanted"))
_WINDOWS = leases.c.name.startswith(_WINDOW, autoescape=True)


class SqliteScrubRequestRepository:
    """The ``ScrubRequestRepository`` of one transaction on the account's file."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def get(self, request_id: str) -> ScrubRequest:
        row = self._connection.execute(_ONE, {"wanted": request_id}).one_or_none()
        if row is None:
            raise NotFoundError("scrub_request", request_id)
        return _request_of(row)

    def open_requests(self, client: str | None = None) -> tuple[ScrubRequest, ...]:
        statement = _REQUESTS.where(scrub_requests.c.state.in_(_OPEN))
        if client is not None:
            statement = statement.where(scrub_requests.c.client == client)
        return tuple(sensible(self._connection.execute(statement), _request_of))

    def save(self, request: ScrubRequest) -> None:
        values = {
            "id": request.id,
            "client": request.client,
            "workspace_id": request.scope.workspace_id or "",
            "tier": request.scope.tier.value,
            "scope_key": request.scope.key,
            "mode": request.mode.value,
            "digest": request.digest,
            "n_removed": request.n_removed,
            "asked_at": to_ms(request.asked_at),
            "expires_at": to_ms(request.expires_at),
            "state": request.state.value,
            "ended_at": to_ms_or_none(request.ended_at),
            "event_number": request.event_number,
            "changed_seq": self._transaction.change_seq,
        }
        changing = ("state", "ended_at", "event_number", "changed_seq")
        statement = upsert(scrub_requests).values(values)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=[scrub_requests.c.id],
                set_={name: values[name] for name in changing},
            )
        )
        oldest_kept = (
            select(scrub_requests.c.sequence)
            .order_by(scrub_requests.c.sequence.desc())
            .limit(1)
            .offset(MAX_REQUESTS_KEPT)
            .scalar_subquery()
        )
        self._connection.execute(
            delete(scrub_requests).where(
                scrub_requests.c.sequence <= oldest_kept, scrub_requests.c.state.not_in(_OPEN)
            )
        )
        self._transaction.scrub_requests_changed()

    def note_window(self, holder: str, now: datetime, seconds: float) -> None:
        """Keep in mind that a window is there; what killed ones left behind goes."""
        at, until = to_ms(now), to_ms(now + timedelta(seconds=seconds))
        self._connection.execute(
            delete(leases).where(_WINDOWS, (leases.c.expires_at <= at) | (leases.c.taken_at > at))
        )
        values = {"holder": holder, "taken_at": at, "expires_at": until}
        statement = upsert(leases).values({"name": f"{_WINDOW}{holder}", **values})
        self._connection.execute(
            statement.on_conflict_do_update(index_elements=[leases.c.name], set_=values)
        )

    def drop_window(self, holder: str) -> None:
        self._connection.execute(delete(leases).where(leases.c.name == f"{_WINDOW}{holder}"))

    def has_window(self, now: datetime) -> bool:
        """Whether any window is there; a note from the future counts for nothing."""
        at = to_ms(now)
        found = exists().where(_WINDOWS, leases.c.taken_at <= at, leases.c.expires_at > at)
        return bool(self._connection.execute(select(found)).scalar_one())


@of_sensible_rows
def _request_of(row: Row[*tuple[Any, ...]]) -> ScrubRequest:
    return ScrubRequest(
        row.id,
        row.client,
        ScopeKey(Tier(row.tier), row.workspace_id or None, row.scope_key),
        ScrubMode(row.mode),
        row.digest,
        row.n_removed,
        from_ms(row.asked_at),
        from_ms(row.expires_at),
        ScrubRequestState(row.state),
        from_ms_or_none(row.ended_at),
        row.event_number,
    )

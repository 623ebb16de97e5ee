"""Every refusal of a machine is an event, once; the account's log keeps them all."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, CallerKind
from inklings_desktop.domain.errors import DomainDeniedError, InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.recording import MAX_IDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.usecases.ports.store import Clock, Store

# An id is recorded, never what a caller wrote in the place of one.
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a caller tries, as the log would name it.

    Attributes:
        verb: A word of the program's own.
        tier: In which tier.
        workspace_id: In which workspace; None for the account.
        ids: What it is about.
    """

    verb: str
    tier: Tier
    workspace_id: str | None
    ids: tuple[str, ...] = ()


@contextmanager
def refusals_recorded(
    store: Store, clock: Clock, caller: Caller, attempt: Attempt
) -> Iterator[None]:
    """Append an event when what is tried inside is refused to a machine; then let the error pass.

    Refused means closed to it, or an imitation. No transaction may be open around this.
    """
    try:
        yield
    except (ScopeDeniedError, InvalidValueError) as error:
        is_refusal = isinstance(error, ScopeDeniedError) or error.rule == "look_alike"
        if is_refusal and caller.kind is not CallerKind.PERSON:
            if isinstance(error, DomainDeniedError):
                attempt = replace(attempt, ids=(error.id, *attempt.ids))
            record_refusal(store, clock, caller, attempt)
            if isinstance(error, ScopeDeniedError):
                error.is_recorded = True
        raise


def record_refusal(store: Store, clock: Clock, caller: Caller, attempt: Attempt) -> None:
    """Append the event of one refusal; no transaction may be open around this."""
    is_account = attempt.tier is Tier.ACCOUNT
    key = ACCOUNT_KEY if is_account else attempt.workspace_id
    draft = EventDraft(
        EventKind.DENIED,
        caller.name,
        caller.kind.value,
        caller.door.value,
        attempt.tier.value,
        key if key is not None and (is_account or _ID.fullmatch(key)) else None,
        tuple(one for one in attempt.ids if _ID.fullmatch(one))[:MAX_IDS],
        {attempt.verb: 1},
    )
    with store.write(None, initiator=caller.name) as unit:
        unit.events.append(draft, clock())
        unit.commit()

"""See the memory as one client sees it: its rights, its eyes, and no hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_management
from inklings_desktop.domain.access.clients import caller_of
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from inklings_desktop.usecases.ports.store import FindView, Store
    from inklings_desktop.usecases.ports.transfer import TransferStore, TransferUnit, TransferView


@dataclass(frozen=True, slots=True)
class LookingStore:
    """A store in which nothing can be changed: looking leaves no trace, not even a refusal."""

    store: TransferStore

    def read(self, workspace_id: str | None) -> AbstractContextManager[TransferView]:
        """A snapshot of one file.

        Raises:
            NotFoundError: There is no such workspace.
        """
        return self.store.read(workspace_id)

    def find(self, workspace_id: str | None) -> AbstractContextManager[FindView]:
        """The same of memories to be found."""
        return self.store.find(workspace_id)

    def write(
        self, workspace_id: str | None, *, initiator: str, durable: bool = True
    ) -> AbstractContextManager[TransferUnit]:
        """Refused, whoever asks.

        Raises:
            ScopeDeniedError: Always.
        """
        del initiator, durable
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        raise ScopeDeniedError(Action.WRITE.value, tier.value)


def count_nothing(
    _caller: Caller, _workspace_id: str | None, _ids: Sequence[str], _at: datetime
) -> None:
    """Whoever looks through an agent's eyes reads nothing for it."""


def see_as(store: Store, caller: Caller, client: str, workspace_id: str) -> Caller:
    """Who a client would be at its next request in a workspace, with rights to read alone.

    Raises:
        ScopeDeniedError: The caller is an agent, or the client may read nothing there.
        NotFoundError: There is no such client or workspace.
    """
    authorize_management(caller)
    with store.read(workspace_id) as view:
        taking_part = view.conversations.participation(client)
    with store.read(None) as view:
        known = view.clients.get(client)
    seeing = caller_of(known, workspace_id, taking_part).only_reading()
    if not seeing.may_read_in(workspace_id):
        raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)
    return seeing

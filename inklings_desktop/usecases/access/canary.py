"""The canary drill of one client, in a store made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import Caller, authorize_management
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from inklings_desktop.domain.access.canary import DrillReport
    from inklings_desktop.domain.access.clients import Client
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Store


class Drill(Protocol):
    """Plants markers in a store of its own and asks everything that can be asked, as a client."""

    def __call__(self, client: Client, workspace_id: str, progress: Progress) -> DrillReport:
        """What came of it.

        Args:
            client: Whose rights are tried.
            workspace_id: The workspace that it is bound to; nothing in it is touched.
            progress: Hears of every step.

        Raises:
            StoppedError: The person stopped it.
            StorageError: There is no room for a store.
        """
        ...


@dataclass(frozen=True, slots=True)
class RunCanaryDrill:
    """Find out whether anything crosses to a client that it may not be told."""

    store: Store
    drill: Drill

    def __call__(
        self, caller: Caller, client: str, workspace_id: str, progress: Progress = UNHEARD
    ) -> DrillReport:
        """What came of it, with the rights that the client has now; nothing real is touched.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such client.
            StoppedError: The person stopped it.
            StorageError: There is no room for a store.
        """
        authorize_management(caller)
        with self.store.read(None) as view:
            known = view.clients.get(client)
        return self.drill(known, workspace_id, progress)

"""What others changed lately in everything that is open to an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.entries.named_entries import StandingSlice
from inklings_desktop.usecases.search.search_open import open_places
from inklings_desktop.usecases.search.since_last_turn import SinceLastTurn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.rooms.news import News
    from inklings_desktop.usecases.ports.store import Store


@dataclass(frozen=True, slots=True)
class RecentChanges:
    """The news of a client outside any conversation; to ask tells it nothing it is not told anew.

    Only the beginning of a memory is told, so that nothing counts as read.
    """

    store: Store

    def __call__(self, caller: Caller, workspace_id: str, since: datetime | None = None) -> News:
        """What others made of memories and named entries after an instant.

        Args:
            caller: The agent.
            workspace_id: The world that it works in.
            since: None for the client's last turn in any of its conversations.

        Raises:
            ScopeDeniedError: Nothing is open to the caller.
            InvalidValueError: It had no turn yet, and names no instant.
        """
        places = open_places(self.store, caller, workspace_id)
        began = since or self._last_turn(caller, workspace_id, places)
        if began is None:
            raise InvalidValueError("since", "missing")
        entries = self._standing(caller, workspace_id)
        return SinceLastTurn(self.store).changes(caller, began, tuple(places), entries)

    def _last_turn(
        self, caller: Caller, workspace_id: str, places: Iterable[ScopeKey]
    ) -> datetime | None:
        with self.store.read(workspace_id) as view:
            told = (
                view.conversations.told_at(scope.key, caller.name)
                for scope in places
                if scope.tier is Tier.CONVERSATION
            )
            return max((at for at in told if at is not None), default=None)

    def _standing(self, caller: Caller, workspace_id: str) -> tuple[NamedEntry, ...]:
        try:
            return StandingSlice(self.store)(caller, workspace_id)
        except ScopeDeniedError:
            return ()

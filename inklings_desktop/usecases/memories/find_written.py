"""What one client wrote, in a workspace and the account: to look it through, or forget it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports.store import Store


@dataclass(frozen=True, slots=True)
class Written:
    """What one client wrote and nobody has rewritten.

    Attributes:
        free: Active memories that may be forgotten with the rest.
        n_locked: How many more there are that the author locked: these are left.
        n_rewritten: How many it wrote once and the author has put own words in place of since:
            these are the author's, and none of the others.
    """

    free: tuple[MemoryEntry, ...]
    n_locked: int
    n_rewritten: int = 0

    @property
    def n_pinned(self) -> int:
        """How many of those that may be forgotten the author pinned."""
        return sum(one.pinned for one in self.free)


@dataclass(frozen=True, slots=True)
class FindWritten:
    """Every active memory whose text one client wrote, whatever its tier."""

    store: Store

    def __call__(self, caller: Caller, name: str, workspace_id: str | None) -> Written:
        """What this client wrote in a workspace, None for none, and in the account.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(caller, Action.READ, Tier.WORKSPACE)
        found: list[MemoryEntry] = []
        n_rewritten = 0
        for file in dict.fromkeys((workspace_id, None)):
            with self.store.read(file) as view:
                found.extend(view.memories.by_writer(name))
                n_rewritten += view.memories.count_rewritten(name)
        free = tuple(one for one in found if not one.locked)
        return Written(free, len(found) - len(free), n_rewritten)

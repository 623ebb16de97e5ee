"""Several memories at once, as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.ports.store import Store


@dataclass(frozen=True, slots=True)
class ShowMemories:
    """Memories by reference; for the person."""

    store: Store

    def __call__(self, caller: Caller, refs: Sequence[MemoryRef]) -> tuple[MemoryEntry, ...]:
        """Those that are there, forgotten or not, in the order asked for; looking changes nothing.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        authorize(caller, Action.READ, *{ref.scope for ref in refs})
        found: dict[MemoryRef, MemoryEntry] = {}
        for file in dict.fromkeys(ref.scope.workspace_id for ref in refs):
            ids = [ref.id for ref in refs if ref.scope.workspace_id == file]
            with self.store.read(file) as view:
                found |= {one.ref: one for one in view.memories.get_many(ids).values()}
        return tuple(found[ref] for ref in dict.fromkeys(refs) if ref in found)

"""Preview a search and replace over memories; carrying it out is ``EditEach``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.memories.text_replacement import plan_replacements
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.memories.show_memories import ShowMemories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.text_replacement import ReplacementPlan, ReplacementWish
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.usecases.ports.store import Store


@dataclass(frozen=True, slots=True)
class PreviewReplacement:
    """Every change that replacing a text in some memories would make; for the person."""

    store: Store

    def __call__(
        self, caller: Caller, refs: Sequence[MemoryRef], wish: ReplacementWish
    ) -> ReplacementPlan:
        """The changes, each with its version; nothing is written.

        Forgotten memories and those that are gone are left out.

        Raises:
            ScopeDeniedError: The caller is not a person.
        """
        for tier in {ref.scope.tier for ref in refs}:
            authorize_person(caller, Action.WRITE, tier)
        found = ShowMemories(self.store)(caller, refs)
        entries = [one for one in found if not one.is_forgotten]
        return plan_replacements(entries, wish)

"""Preview a search and replace over memories; carrying it out is ``EditEach``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, authorize, authorize_person
from inklings_desktop.domain.text_replacement import plan_replacements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access import Caller
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.domain.text_replacement import ReplacementPlan, ReplacementWish
    from inklings_desktop.usecases.ports import Store


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
        if refs:
            authorize_person(caller, Action.WRITE, refs[0].scope.tier)
            authorize(caller, Action.READ, *{ref.scope for ref in refs})
        entries = []
        for file in dict.fromkeys(ref.scope.workspace_id for ref in refs):
            wanted = [ref for ref in refs if ref.scope.workspace_id == file]
            with self.store.read(file) as view:
                found = view.memories.get_many([ref.id for ref in wanted])
            here = (found.get(ref.id) for ref in wanted)
            entries += [one for one in here if one is not None and not one.is_forgotten]
        return plan_replacements(entries, wish)

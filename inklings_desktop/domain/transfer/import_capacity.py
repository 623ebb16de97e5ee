"""Whether what an import would add still fits into the scopes that it goes to."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.import_plan import Decision, RowKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.domain.transfer.import_plan import ImportPreview, ImportRow


@dataclass(frozen=True, slots=True)
class TightScope:
    """A scope that a file could fill beyond what it may hold.

    Attributes:
        place: Name of its channel or conversation; empty in the wider tiers.
        n_held: Active memories that are in it already.
        cap: Most that it may hold.
        numbers: The rows that could come in, by their numbers.
    """

    tier: Tier
    place: str
    n_held: int
    cap: int
    numbers: tuple[int, ...]

    def n_after(self, chosen: Mapping[int, Decision]) -> int:
        """How many active memories it would hold then."""
        return self.n_held + self._n_added(chosen)

    def n_over(self, chosen: Mapping[int, Decision]) -> int:
        """How many of the chosen rows are too many; 0 while all of them fit, or none comes in."""
        n_added = self._n_added(chosen)
        return min(n_added, max(0, self.n_held + n_added - self.cap))

    def _n_added(self, chosen: Mapping[int, Decision]) -> int:
        return sum(chosen[number] is Decision.BOTH for number in self.numbers)


def tight_scopes(preview: ImportPreview) -> tuple[TightScope, ...]:
    """The scopes that would be too full if every row came in, in the order of the file."""
    if preview.cap is None:
        return ()
    found = []
    for plan in preview.plans:
        rows: dict[ScopeKey, list[ImportRow]] = defaultdict(list)
        for row in plan.rows:
            if row.kind is RowKind.MEMORY and row.scope is not None and not row.is_forgotten:
                rows[row.scope].append(row)
        for scope, some in rows.items():
            n_held = plan.held.get(scope, 0)
            if n_held + len(some) > preview.cap:
                numbers = tuple(row.number for row in some)
                found.append(TightScope(scope.tier, some[0].place, n_held, preview.cap, numbers))
    return tuple(found)


def refuse_overfull(preview: ImportPreview, chosen: Mapping[int, Decision]) -> None:
    """Refuse what does not fit, before a copy is made or a row is written.

    Raises:
        ImportRefusedError: A scope would hold more than it may.
    """
    for scope in tight_scopes(preview):
        if scope.n_over(chosen):
            raise ImportRefusedError("overfull", scope.tier.value, scope.cap)

"""Other rates of decay tried on the memories that are there; nothing is stored, nothing counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, authorize_management
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.rehearsal import Rehearsal, TierShift, moves_between
from inklings_desktop.usecases.rooms.orient import OrientationRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.rooms.rehearsal import Move
    from inklings_desktop.usecases.ports.store import Embedder
    from inklings_desktop.usecases.rooms.orient import PreviewOrientation


@dataclass(frozen=True, slots=True)
class RehearseRates:
    """What an agent would be given under other rates, beside what it is given now."""

    preview: PreviewOrientation
    embedder: Embedder

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        decay: DecayConfig,
        conversation: str | None = None,
    ) -> Rehearsal:
        """What would enter and leave the beginning of a turn, and how far each tier would fade.

        Args:
            caller: The person.
            workspace_id: Whose memories.
            decay: The rates to be tried.
            conversation: Whose turn begins; None leaves conversation and channel out.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace or conversation.
        """
        authorize_management(caller)
        orient = self.preview.orient
        now = orient.settings()
        moves: tuple[Move, ...] = ()
        if decay != now.decay:
            under = replace(orient, settings=lambda: replace(now, decay=decay))
            request = OrientationRequest(workspace_id, conversation)
            moves = moves_between(
                self.preview(caller, request),
                replace(self.preview, orient=under)(caller, request),
            )
        return Rehearsal(moves, self._shifts(workspace_id, now.decay, decay))

    def _shifts(
        self, workspace_id: str, before: DecayConfig, after: DecayConfig
    ) -> tuple[TierShift, ...]:
        orient = self.preview.orient
        found: list[TierShift] = []
        as_of, model_id = orient.clock(), self.embedder.model_id
        for file in (workspace_id, None):
            with orient.store.read(file) as view:
                found += view.overview.shifts(before, after, model_id=model_id, as_of=as_of)
        return tuple(found)

"""What the run history shows at any moment; no widgets, no calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import RunState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.run_details import RunDetails
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.ui.kit.words.consolidation_words import ReviewNotice

_ENDED = frozenset({RunState.FINISHED, RunState.STOPPED, RunState.FAILED})


@dataclass(frozen=True, slots=True)
class RunsState:
    """Everything on show.

    Attributes:
        is_read: Whether the history has been read.
        tier: Only runs of this tier; None for all of them.
        runs: Every consolidation of the workspace and of the account, newest first.
        places: What the person calls a scope key.
        current: Id of the run that is looked at; empty for none.
        details: What it did; None until that was read.
        is_undoing: Whether it is being taken back.
        notice: What has to be said.
    """

    is_read: bool = False
    tier: Tier | None = None
    runs: tuple[TaskRun, ...] = ()
    places: Mapping[ScopeKey, str] = field(default_factory=dict)
    current: str = ""
    details: RunDetails | None = None
    is_undoing: bool = False
    notice: ReviewNotice | None = None

    @property
    def shown(self) -> tuple[TaskRun, ...]:
        """The runs in the list."""
        return tuple(one for one in self.runs if self.tier is None or one.target.tier is self.tier)

    @property
    def run(self) -> TaskRun | None:
        """The run that is looked at."""
        return next((one for one in self.runs if one.id == self.current), None)

    @property
    def can_undo(self) -> bool:
        """Whether the run that is looked at can be taken back."""
        run = self.run
        return (
            run is not None
            and run.state in _ENDED
            and not self.is_undoing
            and any(run.counts.get(one) for one in ("merged", "pruned", "promoted", "capped"))
        )

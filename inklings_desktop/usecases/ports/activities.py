"""What activities need: their rows, and who carries a run out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.background.activities import WORLD_AGENT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.activities import (
        Activity,
        ActivityRun,
        Errand,
        Outcome,
        RunEnd,
    )
    from inklings_desktop.usecases.ports.progress import Progress


class ActivityRepository(Protocol):
    """Activities of one workspace, and the turns that are their runs."""

    def all(self) -> tuple[Activity, ...]:
        """Every activity, by name."""
        ...

    def get(self, key: str) -> Activity:
        """The activity with this id, or this name regardless of case.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def put(self, activity: Activity) -> None:
        """Store an activity, or replace the one with its id.

        Raises:
            ConflictError: Another one has its name.
        """
        ...

    def delete(self, activity_id: str) -> None:
        """Remove an activity; its conversations stay."""
        ...

    def begin_run(self, activity_id: str, run_id: str, conversation_id: str, at: datetime) -> None:
        """Note the turn that a run will be; the agent carries it out under this id."""
        ...

    def end_run(
        self, run_id: str, outcome: Outcome, problem: str, at: datetime, n_tool_calls: int = 0
    ) -> None:
        """Note how a run ended, and tools that were called and not noted before."""
        ...

    def runs(self, activity_id: str, limit: int) -> tuple[ActivityRun, ...]:
        """The latest runs of one activity, newest first."""
        ...

    def latest(self) -> Mapping[str, ActivityRun]:
        """The latest run of every activity that ever ran, by the activity's id."""
        ...

    def n_new_in(self, channel_id: str, since: datetime) -> int:
        """Active memories of a channel that were written since."""
        ...


class ActivityRunner(Protocol):
    """Lets an agent carry out what was asked in a conversation, with nobody who could be asked."""

    def is_there(self, agent: str = WORLD_AGENT) -> bool:
        """Whether this agent may be started here; cheap."""
        ...

    def carry_out(self, errand: Errand, progress: Progress) -> RunEnd:
        """Answer the last message of a conversation, or go on with the answer that was cut off.

        Args:
            errand: What is to be answered, by whom, and what that may use.
            progress: Hears of every step; once it is cancelled the turn ends.

        Raises:
            StoppedError: The program closes; the turn rests, and can go on.
        """
        ...

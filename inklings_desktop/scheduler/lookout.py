"""What there is to do on each file, looked up again where something changed, now and then all."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import topic

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.scheduler.tasks import Work
    from inklings_desktop.usecases.background.tasks import TaskSituation

LOOK_AT_ALL_SECONDS = 30 * 60.0
"""So often every file is looked at, whether it is said to have changed or not."""

_log = topic("scheduler")


@dataclass
class Lookout:
    """The situations of every file; looked up on one thread at a time, read on any.

    Attributes:
        monotonic: Seconds that no clock setting changes.
    """

    monotonic: Callable[[], float]
    _situations: dict[str | None, tuple[TaskSituation, ...]] = field(
        default_factory=dict, init=False
    )
    _looked_at: float = field(default=float("-inf"), init=False)

    def situations(self) -> Iterator[TaskSituation]:
        """Of all files, as they were when they were looked at."""
        for found in list(self._situations.values()):
            yield from found

    def of(self, target: TaskTarget) -> TaskSituation | None:
        """Of one piece of work; None when there is none."""
        found = self._situations.get(target.workspace_id, ())
        return next((one for one in found if one.target == target), None)

    def look(self, work: Work, changed: Collection[str | None]) -> set[str | None]:
        """See what there is to do on these files, and now and then on all; which are gone.

        Args:
            work: Looks.
            changed: Workspaces, and None for the account.
        """
        gone: set[str | None] = set()
        at = self.monotonic()
        if at - self._looked_at >= LOOK_AT_ALL_SECONDS or not self._situations:
            self._looked_at = at
            try:
                files = work.files()
            except InklingsError as error:
                _log.warning("cannot list workspaces: %s", type(error).__name__)
                return gone
            gone = self._situations.keys() - set(files)
            changed = files
        for workspace_id in sorted(set(changed), key=lambda one: one or ""):
            try:
                self._situations[workspace_id] = work.look(workspace_id)
            except NotFoundError:
                gone.add(workspace_id)
            except InklingsError as error:  # busy or out of reach; the next look tries again
                _log.warning("cannot look: %s", type(error).__name__)
        for workspace_id in gone:
            self._situations.pop(workspace_id, None)
        return gone

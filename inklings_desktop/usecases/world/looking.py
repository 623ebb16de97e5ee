"""One look at the folders of a workspace: scan, read what changed, tell what became of it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import world_of
from inklings_desktop.domain.errors import OutsideFileError
from inklings_desktop.usecases.ports.world import LookNote
from inklings_desktop.usecases.steps.leases import leased

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Self

    from inklings_desktop.domain.world.pages import FileStamp, PageChange, WorldFolder
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.steps.leases import Lease

LEAST_SECONDS = 30.0
SETTLED_SECONDS = 6.0
"""After a change it is looked at again so soon: half a sentence is no change that anybody meant."""
TIMES_ITS_DURATION = 100.0
"""A folder is looked at so seldom that looking takes a hundredth of the time at most."""
_RENEW_SECONDS = 20.0


class Look:
    """Looks at folders, and holds the lease from the first file on that has to be read.

    A look that finds nothing new writes nothing but that into the index.
    """

    def __init__(
        self,
        asked: Asked,
        workspace_id: str,
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> None:
        self._asked, self._workspace_id = asked, workspace_id
        self._report, self._goes_on = report, goes_on
        self._files = asked.adapters.world_files
        self._index = asked.adapters.world_indexes.of(workspace_id)
        self._held = ExitStack()
        self._lease: Lease | None = None
        self._renewed_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.__exit__(kind, error, trace)

    def at(self, folder: WorldFolder) -> tuple[PageChange, ...]:
        """What changed in a folder since it was looked at; one that is not there says so.

        Raises:
            AlreadyRunningError: Another process reads it just now.
        """
        began = time.monotonic()
        try:
            stamps: Sequence[FileStamp] = list(self._files.scan(folder))
            seconds = time.monotonic() - began
            if not stamps and self._index.pages(folder_id=folder.id, limit=1):
                # A drive that is gone leaves an empty folder where it was.
                self._note(folder, "missing", seconds)
                return ()
            found = self._index.settle(
                folder,
                stamps,
                lambda stamp: self._files.read(folder, stamp),
                at=self._asked.clock(),
                report=self._report,
                goes_on=lambda: self._goes_on_with(folder, seconds),
            )
        except OutsideFileError as error:
            is_denied = isinstance(error.__cause__, PermissionError)
            self._note(folder, "denied" if is_denied else "missing", time.monotonic() - began)
            return ()
        self._note(folder, "ready", seconds, SETTLED_SECONDS if found else LEAST_SECONDS)
        return found

    def _goes_on_with(self, folder: WorldFolder, seconds: float) -> bool:
        """Whether to read on; the first time the lease is taken, later it is renewed."""
        asked, now = self._asked, time.monotonic()
        if self._lease is None:
            target = world_of(self._workspace_id)
            self._lease = self._held.enter_context(
                leased(asked.store, target, asked.new_id(), asked.clock)
            )
            self._note(folder, "reading", seconds)
            self._renewed_at = now
        elif now - self._renewed_at > _RENEW_SECONDS:
            with asked.writing(self._workspace_id, durable=False) as unit:
                self._lease.renew(unit)
                unit.commit()
            self._renewed_at = now
        return self._goes_on()

    def _note(
        self, folder: WorldFolder, state: str, seconds: float, least: float = LEAST_SECONDS
    ) -> None:
        note = LookNote(
            state,
            self._files.n_other(folder),
            None if state == "reading" else self._asked.clock(),
            self._files.is_told(folder),
            max(least, TIMES_ITS_DURATION * seconds),
        )
        self._index.note_look(folder.id, note)

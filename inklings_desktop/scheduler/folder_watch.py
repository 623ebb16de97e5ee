"""Hears of changes in world folders, as far as the system tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.usecases.background.tasks import TaskSituation
    from inklings_desktop.usecases.ports.world import WorldFiles


class FolderWatch:
    """Watches the folders of all workspaces at once; for the thread that works."""

    def __init__(self, files: Callable[[], WorldFiles], hint: Callable[[TaskTarget], None]) -> None:
        """Watch nothing yet.

        Args:
            files: What watches, asked for with the first folder.
            hint: Hears what to look at again; called on any thread.
        """
        self._files, self._hint = files, hint
        self._watched: Mapping[TaskTarget, tuple[WorldFolder, ...]] = {}
        self._end: Callable[[], None] | None = None

    def settle(self, situations: Iterable[TaskSituation]) -> None:
        """Watch the folders that are linked now."""
        wanted = {
            one.target: one.folders for one in situations if one.target.kind is TaskKind.WORLD
        }
        if wanted == self._watched:
            return
        self.close()
        self._watched = wanted
        target_of = {one.id: target for target, folders in wanted.items() for one in folders}
        if target_of:
            folders = [one for linked in wanted.values() for one in linked]
            self._end = self._files().watch(folders, lambda id_: self._hint(target_of[id_]))

    def close(self) -> None:
        """Watch nothing any more."""
        if self._end is not None:
            self._end()
        self._end, self._watched = None, {}

"""Databases that cannot be read as a whole: kept account of, told above the page, and helped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.log.backup import PlaceHealth
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.window.banners.bands import Band
from inklings_desktop.ui.window.banners.rescue import (
    EXPORT_READABLE,
    OPEN_COPY,
    REPAIR,
    Rescue,
    damage_banner,
    opened_sentence,
    place_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.panes.banner import BannerContent
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.background.background_work import TaskStatus


LOOK_MS = 3_000
"""How often it is asked whether a damaged file is another one by now; that reads but a date."""

_log = topic("ui")


class DamageBand(Band):
    """Hears what was refused as damaged, and forgets it once the file is whole or gone.

    Whoever could not read is believed; the look that follows finds the copies. That look takes
    nothing back: only one does that follows a change of the file, so that nothing flickers.
    """

    cause = BannerCause.DAMAGE
    about = About.WORKSPACES

    def __init__(self, opened: OpenedRoot, slot: BannerSlot, parent: QObject) -> None:
        """Say what is damaged, and hear of what may become so.

        Args:
            opened: What is open, and how another workspace is opened.
            slot: Above every page.
        """
        super().__init__(opened.context, slot, parent)
        self._opened = opened
        self._damaged: dict[str | None, PlaceHealth] = {}
        self._under_way: set[str | None] = set()
        self._names: dict[str, str] = {}
        self._open_id: str | None = None
        self._timer = timer(
            self, lambda: self.background.spawn(self._look_at_changed()), LOOK_MS, again=True
        )
        self._rescue = Rescue(
            self.background,
            ask=partial(ask, slot.banner.window()),
            with_data=lambda call: self.background.write(call, self.inklings),
            say=self.context.say,
        )
        shell = opened.memory.shell
        shell.workspace_switched.connect(self.show_surroundings)
        shell.surroundings_changed.connect(self.show_surroundings)
        if opened.tasks.clock is not None:
            opened.tasks.clock.task_failed.connect(self.on_task_failed)
        self.background.on_damage = self.report
        if (here := shell.surroundings) is not None:
            self.show_surroundings(here)
            if len(here.workspaces) > 1:
                self.refresh()
        if shell.damaged_at_first is not None:
            self.report(shell.damaged_at_first)

    def close(self) -> None:
        self.background.on_damage = None
        self._timer.stop()
        super().close()

    @property
    def told(self) -> PlaceHealth | None:
        """What is told: the open workspace's first, the account's, the others in their order."""
        places = (self._open_id, None, *self._names)
        return next((self._damaged[one] for one in places if one in self._damaged), None)

    def tells_of(self, damaged: Path | None) -> bool:
        """Whether this is a file on show, which the banner tells of before any other.

        Whoever asks for another workspace gets an answer of their own.
        """
        place = place_of(damaged, self.inklings.data_dir)
        return place is not None and place.workspace_id in {None, self._open_id}

    # -- what is damaged ----------------------------------------------------------------------

    @Slot(object)
    def show_surroundings(self, here: Surroundings) -> None:
        """From now on this workspace is on show, and these are there."""
        self._open_id = here.workspace.id
        self._names = {one.id: one.name for one in here.workspaces}
        self.say()

    def report(self, error: DatabaseCorruptError) -> None:
        """A read or a write was refused; nothing happens unless it was one of our databases."""
        place = place_of(error.path, self.inklings.data_dir)
        if place is not None:
            self._report_place(place.workspace_id)

    def _report_place(self, workspace_id: str | None) -> None:
        if workspace_id not in self._damaged and workspace_id not in self._under_way:
            self.background.spawn(self.examine(workspace_id, is_believed=True))

    @Slot(object)
    def on_task_failed(self, status: TaskStatus) -> None:
        """Background work met it, on a thread of its own."""
        if status.problem == DatabaseCorruptError.__name__:
            self._report_place(status.target.workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again at what was restored, repaired or deleted."""
        for workspace_id in list(self._damaged):
            if changes.workspaces or (changes.reload and changes.workspace_id == workspace_id):
                self.background.spawn(self.examine(workspace_id))

    async def look(self) -> None:
        """Find out whether a workspace beside the open one is damaged."""
        for one in await self.background.read(self.inklings.workspaces.survey):
            if isinstance(one.problem, DatabaseCorruptError):
                self._report_place(one.workspace.id)

    async def examine(self, workspace_id: str | None, *, is_believed: bool = False) -> None:
        """Look a database over now.

        Args:
            workspace_id: Whose; None for the account's.
            is_believed: Whether it is damaged even where the look finds nothing.
        """
        if workspace_id in self._under_way:
            return
        self._under_way.add(workspace_id)
        try:
            health = await self.background.read(self.inklings.keeping.examine_place, workspace_id)
        except InklingsError as error:
            # Busy, say: what was told stands, and the next look finds out.
            _log.warning("a damaged place was not looked at: %s", type(error).__name__)
            health = PlaceHealth(workspace_id, is_damaged=is_believed, stamp=())
            health = self._damaged.get(workspace_id, health)
        finally:
            self._under_way.discard(workspace_id)
        if health is not None and (health.is_damaged or is_believed):
            self._damaged[workspace_id] = health
            self._timer.start()
        else:
            self._damaged.pop(workspace_id, None)
            if not self._damaged:
                self._timer.stop()
        self.say()

    async def _look_at_changed(self) -> None:
        for workspace_id, health in list(self._damaged.items()):
            stamp = await self.background.read(self.inklings.keeping.stamp_place, workspace_id)
            if stamp != health.stamp:
                await self.examine(workspace_id)

    # -- what is said and done ------------------------------------------------------------------

    def content(self) -> BannerContent | None:
        damage = self.told
        if damage is None:
            return None
        whose = damage.workspace_id
        return damage_banner(
            damage.copy,
            name="" if whose is None or whose == self._open_id else self._names[whose],
            is_account=whose is None,
            is_repairable=damage.is_repairable,
        )

    def act(self, key: str) -> None:
        """Repair it, open its copy, or save what can be read."""
        if (damage := self.told) is None:
            return
        if key == REPAIR and damage.is_repairable:
            self._rescue.begin(partial(self._repair, damage.workspace_id))
        elif key == OPEN_COPY and damage.copy is not None:
            self._rescue.begin(partial(self._open_copy, damage.workspace_id, damage.copy))
        elif key == EXPORT_READABLE:
            self._rescue.begin(partial(self._export, damage.workspace_id))

    async def _repair(self, workspace_id: str | None) -> None:
        try:
            said = await self._rescue.repair(workspace_id, self._name_of(workspace_id))
        except InklingsError:
            await self.examine(workspace_id)  # the banner tells what is found now
            raise
        if said is not None:
            await self.examine(workspace_id)
            self.context.say(said)

    async def _open_copy(self, workspace_id: str | None, copy: Backup) -> None:
        is_on_show = workspace_id == self._open_id
        if await self._rescue.open_copy(copy, self._name_of(workspace_id)):
            await self.examine(workspace_id)
            self.context.tell(opened_sentence(copy))
            if workspace_id is not None and not is_on_show:
                self._opened.open_workspace(workspace_id)

    async def _export(self, workspace_id: str | None) -> None:
        exports = self._opened.transfer.exports
        path = await exports.asked_path(self._name_of(workspace_id), FILE_SUFFIX)
        if path is not None:
            await self._rescue.export_to(workspace_id, path)

    def _name_of(self, workspace_id: str | None) -> str:
        return self._names.get(workspace_id or "") or tr("your account")

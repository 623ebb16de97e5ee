"""Databases that cannot be read as a whole: kept account of, told above the page, and helped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.log.backup import Backup, PlaceHealth
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.damage_words import (
    EXPORT_READABLE,
    OPEN_COPY,
    REPAIR,
    copy_question,
    damage_banner,
    exported_words,
    nothing_readable,
    opened_sentence,
    repair_question,
    repaired_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.background.background_work import TaskStatus
    from inklings_desktop.usecases.bundle import Inklings


LOOK_MS = 3_000
"""How often it is asked whether a damaged file is another one by now; that reads but a date."""

_DATABASE, _WORKSPACES = "agents.db", "workspaces"
_log = topic("ui")


@dataclass(frozen=True, slots=True)
class _FileOf:
    """A workspace's database, or the account's for None."""

    workspace_id: str | None


@dataclass(frozen=True, slots=True)
class Damage:
    """A database of which part cannot be read.

    Attributes:
        workspace_id: Whose it is; None for the account's.
        name: How the workspace is called; empty for the account.
        is_on_show: Whether it is the open workspace's.
        copy: Its last good copy; None when there is none.
        is_repairable: Whether a repair loses nothing.
    """

    workspace_id: str | None
    name: str
    is_on_show: bool
    copy: Backup | None
    is_repairable: bool = False


class DamagePresenter(QObject):
    """Hears what was refused as damaged, and forgets it once the file is whole or gone.

    Whoever could not read is believed; the look that follows finds the copies. That look takes
    nothing back: only one does that follows a change of the file, so that nothing flickers.
    """

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        told: Callable[[Damage | None], None],
        parent: QObject,
    ) -> None:
        """Know of no damage yet.

        Args:
            told: Told what there is to be told, of the open workspace first; None for none.
        """
        super().__init__(parent)
        self._say = told
        self._background = background
        self._inklings = inklings
        self._damaged: dict[str | None, PlaceHealth] = {}
        self._under_way: set[str | None] = set()
        self._names: dict[str, str] = {}
        self._open_id: str | None = None
        self._told: Damage | None = None
        self._timer = timer(self, self._on_look_due, LOOK_MS, again=True)

    @property
    def told(self) -> Damage | None:
        """What stands in the banner."""
        return self._told

    def open(self, here: Surroundings) -> None:
        """Find out whether a workspace beside the open one is damaged."""
        self.show_surroundings(here)
        if len(here.workspaces) > 1:
            self._background.spawn(self._survey())

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot(object)
    def show_surroundings(self, here: Surroundings) -> None:
        """From now on this workspace is on show, and these are there."""
        self._open_id = here.workspace.id
        self._names = {one.id: one.name for one in here.workspaces}
        self._tell()

    def report(self, error: DatabaseCorruptError) -> None:
        """A read or a write was refused; nothing happens unless it was one of our databases."""
        place = None if error.path is None else self._place_of(error.path)
        if place is not None:
            self.report_place(place.workspace_id)

    def tells_of(self, path: Path) -> bool:
        """Whether this is a file on show, which the banner tells of before any other.

        Whoever asks for another workspace gets an answer of their own.
        """
        place = self._place_of(path)
        return place is not None and place.workspace_id in {None, self._open_id}

    def report_place(self, workspace_id: str | None) -> None:
        """The database of a workspace, or of the account for None, was refused as damaged."""
        if workspace_id not in self._damaged and workspace_id not in self._under_way:
            self._look(workspace_id, is_believed=True)

    @Slot(object)
    def on_task_failed(self, status: TaskStatus) -> None:
        """Background work met it, on a thread of its own."""
        if status.problem == DatabaseCorruptError.__name__:
            self.report_place(status.target.workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Look again at what was restored, repaired or deleted."""
        for workspace_id in list(self._damaged):
            if changes.workspaces or (changes.reload and changes.workspace_id == workspace_id):
                self._look(workspace_id, is_believed=False)

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
            health = await self._background.read(self._inklings.keeping.examine_place, workspace_id)
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
        self._tell()

    def _place_of(self, path: Path) -> _FileOf | None:
        """Whose database a path names; None when it is none in use, a backup say."""
        root = self._inklings.data_dir
        if path.name != _DATABASE:
            return None
        if path.parent == root:
            return _FileOf(None)
        return _FileOf(path.parent.name) if path.parent.parent == root / _WORKSPACES else None

    def _look(self, workspace_id: str | None, *, is_believed: bool) -> None:
        self._background.spawn(self.examine(workspace_id, is_believed=is_believed))

    async def _survey(self) -> None:
        try:
            found = await self._background.read(self._inklings.workspaces.survey)
        except InklingsError as error:
            _log.warning("workspaces were not looked at: %s", type(error).__name__)
            return
        for one in found:
            if isinstance(one.problem, DatabaseCorruptError):
                self.report_place(one.workspace.id)

    @Slot()
    def _on_look_due(self) -> None:
        self._background.spawn(self._look_at_changed())

    async def _look_at_changed(self) -> None:
        for workspace_id, health in list(self._damaged.items()):
            stamp = await self._background.read(self._inklings.keeping.stamp_place, workspace_id)
            if stamp != health.stamp:
                await self.examine(workspace_id)

    def _tell(self) -> None:
        """The open workspace's first, then the account's, then the others in their order."""
        if not self._damaged:
            self._timer.stop()
        places = [self._open_id, None, *self._names]
        first = next((one for one in places if one in self._damaged), None)
        damage = None
        if first in self._damaged:
            health = self._damaged[first]
            name = self._names.get(first, "") if first is not None else ""
            damage = Damage(first, name, first == self._open_id, health.copy, health.is_repairable)
        if damage != self._told:
            self._told = damage
            self._say(damage)


class DamageBand(QObject):
    """Damage of one opened data root, whichever page is on show.

    Attributes:
        presenter: Knows what is damaged.
    """

    def __init__(self, opened: OpenedRoot, slot: BannerSlot) -> None:
        """Say what is damaged, and hear of what may become so.

        Args:
            opened: What is open, and how another workspace is opened; it owns this.
            slot: Above every page.
        """
        super().__init__(opened)
        self._context, self._opened, self._slot = opened.context, opened, slot
        background, self._inklings = opened.context.background, opened.context.inklings
        self._background = background
        self._is_busy = False
        self.presenter = DamagePresenter(background, self._inklings, self._say, self)
        slot.acted.connect(self._on_acted)
        shell = opened.memory.shell
        shell.workspace_switched.connect(self.presenter.show_surroundings)
        shell.surroundings_changed.connect(self.presenter.show_surroundings)
        opened.context.hear(self.presenter.on_changes, About.WORKSPACES)
        if opened.tasks.clock is not None:
            opened.tasks.clock.task_failed.connect(self.presenter.on_task_failed)
        background.on_damage = self.presenter.report
        if shell.surroundings is not None:
            self.presenter.open(shell.surroundings)
        if shell.damaged_at_first is not None:
            self.presenter.report(shell.damaged_at_first)

    def close(self) -> None:
        """Say nothing any more."""
        self._background.on_damage = None
        self.presenter.close()
        self._slot.acted.disconnect(self._on_acted)
        self._slot.say(BannerCause.DAMAGE, None)

    def tells_of(self, damaged: Path | None) -> bool:
        """Whether the banner says of this file what there is to say."""
        return damaged is not None and self.presenter.tells_of(damaged)

    def _say(self, damage: Damage | None) -> None:
        content = None
        if damage is not None:
            content = damage_banner(
                damage.copy,
                name="" if damage.is_on_show else damage.name,
                is_account=damage.workspace_id is None,
                is_repairable=damage.is_repairable,
            )
        self._slot.say(BannerCause.DAMAGE, content)

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        damage = self.presenter.told
        if cause is not BannerCause.DAMAGE or damage is None or self._is_busy:
            return
        act: Coroutine[Any, Any, None] | None = None
        if key == REPAIR and damage.is_repairable:
            act = self._repair(damage)
        elif key == OPEN_COPY and damage.copy is not None:
            act = self._open_copy(damage, damage.copy)
        elif key == EXPORT_READABLE:
            act = self._export(damage)
        if act is not None:
            self._is_busy = True  # at once: the next press may come before the act has begun
            self._background.spawn(act)

    async def _repair(self, damage: Damage) -> None:
        try:
            question, text = repair_question(self._name_of(damage))
            if not await ask(
                self._slot.banner.window(),
                question,
                text,
                yes=tr("Repair"),
                no=tr("Not now"),
            ):
                return
            done = await self._background.write(
                self._inklings.keeping.repair_place, damage.workspace_id
            )
            said = repaired_words(done, self._name_of(damage))
        except InklingsError as error:
            said = message_of(error)
        finally:
            self._is_busy = False
        # Whatever came of it, the banner tells what is found now.
        await self.presenter.examine(damage.workspace_id)
        self._context.say(said)

    async def _open_copy(self, damage: Damage, copy: Backup) -> None:
        try:
            question, text = copy_question(copy, self._name_of(damage))
            if not await ask(
                self._slot.banner.window(),
                question,
                text,
                yes=tr("Open the copy"),
                no=tr("Not now"),
            ):
                return
            await self._background.write(self._inklings.keeping.restore_backup, copy.name)
        except InklingsError as error:
            self._context.say(message_of(error))
            return
        finally:
            self._is_busy = False
        await self.presenter.examine(damage.workspace_id)
        self._context.tell(opened_sentence(copy))
        if damage.workspace_id is not None and not damage.is_on_show:
            self._opened.open_workspace(damage.workspace_id)

    async def _export(self, damage: Damage) -> None:
        try:
            exports = self._opened.transfer.exports
            path = await exports.asked_path(self._name_of(damage), FILE_SUFFIX)
            if path is not None:
                await self.export_to(damage, path)
        finally:
            self._is_busy = False

    async def export_to(self, damage: Damage, path: Path) -> None:
        """Write what can be read into this file, and say what is in it."""
        try:
            done = await self._background.write(
                self._inklings.keeping.export_readable, damage.workspace_id, path
            )
        except DatabaseCorruptError:
            self._context.say(nothing_readable())
        except InklingsError as error:
            self._context.say(message_of(error))
        else:
            self._context.say(exported_words(done))

    def _name_of(self, damage: Damage) -> str:
        return damage.name or tr("your account")

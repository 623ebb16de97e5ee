"""Databases that cannot be read as a whole: kept account of, told above the page, and helped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from PySide6.QtCore import Slot

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.log.backup import PlaceHealth
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.panes.banner import (
    BannerAction,
    BannerCause,
    BannerContent,
    BannerSlot,
)
from inklings_desktop.ui.kit.words.entry_facts import day_label
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.window.banners.bands import Band

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.log.backup import Backup, PlaceRepair
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.background.background_work import TaskStatus
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.keeping.keeping import ReadableExported

T = TypeVar("T")
_DATABASE, _WORKSPACES = "agents.db", "workspaces"


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A workspace's database, or the account's for None."""

    workspace_id: str | None


def place_of(path: Path | None, data_dir: Path) -> PlaceOf | None:
    """Whose database a path names; None when it is none in use, a backup say."""
    if path is None or path.name != _DATABASE:
        return None
    if path.parent == data_dir:
        return PlaceOf(None)
    is_workspace = path.parent.parent == data_dir / _WORKSPACES
    return PlaceOf(path.parent.name) if is_workspace else None


class WithData(Protocol):
    """Does something with the use cases over a data root, on the write lane."""

    async def __call__(self, call: Callable[[Inklings], T], /) -> T:
        """The answer."""


class Rescue:
    """Asks before it changes anything, one act at a time, and says what could not be done."""

    def __init__(
        self,
        background: Background,
        *,
        ask: Callable[..., Awaitable[bool]],
        with_data: WithData,
        say: Callable[[Message], None],
    ) -> None:
        """Help with nothing yet.

        Args:
            ask: Asks over the window whether something should be done, as ``ask`` of ``kit`` does.
            with_data: Reaches the data root, open or opened for the purpose.
            say: Says in a dialog what came of an act.
        """
        self._background, self._ask = background, ask
        self._with_data, self._say = with_data, say
        self._is_busy = False

    def begin(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start an act, unless one is under way."""
        if not self._is_busy:
            self._is_busy = True  # at once: the next press may come before the act has begun
            self._background.spawn(self._do(act))

    async def _do(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await act()
        except InklingsError as error:
            self._say(message_of(error))
        finally:
            self._is_busy = False

    async def open_copy(self, copy: Backup, name: str) -> bool:
        """Whether a copy has taken the place of the database of this name."""
        question, text = copy_question(copy, name)
        if await self._ask(question, text, yes=tr("Open the copy"), no=tr("Not now")):
            await self._with_data(lambda data: data.keeping.restore_backup(copy.name))
            return True
        return False

    async def repair(self, workspace_id: str | None, name: str) -> Message | None:
        """What a repair of the database of this name did; None if it was not wanted."""
        question, text = repair_question(name)
        if await self._ask(question, text, yes=tr("Repair"), no=tr("Not now")):
            done = await self._with_data(lambda data: data.keeping.repair_place(workspace_id))
            return repaired_words(done, name)
        return None

    async def export_to(self, workspace_id: str | None, path: Path) -> None:
        """Write what can be read into this file, and say what is in it."""
        try:
            done = await self._with_data(
                lambda data: data.keeping.export_readable(workspace_id, path)
            )
        except DatabaseCorruptError:
            self._say(nothing_readable())
        else:
            self._say(exported_words(done))


_BACKUPS = "backups"
OPEN_COPY, EXPORT_READABLE, REPAIR = "openCopy", "exportReadable", "repair"


def last_copy_sentence(made_at: datetime) -> str:
    """That nothing was repaired, and how old the last good copy is."""
    return tr("Nothing has been repaired yet. The last good copy is from {date}.").format(
        date=day_label(made_at)
    )


def repair_sentence() -> str:
    """That nothing was repaired, and that a repair loses nothing."""
    return tr("Only indexes are damaged. A repair loses nothing.")


def damage_banner(
    copy: Backup | None,
    *,
    name: str = "",
    is_account: bool = False,
    is_repairable: bool = False,
) -> BannerContent:
    """Part of a database could not be read.

    Args:
        copy: Its last good copy; None when there is none.
        name: The workspace, if it is another one than the one on show.
        is_account: Whether it is the account's database.
        is_repairable: Whether a repair loses nothing; then the copy, which would, is not offered.
    """
    whose = ""
    if is_account:
        whose = tr("It is the database of your account, which every workspace uses.")
    elif name:
        whose = tr("It is the workspace {name}.").format(name=name)
    actions = [BannerAction(EXPORT_READABLE, tr("Export what can be read"))]
    if is_repairable:
        state = repair_sentence()
        actions.insert(0, BannerAction(REPAIR, tr("Repair")))
    elif copy is None:
        state = tr("Nothing has been repaired yet. There is no good copy of it.")
    else:
        state = last_copy_sentence(copy.created_at)
        actions.insert(0, BannerAction(OPEN_COPY, tr("Open the copy")))
    return BannerContent(
        "madder",
        tr("Part of the database could not be read."),
        f"{whose} {state}".strip(),
        tuple(actions),
        icon="warning-octagon",
    )


def copy_question(copy: Backup, name: str) -> tuple[str, str]:
    """What is asked before a copy takes the place of a damaged database; question and text."""
    question = tr("Open the copy from {date}?").format(date=day_label(copy.created_at))
    text = tr(
        "It replaces the database of {name}. Anything written since is not in it. The "
        "damaged database is kept; you can export what can be read first."
    ).format(name=name)
    return question, text


def opened_sentence(copy: Backup) -> str:
    """A copy has taken the place of a damaged database."""
    return tr("The copy from {date} is open; the damaged database is kept").format(
        date=day_label(copy.created_at)
    )


def repair_question(name: str) -> tuple[str, str]:
    """What is asked before damaged indexes are made again; question and text."""
    question = tr("Repair the database of {name}?").format(name=name)
    text = tr("Its indexes are rebuilt; nothing is lost. The damaged database is kept.")
    return question, text


def repaired_words(done: PlaceRepair, name: str) -> Message:
    """What a repair did, and where the state before is."""
    title = tr("Repaired the database of {name}").format(name=name)
    if not done.kept:
        return Message(title, tr("Nothing was wrong; nothing was changed."), icon="check")
    if done.is_whole_file:
        made = tr("Every index was rebuilt.")
        kept = tr("The damaged database is kept as {name}.")
    else:
        made = tr("The search index was rebuilt.")
        kept = tr("The state before is kept as {name}.")
    sentences = [made]
    if done.n_memories:
        sentences.append(
            counted(
                done.n_memories,
                "Its 1 memory is there.",
                "All its {n} memories are there.",
            )
        )
    if done.n_to_embed:
        sentences.append(
            counted(
                done.n_to_embed,
                "One memory is prepared for search again.",
                "{n} memories are prepared for search again.",
            )
        )
    sentences.append(kept.format(name=f"{_BACKUPS}/{done.kept}"))
    return Message(title, " ".join(sentences), icon="check")


def nothing_readable() -> Message:
    """Not one row of a damaged database could be had."""
    return Message(
        tr("Nothing in the database could be read."),
        tr("No file was written. The damaged database was not changed."),
        is_environment=True,
    )


def exported_words(done: ReadableExported) -> Message:
    """What is in the file, and what could not be read."""
    n_memories = done.exported.n_memories
    what = counted(n_memories, "1 memory", "{n} memories")
    title = tr("Exported {what} to {name}").format(what=what, name=done.exported.path.name)
    if done.is_whole:
        return Message(title, tr("Everything in the database could be read."), icon="check")
    if done.n_missing:
        missing = counted(
            done.n_missing,
            "1 memory could not be read.",
            "{n} memories could not be read.",
        )
    else:
        missing = tr("Something else in it could not be read.")
    kept = tr("The damaged database was not changed.")
    return Message(title, f"{missing} {kept}")


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

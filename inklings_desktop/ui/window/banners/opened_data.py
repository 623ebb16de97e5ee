"""Looks after an opened data root, and says in the banner above the pages what there is to say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.domain.background.tasks import SETS_ASIDE, RunState, TaskKind, TaskRun
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.destinations import ToMemories, ToSettings, ToTask
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.task_words import group_of
from inklings_desktop.ui.settings.groups import SEARCH_MODEL
from inklings_desktop.ui.window.banners.bands import (
    Band,
    KnockBand,
    LossBand,
    PurgeBand,
    SilenceBand,
)
from inklings_desktop.ui.window.banners.damage import DamageBand
from inklings_desktop.ui.window.banners.words import (
    CLOSE_FILES,
    EXPORT,
    LOOK_AGAIN,
    SET_UP,
    SHOW,
    START_OWN,
    TASKS,
    TRY,
    catch_up_banner,
    keyword_only_banner,
    low_disk_banner,
    open_files_banner,
    read_only_banner,
    restored_words,
    sample_banner,
    set_aside_banner,
)
from inklings_desktop.usecases.background.background_work import TaskPhase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.background.tasks import RunDetails
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.panes.banner import BannerContent
    from inklings_desktop.ui.window.closing import WindowReopening
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.joins.tasks import WindowTasks
    from inklings_desktop.usecases.background.background_work import TaskStatus
    from inklings_desktop.usecases.bundle import Inklings

_ASKED_FOR = "request"
_LOOKED_THROUGH = 100
_NAMES = frozenset(kind.value for kind in SETS_ASIDE)


class SetAsideBand(Band):
    """Runs of this session whose plan nobody has seen, a tier at a time, until the author knows."""

    cause = BannerCause.SET_ASIDE
    about = About.CLOCK
    _runs: tuple[TaskRun, ...] = ()

    def __init__(self, context: Context, slot: BannerSlot, parent: QObject) -> None:
        super().__init__(context, slot, parent)
        self._since = context.inklings.clock()
        self._known: set[str] = set()
        slot.put_away.connect(self._on_put_away)

    def close(self) -> None:
        self._slot.put_away.disconnect(self._on_put_away)
        super().close()

    def concerns(self, changes: MemoryChanges) -> bool:
        """Whether the clock forgot something; a run is noted a moment later."""
        return changes.initiator in _NAMES

    async def look(self) -> None:
        files = (self.workspace_id, None) if self.workspace_id else (None,)
        found = await self.background.read(_runs_of, self.inklings, files)
        self._runs = tuple(
            one
            for one in found
            if one.id not in self._known
            and one.started_at >= self._since
            and one.target.kind in SETS_ASIDE
            and not (one.trigger == _ASKED_FOR and one.target.kind is TaskKind.CONSOLIDATION)
            and one.state in {RunState.FINISHED, RunState.STOPPED}
            and one.n_set_aside
        )

    def content(self) -> BannerContent | None:
        shown = self._shown()
        if not shown:
            return None
        return set_aside_banner(_tier_of(shown[0]), sum(one.n_set_aside for one in shown))

    def act(self, key: str) -> None:
        shown = self._shown()
        if shown:
            self.background.spawn(self._lead(shown) if key == SHOW else self._undo(shown))

    def _shown(self) -> tuple[TaskRun, ...]:
        return tuple(one for one in self._runs if _tier_of(one) is _tier_of(self._runs[0]))

    async def _lead(self, runs: Sequence[TaskRun]) -> None:
        entries = await self.background.read(_set_aside, self.inklings, runs)
        self._take_as_known(runs)
        where = MemoryFilter(
            state=MemoryState.FORGOTTEN, sequences=frozenset(one.sequence for one in entries)
        )
        self.context.go(ToMemories(_tier_of(runs[0]), where))

    async def _undo(self, runs: Sequence[TaskRun]) -> None:
        n_restored = 0
        for run in runs:
            undo = self.inklings.consolidation.undo
            done = await self.background.write(undo, run.target.workspace_id, run.id)
            n_restored += done.n_restored
            self._take_as_known([run])
        self.context.tell(restored_words(n_restored))

    def _take_as_known(self, runs: Sequence[TaskRun]) -> None:
        self._known.update(one.id for one in runs)
        self._runs = tuple(one for one in self._runs if one.id not in self._known)
        self.say()

    @Slot(object)
    def _on_put_away(self, cause: BannerCause) -> None:
        if cause is self.cause:
            self._take_as_known(self._shown())
            self._slot.expect_news(cause)
            self.say()  # what there is of another tier


def _tier_of(run: TaskRun) -> Tier:
    return run.target.tier or Tier.CONVERSATION


def _runs_of(inklings: Inklings, files: Sequence[str | None]) -> list[TaskRun]:
    """The latest runs of these files; runs on a reader."""
    list_runs = inklings.consolidation.list_runs
    return [run for file in files for run in list_runs(file, limit=_LOOKED_THROUGH)]


def _set_aside(inklings: Inklings, runs: Sequence[TaskRun]) -> list[MemoryEntry]:
    """What these runs set aside and nobody brought back; runs on a reader."""
    details = [inklings.consolidation.show_run(one.target.workspace_id, one.id) for one in runs]
    return [entry for one in details for entry in _gone(one) if entry.is_forgotten]


def _gone(details: RunDetails) -> tuple[MemoryEntry, ...]:
    merged = tuple(source for family in details.merged for source in family.sources)
    return (*details.pruned, *details.capped, *merged)


LOOK_MS = 60_000


class MinuteBand(Band):
    """What no commit tells of: looked at every minute."""

    about = None

    def __init__(self, context: Context, slot: BannerSlot, parent: QObject) -> None:
        super().__init__(context, slot, parent)
        self._timer = timer(self, self.refresh, LOOK_MS, again=True)

    def open(self) -> None:
        """Look now and from now on."""
        self._timer.start()
        self.refresh()

    def close(self) -> None:
        self._timer.stop()
        super().close()


class DiskBand(MinuteBand):
    """Room on the disk: looked at also when something could not be stored."""

    cause = BannerCause.LOW_DISK
    _low: DiskRoom | None = None

    async def look(self) -> None:
        """Look how much is left; once it is low, it has to be more until it is not."""
        room = await self.background.read(self.inklings.keeping.measure_disk)
        self._low = room if room.is_low(was_low=self._low is not None) else None

    def content(self) -> BannerContent | None:
        return None if self._low is None else low_disk_banner(self._low)

    def act(self, key: str) -> None:
        """Look because a person wants to know, or show what takes the room."""
        if key == LOOK_AGAIN:
            self.background.spawn(self._look_again())
        else:
            show_folder(self.inklings.data_dir, self.context.say)

    async def _look_again(self) -> None:
        """The figures may be the same as before; whoever asked hears so."""
        if await self._look() and self._low is not None:
            announce(self._slot.banner, low_disk_banner(self._low).text)


class OpenFilesBand(MinuteBand):
    """Files that other users of the machine may open, or could until this start."""

    cause = BannerCause.OPEN_FILES
    _n_open = 0

    async def look(self) -> None:
        self._n_open = len(await self.background.read(self.inklings.keeping.find_open))
        if self._n_open:
            self._slot.expect_news(self.cause)

    def content(self) -> BannerContent | None:
        is_said = self._n_open or self.inklings.was_open
        return open_files_banner(self._n_open) if is_said else None

    def act(self, key: str) -> None:
        """Close them, or show where they are."""
        if key == CLOSE_FILES:
            self.background.spawn(self._close())
        else:
            show_folder(self.inklings.data_dir, self.context.say)

    async def _close(self) -> None:
        await self.change(self.inklings.keeping.find_open, close=True)
        await self.settled()
        if self._n_open:
            self.context.tell(tr("This disk cannot close files to others. Use another disk."))


CATCH_UP = "start"
"""The stable word of a run that makes up for missed ones."""
UPDATE_MS = 100
YOUNG_SECONDS = 1.0
"""A run that is over sooner is not worth moving the page for."""
LINGER_SECONDS = 1.0
"""One run follows another, file by file; the banner stays between them."""


class CatchUpBand(Band):
    """The run that makes up for missed ones, once it lasts."""

    cause = BannerCause.CATCH_UP
    about = None

    def __init__(
        self, context: Context, slot: BannerSlot, tasks: WindowTasks, parent: QObject
    ) -> None:
        """Follow the clock.

        Args:
            tasks: Cancels a run.
        """
        super().__init__(context, slot, parent)
        self._tasks = tasks
        self._clock = clock = tasks.clock
        self._shown: TaskStatus | None = None
        self._begun: float | None = None
        self._ended: float | None = None
        self._soon = timer(self, self._on_update_due, UPDATE_MS)
        if clock is not None:
            for signal in (
                clock.task_started,
                clock.task_progressed,
                clock.task_finished,
                clock.task_failed,
                clock.state_changed,
            ):
                signal.connect(self._on_news)

    def close(self) -> None:
        """Ask nothing more: the clock is about to stop."""
        self._soon.stop()
        self._clock = None
        super().close()

    def content(self) -> BannerContent | None:
        return None if self._shown is None else catch_up_banner(self._shown)

    def act(self, key: str) -> None:
        if self._shown is None:
            return
        if key == TASKS:
            self.context.go(ToTask(group_of(self._shown.target).value))
        else:
            self._tasks.presenter.cancel_kind(self._shown.target.kind.value)

    @Slot(object)
    def _on_news(self, _news: object) -> None:
        if self._clock is not None and not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _on_update_due(self) -> None:
        if self._clock is None:
            return
        tasks, now = self._clock.status().tasks, time.monotonic()
        running = (one for one in tasks if one.phase is TaskPhase.RUNNING)
        run = next((one for one in running if one.reason == CATCH_UP), None)
        if run is not None:
            self._ended = None
            self._begun = now if self._begun is None else self._begun
            if self._shown is not None or now - self._begun >= YOUNG_SECONDS:
                self._show(run)
            else:
                self._soon.start()
            return
        self._begun = None
        if self._shown is None:
            return
        self._ended = now if self._ended is None else self._ended
        if now - self._ended >= LINGER_SECONDS:
            self._ended = None
            self._show(None)
        else:
            self._soon.start()

    def _show(self, run: TaskStatus | None) -> None:
        self._shown = run
        self.say()


MISSING = "missing"


class KeywordBand(Band):
    """A model is loaded when a text first needs it, so only then is it known to fail.

    Signals:
        failed: The model that was in use until now cannot be used.
    """

    cause = BannerCause.KEYWORD_ONLY
    about = None
    failed = Signal()
    _is_usable = True

    def __init__(
        self, context: Context, slot: BannerSlot, reopening: WindowReopening, parent: QObject
    ) -> None:
        """Look once.

        Args:
            reopening: Opens the data once more, with the model.
        """
        super().__init__(context, slot, parent)
        self._reopening = reopening
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look whether it still can be used; cheap, nothing is loaded for it."""
        if self._is_usable and not self.inklings.embedder.is_available:
            self._is_usable = False
            self.say()
            self.failed.emit()

    def content(self) -> BannerContent | None:
        """That no model is there, or that the one that is there cannot be used."""
        if self._is_usable:
            return None
        # Only where no model answers does an embedder name its reason.
        reason = getattr(self.inklings.embedder.pinned(), "reason", "")
        return keyword_only_banner(has_failed=reason != MISSING)

    def act(self, key: str) -> None:
        """Lead to where a model is chosen, or try the one that failed once more."""
        if key == SET_UP:
            self.context.go(ToSettings(SEARCH_MODEL))
        else:
            self._reopening.reopen()


class Banners(QObject):
    """All but scrubs that agents ask for, which say more than one thing.

    Attributes:
        catch_up: Follows runs that catch up.
        damage: Databases that cannot be read as a whole.
        disk: Watches the room that is left.
        knocks: Clients that wait to be let in.
        losses: Files that have lost what they held.
        open_files: Files that other users may open.
        model: Knows whether texts can be embedded; ``refresh`` after whatever needed it.
    """

    def __init__(
        self,
        opened: OpenedRoot,
        slot: BannerSlot,
        reopening: WindowReopening,
        export: Callable[[], object],
    ) -> None:
        """Say what holds, and watch what may come.

        Args:
            opened: The opened data root; it owns this.
            slot: Above every page.
            reopening: Opens the data once more where that helps.
            export: Makes a copy somewhere else.
        """
        super().__init__(opened)
        context = opened.context
        background, inklings = context.background, context.inklings
        self._background = background
        self._slot, self._reopening, self._export = slot, reopening, export
        slot.acted.connect(self._on_acted)
        self.knocks = KnockBand(context, slot, self)
        self.losses = LossBand(context, slot, self)
        self.damage = DamageBand(opened, slot, self)
        self.disk = DiskBand(context, slot, self)
        self.catch_up = CatchUpBand(context, slot, opened.tasks, self)
        self.model = KeywordBand(context, slot, reopening, self)
        self.open_files = OpenFilesBand(context, slot, self)
        silence, set_aside = SilenceBand(context, slot, self), SetAsideBand(context, slot, self)
        self._bands: tuple[Band, ...] = (
            *(self.knocks, self.losses, self.damage, self.disk, self.catch_up, self.model),
            *(self.open_files, silence, set_aside, PurgeBand(context, slot, self)),
        )
        self.knocks.refresh()
        self.losses.refresh()
        shell = opened.memory.shell
        for band in (silence, set_aside):
            shell.workspace_switched.connect(band.show_workspace)
            shell.surroundings_changed.connect(band.show_workspace)
            band.show_workspace()
        shell.workspace_switched.connect(self.losses.refresh)
        opened.memory.list.content_changed.connect(self.model.refresh)
        if own_data_dir(inklings.data_dir) is not None:
            slot.say(BannerCause.SAMPLE, sample_banner())
        if inklings.is_read_only:  # nothing is stored: room on the disk is of no use
            slot.say(BannerCause.READ_ONLY, read_only_banner())
            return
        background.on_no_room = self.disk.refresh
        self.disk.open()
        self.open_files.open()
        clock = opened.tasks.clock
        if clock is not None:
            for ended in (clock.task_finished, clock.task_failed):
                ended.connect(self.model.refresh)
                ended.connect(set_aside.refresh)

    def close(self) -> None:
        """Say nothing any more."""
        self._background.on_no_room = None
        for band in self._bands:
            band.close()
        self._slot.acted.disconnect(self._on_acted)
        for cause in BannerCause:
            self._slot.say(cause, None)

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        if cause is BannerCause.SAMPLE and key == START_OWN:
            self._reopening.leave_sample()
        elif cause is BannerCause.READ_ONLY and key == EXPORT:
            self._export()
        elif cause is BannerCause.READ_ONLY and key == TRY:
            self._background.spawn(self._try_writing())

    async def _try_writing(self) -> None:
        if await self._background.read(self._reopening.is_refused):
            announce(self._slot.banner, tr("The disk still cannot be written to."), urgent=True)
        else:
            self._reopening.reopen()

"""What the clock set aside by itself: said above every page, with a way to it and a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.background.tasks import SETS_ASIDE, RunState, TaskKind, TaskRun
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.destinations import ToMemories
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.window.banners.bands import Band
from inklings_desktop.ui.window.banners.words import SHOW, restored_words, set_aside_banner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.background.tasks import RunDetails
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.panes.banner import BannerContent
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

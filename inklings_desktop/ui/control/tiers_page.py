"""The first tab of the Control plane: how much each tier holds, background work, latest events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.control.cards import TierAct
from inklings_desktop.ui.control.overview_facts import (
    LookFacts,
    LookKind,
    TierFacts,
    broken_facts,
    duplicate_facts,
    look_facts,
    tier_facts,
)
from inklings_desktop.ui.control.tiers_view import TiersView
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.destinations import (
    ToExport,
    ToGolden,
    ToMemories,
    ToPlan,
    ToRuns,
    ToScrub,
    ToTask,
)
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.event_words import event_rows

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.background.golden import GoldenRecord
    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.control.task_table import WorkFacts
    from inklings_desktop.ui.control.tasks_presenter import TasksPresenter
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.overview import LikelyDuplicate

N_EVENTS = 12


@dataclass(frozen=True, slots=True)
class OverviewContent:
    """What the first tab of the control plane shows.

    Attributes:
        cards: One per tier, from the conversations outwards.
        looks: Lists that are not empty.
        events: The newest of the workspace's log, newest first.
    """

    cards: tuple[TierFacts, ...]
    looks: tuple[LookFacts, ...]
    events: tuple[EventRow, ...]


class TiersPage(Page[OverviewContent]):
    """Keeps the figures true while somebody looks at them, and background work with them.

    Signals:
        refreshed: What a person asked to be counted again has been.
    """

    refreshed = Signal()
    view: TiersView

    def __init__(self, context: Context, parent: QWidget) -> None:
        view = TiersView(context.theme, parent)
        self._tasks: TasksPresenter | None = None
        self._wanted_task: str | None = None
        self._is_asked_for = False
        super().__init__(context, view)
        view.act_requested.connect(self._on_act_requested)
        view.look.look_requested.connect(self._on_look_requested)
        view.look.golden.clicked.connect(lambda: context.go(ToGolden()))

    @property
    def has_table(self) -> bool:
        """Whether background work is on show."""
        return bool(self.view.tasks.table.rows)

    def show_work(self, tasks: TasksPresenter) -> None:
        """Show background work in its table, and let a person steer it."""
        self._tasks = tasks
        tasks.table_changed.connect(self._on_table_changed)
        # A run that changed no memory may have found what is alike.
        tasks.run_ended.connect(self.read_soon)
        self.view.tasks.table.act_requested.connect(tasks.act)
        self.view.tasks.pause.clicked.connect(tasks.toggle_pause)
        tasks.review_requested.connect(lambda of: self.context.go(ToPlan(of)))
        tasks.offer_review()
        tasks.set_watched(watched=self.view.isVisible())

    def read_content(self) -> OverviewContent:
        """Count everything, and read the newest events.

        Raises:
            InklingsError: A file cannot be read.
        """
        return counted_content(self.inklings, self.workspace_id)

    def show_content(self, content: OverviewContent) -> None:
        """Show the figures; that they are new is said to whoever asked for it."""
        self.view.show_tiers(content.cards)
        self.view.show_looks(content.looks)
        self.view.show_events(content.events)
        if self._is_asked_for:
            self._is_asked_for = False
            announce(self.view, tr("The figures are up to date."))
            self.refreshed.emit()

    def on_shown(self, *, is_shown: bool) -> None:
        super().on_shown(is_shown=is_shown)
        if self._tasks is not None:
            self._tasks.set_watched(watched=is_shown)

    def refresh(self) -> None:
        """Count again at once, because a person asked for it."""
        if self.view.isVisible():
            self._is_asked_for = True
            self.read_again()
            if self._tasks is not None:
                self._tasks.refresh()

    def arrive(self, where: Destination) -> None:
        """Show the table of background work, with one row of it current."""
        if isinstance(where, ToTask) and not self.view.show_task(where.key):
            self._wanted_task = where.key

    @Slot(object)
    def _on_table_changed(self, work: WorkFacts) -> None:
        self.view.show_work(work)
        if self._wanted_task is not None:
            key, self._wanted_task = self._wanted_task, None
            self.view.show_task(key)

    @Slot(object, object)
    def _on_act_requested(self, act: TierAct, tier: Tier) -> None:
        go = self.context.go
        match act:
            case TierAct.OPEN:
                go(ToMemories(tier))
            case TierAct.CONSOLIDATE:
                if self._tasks is not None:
                    self._tasks.run(tier.value)
            case TierAct.REVIEW:
                go(ToPlan(tier))
            case TierAct.HISTORY:
                go(ToRuns(tier))
            case TierAct.EXPORT:
                go(ToExport(tier))
            case TierAct.SCRUB:
                go(ToScrub(tier))

    @Slot(object, object)
    def _on_look_requested(self, kind: AttentionKind | LookKind, tier: Tier) -> None:
        if kind is LookKind.BROKEN_QUESTIONS:
            self.context.go(ToGolden())
        elif isinstance(kind, LookKind):
            self.context.go(ToPlan(tier))
        else:
            self.context.go(ToMemories(tier, MemoryFilter(attention=kind)))


def counted_content(inklings: Inklings, workspace_id: str) -> OverviewContent:
    """Everything the first tab shows; runs on a reader.

    Raises:
        InklingsError: A file cannot be read.
    """
    tiers = inklings.search.tiers(workspace_id)
    looks = [look_facts(one) for one in inklings.search.worth_a_look(workspace_id)]
    duplicates = duplicate_facts(_likely_duplicates(inklings, workspace_id))
    if duplicates is not None:
        # What is ready to last comes last: it asks nothing of anybody.
        is_last = bool(looks) and looks[-1].kind is AttentionKind.READY_TO_PROMOTE
        looks.insert(len(looks) - is_last, duplicates)
    broken = broken_facts(_golden_records(inklings, workspace_id))
    if broken is not None:
        looks.insert(0, broken)  # the author said that this must not happen
    newest = inklings.log.list(workspace_id, limit=N_EVENTS)
    described = inklings.log.describe(workspace_id, newest)
    return OverviewContent(
        tuple(map(tier_facts, tiers)),
        tuple(looks),
        event_rows(described, inklings.clock()),
    )


def _golden_records(inklings: Inklings, workspace_id: str) -> list[GoldenRecord]:
    """How the golden questions of the workspace and the account fared last."""
    return [
        record for file in (workspace_id, None) for record in inklings.golden.records(file).values()
    ]


def _likely_duplicates(inklings: Inklings, workspace_id: str) -> list[LikelyDuplicate]:
    """Pairs that wait for a person, of every tier that is consolidated."""
    channels = inklings.places.channels(workspace_id)
    return [
        pair
        for scopes in (
            [ScopeKey.channel(workspace_id, one.id) for one in channels],
            [ScopeKey.workspace(workspace_id)],
            [ScopeKey.account()],
        )
        for pair in inklings.search.likely_duplicates(scopes)
    ]

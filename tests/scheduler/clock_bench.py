"""The clock over a store, its time and the person's presence in the test's hands."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.scheduler.clockwork import Clockwork
from inklings_desktop.scheduler.tasks import Work, WrittenMemories
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.usecases.steps.change_feed import ChangeFeed
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, set_to, the_clock
from tests.support.fake_publisher import FakePublisher
from tests.support.stand_ins import played, stood_in, use_case_of
from tests.support.stopwatch import HANG_SECONDS
from tests.usecases.world import MANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.scheduler.memos import TaskNews
    from inklings_desktop.usecases.ports.store import Embedder
    from tests.usecases.world import World


@dataclass
class ClockBench:
    """One clockwork, its tasks the real use cases over a store."""

    world: World
    config: BackgroundConfig = field(default_factory=BackgroundConfig)
    news: list[TaskNews] = field(default_factory=list)
    seconds: float = 0.0
    yields_to_window: bool = False
    has_window: bool = False
    on_battery: bool = False

    def __post_init__(self) -> None:
        world = self.world
        feed = ChangeFeed()
        self.unheard = SqliteStore(world.databases, FakePublisher())
        world.store = SqliteStore(world.databases, feed)
        self.feed = feed
        config = replace(self.config, backup_hours=0)  # there is no file that could be copied
        settings = set_to(decay=world.decay, cap=1_000, background=config)
        world.background = replace(config, silent_days=0)
        asked = asked_by(the_clock(), world, settings=settings)

        def forget_closed(caller: Caller, *args: Any, **named: Any) -> TaskRun:
            return world.asked_by(caller).conversations.forget_closed(*args, **named)

        self.inklings = played(
            the_clock(),
            {"settings": settings, "clock": world.clock, "adapters": lambda: world.adapters},
            {
                "tasks.embed": use_case_of(asked.tasks.embed),
                "scrub.has_window": lambda _caller: self.has_window,
                "tasks.look": use_case_of(asked.tasks.look),
                "world.when_to_look": use_case_of(asked.world.when_to_look),
                "world.tend": use_case_of(asked.world.tend),
                "activities.due": use_case_of(asked.activities.due),
                "activities.run": use_case_of(asked.activities.run),
                "tasks.backfill": use_case_of(asked.tasks.backfill),
                "places.workspaces": lambda caller: world.asked_by(caller).places.workspaces(),
                "consolidation.run": use_case_of(asked.consolidation.run),
                "conversations.forget_closed": forget_closed,
            },
        )
        self.work = Work(self.inklings, self.yields_to_window)
        self.clockwork = Clockwork(
            world.clock,
            WrittenMemories(self.inklings),
            self.work,
            monotonic=lambda: self.seconds,
            on_news=self.news.append,
            on_battery=lambda: self.on_battery,
        )
        feed.subscribe(self.clockwork.on_changes)

    def keep(self, *entries: MemoryEntry) -> None:
        """Memories that another process wrote, without vectors."""
        heard, self.world.store = self.world.store, self.unheard
        self.world.keep(*entries)
        self.world.store = heard
        for file in {entry.scope.workspace_id for entry in entries}:
            scopes = frozenset(one.scope for one in entries if one.scope.workspace_id == file)
            self.feed.publish(MemoryChanges(file, scopes, own=False))

    def pass_time(self, *, minutes: float) -> None:
        """Let the wall clock and the person's absence go on together."""
        self.world.clock.advance(hours=minutes / 60)
        self.seconds += minutes * 60

    def outlive_first_day(self) -> None:
        """Meet every file, and let its first day pass without a word of it."""
        self.clockwork.run_due()
        self.pass_time(minutes=24 * 60)
        self.clockwork.run_due()
        self.told()

    def told(self) -> list[tuple[str, str, str]]:
        """What happened: which work, what, why; progress left out. Then forget it."""
        said = [
            (one.status.target.name, one.what, one.status.reason)
            for one in self.news
            if one.what != "progress"
        ]
        self.news.clear()
        return said

    def runs(self) -> list[TaskRun]:
        """The history of the workspace and the account."""
        found: list[TaskRun] = []
        for workspace_id in (WORKSPACE_ID, None):
            with self.world.store.read(workspace_id) as view:
                found += view.tasks.runs(MANY)
        return found


@dataclass(slots=True)
class GatedEmbedder:
    """Waits at a gate before every batch; a test opens it."""

    inner: Embedder
    begun: threading.Event = field(default_factory=threading.Event)
    gate: threading.Event = field(default_factory=threading.Event)

    @property
    def model_id(self) -> str:
        return self.inner.model_id

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def is_available(self) -> bool:
        return True

    def pinned(self) -> GatedEmbedder:
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.begun.set()
        assert self.gate.wait(HANG_SECONDS)
        return self.inner.embed(texts)

    @property
    def calibration(self) -> Calibration:
        return self.inner.calibration

    def embed_question(self, text: str) -> FloatVector:
        vector: FloatVector = self.embed([text])[0]
        return vector


def gated(bench: ClockBench) -> GatedEmbedder:
    """Put a gate before the bench's model."""
    embedder = GatedEmbedder(bench.world.embedder)
    asked = asked_by(
        the_clock(), bench.world, embedder=embedder, settings=bench.inklings.parts.settings
    )
    bench.clockwork.work = Work(stood_in(bench.inklings, {"tasks.backfill": asked.tasks.backfill}))
    return embedder

"""Presenters over a real store in a temporary folder, driven by a plain event loop."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import (
    SCRIPT_DRAIN_SECONDS,
    WINDOW_DRAIN_SECONDS,
    open_inklings,
)
from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.scheduler.hosting import clock_running
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.kit.ops.commands import Commands
from inklings_desktop.ui.kit.page.context import Context
from inklings_desktop.ui.kit.words.places import Place
from tests.support.builders import a_person
from tests.support.stopwatch import SCENE_SECONDS, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from PySide6.QtCore import SignalInstance

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder


@dataclass(slots=True)
class Heard:
    """What a signal carried, each time it was emitted."""

    payloads: list[Any] = field(default_factory=list)

    def to(self, signal: SignalInstance) -> Heard:
        """Listen to a signal."""
        signal.connect(self.payloads.append)
        return self

    @property
    def last(self) -> Any:
        """What it carried the last time."""
        return self.payloads[-1]


@dataclass(frozen=True, slots=True)
class Bench:
    """An opened data root with one workspace."""

    inklings: Inklings
    workspace: Workspace

    @property
    def scope(self) -> ScopeKey:
        """The workspace tier."""
        return ScopeKey.workspace(self.workspace.id)

    def put(self, content: str, **values: Any) -> MemoryEntry:
        """Remember something in the workspace tier, for the short term where it may be."""
        scope = values.pop("scope", self.scope)
        if scope.tier is not Tier.CONVERSATION:
            values.setdefault("lifetime", Lifetime.SHORT_TERM)
        draft = MemoryDraft(scope, content, **values)
        return self.inklings.memories.put(draft)

    def run(self, action: Callable[[Background], Awaitable[None]]) -> list[BaseException]:
        """Carry an action out on an event loop; the bugs that nobody caught."""
        bugs: list[BaseException] = []

        async def carried_out() -> None:
            background = Background(bugs.append)
            try:
                await action(background)
            finally:
                await background.close()

        asyncio.run(carried_out())
        return bugs


def a_context_of(background: Background, inklings: Inklings, said: Heard | None = None) -> Context:
    """What a presenter is given where no window stands around it.

    Args:
        background: Runs what takes long.
        inklings: The use cases.
        said: Takes up what it says to the person.
    """
    heard = said or Heard()
    nothing: Any = None
    context = Context(
        background,
        inklings,
        theme=nothing,
        window=nothing,
        feed=ChangeBridge(),
        say=heard.payloads.append,
        tell=heard.payloads.append,
        go=heard.payloads.append,
        mark=nothing,
        here=lambda: None,
        place=lambda: Place(Tier.WORKSPACE),
        wear=lambda **_values: None,
        commands=Commands(),
    )
    background.on_refused = context.refuse
    return context


def run_with_background(scene: Callable[[Background], Awaitable[None]]) -> None:
    """Play a scene on a loop of its own; bugs in spawned actions fail it."""
    bugs: list[BaseException] = []

    async def play() -> None:
        background = Background(bugs.append)
        try:
            await asyncio.wait_for(scene(background), SCENE_SECONDS)
        finally:
            await background.close()

    asyncio.run(play())
    assert bugs == []


def on_loop(_root: Path, scene: Callable[[Background], Awaitable[None]]) -> None:
    """The stage of what needs no store."""
    run_with_background(scene)


def on_bench(root: Path, scene: Callable[[Bench, Background], Awaitable[None]]) -> None:
    """The stage of presenters over a store."""
    with a_bench(root / "data") as bench:
        run_with_background(partial(scene, bench))


async def news_of(bench: Bench, other: Bench) -> None:
    """Return once a program has seen everything that another has committed until now."""
    heard: list[MemoryChanges] = []
    leave = bench.inklings.feed.subscribe(heard.append)
    entry = other.put("News.")
    await until(lambda: any(entry.id in one.added and not one.own for one in heard))
    leave()


@contextmanager
def a_bench(
    root: Path, *, embedder: Embedder | None = None, with_clock: bool = False
) -> Iterator[Bench]:
    """A store opened as the window opens it; fresh ones get a workspace.

    Args:
        root: The data root.
        embedder: A model; none by default.
        with_clock: Whether the clock runs beside it, as it does in the window.
    """
    person = a_person(door=Door.WINDOW)
    if embedder is None and not with_clock and not (root.exists() and any(root.iterdir())):
        shutil.copytree(_fresh_root(), root, dirs_exist_ok=True)
    with ExitStack() as stack:
        inklings = stack.enter_context(
            open_inklings(
                root,
                caller=person,
                embedder=embedder or NullEmbedder("none", "missing"),
                embed_writes=not with_clock,
                drain_seconds=WINDOW_DRAIN_SECONDS if with_clock else SCRIPT_DRAIN_SECONDS,
            )
        )
        workspace = _one_workspace(inklings)
        if with_clock:
            inklings = stack.enter_context(clock_running(inklings, WINDOW_DRAIN_SECONDS))
        yield Bench(inklings, workspace)


@cache
def _fresh_root() -> Path:
    """A data root with one workspace and nothing else, which nobody opens."""
    root = Path(tempfile.mkdtemp(prefix="inklings-bench-"))
    atexit.register(shutil.rmtree, root)
    with open_inklings(
        root, caller=a_person(door=Door.WINDOW), embedder=NullEmbedder("none", "missing")
    ) as inklings:
        _one_workspace(inklings)
    return root


def _one_workspace(inklings: Inklings) -> Workspace:
    own = inklings.as_caller(a_person(door=Door.WINDOW))
    here = own.places.workspaces()
    return here[0] if here else own.workspaces.create("Saltglass")

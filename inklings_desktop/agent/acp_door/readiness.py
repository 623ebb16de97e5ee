"""What takes long to load, loaded on a thread of its own while the protocol is answered already."""

from __future__ import annotations

import asyncio
import gc
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inklings_desktop.agent.ports import RunState

_GRAPH = "inklings_desktop.agent.graph.running"
_SAVER = "inklings_desktop.agent.graph.saver"
_MEMORY = ("mcp.client.session", "mcp.client.stdio")


class Readiness:
    """Loads the client of memory and LangGraph once, and makes one runner for each workspace.

    One after the other: both would share one processor, and memory, whose own process takes a while
    to begin on another, would be asked to begin only when both are there.
    """

    def __init__(self) -> None:
        self._memory: asyncio.Future[Any] | None = None
        self._graph: asyncio.Future[Any] | None = None
        self._runners: dict[int, Any] = {}

    def begin(self) -> None:
        """Load what is needed; called once the client has heard that we are here."""
        if self._graph is None:
            self._memory = asyncio.ensure_future(_loaded(*_MEMORY))
            self._graph = asyncio.ensure_future(self._load_graph())

    async def memory(self) -> None:
        """Return once memory can be called."""
        self.begin()
        assert self._memory is not None
        await asyncio.shield(self._memory)

    async def runner(self, runs: RunState) -> Any:
        """What carries out the turns of a workspace."""
        self.begin()
        assert self._graph is not None
        running, saver = await asyncio.shield(self._graph)
        if id(runs) not in self._runners:
            self._runners[id(runs)] = running.Runner(saver.RunStateSaver(runs), runs)
        return self._runners[id(runs)]

    async def _load_graph(self) -> list[Any]:
        await self.memory()
        loaded = await _loaded(_GRAPH, _SAVER)
        # What was loaded stays to the end. To look through all of it for garbage holds the process
        # up for longer than a stop may take.
        gc.freeze()
        gc.enable()
        return loaded


async def _loaded(*names: str) -> list[Any]:
    return await asyncio.to_thread(lambda: [importlib.import_module(one) for one in names])

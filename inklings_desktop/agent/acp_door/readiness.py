"""What takes long to load, loaded on threads of its own while the protocol is answered already."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.agent.ports import RunState

_GRAPH = "inklings_desktop.agent.graph.running"
_SAVER = "inklings_desktop.agent.graph.saver"
_MEMORY = ("mcp.client.session", "mcp.client.stdio")


class Readiness:
    """Loads LangGraph and the client of memory once, and makes one runner for each workspace."""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._graph: asyncio.Future[Any] | None = None
        self._memory: asyncio.Future[Any] | None = None
        self._runners: dict[int, Any] = {}

    def begin(self) -> None:
        """Load what is needed; called once the client has heard that we are here."""
        if self._graph is None:
            self._memory = _loading(_load_memory)
            self._graph = _loading(_load_graph)

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


def _loading(load: Callable[[], Any]) -> asyncio.Future[Any]:
    return asyncio.ensure_future(asyncio.to_thread(load))


def _load_memory() -> None:
    for name in _MEMORY:
        importlib.import_module(name)


def _load_graph() -> tuple[Any, Any]:
    return importlib.import_module(_GRAPH), importlib.import_module(_SAVER)

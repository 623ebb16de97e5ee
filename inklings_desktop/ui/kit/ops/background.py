"""Use cases off the UI thread: two readers, one write lane, and the latest answer wins.

A presenter's action is one coroutine that reads top to bottom:
``page = await background.read(browse, ...)``, then update the model.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from inklings_desktop.domain.errors import DatabaseCorruptError, DatabaseFullError, InklingsError
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

P = ParamSpec("P")
T = TypeVar("T")


class Background:
    """Runs blocking calls on threads of its own, so that closing can wait for them.

    Attributes:
        on_no_room: Told that a command found no room on the disk; called on the UI thread.
        on_damage: Told that a database could not be read, likewise.
        on_refused: Told of an ``InklingsError`` that no coroutine caught, likewise.

    Args:
        on_bug: Told of an exception that no coroutine caught; called on the UI thread.
    """

    def __init__(self, on_bug: Callable[[BaseException], None]) -> None:
        self._on_bug = on_bug
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="read")
        self._write_lane = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closing = False
        self.on_no_room: Callable[[], None] | None = None
        self.on_damage: Callable[[DatabaseCorruptError], None] | None = None
        self.on_refused: Callable[[InklingsError], None] | None = None

    async def read(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a query, computed on a reader."""
        loop = asyncio.get_running_loop()
        try:
            asked = partial(read_on, partial(call, *args, **kwargs))
            return await loop.run_in_executor(self._readers, asked)
        except DatabaseCorruptError as error:
            self.note_damage(error)
            raise

    async def write(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a command; commands run one at a time, in order."""
        loop = asyncio.get_running_loop()
        try:
            asked = partial(read_on, partial(call, *args, **kwargs))
            return await loop.run_in_executor(self._write_lane, asked)
        except DatabaseFullError:
            if self.on_no_room is not None:
                self.on_no_room()
            raise
        except DatabaseCorruptError as error:
            self.note_damage(error)
            raise

    def spawn(
        self,
        action: Coroutine[Any, Any, T],
        *,
        on_refused: Callable[[InklingsError], None] | None = None,
    ) -> asyncio.Task[T]:
        """Start an action; it is kept alive until it ends.

        An ``InklingsError`` it does not catch is said to the person, and its bugs are reported.

        What is heard of while closing is dropped: no thread is there any more to do it.

        Args:
            action: What is done.
            on_refused: Told of that error instead, where a page has words of its own for it.
        """
        task = asyncio.ensure_future(action)
        if self._is_closing:
            task.cancel()
        self._tasks.add(task)
        task.add_done_callback(partial(self._finish, on_refused))
        return task

    async def close(self) -> None:
        """Cancel what only waits, let running calls end, and drain the write lane."""
        self._is_closing = True
        current = asyncio.current_task()
        waiting = [task for task in self._tasks if task is not current]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        loop = asyncio.get_running_loop()
        for pool in (self._readers, self._write_lane):
            await loop.run_in_executor(None, partial(pool.shutdown, cancel_futures=False))

    def note_damage(self, error: DatabaseCorruptError) -> None:
        """Tell whoever listens that a database could not be read."""
        if self.on_damage is not None:
            self.on_damage(error)

    def _finish(
        self, on_refused: Callable[[InklingsError], None] | None, task: asyncio.Task[Any]
    ) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        tell = on_refused or self.on_refused
        if isinstance(error, InklingsError) and tell is not None:
            tell(error)
        else:
            self._on_bug(error)


class Latest:
    """One slot for an action: starting a newer one cancels the older, whose answer is dropped."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._task: asyncio.Task[Any] | None = None

    def run(self, action: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start the action in place of the one before."""
        self.cancel()
        task = self._task = self._background.spawn(action)
        return task

    @property
    def is_running(self) -> bool:
        """Whether an action is under way."""
        return self._task is not None and not self._task.done()

    async def settled(self) -> None:
        """Return once the action under way has ended, whichever it is by then."""
        while (task := self._task) is not None and not task.done():
            await asyncio.wait({task})

    def cancel(self) -> None:
        """Drop the action that is under way, if any."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

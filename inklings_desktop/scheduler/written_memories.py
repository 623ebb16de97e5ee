"""Remembers what this process wrote, so that its vectors follow soon."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.domain.errors import EmbeddingUnavailableError, StorageError
from inklings_desktop.logs import topic
from inklings_desktop.scheduler.tasks import clock_caller
from inklings_desktop.usecases.background.background_work import STEP

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.usecases.bundle import Inklings

_log = topic("embedding")
_CALLER = clock_caller(TaskKind.EMBED_WRITTEN.value)
_OWN_NAMES = frozenset(kind.value for kind in TaskKind)


class WrittenMemories:
    """A queue of written memories; the clock embeds them, one step of fifty at a time.

    Not safe by itself: the clockwork calls it under its own lock, ``embed`` aside.
    """

    def __init__(self, inklings: Inklings) -> None:
        self._inklings = inklings
        self._waiting: deque[tuple[str | None, tuple[str, ...]]] = deque()

    def note(self, changes: MemoryChanges) -> bool:
        """Whether something was written here that may need a vector; remembers it.

        The clock's own vectors are no such thing; another process embeds its own writes.
        """
        ids = changes.added + changes.updated
        if not changes.own or not ids or changes.initiator in _OWN_NAMES:
            return False
        for start in range(0, len(ids), STEP):
            self._waiting.append((changes.workspace_id, ids[start : start + STEP]))
        return True

    def __len__(self) -> int:
        return len(self._waiting)

    def next_step(self) -> tuple[str | None, tuple[str, ...]]:
        """Take the oldest step out."""
        return self._waiting.popleft()

    def embed(
        self, workspace_id: str | None, ids: tuple[str, ...], is_wanted: Callable[[], bool]
    ) -> None:
        """Embed one step; a model or disk that fails ends nothing."""
        try:
            self._inklings.as_caller(_CALLER).tasks.embed(
                workspace_id, ids=ids, is_wanted=is_wanted
            )
        except (EmbeddingUnavailableError, StorageError) as error:
            # The memory is safe and found by its words; its vector can be made later.
            _log.warning("not embedded: %s", type(error).__name__)

"""Keeps what is typed into the inspector, so that a killed program loses next to nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.domain.errors import InklingsError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.subject.calls import touches_memory

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.usecases.bundle import Inklings

    Place = tuple[ScopeKey, str]
    """A memory with its scope; an empty id is the new one of the scope."""


class TypingKeeper(QObject):
    """Stores unsaved values of the memory on show, and lets go of them once they are decided on.

    Signals:
        message_raised: A ``Message``: typing cannot be kept just now. Once, until it can again.
    """

    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        subject: InspectorPresenter,
        *,
        rest_ms: int,
        parent: QObject | None = None,
    ) -> None:
        """Follow a presenter.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            subject: What the inspector is about.
            rest_ms: From the first unkept key until what stands there is kept.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._subject = subject
        self._kept: Place | None = None
        self._last: MemoryTyping | None = None
        self._fails = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(rest_ms)
        self._rest.timeout.connect(self._on_rest_timeout)
        subject.state_changed.connect(self._on_state_changed)

    def adopt(self, typing: MemoryTyping) -> None:
        """Typing of an earlier run is gone on with: it is this run's from here."""
        self._kept, self._last = (typing.scope, typing.memory_id), typing

    def drop(self, scope: ScopeKey, memory_id: str) -> None:
        """Let go of what was kept of a memory."""
        self._spawn(self._drop((scope, memory_id)))

    def on_changes(self, changes: MemoryChanges) -> None:
        """Keep what stands there once more if another process let go of it, or saved in its place.

        Whoever saves or discards lets go of the typing in that place, and there is one for every
        window.
        """
        typing = self._subject.unsaved_typing
        # After a scrub nothing is put back on the disk before the author types on.
        if typing is None or changes.own or changes.scrubbed:
            return
        if typing.is_new:
            is_touched = changes.reload or typing.scope in changes.scopes
        else:
            is_touched = touches_memory(changes, MemoryRef(typing.scope, typing.memory_id))
        is_touched = is_touched or typing.mark in changes.drafts_dropped
        if is_touched and changes.workspace_id == typing.scope.workspace_id:
            self._last = None
            self._on_state_changed()

    async def settled(self) -> None:
        """Return once everything begun so far is on the disk."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    @Slot()
    def _on_state_changed(self) -> None:
        typing = self._subject.unsaved_typing
        place = None if typing is None else (typing.scope, typing.memory_id)
        if self._kept is not None and self._kept != place:
            self._spawn(self._drop(self._kept))
            self._kept = self._last = None
        if typing is None:
            self._rest.stop()
        elif not self._rest.isActive() and not _same(typing, self._last):
            self._rest.start()

    @Slot()
    def _on_rest_timeout(self) -> None:
        self._spawn(self._keep())

    async def _keep(self) -> None:
        # Looked up at the moment of writing: what reached the disk after its own save would be
        # offered again, and a new memory saved twice. Once the save is through, what was typed
        # meanwhile is news and rests anew.
        if self._subject.is_saving:
            self._rest.start()
            return
        typing = self._subject.unsaved_typing
        if typing is None:
            return
        self.adopt(typing)
        try:
            await self._background.write(self._inklings.keep_typing, self._inklings.caller, typing)
        except InvalidValueError as error:
            self._subject.warn_unkept(error)
            return
        except NotFoundError:
            return  # the memory is gone, and that is said
        except InklingsError as error:
            if not self._fails:
                self._fails = True
                self.message_raised.emit(message_of(error))
            return
        self._fails = False

    async def _drop(self, place: Place) -> None:
        try:
            await self._background.write(self._inklings.drop_typing, self._inklings.caller, *place)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))

    def _spawn(self, action: Coroutine[Any, Any, None]) -> None:
        task = self._background.spawn(action)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _same(one: MemoryTyping, other: MemoryTyping | None) -> bool:
    """Whether both say the same, whenever they were typed."""
    return other is not None and one.values == other.values

"""Keeps what is typed into the inspector, and offers what an earlier run had not saved."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.errors import InklingsError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.words.messages import too_much_pasted
from inklings_desktop.ui.memory.join import Join
from inklings_desktop.ui.memory.subject.saving import touches_memory

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.memory.join import Parts
    from inklings_desktop.ui.memory.subject.state import OfferFacts

    Place = tuple[ScopeKey, str]
    """A memory with its scope; an empty id is the new one of the scope."""


class Typings(Join):
    """Stores unsaved values of the memory on show, so that a killed program loses next to nothing.

    They are let go of once they are decided on. That typing cannot be kept just now is said once,
    until it can again.
    """

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parts, parent)
        inspector = self._inspector
        self._offer = inspector.body.offer
        self._kept: Place | None = None
        self._last: MemoryTyping | None = None
        self._fails = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._comparing = Latest(self._background)
        self._rest = timer(self, lambda: self._spawn(self._keep()), inspector.body.rest_ms)
        self._subject.state_changed.connect(self._on_state_changed)
        inspector.body.content.paste_refused.connect(
            lambda n_bytes: self._context.say(too_much_pasted(n_bytes, MAX_CONTENT_BYTES))
        )
        self._offer.compare_requested.connect(self._on_compare_requested)
        self._offer.proceed.clicked.connect(self._on_proceed_clicked)
        self._offer.discard.clicked.connect(self._on_discard_clicked)

    # -- of an earlier run ------------------------------------------------------------------

    async def of_new(self, scope: ScopeKey) -> MemoryTyping | None:
        """What was typed into the new memory of a scope and never saved."""
        typings = await self._found(scope.workspace_id)
        return next((one for one in typings if one.is_new and one.scope == scope), None)

    async def offer_latest(self, workspace_id: str) -> MemoryTyping | None:
        """Show what was typed last and never saved, in this workspace or the account.

        Returns:
            The typing on offer; None if there is none, or something is being edited already.
        """
        typings = await self._found(workspace_id)
        if not typings or self._subject.has_unsaved:
            return None
        latest = typings[0]
        if latest.is_new:
            self._subject.start_new(latest.scope, offered=latest)
        else:
            await self._subject.open_memory(MemoryRef(latest.scope, latest.memory_id))
        return latest

    async def _found(self, workspace_id: str | None) -> tuple[MemoryTyping, ...]:
        if self._inklings.caller.is_agent:
            return ()  # what was typed is the author's alone
        try:
            return await self._background.read(self._inklings.drafts.find_typings, workspace_id)
        except InklingsError as error:
            self._context.refuse(error)
            return ()

    async def _compare(self, offer: OfferFacts) -> None:
        diff = await self._background.read(diff_lines, offer.stored, offer.typed)
        self._offer.show_difference(diff)

    @Slot()
    def _on_compare_requested(self) -> None:
        offer = self._subject.state.offer
        if offer is not None:
            self._comparing.run(self._compare(offer))

    @Slot()
    def _on_proceed_clicked(self) -> None:
        typing = self._subject.continue_typing()
        if typing is not None:
            self._adopt(typing)  # it is this run's from here
            self._inspector.focus_editor()

    @Slot()
    def _on_discard_clicked(self) -> None:
        typing = self._subject.discard_typing()
        if typing is not None:
            self._spawn(self._drop((typing.scope, typing.memory_id)))
            self._inspector.focus_editor()

    # -- of this run ------------------------------------------------------------------------

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

    def _adopt(self, typing: MemoryTyping) -> None:
        self._kept, self._last = (typing.scope, typing.memory_id), typing

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
        self._adopt(typing)
        try:
            await self._background.write(self._inklings.drafts.keep_typing, typing)
        except InvalidValueError as error:
            self._subject.warn_unkept(error)
            return
        except NotFoundError:
            return  # the memory is gone, and that is said
        except InklingsError as error:
            if not self._fails:
                self._fails = True
                self._context.refuse(error)
            return
        self._fails = False

    async def _drop(self, place: Place) -> None:
        await self._background.write(self._inklings.drafts.drop_typing, *place)

    def _spawn(self, action: Coroutine[Any, Any, None]) -> None:
        task = self._background.spawn(action)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _same(one: MemoryTyping, other: MemoryTyping | None) -> bool:
    """Whether both say the same, whenever they were typed."""
    return other is not None and one.values == other.values

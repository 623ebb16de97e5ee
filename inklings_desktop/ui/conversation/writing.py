"""What is being written: a draft for each conversation, kept on the disk, and what is attached."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Slot

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.memory_typing import MESSAGE, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryRef, ScopeKey
from inklings_desktop.ui.conversation.facts import (
    TEXT_URI,
    Attachment,
    Draft,
    attached,
    draft_of,
    found_memories,
)
from inklings_desktop.ui.conversation.popovers import AttachPopover
from inklings_desktop.ui.conversation.words import pasted_title
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.conversation.composer import Composer
    from inklings_desktop.ui.kit.page.context import Context


class Writing(QObject):
    """Keeps the draft of each conversation, and lets memories and texts be put to it."""

    def __init__(
        self,
        context: Context,
        composer: Composer,
        done: Callable[[], None],
        queued: Callable[[str], Draft],
        parent: QObject,
    ) -> None:
        """Nothing is written yet.

        Args:
            context: What every page is given.
            composer: Where one writes.
            done: Brings the keyboard back there.
            queued: What waits in a conversation for the end of a turn; it is kept like a draft.
            parent: Owner.
        """
        super().__init__(parent)
        self._done, self._queued = done, queued
        self._context, self._composer = context, composer
        self._conversation_id = ""
        self._drafts: dict[str, Draft] = {}
        self._worlds: dict[str, str] = {}
        self._unkept: set[str] = set()
        self._keeping: set[asyncio.Task[None]] = set()
        self._rest = timer(self, self._keep_all, context.theme.duration("debounceAutosave"))
        self._seeking = Latest(context.background)
        composer.changed.connect(self._on_changed)
        composer.attach_wanted.connect(self._on_attach_wanted)
        composer.opened.connect(self._on_opened)
        composer.edit.pasted_long.connect(self._on_pasted_long)

    @property
    def unkept(self) -> tuple[str, ...]:
        """Ids of the conversations in which something is written that is not on the disk yet."""
        return tuple(one for one in self._drafts if one in self._unkept)

    async def settled(self) -> None:
        """Return once everything written is on the disk, as far as that can be."""
        self._keep_all()
        while self._keeping:
            await asyncio.gather(*self._keeping, return_exceptions=True)

    def draft(self) -> Draft:
        """What is written now."""
        return Draft(self._composer.text(), self._composer.attachments())

    def stand_at(self, workspace_id: str, conversation_id: str) -> None:
        """Show what was written in a conversation and is not said yet, be it by an earlier run."""
        self._conversation_id = conversation_id
        with QSignalBlocker(self._composer):
            self.show(self._drafts.get(conversation_id, Draft()))
        # A page that was led over no workspace yet stands there once more when it is.
        if conversation_id and workspace_id and conversation_id not in self._worlds:
            self._worlds[conversation_id] = workspace_id
            self._context.background.spawn(self._bring_back(conversation_id))

    def show(self, draft: Draft) -> None:
        """Let this be what is written."""
        self._composer.show_text(draft.text)
        self._composer.show_attachments(draft.attachments)

    def keep(self, conversation_id: str, draft: Draft) -> None:
        """Let this come before what is written in a conversation; nothing of that goes."""
        both = draft.before(self._drafts.get(conversation_id, Draft()))
        self._drafts[conversation_id] = both
        self._note_unkept(conversation_id)
        if conversation_id == self._conversation_id:
            self.show(both)

    def attach(self) -> None:
        """Choose what is attached to the message."""
        if not self._composer.edit.isReadOnly():
            self._on_attach_wanted(False)

    def attach_entries(self, entries: Sequence[MemoryEntry]) -> None:
        """Put memories to the message."""
        self._attach(tuple(attached(one) for one in entries))

    def attach_text(self, name: str, title: str, text: str) -> None:
        """Put a text of the author's to the message."""
        self._attach((Attachment(f"{TEXT_URI}{name}", title, text),))

    def _attach(self, more: tuple[Attachment, ...]) -> None:
        composer = self._composer
        known = {one.uri for one in composer.attachments()}
        new = tuple(one for one in more if one.uri not in known)
        composer.show_attachments((*composer.attachments(), *new))

    @Slot()
    def _on_changed(self) -> None:
        here, draft = self._conversation_id, self.draft()
        if draft == self._drafts.get(here, Draft()) or not here:
            return
        self._drafts[here] = draft
        self._note_unkept(here)
        if draft.is_empty:
            del self._drafts[here]
            self._keep_all()  # it was sent: a kill must not offer it again

    # -- on the disk ------------------------------------------------------------------------

    def _scope(self, conversation_id: str) -> ScopeKey:
        return ScopeKey.conversation(self._worlds[conversation_id], conversation_id)

    async def _bring_back(self, conversation_id: str) -> None:
        """Put what an earlier run had not sent before what was written since."""
        find = self._context.inklings.drafts.find_typing
        ref = MemoryRef(self._scope(conversation_id), MESSAGE)
        kept = await self._context.background.read(find, ref)
        if kept is not None and not (draft := draft_of(json.loads(kept.content))).is_empty:
            self.keep(conversation_id, draft)

    def _note_unkept(self, conversation_id: str) -> None:
        self._unkept.add(conversation_id)
        if not self._rest.isActive():
            self._rest.start()

    @Slot(str)
    def on_said(self, conversation_id: str) -> None:
        """Keep what waits no longer than until it is stored as a message."""
        self._unkept.add(conversation_id)
        self._keep_all()

    @Slot()
    def _keep_all(self) -> None:
        for one in [one for one in self._unkept if one in self._worlds]:
            task = self._context.background.spawn(self._keep_one(one, self._drafts.get(one)))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    async def _keep_one(self, conversation_id: str, written: Draft | None) -> None:
        """Keep a draft; one that cannot be kept is asked about before the window closes."""
        draft = self._queued(conversation_id).before(written or Draft())
        drafts, scope = self._context.inklings.drafts, self._scope(conversation_id)
        write, now = self._context.background.write, self._context.inklings.clock()
        with suppress(InvalidValueError, NotFoundError):
            if draft.is_empty:
                await write(drafts.drop_typing, scope, MESSAGE)
            else:
                of = (scope, MESSAGE, 1, draft.as_json(), 0.5, Lifetime.CONVERSATION, (), now)
                await write(drafts.keep_typing, MemoryTyping(*of))
            if self._drafts.get(conversation_id) == written:
                self._unkept.discard(conversation_id)
            else:
                self._rest.start()

    @Slot(str)
    def _on_pasted_long(self, text: str) -> None:
        one = Attachment(f"{TEXT_URI}{uuid.uuid4()}", pasted_title(len(text)), text)
        self._attach((one,))

    @Slot(bool)
    def _on_attach_wanted(self, by_at: bool) -> None:  # noqa: FBT001 - a signal's payload
        popover = AttachPopover(self._context.theme, self._composer)
        popover.field.query_changed.connect(partial(self._seek, popover))
        popover.attached.connect(partial(self._on_attached, by_at=by_at))
        popover.closed.connect(self._seeking.cancel)  # or it would show in what is gone
        popover.closed.connect(popover.deleteLater)
        self._seek(popover, "")
        popover.popup_below(self._composer)  # not over what is being written

    def _seek(self, popover: AttachPopover, text: str) -> None:
        self._seeking.run(self._find(popover, text))

    async def _find(self, popover: AttachPopover, text: str) -> None:
        here, context = self._context.here(), self._context
        if here is not None:
            popover.show_found(
                await context.background.read(found_memories, context.inklings, here, text)
            )

    def _on_attached(self, entries: Sequence[MemoryEntry], *, by_at: bool) -> None:
        if by_at:
            self._composer.edit.take_back_at()
        self.attach_entries(entries)
        self._done()

    @Slot(object)
    def _on_opened(self, one: Attachment) -> None:
        if one.tier:
            self._context.go(ToMemoryBeside(one.memory_id, tr("Attached to the message")))

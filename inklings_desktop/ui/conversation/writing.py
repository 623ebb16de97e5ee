"""What is being written: a draft for each conversation, and what is attached to it."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Slot

from inklings_desktop.ui.conversation.facts import (
    TEXT_URI,
    Attachment,
    Draft,
    attached,
    found_memories,
)
from inklings_desktop.ui.conversation.popovers import AttachPopover
from inklings_desktop.ui.conversation.words import pasted_title
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.conversation.composer import Composer
    from inklings_desktop.ui.kit.page.context import Context


class Writing(QObject):
    """Keeps the draft of each conversation, and lets memories and texts be put to it."""

    def __init__(
        self, context: Context, composer: Composer, done: Callable[[], None], parent: QObject
    ) -> None:
        """Nothing is written yet.

        Args:
            context: What every page is given.
            composer: Where one writes.
            done: Brings the keyboard back there.
            parent: Owner.
        """
        super().__init__(parent)
        self._done = done
        self._context, self._composer = context, composer
        self._conversation_id = ""
        self._drafts: dict[str, Draft] = {}
        self._seeking = Latest(context.background)
        composer.changed.connect(self._on_changed)
        composer.attach_wanted.connect(self._on_attach_wanted)
        composer.opened.connect(self._on_opened)
        composer.edit.pasted_long.connect(self._on_pasted_long)

    @property
    def unsent(self) -> tuple[str, ...]:
        """Ids of the conversations in which something is written and not sent."""
        return tuple(self._drafts)

    def draft(self) -> Draft:
        """What is written now."""
        return Draft(self._composer.text(), self._composer.attachments())

    def stand_at(self, conversation_id: str) -> None:
        """Show what was written in a conversation and is not said yet."""
        self._conversation_id = conversation_id
        with QSignalBlocker(self._composer):
            self.show(self._drafts.get(conversation_id, Draft()))

    def show(self, draft: Draft) -> None:
        """Let this be what is written."""
        self._composer.show_text(draft.text)
        self._composer.show_attachments(draft.attachments)

    def keep(self, conversation_id: str, draft: Draft) -> None:
        """Let this come before what is written in a conversation; nothing of that goes."""
        both = draft.before(self._drafts.get(conversation_id, Draft()))
        self._drafts[conversation_id] = both
        if conversation_id == self._conversation_id:
            self.show(both)

    def attach(self) -> None:
        """Choose what is attached to the message."""
        if not self._composer.edit.isReadOnly():
            self._on_attach_wanted(False)

    def attach_entries(self, entries: Sequence[MemoryEntry]) -> None:
        """Put memories to the message."""
        self._attach(tuple(attached(one) for one in entries))

    def _attach(self, more: tuple[Attachment, ...]) -> None:
        composer = self._composer
        known = {one.uri for one in composer.attachments()}
        new = tuple(one for one in more if one.uri not in known)
        composer.show_attachments((*composer.attachments(), *new))

    @Slot()
    def _on_changed(self) -> None:
        draft = self.draft()
        if draft.is_empty:
            self._drafts.pop(self._conversation_id, None)
        elif self._conversation_id:
            self._drafts[self._conversation_id] = draft

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

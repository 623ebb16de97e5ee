"""Joins conversations that fell silent to the banner above every page, and asks about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.rail.wishes import title_of
from inklings_desktop.ui.window.banners.words import KEEP, silence_banner

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.rooms.silent_conversations import SilentConversation

_MOST_SHOWN = 8

_log = topic("ui")


class SilenceDesk(QObject):
    """Silent conversations of the open workspace that the author has to decide about, one by one.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, slot: BannerSlot, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._slot = slot
        self._looking = Latest(background)
        self._workspace_id = ""
        self._waiting: tuple[SilentConversation, ...] = ()
        slot.acted.connect(self._on_acted)

    def close(self) -> None:
        """Look and hear no more."""
        self._looking.cancel()
        self._slot.acted.disconnect(self._on_acted)

    @Slot(object)
    def show_surroundings(self, here: Surroundings) -> None:
        """Stand to this workspace."""
        if here.workspace.id != self._workspace_id:
            self._workspace_id = here.workspace.id
            self.refresh()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        is_here = changes.workspace_id == self._workspace_id
        if is_here and (changes.rooms or changes.reload):
            self.refresh()

    def refresh(self) -> None:
        """Look what waits."""
        self._looking.run(self._look(self._workspace_id))

    async def _look(self, workspace_id: str) -> None:
        inklings = self._inklings
        try:
            self._waiting = await self._background.read(
                inklings.list_silent_conversations, inklings.caller, workspace_id
            )
        except InklingsError as error:
            _log.warning("silent conversations not read: %s", type(error).__name__)
            return
        content = None
        if self._waiting:
            first = self._waiting[0]
            title, n_held = title_of(first.conversation), len(first.memories)
            content = silence_banner(title, n_held, len(self._waiting) - 1)
        self._slot.say(BannerCause.SILENCE, content)

    async def _ask_to_close(self, silent: SilentConversation) -> None:
        lines = [f"\u2022 {excerpt(one.content)}" for one in silent.memories[:_MOST_SHOWN]]
        if len(silent.memories) > _MOST_SHOWN:
            lines.append("\u2026")
        if await ask(
            self._slot.banner.window(),
            self.tr("Close {title} and forget what it holds?").format(
                title=title_of(silent.conversation)
            ),
            "\n".join([*lines, self.tr("You can restore each of them.")]),
            yes=self.tr("Close and forget"),
            no=self.tr("Not now"),
            is_destructive=True,
        ):
            await self._settle(silent, keeps=False)

    async def _settle(self, silent: SilentConversation, *, keeps: bool) -> None:
        inklings, key = self._inklings, silent.conversation.id
        try:
            await self._background.write(
                inklings.settle_silent_conversation,
                inklings.caller,
                self._workspace_id,
                key,
                keeps=keeps,
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        self.refresh()

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        if cause is not BannerCause.SILENCE or not self._waiting:
            return
        first = self._waiting[0]
        act = self._settle(first, keeps=True) if key == KEEP else self._ask_to_close(first)
        self._background.spawn(act)

"""What is said above every page until the author knows, answers, or it is over.

Each looks off the UI thread, says what it found, and looks again when something changed or a
button was pressed. That it could not look is logged: what cannot be read says so itself elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.access.clients import ClientKind, imitated
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.panes.banner import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.kit.words.places import talk_name
from inklings_desktop.ui.window.banners.words import (
    KEEP,
    KNOWN,
    LET_IN,
    knock_banner,
    loss_banner,
    loss_message,
    purge_banner,
    silence_banner,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.panes.banner import BannerContent
    from inklings_desktop.ui.window.banners.words import Lost
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.rooms.conversations import SilentConversation

LOOK_AFTER_MS = 3_000
"""A scrub that nobody holds up is finished by then, and nothing need be said of it."""
_MOST_SHOWN = 8

_log = topic("ui")


class Band(QObject):
    """One cause of the banner; a subclass says what it looks for, what it says, and what helps.

    Attributes:
        cause: Its place among the others.
        about: Of which commits it is told at all; None for none.
        workspace_id: What it stands to, from ``show_workspace`` on.
    """

    cause: ClassVar[BannerCause]
    about: ClassVar[About | None] = About.SCRUBS
    workspace_id = ""

    def __init__(self, context: Context, slot: BannerSlot, parent: QObject) -> None:
        super().__init__(parent)
        self.context, self._slot = context, slot
        self.inklings, self.background = context.inklings, context.background
        self._looking = Latest(context.background)
        slot.acted.connect(self._on_acted)
        if self.about is not None:
            context.hear(self.on_changes, self.about)

    async def look(self) -> None:
        """Find out what there is to say, and keep it.

        Raises:
            InklingsError: It cannot be read.
        """
        raise NotImplementedError

    def content(self) -> BannerContent | None:
        """What is said of it; None for nothing."""
        raise NotImplementedError

    def concerns(self, changes: MemoryChanges) -> bool:
        """Whether a commit, after which everything is read anew or it is told, may matter."""
        return changes.reload

    def act(self, key: str) -> None:
        """Do what a button of it stands for."""

    def close(self) -> None:
        """Look and hear no more."""
        self._looking.cancel()
        self._slot.acted.disconnect(self._on_acted)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        if self.concerns(changes):
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look now."""
        self._looking.run(self._look())

    @Slot()
    def show_workspace(self) -> None:
        """Stand to the open workspace."""
        here = self.context.here()
        if here is not None and here.workspace.id != self.workspace_id:
            self.workspace_id = here.workspace.id
            self.refresh()

    async def settled(self) -> None:
        """Return once no look is under way."""
        await self._looking.settled()

    def say(self) -> None:
        """Say what was found."""
        self._slot.say(self.cause, self.content())

    async def change(self, call: Callable[..., object], *args: object, **kwargs: object) -> None:
        """Carry out a command and look again, whatever comes of it."""
        try:
            await self.background.write(call, *args, **kwargs)
        finally:
            self.refresh()

    async def _look(self) -> bool:
        try:
            await self.look()
        except InklingsError as error:
            _log.warning("%s not looked for: %s", self.cause.name.lower(), type(error).__name__)
            return False
        self.say()
        return True

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        if cause is self.cause:
            self.act(key)


class LossBand(Band):
    """Files that have lost what they held."""

    cause = BannerCause.LOST_WRITES
    _lost: Lost = ()

    async def look(self) -> None:
        inklings = self.inklings
        self._lost = await self.background.read(inklings.log.find_lost_writes)

    def content(self) -> BannerContent | None:
        return loss_banner(self._lost) if self._lost else None

    def act(self, key: str) -> None:
        """Take note that the author knows, or say more."""
        if key == KNOWN:
            accept = self.inklings.log.accept_lost_writes
            self.background.spawn(self.change(accept))
        else:
            self.context.say(loss_message(self._lost))


class PurgeBand(Band):
    """Scrubs that are not finished; looked for after a start and after every scrub."""

    cause = BannerCause.PURGE
    _is_open = False

    def __init__(self, context: Context, slot: BannerSlot, parent: QObject) -> None:
        super().__init__(context, slot, parent)
        self._timer = timer(self, self.refresh, LOOK_AFTER_MS)
        self._timer.start()

    def close(self) -> None:
        self._timer.stop()
        super().close()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Look soon: a scrub, here or elsewhere, lets everything be read anew."""
        if self.concerns(changes):
            self._timer.start()

    async def look(self) -> None:
        """Look whether one is open, and again for as long as it is."""
        self._is_open = await self.background.read(self.inklings.scrub.has_work)
        if self._is_open:
            self._timer.start()

    def content(self) -> BannerContent | None:
        return purge_banner() if self._is_open else None


class SilenceBand(Band):
    """Silent conversations that the author has to decide about, one by one."""

    cause = BannerCause.SILENCE
    about = About.ROOMS
    _waiting: tuple[SilentConversation, ...] = ()

    def concerns(self, changes: MemoryChanges) -> bool:
        is_here = changes.workspace_id == self.workspace_id
        return is_here and (changes.rooms or changes.reload)

    async def look(self) -> None:
        inklings = self.inklings
        self._waiting = await self.background.read(
            inklings.conversations.list_silent, self.workspace_id
        )

    def content(self) -> BannerContent | None:
        """The first of them, and how many more there are."""
        if not self._waiting:
            return None
        first = self._waiting[0]
        return silence_banner(
            talk_name(first.conversation), len(first.memories), len(self._waiting) - 1
        )

    def act(self, key: str) -> None:
        """Keep the first, or ask whether it is closed."""
        if self._waiting:
            first = self._waiting[0]
            self.background.spawn(
                self._settle(first, keeps=True) if key == KEEP else self._ask_to_close(first)
            )

    async def _ask_to_close(self, silent: SilentConversation) -> None:
        lines = [f"\u2022 {excerpt(one.content)}" for one in silent.memories[:_MOST_SHOWN]]
        if len(silent.memories) > _MOST_SHOWN:
            lines.append("\u2026")
        if await ask(
            self._slot.banner.window(),
            tr("Close {title} and forget its memories?").format(
                title=talk_name(silent.conversation)
            ),
            "\n".join([*lines, tr("You can restore each of them.")]),
            yes=tr("Close and forget"),
            no=tr("Not now"),
            is_destructive=True,
        ):
            await self._settle(silent, keeps=False)

    async def _settle(self, silent: SilentConversation, *, keeps: bool) -> None:
        inklings, key = self.inklings, silent.conversation.id
        await self.change(inklings.conversations.settle_silent, self.workspace_id, key, keeps=keeps)


@dataclass(frozen=True, slots=True)
class Knock:
    """A client that waits to be let in.

    Attributes:
        client: Its name.
        workspace: The workspace that it asked for last.
        day: When that was.
        like: Whom its name could be taken for; None for nobody.
    """

    client: str
    workspace: Workspace
    day: date
    like: str | None


class KnockBand(Band):
    """Clients that the author has said nothing about yet.

    One that is turned away is silent until it knocks on another day, or the window is opened anew.
    """

    cause = BannerCause.KNOCK
    about = About.CLIENTS
    _waiting: tuple[Knock, ...] = ()

    def __init__(self, context: Context, slot: BannerSlot, parent: QObject) -> None:
        super().__init__(context, slot, parent)
        self._turned_away: set[tuple[str, date]] = set()

    def concerns(self, changes: MemoryChanges) -> bool:
        return changes.clients or (changes.workspace_id is None and changes.reload)

    async def look(self) -> None:
        self._waiting = await self.background.read(_waiting, self.inklings)

    def content(self) -> BannerContent | None:
        knock = self._first()
        if knock is None:
            return None
        return knock_banner(knock.client, knock.workspace.name, knock.like)

    def act(self, key: str) -> None:
        knock = self._first()
        if knock is None:
            return
        if key == LET_IN:
            inklings = self.inklings
            self.background.spawn(
                self.change(inklings.clients.let_in, knock.client, knock.workspace.id)
            )
        else:
            self._turned_away.add((knock.client, knock.day))
            self.say()

    def _first(self) -> Knock | None:
        away = self._turned_away
        return next((one for one in self._waiting if (one.client, one.day) not in away), None)


def _waiting(inklings: Inklings) -> tuple[Knock, ...]:
    """Who waits, the first come first; runs on a reader."""
    here = {one.id: one for one in inklings.places.workspaces()}
    clients = inklings.clients.list(calls=1)
    names = [one.client.name for one in clients]
    return tuple(
        Knock(
            found.client.name,
            here[call.workspace_id],
            call.at.date(),
            imitated(found.client.name, names),
        )
        for found in clients
        for call in found.activity.calls
        if found.client.kind is ClientKind.UNKNOWN and call.workspace_id in here
    )

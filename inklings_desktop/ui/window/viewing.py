"""Opens the window as a client sees it in place of the author's, and gives that back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from inklings_desktop.domain.errors import InklingsError, NotFoundError, ScopeDeniedError
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.window.viewing_window import ViewingWindow

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings


class ViewingDesk(QObject):
    """One view at a time; the author's window waits out of sight, with everything in it."""

    def __init__(
        self, background: Background, inklings: Inklings, *, theme: Theme, author: MainWindow
    ) -> None:
        super().__init__(author)
        self._background = background
        self._inklings = inklings
        self._theme = theme
        self._author = author
        self._opening = Latest(background)
        self._checking = Latest(background)
        self._client, self._workspace_id = "", ""
        self._seen: Inklings | None = None
        self._eyes: Background | None = None
        self._endings: set[asyncio.Task[None]] = set()
        self.window: ViewingWindow | None = None
        self._bridge = ChangeBridge(self)
        self._unsubscribe = inklings.feed.subscribe(self._bridge.publish)
        self._bridge.memories_changed.connect(self._on_changes, Qt.ConnectionType.QueuedConnection)
        author.view_wanted.connect(self.look_as)
        if author.desks is not None:
            # What asks for the author's answer is to be seen at once, in the author's window.
            author.desks.requests.arrived.connect(self.leave)

    async def close(self) -> None:
        """Leave what is on show, and hear no more: the data root is about to be closed."""
        self._unsubscribe()
        self.leave()
        await asyncio.gather(*self._endings)

    @Slot(str, str)
    def look_as(self, client: str, workspace_id: str) -> None:
        """Show the window as this client sees it in a workspace."""
        if self.window is None:
            self._client, self._workspace_id = client, workspace_id
            self._opening.run(self._open())

    @Slot()
    def leave(self) -> None:
        """Show the author's window again; nothing of the view is kept."""
        self._opening.cancel()
        self._checking.cancel()
        window, self.window, self._seen = self.window, None, None
        if window is None:
            return
        author = self._author
        author.setWindowState(window.windowState())
        author.show()
        author.raise_()
        author.activateWindow()
        window.hide()
        window.detach()
        if self._eyes is not None:
            self._endings.add(self._background.spawn(self._end(window, self._eyes)))
            self._eyes = None

    @Slot(object)
    def _on_changes(self, changes: MemoryChanges) -> None:
        """Say when what the client may read is another now."""
        if self.window is not None and (changes.clients or changes.rooms or changes.reload):
            self._checking.run(self._check())

    async def settled(self) -> None:
        """Return once nothing is under way."""
        await self._opening.settled()
        await self._checking.settled()

    async def _open(self) -> None:
        inklings, author = self._inklings, self._author
        try:
            seen = await self._background.read(
                inklings.view_as, inklings.caller, self._client, self._workspace_id
            )
        except (ScopeDeniedError, NotFoundError):
            author.show_message(self._nothing_to_see())
            return
        except InklingsError as error:
            author.show_message(message_of(error))
            return
        window = ViewingWindow(
            self._theme,
            inklings.data_dir,
            self._client,
            compact=self._inklings.settings.appearance.density == "compact",
        )
        window.leave_requested.connect(self.leave)
        window.again_requested.connect(self._on_again_requested)
        # Threads of its own: what is under way when the view is left ends with it.
        eyes = self._eyes = Background(author.show_bug)
        self.window, self._seen = window, seen
        window.setGeometry(author.geometry())
        window.setWindowState(author.windowState())
        window.show()
        author.hide()
        try:
            await window.attach(eyes, seen)
        except InklingsError as error:
            self.leave()
            author.show_message(message_of(error))

    async def _end(self, window: ViewingWindow, eyes: Background) -> None:
        """Let what the view still asks end before it goes; nobody hears the answers."""
        await eyes.close()
        gone = asyncio.Event()
        window.destroyed.connect(gone.set)
        # Held until all of it is gone: what Python lets go of first would hear the last events
        # of its neighbours without any attribute.
        parts = window.findChildren(QObject)
        window.deleteLater()
        await gone.wait()
        parts.clear()

    async def _check(self) -> None:
        inklings, seen = self._inklings, self._seen
        try:
            now = await self._background.read(
                inklings.view_as, inklings.caller, self._client, self._workspace_id
            )
            is_same = seen is not None and now.caller == seen.caller
        except InklingsError:
            is_same = False
        if self.window is not None:
            self.window.show_rights(changed=not is_same)

    def _nothing_to_see(self) -> Message:
        return Message(
            self.tr("{name} sees nothing of this workspace.").format(name=self._client),
            self.tr("It may read nothing that this workspace holds. Its rights are under Access."),
        )

    @Slot()
    def _on_again_requested(self) -> None:
        self.leave()
        self._opening.run(self._open())

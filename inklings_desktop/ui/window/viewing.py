"""The window as one client sees it, in place of the author's, and how that is given back."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.domain.errors import InklingsError, NotFoundError, ScopeDeniedError
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.ops.change_bridge import About, ChangeBridge
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.page.parts import open_menu
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QKeyEvent

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.usecases.bundle import Inklings


_PLACES = frozenset(Where) - {Where.CONTROL, Where.SETTINGS, Where.MARKDOWN, Where.WORLD}
LEAVE, AGAIN, ROLES = "leave", "again", "roles"


class ViewingWindow(MainWindow):
    """A window of its own, so that nothing the author has open can shine through."""

    def __init__(
        self,
        theme: Theme,
        data_dir: Path,
        client: str,
        *,
        roles: tuple[str, ...],
        compact: bool,
        leave: Callable[[], None],
        again: Callable[[str], None],
    ) -> None:
        """Show nothing yet.

        Args:
            client: Its name.
            roles: Those that it holds there, first the one that it acts under.
            compact: Whether the list is.
            leave: Gives the author their own eyes back.
            again: Makes the view anew under a role, with the rights as they are now.
        """
        look = Appearance(density="compact") if compact else Appearance()
        super().__init__(theme, data_dir, look)
        self._leave_view, self._view_again = leave, again
        self.setObjectName("viewingWindow")
        self._client, self._roles = client, roles
        self.banner = named(Banner(theme, parent=self), "viewAsBanner")
        self.banner.action_requested.connect(self._on_action_requested)
        body = self.takeCentralWidget() or QWidget(self)
        framed = QWidget(self)
        vbox(framed, self.banner, (body, 1), margins=0, spacing=0)
        self.setCentralWidget(framed)
        self.show_rights(changed=False)

    async def attach(self, background: Background, inklings: Inklings) -> None:
        """Show what these use cases answer; they are a client's.

        Raises:
            InklingsError: Nothing can be shown to it.
        """
        await super().attach(background, inklings)
        self.status.only_look()
        self.rail.only_look()
        self.page.only_look()
        self.menus.only_look()
        self.inspector.note.only_look()
        if self.opened is not None:
            self.opened.only_look()
        self.menus.commands.only_look(_PLACES)  # palette and sheet tell of nothing else

    def show_rights(self, *, changed: bool) -> None:
        """Say whose eyes these are, and whether what they may see has changed since."""
        leave = BannerAction(LEAVE, tr("Leave (Esc)"))
        has_roles = len(self._roles) > 1
        words = tr("You see what {name} sees.")
        if has_roles:
            words = tr("You see what {name} sees as {role}.")
        title = words.format(name=self._client, role=self._roles[0])
        if changed:
            again = BannerAction(AGAIN, tr("Look again"))
            text = tr("What it may read has changed since you looked.")
            content = BannerContent("ochre", title, text, (again, leave), icon="eye")
        else:
            text = tr("Read-only. What it may not see is hidden.")
            other = (BannerAction(ROLES, tr("In another role\u2026")),) if has_roles else ()
            content = BannerContent("lapis", title, text, (*other, leave), icon="eye")
        if content != self.banner.content:
            self.banner.show_content(content)

    @Slot(str)
    def show_page(self, page_id: str) -> None:
        """Show a page; what is the author's alone is not."""
        spec = spec_of(page_id)
        if spec is None or not spec.is_authors:
            super().show_page(page_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave_view()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing leaves the view, not the program; a session may end all the same."""
        event.accept()
        self._leave_view()

    def _show_title(self) -> None:
        super()._show_title()
        name = self._client
        if len(self._roles) > 1:
            name = tr("{name}, {role}").format(name=name, role=self._roles[0])
        self.setWindowTitle(tr("{title} (as {name})").format(title=self.windowTitle(), name=name))

    def _keep_geometry(self) -> None:
        """The author's window stands where it stood."""

    @Slot(str)
    def _on_action_requested(self, key: str) -> None:
        if key == AGAIN:
            self._view_again(self._roles[0])
        elif key == ROLES:
            buttons = self.banner.findChildren(QAbstractButton)
            open_menu(self._offers, next(one for one in buttons if one.property("action") == key))
        else:
            self._leave_view()

    def _offers(self) -> Iterable[Offer]:
        for role in self._roles[1:]:
            yield tr("As {role}").format(role=role), partial(self._view_again, role)


class ViewAs(QObject):
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
        self._client, self._workspace_id, self._role = "", "", ""
        self._seen: Inklings | None = None
        self._eyes: Background | None = None
        self._endings: set[asyncio.Task[None]] = set()
        self.window: ViewingWindow | None = None
        self._bridge = ChangeBridge(self)
        self._unsubscribe = inklings.feed.subscribe(self._bridge.publish)
        self._bridge.hear(self._on_changes, About.CLIENTS | About.ROOMS)
        author.view_wanted.connect(self.look_as)
        if author.opened is not None:
            # What asks for the author's answer is to be seen at once, in the author's window.
            author.opened.requests.arrived.connect(self.leave)

    async def close(self) -> None:
        """Leave what is on show, and hear no more: the data root is about to be closed."""
        self._unsubscribe()
        self.leave()
        await asyncio.gather(*self._endings)

    @Slot(str, str, str)
    def look_as(self, client: str, workspace_id: str, role: str = "") -> None:
        """Show the window as this client sees it in a workspace, under one of its roles."""
        if self.window is None:
            self._client, self._workspace_id, self._role = client, workspace_id, role
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
            seen = await self._background.read(self._eyes_of)
        except (ScopeDeniedError, NotFoundError):
            author.show_message(self._nothing_to_see())
            return
        window = ViewingWindow(
            self._theme,
            inklings.data_dir,
            self._client,
            roles=tuple(one.role for one in (seen.caller.gate, *seen.caller.other_gates)),
            compact=self._inklings.settings.appearance.density == "compact",
            leave=self.leave,
            again=self._view_again,
        )
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

    def _eyes_of(self) -> Inklings:
        """The use cases as the client calls them; runs on a reader.

        A role that it does not hold any more gives way to its usual one.

        Raises:
            ScopeDeniedError: It may read nothing there.
            NotFoundError: It is not there any more.
        """
        view_as = partial(self._inklings.view_as, self._client, self._workspace_id)
        try:
            return view_as(self._role)
        except NotFoundError:
            return view_as()

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
        seen = self._seen
        try:
            now = await self._background.read(self._eyes_of)
            is_same = seen is not None and now.caller == seen.caller
        except InklingsError:
            is_same = False
        if self.window is not None:
            self.window.show_rights(changed=not is_same)

    def _nothing_to_see(self) -> Message:
        return Message(
            tr("{name} sees nothing of this workspace.").format(name=self._client),
            tr("It may read nothing in this workspace. Change that under Access."),
        )

    def _view_again(self, role: str) -> None:
        self.leave()
        self._role = role
        self._opening.run(self._open())

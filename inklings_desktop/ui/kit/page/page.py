"""What every page shares: it reads off the UI thread, shows, keeps up, and carries out commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.change_bridge import EVERYTHING
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.links import Link
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.marks.key_hints import KeyHint
    from inklings_desktop.ui.kit.ops.change_bridge import About
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.places import Surroundings

    Panes = list[tuple[QWidget, Callable[[], None]]]
    """What F6 goes through, each with what brings the keyboard into it."""


COALESCE_MS = 400
GROW_OLD_MS = 60_000


class KeepUp(QObject):
    """Gathers changes while somebody looks, and remembers that there were some while nobody does.

    However many changes come in a row, they fall due together. Once a minute something falls due
    without any: relevance fades and ages grow without anybody writing.

    Signals:
        due: Read again.
    """

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._is_watched = False
        self._is_stale = False
        self._soon = timer(self, self.due, COALESCE_MS)
        self._old = timer(self, self.due, GROW_OLD_MS, again=True)

    def set_watched(self, *, watched: bool) -> None:
        """Fall due from now on, at once if something changed; or only take note."""
        self._is_watched = watched
        if not watched:
            self._old.stop()
            self._is_stale = self._is_stale or self._soon.isActive()
            self._soon.stop()
            return
        self._old.start()
        if self._is_stale:
            self.due.emit()

    def note_change(self) -> None:
        """Something changed: it falls due soon, or once somebody looks."""
        if not self._is_watched:
            self._is_stale = True
        elif not self._soon.isActive():
            self._soon.start()

    def ask(self) -> None:
        """Something else is wanted: it falls due now, or once somebody looks."""
        self._is_stale = True
        if self._is_watched:
            self.due.emit()

    def begin(self) -> None:
        """It is being read; changes up to now are in it."""
        self._is_stale = False
        self._soon.stop()

    def fail(self) -> None:
        """It could not be read: once somebody looks again it falls due."""
        self._is_stale = True


ContentT = TypeVar("ContentT")


class Page(QObject, Generic[ContentT]):
    """Leads one view over one workspace: reads for it, shows, and does what is asked of it.

    A page that shows one answer says what to read (``read_content``) and how it is shown
    (``show_content``); it is read while somebody looks, the latest question wins, and once more
    when something it watches changed. One with answers of its own kinds overrides ``open``,
    ``on_changes``, ``on_shown`` and ``read_again``.

    Attributes:
        watches: Which changes concern it; of others it never hears.
        view: What is on show; shown and hidden with its page or tab.
        workspace_id: The open workspace; empty before ``open``.
        content: The latest answer; None before the first.
        remark: What the status bar says while it is on show; empty for nothing.

    Signals:
        told: Its unsaved text or its key hints are others now.
    """

    told = Signal()
    remark = ""
    watches: ClassVar[About] = EVERYTHING

    def __init__(self, context: Context, view: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent or context.window)
        self.context, self.view = context, view
        self.inklings, self.background = context.inklings, context.background
        self.workspace_id = ""
        self.content: ContentT | None = None
        self._reading = Latest(context.background)
        self._keep_up = KeepUp(self)
        self._keep_up.due.connect(self.read_again)
        context.hear(self.on_changes, self.watches)
        view.installEventFilter(self)
        self.on_shown(is_shown=view.isVisible())

    # -- what a page says of itself -----------------------------------------------------------

    def read_content(self) -> ContentT:
        """Ask for all that is shown; runs on a reader, and touches no widget.

        Raises:
            InklingsError: It cannot be read.
        """
        raise NotImplementedError

    def show_content(self, content: ContentT) -> None:
        """Show an answer."""
        raise NotImplementedError

    def show_failure(self, error: InklingsError) -> None:
        """Say that nothing could be read."""
        self.context.refuse(error)

    def arrive(self, where: Destination) -> None:
        """Go to something on this page."""

    def link(self) -> Link | None:
        """What leads back to what is open on it from outside; None for the page itself."""
        return None

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        """Bring the keyboard to where it begins on this page."""
        self.view.setFocus(reason)

    def panes(self) -> Panes:
        """What F6 goes through."""
        return []

    def key_hints(self) -> tuple[KeyHint, ...]:
        """What the status bar says of keys while this page is on show."""
        return ()

    @property
    def has_unsaved(self) -> bool:
        """Whether it holds text that closing would lose."""
        return False

    async def may_leave(self) -> bool:
        """Whether it may let go of what it shows; it asks for itself."""
        return True

    @property
    def asks_before_closing(self) -> bool:
        """Whether text would be lost with the window, though perhaps not with what it shows."""
        return self.has_unsaved

    async def may_close(self) -> bool:
        """Whether the window may go; it asks for itself."""
        return await self.may_leave()

    def show_surroundings(self, here: Surroundings) -> None:
        """Take note of what the open workspace holds now."""

    def only_look(self) -> None:
        """Leave out what changes anything: somebody looks through a client's eyes."""

    # -- keeping up ---------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Stand to another workspace; it is read now, or once somebody looks."""
        self.workspace_id = workspace_id
        self._keep_up.ask()
        await self.settled()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit to what is open or to the account, by this process or another."""
        if self.workspace_id and changes.workspace_id in {None, self.workspace_id}:
            self._keep_up.note_change()

    def on_shown(self, *, is_shown: bool) -> None:
        """Somebody looks at the view now, or nobody does any more."""
        self._keep_up.set_watched(watched=is_shown)

    def refresh(self) -> None:
        """Read again, because a person asked for it, if somebody looks."""
        if self.view.isVisible():
            self.read_again()

    def read_soon(self) -> None:
        """Something changed that no commit tells of: read again soon, if somebody looks."""
        self._keep_up.note_change()

    @Slot()
    def read_again(self) -> None:
        """Read at once; an older question under way is dropped."""
        if self.workspace_id:
            self._keep_up.begin()
            self._reading.run(self._read())

    async def settled(self) -> None:
        """Return once no reading is under way."""
        await self._reading.settled()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide} and watched is self.view:
            self.on_shown(is_shown=event.type() is QEvent.Type.Show)
        return False

    # -- commands -----------------------------------------------------------------------------

    def spawn(self, action: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start what a person asked for; why it cannot be done is said to them."""
        return self.background.spawn(action)

    def starts(self, action: Callable[[], Coroutine[Any, Any, Any]]) -> Callable[[], None]:
        """What a button is connected to so that it starts an action."""

        def start() -> None:
            self.spawn(action())

        return start

    async def change(self, call: Callable[..., object], *args: object, **kwargs: object) -> bool:
        """Carry out a command and read again; whether it was done. A refusal is said.

        Args:
            call: Runs on the write lane.
            args: Its arguments.
            kwargs: Those with a name.
        """
        try:
            await self.background.write(call, *args, **kwargs)
        except InklingsError as error:
            self.context.refuse(error)
            self.read_again()  # a switch that could not be moved has to be drawn back as well
            return False
        self.read_again()
        return True

    async def _read(self) -> None:
        try:
            content = await self.background.read(self.read_content)
        except InklingsError as error:
            self._keep_up.fail()
            self.show_failure(error)
            return
        self.content = content
        self.show_content(content)

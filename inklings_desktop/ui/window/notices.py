"""What the window says: in passing, in its status bar, in a dialog, in the place of its pages."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.look.veil import veil_behind

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStackedWidget, QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.window.banners.damage import DamageBand
    from inklings_desktop.ui.window.pages import WindowPages
    from inklings_desktop.ui.window.problem_page import ProblemPage
    from inklings_desktop.ui.window.status import WindowStatusBar
    from inklings_desktop.usecases.ports.progress import MakingSample, Upgrade


SAID_MS = 6_000


class WindowNotices(QObject):
    """Finds the place where a person sees what is said.

    Attributes:
        damage: Tells of damage in a banner; None until data is open.
    """

    _upgrade_told = Signal(object)

    def __init__(self, window: QWidget, pages: WindowPages, status: WindowStatusBar) -> None:
        super().__init__(window)
        self._window = window
        self._pages = pages
        self._status = status
        self.damage: DamageBand | None = None
        self._upgrade_told.connect(self._on_upgrade_told, Qt.ConnectionType.QueuedConnection)

    def show_message(self, message: Message) -> None:
        """Say what went wrong; nothing was lost."""
        if self.damage is not None and self.damage.tells_of(message.damaged):
            self.say(message.title.rstrip("."))  # the rest stands in the banner
            return
        say_message(message, self._window)

    @Slot(str)
    def say(self, sentence: str) -> None:
        """Say something in passing."""
        if self._pages.memory.isVisible():
            self._pages.memory.toast.show_message(sentence, icon="check")
        else:
            self.say_in_status(sentence)

    @Slot(str)
    def say_of_undo(self, sentence: str) -> None:
        """Say what was taken back, where the list's own note does not."""
        if not self._pages.memory.isVisible():
            self.say_in_status(sentence)

    @Slot(str)
    def say_in_status(self, sentence: str) -> None:
        """Say what has been read aloud, or has no page to be said on."""
        self._status.showMessage(sentence, SAID_MS)

    def tell_of_upgrade(self, upgrade: Upgrade | MakingSample | None) -> None:
        """Say what an opening takes its time for; callable from any thread."""
        self._upgrade_told.emit(upgrade)

    @Slot(object)
    def _on_upgrade_told(self, upgrade: Upgrade | MakingSample | None) -> None:
        if upgrade is None:
            self._status.clearMessage()
            return
        from inklings_desktop.ui.window.banners.words import upgrade_sentence

        sentence = upgrade_sentence(upgrade)
        self._status.showMessage(sentence)
        announce(self._window, sentence)


class WindowProblem(QObject):
    """Makes its page when there is a problem for the first time.

    Attributes:
        page: Why the data cannot be opened; None until that had to be said.
    """

    def __init__(
        self, theme: Theme, places: QStackedWidget, ask_folder: Callable[[], None]
    ) -> None:
        """Have nothing to say yet.

        Args:
            places: Of the window: where its pages stand, and the problem in their place.
            ask_folder: Lets the person choose another data root.
        """
        super().__init__(places)
        self._theme = theme
        self._places, self._ask_folder = places, ask_folder
        self._retry = asyncio.Event()
        self.page: ProblemPage | None = None

    def show(self, message: Message) -> None:
        """Say it in the place of the pages, with nothing yet that would help."""
        if self.page is None:
            from inklings_desktop.ui.window.problem_page import ProblemPage

            self.page = ProblemPage(self._theme, self._places.window())
            self.page.retry.clicked.connect(self.try_again)
            self.page.folder.clicked.connect(self._ask_folder)
            self._places.addWidget(self.page)
        self.page.show_problem(
            message.title, message.text, message.details, foot=message.foot, icon=message.icon
        )
        self.page.offer_rescue(has_copy=False, is_damaged=False)
        self._places.setCurrentWidget(self.page)

    def try_again(self) -> None:
        """Open the data once more, as *Try again* does."""
        self._retry.set()

    async def wait_for_retry(self, closed: asyncio.Event) -> bool:
        """Whether the person wants to try again; False when they close the window."""
        self._retry.clear()
        waits = [asyncio.ensure_future(one.wait()) for one in (self._retry, closed)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for waiting in waits:
            waiting.cancel()
        return self._retry.is_set()


N_FRAMES = 6


def say_message(message: Message, parent: QWidget) -> None:
    """Say what went wrong; nothing was lost."""
    details = "\n".join(f"{name}: {value}" for name, value in message.details)
    open_message(MessageDialog(message.title, message.text, details, parent))


def say_bug(error: BaseException, parent: QWidget) -> None:
    """Say that the program itself made a mistake."""
    text = tr(
        "Nothing saved was lost. Please send us the details if it happens again; none "
        "of your text is in them."
    )
    title = tr("Something went wrong in Inklings")
    # Frames and the kind of error only: an error's own words may quote a memory.
    frames = "".join(traceback.format_tb(error.__traceback__)[-N_FRAMES:])
    open_message(MessageDialog(title, text, f"{type(error).__name__}\n{frames}", parent))


def open_message(dialog: MessageDialog) -> None:
    """Open a dialog that goes once it is closed; never a second one that says the same."""
    for other in QApplication.topLevelWidgets():
        if isinstance(other, MessageDialog) and other is not dialog and other.says_as(dialog):
            dialog.deleteLater()
            return
    veil_behind(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()

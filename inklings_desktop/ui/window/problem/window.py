"""Why the data cannot be opened, in the place of the pages, and the wish to try again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStackedWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.ui.window.problem.page import ProblemPage


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
            from inklings_desktop.ui.window.problem.page import ProblemPage

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

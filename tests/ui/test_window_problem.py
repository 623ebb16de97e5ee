"""The page that says why nothing could be opened, and what the program waits for meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.window.notices import WindowProblem

pytestmark = pytest.mark.usefixtures("qapp")
PROBLEM = Message("The data cannot be opened.", "Its folder is gone.")


@pytest.mark.parametrize("tries_again", [True, False])
def test_the_program_waits_for_another_try_or_the_end(*, tries_again: bool) -> None:
    places = QStackedWidget()
    places.addWidget(QWidget(places))
    problem = WindowProblem(Theme(SchemeChoice.LIGHT), places, lambda: None)

    async def wait() -> tuple[bool, bool]:
        problem.try_again()  # of the problem before: that wish was granted
        problem.show(PROBLEM)
        closed = asyncio.Event()
        waiting = asyncio.ensure_future(problem.wait_for_retry(closed))
        await asyncio.sleep(0.01)
        was_waiting = not waiting.done()
        assert problem.page is not None
        act: Callable[[], None] = problem.page.retry.clicked.emit if tries_again else closed.set
        act()
        return was_waiting, await waiting

    assert problem.page is None
    assert asyncio.run(wait()) == (True, tries_again)
    assert places.currentWidget() is problem.page
    page = problem.page
    problem.show(PROBLEM)
    assert (problem.page, places.count()) == (page, 2)
    places.deleteLater()


def test_another_folder_can_be_asked_for() -> None:
    places = QStackedWidget()
    asked: list[bool] = []
    problem = WindowProblem(Theme(SchemeChoice.DARK), places, lambda: asked.append(True))
    problem.show(PROBLEM)
    assert problem.page is not None
    problem.page.folder.clicked.emit()
    assert asked == [True]
    places.deleteLater()

"""A question that nobody will answer any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from qasync import QEventLoop
from shiboken6 import isValid

from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.ops.background import Background
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.usefixtures("qapp")


def run(action: Coroutine[Any, Any, None]) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(action)


def test_a_question_that_goes_with_its_dialog_ends_what_asked_it() -> None:
    bugs: list[BaseException] = []
    after: list[int] = []

    async def ask_over(window: QDialog) -> None:
        after.append(await answered(QDialog(window)))

    async def act() -> None:
        background = Background(bugs.append)
        window = QDialog()
        window.show()
        asking = background.spawn(ask_over(window))
        await asyncio.sleep(0)
        assert len(window.findChildren(QDialog)) == 1
        window.deleteLater()
        await asyncio.wait({asking}, timeout=HANG_SECONDS)
        assert not isValid(window)
        assert asking.cancelled()
        await background.close()

    run(act())
    assert (bugs, after) == ([], [])


def test_closing_with_a_question_over_a_question_is_no_bug() -> None:
    bugs: list[BaseException] = []

    async def ask(dialog: QDialog) -> None:
        await answered(dialog)

    async def act() -> None:
        background = Background(bugs.append)
        window = QDialog()
        window.show()
        outer = QDialog(window)
        inner = QDialog(outer)
        background.spawn(ask(outer))
        asking = background.spawn(ask(inner))
        await asyncio.sleep(0)
        # The outer one is let go of first, and takes the inner one along before that is told.
        outer.deleteLater()
        QApplication.sendPostedEvents(outer, 0)
        await background.close()
        assert asking.cancelled()
        window.deleteLater()

    run(act())
    assert bugs == []

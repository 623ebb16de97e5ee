"""What closes the windows over the window before a walk is looked at."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QDialog
from qasync import QEventLoop

from tests.ui.monkey import MOST_CLOSINGS, settle_popups


class Thoughtful(QDialog):
    """Thinks over in a task whether it closes, as one with unsaved text does."""

    def __init__(self, *, agrees: bool) -> None:
        super().__init__()
        self.setModal(True)
        self._agrees = agrees
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def n_asked(self) -> int:
        """How often it was asked to close."""
        return len(self._tasks)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self._tasks.append(asyncio.ensure_future(self._think()))

    async def _think(self) -> None:
        await asyncio.sleep(0)
        if self._agrees:
            self.hide()


@pytest.mark.parametrize("agrees", [True, False])
def test_what_closes_in_a_task_is_closed_and_what_stays_open_is_not_asked_for_ever(
    qapp: QApplication, *, agrees: bool
) -> None:
    with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
        dialog = Thoughtful(agrees=agrees)
        dialog.show()
        runner.run(settle_popups())
        assert dialog.isVisible() is not agrees
        assert dialog.n_asked == (1 if agrees else MOST_CLOSINGS)
        dialog.hide()
        dialog.deleteLater()

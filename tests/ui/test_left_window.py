"""How a window is left: for good, or for another data root."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from inklings_desktop.settings import Settings
from inklings_desktop.ui.app.application import WindowOptions, run
from inklings_desktop.ui.window.main_window import MainWindow
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.ui.app.application import WindowStatus
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import OpeningReport

pytestmark = pytest.mark.usefixtures("qapp")


def left_by(root: Path, action: str) -> WindowStatus:
    """How the window on a data root ends when this is chosen as soon as it can be."""

    @contextmanager
    def opened(_upgrading: OpeningReport) -> Iterator[Inklings]:
        with a_bench(root) as bench:
            yield bench.inklings

    def choose() -> None:
        shown = (one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
        for window in shown:
            if window.opened is not None and not window.closing.closed.is_set():
                window.menus[action].trigger()

    choosing = QTimer()
    choosing.timeout.connect(choose)
    choosing.start(20)
    try:
        return run(WindowOptions(root, Settings(), opened))
    finally:
        choosing.stop()
        qInstallMessageHandler(None)


def test_who_leaves_the_sample_world_comes_to_their_own(tmp_path: Path) -> None:
    assert left_by(tmp_path / "mine-sample", "leave_sample").folder == tmp_path / "mine"

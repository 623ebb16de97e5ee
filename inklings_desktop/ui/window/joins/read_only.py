"""What the window withholds while the disk cannot be written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.ops.storing import withhold_storing
from inklings_desktop.ui.kit.words.task_words import read_only_line

if TYPE_CHECKING:
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.window.status import WindowStatusBar


def withhold_editing(*, status: WindowStatusBar, rail: RailPane) -> None:
    """Switch off what would store something, with the reason where it stands."""
    withhold_storing(_tr("Read-only: the disk cannot be written to."))
    status.show_read_only()
    rail.tasks.show_lines((read_only_line(),))


def _tr(text: str) -> str:
    return QCoreApplication.translate("read_only", text)

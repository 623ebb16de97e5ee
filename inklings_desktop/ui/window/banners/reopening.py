"""What makes a window open its data once more, and what it withholds until then."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.window.status import WindowStatusBar


class WindowReopening(QObject):
    """Remembers why the window is left, for whoever opens the next one.

    Attributes:
        is_read_only: Whether the disk cannot be written to.
        wants_reopening: Whether the same data root is to be opened again.
        folder: Another data root that is to be opened instead.
    """

    def __init__(self, window: QWidget, data_dir: Path, leave: Callable[[], None]) -> None:
        """Leave nothing yet.

        Args:
            window: The window.
            data_dir: The data root that it shows.
            leave: Closes it.
        """
        super().__init__(window)
        self._leave = leave
        self._window = window
        self._data_dir = data_dir
        self.is_read_only = False
        self.wants_reopening = False
        self.folder: Path | None = None

    def withhold_editing(self, *, status: WindowStatusBar, rail: RailPane) -> None:
        """Offer only what still works while the disk cannot be written to, and say why."""
        from inklings_desktop.ui.kit.ops.storing import withhold_storing
        from inklings_desktop.ui.kit.words.task_words import read_only_line

        self.is_read_only = True
        withhold_storing(tr("Read-only: the disk cannot be written to."))
        status.show_read_only()
        rail.tasks.show_lines((read_only_line(),))

    @Slot()
    def reopen(self) -> None:
        """Leave, to open the same data root again."""
        self.wants_reopening = True
        self._leave()

    @Slot()
    def leave_sample(self) -> None:
        """Leave the sample world, to open the person's own data."""
        self.folder = own_data_dir(self._data_dir)
        self._leave()

    @Slot()
    def ask_folder(self) -> None:
        """Ask where the data lies, and leave to open that."""
        title = tr("Choose a data folder")
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, title, str(self._data_dir.parent))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.open_folder)
        dialog.open()

    @Slot(str)
    def open_folder(self, folder: str) -> None:
        """Leave, to open another data root."""
        self.folder = Path(folder)
        self._leave()

    def is_refused(self) -> bool:
        """Whether the disk still cannot be written to; not for the UI thread."""
        return not os.access(self._data_dir, os.W_OK | os.X_OK)

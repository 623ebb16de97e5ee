"""Files and folders that are dropped on the window, to be brought in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDropEvent

from inklings_desktop.ui.kit.look.translation import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

_DRAGS = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove})


class FileDrops(QObject):
    """Takes files that no field under them takes: what is dropped on an editor stays text."""

    def __init__(
        self,
        window: QWidget,
        importing: QAction,
        *,
        hovered: Callable[[str], None],
        dropped: Callable[[tuple[Path, ...]], None],
        parent: QObject,
    ) -> None:
        """Watch a window, while its command to import can be given.

        Args:
            hovered: Told what dropping would do.
            dropped: Told the paths of what was dropped.
        """
        super().__init__(parent)
        self._importing, self._hovered, self._dropped = importing, hovered, dropped
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets files hover and takes them."""
        is_drag, is_drop = event.type() in _DRAGS, event.type() is QEvent.Type.Drop
        if not (is_drag or is_drop) or not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        paths = _paths_in(event.mimeData())
        if not paths or not self._importing.isEnabled():
            return super().eventFilter(watched, event)
        # The file stays where it is, whatever its owner proposes.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if is_drop:
            self._dropped(paths)
        elif event.type() is QEvent.Type.DragEnter:
            said = counted(
                len(paths),
                "Drop it to see what importing it would do",
                "Drop them to see what importing {n} files would do",
            )
            self._hovered(said)
        return True


def _paths_in(data: QMimeData) -> tuple[Path, ...]:
    """The files that are dragged, all of this machine; none if anything else is among them."""
    urls = data.urls()
    if not all(one.isLocalFile() for one in urls):
        return ()
    return tuple(Path(one.toLocalFile()) for one in urls)

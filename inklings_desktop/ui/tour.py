"""Draws every page of the window into PNG files: for readers without a display, and for eyes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QWidget

from inklings_desktop.ui.tour_stops import STOPS, settle
from inklings_desktop.ui.widgets.popover import Popover

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.ui.main_window import MainWindow
    from inklings_desktop.ui.theme import Theme


async def take_tour(window: MainWindow, theme: Theme, folder: Path) -> tuple[Path, ...]:
    """Draw every page into a folder; the files, in order.

    Raises:
        OSError: The folder cannot be written to.
    """
    desk = window.desk
    if desk is None:
        return ()
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    before = theme.choice
    theme.set_reduced_motion(reduced=True)  # what moves would look different every time
    pictures = []
    for stop in STOPS:
        theme.set_choice(stop.scheme)
        window.resize(*stop.size)
        await stop.go(desk, window)
        await settle()
        path = folder / f"{stop.name}.png"
        if not _picture(window).save(str(path)):
            raise OSError(str(path))
        pictures.append(path)
    theme.set_choice(before)
    return tuple(pictures)


def _picture(window: MainWindow) -> QPixmap:
    """The window and, where one is open, the dialog over it."""
    picture = window.grab()
    painter = QPainter(picture)
    for dialog in [*window.findChildren(QDialog), *window.findChildren(Popover)]:
        if dialog.isVisible():
            # Rendered by hand: grabbing fills the round corners.
            paper = QPixmap(dialog.size() * picture.devicePixelRatio())
            paper.setDevicePixelRatio(picture.devicePixelRatio())
            paper.fill(Qt.GlobalColor.transparent)
            dialog.render(paper, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
            painter.drawPixmap(window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0))), paper)
    painter.end()
    return picture

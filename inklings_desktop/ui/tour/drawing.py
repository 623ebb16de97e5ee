"""Draws states of the window into PNG files, light and dark: for eyes without a display."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.theme import SchemeChoice
from inklings_desktop.ui.markdown.spelling import SpellingMarks
from inklings_desktop.ui.tour.stops import settle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.tour.stops import Stop
    from inklings_desktop.ui.window.main_window import MainWindow


SCHEMES = (SchemeChoice.LIGHT, SchemeChoice.DARK)


async def take_tour(
    window: MainWindow, theme: Theme, folder: Path, stops: Sequence[Stop]
) -> tuple[Path, ...]:
    """Draw states into a folder in both themes; the files, in order.

    Raises:
        OSError: The folder cannot be written to.
    """
    memory = window.memory
    if memory is None:
        return ()
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    before = theme.choice
    theme.set_reduced_motion(reduced=True)  # what moves would look different every time
    pictures: list[Path] = []
    theme.set_choice(SchemeChoice.LIGHT)
    for stop in stops:
        window.resize(*stop.size)
        await stop.go(memory, window)
        for spelling in window.findChildren(SpellingMarks):
            spelling.rest()  # what is known of words is each machine's own
        pictures += await draw_both(window, theme, folder / stop.name)
    theme.set_choice(before)
    return tuple(pictures)


async def draw_both(window: MainWindow, theme: Theme, stem: Path) -> list[Path]:
    """Draw the window as it stands, in the theme on show and in the other; the files.

    Args:
        window: What is drawn, with the dialog over it.
        stem: Path of the files without theme and ending.

    Raises:
        OSError: A file cannot be written.
    """
    pictures = []
    # Dressing a whole window takes longest: the next state begins in the theme of this one's last.
    for scheme in SCHEMES if theme.choice is not SchemeChoice.DARK else reversed(SCHEMES):
        theme.set_choice(scheme)
        await settle()
        _centre_dialogs(window)
        path = stem.with_name(f"{stem.name}-{scheme.value}.png")
        if not picture_of(window).save(str(path)):
            raise OSError(str(path))
        pictures.append(path)
    return pictures


def _centre_dialogs(window: MainWindow) -> None:
    """Put dialogs where a window manager does; offscreen the screen ends before the window."""
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible() and not dialog.windowFlags() & Qt.WindowType.FramelessWindowHint:
            place = dialog.rect()
            place.moveCenter(window.mapToGlobal(window.rect().center()))
            dialog.move(place.topLeft())


def picture_of(window: MainWindow) -> QPixmap:
    """The window and what lies over it: a dialog, a card, a menu."""
    picture = window.grab()
    painter = QPainter(picture)
    for kind in (QDialog, Popover, QMenu):
        for dialog in window.findChildren(kind):
            if not dialog.isVisible():
                continue
            # Rendered by hand: grabbing fills the round corners.
            paper = QPixmap(dialog.size() * picture.devicePixelRatio())
            paper.setDevicePixelRatio(picture.devicePixelRatio())
            paper.fill(Qt.GlobalColor.transparent)
            dialog.render(paper, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
            painter.drawPixmap(window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0))), paper)
    painter.end()
    return picture

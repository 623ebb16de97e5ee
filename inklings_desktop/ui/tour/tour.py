"""The tour: states of the window, drawn light and dark into files for eyes without a display."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, SignalInstance, Slot
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.theme import SchemeChoice
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.markdown.spelling import SpellingMarks
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.turn.rows import CandidateRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Sequence
    from pathlib import Path
    from typing import Any

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow


ANSWER_SECONDS = 20.0
PAUSE_SECONDS = 0.05
SETTLE_ROUNDS = 8


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, but not for ever."""
    for _ in range(round(ANSWER_SECONDS / PAUSE_SECONDS)):
        if holds():
            return
        await asyncio.sleep(PAUSE_SECONDS)


class Once(QObject):
    """The next time a signal is emitted, to be awaited."""

    def __init__(self, signal: SignalInstance) -> None:
        super().__init__()
        self._signal = signal
        self._heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        signal.connect(self._on_heard)

    def __await__(self) -> Generator[Any, None, None]:
        return asyncio.wait_for(self._heard, ANSWER_SECONDS).__await__()

    @Slot()
    def _on_heard(self) -> None:
        self._signal.disconnect(self._on_heard)
        if not self._heard.done():
            self._heard.set_result(None)


async def go(memory: MemoryPage, place: Place) -> None:
    """Show a place and wait for its list."""
    if memory.shell.place == place:
        return
    answer = Once(memory.list.content_changed)
    memory.shell.go(place)
    await answer


async def select(memory: MemoryPage, window: MainWindow, place: int) -> None:
    """Open the memory or note at a place of the list, or the last there is."""
    ids = selectable_ids(window.page.rows)
    if not ids:
        return
    wanted = ids[min(place, len(ids) - 1)]
    if window.page.list_cursor.current_id() == wanted:
        return
    shown = memory.subject.current_ref
    if shown is not None and shown.id == wanted:  # open already: nothing more will be said of it
        window.page.list_cursor.select(wanted, scroll=False)
        return
    answer = Once(memory.subject.state_changed)
    window.page.list_cursor.select(wanted, scroll=False)
    await answer


async def settle() -> None:
    """Let layouts and queued signals come to rest."""
    for _ in range(SETTLE_ROUNDS):
        await asyncio.sleep(0.01)


FULL = (1440, 900)
ASKED = "What does Nerys notice first when the keeper tilts the plate?"


@dataclass(frozen=True, slots=True)
class Stop:
    """One state, drawn in both themes.

    Attributes:
        name: File name without theme and ending.
        go: Brings the window into the state to be drawn.
        size: Width and height of the window in pixels.
    """

    name: str
    go: Callable[[MemoryPage, MainWindow], Awaitable[None]]
    size: tuple[int, int] = FULL


async def show_workspace(memory: MemoryPage, window: MainWindow) -> None:
    """The Workspace tier with a memory in the inspector."""
    await go(memory, Place(Tier.WORKSPACE))
    await select(memory, window, 3)


async def show_entries(_memory: MemoryPage, window: MainWindow) -> None:
    """Named entries, split."""
    window.show_page(ENTRIES_PAGE)


async def show_preview(_memory: MemoryPage, window: MainWindow) -> None:
    """The next turn, with one memory explained."""
    window.show_page(PREVIEW_PAGE)
    opened = window.opened
    await until(lambda: opened is not None and opened.preview is not None)  # it may be loaded now
    preview = opened.preview if opened is not None else None
    if preview is None:
        return
    await until(lambda: preview.content is not None)
    page = preview.view
    page.message.set_text(ASKED)
    await until(lambda: preview.content is not None and preview.content.request.message == ASKED)
    found = [row.id for row in page.table.rows if isinstance(row, CandidateRow)]
    scored = [one for one in found if (at := preview.place_of(one)) and at.why.order]
    if scored:
        page.table.select(scored[len(scored) // 2])


async def show_control(_memory: MemoryPage, window: MainWindow) -> None:
    """The tiers in the Control plane."""
    window.show_page(CONTROL_PAGE)
    await until(lambda: window.opened is None or window.opened.control is not None)
    control = window.opened.control if window.opened is not None else None
    if control is not None:
        control.refresh()
        await until(lambda: control.tiers.content is not None and control.tiers.has_table)
        await control.tiers.settled()


STOPS = (
    Stop("01-memory", show_workspace),
    Stop("02-named-entries", show_entries),
    Stop("06-orientation-preview", show_preview),
    Stop("04a-control-plane", show_control),
)


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

"""The application: theme, event loop, opening and orderly close of the window, and its heap."""

from __future__ import annotations

import asyncio
import functools
import gc
import sys
import threading
import traceback
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QtMsgType,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop import __version__
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.freed_memory import give_back, share_one_heap
from inklings_desktop.logs import topic
from inklings_desktop.relay.one_window import ANSWER_SECONDS
from inklings_desktop.resource_files import DESKTOP_ID, resource
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.look.translation import speak_language
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.viewing import ViewAs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from inklings_desktop.settings import Settings
    from inklings_desktop.ui.window.problem_help import ProblemHelp
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import OpeningReport


INTERVAL_MS = 500
GIVE_BACK_MS = 5_000


class GarbageCollection(QObject):
    """Switches automatic collection off until ``stop``; lives on the UI thread.

    What was freed is handed back to the system every few seconds: what stays longer soon has
    something in use beside it, and cannot go any more.
    """

    def __init__(self, parent: QObject | None = None, *, is_opening: bool = False) -> None:
        """Collect here from now on.

        Args:
            is_opening: Whether to wait for ``settle``: while a window opens, nearly everything that
                is made stays, and looking through it again and again finds next to nothing.
        """
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = timer(self, self.collect_due, INTERVAL_MS, again=True)
        if not is_opening:
            self._timer.start()
        self._giving_back = timer(self, self.give_back, GIVE_BACK_MS, again=True)
        self._giving_back.start()

    def settle(self) -> None:
        """Leave what is there by now out of later collections: it stays for good, and is much."""
        gc.freeze()
        self._timer.start()

    @Slot()
    def collect_due(self) -> None:
        """Collect the oldest generation whose turn it is, as the interpreter would have."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    @Slot()
    def give_back(self) -> None:
        """Hand free pages to the system."""
        give_back()

    def stop(self) -> None:
        """Let the interpreter collect by itself again."""
        self._timer.stop()
        self._giving_back.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()


EXIT_ENVIRONMENT = 3
ICON_SIZES = (16, 32, 128)

_log = topic("ui")


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """How a window is started.

    Attributes:
        data_dir: The data root; geometry is kept there.
        settings: Read before anything heavy is imported.
        open_store: Opens the data root; called off the UI thread, after the first paint. Tells of
            files of an earlier version that are opened, on any thread.
        tour_dir: Draw every page into this folder and leave; None for a window that stays.
        open_damaged: Opens the data root although the account is damaged, for what mends it.
        link: What to go to; empty for where the person was.
        hear: Takes what brings the window forward, for whoever starts the program again.
    """

    data_dir: Path
    settings: Settings
    open_store: Callable[[OpeningReport], AbstractContextManager[Inklings]]
    tour_dir: Path | None = None
    open_damaged: Callable[[], AbstractContextManager[Inklings]] | None = None
    link: str = ""
    hear: Callable[[Callable[[str], bool]], None] | None = None


@dataclass(frozen=True, slots=True)
class WindowStatus:
    """How a window ended.

    Attributes:
        code: Exit status for the process.
        open_sample: The person asked for the sample world, a data root of its own.
        reopen: The data root can be opened otherwise than it was: open it again.
        folder: The person chose another data root.
    """

    code: int
    open_sample: bool = False
    reopen: bool = False
    folder: Path | None = None


def run(options: WindowOptions) -> WindowStatus:
    """Show the window until it is closed."""
    qInstallMessageHandler(_on_qt_message)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Inklings")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(DESKTOP_ID)
    app.setWindowIcon(_window_icon())
    app.setQuitOnLastWindowClosed(False)  # the loop ends when its work is done
    look = options.settings.appearance
    speak_language(app, look.language)
    theme = Theme(
        SchemeChoice(look.theme),
        text_scale=look.text_scale,
        reduced_motion=True if look.reduce_motion else None,
    )
    theme.apply(app)
    share_one_heap()
    garbage = GarbageCollection(is_opening=True)
    try:
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            return runner.run(_session(options, theme, garbage))
    finally:
        garbage.stop()


def _window_icon() -> QIcon:
    """For desktops that do not find it by the menu entry."""
    icon = QIcon()
    for size in ICON_SIZES:
        icon.addFile(str(resource(f"share/icons/hicolor/{size}x{size}/apps/{DESKTOP_ID}.png")))
    return icon


async def _session(
    options: WindowOptions, theme: Theme, garbage: GarbageCollection
) -> WindowStatus:
    window = MainWindow(
        theme,
        options.data_dir,
        options.settings.appearance,
        keeps_running=options.settings.keep_running and options.tour_dir is None,
    )
    background = Background(on_bug=window.show_bug)
    hook = sys.excepthook
    sys.excepthook = _reporting_to(window)
    store = ExitStack()

    @functools.cache
    def problems() -> ProblemHelp:
        # It knows the words of damage, copies and exports: no start without a problem needs them.
        from inklings_desktop.ui.window.problem_help import ProblemHelp

        return ProblemHelp(background, window, options.data_dir, options.open_damaged)

    try:
        window.show()
        await window.painted_once()
        if options.link:
            window.come_forward(options.link)
        if options.hear is not None:
            options.hear(_coming_forward(window))
        window.furnish()
        while (opened := await _open(options, window, background, store, problems)) is None:
            garbage.settle()  # a person may stay with the problem for long
            if options.tour_dir is not None or not await window.problem.wait_for_retry(
                window.closing.closed
            ):
                return _left(window, EXIT_ENVIRONMENT)
        garbage.settle()
        viewing = ViewAs(background, opened, theme=theme, author=window)
        if options.tour_dir is not None:
            from inklings_desktop.ui.tour.tour import STOPS, take_tour

            await take_tour(window, theme, options.tour_dir, STOPS)
        elif window.opened is not None:
            requests = window.opened.requests
            if not window.reopening.is_read_only:
                requests.attend()
            await window.closed()
            await requests.leave()
        await viewing.close()
        window.detach()
    finally:
        sys.excepthook = hook
        window.hide()
        await background.close()
        await asyncio.get_running_loop().run_in_executor(None, store.close)
        window.deleteLater()
    return _left(window)


def _left(window: MainWindow, code: int = 0) -> WindowStatus:
    """How a window that was closed ended."""
    left = window.reopening
    return WindowStatus(code, left.wants_sample, left.wants_reopening, left.folder)


async def _open(
    options: WindowOptions,
    window: MainWindow,
    background: Background,
    store: ExitStack,
    problems: Callable[[], ProblemHelp],
) -> Inklings | None:
    """The data root that is on show; None once the window has said why it cannot be opened."""
    try:
        tell = window.notices.tell_of_upgrade
        inklings = await background.write(lambda: store.enter_context(options.open_store(tell)))
        if options.tour_dir is not None:
            from inklings_desktop.ui.tour.clock import TourClock

            inklings = replace(inklings, background=TourClock())
        if options.tour_dir is not None or await window.welcome(background, inklings):
            await window.attach(background, inklings)
    except InklingsError as error:
        await background.write(store.close)
        _log.warning("not opened: %s", type(error).__name__)
        message = await problems().show(error)
        if options.tour_dir is not None:  # nobody looks at this window
            print(f"{message.title.rstrip('.')}. {message.text}", file=sys.stderr)  # noqa: T201 - see above
        return None
    return inklings


def _coming_forward(window: MainWindow) -> Callable[[str], bool]:
    """Brings the window forward from any thread; whether it came, and is not frozen."""
    loop = asyncio.get_running_loop()

    def come(link: str) -> bool:
        is_here = threading.Event()

        def forward() -> None:
            window.come_forward(link)
            is_here.set()

        with suppress(RuntimeError):  # the loop ends when the window does
            loop.call_soon_threadsafe(forward)
        return is_here.wait(ANSWER_SECONDS)

    return come


def _reporting_to(
    window: MainWindow,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            sys.__excepthook__(kind, error, trace)
            return
        frames = "".join(traceback.format_tb(error.__traceback__))
        _log.error("bug: %s\n%s", kind.__name__, frames)  # no words that may quote a memory
        window.show_bug(error)

    return hook


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Qt's own words into our log; standard output stays silent."""
    if "propagateSizeHints" in text:
        return
    if kind in {QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg}:
        _log.error("qt: %s", text)
    elif kind is QtMsgType.QtWarningMsg:
        _log.warning("qt: %s", text)

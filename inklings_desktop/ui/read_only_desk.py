"""What the window says and withholds while the disk cannot be written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from inklings_desktop.ui.presenters.task_strip_lines import read_only_line
from inklings_desktop.ui.widgets.announcement import announce
from inklings_desktop.ui.widgets.banner import BannerAction, BannerContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.background import Background
    from inklings_desktop.ui.views.memory_page import MemoryPage
    from inklings_desktop.ui.views.rail_pane import RailPane
    from inklings_desktop.ui.views.window_status import WindowStatusBar
    from inklings_desktop.ui.widgets.banner import Banner
    from inklings_desktop.ui.window_menus import WindowMenus

_TRY, _EXPORT = "retry", "export"


class ReadOnlyDesk(QObject):
    """The banner above every page, with the two things that can be done about it.

    Signals:
        reopen_wanted: The disk can be written to again.
        export_wanted: A copy is to be made somewhere else.
    """

    reopen_wanted = Signal()
    export_wanted = Signal()

    def __init__(
        self,
        background: Background,
        is_still_refused: Callable[[], bool],
        *,
        banner: Banner,
        parent: QObject,
    ) -> None:
        """Show the banner.

        Args:
            background: Looks at the disk.
            is_still_refused: Whether the disk cannot be written to; called off the UI thread.
            banner: Above every page.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._is_still_refused = is_still_refused
        self._banner = banner
        banner.action_requested.connect(self._on_action_requested)
        banner.show_content(read_only_banner())

    @Slot(str)
    def _on_action_requested(self, key: str) -> None:
        if key == _EXPORT:
            self.export_wanted.emit()
        elif key == _TRY:
            self._background.spawn(self._try_again())

    async def _try_again(self) -> None:
        if await self._background.read(self._is_still_refused):
            announce(self._banner, _tr("The disk still cannot be written to."), urgent=True)
        else:
            self.reopen_wanted.emit()


def read_only_banner() -> BannerContent:
    """What the band says while nothing can be stored."""
    return BannerContent(
        "madder",
        _tr("Read-only: the disk cannot be written to."),
        _tr(
            "You can read, search and export to another place. Editing is off until the disk is "
            "writable."
        ),
        (BannerAction(_TRY, _tr("Try again")), BannerAction(_EXPORT, _tr("Export to\u2026"))),
        icon="lock-simple",
    )


def withhold_editing(
    *, page: MemoryPage, menus: WindowMenus, status: WindowStatusBar, rail: RailPane
) -> None:
    """Switch off what would store something, with the reason where it stands."""
    page.set_read_only(_tr("Read-only: the disk cannot be written to."))
    menus.withhold_editing()
    status.show_read_only()
    rail.tasks.show_lines((read_only_line(),))


def _tr(text: str) -> str:
    return QCoreApplication.translate("read_only", text)

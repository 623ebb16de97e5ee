"""The window as one client sees it: every page over its rights, and nothing to change anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QKeyEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

_PLACES = frozenset(Where) - {Where.CONTROL, Where.MARKDOWN}
LEAVE, AGAIN = "leave", "again"


class ViewingWindow(MainWindow):
    """A window of its own, so that nothing the author has open can shine through.

    Signals:
        leave_requested: The author wants their own eyes back.
        again_requested: The view is to be made anew, with the rights as they are now.
    """

    leave_requested = Signal()
    again_requested = Signal()

    def __init__(self, theme: Theme, data_dir: Path, client: str, *, compact: bool) -> None:
        look = Appearance(density="compact") if compact else Appearance()
        super().__init__(theme, data_dir, look)
        self.setObjectName("viewingWindow")
        self._client = client
        self.banner = Banner(theme, parent=self)
        self.banner.setObjectName("viewAsBanner")
        self.banner.action_requested.connect(self._on_action_requested)
        body = self.takeCentralWidget() or QWidget(self)
        framed = QWidget(self)
        column = QVBoxLayout(framed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(body, 1)
        self.setCentralWidget(framed)
        self.show_rights(changed=False)

    async def attach(self, background: Background, inklings: Inklings) -> None:
        """Show what these use cases answer; they are a client's.

        Raises:
            InklingsError: Nothing can be shown to it.
        """
        await super().attach(background, inklings)
        self.status.only_look()
        self.rail.only_look()
        self.page.only_look()
        self.menus.only_look()
        self.inspector.note.only_look()
        if self.desks is not None:
            self.desks.only_look()
        self.menus.commands.only_look(_PLACES)  # palette and sheet tell of nothing else

    def show_rights(self, *, changed: bool) -> None:
        """Say whose eyes these are, and whether what they may see has changed since."""
        leave = BannerAction(LEAVE, self.tr("Leave (Esc)"))
        title = self.tr("You see what {name} sees.").format(name=self._client)
        if changed:
            again = BannerAction(AGAIN, self.tr("Look anew"))
            text = self.tr("What it may read has changed since you looked.")
            content = BannerContent("ochre", title, text, (again, leave), icon="eye")
        else:
            text = self.tr(
                "Nothing can be changed here, and looking counts as no read. What is closed to it"
                " is not shown."
            )
            content = BannerContent("lapis", title, text, (leave,), icon="eye")
        if content != self.banner.content:
            self.banner.show_content(content)

    @Slot(str)
    def show_page(self, page_id: str) -> None:
        """Show a page; what is the author's alone is not."""
        spec = spec_of(page_id)
        if spec is None or not spec.is_authors:
            super().show_page(page_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves on Escape, once nothing inside wants it."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing leaves the view, not the program; a session may end all the same."""
        event.accept()
        self.leave_requested.emit()

    def _show_title(self) -> None:
        super()._show_title()
        self.setWindowTitle(
            self.tr("{title} (as {name})").format(title=self.windowTitle(), name=self._client)
        )

    def _keep_geometry(self) -> None:
        """The author's window stands where it stood."""

    @Slot(str)
    def _on_action_requested(self, key: str) -> None:
        if key == AGAIN:
            self.again_requested.emit()
        else:
            self.leave_requested.emit()

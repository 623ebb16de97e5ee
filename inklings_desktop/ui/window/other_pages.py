"""The pages beside the Memory page, each built when it is first wanted and joined to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.places import ENTRIES_PAGE

if TYPE_CHECKING:
    from inklings_desktop.ui.control.view import ControlPage
    from inklings_desktop.ui.entries.view import EntriesPage
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.turn.view import PreviewPage
    from inklings_desktop.ui.window.menus import WindowMenus
    from inklings_desktop.ui.window.pages import WindowPages
    from inklings_desktop.ui.window.status import WindowStatusBar


class WindowOtherPages(QObject):
    """Joins those pages to menus, rail and status bar as they are built.

    Signals:
        page_chosen: Id of the page that a command of another one leads to.
    """

    page_chosen = Signal(str)

    def __init__(
        self,
        window: QObject,
        menus: WindowMenus,
        rail: RailPane,
        pages: WindowPages,
        status: WindowStatusBar,
    ) -> None:
        super().__init__(window)
        self._menus = menus
        self._rail = rail
        self._pages = pages
        self._status = status

    def made_entries(self) -> EntriesPage:
        """The Named entries page, built once, after the memories are on show."""
        is_new = self._pages.entries is None
        entries = self._pages.made_entries()
        if is_new:
            entries.focus_mode_changed.connect(self._on_focus_mode_changed)
            self._menus.add_entry_actions(entries.actions_of.all())
            entries.actions_of.new.triggered.connect(self._on_new_entry)
            formats = entries.editor.editor.format_actions()
            self._menus.commands.add_all(formats.values(), Where.MARKDOWN)
        return entries

    def made_control(self) -> ControlPage:
        """The Control plane page, built once."""
        is_new = self._pages.control is None
        page = self._pages.made_control()
        if is_new:
            page.tab_shown.connect(self._status.show_control_tab)
        return page

    def made_preview(self) -> PreviewPage:
        """The page of the next turn, built once; its pane comes and goes with the inspector."""
        preview = self._pages.made_preview()
        preview.set_pane_shown(self._menus.inspector.isChecked())
        self._menus.inspector.toggled.connect(preview.set_pane_shown)
        return preview

    @Slot()
    def _on_new_entry(self) -> None:
        self.page_chosen.emit(ENTRIES_PAGE)  # from every page: it is written there

    @Slot(bool)
    def _on_focus_mode_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._rail.setVisible(not on and self._menus.rail.isChecked())
        self._status.setVisible(not on)

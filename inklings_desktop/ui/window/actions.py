"""What the menus and the empty pages of the window set going.

Each action finds its desk when it is triggered: before a data root is attached there is none, and
nothing happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.look.pane_steps import step_pane
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, MEMORY_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.wishes import MemoryAct

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from inklings_desktop.ui.entries.view import EntriesView
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.page.page import Page
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.turn.view import TurnView
    from inklings_desktop.ui.window.appearance import WindowAppearance
    from inklings_desktop.ui.window.joins.opened import Desks
    from inklings_desktop.ui.window.menus import WindowMenus
    from inklings_desktop.ui.window.pages import WindowPages


class WindowActions(QObject):
    """Joins menus, rail and pages to the desks of the open data root.

    Signals:
        sample_wanted: Leave for the sample world.
    """

    sample_wanted = Signal()

    def __init__(
        self,
        window: QMainWindow,
        menus: WindowMenus,
        rail: RailPane,
        pages: WindowPages,
        data_dir: Path,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._menus = menus
        self._rail = rail
        self._pages = pages
        self._data_dir = data_dir
        self._background: Background | None = None
        self._desks: Desks | None = None
        menus.about.triggered.connect(self._on_about)
        menus.scrub.triggered.connect(self._on_scrub)
        menus.rail.toggled.connect(rail.setVisible)
        rail.card.new_workspace_requested.connect(self._on_new_workspace)
        rail.card.sample_world_requested.connect(self.sample_wanted)

    def attach(self, background: Background, desks: Desks) -> None:
        """Act upon an opened data root."""
        self._background = background
        self._desks = desks
        desks.memory.unsaved_changed.connect(self._menus.show_unsaved)
        self._menus.show_unsaved(desks.memory.subject.has_unsaved)

    def connect_pages(self, look: WindowAppearance) -> None:
        """Join the menus to the pages, once those are built."""
        menus, page = self._menus, self._pages.memory
        menus.new_memory.triggered.connect(self._on_new_memory)
        menus.new_workspace.triggered.connect(self._on_new_workspace)
        menus.open_folder.triggered.connect(self._on_open_folder)
        menus.open_sample.triggered.connect(self.sample_wanted)
        menus.import_file.triggered.connect(self._on_import)
        menus.export.triggered.connect(self._on_export)
        menus.withdraw_import.triggered.connect(self._on_withdraw_import)
        menus.imports.triggered.connect(self._on_imports)
        acts = page.table.actions_of
        menus.add_list_actions(acts.offered(), acts.forget)
        menus.commands.about_to_show.connect(page.table.show_possible_acts)
        menus.commands.about_to_show.connect(self._show_possible)
        page.list_cursor.steps_changed.connect(menus.show_steps)
        menus.search.triggered.connect(page.focus_search)
        menus.search_mode.triggered.connect(self._on_search_mode)
        menus.save_filter.triggered.connect(self._on_save_filter)
        menus.saved_filters.triggered.connect(self._on_saved_filters)
        menus.inspector.toggled.connect(self._pages.dock_inspector)
        menus.next_pane.triggered.connect(self._on_next_pane)
        menus.previous_pane.triggered.connect(self._on_previous_pane)
        menus.refresh.triggered.connect(self._on_refresh)
        menus.save.triggered.connect(self._on_save)
        menus.previous.triggered.connect(page.list_cursor.select_previous)
        menus.next.triggered.connect(page.list_cursor.select_next)
        menus.forget.triggered.connect(self._on_forget)
        menus.restore.triggered.connect(self._on_restore)
        look.density_changed.connect(self._on_density_changed)
        menus.tier_chosen.connect(page.header.tier_chosen)
        menus.since_chosen.connect(page.filters.agents_since_chosen)
        page.header.density_toggled.connect(look.toggle_density)
        page.edit_requested.connect(self._on_edit_requested)
        page.sample_world_requested.connect(self.sample_wanted)
        page.import_requested.connect(self._on_import)

    def join_page(self, page_id: str, page: Page[Any]) -> None:
        """Join a page that was just made to menus, rail and status bar."""
        if page_id == ENTRIES_PAGE:
            entries = cast("EntriesView", page.view)
            entries.focus_mode_changed.connect(self._on_focus_mode_changed)
            self._menus.add_entry_actions(entries.actions_of.all())
            entries.actions_of.new.triggered.connect(self._on_new_entry)
            formats = entries.editor.editor.format_actions()
            self._menus.commands.add_all(formats.values(), Where.MARKDOWN)
        elif page_id == PREVIEW_PAGE:  # its pane comes and goes with the inspector
            turn = cast("TurnView", page.view)
            turn.set_pane_shown(self._menus.inspector.isChecked())
            self._menus.inspector.toggled.connect(turn.set_pane_shown)

    @Slot()
    def _on_new_entry(self) -> None:
        if self._desks is not None:
            self._desks.context.go(ENTRIES_PAGE)  # from every page: it is written there

    @Slot(bool)
    def _on_focus_mode_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._rail.setVisible(not on and self._menus.rail.isChecked())
        self._window.statusBar().setVisible(not on)

    @Slot()
    def _show_possible(self) -> None:
        """Offer to forget what is remembered, and to restore what is forgotten."""
        if self._desks is not None and self._pages.memory.isVisible():
            is_forgotten = self._desks.memory.acts.is_about_forgotten()
            self._menus.forget.setEnabled(is_forgotten is False)
            self._menus.restore.setEnabled(is_forgotten is True)

    # -- actions ----------------------------------------------------------------------------

    @Slot()
    def _on_new_memory(self) -> None:
        if self._desks is not None:
            self._desks.context.go(MEMORY_PAGE)  # from every page: it is written there
            self._desks.memory.new_memory()

    @Slot()
    def _on_new_workspace(self) -> None:
        if self._background is not None:
            asking = self._background.spawn(self._new_workspace())
            held_keys(self._window).until_asked(asking)

    async def _new_workspace(self) -> None:
        from inklings_desktop.ui.kit.dialogs.name_dialog import NameDialog, asked_name

        def ask() -> NameDialog:
            return NameDialog(
                self.tr("New workspace"),
                self.tr("A world of its own: its memories live in their own file."),
                self.tr("Create"),
                self._window,
            )

        if self._desks is not None:
            try:
                await asked_name(ask, self._desks.create_workspace)
            except InklingsError as error:
                self._desks.context.refuse(error)

    @Slot()
    def _on_open_folder(self) -> None:
        if self._desks is not None:
            self._desks.workspaces.ask_folder()

    @Slot()
    def _on_import(self) -> None:
        if self._desks is not None:
            self._desks.transfer.ask_import()

    @Slot()
    def _on_export(self) -> None:
        if self._desks is not None:
            self._desks.transfer.ask_export()

    @Slot()
    def _on_imports(self) -> None:
        if self._desks is not None:
            self._desks.transfer.ask_withdrawal()

    @Slot()
    def _on_withdraw_import(self) -> None:
        if self._desks is not None:
            self._desks.transfer.withdraw()

    @Slot()
    def _on_search_mode(self) -> None:
        search = self._pages.memory.header.search
        before = search.mode()
        search.set_mode("keyword" if before == "hybrid" else "hybrid")
        if search.mode() == before:
            self._pages.memory.tell(
                self.tr("Searching by keyword only: no embedding model is in use")
            )

    @Slot()
    def _on_save_filter(self) -> None:
        if self._desks is not None:
            self._desks.filters.ask_save()

    @Slot()
    def _on_saved_filters(self) -> None:
        if self._desks is not None:
            self._desks.filters.ask_all()

    @Slot()
    def _on_next_pane(self) -> None:
        step_pane(self._pages.panes_in_order(self._rail), 1)

    @Slot()
    def _on_previous_pane(self) -> None:
        step_pane(self._pages.panes_in_order(self._rail), -1)

    @Slot()
    def _on_save(self) -> None:
        self._pages.inspector.request_save()

    @Slot()
    def _on_refresh(self) -> None:
        if self._desks is None:
            return
        self._desks.memory.shell.refresh()
        self._desks.memory.list.refresh()
        for page in self._desks.pages:
            page.refresh()

    @Slot()
    def _on_forget(self) -> None:
        if self._desks is not None:
            self._desks.memory.acts.act(MemoryAct.FORGET)

    @Slot()
    def _on_restore(self) -> None:
        if self._desks is not None:
            self._desks.memory.acts.act(MemoryAct.RESTORE)

    @Slot()
    def _on_edit_requested(self) -> None:
        self._pages.inspector.focus_editor()

    @Slot(bool)
    def _on_density_changed(self, compact: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._pages.memory.set_compact(compact=compact)

    @Slot()
    def _on_scrub(self) -> None:
        if self._desks is not None and self._desks.control is not None:
            self._desks.control.view.scrub.click()

    @Slot()
    def _on_about(self) -> None:
        from inklings_desktop.ui.window.banners.messages import say_what_this_is

        say_what_this_is(self._data_dir, self._window)

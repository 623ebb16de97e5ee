"""What the menus and the empty pages of the window set going.

Each action finds its page when it is triggered: before a data root is attached there is none, and
nothing happens.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from inklings_desktop.data_root import own_data_dir
from inklings_desktop.ui.kit.look.accessibility import step_pane
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import (
    CONVERSATION_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.rail.wishes import RoomAction, WorkspaceWish
from inklings_desktop.ui.window.menus import CONVERSATION_MENU, note_send_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from inklings_desktop.ui.conversation.page import ConversationPage
    from inklings_desktop.ui.entries.page import EntriesPage
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Page
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.turn.page import TurnPage
    from inklings_desktop.ui.window.appearance import WindowAppearance
    from inklings_desktop.ui.window.joins.beside import Beside
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.menus import WindowMenus
    from inklings_desktop.ui.window.pages import WindowPages


class WindowActions(QObject):
    """What the table of actions runs; joins menus, rail and pages to the open data root.

    Attributes:
        page_id: Id of the page on show.
        menus: What was made of the table; these three are there before anything is run.
        rail: The rail.
        pages: The pages.
    """

    menus: WindowMenus
    rail: RailPane
    pages: WindowPages

    def __init__(
        self,
        theme: Theme,
        window: QMainWindow,
        data_dir: Path,
        show_page: Callable[[str], None],
        *,
        open_sample: Callable[[], None],
        leave_sample: Callable[[], None],
    ) -> None:
        """Nothing can be done before menus, rail and pages are there.

        Args:
            show_page: Shows a page by its id.
            open_sample: Leaves for the sample world.
            leave_sample: Leaves it for the worlds of one's own.
        """
        super().__init__(window)
        self._theme, self._window = theme, window
        self.show_page = show_page
        self.open_sample, self.leave_sample = open_sample, leave_sample
        self._data_dir = data_dir
        self._background: Background | None = None
        self._opened: OpenedRoot | None = None
        self._possible = (True, True)
        self._look: WindowAppearance | None = None
        self._could_talk = False
        self.page_id = MEMORY_PAGE

    def attach(self, background: Background, opened_root: OpenedRoot) -> None:
        """Act upon an opened data root."""
        self._background = background
        self._opened = opened_root
        opened_root.memory.told.connect(self._on_unsaved_changed)
        opened_root.steps_changed.connect(self._on_steps_changed)
        self._on_unsaved_changed()

    def connect_pages(self, look: WindowAppearance) -> None:
        """Join the menus to the pages, once those are built."""
        self._look = look
        page, card = self.pages.memory, self.rail.card
        self.menus["leave_sample"].setVisible(own_data_dir(self._data_dir) is not None)
        card.wanted.connect(self._on_workspace_wish)
        acts, commands = page.table.actions_of, self.menus.commands
        self.menus.add_list_actions(acts.offered(), acts.forget, page.table.has_choice)
        commands.about_to_show.connect(page.table.show_possible_acts)
        commands.about_to_show.connect(self._show_possible)
        page.list_cursor.steps_changed.connect(self._on_steps_changed)
        look.density_changed.connect(self._on_density_changed)
        look.changed.connect(self._on_look_changed)
        note_send_key(commands, look.appearance.send_key)
        page.header.density.clicked.connect(look.toggle_density)
        page.empty_acts |= {
            "import": self.menus["import_file"].trigger,
            "connect": self.menus["connect_agent"].trigger,
            "talk": self.new_conversation,
        }

    def join_page(self, page_id: str, page: Page[Any]) -> None:
        """Join a page that was just made to menus, rail and status bar."""
        joins: dict[str, Callable[[Any], None]] = {
            ENTRIES_PAGE: self._join_entries,
            CONVERSATION_PAGE: self._join_conversation,
            PREVIEW_PAGE: self._join_turn,
        }
        if page_id in joins:
            joins[page_id](page)

    def _join_entries(self, page: EntriesPage) -> None:
        entries = page.view
        entries.focus_mode_changed.connect(self._on_focus_mode_changed)
        self.menus.add_entry_actions(entries.actions_of.all())
        entries.actions_of.new.triggered.connect(self._on_new_entry)
        formats = entries.editor.editor.format_actions()
        self.menus.commands.add_all(formats.values(), Where.MARKDOWN)

    def _join_conversation(self, talk: ConversationPage) -> None:
        talk.view.rename_wanted.connect(partial(self.talk, "rename"))
        talk.view.header.more.clicked.connect(self._on_talk_menu_wanted)
        self.menus.add_menu(CONVERSATION_MENU, talk.view.allowed)
        talk.view.nothing.action_requested.connect(self.new_conversation)
        talk.told.connect(self._on_talk_told)

    def _join_turn(self, page: TurnPage) -> None:
        shown = self.menus["inspector"]  # its pane comes and goes with the inspector
        page.view.set_pane_shown(shown.isChecked())
        shown.toggled.connect(page.view.set_pane_shown)

    @Slot()
    def _on_new_entry(self) -> None:
        if self._opened is not None:
            self._opened.context.go(ENTRIES_PAGE)  # from every page: it is written there

    @Slot(bool)
    def _on_focus_mode_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.rail.setVisible(not on and self.menus["rail"].isChecked())
        self._window.statusBar().setVisible(not on)

    @Slot()
    def _show_possible(self) -> None:
        if self._opened is not None and self.pages.memory.isVisible():
            is_forgotten = self._opened.memory.acts.is_about_forgotten()
            self._possible = (is_forgotten is False, is_forgotten is True)
            self.menus.update("forget", "restore")

    @Slot()
    def _on_unsaved_changed(self) -> None:
        self.menus.update("save")

    @Slot()
    def _on_steps_changed(self) -> None:
        self.menus.update("previous", "next")

    @Slot()
    def _on_talk_told(self) -> None:
        if (can := self.can_talk()) is not self._could_talk:
            self._could_talk = can
            self.menus.update()

    @Slot()
    def _on_talk_menu_wanted(self) -> None:
        """Open what the menu bar offers for a conversation below its own button."""
        page = self._opened.conversation if self._opened is not None else None
        if page is not None:
            more = page.view.header.more
            self.menus.popup(CONVERSATION_MENU, more.mapToGlobal(more.rect().bottomLeft()))

    @Slot()
    def _on_look_changed(self) -> None:
        assert self._look is not None
        look = self._look.appearance
        for field in ("theme", "density", "text_scale"):
            self.menus.show_choice(field, getattr(look, field))
        note_send_key(self.menus.commands, look.send_key)

    @Slot(bool)
    def _on_density_changed(self, compact: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.pages.memory.set_compact(compact=compact)
        self.menus["density:compact" if compact else "density:comfortable"].setChecked(True)

    # -- when ---------------------------------------------------------------------------------

    def can_save(self) -> bool:
        """Whether the inspector holds text that is not stored."""
        return self._opened is not None and self._opened.memory.subject.has_unsaved

    def has_previous(self) -> bool:
        """Whether there is a memory above."""
        return self._steps_here()[0]

    def has_next(self) -> bool:
        """Whether there is a memory below."""
        return self._steps_here()[1]

    def _steps_here(self) -> tuple[bool, bool]:
        beside = self._beside()
        if beside is not None:
            return beside.steps
        is_list = self.page_id == MEMORY_PAGE and self.pages.is_furnished
        return self.pages.memory.list_cursor.steps if is_list else (False, False)

    def _beside(self) -> Beside | None:
        beside = self._opened.beside if self._opened is not None else None
        return beside if beside is not None and beside.is_open else None

    def can_forget(self) -> bool:
        """Whether what is chosen is remembered; as long as nobody looks, it may be."""
        return self._possible[0]

    def can_restore(self) -> bool:
        """Whether what is chosen is forgotten; as long as nobody looks, it may be."""
        return self._possible[1]

    def note_page(self, page_id: str) -> None:
        """Another page is on show."""
        self.page_id = page_id
        self._could_talk = self.can_talk()
        self._possible = (True, True)

    # -- what is run --------------------------------------------------------------------------

    def with_root(self, act: Callable[[OpenedRoot], object]) -> Callable[[], None]:
        """Does this with the open data root, and nothing while none is open."""

        def run() -> None:
            if self._opened is not None:
                act(self._opened)

        return run

    def leading_to(self, where: Destination) -> Callable[[], None]:
        """Leads to something on a page, or over any."""
        return self.with_root(lambda one: one.context.go(where))

    def show_rail(self, shown: bool) -> None:  # noqa: FBT001 - whether it is checked
        """Show the rail, or hide it."""
        self.rail.setVisible(shown)

    def dock_inspector(self, docked: bool) -> None:  # noqa: FBT001 - whether it is checked
        """Keep the inspector beside the list, or put it away."""
        self.pages.dock_inspector(docked)

    def search(self) -> None:
        """Bring the keyboard to the search."""
        self.pages.memory.focus_search()

    def save(self) -> None:
        """Store what was typed in the inspector."""
        self.pages.inspector.request_save()

    def step_pane(self, step: int) -> None:
        """Bring the keyboard to another pane."""
        step_pane(self.pages.panes_in_order(self.rail), step)

    def new_memory(self) -> None:
        """Begin a new memory; from every page: it is written on its own."""
        if self._opened is not None:
            self._opened.context.go(MEMORY_PAGE)
            self._opened.memory.new_memory()

    @Slot(object, str)
    def _on_workspace_wish(self, wish: WorkspaceWish, _workspace_id: str) -> None:
        if wish is WorkspaceWish.NEW:
            self.new_workspace()
        elif wish is WorkspaceWish.SAMPLE:
            self.open_sample()

    @Slot()
    def new_workspace(self) -> None:
        """Ask for the name of a new workspace and open it."""
        if self._background is not None:
            asking = self._background.spawn(self._new_workspace())
            held_keys(self._window).until_asked(asking)

    async def _new_workspace(self) -> None:
        from inklings_desktop.ui.kit.dialogs.ask import ask_name

        if self._opened is not None:
            await ask_name(
                self._window,
                tr("New workspace"),
                tr("A separate world: its memories are in their own file."),
                yes=tr("Create"),
                use=self._opened.create_workspace,
            )

    def new_conversation(self) -> None:
        """Talk in an empty conversation, in the channel on show or else the first."""
        if self._opened is not None:
            self._opened.rooms.begin_conversation()

    def can_talk(self) -> bool:
        """Whether a conversation is on show."""
        return self.page_id == CONVERSATION_PAGE and self._talked_in() is not None

    def can_take_role(self) -> bool:
        """Whether who answers in the conversation on show takes a role."""
        page = self._opened.conversation if self._opened is not None else None
        return self.can_talk() and page is not None and page.takes_role

    def _talked_in(self) -> str | None:
        page = self._opened.conversation if self._opened is not None else None
        return page.conversation_id or None if page is not None else None

    def talk(self, wish: str) -> None:
        """Do something in the conversation on show, or about it.

        Args:
            wish: ``stop``, ``attach``, ``role``, ``code``, ``rename``, ``end`` or ``archive``.
        """
        talk_id = self._talked_in()
        if self._opened is None or (page := self._opened.conversation) is None or talk_id is None:
            return
        of_rooms = {
            "code": RoomAction.COPY_CODE,
            "rename": RoomAction.RENAME,
            "end": RoomAction.END,
            "archive": RoomAction.ARCHIVE,
        }
        if wish == "stop":
            page.stop()
        elif wish == "attach":
            page.writing.attach()
        elif wish == "role":
            page.take_role()
        else:
            self._opened.rooms.act(of_rooms[wish], talk_id)

    def wish(self, wish: WorkspaceWish) -> None:
        """Do something about the open workspace, as its card in the rail does."""
        if self._opened is not None and (here := self._opened.context.here()) is not None:
            self.rail.card.wanted.emit(wish, here.workspace.id)

    def switch_search_mode(self) -> None:
        """Search by meaning as well, or by keyword alone."""
        search = self.pages.memory.header.search
        before = search.mode()
        search.set_mode("keyword" if before == "hybrid" else "hybrid")
        if search.mode() == before:
            self.pages.memory.tell(tr("Searching by words only: no search model is in use"))

    def copy_link(self) -> None:
        """Copy what leads back to what is open, from any other program."""
        if self._opened is not None:
            link = str(self._opened.links.here(self.page_id))
            QGuiApplication.clipboard().setText(link)
            self._opened.context.tell(tr("Copied {link}").format(link=link))

    def previous(self) -> None:
        """Choose the memory above."""
        if (beside := self._beside()) is not None:
            beside.step(-1)
        else:
            self.pages.memory.list_cursor.select_previous()

    def next(self) -> None:
        """Choose the memory below."""
        if (beside := self._beside()) is not None:
            beside.step(1)
        else:
            self.pages.memory.list_cursor.select_next()

    def refresh(self) -> None:
        """Read again what is on show."""
        if self._opened is None:
            return
        self._opened.memory.shell.refresh()
        self._opened.memory.list.refresh()
        for page in self._opened.pages:
            page.refresh()

    def help(self, topic: str) -> None:
        """Show a text that comes with the program, or a file beside the data.

        Args:
            topic: ``guide``, ``changelog``, ``log``, ``settings_file`` or ``about``.
        """
        from inklings_desktop.ui.window import help as helping

        window, theme = self._window, self._theme
        match topic:
            case "guide":
                helping.show_guide(theme, window)
            case "changelog":
                helping.show_changelog(theme, window)
            case "log":
                helping.open_log_folder(self._data_dir, window)
            case "settings_file":
                helping.open_settings_file(self._data_dir, window)
            case "about":
                helping.say_what_this_is(self._data_dir, window)

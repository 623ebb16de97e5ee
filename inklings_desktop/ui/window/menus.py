"""The menu bar: every action with its key, and only those that work."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.commands import Commands, Where
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.memory.list.agents_since import Since, since_label
from inklings_desktop.ui.window.keys import note_handled_keys
from inklings_desktop.ui.window.register import page_specs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QMainWindow, QMenu

    from inklings_desktop.settings import Appearance

TEXT_SCALES = (0.9, 1.0, 1.1, 1.25, 1.4)


class WindowMenus(QObject):
    """Builds the menus and says what was chosen.

    Signals:
        theme_chosen: ``system``, ``light`` or ``dark``.
        density_chosen: ``comfortable`` or ``compact``.
        text_scale_chosen: Factor for type sizes.
        tier_chosen: A ``Tier``.
        page_chosen: Id of a page's rail row.
        since_chosen: A ``Since``: show what agents wrote from then on.
    """

    theme_chosen = Signal(str)
    density_chosen = Signal(str)
    text_scale_chosen = Signal(float)
    tier_chosen = Signal(object)
    page_chosen = Signal(str)
    since_chosen = Signal(object)

    def __init__(self, window: QMainWindow, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._tier_actions: list[QAction] = []
        self._list_actions: list[QAction] = []
        self.commands = Commands(self)
        note_handled_keys(self.commands)
        self._pages: dict[str, QAction] = {}
        bar = window.menuBar()
        file = bar.addMenu(self.tr("&File"))
        self.new_memory = self._action(file, self.tr("New memory"), "Ctrl+N")
        self.new_workspace = self._action(file, self.tr("New workspace\u2026"))
        self.open_folder = self._action(file, self.tr("Open a workspace\u2019s folder\u2026"))
        file.addSeparator()
        self._transfers(file)
        self.open_sample = self._action(file, self.tr("Open the sample world"))
        file.addSeparator()
        self.keep_running = self._toggle(file, self.tr("Keep running in the background"), "")
        self.quit = self._action(file, self.tr("Quit"), "Ctrl+Q")
        edit = bar.addMenu(self.tr("&Edit"))
        self.undo = self._action(edit, self.tr("Undo"), "Ctrl+Z")
        self.redo = self._action(edit, self.tr("Redo"), "Ctrl+Shift+Z")
        for action in (self.undo, self.redo):
            action.setEnabled(False)
        self.withdraw_import = self._action(edit, self.tr("Take back the last import"))
        self.withdraw_import.setEnabled(False)
        edit.addSeparator()
        self._searches(edit)
        edit.addSeparator()
        self.palette = self._action(edit, self.tr("Go to or run\u2026"), "Ctrl+K")
        view = bar.addMenu(self.tr("&View"))
        self._page_entries(view)
        view.addSeparator()
        self._tiers(view)
        view.addSeparator()
        self.rail = self._toggle(view, self.tr("Rail"), "F8")
        self.inspector = self._toggle(view, self.tr("Inspector"), "F9")
        self.next_pane = self._action(view, self.tr("Next pane"), "F6")
        self.previous_pane = self._action(view, self.tr("Previous pane"), "Shift+F6")
        view.addSeparator()
        self._looks = self._look_menus(view, appearance)
        view.addSeparator()
        self.refresh = self._action(view, self.tr("Refresh"), "F5")
        self._memories(bar.addMenu(self.tr("&Memory")))
        self.scrub = self._scrubbing()
        self._entry_menu = bar.addMenu(self.tr("E&ntry"))
        self._entry_menu.menuAction().setVisible(False)
        help_menu = bar.addMenu(self.tr("&Help"))
        self.keyboard = self._action(help_menu, self.tr("Keyboard"), "F1", "?")
        self.about = self._action(help_menu, self.tr("About Inklings"))
        for action in (
            self.new_memory,
            self.new_workspace,
            self.open_folder,
            self.import_file,
            self.imports,
            self.withdraw_import,
            self.open_sample,
            self.keep_running,
            self.undo,
            self.redo,
            self.save_filter,
            self.save,
            self.forget,
            self.restore,
            self.scrub,
        ):
            storing(action)

    def set_data_open(self, *, is_open: bool) -> None:
        """Only what needs no data can be chosen while none is open."""
        for action in self._needing_data():
            action.setEnabled(is_open)
        if is_open:  # a row may have been chosen already
            self.set_memory_page(shown=self._is_memory_shown)

    def awaits_data(self, event: QKeyEvent) -> bool:
        """Whether a key stands for something that can be done once the data is open."""
        keys = QKeySequence(event.keyCombination())
        return any(keys in action.shortcuts() for action in self._needing_data())

    def _needing_data(self) -> tuple[QAction, ...]:
        return (
            self.palette,
            self.new_memory,
            self.new_workspace,
            self.open_folder,
            self.import_file,
            self.export,
            self.imports,
            self.open_sample,
            self.search,
            self.search_mode,
            self.save_filter,
            self.saved_filters,
            self.refresh,
            self.save,
            self.previous,
            self.next,
            self.forget,
            self.restore,
        )

    def only_look(self) -> None:
        """Leave out what changes anything, what is the author's alone, and what is kept."""
        for action in (
            self.new_memory,
            self.new_workspace,
            self.open_folder,
            self.import_file,
            self.export,
            self.open_sample,
            self.keep_running,
            self.undo,
            self.redo,
            self.scrub,
            self.withdraw_import,
            self.imports,
            self.save_filter,
            self.saved_filters,
            self.save,
            self.forget,
            self._forget_key,
            self.restore,
            *(self._pages[page.id] for page in page_specs() if page.is_authors),
            *(menu.menuAction() for menu in self._looks),
            *(action for menu in self._looks for action in menu.actions()),
        ):
            action.setVisible(False)
        for action in self._list_actions:
            action.setVisible(action.isEnabled())
        self._list_actions = [action for action in self._list_actions if action.isEnabled()]
        self.quit.setText(self.tr("Leave this view"))

    def add_entry_actions(self, actions: Sequence[QAction]) -> None:
        """Offer what the Named entries page can do."""
        self._entry_menu.addActions(list(actions))
        self.commands.add_all(actions, Where.ENTRIES)
        self._entry_menu.menuAction().setVisible(True)

    def add_list_actions(self, actions: Sequence[QAction], forget: QAction) -> None:
        """Offer what can be done to memories from their list.

        Args:
            actions: In the order of the menu.
            forget: Has a key in the list; the menu's own entry does the same.
        """
        self._memory_menu.insertActions(self.forget, list(actions))
        self.commands.add_all(actions, Where.LIST)
        self.commands.add(forget, Where.LIST, is_offered=False)
        self._list_actions = list(actions)
        self._forget_key = forget

    def set_memory_page(self, *, shown: bool) -> None:
        """Leave keys that both pages use to the one on show."""
        for action in self._list_actions:
            action.setVisible(shown)
        for action in (
            self.search,
            self.search_mode,
            self.save_filter,
            self.forget,
            self.restore,
            *self._tier_actions,
            *self._since_actions,
        ):
            action.setEnabled(shown)
        self._is_memory_shown = shown
        self._enable_steps()

    def show_steps(self, has_previous: bool, has_next: bool) -> None:  # noqa: FBT001 - a signal's
        """Offer the memories above and below where there are any."""
        self._steps = (has_previous, has_next)
        self._enable_steps()

    def show_unsaved(self, has_unsaved: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Offer to save what was changed in the inspector."""
        self._has_unsaved = has_unsaved
        self._enable_steps()

    def _enable_steps(self) -> None:
        has_previous, has_next = self._steps
        self.previous.setEnabled(self._is_memory_shown and has_previous)
        self.next.setEnabled(self._is_memory_shown and has_next)
        self.save.setEnabled(self._is_memory_shown and self._has_unsaved)

    _is_memory_shown = True
    _steps = (False, False)
    _has_unsaved = False

    def set_density(self, density: str) -> None:
        """Tick the density in force."""
        for action in self._density_group.actions():
            action.setChecked(action.data() == density)

    def _action(
        self, menu: QMenu, text: str, *keys: str, where: Where = Where.WINDOW, group: str = ""
    ) -> QAction:
        """An entry of a menu; the palette and the keyboard sheet have it from the register."""
        action = QAction(text, self._window)
        action.setShortcuts([QKeySequence(one) for one in keys if one])
        menu.addAction(action)
        return self.commands.add(action, where, group=group)

    def _scrubbing(self) -> QAction:
        """In no menu and without a key: the palette has it while the Control plane is open."""
        scrub = QAction(self.tr("Scrub memory\u2026"), self._window)
        scrub.setEnabled(False)
        return self.commands.add(scrub, Where.CONTROL, icon="eraser")

    def _page_entries(self, menu: QMenu) -> None:
        for page in page_specs():
            action = self._action(menu, page.title)
            action.setShortcuts([QKeySequence(one) for one in page.keys])
            action.setData(page.id)
            action.triggered.connect(partial(self.page_chosen.emit, page.id))
            self._pages[page.id] = action

    def _memories(self, menu: QMenu) -> None:
        where = Where.INSPECTOR
        self.save = self._action(menu, self.tr("Save"), "Ctrl+S", where=where)
        self.previous = self._action(menu, self.tr("Previous memory"), "Alt+Up", where=where)
        self.next = self._action(menu, self.tr("Next memory"), "Alt+Down", where=where)
        menu.addSeparator()
        self._memory_menu = menu
        menu.aboutToShow.connect(self.commands.about_to_show)
        self.forget = self._action(menu, self.tr("Forget"), where=Where.MEMORY)
        self.restore = self._action(menu, self.tr("Restore"), where=Where.MEMORY)
        menu.addSeparator()
        agents = menu.addMenu(self.tr("Written by agents"))
        self._since_actions = []
        for since in Since:
            action = self._action(
                agents, since_label(since), where=Where.MEMORY, group=agents.title()
            )
            action.triggered.connect(partial(self.since_chosen.emit, since))
            self._since_actions.append(action)

    def _searches(self, menu: QMenu) -> None:
        where = Where.MEMORY
        self.search = self._action(menu, self.tr("Search"), "Ctrl+F", where=where)
        self.search_mode = self._action(
            menu, self.tr("Switch search mode"), "Ctrl+Shift+F", where=where
        )
        self.save_filter = self._action(menu, self.tr("Save this filter\u2026"), where=where)
        self.saved_filters = self._action(menu, self.tr("Saved filters\u2026"))

    def _transfers(self, menu: QMenu) -> None:
        self.import_file = self._action(menu, self.tr("Import\u2026"), "Ctrl+Shift+I")
        self.export = self._action(menu, self.tr("Export\u2026"), "Ctrl+Shift+E")
        self.imports = self._action(menu, self.tr("Take an import back\u2026"))
        menu.addSeparator()

    def _toggle(self, menu: QMenu, text: str, keys: str) -> QAction:
        action = self._action(menu, text, keys)
        action.setCheckable(True)
        action.setChecked(True)
        return action

    def _tiers(self, menu: QMenu) -> None:
        names = {
            Tier.CONVERSATION: self.tr("Conversation"),
            Tier.CHANNEL: self.tr("Channel"),
            Tier.WORKSPACE: self.tr("Workspace"),
            Tier.ACCOUNT: self.tr("Account"),
        }
        for number, (tier, name) in enumerate(names.items(), start=1):
            action = self._action(
                menu, name, f"Ctrl+{number}", where=Where.MEMORY, group=self.tr("Tier")
            )
            action.setData(tier.value)
            action.triggered.connect(self._on_tier_triggered)
            self._tier_actions.append(action)

    def _look_menus(self, view: QMenu, appearance: Appearance) -> list[QMenu]:
        """Theme, density and size of the text."""
        themes = view.addMenu(self.tr("Theme"))
        densities = view.addMenu(self.tr("Density"))
        scales = view.addMenu(self.tr("Text size"))
        self._themes(themes, appearance.theme)
        self._densities(densities, appearance.density)
        self._scales(scales, appearance.text_scale)
        return [themes, densities, scales]

    def _themes(self, menu: QMenu, current: str) -> None:
        names = {
            "system": self.tr("Like the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        group = self._choices(menu, names, current)
        group.triggered.connect(self._on_theme_triggered)

    def _densities(self, menu: QMenu, current: str) -> None:
        names = {"comfortable": self.tr("Comfortable"), "compact": self.tr("Compact")}
        self._density_group = self._choices(menu, names, current)
        self._density_group.triggered.connect(self._on_density_triggered)

    def _scales(self, menu: QMenu, current: float) -> None:
        names = {str(scale): f"{scale * 100:.0f} %" for scale in TEXT_SCALES}
        group = self._choices(menu, names, str(current))
        group.triggered.connect(self._on_scale_triggered)

    def _choices(self, menu: QMenu, names: dict[str, str], current: str) -> QActionGroup:
        group = QActionGroup(menu)
        for key, name in names.items():
            action = QAction(name, menu)
            action.setCheckable(True)
            action.setChecked(key == current)
            action.setData(key)
            group.addAction(action)
            menu.addAction(action)
            self.commands.add(action, group=menu.title())
        return group

    @Slot()
    def _on_tier_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.tier_chosen.emit(Tier(action.data()))

    @Slot(QAction)
    def _on_theme_triggered(self, action: QAction) -> None:
        self.theme_chosen.emit(action.data())

    @Slot(QAction)
    def _on_density_triggered(self, action: QAction) -> None:
        self.density_chosen.emit(action.data())

    @Slot(QAction)
    def _on_scale_triggered(self, action: QAction) -> None:
        self.text_scale_chosen.emit(float(action.data()))

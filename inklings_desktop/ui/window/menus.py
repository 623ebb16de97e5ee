"""The menu bar, made from a table: every action with its key, and only those that work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence

from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.commands import (
    ActionSpec,
    Commands,
    MenuSpec,
    Needs,
    Where,
    next_tab_keys,
)
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QMainWindow, QMenu


def note_handled_keys(commands: Commands) -> None:
    """Note them; a test presses every one of them in the real window."""
    for where, keys, text in _looking():
        commands.note(where, keys, text)
    for where, keys, text in _changing():
        commands.note(where, keys, text, changes=True)


def note_send_key(commands: Commands, send_key: str) -> None:
    """Note what sends a message, and what makes another line, as the setting has it."""
    is_with_ctrl = send_key == "ctrl_enter"
    commands.rekey(tr("Send, from the field"), "Ctrl+Enter" if is_with_ctrl else "Enter")
    commands.rekey(tr("Another line"), "Enter" if is_with_ctrl else "Shift+Enter")


def _looking() -> tuple[tuple[Where, tuple[str, ...], str], ...]:
    return (
        (Where.WINDOW, ("Esc",), tr("Close, clear the search, back to the list")),
        (Where.MEMORY, ("/",), tr("Search, from the list")),
        (Where.LIST, ("J", "K"), tr("Next and previous row, also with the arrows")),
        (Where.LIST, ("Home", "End"), tr("First and last row")),
        (Where.LIST, ("PgUp", "PgDown"), tr("One screen up and down")),
        (Where.LIST, ("Enter",), tr("Edit in the inspector")),
        (Where.INSPECTOR, ("F3", "Shift+F3"), tr("Next and previous word of the search")),
        (Where.PREVIEW, ("J", "K"), tr("Next and previous row")),
        (Where.PREVIEW, ("Right", "Left"), tr("Show all of a section, or fold it")),
        (Where.PREVIEW, ("Enter",), tr("Open the memory")),
        (Where.PREVIEW, ("Ctrl+C",), tr("Copy the text of the memory")),
        (Where.PREVIEW, ("M",), tr("The rows, or the Markdown as sent")),
        (Where.PREVIEW, ("/",), tr("Sample message")),
        (Where.WORLD, next_tab_keys(), tr("Next and previous tab")),
        (Where.WORLD, ("J", "K"), tr("Next and previous block, or row")),
        (Where.WORLD, ("Enter",), tr("What memory derives from the block")),
        (Where.WORLD, ("/",), tr("Find a page")),
        (Where.KNOWLEDGE, next_tab_keys(), tr("Next and previous tab")),
        (Where.KNOWLEDGE, ("J", "K"), tr("Next and previous fact")),
        (Where.KNOWLEDGE, ("Enter",), tr("Edit in the inspector")),
        (Where.KNOWLEDGE, ("/",), tr("Search facts")),
        (Where.CONVERSATION, ("J", "K"), tr("Next and previous turn")),
        (Where.CONVERSATION, ("Right", "Left"), tr("Unfold a step, or fold it")),
        (Where.CONVERSATION, ("Enter",), tr("Open what the turn touched")),
        (Where.CONVERSATION, ("Esc",), tr("From the field to the turns, and back")),
        (Where.CONTROL, next_tab_keys(), tr("Next and previous tab")),
        (Where.CONTROL, ("R",), tr("Run or cancel the selected task")),
        (Where.CONTROL, ("/", "Ctrl+F"), tr("Search the event log")),
        (Where.CONTROL, ("Ctrl+C",), tr("Copy the chosen event of the log")),
        (Where.CONTROL, ("V",), tr("See the window as the chosen program does")),
        (Where.SETTINGS, ("Esc",), tr("Back to the page before")),
    )


def _changing() -> tuple[tuple[Where, tuple[str, ...], str], ...]:
    return (
        (Where.WINDOW, ("F2",), tr("Rename the room, from the rail")),
        (Where.LIST, ("Space",), tr("Check the row, or uncheck it")),
        (Where.LIST, ("Shift+Down", "Shift+Up"), tr("Check row after row")),
        (Where.LIST, ("Shift+PgDown", "Shift+PgUp"), tr("Check one screen")),
        (Where.LIST, ("Shift+End", "Shift+Home"), tr("Check all down to the end, up to the top")),
        (Where.LIST, ("Ctrl+A",), tr("Check everything in view")),
        (Where.WORLD, ("M",), tr("Write a memory from the block")),
        (Where.WORLD, ("S", "U", "Del", "O"), tr("Source changed: true, update, forget, page")),
        (Where.WORLD, ("Y", "E", "N"), tr("Proposed: accept, edit, reject")),
        (Where.KNOWLEDGE, ("N", "R", "W", "Del"), tr("Grants: none, read, write, the default")),
        (Where.KNOWLEDGE, ("Space",), tr("Switch the house rule")),
        (Where.KNOWLEDGE, ("S",), tr("Supersede the fact")),
        (Where.KNOWLEDGE, ("[", "]"), tr("Confidence down and up")),
        (Where.KNOWLEDGE, ("Ctrl+S",), tr("Save the fact")),
        (Where.CONVERSATION, ("Enter",), tr("Send, from the field")),
        (Where.CONVERSATION, ("Shift+Enter",), tr("Another line")),
        (Where.CONVERSATION, ("Right",), tr("Write the rest of a command, at the end of the text")),
        (Where.CONVERSATION, ("F2",), tr("Rename the conversation")),
        (Where.CONVERSATION, ("Y", "A", "N", "L"), tr("Once, always, deny, later: a question")),
        (Where.SETTINGS, ("[", "]"), tr("A rate down and up")),
        (Where.SETTINGS, ("Ctrl+S",), tr("Save the rates")),
    )


EDIT_MENU, MEMORY_MENU, ENTRY_MENU = "edit", "memory", "entry"
CONVERSATION_MENU, WORLD_MENU = "conversation", "world"


def _never() -> bool:
    return False


class WindowMenus(QObject):
    """Builds menus from their table, and lets be chosen what can be done at the moment."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._specs: dict[str, ActionSpec] = {}
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        self._choices: list[QAction] = []
        self._list_actions: list[QAction] = []
        self._greyed: list[QAction] = []
        self._is_chosen: Callable[[], bool] = _never
        self._is_open = False
        self._is_memory_shown = True
        self.commands = Commands(self)
        note_handled_keys(self.commands)

    def build(self, table: Iterable[MenuSpec], unlisted: Iterable[ActionSpec]) -> None:
        """Fill the menu bar.

        Args:
            table: The menus, from the left.
            unlisted: What is in none of them.
        """
        for spec in table:
            self._fill(self._window.menuBar().addMenu(spec.title), spec)
        for one in unlisted:
            self._action(one)
        self._menus[ENTRY_MENU].menuAction().setVisible(False)
        self._menus[MEMORY_MENU].aboutToShow.connect(self._on_memory_menu_shows)
        for steered in ("undo", "redo", "withdraw_import"):
            self[steered].setEnabled(False)

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def show_choice(self, kind: str, value: object) -> None:
        """Tick the action ``kind:value`` of a menu of choices, and no other of its kind."""
        for id_, action in self._actions.items():
            if id_.startswith(f"{kind}:") and (group := action.actionGroup()) is not None:
                group.setExclusive(False)
                action.setChecked(id_ == f"{kind}:{value}")
                group.setExclusive(True)

    def set_data_open(self, *, is_open: bool) -> None:
        """Only what needs no data can be chosen while none is open."""
        self._is_open = is_open
        self.update()

    def set_memory_page(self, *, shown: bool) -> None:
        """Leave keys that both pages use to the one on show."""
        self._is_memory_shown = shown
        for action in self._list_actions:
            action.setVisible(shown)
        self.update()

    @Slot()
    def update(self, *ids: str) -> None:
        """Let be chosen what can be done now: of these, or of all there is."""
        for action_id in ids or self._specs:
            spec = self._specs[action_id]
            if spec.when is None and not spec.needs & (Needs.DATA | Needs.MEMORY):
                continue
            can_run = self._is_open or Needs.DATA not in spec.needs
            can_run = can_run and (self._is_memory_shown or Needs.MEMORY not in spec.needs)
            self._actions[action_id].setEnabled(can_run and (spec.when is None or spec.when()))

    def show_for_welcome(self, *, is_welcome: bool) -> None:
        """Leave out the menus of which nothing can be done before there is a world."""
        for menu_id in (EDIT_MENU, MEMORY_MENU, WORLD_MENU, CONVERSATION_MENU):
            self._menus[menu_id].menuAction().setVisible(not is_welcome)

    def awaits_data(self, event: QKeyEvent) -> bool:
        """Whether a key stands for something that can be done once the data is open."""
        keys = QKeySequence(event.keyCombination())
        return any(
            keys in self._actions[one.id].shortcuts()
            for one in self._specs.values()
            if Needs.DATA in one.needs
        )

    def only_look(self) -> None:
        """Leave out what changes anything, what is the author's alone, and what is kept."""
        for one in self._specs.values():
            if Needs.AUTHOR in one.needs:
                self._actions[one.id].setVisible(False)
        for action in self._choices:
            action.setVisible(False)
        for action in self._list_actions:
            action.setVisible(action.isEnabled())
        self._list_actions = [action for action in self._list_actions if action.isEnabled()]
        self._forget_key.setVisible(False)
        self["quit"].setText(tr("Leave this view"))

    def popup(self, menu_id: str, at: QPoint) -> None:
        """Open a menu of the bar somewhere else."""
        self.update()
        self._menus[menu_id].popup(at)

    def add_menu(self, menu_id: str, menu: QMenu) -> None:
        """Offer a menu of a page at the end of one of the bar, for as long as the page is there."""
        self._menus[menu_id].addMenu(menu)

    def add_entry_actions(self, actions: Sequence[QAction]) -> None:
        """Offer what the Named entries page can do."""
        menu = self._menus[ENTRY_MENU]
        menu.addActions(list(actions))
        self.commands.add_all(actions, Where.ENTRIES)
        menu.menuAction().setVisible(True)

    def add_list_actions(
        self, actions: Sequence[QAction], forget: QAction, is_chosen: Callable[[], bool]
    ) -> None:
        """Offer what can be done to memories from their list.

        Args:
            actions: In the order of the menu.
            forget: Has a key in the list; the menu's own entry does the same.
            is_chosen: Whether there is anything that they could be about.
        """
        self._is_chosen = is_chosen
        self._menus[MEMORY_MENU].aboutToHide.connect(self._on_memory_menu_hides)
        self._menus[MEMORY_MENU].insertActions(self["forget"], list(actions))
        self.commands.add_all(actions, Where.LIST)
        self.commands.add(forget, Where.LIST, is_offered=False)
        self._list_actions = list(actions)
        self._forget_key = forget

    @Slot()
    def _on_memory_menu_shows(self) -> None:
        """Grey is for the eye: outside the menu a key says why nothing comes of it."""
        self.commands.about_to_show.emit()
        self._greyed = [] if self._is_chosen() else [a for a in self._list_actions if a.isEnabled()]
        for action in self._greyed:
            action.setEnabled(False)

    @Slot()
    def _on_memory_menu_hides(self) -> None:
        for action in self._greyed:
            action.setEnabled(True)
        self._greyed = []

    def _fill(self, menu: QMenu, spec: MenuSpec) -> None:
        group = QActionGroup(menu) if spec.is_choice else None
        if group is not None:
            self._choices.append(menu.menuAction())
        self._menus[spec.id] = menu
        for row in spec.rows:
            if row is None:
                menu.addSeparator()
            elif isinstance(row, MenuSpec):
                self._fill(menu.addMenu(row.title), row)
            else:
                action = self._action(row, group)
                menu.addAction(action)

    def _action(self, spec: ActionSpec, group: QActionGroup | None = None) -> QAction:
        """An entry of a menu; the palette and the keyboard sheet have it from the register."""
        action = QAction(spec.text, self._window)
        action.setShortcuts([QKeySequence(one) for one in spec.keys])
        action.setData(spec.id)
        if spec.is_checked is not None:
            action.setCheckable(True)
            action.setChecked(spec.is_checked)
        if group is not None:
            group.addAction(action)
        if Needs.DISK in spec.needs:
            storing(action)
        if spec.run is not None:
            is_switch = spec.is_checked is not None and group is None
            (action.toggled if is_switch else action.triggered).connect(self._on_wanted)
        self._specs[spec.id], self._actions[spec.id] = spec, action
        return self.commands.add(
            action, spec.where, group=spec.group, icon=spec.icon, words=spec.words
        )

    @Slot(bool)
    def _on_wanted(self, checked: bool) -> None:  # noqa: FBT001 - a signal's payload
        action = self.sender()
        assert isinstance(action, QAction)
        run = self._specs[action.data()].run
        assert run is not None
        if action.isCheckable() and action.actionGroup() is None:
            run(checked)
        else:
            run()

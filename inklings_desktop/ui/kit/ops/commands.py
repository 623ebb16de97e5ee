"""Everything that can be done by key or by name: what it is made of, and its register."""

from __future__ import annotations

from dataclasses import replace
from enum import Flag, StrEnum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable


class Where(StrEnum):
    """Where keys act, in the order of the keyboard sheet."""

    WINDOW = "window"
    MEMORY = "memory"
    LIST = "list"
    INSPECTOR = "inspector"
    ENTRIES = "entries"
    MARKDOWN = "markdown"
    PREVIEW = "preview"
    WORLD = "world"
    KNOWLEDGE = "knowledge"
    CONVERSATION = "conversation"
    CONTROL = "control"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be done by name.

    Attributes:
        action: Does it, and knows whether it can be done now.
        where: Where its keys act.
        group: What it is one choice of, such as the theme; empty for most.
        icon: Name of its icon; empty for none.
        is_offered: Whether the palette has it; another command may do the same by name.
        words: Other words that it may be looked for by.
    """

    action: QAction
    where: Where
    group: str = ""
    icon: str = ""
    is_offered: bool = True
    words: str = ""

    @property
    def name(self) -> str:
        """What it is called, without the mark of its menu key."""
        text = self.action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        return f"{self.group}: {text}" if self.group else text

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys as a person reads them, the first one first: ``Ctrl+N``."""
        return tuple(_native(one) for one in self.action.shortcuts() if not one.isEmpty())

    @property
    def can_run(self) -> bool:
        """Whether it can be done by name just now."""
        is_there = self.action.isVisible() and not self.action.property("isOff")
        return self.is_offered and self.action.isEnabled() and is_there


@dataclass(frozen=True, slots=True)
class HandledKeys:
    """Keys that a control understands by itself.

    Attributes:
        where: Where they act.
        keys: As a person reads them, each one or one after the other.
        text: What they do.
        changes: Whether they change something, or begin to.
    """

    where: Where
    keys: tuple[str, ...]
    text: str
    changes: bool = False


def next_tab_keys() -> tuple[str, str]:
    """What goes to the next tab and to the one before, in Qt's portable words.

    Ctrl+Tab, but on macOS, where Qt would take that for the key that changes programs.
    """
    found = QKeySequence.keyBindings(QKeySequence.StandardKey.NextChild)
    is_usual = not found or QKeySequence("Ctrl+Tab") in found
    return ("Ctrl+Tab", "Ctrl+Shift+Tab") if is_usual else ("Ctrl+}", "Ctrl+{")


def _native(keys: QKeySequence | str) -> str:
    """Keys as this system writes them: ``Ctrl+A``, or the signs of macOS."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class Commands(QObject):
    """The register; every action of the window is added to it once.

    Signals:
        about_to_show: Somebody is about to read what can be done now.
    """

    about_to_show = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands: list[Command] = []
        self._handled: list[HandledKeys] = []

    def add(
        self,
        action: QAction,
        where: Where = Where.WINDOW,
        *,
        group: str = "",
        icon: str = "",
        is_offered: bool = True,
        words: str = "",
    ) -> QAction:
        """Register an action; one that is there already keeps its first place."""
        if all(one.action is not action for one in self._commands):
            self._commands.append(Command(action, where, group, icon, is_offered, words))
        return action

    def add_all(self, actions: Iterable[QAction], where: Where) -> None:
        """Register several actions of one place."""
        for action in actions:
            self.add(action, where)

    def note(self, where: Where, keys: Iterable[str], text: str, *, changes: bool = False) -> None:
        """Note keys that a control handles itself, in Qt's portable words: ``Ctrl+A``."""
        found = HandledKeys(where, tuple(_native(one) for one in keys), text, changes)
        if found not in self._handled:
            self._handled.append(found)

    def rekey(self, text: str, *keys: str) -> None:
        """Let what is noted under these words have other keys."""
        self._handled = [
            replace(one, keys=tuple(_native(key) for key in keys)) if one.text == text else one
            for one in self._handled
        ]

    def only_look(self, places: Container[Where]) -> None:
        """Keep what is on show now, in these places, and keys that change nothing."""
        self._commands = [
            one for one in self._commands if one.where in places and one.action.isVisible()
        ]
        self._handled = [one for one in self._handled if one.where in places and not one.changes]

    def all(self) -> tuple[Command, ...]:
        """Every command, in the order of registration."""
        return tuple(self._commands)

    def handled(self) -> tuple[HandledKeys, ...]:
        """What controls handle themselves, in the order noted."""
        return tuple(self._handled)

    def with_keys(self, where: Where) -> tuple[Command, ...]:
        """The commands of one place that have a key, without those that are off here."""
        here = (one for one in self._commands if one.where is where and one.keys)
        return tuple(one for one in here if not one.action.property("isOff"))


class Needs(Flag):
    """What has to be so before something can be done; whose it is.

    ``DATA``: a data root is open. ``MEMORY``: the Memory page is on show. ``DISK``: something can
    be stored. ``AUTHOR``: it is not there through a client's eyes.
    """

    NOTHING = 0
    DATA = auto()
    MEMORY = auto()
    DISK = auto()
    AUTHOR = auto()


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing that can be done by menu, key or name.

    Attributes:
        id: Names it.
        text: What it is called, with the mark of its menu key.
        keys: In Qt's portable words, the first one first: ``Ctrl+N``.
        run: Does it; told whether it is checked where it can be. None where whoever steers it
            listens to the action itself.
        needs: When it can be done at all.
        when: Whether it can be done just now, besides; asked when somebody is about to look.
        where: Where its keys act.
        group: What it is one choice of, as the palette says it; empty for most.
        icon: Name of its icon in the palette; empty for the usual one.
        is_checked: Whether it is on at first; None where it cannot be.
        words: Other words that the palette finds it by.
    """

    id: str
    text: str
    keys: tuple[str, ...] = ()
    run: Callable[..., object] | None = None
    needs: Needs = Needs.NOTHING
    when: Callable[[], bool] | None = None
    where: Where = Where.WINDOW
    group: str = ""
    icon: str = ""
    is_checked: bool | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class MenuSpec:
    """A menu, or a menu in a menu.

    Attributes:
        title: With the mark of its key.
        rows: From top to bottom; None stands for a line between.
        is_choice: Whether one of its rows is ticked, and no other.
        id: Names a menu that something is added to later.
    """

    title: str
    rows: tuple[ActionSpec | MenuSpec | None, ...]
    is_choice: bool = False
    id: str = ""

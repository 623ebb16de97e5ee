"""What can be done, as a table: menus, keys, palette and keyboard sheet are made from its rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.ops.commands import Where

if TYPE_CHECKING:
    from collections.abc import Callable


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

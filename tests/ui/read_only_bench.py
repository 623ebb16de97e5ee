"""A window on a data root that is really only read, and hands that press whatever is enabled."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleInterface, QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QWidget
from shiboken6 import isValid

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.errors import DatabaseReadOnlyError
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.kit.controls.popover import Popover
from tests.support.builders import a_person
from tests.ui.access_bench import four_clients
from tests.ui.entries_bench import VOICE, a_world, proposed
from tests.ui.presenter_bench import Bench, a_bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from inklings_desktop.ui.window.main_window import MainWindow

PAUSE_SECONDS = 0.03
SETTLE_SECONDS = 0.3
NOT_STORED = frozenset({".log", ".ini", ".lock", ".db-shm", ".db-wal"})
"""What the window keeps of its own shape, and what SQLite makes to read on a disk that lets it."""
ENDS_THE_WINDOW = frozenset({"Quit", "Try again"})
"""These close it, which is what they are for."""


def filled(root: Path) -> None:
    """Something of everything that can be changed, while it still can be stored."""
    with a_bench(root) as bench:
        inklings, world = bench.inklings, bench.workspace
        kept = bench.put("Gulls keep accounts.", tags=("gulls",))
        bench.put("Tides are counted.")
        lost = bench.put("The lamp is lit.")
        inklings.memories.forget([lost.ref])
        inklings.golden.save(bench.scope, "Who keeps accounts?", must=[kept.id])
        words = FilterWords(MemoryFilter(tags=frozenset({"gulls"})))
        inklings.search.save_filter(world.id, Tier.WORKSPACE, "Birds", words)
        a_world(bench)
        proposed(bench, "VOICE", VOICE + "\nPast tense.\n")
        four_clients(bench)
        court = inklings.channels.create(world.id, "court-of-tides")
        inklings.conversations.start(world.id, channel=court.id, title="What the Provost wants")


@contextmanager
def sealed(root: Path) -> Iterator[Bench]:
    """The data root as it is opened on such a disk; ``is_writable`` has to say so."""
    person = a_person(door=Door.WINDOW)
    with open_inklings(
        root, caller=person, embedder=NullEmbedder("none", "missing"), may_only_read=True
    ) as inklings:
        assert inklings.is_read_only
        yield Bench(inklings, inklings.as_caller(person).places.workspaces()[0])


def seal(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the disk refuse from now on; whatever is refused is noted in the list returned."""
    refused = list[str]()
    made = DatabaseReadOnlyError.__init__

    def noted(self: DatabaseReadOnlyError, *values: object) -> None:
        refused.append(str(values))
        made(self, *values)  # type: ignore[arg-type]

    def is_writable(folder: Path) -> bool:
        return not folder.is_relative_to(root)

    monkeypatch.setattr("inklings_desktop.storage.engine.connecting.is_writable", is_writable)
    monkeypatch.setattr(DatabaseReadOnlyError, "__init__", noted)
    return refused


def contents(root: Path) -> dict[str, bytes]:
    """Every stored file; what the window keeps of its own shape lies beside them."""
    return {
        str(one.relative_to(root)): one.read_bytes()
        for one in sorted(root.rglob("*"))
        if one.is_file() and one.suffix not in NOT_STORED
    }


def enabled_controls(front: QWidget) -> list[tuple[str, QAbstractButton]]:
    """What a screen reader finds to be pressed: name and control, in order."""
    found = list[tuple[str, QAbstractButton]]()
    waiting: list[QAccessibleInterface | None] = [QAccessible.queryAccessibleInterface(front)]
    while waiting:
        one = waiting.pop()
        if one is None or not one.isValid() or one.state().invisible:
            continue
        control = one.object()
        if (
            isinstance(control, QAbstractButton)
            and control.isVisible()
            and not one.state().disabled
        ):
            found.append((one.text(QAccessible.Text.Name).strip(), control))
        waiting += [one.child(n) for n in range(one.childCount() - 1, -1, -1)]
    return found


def enabled_actions(menu: QMenu) -> list[QAction]:
    """What can be chosen in a menu, and in menus inside it."""
    found = []
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            found += enabled_actions(inner)
        elif action.isVisible() and action.isEnabled() and not action.isSeparator():
            found.append(action)
    return found


@dataclass
class Hands:
    """Press everything that is enabled, and everything in what opens by that.

    Attributes:
        window: The window.
        refused: Grows when a write is refused.
        blamed: What was pressed when one was.
        pressed: Everything that was pressed, by page or popup and name.
    """

    window: MainWindow
    refused: list[str]
    blamed: list[str] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)

    async def press_all(self, place: str, home: Callable[[], object]) -> None:
        """Everything on show in the window, each once.

        Args:
            place: What stands before the names in ``pressed``.
            home: Brings the window back to where it is on show.
        """
        home()
        await asyncio.sleep(SETTLE_SECONDS)
        for name in dict.fromkeys(name for name, _ in enabled_controls(self.window)):
            await self._press(self.window, place, name)
            home()
            await asyncio.sleep(PAUSE_SECONDS)

    async def choose_all(self, place: str, menu: QMenu) -> None:
        """Everything in a menu."""
        for action in enabled_actions(menu):
            await self._do(f"{place}: {action.text()}", action.trigger, action.text())
        menu.close()

    async def _press(self, front: QWidget, place: str, name: str) -> None:
        control = next((one for known, one in enabled_controls(front) if known == name), None)
        if control is not None:
            await self._do(f"{place}: {name}", control.click, name)

    async def _do(self, what: str, act: Callable[[], object], name: str, *, depth: int = 0) -> None:
        if name in ENDS_THE_WINDOW:
            return
        n_before = len(self.refused)
        self.pressed.append(what)
        act()
        await asyncio.sleep(PAUSE_SECONDS)
        await self._try_what_opened(what, depth)
        if len(self.refused) > n_before:
            self.blamed.append(what)

    async def _try_what_opened(self, what: str, depth: int) -> None:
        for front in _opened(self.window):
            if depth < 2 and isValid(front):  # one that closed may have taken others along
                await self._try(front, what, depth + 1)
            if isValid(front):
                front.close()
        await asyncio.sleep(0)

    async def _try(self, front: QWidget, what: str, depth: int) -> None:
        if isinstance(front, QMenu):
            for action in enabled_actions(front):
                if isValid(action):
                    await self._do(f"{what} > {action.text()}", action.trigger, "", depth=depth)
            return
        for name in dict.fromkeys(name for name, _ in enabled_controls(front)):
            if not isValid(front) or not front.isVisible():
                return
            found = next((one for known, one in enabled_controls(front) if known == name), None)
            if found is not None:
                await self._do(f"{what} > {name}", found.click, name, depth=depth)


def _opened(window: MainWindow) -> list[QWidget]:
    """Menus, cards and dialogs on show, the last one first."""
    popup = QApplication.activePopupWidget()
    found: list[QWidget] = [popup] if popup is not None else []
    for kind in (QDialog, Popover):
        found += [one for one in window.findChildren(kind) if one.isVisible() and one is not popup]
    return found

"""Two hands on the keyboard of the real window, and what a row of the keyboard map is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.places import Place
from tests.ui.page_views import entries_view
from tests.ui.presenter_bench import a_bench
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.control.page import ControlPage, ControlView
    from inklings_desktop.ui.entries.view import EntriesView
    from inklings_desktop.ui.kit.ops.commands import Where
    from inklings_desktop.ui.turn.page import TurnPage
    from inklings_desktop.ui.turn.view import TurnView
    from inklings_desktop.ui.window.main_window import MainWindow
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

W = TypeVar("W", bound=QWidget)
N_MEMORIES = 30
NEWEST, SECOND, OLDEST = "Memory 29.", "Memory 28.", "Memory 0."


def thirty(bench: Bench) -> None:
    """Thirty memories of the workspace, all of today."""
    for number in range(N_MEMORIES):
        bench.put(f"Memory {number}.", tags=("kept",), importance=0.5)


def as_shown(keys: str) -> str:
    """Keys as the sheet writes them; both keys that go on are called Enter."""
    return (
        QKeySequence(keys)
        .toString(QKeySequence.SequenceFormat.NativeText)
        .replace("Return", "Enter")
    )


@dataclass(frozen=True)
class MapRow:
    """One row of the keyboard map.

    Attributes:
        keys: As the specification has it.
        where: Where they act.
        does: What they do.
        check: Presses them and asserts the effect.
        sheet: Which lines of the keyboard sheet are tried thereby.
        prepare: Fills the store.
        made: Opens it.
        is_alone: Whether it leaves something behind that others would find, and so has a window
            of its own.
    """

    keys: str
    where: str
    does: str
    check: Callable[[Hands], Awaitable[None]]
    sheet: frozenset[tuple[Where, str]] = frozenset()
    prepare: Callable[[Bench], None] = thirty
    made: Callable[[Path], AbstractContextManager[Bench]] = a_bench
    is_alone: bool = False

    def __str__(self) -> str:
        return f"{self.keys} ({self.where})"


def on(where: Where, *keys: str) -> frozenset[tuple[Where, str]]:
    """Keys of one section of the sheet."""
    return frozenset((where, as_shown(one)) for one in keys)


def above_window() -> QWidget | None:
    """The popup or dialog that hears keys before the window does."""
    above: QWidget | None = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return above


def together(rows: Sequence[MapRow]) -> list[tuple[MapRow, ...]]:
    """Rows that one window can try one after the other: those that begin alike."""
    shared: dict[tuple[object, object], list[MapRow]] = {}
    for row in rows:
        if not row.is_alone:
            shared.setdefault((row.prepare, row.made), []).append(row)
    return [*map(tuple, shared.values()), *((row,) for row in rows if row.is_alone)]


def press_rows(rows: Sequence[MapRow], root: Path) -> int:
    """Open the window; for each row, bring the keyboard to the list and carry its check out.

    Returns:
        How many rows do what they say: all.

    Raises:
        ExceptionGroup: What was wrong with each row, named in its notes.
    """

    right: list[MapRow] = []

    async def pressed(bench: WindowBench) -> None:
        wrong: list[Exception] = []
        for row in rows:
            try:
                await _press_row(row, bench)
                right.append(row)
            except Exception as error:  # noqa: BLE001 - the other rows are tried all the same
                error.add_note(str(row))
                wrong.append(error)
        if wrong:
            raise ExceptionGroup("keys that do not do what the map says", wrong)

    drive(root, rows[0].prepare, pressed, made=rows[0].made)
    return len(right)


async def _press_row(row: MapRow, bench: WindowBench) -> None:
    hands = Hands(bench)
    await bench.until(lambda: bool(bench.texts()) or hands.page.empty.isVisible())
    hands.window.activateWindow()
    await hands.until(hands.window.isActiveWindow)
    await hands.go_home()
    await row.check(hands)
    untried = {keys for _, keys in row.sheet} - hands.pressed
    assert not untried, f"declared as tried, but never pressed: {untried}"


class Hands:
    """Two hands on the keyboard of a window that shows its list."""

    def __init__(self, bench: WindowBench) -> None:
        self.bench = bench
        self.window: MainWindow = bench.window
        self.page = bench.window.page
        self.pressed: set[str] = set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds, and until the next key is heard at once.

        On the way to where they belong keys are held, or dropped where a dialog was put away:
        this hand is faster than any person's.
        """
        await self.bench.until(condition)
        held = held_keys(self.window)
        await self.bench.until(lambda: not held.is_holding or above_window() is not None)

    async def go_home(self) -> None:
        """Bring the keyboard to the newest memory of the workspace, on the page of all memories."""
        if self.window.pages.current_id != MEMORY_PAGE:
            self.window.show_page(MEMORY_PAGE)
        self.page.focus_list()
        place = Place(Tier.WORKSPACE)
        if self.bench.memory.shell.place != place:
            self.press("Ctrl+3")
            await self.until(lambda: self.bench.memory.shell.place == place)
        if self.page.header.search.text() or self.checked():
            self.page.clear_filters_requested.emit()
            self.bench.memory.acts.selection.clear()
        await self.bench.memory.list.settled()  # keys go to the rows on show, old ones too
        self.page.focus_list()
        self.press("Home")
        self.pressed.clear()

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each as ``Ctrl+K``, wherever the keyboard is."""
        for one in keys:
            self.pressed.add(as_shown(one))
            combination = QKeySequence(one)[0]  # type: ignore[index]
            QTest.keyClick(self._hearing(), combination.key(), combination.keyboardModifiers())

    def _hearing(self) -> QWidget:
        """What hears a key now: in a popup, in a dialog, in the window."""
        above = above_window()
        inside: QWidget | None = self.focus if above is None else above.focusWidget()
        if inside is not None:
            return inside
        return self.window if above is None else above

    @property
    def focus(self) -> QWidget | None:
        return QApplication.focusWidget()

    def is_at(self, control: QWidget) -> bool:
        """Whether the keyboard is at this control."""
        return self.focus is control

    @property
    def current(self) -> str:
        """What the current row says."""
        row = self.page.list_cursor.current_id()
        return next((one.excerpt for one in self.page.rows if one.id == row), "")  # type: ignore[union-attr]

    async def control(self) -> tuple[ControlView, ControlPage]:
        """The Control plane, shown by its key, and its desk once that is made."""
        self.press("Alt+4")
        opened_root = self.window.opened
        assert opened_root is not None
        await self.until(lambda: opened_root.control is not None)
        assert opened_root.control is not None
        return opened_root.control.view, opened_root.control

    async def preview(self) -> tuple[TurnView, TurnPage]:
        """The page of the next turn, shown by its key, and its desk once it shows rows."""
        self.press("Alt+3")
        opened_root = self.window.opened
        assert opened_root is not None
        await self.until(
            lambda: opened_root.preview is not None and bool(opened_root.preview.view.table.rows)
        )
        assert opened_root.preview is not None
        return opened_root.preview.view, opened_root.preview

    @property
    def entries(self) -> EntriesView:
        page = entries_view(self.window)
        assert page is not None
        return page

    async def shown(self, kind: type[W]) -> W:
        """The dialog of this kind, once it is there."""

        def found() -> W | None:
            every = QApplication.topLevelWidgets()
            return next((one for one in every if isinstance(one, kind) and one.isVisible()), None)

        await self.until(lambda: found() is not None)
        dialog = found()
        assert dialog is not None
        return dialog

    def checked(self) -> int:
        """How many memories are checked."""
        return sum(self.page.table.model().is_checked(one.id) for one in self.page.rows)  # type: ignore[attr-defined]

    def entry(self) -> MemoryEntry:
        """The newest memory as it is stored."""
        inklings, scope = self.bench.bench.inklings, self.bench.bench.scope
        return inklings.listing.browse([scope]).entries[0]

    async def opened(self) -> None:
        """Wait until the inspector shows the current memory."""
        await self.until(lambda: self.bench.memory.subject.current_entry is not None)

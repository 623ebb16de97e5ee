"""Races: what was asked, what happens before the answer is there, and what must hold then.

The first two tables need no window: their answers are let out by hand. The third presses keys in
the real window without a turn of the event loop in between: no hands are faster than that.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
)
from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedAnswer, UnsavedDialog
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.memory.subject.state import InspectorMode
from tests.support.scenes import scene
from tests.support.stopwatch import HANG_SECONDS
from tests.ui.hands import (
    LETTERS,
    at_the_list,
    contents,
    dialog_of,
    play,
    press,
    stored,
    three,
    types,
)
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from inklings_desktop.ui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("qapp")

BUSY, FULL, CORRUPT = (
    kind(Path("workspace.db"), "test")
    for kind in (DatabaseBusyError, DatabaseFullError, DatabaseCorruptError)
)
BUG = LookupError("a bug")


class Questions:
    """Asks in the background, and keeps every answer back until they are let out.

    Attributes:
        done: Questions whose call ran to its end, in order.
        heard: Questions whose answer arrived.
        told: Who was told of what, in order.
        closing: The closing of the background, once somebody began it.
    """

    def __init__(self, *, is_latest: bool, writes: bool) -> None:
        self.background = Background(lambda error: self.told.append(("bug", error)))
        self.background.on_no_room = lambda: self.told.append(("no_room", None))
        self.background.on_damage = lambda error: self.told.append(("damage", error))
        self.background.on_refused = lambda error: self.told.append(("refused", error))
        self.latest = Latest(self.background) if is_latest else None
        self.done, self.heard = list[str](), list[str]()
        self.told: list[tuple[str, BaseException | None]] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.closing: asyncio.Task[None] | None = None
        self._call = self.background.write if writes else self.background.read
        self._begun, self._gate = threading.Event(), threading.Event()

    def ask(self, name: str, error: Exception | None = None) -> None:
        """Ask something that is answered, or fails, once the answers are let out."""

        def answer() -> None:
            self._begun.set()
            assert self._gate.wait(HANG_SECONDS)
            self.done.append(name)
            if error is not None:
                raise error

        async def asking() -> None:
            await self._call(answer)
            self.heard.append(name)

        run = self.background.spawn if self.latest is None else self.latest.run
        self.tasks.append(run(asking()))

    async def begun(self) -> None:
        """Return once the first call runs in its thread."""
        assert await asyncio.to_thread(self._begun.wait, HANG_SECONDS)

    async def close(self) -> None:
        """Begin to close; what is asked after that comes too late."""
        self.closing = asyncio.ensure_future(self.background.close())
        await asyncio.wait(self.tasks)

    async def answered(self) -> None:
        """Let the answers out, and return once nothing is under way any more."""
        assert self.closing is None or not self.closing.done(), "closing waits for a running call"
        self._gate.set()
        await asyncio.wait(self.tasks)
        await (self.closing or self.background.close())


async def nothing(_asked: Questions) -> None:
    """Nothing happens before the answer."""


async def asked_again(asked: Questions) -> None:
    asked.ask("second")
    await asyncio.sleep(0)


async def page_left(asked: Questions) -> None:
    assert asked.latest is not None
    asked.latest.cancel()
    assert not asked.latest.is_running


async def left_and_come_back(asked: Questions) -> None:
    await page_left(asked)
    await asked_again(asked)


async def slot_deleted(asked: Questions) -> None:
    asked.latest = None
    gc.collect()


async def stopped(asked: Questions) -> None:
    asked.tasks[0].cancel()


async def window_closed(asked: Questions) -> None:
    await asked.close()


async def asked_again_and_closed(asked: Questions) -> None:
    await asked_again(asked)
    await asked.close()


async def closed_and_asked_again(asked: Questions) -> None:
    await asked.close()
    await asked_again(asked)


ANY, LATEST = (False, True), (True,)
READ, WRITE, BOTH = (False,), (True,), (False, True)


@dataclass(frozen=True)
class Race:
    """One race of the background.

    Attributes:
        meanwhile: What happens between the question and its answer.
        slots: Whether asked through a ``Latest``, or each of both.
        writes: Whether it is a command, or each of both.
        error: What the first call fails with.
        heard: Whose answer arrives.
        done: Which calls run to their end; in this order where they are commands.
        told: Who is told of the error.
    """

    meanwhile: Callable[[Questions], Coroutine[Any, Any, None]]
    slots: tuple[bool, ...]
    writes: tuple[bool, ...]
    heard: str = ""
    done: str = "first"
    error: Exception | None = None
    told: str = ""


RACES = (
    Race(nothing, ANY, BOTH, heard="first"),
    Race(asked_again, (False,), BOTH, heard="first second", done="first second"),
    Race(asked_again, LATEST, BOTH, heard="second", done="first second"),
    Race(asked_again, LATEST, BOTH, heard="second", done="first second", error=BUG),
    Race(asked_again, LATEST, BOTH, heard="second", done="first second", error=BUSY),
    Race(page_left, LATEST, BOTH),
    Race(page_left, LATEST, BOTH, error=BUG),
    Race(left_and_come_back, LATEST, BOTH, heard="second", done="first second"),
    Race(slot_deleted, LATEST, BOTH, heard="first"),
    Race(slot_deleted, LATEST, BOTH, error=BUSY, told="refused"),
    Race(stopped, ANY, BOTH),
    Race(stopped, ANY, BOTH, error=BUG),
    Race(window_closed, ANY, BOTH),
    Race(window_closed, ANY, BOTH, error=BUG),
    Race(asked_again_and_closed, ANY, WRITE),  # of the commands, the one that runs is carried out
    Race(closed_and_asked_again, ANY, BOTH),
    Race(nothing, ANY, BOTH, error=BUG, told="bug"),
    Race(nothing, ANY, BOTH, error=BUSY, told="refused"),
    Race(nothing, ANY, READ, error=FULL, told="refused"),
    Race(nothing, ANY, WRITE, error=FULL, told="no_room refused"),
    Race(nothing, ANY, BOTH, error=CORRUPT, told="damage refused"),
)


@pytest.mark.parametrize(
    ("race", "is_latest", "writes"),
    [
        pytest.param(
            race,
            is_latest,
            writes,
            id=f"{race.meanwhile.__name__}-{type(race.error).__name__ if race.error else 'answer'}"
            f"-{'latest' if is_latest else 'spawned'}-{'write' if writes else 'read'}",
        )
        for race in RACES
        for is_latest in race.slots
        for writes in race.writes
    ],
)
def test_what_holds_whatever_happens_before_the_answer(
    race: Race, *, is_latest: bool, writes: bool
) -> None:
    async def play() -> Questions:
        asked = Questions(is_latest=is_latest, writes=writes)
        asked.ask("first", race.error)
        await asked.begun()
        await race.meanwhile(asked)
        await asked.answered()
        return asked

    asked = asyncio.run(play())
    assert sorted(asked.heard) == race.heard.split()
    assert (asked.done if writes else sorted(asked.done)) == race.done.split()
    assert [who for who, _ in asked.told] == race.told.split()


def test_commands_run_one_at_a_time_in_order_and_none_in_the_thread_that_asks() -> None:
    done: list[int] = []

    async def play() -> set[str]:
        background = Background(print)
        names = {await background.read(lambda: threading.current_thread().name)}
        await asyncio.gather(*(background.write(done.append, number) for number in range(20)))
        names.add(await background.write(lambda: threading.current_thread().name))
        await background.close()
        return names

    assert len(asyncio.run(play()) - {threading.current_thread().name}) == 2
    assert done == list(range(20))


def test_who_waits_for_the_latest_waits_for_what_was_asked_meanwhile_too() -> None:
    async def play() -> list[str]:
        asked = Questions(is_latest=True, writes=False)
        assert asked.latest is not None
        asked.ask("first")
        await asked.begun()
        waiting = asyncio.ensure_future(asked.latest.settled())
        await asked_again(asked)
        await asyncio.wait(asked.tasks[:1])
        for _ in range(3):  # enough turns to see that the first has ended
            await asyncio.sleep(0)
        assert not waiting.done()
        await asked.answered()
        await waiting
        return asked.heard

    assert asyncio.run(play()) == ["second"]


class Way:
    """A window whose keys are held until a way has led from its list to its field."""

    def __init__(self) -> None:
        self.window = QWidget()
        self.list, self.field = QLineEdit(self.window), QLineEdit(self.window)
        self.window.show()
        self.window.activateWindow()
        self.list.setFocus()
        self.held = held_keys(self.window)
        self.end: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.task = asyncio.ensure_future(self._taken())
        self.held.until(self.task)

    async def _taken(self) -> bool:
        is_reached = await self.end
        if is_reached:
            self.field.setFocus()
        return is_reached

    def types(self, text: str) -> None:
        """Press letters where the keyboard is."""
        QTest.keyClicks(self.window.focusWidget(), text)


def arrives(way: Way) -> None:
    way.end.set_result(True)


def leads_nowhere(way: Way) -> None:
    way.end.set_result(False)


def fails(way: Way) -> None:
    way.end.set_exception(BUG)


def is_cancelled(way: Way) -> None:
    way.task.cancel()


def gives_way_to_another(way: Way) -> None:
    way.task.cancel()
    way.end = asyncio.get_running_loop().create_future()
    way.task = asyncio.ensure_future(way._taken())
    way.held.until(way.task)
    way.end.set_result(True)


def has_a_click_before(way: Way) -> None:
    QTest.mouseClick(way.list, Qt.MouseButton.LeftButton)
    way.end.set_result(True)


def has_a_click_and_a_new_wish_before(way: Way) -> None:
    has_a_click_before(way)
    way.held.until(way.task)
    way.types("anew")


def a_dialog(way: Way, first: QWidget) -> QDialog:
    """A dialog over the window, open, in which this has the keyboard first."""
    dialog = QDialog(way.window)
    first.setParent(dialog)
    dialog.open()
    return dialog


def meets_a_question(way: Way) -> None:
    dialog = a_dialog(way, QPushButton("Yes"))
    way.held.note_dialog(dialog)
    way.end.set_result(True)


def meets_a_dialog_with_a_field(way: Way) -> None:
    asked = QLineEdit()
    way.held.note_dialog(a_dialog(way, asked))
    assert asked.text() == "let"
    way.end.set_result(True)


def loses_its_window(way: Way) -> None:
    way.end.set_result(True)
    shiboken6.delete(way.window)


@pytest.mark.parametrize(
    ("meanwhile", "written"),
    [
        (arrives, "let"),
        (leads_nowhere, ""),
        (fails, ""),
        (is_cancelled, ""),
        (gives_way_to_another, "let"),
        (has_a_click_before, ""),
        (has_a_click_and_a_new_wish_before, "anew"),
        (meets_a_question, "let"),
        (meets_a_dialog_with_a_field, ""),
        (loses_its_window, None),
    ],
)
def test_where_held_keys_go_when_their_way(
    meanwhile: Callable[[Way], None], written: str | None
) -> None:
    bugs: list[object] = []

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, bug: bugs.append(bug))
        way = Way()
        way.types("let")
        assert (way.list.text(), way.field.text()) == ("", "")
        assert way.held.is_holding
        meanwhile(way)
        await asyncio.gather(way.task, return_exceptions=True)
        await asyncio.sleep(0)
        if written is not None:
            assert not held_keys(way.window).is_holding
            assert (way.list.text(), way.field.text()) == ("", written)
            shiboken6.delete(way.window)

    asyncio.run(play())
    assert bugs == []


ONE, TWO, THREE = "Memory 2.", "Memory 1.", "Memory 0."
ALL = (ONE, TWO, THREE)


@dataclass(frozen=True)
class Pressed:
    """One row of keys, pressed at the first of three memories before anything is answered.

    Attributes:
        keys: As ``play`` reads them.
        stored: What the memories say in the end.
        editor: What the editor holds in the end.
        undo: What the menu offers to take back.
        redo: What the menu offers to do again.
        answer: What the one question about unsaved text is answered with.
        later: Keys pressed once no key is held any more.
        long_term: How many memories a key may have made long-term.
        closes: Whether the window closes, and asks nobody.
        wide: Whether other rows show nearly the same.
    """

    keys: str
    stored: tuple[str, ...] = ALL
    editor: str | None = None
    undo: str = ""
    redo: str = ""
    answer: UnsavedAnswer | None = None
    later: str = ""
    long_term: int = 0
    closes: bool = False
    wide: bool = False

    def holds(self, bench: WindowBench) -> bool:
        """Whether all of it is so by now."""
        menus = bench.window.menus
        return (
            tuple(contents(bench)) == self.stored
            and self.editor in {None, bench.window.inspector.editor.toPlainText()}
            and self.undo in {"", menus["undo"].text()}
            and self.redo in {"", menus["redo"].text()}
            and bench.window.closing.closed.is_set() is self.closes
            and bench.memory.subject.has_unsaved is (self.editor is not None)
            and QApplication.activeModalWidget() is None
        )


PRESSED = (
    Pressed('Ctrl+N "let it be" Ctrl+S', (LETTERS, *ALL)),
    Pressed('Ctrl+N Ctrl+N "let it be"', editor=LETTERS, wide=True),
    Pressed(
        'E " Mine." Ctrl+N "let it be"',  # its blanks would press the button with the keyboard
        ("Memory 2. Mine.", TWO, THREE),
        editor=LETTERS,
        answer=UnsavedAnswer.SAVE,
    ),
    Pressed(
        'E " Mine." Ctrl+N "let it be"',
        editor="Memory 2. Mine. Yes.",
        answer=UnsavedAnswer.STAY,
        later='" Yes."',
        wide=True,
    ),
    Pressed('Ctrl+N "let it be" Ctrl+S Escape', (LETTERS, *ALL)),
    Pressed(
        'E " One." Ctrl+S Alt+Down "Two. " Ctrl+S',
        ("Memory 2. One.", "Two. Memory 1.", THREE),
        wide=True,
    ),
    Pressed(
        'E " One." Ctrl+S " Two." Ctrl+S " Three." Ctrl+S',
        ("Memory 2. One. Two. Three.", TWO, THREE),
    ),
    Pressed('E " Mine." Ctrl+S Ctrl+Q', ("Memory 2. Mine.", TWO, THREE), closes=True, wide=True),
    Pressed("Delete L Delete Ctrl+Q", (THREE,), closes=True),
    Pressed("Delete Delete", (THREE,), undo="Undo: Forgot 2 memories"),
    Pressed("Delete Delete", redo="Redo: Forgot 2 memories", later="Ctrl+Z"),
    Pressed("Delete Ctrl+Z", redo="Redo: Forgot 1 memory", wide=True),
    Pressed(
        "L Delete L Ctrl+Z Ctrl+Z Ctrl+Shift+Z Delete",
        (THREE,),
        undo="Undo: Forgot 1 memory",
        wide=True,
    ),
    Pressed('Delete E " Mine." Ctrl+S Escape Ctrl+Z', (TWO, THREE), undo="Undo: Forgot 1 memory"),
    Pressed("Ctrl+A L", undo="Undo: Made 3 memories long-term", long_term=3),
    Pressed("Ctrl+A Delete Ctrl+Z", redo="Redo: Forgot 3 memories", wide=True),
    Pressed("Ctrl+A Delete Escape", undo="Undo"),  # a change of mind
)


async def settled(bench: WindowBench) -> None:
    """Return once all that was begun is done: a read or a write asked now comes after it."""
    background = bench.memory.background
    await bench.memory.undo.finished()
    await asyncio.gather(*(background.read(len, ()) for _ in range(2)))
    await background.write(len, ())


@pytest.mark.parametrize(
    "pressed",
    [
        pytest.param(
            one, marks=[pytest.mark.wide] if one.wide else [], id=f"{one.keys} {one.later}"
        )
        for one in PRESSED
    ],
)
@scene(drive, three)
async def test_no_key_is_lost_and_none_acts_on_something_else(
    bench: WindowBench, /, pressed: Pressed
) -> None:
    await at_the_list(bench)
    play(bench.window, pressed.keys)
    if pressed.answer is not None:
        asked = await dialog_of(bench, UnsavedDialog)
        assert tuple(contents(bench)) == ALL
        asked.done(pressed.answer.value)
    if pressed.later:
        await bench.until(lambda: not held_keys(bench.window).is_holding)
        play(bench.window, pressed.later)
    await bench.until(lambda: pressed.holds(bench))
    if not pressed.closes:
        await settled(bench)
        assert pressed.holds(bench)
    others = [one for one in stored(bench) if one.content != LETTERS]
    assert sum(one.lifetime is Lifetime.LONG_TERM for one in others) == pressed.long_term
    bench.memory.subject.revert()


def asks_in_a_menu(name: str) -> Callable[[WindowBench], None]:
    return lambda bench: bench.window.menus[name].trigger()


def asks_about_one(bench: WindowBench) -> None:
    bench.memory.acts.act(MemoryAct.FORGET_BECAUSE)


def asks_about_all(bench: WindowBench) -> None:
    press(bench, "Ctrl+A")
    asks_about_one(bench)


def asks_from_the_inspector(bench: WindowBench) -> None:
    bench.window.inspector.focus_editor()
    bench.window.inspector.act_requested.emit(MemoryAct.FORGET_BECAUSE)


@pytest.mark.parametrize(
    ("asks", "typed"),
    [
        pytest.param(asks_in_a_menu("new_workspace"), LETTERS, id="new workspace"),
        pytest.param(asks_in_a_menu("import_file"), LETTERS, id="file to import"),
        pytest.param(asks_in_a_menu("export"), None, id="export, which has no field"),
        pytest.param(asks_about_one, LETTERS, id="reason for one"),
        pytest.param(asks_about_all, LETTERS, marks=pytest.mark.wide, id="reason for all"),
        pytest.param(asks_from_the_inspector, LETTERS, marks=pytest.mark.wide, id="in inspector"),
    ],
)
@scene(drive, three)
async def test_what_is_typed_right_after_asking_for_a_dialog_is_for_that(
    bench: WindowBench, /, asks: Callable[[WindowBench], None], typed: str | None
) -> None:
    await at_the_list(bench)
    asks(bench)
    types(bench, LETTERS)
    dialog = await dialog_of(bench, QDialog)
    field = dialog.focusWidget()
    if isinstance(field, QPlainTextEdit | QTextEdit):
        assert field.toPlainText() == typed
    else:
        assert typed is None or (isinstance(field, QLineEdit) and field.text() == typed)
    dialog.reject()
    await bench.until(lambda: not held_keys(bench.window).is_holding)
    await settled(bench)
    assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
    assert not bench.memory.subject.has_unsaved


def with_the_rows(window: MainWindow) -> None:
    """Ask for a new memory the moment the list has its rows, before the pages are there."""
    found = window.findChild(ListPresenter)
    assert found is not None

    def once() -> None:
        found.content_changed.disconnect(once)
        at_the_first_frame(window)

    found.content_changed.connect(once)


def at_the_first_frame(window: MainWindow) -> None:
    assert window.opened is None
    play(window, 'Ctrl+N "let it be"')


def after_a_change_of_mind(window: MainWindow) -> None:
    play(window, 'Ctrl+N "no"')
    QTest.mouseClick(window.page.header, Qt.MouseButton.LeftButton)
    at_the_first_frame(window)


@pytest.mark.parametrize("asks", [at_the_first_frame, with_the_rows, after_a_change_of_mind])
def test_a_new_memory_wished_for_before_the_data_is_open_is_begun_then(
    tmp_path: Path, asks: Callable[[MainWindow], None]
) -> None:
    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LETTERS)
        assert bench.memory.subject.state.mode is InspectorMode.NEW
        assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
        bench.memory.subject.revert()
        await bench.until(lambda: not held_keys(bench.window).is_holding)

    drive(tmp_path, three, look, while_opening=asks)

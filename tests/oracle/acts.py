"""What a person does in the window, and what the databases are asked by it."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import Counter
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from sqlalchemy import Engine

from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings_file import save_values
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.tour.tour import show_entries, show_preview
from tests.pictures.control import show_access, show_event_log
from tests.pictures.steps import control_of
from tests.support.sqlite_store import counted_statements
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

    Do = Callable[[WindowBench], Awaitable[None]]

QUIET_SECONDS = 0.7
"""Without a statement: then whatever an act led to is over."""
_TABLES = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)", re.IGNORECASE)
_MARKS = re.compile(r"\(\?(?:, \?)+\)")


def at_once(act: Callable[[WindowBench], object]) -> Do:
    """Do what needs no waiting for."""

    async def done(bench: WindowBench) -> None:
        act(bench)

    return done


def shown(show: Callable[[MemoryPage, MainWindow], Awaitable[None]]) -> Do:
    """Go to a page, or to a tab of it."""

    async def done(bench: WindowBench) -> None:
        await show(bench.memory, bench.window)

    return done


def key(pressed: Qt.Key) -> Do:
    """Press a key in the list."""
    return at_once(lambda bench: QTest.keyClick(bench.window.page.table, pressed))


def place(tier: Tier) -> Do:
    """Go to a tier."""
    return at_once(lambda bench: bench.memory.shell.go(Place(tier)))


def act(which: MemoryAct) -> Do:
    """Do something to the open memory."""
    return at_once(lambda bench: bench.memory.acts.act(which))


async def control(bench: WindowBench) -> None:
    """Show the Control plane; it is loaded when first shown."""
    bench.window.show_page(CONTROL_PAGE)
    await bench.until(lambda: control_of(bench.window) is not None)


TYPED = "The keeper of Wend rings the bell at dusk."
ALL = "all"
DELETE = "delete one memory"
ACTS: dict[str, Do] = {
    "open the next memory": key(Qt.Key.Key_J),
    "open one that no agent asks about": key(Qt.Key.Key_J),
    DELETE: key(Qt.Key.Key_Delete),
    "undo it": at_once(lambda bench: bench.window.menus["undo"].trigger()),
    "type into a memory": at_once(lambda bench: bench.memory.subject.edit(content=TYPED)),
    "save it": at_once(lambda bench: bench.window.menus["save"].trigger()),
    "pin a memory": act(MemoryAct.PIN),
    "search": at_once(lambda bench: bench.window.page.header.search.set_text("harbour")),
    "clear the search": at_once(lambda bench: bench.window.page.header.search.set_text("")),
    "open the channels": place(Tier.CHANNEL),
    "open the account": place(Tier.ACCOUNT),
    "show what was forgotten": at_once(
        lambda bench: bench.window.page.filters.forgotten.toggled_by_user.emit(True)
    ),
    "open the named entries": shown(show_entries),
    "open the next turn": shown(show_preview),
    "open the control plane": control,
    "open the event log": shown(show_event_log),
    "open the access tab": shown(show_access),
    "go back to the list": at_once(lambda bench: bench.window.show_page(MEMORY_PAGE)),
}
"""In this order; each begins where the one before has come to rest."""


@contextmanager
def every_statement() -> Iterator[list[str]]:
    """What is sent to any database while this lasts."""
    with counted_statements(Engine) as counter:
        yield counter.statements


async def at_rest(statements: Sequence[str]) -> None:
    """Wait until nothing has been asked for a while."""
    known, since = len(statements), time.monotonic()
    while time.monotonic() - since < QUIET_SECONDS:
        await asyncio.sleep(0.02)
        if len(statements) != known:
            known, since = len(statements), time.monotonic()


def statements_of_acts(root: Path) -> dict[str, Counter[str]]:
    """How often each kind of statement was sent in each act, and ``ALL`` of them.

    Args:
        root: A sample world; it is changed.
    """
    found: dict[str, Counter[str]] = {}

    async def play(bench: WindowBench) -> None:
        with every_statement() as statements:
            await at_rest(statements)
            for name, do in ACTS.items():
                statements.clear()
                await do(bench)
                await at_rest(statements)
                kinds = list(map(_shortened, statements))
                found[name] = Counter([*kinds, *(ALL for _ in kinds)])

    save_values(root, {"agent.prestart": False})  # it would ask in the midst of any act
    drive(root, lambda _bench: None, play)
    return found


def most_of(plays: Sequence[Mapping[str, Counter[str]]]) -> str:
    """A text of what was asked most often in several plays: two answers may be read as one."""
    text = []
    for name in plays[0]:
        most = reduce(or_, (one[name] for one in plays))
        text += [f"== {name}", *(f"{n} x {kind}" for kind, n in sorted(most.items()))]
    return "\n".join(text) + "\n"


def read(text: str) -> dict[str, Counter[str]]:
    """What ``most_of`` made a text of."""
    found: dict[str, Counter[str]] = {}
    for line in text.splitlines():
        if line.startswith("== "):
            name = line.removeprefix("== ")
            found[name] = Counter()
        else:
            number, _, kind = line.partition(" x ")
            found[name][kind] = int(number)
    return found


def _shortened(statement: str) -> str:
    """The verb, the tables, and a hash that tells two of these apart."""
    words = _MARKS.sub("(?)", " ".join(statement.split()))
    tables = " ".join(dict.fromkeys(_TABLES.findall(words)))
    told = hashlib.blake2b(words.encode(), digest_size=2).hexdigest()
    return " ".join(part for part in (words.split(" ", 1)[0], tables, told) if part)

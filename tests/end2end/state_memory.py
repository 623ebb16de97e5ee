"""States of one memory that need a past: its versions, a collision with an agent, forgetting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.tour.tour import Once, Stop, go, settle, until
from tests.end2end.state_worlds import WORLD
from tests.support.builders import an_agent

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings

AGENT = "orchestrator"
WORDINGS = (
    "The keeper of Wend rings the bell at noon.",
    "The keeper of Wend never rings the bell at noon.",
    "The keeper of Wend never rings the bell at noon, nor lets anybody else.",
)
MINE = "The keeper of Wend rings the bell at dusk, and nobody asks why."
THEIRS = "The keeper of Wend has rung no bell since the flood."
DROPPED = ("The toll is paid in glass.", "Wend has a second gate.", "Lamps burn whale oil.")
PAST_STATES = ("inspector-history", "inspector-conflict", "01-forgotten")
REASON = "no longer true after the flood"


def add_past(inklings: Inklings) -> None:
    """A memory of an agent that was reworded twice, and three that the author forgot."""
    world = next(one for one in inklings.places.workspaces() if one.name == WORLD)
    agent, scope = an_agent(AGENT, workspace_id=world.id), ScopeKey.workspace(world.id)
    entry = inklings.as_caller(agent).memories.put(
        MemoryDraft(scope, WORDINGS[0], source=AGENT, tags=("wend", "bells"))
    )
    for content in WORDINGS[1:]:
        entry = reworded(inklings, entry, content)
    dropped = [
        inklings.as_caller(agent).memories.put(MemoryDraft(scope, text, source=AGENT))
        for text in DROPPED
    ]
    inklings.memories.forget([one.ref for one in dropped], reason=REASON)


def reworded(inklings: Inklings, entry: MemoryEntry, content: str) -> MemoryEntry:
    """The memory after its agent put it otherwise."""
    agent = an_agent(AGENT, workspace_id=entry.scope.workspace_id)
    patch = MemoryPatch(content=content)
    return inklings.as_caller(agent).memories.update(
        entry.ref, patch, expected_version=entry.version
    )


async def show_history(memory: MemoryPage, window: MainWindow) -> None:
    """What each version changed, the newest change opened."""
    await go(memory, Place(Tier.WORKSPACE))
    await _open(memory, window, WORDINGS[-1])
    history = window.inspector.body.history
    await until(lambda: bool(history.findChildren(QAbstractButton, "historyToggle")))
    history.findChildren(QAbstractButton, "historyToggle")[0].click()
    await settle()
    bar = window.inspector.body.verticalScrollBar()
    bar.setValue(bar.maximum())


async def show_conflict(memory: MemoryPage, window: MainWindow, inklings: Inklings) -> None:
    """An agent saved while the author was typing; both texts are compared."""
    window.inspector.body.verticalScrollBar().setValue(0)
    entry = memory.subject.current_entry
    assert entry is not None
    memory.subject.edit(content=MINE)
    reworded(inklings, entry, THEIRS)
    await until(lambda: memory.subject.state.conflict is not None)
    window.inspector.body.conflict.compare.click()
    await settle()


async def show_forgotten(memory: MemoryPage, window: MainWindow) -> None:
    """What was forgotten, with the reason; each can be brought back."""
    memory.subject.revert()
    await settle()
    answer = Once(memory.list.content_changed)
    window.page.filters.forgotten.toggled_by_user.emit(True)
    await answer
    await _open(memory, window, DROPPED[0])


def past_stops(inklings: Inklings) -> tuple[Stop, ...]:
    """In the order of ``PAST_STATES``: each follows from the one before."""
    history, conflict, forgotten = PAST_STATES
    return (
        Stop(history, show_history),
        Stop(conflict, partial(show_conflict, inklings=inklings)),
        Stop(forgotten, show_forgotten),
    )


async def _open(memory: MemoryPage, window: MainWindow, text: str) -> None:
    """Open the memory that says this."""
    found = next(row for row in window.page.rows if getattr(row, "excerpt", "") == text)
    window.page.list_cursor.select(found.id)
    await until(lambda: (now := memory.subject.current_entry) is not None and now.content == text)
    await settle()

"""Bursts of commits reach the window as few changes, single ones at once."""

from __future__ import annotations

import threading
from dataclasses import fields, replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QElapsedTimer, QThread

from inklings_desktop.domain.background.tasks import TaskKind
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.kit.ops import change_bridge
from inklings_desktop.ui.kit.ops.change_bridge import EVERYTHING, About, ChangeBridge
from tests.ui.presenter_bench import Heard

pytestmark = pytest.mark.usefixtures("qapp")

WAIT_MS = 60_000


def work_until(heard: Heard, n_records: int) -> int:
    """Let events through until so many records came; how long that took, in milliseconds."""
    timer = QElapsedTimer()
    timer.start()
    while len(heard.payloads) < n_records and timer.elapsed() < WAIT_MS:
        QCoreApplication.processEvents()
        QThread.msleep(1)
    return timer.elapsed()


def test_the_first_change_comes_at_once_and_a_burst_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(change_bridge, "BURST_MS", 3_000)  # nobody is that slow in between
    bridge = ChangeBridge()
    heard = Heard()
    bridge.hear(heard.payloads.append)
    bridge.publish(MemoryChanges("w", added=("a",)))
    assert work_until(heard, 1) < change_bridge.BURST_MS

    def consolidate() -> None:
        for n in range(20):
            bridge.publish(MemoryChanges("w", updated=(f"m{n}",), initiator="consolidation"))

    publishing = threading.Thread(target=consolidate)
    publishing.start()
    publishing.join()
    bridge.publish(MemoryChanges("w", forgotten=("z",), initiator="Ada"))
    QCoreApplication.processEvents()
    assert len(heard.payloads) == 1
    assert work_until(heard, 3) < WAIT_MS
    first, burst, other = heard.payloads
    assert first.added == ("a",)
    assert burst.updated == tuple(f"m{n}" for n in range(20))
    assert other.forgotten == ("z",)
    bridge.deleteLater()


def test_after_a_pause_a_change_comes_at_once_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_bridge, "BURST_MS", 20)
    bridge = ChangeBridge()
    heard = Heard()
    bridge.hear(heard.payloads.append)
    bridge.publish(MemoryChanges("w", added=("a",)))
    work_until(heard, 1)
    QThread.msleep(40)
    QCoreApplication.processEvents()
    assert len(heard.payloads) == 1
    bridge.publish(MemoryChanges("w", added=("b",)))
    QCoreApplication.processEvents()
    QCoreApplication.processEvents()
    assert [one.added for one in heard.payloads] == [("a",), ("b",)]
    bridge.deleteLater()


SOMETHING: dict[str, Any] = {
    "scopes": frozenset({ScopeKey.account()}),
    "added": ("a",),
    "updated": ("a",),
    "forgotten": ("a",),
    "note_conversations": frozenset({"c"}),
    "entries": frozenset({"e"}),
    "drafts_dropped": frozenset({"e"}),
}
"""What a commit tells of; everything else is told by yes or no."""
TOLD_OF = {
    "scopes": About.MEMORIES,
    "added": About.MEMORIES,
    "updated": About.MEMORIES,
    "forgotten": About.MEMORIES,
    "entries": About.ENTRIES,
    "proposals": About.ENTRIES,
    "drafts_dropped": About.TYPING,
    "rooms": About.ROOMS,
    "note_conversations": About.NOTES,
    "clients": About.CLIENTS,
    "events": About.EVENTS,
    "scrubbed": About.SCRUBS,
    "scrub_requests": About.SCRUB_REQUESTS,
    "workspaces": About.WORKSPACES,
    "settings": About.SETTINGS,
    "reload": EVERYTHING,
}


@pytest.mark.parametrize("told", TOLD_OF)
def test_a_change_comes_to_those_alone_whom_it_concerns(told: str) -> None:
    bridge = ChangeBridge()
    all_of_it, heard = Heard(), {kind: Heard() for kind in About}
    bridge.hear(all_of_it.payloads.append)
    for kind, one in heard.items():
        bridge.hear(one.payloads.append, kind)
    changes = replace(MemoryChanges("w"), **{told: SOMETHING.get(told, True)})
    assert not changes.is_empty
    bridge.publish(changes)
    work_until(all_of_it, 1)
    QCoreApplication.processEvents()
    assert {kind for kind, one in heard.items() if one.payloads} == set(TOLD_OF[told])
    bridge.deleteLater()


def test_what_the_clock_did_by_itself_is_told_as_that_beside_what_it_is_about() -> None:
    bridge = ChangeBridge()
    every, clock, memories = Heard(), Heard(), Heard()
    bridge.hear(every.payloads.append)
    bridge.hear(clock.payloads.append, About.CLOCK)
    bridge.hear(memories.payloads.append, About.MEMORIES)
    bridge.publish(MemoryChanges("w", forgotten=("a",), initiator=TaskKind.CONSOLIDATION.value))
    bridge.publish(MemoryChanges("w", forgotten=("b",), initiator="Ada"))
    work_until(every, 2)
    QCoreApplication.processEvents()
    assert [one.forgotten for one in clock.payloads] == [("a",)]
    assert [one.forgotten for one in memories.payloads] == [("a",), ("b",)]
    bridge.deleteLater()


def test_whatever_a_commit_can_tell_is_about_something() -> None:
    about_it = {"workspace_id", "initiator", "own", "successors"}
    assert {one.name for one in fields(MemoryChanges)} - about_it == set(TOLD_OF)

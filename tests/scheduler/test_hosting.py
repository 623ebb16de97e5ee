"""The clock beside a host: without a window, without Qt, over real files."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.scheduler.hosting import clock_beside
from inklings_desktop.scheduler.tasks import Work
from tests.architecture.fresh_interpreter import run_fresh
from tests.support.builders import NOON
from tests.support.stopwatch import HANG_SECONDS

IMPORTED = """
import json, sys
import inklings_desktop.mcp_server.hosting.host, inklings_desktop.scheduler.hosting
import inklings_desktop.scheduler.clockwork, inklings_desktop.scheduler.plain_thread
import inklings_desktop.scheduler.tasks, inklings_desktop.scheduler.tasks
print(json.dumps([name for name in sys.modules if name.startswith("PySide6")]))
"""


def test_a_silent_conversation_rests_though_no_window_was_ever_open(tmp_path: Path) -> None:
    now = [NOON]
    embedder = NullEmbedder("none")
    with open_inklings(
        tmp_path / "root", clock=lambda: now[0], embedder=embedder, embed_writes=False
    ) as inklings:
        world = inklings.workspaces.create("Saltglass").id
        room = inklings.conversations.start(world).id
        Work(inklings).look(world)  # its first day, in which nothing happens unasked, begins
        now[0] += timedelta(days=30)
        rested = threading.Event()

        def hear(changes: MemoryChanges) -> None:
            if changes.rooms and changes.initiator == "conversation_close":
                rested.set()

        inklings.feed.subscribe(hear)
        with clock_beside(inklings, 0.5):
            now[0] += timedelta(minutes=5)
            inklings.memories.put(MemoryDraft(ScopeKey.workspace(world), "The tide turns."))
            assert rested.wait(HANG_SECONDS)
        assert inklings.conversations.get(world, room).state is ConversationState.IDLE


def test_the_host_has_the_clock_without_a_toolkit() -> None:
    assert run_fresh(IMPORTED) == []

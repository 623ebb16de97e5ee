"""A state of the Conversation page: a turn in which two were sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.ui.conversation.drawing.runs import RunsPiece
from inklings_desktop.ui.conversation.thread.rows import TurnRow
from inklings_desktop.ui.tour.tour import Stop, settle, until
from tests.pictures.conversation import shown, tell

if TYPE_CHECKING:
    from inklings_desktop.ui.conversation.page import ConversationPage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

TURN = "t4-0d0d0d0d"
ASKED = (
    "Before I go on: have someone read all toll scenes for what each one costs, and list every "
    "left and right in my draft."
)
SENT = (
    "I have sent a Researcher, who may only read, and a Worker, who keeps its list in this "
    "conversation\u2019s notes."
)
GOAL = (
    "Read the toll scenes in chapters 2, 5 and 8. For each: what is paid, by whom, and what the "
    "payer lacks in the scene after. Quote, do not interpret."
)
RESEARCHER: dict[str, Any] = {
    "id": "1", "role": "researcher", "state": "done", "goal": GOAL, "n_pages": 3, "n_memories": 11,
    "seconds": 60, "model": "anthropic/claude-sonnet-4-5", "input": 7_900, "output": 640,
    "cost_micro": 30_000, "currency": "USD", "n_findings": 3,
    "did": [
        {"tool": "world_search", "about": "toll", "n": 9, "ms": 300, "status": "completed"},
        {"tool": "world_read", "about": "Chapter 2", "n": 3, "ms": 600, "status": "completed"},
        {"tool": "memory_read", "tier": "workspace", "about": "toll", "n": 8, "ms": 90,
         "status": "completed"},
        {"tool": "note_write", "about": "finding/t4.1/report", "n": 1, "ms": 40,
         "status": "completed"},
    ],
    "findings": [
        {"place": "Chapter 2", "text": "Knots. Paid by Yev; she goes without rope in the next "
         "scene.", "page": "Chapter 2"},
        {"place": "Chapter 5", "text": "A true name. Amadi omits one syllable, and is let through.",
         "page": "Chapter 5"},
        {"place": "Chapter 8", "text": "Breath. Oss Corrin pays twice; the second is not "
         "explained.", "page": "Chapter 8"},
    ],
}  # fmt: skip
WORKER: dict[str, Any] = {
    "id": "2", "role": "worker", "goal": "left and right in the draft", "state": "running",
    "may": [{"tool": "note_write", "tier": "conversation"}], "n_findings": 4,
    "done": 31, "of": 43,
}  # fmt: skip


async def show_runs(_memory: MemoryPage, window: MainWindow) -> None:
    """One has come back, and stands beside the thread; one is still at work."""
    page = await shown(window)
    page.said.queued = ()
    page.view.composer.show_text("And tell me if any toll was ever refused.")
    page.said.begin([{"kind": "text", "text": ASKED}])
    own = {words.TURN: TURN, words.PRODUCED_BY: "model", words.WHOLE: True}
    said = {"type": "text", "text": SENT}
    tell(page, {"sessionUpdate": words.AGENT_CHUNK, "content": said, "_meta": {words.OWN: own}})
    for one, ms in ((RESEARCHER, 38_000), (WORKER, 21_000)):
        tell(page, _card(one, ms))
    thread = page.view.thread_view
    await until(lambda: thread.live.layout_of_turn is not None)
    for part in ("Findings, folded", "Researcher"):
        press(page, part)
        await settle()
    thread.go_to_foot()
    await settle()


def press(page: ConversationPage, name: str) -> None:
    """Press the part of the last row of runs that begins with these words."""
    thread = page.view.thread_view
    row = thread.rows[-1]
    assert isinstance(row, TurnRow)
    piece = next(one for _, one in thread.layout_of(row).placed if isinstance(one, RunsPiece))
    part = next(one for one in piece.parts() if one.name.startswith(name))
    thread._press(row, part)


def _card(run: dict[str, Any], ms: int) -> dict[str, Any]:
    own = {words.TURN: TURN, words.TOOL: "spawn", words.RUN: run, words.MS: ms}
    return {
        "sessionUpdate": words.TOOL_CALL, "toolCallId": f"{TURN}:{run['id']}",
        "title": run["goal"], "kind": "think", "status": "in_progress", "_meta": {words.OWN: own},
    }  # fmt: skip


RUNS = Stop("12b-conversation-runs", show_runs)
